"""Moves that suffice, as ``enough`` says: less is searched, and nothing is believed."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

import zermelo
from support.games.strategies import guided, heap
from support.sizes import counts
from zermelo import LOSS, WIN, UnprovedError
from zermelo.games import DotsAndBoxes
from zermelo.games.territory.dots_and_boxes import Strokes

#: Moves in a heap of which the last stone wins: those that win; one of them that wins, or else all.
WINNING = {left: (left - (left % 4 or 1),) for left in range(1, 14)}
SOME = {left: moves for left, moves in WINNING.items() if left % 4}


@dataclass(frozen=True)
class AllLines(DotsAndBoxes):
    """Dots and Boxes of which all moves are searched."""

    enough = None


@dataclass(frozen=True)
class NoHooks(DotsAndBoxes):
    """Dots and Boxes of which all moves are searched, in no order and without bounds."""

    enough = bounds = promise = None


def proved(game, **how):
    """Prove with little memory."""
    return zermelo.prove(game, memory="50MB", **how)


@pytest.mark.parametrize("said", [WINNING, SOME], ids=["winning", "some"])
@pytest.mark.parametrize("stones", [12, 13])
def test_the_value_is_that_of_all_moves(said, stones):
    """Where the author names no moves, all are searched."""
    proof = proved(guided(heap(13), suffice=said, root=stones))
    assert proof.value.outcome == (WIN if stones % 4 else LOSS)
    assert proof.verify()
    assert len(proof.line()) > 0


@pytest.mark.slow
def test_a_lie_does_not_pass():
    """The search believes it, and no strategy holds; nor does the look before the search."""
    first = {left: (left - 1,) for left in range(1, 15)}
    proof = proved(guided(heap(14), suffice=first, root=14))
    assert proof.value.outcome == LOSS
    with pytest.raises(UnprovedError, match="strategy"):
        proof.verify()


def test_how_far_away_the_end_is_is_searched_by_all_moves():
    """The moves that suffice hold a best one, and it need not be the shortest way."""
    proof = proved(guided([(3, 1), (2,), (3,), ()], suffice={0: (1,)}), remoteness=True)
    assert (proof.value.outcome, proof.value.remoteness) == (WIN, 1)
    assert proof.verify()


@pytest.mark.slow
def test_where_play_can_go_round_all_moves_are_searched():
    """Proof-number search finds the win that the author's moves put off for ever."""
    rows = [(1, 4), (2,), (3,), (0,), (5,), (6,), ()]
    proof = proved(guided(rows, suffice={0: (1,)}))
    assert (proof.value.outcome, proof.best_move) == (WIN, 4)


def test_a_line_so_far_has_moves_of_the_game():
    """The table numbers the moves that were looked at, and the line names those of the position."""
    game = guided(heap(60), suffice={left: (left - 3, left - 2) for left in range(3, 61)}, root=60)
    proof = proved(game, nodes=30, threads=1)
    assert (proof.is_complete, len(proof.line()) > 1) == (False, True)
    position = 60
    for move in proof.line().moves:
        assert move in list(game.moves(position))
        position = game.play(position, move)


@counts(None, 3, 400)
def test_dots_and_boxes_is_worth_the_same_by_all_lines(count):
    """Sets of lines at random on four by four boxes, without any hook; a few with strategies."""
    game, plain, rng = DotsAndBoxes(4, 4), NoHooks(4, 4), random.Random(count)
    for number in range(count):
        drawn = rng.sample(range(game.lines), rng.randrange(25, 35))
        position = Strokes(sum(1 << line for line in drawn), number % 2)
        proof, other = (proved(each, position=position, threads=1) for each in (game, plain))
        assert proof.value == other.value, game.show(position)
        assert number % 20 or proof.verify()


@pytest.mark.parametrize(
    ("rows", "columns", "margin"),
    [
        pytest.param(2, 4, 2, marks=pytest.mark.slow),
        pytest.param(3, 3, -3, marks=pytest.mark.huge),
    ],
)
def test_less_is_searched(rows, columns, margin):
    """The hooks leave out positions, and the strategies hold against all lines."""
    proof, other = (proved(each(rows, columns), threads=1) for each in (DotsAndBoxes, AllLines))
    assert (proof.value.score, other.value.score) == (margin, margin)
    assert proof.nodes < other.nodes
    assert proof.verify()
