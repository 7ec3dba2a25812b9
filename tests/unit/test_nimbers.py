"""Nimbers of impartial games: solved, saved, opened, proved, and refused where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo import WIN, Game, ParameterError, RulesError
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe


@dataclass(frozen=True)
class Kayles(Game):
    """Rows of pins: a move knocks down one pin or two neighbours. It is octal game 0.77."""

    pins: int

    def start(self) -> int:
        return (1 << self.pins) - 1

    def moves(self, row: int) -> Iterator[int]:
        for at in range(self.pins):
            if row >> at & 1:
                yield 1 << at
            if row >> at & 3 == 3:
                yield 3 << at

    def play(self, row: int, pins: int) -> int:
        return row & ~pins


@dataclass(frozen=True)
class Misere(TakeAway):
    no_moves = WIN


@dataclass(frozen=True)
class Looping(Game):
    def start(self) -> int:
        return 0

    def moves(self, at: int) -> Iterator[int]:
        yield 1 - at

    def play(self, at: int, to: int) -> int:
        return to


def test_kayles_has_the_nimbers_that_are_known() -> None:
    """Of rows of 0 to 12 pins: Guy and Smith 1956; Winning Ways, chapter 4."""
    known = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    solution = zermelo.solve(Kayles(12), value="nimber")
    assert [solution[(1 << n) - 1].nimber for n in range(13)] == known
    assert solution.verify()


def test_a_table_of_nimbers_answers_as_the_solution_did(tmp_path: Path) -> None:
    """A heap of n, of which up to three are taken, has the nimber n mod 4."""
    solution = zermelo.solve(TakeAway(stones=21), value="nimber")
    with zermelo.open(solution.save(tmp_path / "x.table")) as opened:
        for each in (solution, opened):
            assert [each[n].nimber for n in range(22)] == [n % 4 for n in range(22)]
            assert each.counts().by_nimber == {0: 6, 1: 6, 2: 5, 3: 5}
            assert each.best(21) == [1]
            assert each.best(20) == [1, 2, 3]
            assert each.verify()


def test_a_wrong_nimber_is_found() -> None:
    """The certificate says what it should be."""
    solution = zermelo.solve(TakeAway(stones=21), value="nimber")
    solution._solved.table.stored[5] = 2  # type: ignore[attr-defined]
    found = solution.verify()
    assert not found
    assert "nimber" in str(found.problem)


@pytest.mark.parametrize(
    ("game", "error"),
    [
        (StoneGame(piles=(3, 1, 4, 1)), ParameterError),
        (CatAndMouse(graph=[[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]), ParameterError),
        (Misere(stones=5), ParameterError),
        (TicTacToe(), RulesError),
        (Looping(), RulesError),
    ],
)
def test_games_without_nimbers_are_refused(game: Any, error: type[Exception]) -> None:
    """Scores, players who move differently, misère play, draws and circles."""
    with pytest.raises(error, match="nimber"):
        zermelo.solve(game, value="nimber")
