"""``zermelo check``."""

from __future__ import annotations

import json

import pytest

import zermelo
from support.sizes import but
from zermelo import fact_checks
from zermelo.games import zoo

CLIMBS = "        return n - step\n"


def test_a_game_of_the_zoo(run):
    """A game that keeps the contract ends with 0 and a line that says so."""
    result = run("check", "take-away", "--stones", 9)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("TakeAway keeps the contract: all 10 positions")
    assert run("check", "take-away", "--stones", 9, "--quiet").stdout == ""


def test_problems_are_told_in_words(run, countdown):
    """A class that breaks the contract ends with 1 and says how, hints being set apart."""
    text = countdown.read_text().replace(CLIMBS, "        return n + step\n")
    countdown.write_text(text.replace("def show(", "def display("))
    result = run("check", "countdown.py")
    assert result.exit_code == 1
    assert "\n  error: play(5, 1)" in result.stdout
    assert "\n  hint: " in result.stdout
    quiet = run("check", "countdown.py", "--quiet")
    assert quiet.exit_code == 1
    assert quiet.stdout.startswith("error: play(5, 1)")
    assert "hint" not in quiet.stdout


def test_json(run, countdown):
    """``--json`` has each problem with the position that shows it."""
    countdown.write_text(countdown.read_text().replace(CLIMBS, "        return n + step\n"))
    result = run("check", "countdown.py:Countdown", "--json", "--top", 7)
    document = json.loads(result.stdout)
    assert result.exit_code == 1
    assert document["game"] == "countdown.py:Countdown"
    assert document["ok"] is False
    problem = document["problems"][0]
    assert problem["severity"] == "error"
    assert problem["position"] == 7
    assert "play(7, 1)" in problem["message"]


def test_hints_alone_are_no_failure(run, countdown):
    """A class that lacks only what people see passes."""
    countdown.write_text(countdown.read_text().replace("def show(", "def display("))
    result = run("check", "countdown.py")
    assert result.exit_code == 0
    assert "\n  hint: " in result.stdout


def test_a_class_that_cannot_be_made(run, countdown):
    """A class that is no dataclass breaks the contract too."""
    countdown.write_text(countdown.read_text().replace("@dataclass(frozen=True)\n", ""))
    result = run("check", "countdown.py")
    assert result.exit_code == 1
    assert "write @dataclass(frozen=True) above the class" in result.stdout


def test_parameters_that_make_no_game(run):
    """Bad parameters are a mistake of the command line's, not of the class."""
    result = run("check", "take-away", "--stones", -1)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.slow
def test_position_as_json(run, monkeypatch):
    """A position that is a named tuple is written as an object."""
    kind = zoo()["tic-tac-toe"]
    monkeypatch.setattr(kind, "show", lambda self, board: 7 if board.mine else "")
    document = json.loads(run("check", "tic-tac-toe", "--json").stdout)
    assert set(document["problems"][0]["position"]) == {"mine", "theirs"}


def test_one_failed_fact_loses_no_others(run, monkeypatch):
    """What cannot be solved is told in its row, and Ctrl-C leaves the rows that are done."""
    solved, count = fact_checks.check_fact, len(zoo()["take-away"].facts)
    errors = {1: zermelo.BudgetError("too large", 2, 1)}
    calls = []

    def check_fact(kind, fact):
        calls.append(fact)
        if error := errors.get(len(calls)):
            raise error
        return solved(kind, fact)

    monkeypatch.setattr(fact_checks, "check_fact", check_fact)
    result = run("check", "take-away", "--facts")
    assert (result.exit_code, len(calls)) == (1, count)
    assert "too large" in result.stdout
    calls.clear()
    errors[2] = KeyboardInterrupt()
    stopped = run("check", "take-away", "--facts", "--json")
    assert stopped.exit_code == 130
    assert stopped.stderr == f"interrupted; 1 of {count} facts are checked\n"
    assert len(json.loads(stopped.stdout)["facts"]) == 1


def test_facts_are_solved_and_compared(run, countdown):
    """``--facts`` solves each published size, and ends with 1 if one differs."""
    result = run("check", "tic-tac-toe", "--facts")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "yes" in result.stdout
    none = run("check", "countdown.py", "--facts")
    assert (none.exit_code, none.stdout) == (2, "")
    assert "declares no facts" in none.stderr
    lines = countdown.read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("    top:"))
    fact = '    facts = (zermelo.Fact({"top": 7}, "loss", 9, positions=8, source="nobody"),)'
    text = "\n".join(["import zermelo", *lines[: place + 1], fact, *lines[place + 1 :]])
    countdown.write_text(text.replace("from __future__", "#") + "\n")
    wrong = run("check", "countdown.py", "--facts", "--json")
    assert wrong.exit_code == 1
    (told,) = json.loads(wrong.stdout)["facts"]
    assert told["agrees"] is False
    assert "outcome win, not loss" in told["differences"]


@pytest.mark.parametrize("words", but(["solve --quiet", "prove --quiet", "probe"], "prove --quiet"))
def test_a_name_that_may_be_a_hook_is_warned_of(run, countdown, words):
    """Whatever uses the rules says so in one sentence on standard error, and goes on."""
    text = countdown.read_text()
    countdown.write_text(f"{text}\n    def is_terminal(self, n):\n        return n == 0\n")
    command, *options = words.split()
    result = run(command, "countdown.py", *options)
    assert result.exit_code == 0
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("warning: Countdown: nothing calls is_terminal(); if you mean ")


@pytest.mark.parametrize("command", ["solve", "prove", "play", "explore", "analyse", "check"])
def test_a_misspelt_hook_stops_every_command(run, countdown, command):
    """Where a name can be meant for nothing else, it is an error."""
    text = countdown.read_text()
    countdown.write_text(f"{text}\n    def outcomes(self, n):\n        return None\n")
    result = run(command, "countdown.py")
    assert result.exit_code == (1 if command == "check" else 2)
    assert "nothing calls outcomes(); if you mean outcome(), rename it; " in result.output


def test_solve_names_check_for_a_class_of_ones_own(run, countdown):
    """A game of the zoo has been checked."""
    assert "check it     zermelo check countdown.py" in run("solve", "countdown.py").stdout
    assert "check it" not in run("solve", "take-away", "--stones", 3).stdout


def test_solve_says_which_rule_ends_a_game_at_its_start(run, countdown):
    """A game of one position is hardly meant."""
    shown = run("solve", "countdown.py", "--top", 0).stdout
    assert "none: the game is over at its start, where moves() yields none" in shown
