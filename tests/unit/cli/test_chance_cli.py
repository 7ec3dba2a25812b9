"""Games with chance on the command line: ``solve``, ``probe``, ``explain`` and ``play``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.games import snails
from zermelo.cli import main

_FILE = Path(snails.__file__)
SNAILS = (f"{_FILE}:Snails",)
PIG = (f"{_FILE}:Pig",)
LEAVES = (f"{_FILE}:Leaves",)


@pytest.fixture
def typed():
    """Run ``zermelo play`` with some lines of input; the result is click's."""

    def run_command(*words, lines=()):
        given = "".join(f"{line}\n" for line in lines)
        return CliRunner().invoke(main, ["play", *words], input=given, prog_name="zermelo")

    return run_command


def test_solve_says_with_what_probability_the_first_player_wins(run):
    """The number of the start, its bounds, and the results of the first roll."""
    output = " ".join(run("solve", *SNAILS).stdout.split())
    assert "With perfect play the first player wins with probability 0.855" in output
    assert ", between 0.8552" in output
    assert "by chance 3 results: 1 (1/6), 2 (2/6), 3 (3/6)" in output
    assert "likeliest line 3 (3/6), crawl, 3 (3/6)" in output
    assert "ahead 43" in output
    assert "best move" not in output
    assert "draw counts half" not in output


def test_solve_gives_the_expected_margin_of_a_score_game(run):
    """It has a sign."""
    output = " ".join(run("solve", *LEAVES).stdout.split())
    assert "the first player has an expected margin of +0.629629630, between +0.6296" in output


def test_solve_has_the_best_move_where_a_player_begins(run):
    """Chance comes after it."""
    output = " ".join(run("solve", *PIG).stdout.split())
    assert "best move roll" in output
    assert "by chance" not in output


def test_the_document_has_bounds_probability_and_expectation(run):
    """There is no winner, as nobody wins for sure, and no best move where chance decides."""
    document = json.loads(run("solve", *SNAILS, "--json").stdout)
    value = document["value"]
    lower, upper = value["probability"]
    assert 0 < upper - lower <= 1e-9
    assert value["bounds"][0] <= value["expectation"] <= value["bounds"][1]
    assert document["winner"] is None
    assert document["best_moves"] == []


def test_precision_limits_the_distance_of_bounds(run):
    """A coarse one is enough, and a senseless one is refused."""
    document = json.loads(run("solve", *PIG, "--precision", "1e-2", "--json").stdout)
    fine = json.loads(run("probe", *PIG, "--precision", "1e-12", "--json").stdout)
    widths = [
        pair[1] - pair[0]
        for pair in (document["value"]["probability"], fine["value"]["probability"])
    ]
    assert 1e-12 < widths[0] <= 1e-2
    assert widths[1] <= 1e-12
    for wrong in ("0", "2", "close"):
        result = run("solve", *PIG, "--precision", wrong)
        assert result.exit_code != 0
        assert "is not between 0 and 1; write a number such as 1e-6" in result.stderr


def test_precision_is_not_for_tables_and_sums(run, tmp_path):
    """The bounds of a table are known, and a sum has none."""
    table = tmp_path / "pig.table"
    run("solve", *PIG, "--table", table)
    assert "is a table, whose bounds are known" in run("probe", table, "--precision", "0.1").stderr


def test_precision_out_of_reach_says_what_can_be_reached(run):
    """Rounding adds up in a long game."""
    result = run("solve", *SNAILS, "--precision", "1e-20")
    assert result.exit_code != 0
    assert "more than precision=1e-20 allows; give precision=" in result.stderr


def test_probe_lists_the_results_of_chance_and_what_they_change(run):
    """In the order of the rules, with the probability of a win in percent."""
    lines = run("probe", *SNAILS).stdout.splitlines()
    assert "chance decides:" in lines
    rows = lines[lines.index("chance decides:") + 1 :]
    assert [row.split()[0] for row in rows] == ["1", "2", "3"]
    assert [row.split()[-1] for row in rows] == ["die=1", "die=2", "die=3"]
    assert all(" % " in row for row in rows)


