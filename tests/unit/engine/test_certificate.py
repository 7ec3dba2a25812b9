"""The certificate accepts exactly the right table: any single thing wrong in it is caught."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import zermelo
from support.games.strategies import random_games, random_score_games
from support.sizes import counts
from zermelo.games import CatAndMouse, TicTacToe
from zermelo.values import win_draw_loss as codes

SIX_NODES = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))

#: Values that a cell of a table could hold in place of the right one.
WRONG = [
    *(codes.encode(outcome, r) for outcome in (1, 0, -1) for r in range(4)),
    codes.encode(0, None),
    codes.encode(1, 40),
    codes.encode(-1, 41),
    codes.encode(0, 500),
    codes.UNKNOWN,
    1,
    -1,
]


def with_value(solution: Any, number: int, value: int) -> Any:
    """Return the verdict on a solution with one stored value changed, and change it back."""
    values = solution._solved.table.column.stored
    right = values[number]
    values[number] = value
    try:
        return solution.verify()
    finally:
        values[number] = right


@counts(2, 5, 40)
def test_any_single_wrong_value_or_remoteness_is_caught(count: int) -> None:
    """Of random games of every kind, no value of any position can be any other than it is."""
    tried = 0
    for game in random_games(21, count):
        solution = zermelo.solve(game, threads=1)
        assert solution.verify()
        for number in range(len(solution)):
            right = int(solution._solved.table.column.stored[number])
            for value in {*WRONG, right + 1, right - 1, -right} - {right}:
                if -(1 << 31) <= value < 1 << 31:
                    verdict = with_value(solution, number, value)
                    assert not verdict, (game, number, value)
                    assert verdict.problem is not None
                    tried += 1
    assert tried > 100 * count  # a property of many


@pytest.mark.parametrize(
    "game", [TicTacToe(), CatAndMouse(graph=SIX_NODES)], ids=["tic-tac-toe", "cat and mouse"]
)
def test_a_wrong_value_anywhere_in_a_real_game_is_caught(game: Any) -> None:
    """A value changed at random among those that occur is caught, and the position is named."""
    solution = zermelo.solve(game, method="retrograde")
    rng = np.random.default_rng(5)
    occurring = np.unique(solution._solved.table.column.stored)
    for number in rng.integers(0, len(solution), 150).tolist():
        right = solution._solved.table.column.stored[number]
        wrong = int(rng.choice(occurring[occurring != right]))
        verdict = with_value(solution, number, wrong)
        assert not verdict
        assert "make it" in str(verdict.problem)


@counts(8, 40)
def test_any_single_wrong_score_is_caught(count: int) -> None:
    """A margin that is one too great or too small anywhere is caught."""
    for game in random_score_games(22, count):
        solution = zermelo.solve(game, threads=1)
        assert solution.verify()
        for number in range(len(solution)):
            right = int(solution._solved.table.column.stored[number])
            for value in (right + 1, right - 1, -right, 0):
                if value != right:
                    assert not with_value(solution, number, value), (game, number, value)


def test_a_whole_ring_of_wins_that_vouch_for_each_other_is_caught() -> None:
    """Endless draws cannot be called wins and losses all at once without a remoteness to pay."""
    game = next(g for g in random_games(23, 500) if zermelo.solve(g).counts().endless > 3)  # a ring
    solution = zermelo.solve(game)
    values = solution._solved.table.column.stored
    endless = np.flatnonzero(values == codes.ENDLESS)
    for claim in (codes.encode(1, 3), codes.encode(-1, 4), codes.encode(0, 5)):
        values[endless] = claim
        assert not solution.verify()


def test_a_position_nobody_can_reach_is_caught() -> None:
    """An island in the table, though its values agree with each other, is not part of the game."""
    solution = zermelo.solve(TicTacToe())
    table = solution._solved.table

    table.starts = np.arange(len(table) + 1)  # whatever the table says of its own starts
    table.column.stored = np.append(table.column.stored, np.int32(codes.encode(-1, 0)))
    table.column.count = table.index.span = len(table.column.stored)
    island = solution._solved.compiled.rules.layout.pack(solution.start._replace(theirs=0o777))
    table.index.keys = np.append(table.index.keys, np.array(island, np.uint64))
    verdict = solution.verify()
    assert not verdict
    assert "cannot be reached" in str(verdict.problem)


def test_a_missing_position_is_caught() -> None:
    """A table that lacks a position which a move leads to is refused."""
    solution = zermelo.solve(TicTacToe(), method="retrograde")
    table = solution._solved.table
    entered = table.index.hashes.entered
    entered[np.flatnonzero(entered)[17]] = 0
    verdict = solution.verify()
    assert not verdict


def test_a_wrong_owner_is_caught() -> None:
    """A table that has the wrong player to move is refused."""
    solution = zermelo.solve(CatAndMouse(graph=SIX_NODES), method="retrograde")
    solution._solved.table.column.owner[3] ^= 1
    verdict = solution.verify()
    assert not verdict
    assert "turn" in str(verdict.problem)


def test_a_horizon_too_near_is_caught_by_the_certificate() -> None:
    """What the bounded-turn programme calls a draw too soon does not follow from the moves."""
    solution = zermelo.solve(CatAndMouse(graph=SIX_NODES), method="horizon", horizon=2)
    assert not solution.verify()


def test_a_missing_start_is_caught() -> None:
    """A table without one of the game's own starts is refused."""
    solution = zermelo.solve(CatAndMouse(graph=SIX_NODES), method="retrograde")
    entered = solution._solved.table.index.hashes.entered
    number = len(solution) - 1
    entered[np.flatnonzero(entered & 0xFFFFFFFF == number + 1)] = 0
    assert "is not in the table" in str(solution.verify().problem)
