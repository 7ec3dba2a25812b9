"""Misère play of a game whose class is of normal play: asked, saved, cached, and on the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

import zermelo
from support.processes.kills import Killed, dying, eager
from zermelo import DRAW, LOSS, WIN, Game, ParameterError
from zermelo.games import (
    CatAndMouse,
    ConnectFour,
    StoneGame,
    TakeAway,
    TicTacToe,
)
from zermelo.heaps import KAYLES, misere_quotient
from zermelo.tables import cache

HEAP = ("take-away", "--stones", "13", "--limit", "3")


@dataclass(frozen=True)
class Countdown(Game):
    """A heap from which one to three are taken; where ``bar`` is left, the game ends in a tie."""

    stones: int
    bar: int = -1
    no_moves: int = LOSS

    def start(self) -> int:
        return self.stones

    def outcome(self, stones: int) -> int | None:
        return DRAW if stones == self.bar else None

    def moves(self, stones: int) -> Iterator[int]:
        yield from range(1, min(3, stones) + 1)

    def play(self, stones: int, taken: int) -> int:
        return stones - taken


def test_who_cannot_move_wins() -> None:
    """Heaps that leave 1 when divided by 4 are lost (Winning Ways, chapter 13), 13 among them."""
    game = TakeAway(stones=13, limit=3)
    solution = zermelo.solve(game, misere=True)
    lost = [n for n in range(14) if solution[n].outcome is LOSS]
    assert lost == [1, 5, 9, 13]
    assert solution[0] == zermelo.Value(WIN, remoteness=0)
    assert solution.verify()
    assert "misère" in solution.choice
    assert "changes nothing" not in solution.choice
    assert solution.game == game
    assert "under misère play" in solution.rules.description
    assert solution.rules.summary.endswith("Misère play: a player who cannot move wins.")
    assert zermelo.solve(game).value.outcome is WIN


def test_ends_by_rule_stay_as_they_are() -> None:
    """A tie by outcome() is one still; where every end is by rule, the solution says so."""
    solution = zermelo.solve(Countdown(9, bar=2), misere=True)
    assert solution[2].outcome is DRAW
    assert solution[0].outcome is WIN
    same = zermelo.solve(Countdown(9, bar=0), misere=True)
    assert "changes nothing" in same.choice
    assert dict(same.items()) == dict(zermelo.solve(Countdown(9, bar=0)).items())
    assert "changes nothing" in zermelo.solve(TicTacToe(), misere=True).choice


@pytest.mark.slow
@pytest.mark.compiled
def test_a_pursuit_is_solved_by_its_rules() -> None:
    """Its description says nothing of misère play, so another method takes it."""
    game = CatAndMouse(graph=[[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]])
    assert zermelo.solve(game).method == "pursuit"
    solution = zermelo.solve(game, misere=True)
    assert solution.method != "pursuit"
    assert solution.verify()
    with pytest.raises(ParameterError, match=r"which pursuit\(\) does not cover"):
        zermelo.solve(game, misere=True, method="pursuit")


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (ConnectFour(width=4, height=3), "set line_loses = True"),
        (StoneGame(piles=(1, 2, 3)), "is a score game"),
        (Countdown(5, no_moves=WIN), "is a misère game already"),
        (Countdown(5, no_moves=DRAW), "no_moves is DRAW"),
    ],
    ids=["lines", "score", "misère", "stalemate"],
)
def test_games_that_are_not_of_normal_play_are_refused(game: Game, why: str) -> None:
    """With what they are instead."""
    with pytest.raises(ParameterError, match=why):
        zermelo.solve(game, misere=True)
    with pytest.raises(ParameterError, match=why):
        zermelo.solve_cached(game, misere=True)


def test_nimbers_are_refused_with_what_to_use_instead() -> None:
    """Sums under misère play are not told by nimbers."""
    with pytest.raises(ParameterError, match=r"misère quotient"):
        zermelo.solve(Countdown(5), value="nimber", misere=True)
    with pytest.raises(ParameterError, match="misere='yes' is neither True nor False"):
        zermelo.solve(Countdown(5), misere="yes")  # type: ignore[arg-type]


def test_tables_say_and_remember_it(tmp_path) -> None:
    """Saved or solved into a file, it opens as misère play, and verifies."""
    game = Countdown(9)
    normal, misere = zermelo.solve(game), zermelo.solve(game, misere=True)
    for path in (
        misere.save(tmp_path / "saved"),
        zermelo.solve(game, misere=True, table=tmp_path / "solved") and tmp_path / "solved",
    ):
        opened = zermelo.open(path, Countdown)
        assert dict(opened.items()) == dict(misere.items()) != dict(normal.items())
        assert opened.verify()
        assert opened.explain()
        assert zermelo.describe_table(path)["misere"] is True
    assert zermelo.describe_table(normal.save(tmp_path / "normal"))["misere"] is False
    assert zermelo.open(tmp_path / "normal", Countdown).verify()


@pytest.mark.slow
def test_what_was_begun_of_normal_play_is_not_resumed(tmp_path) -> None:
    """A solve that was stopped restarts, as it was of another game."""
    path, events = tmp_path / "heap.table", []
    with pytest.raises(Killed), eager(), dying(2, "after"):
        zermelo.solve(Countdown(9), method="retrograde", table=path)
    misere = zermelo.solve(
        Countdown(9), misere=True, method="retrograde", table=path, progress=events.append
    )
    assert [event.detail for event in events if event.phase == "restart"] == [
        f"restarted, as '{path}.unfinished' was of another solve"
    ]
    assert dict(misere.items()) == dict(zermelo.solve(Countdown(9), misere=True).items())


def test_the_cache_keeps_both_apart(home, monkeypatch) -> None:
    """Each is found again, and none for the other."""
    game = Countdown(9)
    normal = zermelo.solve_cached(game)
    assert cache.find_cached(game, misere=True) is None
    misere = zermelo.solve_cached(game, misere=True)
    assert len(zermelo.cached_tables()) == 2
    monkeypatch.setattr(cache, "solve", lambda *_, **__: pytest.fail("it was solved again"))
    assert dict(zermelo.solve_cached(game).items()) == dict(normal.items())
    assert dict(zermelo.solve_cached(game, misere=True).items()) == dict(misere.items())
    assert sorted(table.misere for table in zermelo.cached_tables()) == [False, True]


@pytest.mark.slow
def test_check_says_whether_it_is_another_game(run) -> None:
    """With misère play the rules are checked as they are played."""
    kinds = [each.kind for each in zermelo.check(Countdown(9), misere=True).problems]
    assert kinds == ["no-show"]
    problem = next(
        each
        for each in zermelo.check(Countdown(9, bar=0), misere=True).problems
        if each.kind == "misere"
    )
    assert "changes nothing at the 10 positions" in problem.message
    with pytest.raises(ParameterError, match="set line_loses = True"):
        zermelo.check(ConnectFour(width=4, height=3), misere=True)
    assert run("check", *HEAP, "--misere", "--quiet").exit_code == 0
    refused = run("check", "connect-four", "--misere")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "--misere does not suit ConnectFour" in refused.stderr
    assert "leave --misere out, or set line_loses = True" in refused.stderr


def test_the_command_solves_it(run, home, tmp_path) -> None:
    """Solve, probe, analyse, verify and info, with the game or its table."""
    answer = json.loads(run("solve", *HEAP, "--misere", "--json").stdout)
    assert (answer["misere"], answer["value"]["outcome"], answer["winner"]) == (
        True,
        "loss",
        "second",
    )
    normal = json.loads(run("solve", *HEAP, "--json").stdout)
    assert (normal["misere"], normal["value"]["outcome"]) == (False, "win")
    again = json.loads(run("solve", *HEAP, "--misere", "--json").stdout)
    assert again["recalled"]
    assert again["value"] == answer["value"]
    assert run("solve", *HEAP, "--misere").stdout.startswith("Take-away, 13 stones, misère\n")
    assert json.loads(run("tables", "--json").stdout)["tables"][0]["misere"] is True
    assert "--misere" in run("tables").stdout
    assert not any(table.stale for table in zermelo.cached_tables())
    path = tmp_path / "heap.table"
    assert run("solve", *HEAP, "--misere", "--table", path, "--quiet").exit_code == 0
    assert "misère" in run("info", path).stdout
    assert run("info", path, "--quiet").stdout.endswith("--misere\n")
    assert run("verify", path).exit_code == 0
    assert run("probe", path, "5", "--quiet").stdout.startswith("loss")
    assert run("probe", *HEAP, "--misere", "5", "--quiet").stdout.startswith("loss")
    assert run("probe", *HEAP, "5", "--quiet").stdout.startswith("win")
    assert run("analyse", *HEAP, "--misere", "--quiet").exit_code == 0
    mixed = run("verify", path, "--misere")
    assert (mixed.exit_code, mixed.stderr.count("\n")) == (2, 1)
    assert "--misere is for a game" in mixed.stderr


def test_heaps_have_their_misere_quotient_on_the_command(run) -> None:
    """With its proof, and who wins a sum; what is of normal play does not go with it."""
    answer = run("heaps", "kayles", "--misere", "10", "--sum", "5,9", "--verify")
    assert (answer.exit_code, answer.stderr) == (0, "")
    assert "elements  18: 1 a b" in answer.stdout
    assert "proof     holds" in answer.stdout
    document = json.loads(run("heaps", "kayles", "--misere", "10", "--sum", "5,9", "--json").stdout)
    quotient = misere_quotient(KAYLES, 10)
    assert document["order"] == 18
    assert document["sum"]["outcome"] == str(quotient.outcome([5, 9]))
    assert len(document["sum"]["best"]) == len(quotient.winning_moves([5, 9]))
    assert run("heaps", "kayles", "--misere", "4", "--quiet").stdout == "a b ab a\n"
    lost = run("heaps", "kayles", "--misere", "4", "--sum", "1", "--quiet")
    assert lost.stdout == "the player to move loses\n"
    over = run("heaps", "kayles", "--misere", "4", "--sum", "0", "--quiet")
    assert over.stdout == "the player to move cannot move, and wins\n"
    for more in (("--to", "9"), ("--period",), ("--b-file", "b.txt")):
        refused = run("heaps", "kayles", "--misere", "10", *more)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert run("heaps", "kayles", "--misere", "4", "--sum", "9").exit_code == 2
