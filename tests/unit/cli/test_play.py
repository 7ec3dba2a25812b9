"""``zermelo play``: at a terminal, from a pipe, and as JSON."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from support.processes.interrupts import heeding
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
    assert (
        "the first player wins in 3 plies\nfirst> take 1\nfirst: take 1\n\n4 stones\n"
        in result.stdout
    )
    assert "the first player wins in 2 plies\nsecond: take" in result.stdout
    assert result.stdout.endswith("the first player wins\nno mistakes\n")


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
        "left after 2 moves\nfirst: 1 mistake\n"
        "   1  take 2??  turned a win in 11 into a loss in 10; best was take 1\n"
        "second: no mistakes\n"
    )


@pytest.mark.parametrize("word", ["q", "Q", "quit", "exit", "/q"])
def test_words_that_leave(typed, word):
    """The match so far is summed up; nothing after the word is read."""
    result = typed(*NIM, lines=["take 1", word, "take 1"])
    assert result.exit_code == 0
    assert result.stdout.endswith(f"> {word}\nleft after 2 moves\nno mistakes\n")


def test_result_is_written_once(typed, tmp_path):
    """The board says who is winning, and the last line of the match who has won."""
    kept = str(tmp_path / "match.json")
    lines = ["take 1", "take 3", "take 2", "take 1"]
    played = typed("take-away", "--stones", "5", "--save", kept, lines=lines).stdout
    assert played.count("\nthe first player wins\n") == 1
    replayed = typed("take-away", "--stones", "5", "--replay", kept).stdout
    assert replayed.count("\nthe first player wins\n") == 1


def test_match_without_people_ends_where_play_repeats(typed):
    """Nobody could leave a match of two perfect players in an endless draw."""
    graph = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"
    result = typed("cat-and-mouse", "--graph", graph, "--side", "neither", "--quiet", "--json")
    assert (result.exit_code, json.loads(result.stdout)["over"]) == (0, False)
    said = typed("cat-and-mouse", "--graph", graph, "--side", "neither").stdout
    assert "\nthe same position for the 4th time: play would not end\nleft after" in said


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
    for word in ("hint", "back", "board", "moves", "save", "help", "quit"):
        assert f"\n{word:6} " in out
    assert typed(*NIM, lines=["?"]).stdout == out.replace("> help", "> ?")


def test_words_that_people_try(typed):
    """``undo``, ``exit``, capitals; and the nearest word, or move, where there is none."""
    result = typed(*NIM, "--json", lines=["take 2", "undo", "take 1", "Undo", "exit", "take 1"])
    assert json.loads(result.stdout)["moves"] == []
    said = typed(*NIM, lines=["hnit", "undoo", "xyz"]).stdout
    assert "take 2 or take 3; did you mean hint?\n" in said
    assert "take 2 or take 3; did you mean undo?\n" in said
    assert "take 2 or take 3\n" in said
    many = ["take-away", "--stones", "40", "--limit", "30"]
    assert "did you mean take 17?" in typed(*many, lines=["tkae 17"]).stdout


def test_sides_have_the_players_names(typed):
    """As the game calls them, however they are capitalised."""
    assert "O> " in typed("tic-tac-toe", "--side", "o").stdout
    assert "X> " in typed("tic-tac-toe", "--side", "first").stdout
    result = typed("tic-tac-toe", "--side", "white")
    assert result.exit_code == 2
    assert "'white' is not a player; write X, O, first, second, both or neither" in result.stderr


def test_boards_have_coordinates_and_graphs_are_drawn(typed):
    """What is typed can be read off the board."""
    assert "\n3 . . .\n2 . . .\n1 . . .\n  a b c\n" in typed("tic-tac-toe").stdout
    graph = "[[2,5],[3],[0,4,5],[1,4,5],[2,3],[0,2,3]]"
    said = typed("cat-and-mouse", "--graph", graph).stdout
    assert "[1 mouse]" in said
    assert "[2 cat]" in said
    assert "mouse 1, cat 2, mouse to move\n" in said


@pytest.mark.parametrize("named", [False, True])
def test_ctrl_c_saves_the_match(typed, folder, monkeypatch, named):
    """The sentence says how to resume it, and that can be pasted."""
    monkeypatch.setenv("ZERMELO_HOME", str(folder / "my home"))
    lines = iter(["take 2"])

    def read(lines_read, prompt):
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.cli.terminal.LineReader.read", read)
    game = ["take-away", "--stones", "9", "--limit", "2", "--side", "second", "--skill", "0"]
    result = typed(*game, *(["--save", "mine.json"] if named else []))
    assert result.exit_code == 130
    assert result.stderr.startswith("interrupted; the match is saved; resume it with ")
    command = shlex.split(result.stderr.partition("resume it with ")[2])
    assert command[:-2] == ["zermelo", "play", *game[:3], "--limit", "2", "--side", "second"]
    assert Path(command[-1]).name == ("mine.json" if named else "TakeAway.json")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    resumed = json.loads(typed(*command[2:], "--json").stdout)
    assert [move["name"] for move in resumed["moves"]][1] == "take 2"


def test_ctrl_c_before_any_move_saves_nothing(typed, folder, monkeypatch):
    """There is no match yet."""
    monkeypatch.setenv("ZERMELO_HOME", str(folder))

    def read(lines_read, prompt):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.cli.terminal.LineReader.read", read)
    assert typed(*NIM).stderr == "interrupted\n"
    assert not (folder / "matches").exists()


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
    assert neither.endswith("the first player wins\nno mistakes\n")


def test_an_opponent_without_skill_errs(typed):
    """At 0 it plays at random, and the seed says how."""
    runs = {
        seed: typed(*NIM, "--side", "neither", "--skill", "0", "--seed", str(seed)).stdout
        for seed in (1, 2, 1)
    }
    assert " into a loss in " in runs[1]
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
    assert set(result.stdout) <= set(". XO\nX> b2 123 abc")


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
    assert "turned a win in 11 into" in replayed.stdout
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
        (["--skill", "101"], "--skill must be from 0 to 100, not 101"),
        (
            ["--side", "third"],
            "'third' is not a player; write first, second, both or neither",
        ),
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


def shown(command, folder, keys, code=0, **environment):
    """Play at a terminal and return what it showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        heeding(command, "play", "tic-tac-toe"),
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
        if key == "\x03":  # this is not the terminal of a session, which would send the signal
            process.send_signal(signal.SIGINT)
        else:
            os.write(ours, key.encode())
    try:
        while data := os.read(ours, 4096):
            text += data.decode()
    except OSError:  # Linux says so where the other end is closed
        pass
    process.wait(timeout=60)
    os.close(ours)
    assert process.returncode == code
    return text


