"""``zermelo solve``."""

from __future__ import annotations

import io
import json
import shlex

import pytest

from zermelo.cli.commands.solving import solve as solve_command
from zermelo.cli.output import shows_colours
from zermelo.solution.solution import Solution
from zermelo.values.results import Verification

GRAPH = [[2, 5], [3], [0, 4, 5], [1, 4, 5], [2, 3], [0, 2, 3]]


def rows(text):
    """Return the rows of names and texts, by their names, lines that go on put together."""
    found, last = {}, ""
    for line in text.splitlines():
        name, gap, rest = line.partition("   ")
        if gap and name and not name.startswith(" "):
            last = name.rstrip()
            found[last] = rest.strip()
        elif last and line.startswith("     "):
            found[last] += f" {line.strip()}"
        else:
            last = ""
    return found


def solved(run, *words):
    """Return the document that ``solve --json`` writes."""
    result = run("solve", *words, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def test_a_tie(run):
    """The board, who wins and how soon, best moves, counts with bars, and what to do next."""
    result = run("solve", "tic-tac-toe")
    assert (result.exit_code, result.stderr) == (0, "")
    assert (
        result.stdout
        == """\
Tic-tac-toe

3 . . .
2 . . .
1 . . .
  a b c

With perfect play it is a tie in 9 plies.
value        tie in 9
best moves   a3, b3, c3, a2, b2, c2, a1, b1 and 1 more
best line    a3, b2, b3, c3, a1, a2, c2, b1, c1

5,478 positions, by value for the player to move:
  win   2,836  51.8 %  ███████████████▌
  tie   1,068  19.5 %  █████▉
  loss  1,574  28.7 %  ████████▋

play it      zermelo play tic-tac-toe
explore it   zermelo explore tic-tac-toe
details      zermelo solve tic-tac-toe -v
"""
    )


def test_method_time_and_memory_are_details(run):
    """How it was solved is for those who ask with ``-v``."""
    table = rows(run("solve", "tic-tac-toe", "-v", "--method", "retrograde").stdout)
    assert table["method"].startswith("retrograde: ")
    assert table["time"].endswith(")")
    assert table["memory"].endswith("B")
    assert "details" not in table


def test_a_small_game_takes_no_memory_worth_a_line(run):
    """The rules run as they are, which ``-v`` says."""
    table = rows(run("solve", "tic-tac-toe", "-v").stdout)
    assert table["method"].startswith("plain: ")
    assert "memory" not in table


def test_commands_to_try_next_can_be_pasted(run, folder):
    """They have the parameters that are not the defaults, quoted for a shell."""
    said = run("solve", "cat-and-mouse-grid", "--grid", '["M.C...F"]', "--mouse", 4).stdout
    command = rows(said)["play it"]
    assert command == """zermelo play cat-and-mouse-grid --grid '["M.C...F"]' --mouse 4"""
    words = [*shlex.split(command)[1:], "--side", "neither", "--quiet"]
    assert run(*words).exit_code == 0


def test_an_endless_draw(run):
    """In Cat and Mouse on the first graph of the facts neither side can force an end."""
    said = run("solve", "cat-and-mouse", "--graph", json.dumps(GRAPH)).stdout
    assert "With perfect play it is a draw, as neither side can force an end.\n" in said
    assert "\n  endless draw   5   8.3 %  " in said
    assert "\n  tie " not in said
    assert rows(said)["best line"] == "3, 5, 4, 2, 3, and so on without end"


def test_a_win(run):
    """The winner, how many plies it takes, and the only best move are named."""
    said = run("solve", "take-away", "--stones", 5).stdout
    assert "With perfect play the first player wins in 3 plies.\n" in said
    assert rows(said)["value"] == "win in 3 for the player to move"
    assert rows(said)["best move"] == "take 1"


def test_a_win_in_one(run):
    """One ply is not called plies, and one move is no line."""
    said = run("solve", "take-away", "--stones", 3).stdout
    assert " wins in 1 ply.\n" in said
    assert "best line" not in rows(said)


@pytest.mark.slow
def test_chess_counts_moves(run):
    """Chess players call two plies a move, and so the result does."""
    said = run("solve", "one-dimensional-chess").stdout
    assert "With perfect play white wins in 6 moves (11 plies).\n" in said


def test_a_score(run):
    """A score game tells by how much the winner comes out ahead."""
    result = run("solve", "stone-game", "--piles", "[5,3,4,5]")
    assert "With perfect play the first player wins by 1.\n" in result.stdout
    assert rows(result.stdout)["best moves"] == "left, right"
    assert "\n  ahead  10  71.4 %  " in result.stdout


def test_a_start_without_moves(run):
    """A game that is over where it starts has no best moves."""
    said = run("solve", "take-away", "--stones", 0).stdout
    assert (
        rows(said)["best moves"] == "none: the game is over at its start, where moves() yields none"
    )
    assert "With perfect play the second player wins.\n" in said
    assert "\n1 position, by value for the player to move:\n" in said


def test_colours_are_for_terminals(run, monkeypatch):
    """In a pipe there are none; on a terminal there are, unless NO_COLOR is set."""
    assert "\x1b" not in run("solve", "tic-tac-toe").stdout
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert shows_colours(stream)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not shows_colours(stream)
    monkeypatch.setenv("NO_COLOR", "")
    assert shows_colours(stream)
    monkeypatch.setenv("TERM", "dumb")
    assert not shows_colours(stream)


def test_json_of_a_draw(run):
    """The document has what the design promises, and more."""
    document = solved(run, "cat-and-mouse", "--graph", json.dumps(GRAPH))
    by_node = json.dumps(dict(enumerate(GRAPH)))
    assert solved(run, "913", "--graph", by_node)["parameters"] == document["parameters"]
    seconds, phases = document.pop("seconds"), document.pop("phases")
    assert seconds == pytest.approx(sum(phase["seconds"] for phase in phases))
    assert document.pop("choice")
    assert document.pop("threads") >= 1
    assert document.pop("peak_bytes") == 0  # no array of the engine's was made
    assert document.pop("recalled") is False
    assert document == {
        "game": "cat-and-mouse",
        "parameters": {"graph": GRAPH, "mouse": 1, "cat": 2, "hole": 0, "directed": False},
        "misere": False,
        "method": "plain",
        "start": {"mouse": 1, "cat": 2, "turn": 0},
        "value": {"outcome": "draw", "remoteness": None, "score": None, "nimber": None},
        "winner": None,
        "best_moves": [{"move": 3, "name": "3"}],
        "slower_wins": [],
        "positions": 60,
        "classes": 60,
        "counts": {"win": 35, "loss": 20, "draw": 5, "tie": 0, "endless": 5},
        "verified": None,
        "resumed": None,
    }


def test_slower_wins_are_told_apart(run):
    """The best moves win soonest, and those that win later have a row and a list of their own."""
    document = solved(run, "kayles")
    assert [each["name"] for each in document["best_moves"]] == ["15 to 13+1", "15 to 7+7"]
    assert [each["name"] for each in document["slower_wins"]] == ["15 to 9+5"]
    shown = rows(run("solve", "kayles").stdout)
    assert shown["best moves"] == "15 to 13+1, 15 to 7+7"
    assert shown["also wins"] == "15 to 9+5, but not as soon"


def test_json_of_a_score(run):
    """A score stands where there is one; the remoteness is null then."""
    document = solved(run, "stone-game", "--piles", "[5,3,4,5]")
    assert document["value"] == {"outcome": "win", "remoteness": None, "score": 1, "nimber": None}
    assert document["winner"] == "first"
    assert document["method"] == "plain"


def test_quiet(run):
    """``--quiet`` writes the value and nothing else."""
    assert run("solve", "take-away", "--stones", 21, "--quiet").stdout == "win in 11\n"


def test_options_reach_the_solver(run):
    """Method, horizon, memory and threads are those that were asked for."""
    words = ["take-away", "--stones", 9, "--method", "horizon", "--horizon", 3]
    document = solved(run, *words, "--memory", "1GB", "--threads", 1)
    assert document["method"] == "horizon"
    assert document["value"]["outcome"] == "draw"
    assert document["threads"] == 1


def test_options_may_stand_before_the_game(run):
    """The command's own options can be given before GAME too."""
    assert run("solve", "--quiet", "--threads", 1, "tic-tac-toe").stdout == "tie in 9\n"


def test_too_little_memory(run):
    """A game that needs more memory than is allowed ends with 3 and a sentence."""
    result = run("solve", "connect-four", "--memory", "100kB")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert result.stderr.startswith("error: solving 28,629,151 patterns ")
    assert result.stderr.count("\n") == 1


def test_a_hopeless_size_is_refused(run):
    """At once, with the estimate and what to do instead."""
    result = run("solve", "connect-four", "--width", 7, "--height", 6)
    assert result.exit_code == 3
    assert result.stderr.startswith("error: ConnectFour(width=7, height=6, length=4) has about ")
    assert "prove one position with zermelo prove, or use --method to try anyway" in result.stderr


@pytest.mark.slow
def test_a_certificate_that_holds(run):
    """``--verify`` checks every position, and says so."""
    result = run("solve", "tic-tac-toe", "--verify")
    assert result.exit_code == 0
    found = rows(result.stdout)["certificate"]
    assert found.startswith("holds: all 5,478 positions and 16,167 moves checked in ")
    assert solved(run, "tic-tac-toe", "--verify")["verified"] is True


@pytest.mark.parametrize("option", ["--json", "--quiet", "--verify"])
def test_a_certificate_that_fails(run, monkeypatch, option):
    """Where the certificate fails the exit code is 1, and a sentence says where."""
    finding = Verification(ok=False, positions=1, moves=0, problem="0 is wrong", seconds=0.1)
    monkeypatch.setattr(Solution, "verify", lambda self, **_: finding)
    result = run("solve", "take-away", "--stones", 1, "--verify", option)
    assert result.exit_code == 1
    assert result.stderr == "the certificate fails: 0 is wrong\n"
    if option == "--json":
        assert json.loads(result.stdout)["verified"] is False


def test_a_class_in_a_file(run, countdown):
    """A class is found by its file and name, by its file alone, and by its module."""
    for game in ("countdown.py:Countdown", "./countdown.py", str(countdown)):
        assert run("solve", game, "--quiet", "--top", 6).stdout == "loss in 4\n"
    document = solved(run, "countdown:Countdown")
    assert document["game"] == "countdown:Countdown"
    assert document["parameters"] == {"top": 5}
    assert document["start"] == 5


@pytest.mark.slow
def test_a_level_that_is_not_used_is_noted_on_stderr(run, countdown):
    """The note names the position and the move, and is no part of the answer."""
    countdown.write_text(
        f"{countdown.read_text()}\n    def level(self, number):\n        return 7\n"
    )
    result = run("solve", "countdown.py", "--method", "levels")
    assert result.stderr == (
        "note: Countdown.level() is not used, as move 1 from 5 leaves level() at 7; count "
        "something that every move raises, or remove level()\n"
    )
    assert "level()" not in result.stdout


def test_an_edited_file_is_read_anew(run, countdown):
    """An edit within the same second, which leaves the file as long as it was, counts."""
    assert run("solve", "countdown.py", "--quiet").stdout == "win in 3\n"
    countdown.write_text(countdown.read_text().replace("top: int = 5", "top: int = 6"))
    assert run("solve", "countdown.py", "--quiet").stdout == "loss in 4\n"
    assert not (countdown.parent / "__pycache__").exists()


@pytest.mark.parametrize("name", ["queue.py", "click.py", "my game.py", "a.b.py"])
def test_a_file_may_have_any_name(run, countdown, name):
    """A file called like a module of Python's, or like none at all, does no harm."""
    countdown.rename(countdown.parent / name)
    assert run("solve", name, "--quiet").stdout == "win in 3\n"


def test_what_rules_print_stays_out_of_the_way(run, countdown):
    """An author's file may print: that goes to standard error, and the document stays whole."""
    text = countdown.read_text().replace("        return self.top\n", "PRINTING\n")
    noise = "        print('start')\n        return self.top\n"
    countdown.write_text("print('import')\n" + text.replace("PRINTING\n", noise))
    result = run("solve", "countdown.py", "--json")
    assert json.loads(result.stdout)["positions"] == 6
    assert {"import", "start"} <= set(result.stderr.split())


def test_parameters_from_files(run, folder):
    """``@file`` reads a parameter of any type."""
    (folder / "graph.json").write_text(json.dumps(GRAPH, indent=1) + "\n")
    (folder / "node.txt").write_text("1\n")
    (folder / "board").write_text(".ooo...o..oo\r\n")
    document = solved(run, "cat-and-mouse", "--graph", "@graph.json", "--mouse", "@node.txt")
    assert document["parameters"]["graph"] == GRAPH
    board = solved(run, "ellys-checkers", "--board", "@board")
    assert board["parameters"] == {"board": ".ooo...o..oo"}


def test_long_parameters_are_cut_short(run):
    """The heading is short whatever the parameters; a command to paste has all of them."""
    result = run("solve", "stone-game", "--piles", json.dumps([7] * 45))
    heading = result.stdout.partition("\n")[0]
    assert heading.startswith("Stone Game")
    assert len(heading) <= 80
    assert rows(result.stdout)["play it"].endswith(",".join(["7"] * 45))


def test_flags(run):
    """A parameter that is true or false is a flag."""
    words = ["cat-and-mouse", "--graph", "[[1],[0,2],[0]]"]
    assert run("solve", *words, "--no-directed").exit_code == 2
    assert solved(run, *words, "--directed")["parameters"]["directed"] is True


def test_interrupted(run, monkeypatch):
    """Ctrl-C ends with 130 and one word."""

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.solving.solve", interrupt)
    result = run("solve", "tic-tac-toe")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_interrupted_where_putting_things_in_order_fails(run, monkeypatch):
    """What goes wrong while an interrupt is passed on is still the interrupt."""

    def interrupt(*_, **__):
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("half done")

    monkeypatch.setattr("zermelo.solving.solve", interrupt)
    result = run("solve", "tic-tac-toe")
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")


def test_out_of_memory(run, monkeypatch):
    """When the system itself has no more memory, the exit code is that of a budget passed."""
    monkeypatch.setattr("zermelo.solving.solve", lambda *_, **__: bytearray(1 << 62))
    monkeypatch.setattr("zermelo.cli.errors.author_line", lambda *_: None)
    result = run("solve", "tic-tac-toe")
    assert result.exit_code == 3
    assert result.stderr.startswith("error: the system has no memory left")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(12, "Cannot allocate memory"), "the system has no memory left; allow"),
        (ImportError("numpy.so: failed to map segment"), "the system has no memory left; allow"),
        (RuntimeError("can't start new thread"), "the system starts no more threads; set --thr"),
    ],
    ids=["array", "library", "thread"],
)
def test_out_of_memory_in_other_words(run, monkeypatch, error, sentence):
    """Under a limit of the process (ulimit -v) the system refuses arrays, libraries and threads."""

    def fail(*_, **__):
        raise error

    monkeypatch.setattr("zermelo.solving.solve", fail)
    monkeypatch.setattr("zermelo.cli.errors.author_line", lambda *_: None)
    result = run("solve", "tic-tac-toe")
    assert (result.exit_code, result.stdout) == (3, "")
    assert result.stderr.startswith(f"error: {sentence}")
    assert result.stderr.count("\n") == 1


