"""Nimbers of impartial games: solved, saved, opened, proved, and refused where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import zermelo
from facts import rows
from zermelo import WIN, Game, ParameterError, RulesError
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe

#: Cells of the largest board of Cram that is solved here.
SMALL = 15


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
class Subtraction(Game):
    """A heap, from which the numbers of a set may be taken."""

    stones: int
    allowed: tuple[int, ...]

    def start(self) -> int:
        return self.stones

    def moves(self, stones: int) -> Iterator[int]:
        for taken in self.allowed:
            if taken <= stones:
                yield taken

    def play(self, stones: int, taken: int) -> int:
        return stones - taken


@dataclass(frozen=True)
class Cram(Game):
    """Dominoes on a board, laid either way by both players; who cannot lay one loses."""

    rows: int
    cols: int

    def start(self) -> int:
        return 0

    def moves(self, board: int) -> Iterator[int]:
        for cell in range(self.rows * self.cols):
            if cell % self.cols + 1 < self.cols and not board >> cell & 3:
                yield 3 << cell
            down = 1 | 1 << self.cols
            if cell // self.cols + 1 < self.rows and not board >> cell & down:
                yield down << cell

    def play(self, board: int, domino: int) -> int:
        return board | domino


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


@pytest.mark.parametrize("row", rows("subtraction_games"), ids=lambda row: row["set"])
def test_heaps_have_the_nimbers_that_are_published(row: dict[str, str]) -> None:
    """Three periods of each set, in one solve."""
    period = [int(n) for n in row["grundy_period"].split(",")]
    assert len(period) == int(row["period"])
    allowed = tuple(int(n) for n in row["set"].split(","))
    solution = zermelo.solve(Subtraction(3 * len(period) - 1, allowed), value="nimber")
    found = {stones: value.nimber for stones, value in solution.items()}
    assert found
    assert all(nimber == period[stones % len(period)] for stones, nimber in found.items())


@pytest.mark.parametrize(
    "row",
    [row for row in rows("cram_nimbers") if int(row["rows"]) * int(row["cols"]) <= SMALL],
    ids=lambda row: f"{row['rows']}x{row['cols']}",
)
def test_boards_of_cram_have_the_nimbers_that_are_published(row: dict[str, str]) -> None:
    """Small boards, as a game of several hundred to some ten thousand positions."""
    solution = zermelo.solve(Cram(int(row["rows"]), int(row["cols"])), value="nimber")
    assert solution.value.nimber == int(row["nimber"])
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
