"""Nimbers of impartial games: solved, saved, opened, proved, and refused where there are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import zermelo
from facts import rows
from forging import forged
from zermelo import WIN, CorruptTableError, Game, ParameterError, RulesError
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe
from zermelo.play.match import Match, Opponent

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


@pytest.mark.parametrize("how", [{"value": "nimber"}, {"method": "nimber"}], ids=str)
def test_one_sweep_does_where_every_move_leads_on(how: dict[str, Any]) -> None:
    """And moves are transposed only where some position is reached late."""
    solution = zermelo.solve(TakeAway(stones=21), **how)
    assert solution.method == "nimber"
    assert "one sweep" in solution.choice
    assert solution.value.nimber == 1
    assert solution.verify()
    late = zermelo.solve(Subtraction(7, (1, 7)), value="nimber")
    assert "one sweep" not in late.choice
    assert [late[stones].nimber for stones in range(8)] == [0, 1, 0, 1, 0, 1, 0, 1]
    assert late.verify()


def test_nimbers_are_cached_under_a_key_of_their_own(home: Path) -> None:
    """Beside the table that says who wins."""
    game = TakeAway(stones=21)
    for value in (None, "nimber"):
        zermelo.solve_cached(game, value=value)
        again = zermelo.solve_cached(game, value=value)
        assert [phase for phase, _ in again.phases] == ["open"]
        assert again.kind.name == (value or "win-draw-loss")
        assert again.counts() == zermelo.solve(game, value=value).counts()
    assert [table.stale for table in zermelo.cached_tables()] == [False, False]


@pytest.mark.parametrize("value", [None, "nimber"])
@pytest.mark.parametrize("name", ["nimber", "win-draw-loss", "outcome", "score", "surreal"])
def test_values_that_are_said_to_be_of_another_kind_are_refused(
    tmp_path: Path, value: str | None, name: str
) -> None:
    """When the table is opened; or, if its start is rewritten as well, when it is verified."""

    def relabelled(start: dict[str, Any] | None) -> Any:
        def change(header: dict[str, Any], _: Any) -> None:
            header["table"]["value_kind"] = name
            header["value"] = start or header["value"]

        return change

    solution = zermelo.solve(TakeAway(stones=21), value=value)
    if name == solution.kind.name:
        return
    path = solution.save(tmp_path / "x.table")
    if (value, name) != (None, "outcome"):  # whose values look alike
        with pytest.raises(CorruptTableError, match="its header is wrong; make it again"):
            zermelo.open(forged(path, relabelled(None)))
    start = {"outcome": "win", **({"nimber": 1} if name == "nimber" else {})}
    try:
        opened = zermelo.open(forged(path, relabelled(start)))
    except CorruptTableError:
        assert name in ("score", "surreal")
    else:
        assert not opened.verify()


def test_what_players_do_with_nimbers(tmp_path: Path) -> None:
    """An analysis, an explanation, a line and a match are of who wins, not of the nimbers."""
    solution = zermelo.solve(TakeAway(stones=21), value="nimber")
    plain = zermelo.solve(TakeAway(stones=21))
    analysis, other = solution.analyse(), plain.analyse()
    assert analysis.play(0).win == other.play(0).win
    assert analysis.random == other.random
    assert analysis.saving == other.saving
    assert [o.names for o in analysis.openings] == [("take 1",), ("take 2",), ("take 3",)]
    assert analysis.winner == "first"
    assert solution.line().ends == "terminal"
    assert "wins, by take 1" in str(solution.explain())
    rows = (solution.export(tmp_path / "x.csv")).read_text().splitlines()
    assert rows[0] == "position,outcome,nimber,best_move,best_move_name"
    assert rows[4] == "3,win,3,3,take 3"


def test_a_match_with_nimbers() -> None:
    """Only a move that lets the other player win is a mistake; an opponent plays any that wins."""
    match = Match(zermelo.solve(TakeAway(stones=21), value="nimber"))
    for move, lost in ((1, None), (2, None), (3, "outcome"), (3, None)):
        assert match.play(move).lost == lost
    assert Opponent().choose(match).move in (1, 2, 3)
    assert match.prospects == "second wins"


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
