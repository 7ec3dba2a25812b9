"""Cat and Mouse on a grid: published answers, and endless play, which the cat wins."""

from __future__ import annotations

import json

import pytest

import zermelo
from facts import rows
from support.oracles.oracle import solve, within
from zermelo.errors import ParameterError, PositionError
from zermelo.games import CatAndMouseGrid

TURNS = 1000  # after which the cat has won, as the problem has it


by_example = pytest.mark.parametrize("fact", rows("cat_and_mouse_ii"), ids=range(1, 6))


def game_of(fact):
    """Return the game of a published example."""
    return CatAndMouseGrid(json.loads(fact["grid"]), int(fact["cat"]), int(fact["mouse"]))


@by_example
def test_the_mouse_wins_where_it_is_published_to(fact):
    """On each published grid the engine and the oracle find who wins, in every position."""
    game = game_of(fact)
    solution = zermelo.solve(game)
    assert (solution.winner == "mouse") == json.loads(fact["mouse_wins"])
    right = solve(game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == right
    assert solution.verify()


@by_example
def test_a_thousand_turns_are_as_good_as_for_ever(fact):
    """Whoever wins by endless play has won after so many turns as the problem says, or fewer."""
    game = game_of(fact)
    right = solve(game)
    longest = max(plies for _, plies in right.values() if plies is not None)
    assert longest < TURNS
    assert within(game, longest) == {p: outcome for p, (outcome, _) in right.items()}


def test_the_cat_wins_a_chase_that_never_ends():
    """A mouse that cannot pass a wall loses without remoteness, and the cat keeps it away."""
    solution = zermelo.solve(CatAndMouseGrid(["M#F", "##.", "C.#"]))
    assert solution.winner == "cat"
    assert (solution.value.outcome, solution.value.remoteness) == (zermelo.LOSS, None)
    assert solution.line().ends == "repeats"
    assert solution.verify()


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        ("M.F", "grid must be a list of rows"),
        (["M.F", "C"], "the same length"),
        (["MxF", "..C"], "a mark 'x'"),
        (["M.F", "..."], "'C' 0 times"),
        (["MCF", "C.."], "'C' 2 times"),
    ],
)
def test_a_grid_that_is_none_is_refused(grid, message):
    """The message says what is wrong with it."""
    with pytest.raises(ParameterError, match=message):
        CatAndMouseGrid(grid)


def test_text_that_is_no_position_is_refused():
    """A wall elsewhere, or nobody's turn, is not a position of this grid."""
    game = CatAndMouseGrid(["M.F", "#.C"])
    assert game.parse("M.F/#.C/mouse to move") == game.start()
    for text in ("M.F/..C/mouse to move", "M.F/#.C", "", "M.F/#.C/dog to move"):
        with pytest.raises(PositionError, match="is not a position"):
            game.parse(text)
