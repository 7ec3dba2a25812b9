"""``zermelo probe``, ``verify`` and ``info``, and ``solve --table``."""

from __future__ import annotations

import json

import pytest

from support.processes.kills import Killed, dying, eager


@pytest.fixture
def heap(run, folder):
    """A table of twenty stones in the current folder."""
    assert run("solve", "take-away", "--stones", "20", "--table", "heap.table").exit_code == 0
    return folder / "heap.table"


def test_a_position_is_probed(run, heap):
    """Its value and each move's, best first; without a position it is the start."""
    assert run("probe", heap, "17").stdout == (
        "17 stones\n\nwin in 9 for the player to move\n"
        "  take 1  + win in 9\n  take 2  - loss in 8\n  take 3  - loss in 8\n"
    )
    assert run("probe", heap, "17", "--quiet").stdout == "win in 9\n"
    assert run("probe", heap, "--quiet").stdout == "loss in 10\n"
    document = json.loads(run("probe", heap, "17", "--json").stdout)
    assert document["position"] == 17
    assert document["value"]["remoteness"] == 9
    assert document["moves"][0]["name"] == "take 1"


def test_a_table_is_verified(run, heap):
    """Code 0 where it holds."""
    result = run("verify", heap)
    assert (result.exit_code, result.stdout) == (
        0,
        "the certificate holds: 21 positions and 57 moves\n",
    )
    assert run("verify", heap, "--quiet").stdout == ""
    assert json.loads(run("verify", heap, "--json").stdout)["ok"] is True


def test_a_table_says_what_it_is(run, heap):
    """For people, in a word, and as JSON."""
    out = run("info", heap).stdout
    assert "game         take-away\n" in out
    assert "value        loss in 10\n" in out
    assert run("info", heap, "--quiet").stdout == "take-away --stones 20 --limit 3\n"
    assert json.loads(run("info", heap, "--json").stdout)["counts"] == {
        "win": 15,
        "draw": 0,
        "loss": 6,
    }


def test_a_class_of_ones_own_is_named(run, countdown):
    """Its table says nothing that could be run."""
    assert run("solve", countdown, "--table", "c.table").exit_code == 0
    result = run("probe", "c.table")
    assert result.exit_code == 2
    assert "is of Countdown, which is not in the zoo" in result.stderr
    assert "with --game path.py:Class" in result.stderr
    result = run("probe", "c.table", "4", "--game", "countdown.py:Countdown", "--quiet")
    assert result.stdout == "win in 3\n"
    assert run("verify", "c.table", "--game", "countdown.py").exit_code == 0
    result = run("probe", "c.table", "four", "--game", "countdown.py")
    assert "Countdown has no parse() that reads it; write it as JSON, such as '5'" in result.stderr
    played = run("play", "c.table", "--game", "countdown.py", "--side", "neither")
    assert "the first player wins in 3" in played.stdout


def test_rules_that_have_changed_are_told(run, countdown):
    """Unless one only looks inside; and the certificate then says what is wrong."""
    assert run("solve", countdown, "--table", "c.table").exit_code == 0
    countdown.write_text(countdown.read_text().replace("min(2, n)", "min(3, n)"))
    game = ("--game", "countdown.py")
    result = run("probe", "c.table", *game)
    assert result.exit_code == 2
    assert "the rules of Countdown have changed since 'c.table' was made" in result.stderr
    assert "or look inside with --ignore-rules" in result.stderr
    assert run("probe", "c.table", *game, "--ignore-rules", "--quiet").stdout == "win in 3\n"
    result = run("verify", "c.table", *game, "--ignore-rules")
    assert result.exit_code == 1
    assert result.stdout.startswith("the certificate fails: ")


def test_what_is_there_is_not_overwritten(run, heap):
    """It is said before anything is solved."""
    before = heap.read_bytes()
    result = run("solve", "connect-four", "--width", "8", "--height", "6", "--table", heap)
    assert result.exit_code == 2
    assert "already exists; give another path, or use --force to replace it" in result.stderr
    assert heap.read_bytes() == before


def test_what_is_there_is_replaced_when_told_to(run, heap):
    """With ``--force``, which is nothing without ``--table``."""
    assert run("solve", "take-away", "--stones", "9", "--table", heap, "--force").exit_code == 0
    assert run("probe", heap, "--quiet").stdout == "win in 5\n"
    result = run("solve", "take-away", "--stones", "9", "--force")
    assert (result.exit_code, result.stderr) == (2, "error: --force needs --table\n")


def test_a_solve_that_goes_on_says_so(run, folder):
    """On standard error when it does, in what it writes at the end, and as JSON."""
    web = [[(v + 1) % 12, (v - 1) % 12, (v * v) % 12] for v in range(12)]
    game = ("cat-and-mouse", "--directed", "--graph", json.dumps(web), "--method", "retrograde")
    with eager():
        for more in ([], ["--json"], ["--quiet"]):
            with pytest.raises(Killed), dying(3, "after"):
                run("solve", *game, "--table", "c.table")
            result = run("solve", *game, "--table", "c.table", *more)
            assert result.exit_code == 0
            (folder / "c.table").unlink()
            if not more:
                assert result.stderr.startswith("resumed: 264 positions were explored\n")
                words = " ".join(result.stdout.split())
                assert "resumed as 264 positions were explored; some values were known" in words
            elif more == ["--json"]:
                assert json.loads(result.stdout)["resumed"].startswith("264 positions")
            if more:
                assert result.stderr == ""
        with pytest.raises(Killed), dying(3, "after"):
            run("solve", *game, "--table", "c.table")
        result = run("solve", "take-away", "--stones", "9", "--table", "c.table")
        assert result.stderr == "restarted, as 'c.table.unfinished' was of another solve\n"


