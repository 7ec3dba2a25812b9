"""Sums of games on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import zermelo
from zermelo.cli import main
from zermelo.games import TakeAway

HEAPS = "take-away --stones 5 + take-away --stones 7"
WALK = """
from support.oracles.sums import Token


class Walk(Token):
    def start(self):
        return super().start()
"""


def run(*words: str, lines: str = "", fails: str = "") -> str:
    """Run a command; if it is to fail, in one sentence that says this."""
    result = CliRunner().invoke(main, list(words), prog_name="zermelo", input=lines)
    if fails:
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.stderr
        assert fails in result.stderr
    else:
        assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_sum_is_probed_played_and_verified() -> None:
    """In place of a game, in one word."""
    lines = run("probe", HEAPS).splitlines()
    at = lines.index("nimber 2 for the player to move")
    assert lines[at + 1].startswith("  b: take 2  + nimber 0")
    document = json.loads(run("probe", HEAPS, "5+4", "--class", "--json"))
    assert document["position"] == {"a": 5, "b": 4}
    assert document["value"]["nimber"] == 1
    assert document["outcome_class"] == "N"
    assert document["moves"][0]["move"] == [0, 1]
    assert run("probe", HEAPS, "[1, 1]", "--class", "--quiet") == "P\n"
    assert "class P: the player who begins loses" in run("probe", HEAPS, "[1, 1]", "--class")
    assert run("verify", HEAPS) == "the certificate holds: 14 positions and 30 moves\n"
    assert "1 mistake" in run("play", HEAPS, lines="b: take 1\nquit\n")
    words = ["play", HEAPS, "--side", "neither", "--quiet", "--json"]
    record = json.loads(CliRunner().invoke(main, words, prog_name="zermelo").stdout)
    assert (record["game"], record["winner"]) == ("sum", "first")
    assert record["parameters"]["parts"][1]["parameters"] == {"stones": 7, "limit": 3}
    assert run("probe", HEAPS, "--misere", "--quiet") == "win in 6\n"


def test_tables_are_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of nimbers is used as it is."""
    monkeypatch.chdir(tmp_path)
    zermelo.solve(TakeAway(stones=6), value="nimber").save("heap.table")
    assert run("probe", "heap.table + take-away --stones 5", "--quiet") == "nimber 3\n"
    assert run("probe", "heap.table", "--class", "--quiet") == "N\n"


def test_the_class_of_a_game_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is found with either player to begin."""
    monkeypatch.chdir(tmp_path)
    Path("walk.py").write_text(WALK)
    token = ("walk.py", "--left", "[[1],[]]", "--right", "[[],[]]")
    assert run("probe", *token, "--class", "--quiet") == "L\n"
    assert run("probe", " ".join(token), "--class").splitlines()[2].startswith("win in 1 ")


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("take-away --stones 5 +", "has a + with nothing beside it; write a game or a table on"),
        ("take-away --stones 5 + kayle --pins 4", "no game 'kayle'; did you mean kayles"),
        ("take-away --stones 5 + xyzzy", "there is no table and no game 'xyzzy'"),
        ("take-away --stones 5 + take-away --stone 3", "there is no option --stone"),
        ("take-away --stones x + take-away --stones 5", "'x' is not"),
        ("take-away --stones 5 + 'take", "no closing quotation; close every quotation mark"),
        ("take-away --stones 5 + stone-game --piles [3,1]", "is a score game, and margins of a"),
    ],
)
def test_easy_mistakes_are_told_in_a_sentence(word: str, says: str) -> None:
    """Exit code 2, and what to do."""
    run("probe", word, fails=says)


def test_what_a_sum_does_not_take() -> None:
    """A kind of value; and commands for games alone."""
    run("probe", HEAPS, "--value", "nimber", fails="is a sum; leave --value out")
    run("solve", HEAPS, fails="is a sum of games; use zermelo probe, play, explore or verify")
    run("probe", HEAPS, "9+9", fails="part a: 9 cannot be reached from the start of TakeAway")
    run("probe", HEAPS, "9", fails="write its 2 parts as a JSON list, or with + between them")