@pytest.mark.timing
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_at_a_terminal_words_are_completed_and_ctrl_d_leaves(command, folder):
    """``b2`` by its beginning and the tabulator; new marks stand out in colour."""
    text = shown(command, folder, ["b\t\x15b2\n", "hi\t\n", "\x04"])
    assert "\x1b[32m" in text or "\x1b[33m" in text
    last = text[: text.index("left after")].rpartition("O: ")[2]
    assert "\x1b[36m\x1b[1mX" in last  # each player's last move, in a colour of its own
    assert "\x1b[35m\x1b[1mO" in last
    assert "left after 2 moves" in text


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_a_terminal_that_can_do_nothing_gets_no_colours(command, folder):
    """Nothing but text is written where TERM is dumb."""
    text = shown(command, folder, ["b2\n", "hint\n", "\x04"], TERM="dumb")
    assert "\x1b[3" not in text
    assert "= tie in 7" in text


@pytest.mark.timing
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_ctrl_c_at_a_terminal_saves_the_match(command, folder):
    """As pressed by a person, also at the prompt, where readline waits."""
    text = shown(command, folder, ["b2\n", "\x03"], code=130, ZERMELO_HOME=str(folder))
    assert "resume it with zermelo play tic-tac-toe --resume " in text
    assert "\ninterrupted; " in text
    assert json.loads((folder / "matches" / "TicTacToe.json").read_text())["moves"]