def test_what_cannot_be_written_is_said_after_the_solution(run, folder, monkeypatch):
    """The work of hours is shown all the same, and the code is not 0."""

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run("solve", "take-away", "--stones", "9", "--table", "x.table", "--quiet")
    assert (result.exit_code, result.stdout) == (2, "win in 5\n")
    said = "error: 'x.table' cannot be written: No space left on device; make room"
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["no/x.table", "."])
def test_where_nothing_can_be_saved_it_is_said_before_anything_is_solved(
    run, folder, monkeypatch, name
):
    """A solve of hours is not thrown away for want of a folder."""
    monkeypatch.setattr("zermelo.solving.solve", lambda *_, **__: pytest.fail("it was solved"))
    result = run("solve", "take-away", "--stones", "5", "--table", name)
    assert result.exit_code == 2
    assert repr(name) in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["probe", "verify", "info"])
def test_what_is_no_table_is_told_in_a_sentence(run, heap, command):
    """A file that is not there, another one, and one that was damaged or cut."""
    data = heap.read_bytes()
    heap.with_name("cut").write_bytes(data[: len(data) // 2])
    heap.with_name("text").write_text("hello")
    for name, says in (
        ("no.table", "there is no table at 'no.table'"),
        ("text", "'text' cannot be used: it is not a table"),
        ("cut", "'cut' cannot be used: "),
        (".", "'.' cannot be read"),
    ):
        result = run(command, name)
        assert result.exit_code == 2
        assert says in result.stderr
        assert result.stderr.count("\n") == 1


def test_a_position_that_is_none_is_told(run, heap):
    """As the game tells it, and with code 2."""
    assert "cannot be reached" in run("probe", heap, "99").stderr
    assert "is not a heap" in run("probe", heap, "x").stderr


def test_the_table_of_a_graph_is_a_table(run, folder):
    """It is probed, verified, described and exported; what needs a game says so."""
    import networkx as nx

    from zermelo.graph import solve_networkx

    graph = nx.DiGraph([("hall", "west door"), ("west door", "exit"), ("hall", "exit")])
    solution = solve_networkx(graph)
    solution.save("arena.table")
    assert run("probe", "arena.table", "hall").stdout == (
        "hall\n\nwin in 1 for the player to move\n"
        "  exit       + win in 1\n  west door  - loss in 2\n"
    )
    document = json.loads(run("probe", "arena.table", "west door", "--json").stdout)
    assert (document["position"], document["moves"][0]["move"]) == ("west door", "exit")
    for words, sentence in (
        (("probe", "arena.table"), "there is no start; give a position"),
        (("probe", "arena.table", "cellar"), "'cellar' is not a vertex; give a node of the graph"),
        (
            ("probe", "arena.table", "hall", "--ignore-rules"),
            "3 edges; leave out --game and --ignore-rules",
        ),
        (("play", "arena.table"), "there is no start; give a position"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert sentence in result.stderr
    assert run("verify", "arena.table").stdout == (
        "the certificate holds: 3 positions and 3 moves\n"
    )
    assert run("info", "arena.table", "--quiet").stdout == "a graph of 3 vertices and 3 edges\n"
    assert "  win       2\n" in run("info", "arena.table").stdout
    assert json.loads(run("info", "arena.table", "--json").stdout)["table"]["edges"] == 3
    solve_networkx(graph, start="hall").save("begun.table")
    assert run("probe", "begun.table", "--quiet").stdout == "win in 1\n"
    refused = run("explore", "begun.table", "--no-browser")
    assert (refused.exit_code, "'hall' is not made of numbers" in refused.stderr) == (2, True)
    assert run("export", "arena.table", "--csv", "arena.csv").exit_code == 0
    assert "0,hall,win,1,2,exit\n" in (folder / "arena.csv").read_text()
    solution._solved.table.column.stored[0] = 0
    solution.save("wrong.table")
    result = run("verify", "wrong.table", "--memory", "9MB")
    assert result.exit_code == 1
    assert "'hall' is stored as endless draw, but its successors make it win in 1" in result.stdout
    assert json.loads(run("verify", "wrong.table", "--json").stdout)["position"] == "hall"


COUNTING = '''
from dataclasses import dataclass

from zermelo import Game


@dataclass(frozen=True)
class Counting(Game):
    """From minus some number, count up by one or two to zero; whoever cannot loses."""

    def start(self):
        return -5

    def moves(self, n):
        for step in (1, 2):
            if n + step <= 0:
                yield step

    def play(self, n, step):
        return n + step
'''


def test_a_position_may_begin_with_a_minus(run, folder):
    """It is not taken for an option, and mistyped options are still found."""
    (folder / "counting.py").write_text(COUNTING)
    assert run("probe", "counting.py", "-4", "--quiet").stdout == "win in 3\n"
    assert run("probe", "counting.py", "--quiet", "--", "-4").stdout == "win in 3\n"
    assert "there is no option --quite; did you mean" in run("probe", "take-away", "--quite").stderr
