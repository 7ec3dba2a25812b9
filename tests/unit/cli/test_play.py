"""``zermelo play``: at a terminal, from a pipe, and as JSON."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import pytest
from click.testing import CliRunner

from zermelo.cli import main

NIM = ("take-away", "--stones", "21", "--limit", "3")


@pytest.fixture
def typed():
    """Run the command with some lines of input; the result is click's."""

    def run_command(*words, lines=()):
        given = "".join(f"{line}\n" for line in lines)
        return CliRunner().invoke(main, ["play", *words], input=given, prog_name="zermelo")

    return run_command


def test_a_game_is_played_to_its_end(typed):
    """Five stones: the first player takes one, and then whatever is left."""
    lines = ["take 1", "take 3", "take 2", "take 1"]
    result = typed("take-away", "--stones", "5", "--limit", "3", lines=lines)
    assert result.exit_code == 0
    assert "first wins in 3 plies\nfirst> take 1\nfirst: take 1\n\n4 stones\n" in result.stdout
    assert "first wins in 2 plies\nsecond: take" in result.stdout
    assert result.stdout.endswith("first wins\nno mistakes\n")


def test_a_bad_line_says_what_would_be_legal(typed):
    """Nothing is lost by it, and the prompt comes again."""
    result = typed(*NIM, lines=["take 9", "", "xyz"])
    assert "'take 9' is not a move here; play take 1, take 2 or take 3\nfirst> " in result.stdout
    assert result.stdout.count("first> ") == 4
    assert result.exit_code == 0


def test_the_end_of_input_leaves(typed):
    """The match so far is summed up, and the exit code is 0."""
    result = typed(*NIM, lines=["take 2"])
    assert result.exit_code == 0
    end = result.stdout[result.stdout.rindex("left after") :]
    assert end == (
        "left after 2 moves\n1 mistake:\n"
        "   1  first  take 2??  threw away a win in 11 for a loss in 10; best was take 1\n"
    )


def test_hints_show_every_move_with_its_worth(typed):
    """By asking, or before each move with --hints; a sign stands for the colour."""
    table = "  take 1  + win in 11\n  take 2  - loss in 10\n  take 3  - loss in 10\n"
    assert table in typed(*NIM, lines=["hint"]).stdout
    assert table not in typed(*NIM).stdout
    assert table in typed(*NIM, "--hints").stdout


def test_moves_are_taken_back_with_their_answers(typed):
    """One's own last move goes, and what the opponent answered."""
    result = typed(*NIM, "--json", lines=["take 2", "back", "take 1", "/back", "back"])
    assert json.loads(result.stdout)["moves"] == []
    assert "you have no move to take back" in result.stderr


def test_help_names_all_that_may_be_typed(typed):
    """Each command is one line."""
    out = typed(*NIM, lines=["help"]).stdout
    for word in ("hint", "back", "moves", "save", "help", "quit"):
        assert f"\n{word:6} " in out


def test_quit_leaves(typed):
    """What is typed after it is not read."""
    assert typed(*NIM, lines=["quit", "take 1"]).stdout.endswith("left after 0 moves\n") is False
    assert "left after no moves\n" in typed(*NIM, lines=["quit", "take 1"]).stdout


def test_the_sides_are_taken_as_asked(typed):
    """First, second, both or neither; the opponent moves for whoever is left."""
    assert "first: take 1" in typed(*NIM, "--side", "second").stdout
    both = typed(*NIM, "--side", "both", lines=["take 1", "take 3"]).stdout
    assert both.count("> take") == 2
    neither = typed(*NIM, "--side", "neither").stdout
    assert ">" not in neither
    assert neither.endswith("first wins\nno mistakes\n")


def test_an_opponent_without_skill_errs(typed):
    """At 0 it plays at random, and the seed says how."""
    runs = {
        seed: typed(*NIM, "--side", "neither", "--skill", "0", "--seed", str(seed)).stdout
        for seed in (1, 2, 1)
    }
    assert "threw away" in runs[1]
    assert runs[1] != runs[2]
    assert runs[1] == typed(*NIM, "--side", "neither", "--skill", "0", "--seed", "1").stdout


def test_blind_says_nothing_of_who_wins(typed):
    """Until the summary."""
    seeing, blind = (
        typed(*NIM, *more, lines=["take 2", "moves"]).stdout for more in ([], ["--blind"])
    )
    assert "wins in" in seeing
    assert "wins in" not in blind


def test_quiet_shows_the_board_and_the_prompt(typed):
    """For those who want nothing else."""
    result = typed("tic-tac-toe", "--quiet", lines=["b2"])
    assert result.stdout.count(">") == 2
    assert set(result.stdout) <= set(". XO\nX> b2")