def test_probe_says_what_each_move_loses(run):
    """Against the best one, which loses nothing."""
    best, other = run("probe", *SNAILS, "[2, 2, 1]").stdout.splitlines()[-2:]
    assert "loses" not in best
    assert " %  loses " in other
    document = json.loads(run("probe", *SNAILS, "[2, 2, 1]", "--json").stdout)
    assert document["moves"][0]["loss"] == 0
    assert 0 < document["moves"][1]["loss"] < 1


def test_probe_says_points_in_a_score_game(run):
    """A margin has no percent."""
    rows = run("probe", *LEAVES, "[5, 3]").stdout.splitlines()[-2:]
    assert all("expected score" in row for row in rows)
    assert "loses " in rows[1]
    assert "%" not in rows[1]


def test_explain_explains_chance(run):
    """It is the mean of what results lead to."""
    assert "the mean of:" in run("explain", *SNAILS).stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("prove", *SNAILS), "prove() does not search Snails, which has chance()"),
        (("solve", *SNAILS, "--misere"), "set no_moves = WIN in the class"),
        (("solve", *SNAILS, "--value", "nimber"), "which has chance()"),
        (("probe", " + ".join([*SNAILS, *SNAILS])), "expectations of a sum do not follow"),
        (("probe", *SNAILS, "--class"), "has chance()"),
    ],
    ids=["prove", "misere", "nimber", "sum", "class"],
)
def test_what_a_game_with_chance_does_not_have_is_refused(run, words, sentence):
    """In one sentence."""
    result = run(*words)
    assert result.exit_code != 0
    assert sentence in " ".join(result.stderr.split())


def test_dice_are_rolled_by_the_seed(typed):
    """The same seed rolls the same, and results come with what they change."""

    def rolls(seed: str) -> list[str]:
        text = typed(*PIG, "--side", "neither", "--seed", seed).stdout
        return [line for line in text.splitlines() if " rolls " in line]

    assert rolls("3") == rolls("3") != rolls("4")
    assert all("rolling=0" in line for line in rolls("3"))


def test_dice_can_be_typed(typed):
    """The results are listed with their odds, and a wrong one is refused."""
    lines = ["4", "crawl", "3", "crawl", "quit"]
    output = typed(*SNAILS, "--dice", "typed", lines=lines).stdout
    assert "  1 (1/6)  die=1\n  2 (2/6)  die=2\n  3 (3/6)  die=3\nfirst rolls> 4\n" in output
    assert "'4' is not a result of chance here; give 1 (1/6), 2 (2/6) or 3 (3/6)\n" in output
    assert "first rolls 3 (3/6): die=3\n" in output
    assert "second rolls> quit\nleft after 1 move\n" in output


def test_taking_back_a_move_keeps_the_roll_before_it(typed):
    """The player chooses again after the roll; the same roll follows, as the seed has it."""
    output = typed(*SNAILS, lines=["crawl", "back", "moves", "quit"]).stdout
    after = output[output.rindex("first> moves") :]
    assert after.count("rolls") == 1
    assert "crawl" not in after


def test_a_typed_roll_can_be_taken_back(typed):
    """It may have been mistyped."""
    lines = ["3", "back", "2", "quit"]
    output = typed(*SNAILS, "--dice", "typed", lines=lines).stdout
    assert output.count("first rolls> ") == 2
    assert "first rolls 2 (2/6): die=2\n" in output


def test_a_match_with_rolls_is_saved_and_replayed(typed, tmp_path):
    """Its record has the results of chance."""
    file = tmp_path / "match.json"
    typed(*PIG, "--side", "neither", "--seed", "3", "--save", str(file))
    replay = typed(*PIG, "--replay", str(file))
    assert replay.exit_code == 0
    assert "rolls " in replay.stdout


def test_hints_at_a_roll_show_what_results_are_worth(typed):
    """With the odds and the change of each."""
    output = typed(*SNAILS, "--dice", "typed", lines=["hint", "quit"]).stdout
    assert " %  die=1\n" in output