def test_a_game_of_another_library(run, monkeypatch):
    """It is made by what stands after the colon, and has no options."""
    from support.games.states import StateMachine
    from zermelo.adapters.imported_game import import_game

    asked = []

    def made(name, progress, **how):
        assert callable(progress)
        asked.append((name, how))
        machine = StateMachine([[1, 2], [], []], [0, 1, 1], [0, 1, -1], [lambda s: s])
        return import_game(machine, 10)

    monkeypatch.setattr("zermelo.adapters.from_pettingzoo.pettingzoo", made)
    result = run("solve", "pettingzoo:mine(size=3)@1,0", "--quiet")
    assert (result.exit_code, result.output) == (0, "win in 1\n")
    assert asked == [("mine(size=3)", {"max_positions": 5_000_000, "opening": [1, 0]})]
    result = run("solve", "pettingzoo:mine from 8/8", "--quiet")
    assert result.exit_code == 2
    assert "start='8/8' is not for games of pettingzoo" in result.output


@pytest.mark.slow
def test_many_classes_are_counted_as_classes(run, monkeypatch):
    """The positions that many classes stand for are counted where ``-v`` asks for them.

    Games with as many classes as are many take seconds, so that here fewer are.
    """
    monkeypatch.setattr(solve_command, "MANY_CLASSES", 80)
    brief = run("solve", "mu-torere").stdout
    assert "86 classes of equivalent positions, by value for the player to move:" in brief
    whole = run("solve", "mu-torere", "-v").stdout
    assert "1,180 positions, by value for the player to move:" in whole
    assert "in 86 classes of equivalent positions" in whole
