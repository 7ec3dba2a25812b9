"""Values of partizan games on the command line: ``zermelo value``, and other commands with them."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import zermelo
from zermelo.cli import main
from zermelo.cli.commands.solving.value import is_written_value
from zermelo.games import Domineering

SMALL = ("domineering", "--rows", "3", "--columns", "3")
TWO = "domineering --rows 2 --columns 2 + domineering --rows 2 --columns 3"


def run(*words: str, fails: str = "", code: int = 2) -> str:
    """Run a command; if it is to fail, in one sentence that says this."""
    result = CliRunner().invoke(main, list(words), prog_name="zermelo")
    if fails:
        assert (result.exit_code, result.stderr.count("\n")) == (code, 1), result.stderr
        assert fails in result.stderr
    else:
        assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """Two tables in an empty current folder: of values of partizan games, and of outcomes."""
    monkeypatch.chdir(tmp_path)
    zermelo.solve(Domineering(2, 2), value="partizan").save("games.table")
    zermelo.solve(Domineering(2, 2)).save("outcomes.table")
    return tmp_path


def test_the_value_of_a_game_is_shown_with_all_that_is_known_of_it():
    """Canonical form, outcome class, stops, temperature, mean, birthday and a thermograph."""
    lines = run("value", *SMALL).splitlines()
    assert "±1, with vertical (to move) as Left" in lines
    rows = dict(line.split("   ", 1) for line in lines if "   " in line[1:])
    facts = {name.strip(): text.strip() for name, text in rows.items()}
    assert facts["canonical form"] == "{1|-1}"
    assert facts["outcome class"] == "N: the player who begins wins"
    assert (facts["left stop"], facts["right stop"]) == ("1", "-1")
    assert (facts["temperature"], facts["mean"], facts["birthday"]) == ("1", "0", "2")
    assert facts["solved"] == "28 positions"
    assert lines[-1].split() == ["2", "1", "0", "−1", "−2"]  # below the thermograph
    assert run("value", *SMALL, "--quiet") == "±1\n"
    assert run("value", *SMALL, "--quiet", "--ascii") == "+-1\n"
    assert not set("±│⢠") & set(run("value", *SMALL, "--ascii"))


def test_the_document_of_a_value():
    """Numbers are texts, as they may be fractions."""
    document = json.loads(run("value", *SMALL, "--position", "#../#../...", "--json"))
    assert document["left"] == "vertical"
    assert document["positions"] == 28
    value = document["value"]
    assert value["game"] == value["ascii"] == str(zermelo.CombinatorialValue.parse(value["game"]))
    assert value["outcome"] == "win"
    assert set(value) >= {"left", "right", "birthday", "atomic_weight", "outcome_class"}
    assert document["winning_moves"][0].keys() == {"move", "name"}
    start = json.loads(run("value", *SMALL, "--json"))["value"]
    assert start["thermograph"] == {
        "left": [["-1", "2"], ["1", "0"]],
        "right": [["-1", "-2"], ["1", "0"]],
    }
    assert (start["temperature"], start["mean"]) == ("1", "0")
    assert (start["left"], start["right"]) == (["1"], ["-1"])


def test_the_value_of_a_sum_has_its_parts_the_hottest_first():
    """With the moves that win the sum."""
    text = run("value", TWO)
    assert "{3|1||1/2|-3/2}, with vertical (to move) as Left" in text
    assert "winning moves    a: a2a1, a: b2b1, b: a2a1, b: b2b1, b: c2c1" in text
    assert "L: vertical wins, regardless of who begins" in text
    lines = [line.split() for line in text.splitlines()]
    place = lines.index(["part", "value", "temperature", "mean"])
    assert lines[place + 1 : place + 3] == [["b", "{2|-1/2}", "5/4", "3/4"], ["a", "±1", "1", "0"]]
    document = json.loads(run("value", TWO, "--position", ".#/.# + .../...", "--json"))
    assert [part["label"] for part in document["parts"]] == ["b", "a"]
    assert [part["value"]["game"] for part in document["parts"]] == ["{2|-1/2}", "1"]
    assert document["winning_moves"] == [{"move": [1, 18], "name": "b: b2b1"}]
    lost = "domineering --rows 1 --columns 2 + domineering --rows 1 --columns 2"
    assert "none: every move loses" in run("value", lost)


def test_written_values_are_evaluated():
    """In place of a game, also one that begins with a minus sign."""
    text = run("value", "{2|0} + ^ - 1/2")
    assert text.startswith("{3/2↑|-1/2↑}\n")
    assert "outcome class   N: the player who begins wins" in text
    assert run("value", "{2|0} + ^ - 1/2", "--quiet", "--ascii") == "{3/2^|-1/2^}\n"
    assert run("value", "-1/2", "--quiet") == "-1/2\n"
    assert "R: Right wins, regardless of who begins" in run("value", "-1/2")
    assert "atomic weight    1" in run("value", "↑*")
    document = json.loads(run("value", "Tiny(2)", "--json"))
    assert (document["outcome_class"], document["temperature"]) == ("L", "0")
    assert json.loads(run("value", "*2 + *3", "--json"))["game"] == "*"


def test_what_is_a_written_value():
    """Words with letters are games and files, except for the names of values."""
    assert all(map(is_written_value, ["{2|0} + ^ - 1/2", "3", "*2", "v*", "Tiny(2) + vv", "±1"]))
    assert not any(map(is_written_value, ["nim", "nim + nim", "a.table", TWO, "", "clobber"]))


def test_tables_have_values(tables):
    """A table of values of partizan games is asked, and added to others."""
    assert run("value", "games.table", "--quiet") == "±1\n"
    assert run("value", "games.table + games.table", "--quiet") == "0\n"
    assert "value        ±1\n" in run("info", "games.table")
    assert run("verify", "games.table") == "the certificate holds: 4 positions and 3 moves\n"
    assert "±1, with vertical (to move) as Left" in run("probe", "games.table")
    run("value", "outcomes.table", fails="has no values of partizan games, but those of 'win-dr")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("tic-tac-toe",), "make outcome() or winner() say so; zermelo solve finds who wins"),
        (("stone-game", "--piles", "3,4"), "which is a score game; zermelo solve finds who wins"),
        (("pig",), "does not suit Pig, which has chance(); zermelo solve finds who wins"),
        (("xyzzy",), "there is no table and no game 'xyzzy'"),
        (("{2|",), "is not the text of a value"),
        (("1/3",), "1/3"),
        (("*2", "--position", "3"), "--position is for a game, and '*2' is a written value"),
        ((*SMALL, "--position", "x"), "'x' has a mark 'x'; write #, and ."),
        ((), "missing argument 'GAME_OR_VALUE'"),
    ],
)
def test_easy_mistakes_are_told_in_a_sentence(words, says):
    """Exit code 2, and what to do."""
    run("value", *words, fails=says)


def test_a_solve_tells_values_in_words():
    """With the commonest ones, and commands that have --value, too."""
    text = run("solve", *SMALL, "--value", "partizan")
    assert "value        ±1, with vertical (to move) as Left" in text
    assert "values   9 different, the commonest 0 (11), ±1 (4), " in text
    assert "zermelo play domineering --rows 3 --columns 3 --value partizan" in text
    document = json.loads(run("solve", *SMALL, "--value", "partizan", "--json"))
    assert document["value"]["game"] == "±1"
    assert {"game": "0", "positions": 11} in document["values"]
    assert sum(entry["positions"] for entry in document["values"]) == document["positions"]
    assert "values" not in json.loads(run("solve", *SMALL, "--json"))
    assert run("solve", *SMALL, "--value", "partizan", "--quiet") == "±1\n"


def test_a_probe_has_the_role_of_each_move():
    """As text, and as JSON; also of a sum of values."""
    text = run("probe", *SMALL, "--value", "partizan")
    assert "  b3b2  + 1         canonical\n" in text
    assert "  a3a2  - {1/2|-2}  dominated by b3b2\n" in text
    moves = json.loads(run("probe", *SMALL, "--value", "partizan", "--json"))["moves"]
    assert (moves[0]["note"], moves[0]["value"]["game"]) == ("canonical", "1")
    assert "note" not in json.loads(run("probe", *SMALL, "--json"))["moves"][0]
    assert "{3|1||1/2|-3/2}, with vertical" in run("probe", TWO, "--value", "partizan")
    reasons = run("explain", TWO, "--value", "partizan")
    assert "Of the parts, a is ±1, b is {2|-1/2}, and the values add up." in reasons


def test_other_commands_with_values_of_partizan_games(tmp_path, monkeypatch):
    """They answer, or say what to leave out."""
    monkeypatch.chdir(tmp_path)
    asked = (*SMALL, "--value", "partizan")
    assert "The position is worth ±1" in run("explain", *asked)
    run("export", *asked, "--csv", "rows.csv")
    header, first, *_ = (tmp_path / "rows.csv").read_text().splitlines()
    assert header == "cells,position_player,player,outcome,value,best_move,best_move_name"
    assert first == "0,0,0,win,±1,18,b3b2"
    run("export", *asked, "--portable", "rows.table", fails="cannot hold a value as a partizan")
    run("analyse", *asked, fails="solve it without --value partizan")
    run("evaluate", "random", *asked, fails="solve it without --value partizan")
    run("solve", *asked, "--misere", fails="values of partizan games are of normal play")
    run("probe", TWO, "--value", "partizan", "--misere", fails="--misere is not; leave it out")
    played = run("play", *asked, "--side", "neither", "--quiet")
    assert "±" not in played