def test_a_match_is_saved_resumed_and_replayed(typed, folder):
    """What one command saves, another goes on with, and a third shows."""
    first = typed(*NIM, "--save", "end.json", lines=["take 2", "save middle.json"])
    assert "saved to middle.json\n" in first.stdout
    assert first.stdout.endswith("saved to end.json\n")
    assert (folder / "end.json").read_text() == (folder / "middle.json").read_text()
    resumed = json.loads(typed(*NIM, "--resume", "end.json", "--json", lines=["take 1"]).stdout)
    saved = json.loads((folder / "end.json").read_text())
    assert resumed["moves"][:2] == saved["moves"]
    assert len(resumed["moves"]) == 4
    replayed = typed(*NIM, "--replay", "end.json")
    assert "first: take 2\n" in replayed.stdout
    assert ">" not in replayed.stdout
    assert "threw away a win in 11" in replayed.stdout
    assert not list(folder.glob(".*"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--resume", "none.json"], "cannot read 'none.json': No such file or directory"),
        (["--resume", "rubbish"], "cannot read 'rubbish': it is not a saved match"),
        (["--resume", "list"], "the record is not the record of a match"),
        (["--resume", "a", "--replay", "b"], "--resume and --replay cannot be combined"),
        (["--resume", "a", "--from", "3"], "--from cannot be combined with a saved match"),
        (["--from", "99"], "99 cannot be reached from the start"),
        (["--from", "x"], "'x' is not a heap"),
        (["--skill", "101"], "101 is not in the range"),
        (["--side", "third"], "'third' is not one of"),
        (["--save", "no/where.json"], "'no/where.json' cannot be written: there is no folder 'no'"),
        (["--save", "."], "'.' is a folder; give the path of a file"),
    ],
)
def test_bad_input_is_told_in_a_sentence(typed, folder, words, says):
    """Exit code 2, and no traceback."""
    (folder / "rubbish").write_text("{")
    (folder / "list").write_text("[]")
    result = typed(*NIM, *words)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_file_that_cannot_be_written_while_playing_loses_nothing(typed, folder):
    """The match goes on."""
    out = typed(*NIM, lines=["take 1", "save", "save no/where.json", "moves"]).stdout
    assert "name a file: save FILE" in out
    assert "'no/where.json' cannot be written" in out
    assert "   1  first  take 1" in out


def test_a_position_to_begin_in_is_written_as_the_game_reads_it(typed):
    """By its own ``parse``, or as JSON where it has none."""
    out = typed("tic-tac-toe", "--from", "XX./OO./...", "--json", lines=["c3"])
    assert json.loads(out.stdout)["winner"] == "X"


def test_a_class_of_ones_own_is_played(typed, countdown):
    """Moves without names are themselves."""
    result = typed("countdown.py", "--from", "4", lines=["1"])
    assert "first> 1\nfirst: 1\n\n3\n" in result.stdout
    assert typed("countdown.py", "--from", "[4]").exit_code == 2


def test_json_is_all_there_is_on_standard_output(typed):
    """The record with its mistakes; the board goes to standard error."""
    result = typed(*NIM, "--json", lines=["take 2"])
    document = json.loads(result.stdout)
    assert document["game"] == "TakeAway"
    assert document["mistakes"][0]["best"] == ["take 1"]
    assert "first> " in result.stderr


def shown(command, folder, keys, **environment):
    """Play at a terminal and return what it showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [command, "play", "tic-tac-toe"],
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    text = ""
    for key in keys:
        before = text.count("X> ")
        while text.count("X> ") == before:
            text += os.read(ours, 4096).decode()
        os.write(ours, key.encode())
    try:
        while data := os.read(ours, 4096):
            text += data.decode()
    except OSError:  # Linux says so where the other end is closed
        pass
    process.wait(timeout=60)
    os.close(ours)
    assert process.returncode == 0
    return text


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_at_a_terminal_words_are_completed_and_ctrl_d_leaves(command, folder):
    """``b2`` by its beginning and the tabulator; new marks stand out in colour."""
    text = shown(command, folder, ["b\t\x15b2\n", "hi\t\n", "\x04"])
    assert "\x1b[32m" in text or "\x1b[33m" in text
    assert "left after 2 moves" in text


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_terminal_that_can_do_nothing_gets_no_colours(command, folder):
    """Nothing but text is written where TERM is dumb."""
    text = shown(command, folder, ["b2\n", "hint\n", "\x04"], TERM="dumb")
    assert "\x1b[3" not in text
    assert "= tie in 7" in text
