"""Trees of moves: every reply is there, one move of the player whose strategy it is."""

from __future__ import annotations

import pytest

import zermelo
from zermelo import ParameterError, PositionError
from zermelo.games import CatAndMouse, TakeAway

SIX = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


@pytest.fixture(scope="module")
def stones():
    """Seven stones, of which up to three are taken."""
    return zermelo.solve(TakeAway(7))


def test_a_strategy_as_a_homework_asks_for_it(stones):
    """One move of the player, every reply."""
    tree = stones.tree(depth=None, player="first")
    assert str(tree).splitlines() == [
        "first to move: win in 3",
        "└─ take 3  second: loss in 2",
        "   ├─ take 1  first: win in 1",
        "   │  └─ take 3  second has lost",
        "   ├─ take 2  first: win in 1",
        "   │  └─ take 2  second has lost",
        "   └─ take 3  first: win in 1",
        "      └─ take 1  second has lost",
    ]
    assert repr(tree) == "<Tree: strategy of first, 8 positions>"
    assert str(stones.tree(depth=None, player=0)) == str(tree)


def test_all_moves_to_a_depth(stones):
    """And how many are left out."""
    tree = stones.tree(depth=1)
    assert [line.split("  ")[0] for line in str(tree).splitlines()[1:]] == [
        "├─ take 3", "├─ take 1", "└─ take 2",
    ]  # fmt: skip
    assert str(tree).splitlines()[1].endswith("… 3 more moves")
    assert tree.player is None
    assert str(stones.tree(depth=0)).splitlines()[1:] == ["… 3 more moves"]
    assert str(stones.tree(0)) == "first to move: loss in 0"


def test_a_strategy_of_every_position_wins(noughts):
    """Whatever the other player does: of each won position, all leaves are lost for the other."""
    solution = noughts
    seen = 0
    for position, value in solution.items():
        if value.outcome is not zermelo.WIN or seen > 100:
            continue
        tree = solution.tree(position, depth=None, player="X")
        leaves = [node for node in tree if not node.children]
        assert all(node.over and node.player == "O" for node in leaves)
        assert all(node.value.outcome is zermelo.LOSS for node in leaves)
        seen += 1


def test_where_play_repeats_a_branch_ends():
    """A cat that goes round for ever makes no endless tree."""
    solution = zermelo.solve(CatAndMouse(SIX))
    tree = solution.tree(depth=None, player="mouse")
    assert len(tree) < 500
    assert {node.player for node in tree} == {"mouse", "cat"}


def test_dot(stones):
    """Each position once, each move an edge; names are quoted."""
    dot = stones.tree(depth=1).dot
    assert dot.startswith("digraph {\n")
    assert dot.count(" -> ") == 3
    assert 'n0 -> n1 [label="take 3"];' in dot


def test_mistakes(stones):
    """Each with what to do."""
    for depth in (-1, 1.5, True, "2"):
        with pytest.raises(ParameterError, match="is not a number of plies; give 0 or more"):
            stones.tree(depth=depth)
    for player in ("third", 2, -1, True):
        with pytest.raises(ParameterError, match="is not a player; give 'first' or 'second'"):
            stones.tree(player=player)
    with pytest.raises(PositionError):
        stones.tree(99)
    with pytest.raises(ParameterError, match="more than 5,000 positions; give a smaller depth"):
        zermelo.solve(TakeAway(21)).tree(depth=None)
