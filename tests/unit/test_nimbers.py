"""Nimbers of impartial games: solved, saved, opened, proved, and refused where there are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

import zermelo
from facts import rows
from support.faults.tampered_tables import forged
from support.games.component_games import Cram as Regions
from support.games.component_games import WholeKayles
from zermelo import DRAW, WIN, CorruptTableError, Game, ParameterError, RulesError
from zermelo.cli import main
from zermelo.games import CatAndMouse, StoneGame, TakeAway, TicTacToe
from zermelo.play.match import Match, Opponent
from zermelo.web.session import ExplorerSession

#: A heap, and the graph of a game in which the players move differently, on the command line.
HEAP, GRAPH = ("take-away", "--stones", "5"), "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"

#: Cells of the largest board of Cram that is solved here.
SMALL = 15


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
class Cram(Regions):
    """The same game without components."""

    split = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Misere(TakeAway):
    no_moves = WIN


@dataclass(frozen=True)
class Token(Game):
    """A token on a graph, moved along its edges; whoever cannot move loses."""

    graph: tuple[tuple[int, ...], ...]

    def starts(self) -> Any:
        return range(len(self.graph))

    def moves(self, node: int) -> Iterator[int]:
        for there in self.graph[node]:
            yield there

    def play(self, node: int, there: int) -> int:
        return there


#: A graph with dead ends, nimbers behind cycles, a pair and a loop.
RING = ((), (0,), (0, 1), (2, 4), (3, 1), (0, 5), (1, 6), (6, 2, 0), (5, 0, 6))


def test_kayles_has_the_nimbers_that_are_known() -> None:
    """Of rows of 0 to 12 pins: Guy and Smith 1956; Winning Ways, chapter 4."""
    known = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
    solution = zermelo.solve(WholeKayles(12), value="nimber")
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


@pytest.mark.parametrize("value", ["nimber", None])
def test_one_sweep_does_where_every_move_leads_on(value: str | None) -> None:
    """And moves are transposed only where some position is reached late."""
    solution = zermelo.solve(TakeAway(stones=21), method="nimber", value=value)
    assert solution.method == "nimber"
    assert "one sweep" in solution.choice
    assert solution.value.nimber == 1
    assert solution.verify()
    late = zermelo.solve(Subtraction(7, (1, 7)), method="nimber")
    assert "one sweep" not in late.choice
    assert [late[stones].nimber for stones in range(8)] == [0, 1, 0, 1, 0, 1, 0, 1]
    assert late.verify()


@pytest.mark.slow
def test_many_positions_of_new_rules_are_compared_too() -> None:
    """Some of those that a large solve has found, as with other kinds of value."""
    solution = zermelo.solve(Subtraction(60_000, (1, 2, 3)), value="nimber")
    assert solution.value.nimber == 0
    assert len(solution) == 60_001


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
        with pytest.raises(CorruptTableError, match="its header is wrong; make the table again"):
            zermelo.open(forged(path, relabelled(None)))
    start = {"outcome": "win", **({"nimber": 1} if name == "nimber" else {})}
    try:
        opened = zermelo.open(forged(path, relabelled(start)))
    except CorruptTableError:
        assert name != "win-draw-loss"  # others need an order that this table lacks
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
    assert "wins with take 1" in str(solution.explain())
    header, *rows = solution.export(tmp_path / "x.csv").read_text().splitlines()
    assert header == "position,outcome,nimber,infinity,best_move,best_move_name"
    assert "3,win,3,,3,take 3" in rows


def test_a_match_with_nimbers() -> None:
    """Only a move that lets the other player win is a mistake; an opponent plays any that wins."""
    match = Match(zermelo.solve(TakeAway(stones=21), value="nimber"))
    for move, lost in ((1, None), (2, None), (3, "outcome"), (3, None)):
        assert match.play(move).lost == lost
    assert Opponent().choose(match).move in (1, 2, 3)
    assert match.prospects == "the second player wins"


def test_a_wrong_nimber_is_found() -> None:
    """The certificate says what it should be."""
    solution = zermelo.solve(TakeAway(stones=21), value="nimber")
    solution._solved.table.column.stored[5] = 2  # type: ignore[attr-defined]
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
    ],
)
def test_games_without_nimbers_are_refused(game: Any, error: type[Exception]) -> None:
    """Scores, players who move differently, misère play and draws."""
    with pytest.raises(error, match="nimber"):
        zermelo.solve(game, value="nimber")


@pytest.mark.slow
def test_cycles_make_infinities(tmp_path: Path) -> None:
    """In words, in counts, in sentences, in JSON and in an export."""
    solution = zermelo.solve(Token(RING), value="nimber")
    told = {node: str(solution[node]) for node in range(9)}
    finite = {0: "nimber 0", 1: "nimber 1", 2: "nimber 2", 7: "nimber 1"}
    drawn = {3: "∞ with 2", 4: "∞ with 1", 6: "∞ with 1"}
    assert told == {**finite, **drawn, 5: "∞ with 0", 8: "∞ with 0"}
    assert [int(solution[node].outcome) for node in range(9)] == [-1, 1, 1, 0, 0, 1, 0, 1, 1]
    counts = solution.counts()
    assert (counts.win, counts.draw, counts.loss, counts.endless) == (5, 3, 1, 3)
    assert counts.by_nimber == {0: 1, 1: 2, 2: 1}
    assert counts.by_infinity == {(0,): 2, (1,): 2, (2,): 1}
    compiled = zermelo.solve(Token(RING), method="nimber")
    assert "the 6 positions from which play need not end" in compiled.choice
    assert solution.best(8) == [0]
    assert solution.line(3).ends == "repeats"
    assert solution[4].to_json()["infinity"] == [1]
    assert "It is not worth 0, as 4 leads to ∞ with 1, from which" in str(solution.explain(3))
    assert repr(solution[3]) == "Value(DRAW, infinity=(2,))"
    header, *rows = solution.export(tmp_path / "x.csv").read_text().splitlines()
    assert header == "position,outcome,nimber,infinity,best_move,best_move_name"
    assert rows[3] == "3,draw,,4,4,4"
    assert rows[8] == "8,win,,1,0,0"
    assert solution.analyse().to_json()["counts"]["by_infinity"] == [[[0], 2], [[1], 2], [[2], 1]]
    alone = zermelo.solve(Token(((0,),)), value="nimber")
    assert (str(alone.value), alone.value.infinity) == ("∞", ())
    room = ExplorerSession("token")
    room.show(solution)
    assert room.position("3").value.infinity == [2]
    assert [row.at for row in room.statistics().by_value].count(None) == 3


def test_a_winning_move_is_one_that_makes_progress() -> None:
    """Of two moves to the nimber 0, one leads to where the other player may move back."""
    graph = ((), (0,), (4, 0), (1, 2), (3,), (4, 0))
    solution = zermelo.solve(Token(graph), value="nimber")
    assert solution.verify()
    for node in range(len(graph)):
        assert solution[node].outcome == zermelo.solve(Token(graph))[node].outcome
        if solution[node].outcome != DRAW:
            assert solution.line(node).ends == "terminal"


def test_sets_have_nimbers_below_thirty() -> None:
    """And greater ones are refused with the position; nimbers themselves go on."""
    heaps = tuple(tuple(range(n)) for n in range(33))
    finite = zermelo.solve(Token((*heaps, (33, 3))), value="nimber")
    assert finite[32].nimber == 32
    assert finite[33].infinity == (3,)
    with pytest.raises(RulesError, match="play from 33 need not end, and its moves lead to nimb"):
        zermelo.solve(Token((*heaps, (33, 32))), value="nimber")


@pytest.mark.slow
def test_every_command_takes_nimbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the option to the table, and from the table to all that can be done with it."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str, lines: str = "") -> str:
        result = CliRunner().invoke(main, list(words), prog_name="zermelo", input=lines)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    heap = ("take-away", "--stones", "21", "--value", "nimber")
    document = json.loads(run("solve", *heap, "--table", "x.table", "--verify", "--json"))
    nimber = {"outcome": "win", "remoteness": None, "score": None, "nimber": 1}
    assert (document["value"], document["verified"]) == (nimber, True)
    assert run("solve", *heap[:3], "--method", "nimber", "--quiet") == "nimber 1\n"
    for where in (("x.table",), heap):
        found = json.loads(run("probe", *where, "--json"))
        assert found["value"] == nimber
        assert found["moves"][0]["value"] == {**nimber, "nimber": 0}
        assert run("verify", *where) == "the certificate holds: 22 positions and 60 moves\n"
        assert json.loads(run("analyse", *where, "--json"))["kind"] == "nimber"
        assert "margin" not in run("analyse", *where)
        assert "1 mistake" in run("play", *where, lines="take 2\nquit\n")
    assert "nimber 1" in run("info", "x.table")
    run("export", "x.table", "--csv", "x.csv")
    assert "3,win,3,,3,take 3" in Path("x.csv").read_text().splitlines()
    run("analyse", "x.table", "--html", "x.html", "--quiet")
    assert "Nimbers of positions" in Path("x.html").read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("solve", "take-away", "--value", "grundy"), "'grundy' is not one of"),
        (
            ("solve", *HEAP, "--value", "nimber", "--method", "dense"),
            "--value nimber does not go with --method dense; leave --method out",
        ),
        (("solve", "stone-game", "--piles", "[1,2]", "--value", "outcome"), "is a score game"),
        (
            ("solve", "cat-and-mouse", "--graph", GRAPH, "--value", "nimber"),
            "is for impartial games, in which",
        ),
        (("probe", "x.table", "--value", "nimber"), "--value is for a game, and"),
    ],
    ids=str,
)
def test_easy_mistakes_with_values_are_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    """Exit code 2, and what to do."""
    monkeypatch.chdir(tmp_path)
    zermelo.solve(TakeAway(stones=5)).save("x.table")
    result = CliRunner().invoke(main, words, prog_name="zermelo")
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_page_explores_nimbers() -> None:
    """Its documents have the nimbers, and charts have a place for them."""
    room = ExplorerSession("heap")
    room.show(zermelo.solve(TakeAway(stones=21), value="nimber"))
    game, chart = room.game(), room.statistics()
    assert (game.value.nimber, game.value.text) == (1, "nimber 1")
    assert chart.title == "Nimbers of positions"
    assert {row.at: row.positions for row in chart.by_value} == {0: 6, 1: 6, 2: 5, 3: 5}
    match = room.match(None, ["take 1", "take 2", "take 1"])
    assert [at.favours for at in match.course] == [0, 0, 0, 1]
    assert [ply.lost for ply in match.plies] == [None, None, "outcome"]
    assert "the least that is missing is 1" in " ".join(room.explain("21").sentences)


class Turned(NamedTuple):
    """A heap, and whose turn it is."""

    stones: int
    turn: int


@dataclass(frozen=True)
class Turns(Game):
    """A heap of which up to three are taken, in positions that say whose turn it is.

    After ``fair`` stones are left, the second player may take one alone.
    """

    stones: int
    fair: int = 0

    def start(self) -> Turned:
        return Turned(self.stones, 0)

    def turn(self, heap: Turned) -> int:
        return heap.turn

    def moves(self, heap: Turned) -> Iterator[int]:
        for taken in range(1, min(3, heap.stones) + 1):
            if taken == 1 or heap.turn == 0 or heap.stones > self.fair:
                yield taken

    def play(self, heap: Turned, taken: int) -> Turned:
        return Turned(heap.stones - taken, 1 - heap.turn)


class Sides(NamedTuple):
    """Marks of the player to move, and of the other one."""

    mine: int
    theirs: int


class Own(Game):
    """Each player takes of a heap of their own; who has none left loses."""

    def start(self) -> Sides:
        return Sides(3, 2)

    def moves(self, heaps: Sides) -> Iterator[int]:
        for taken in range(1, heaps.mine + 1):
            yield taken

    def play(self, heaps: Sides, taken: int) -> Sides:
        return Sides(heaps.theirs, heaps.mine - taken)


class OwnPassed(Own):
    """The same, which says what it is with the other player to move."""

    def pass_turn(self, heaps: Sides) -> Sides:
        return Sides(heaps.theirs, heaps.mine)


class Kept(Turns):
    """The same, with a ``pass_turn`` that hands nothing over, so that nothing would be compared."""

    def pass_turn(self, heap: Turned) -> Turned:
        return heap


def test_a_turn_that_changes_nothing_is_no_hindrance() -> None:
    """Both players have the same moves, so that every position has its nimber, for either turn."""
    solution = zermelo.solve(Turns(12), value="nimber")
    assert all(value.nimber == heap.stones % 4 for heap, value in solution.items())
    assert solution.winner == zermelo.solve(Turns(12)).winner == "second"
    assert solution.verify()


def test_a_game_that_is_not_impartial_is_refused_with_the_move_that_shows_it() -> None:
    """Where the turn is a field, or the rules say how it is passed; else nothing shows it."""
    says = (
        r"not for Turns: at Turned\(stones=8, turn=0\) the move 2 leads to Turned\(stones=6, "
        r"turn=1\), and at Turned\(stones=8, turn=1\), where the other player is to move, no move "
        r"leads to Turned\(stones=6, turn=0\); leave value out"
    )
    with pytest.raises(ParameterError, match=says):
        zermelo.solve(Turns(9, 8), value="nimber")
    with pytest.raises(ParameterError, match=r"at Sides\(mine=3, theirs=2\) the move 1 leads to"):
        zermelo.solve(OwnPassed(), value="nimber")
    with pytest.raises(ParameterError, match=r"turn=0\)\) leaves the turn where it is"):
        zermelo.solve(Kept(9, 8), value="nimber")
    assert zermelo.solve(Own(), value="nimber").verify()
