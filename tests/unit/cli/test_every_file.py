"""Every command on every kind of file: an answer, or one sentence and an exit code."""

from __future__ import annotations

import os
import random
import shutil

import networkx as nx
import pytest

import zermelo
from zermelo import graph
from zermelo.games import CatAndMouse, Nim, StoneGame, TakeAway

HOUSE = ((2, 5), (3,), (0, 4, 5), (1, 4, 5), (2, 3), (0, 2, 3))

#: Solutions and proofs, by the name of the file.
SOLVED = {
    "game.table": lambda: zermelo.solve(TakeAway(9)),
    "misere.table": lambda: zermelo.solve(TakeAway(9), misere=True),
    "outcome.table": lambda: zermelo.solve(TakeAway(9), value="outcome"),
    "score.table": lambda: zermelo.solve(StoneGame([5, 3, 4, 5])),
    "plies.table": lambda: zermelo.solve(StoneGame([5, 3, 4, 5]), value="score-and-plies"),
    "nimber.table": lambda: zermelo.solve(Nim([3, 4, 5]), value="nimber"),
    "endless.table": lambda: zermelo.solve(CatAndMouse(HOUSE)),
    "graph.table": lambda: graph.solve_edges([0, 1, 2], [1, 2, 0], 4),
    "named.table": lambda: graph.solve_networkx(nx.DiGraph([("a", "b"), ("b", "c")])),
    "pursuit.table": lambda: zermelo.pursuit([(0, 1), (1, 2), (2, 0), (2, 3)]),
    "win.proof": lambda: zermelo.prove(TakeAway(9)),
    "draw.proof": lambda: zermelo.prove(CatAndMouse(HOUSE), ask="draw"),
    "score.proof": lambda: zermelo.prove(StoneGame([5, 3, 4, 5])),
}

#: Other files, by their content.
OTHERS = {
    "empty": b"",
    "nulls.table": bytes(5000),
    "random.table": random.Random(1).randbytes(5000),
    "mine.py": b"from zermelo import Game\nx = 1\n",
    "object.json": b'{"a": [1, "b", null, 1.5]}',
    "deep.json": b"[" * 100_000,
    "match.json": b'{"record": 1}',
    "bad.gm": b"parity x;\n0 0 0 1",
    "bad.g6": b"\xff\n",
    "bad.tra": b"1 x\n",
}

#: Paths that are no files, or name none.
NOWHERE = ["folder", "missing.table", "game.table/x", "x" * 300, "", " ", "-", "émoji.table"]

#: What is typed; ``{}`` stands for the file.
COMMANDS = [
    "info {}",
    "info {} --json",
    "verify {}",
    "verify {} --json",
    "verify {} --game take-away",
    "verify {} --ignore-rules",
    "probe {}",
    "probe {} --json",
    "probe {} 5",
    "probe {} zz",
    "probe {} [1,2]",
    "probe {} --class",
    "play {} --side neither",
    "play {} --json",
    "play take-away --stones 9 --replay {}",
    "play take-away --stones 9 --resume {}",
    "analyse {} --samples 5",
    "analyse {} --json",
    "export {} --csv out.csv --force",
    "export {} --npz out.npz --force",
    "export {} --portable out.table --force",
    "export game.table --csv {}",
    "evaluate random {}",
    "evaluate {} game.table",
    "evaluate {}:x game.table",
    "solve {}",
    "solve {}:x",
    "solve cat-and-mouse --graph @{}",
    "solve stone-game --piles @{}",
    "solve take-away --stones 3 --table {}",
    "prove {}",
    "prove take-away --stones 9 --save {}",
    "prove take-away --stones 9 --with-table {}",
    "check {}",
    "graph {}",
    "graph {} --json",
    "cops {}",
    "heaps {}",
    "heaps kayles --b-file {}",
    "uci {}",
    "new {}",
    "readers --to {}",
    "games {}",
    "tables --larger {}",
    "explore {} --export game.table",
    "explore empty --export {}",
]

#: By default a command meets one file of so many, and the next command those that come after
#: them, so that each file meets about two commands.
SHARE = 24


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    """A folder with a file of each kind."""
    made = tmp_path_factory.mktemp("files")
    for name, solve in SOLVED.items():
        solve().save(made / name)
    zermelo.solve(TakeAway(9)).save(made / "portable.table", portable=True)
    for name, content in OTHERS.items():
        (made / name).write_bytes(content)
    table = (made / "game.table").read_bytes()
    proof = (made / "win.proof").read_bytes()
    (made / "flipped.table").write_bytes(table[:100] + bytes([table[100] ^ 1]) + table[101:])
    (made / "cut.table").write_bytes(table[:-9])
    (made / "cut.proof").write_bytes(proof[:-9])
    return made


@pytest.fixture
def files(folder, solved, monkeypatch):
    """The names of everything in a copy of that folder, and of what is not there."""
    monkeypatch.setenv("ZERMELO_HOME", str(folder / "home"))
    here = folder / "here"
    shutil.copytree(solved, here)
    monkeypatch.chdir(here)
    names = sorted(path.name for path in here.iterdir())
    (here / "folder").mkdir()
    (here / "link.table").symlink_to("game.table")
    (here / "loop.table").symlink_to("loop.table")
    return [*names, "link.table", "loop.table", *NOWHERE]


@pytest.mark.parametrize(
    "share",
    [
        SHARE,
        pytest.param(4, marks=pytest.mark.slow, id="a quarter"),
        pytest.param(1, marks=pytest.mark.huge, id="all"),
    ],
)
@pytest.mark.parametrize("typed", COMMANDS)
def test_every_command_answers_for_every_file(run, files, typed, share):
    """Nothing raises, and what ends a command is one sentence in the words of the command line."""
    for name in files[COMMANDS.index(typed) % share :: share]:
        words = [word.replace("{}", name) for word in typed.split()]
        result = run(*words)
        ended = result.exception is None or isinstance(result.exception, SystemExit)
        assert ended, (words, result.exception)
        assert result.exit_code in {0, 1, 2}, (words, result.stderr)
        if result.exit_code == 2:
            assert result.stderr.startswith("error: "), (words, result.stderr)
            assert result.stderr.count("\n") == 1, (words, result.stderr)
        for raw in ("Traceback", "KeyError", "OSError", "OverflowError", "Errno"):
            assert raw not in result.stderr, (words, result.stderr)


@pytest.mark.parametrize("name", [*SOLVED, "portable.table", "link.table"])
def test_every_solution_can_be_looked_at(run, files, name):
    """``info`` and ``verify`` take all that ``save`` writes."""
    assert run("info", name).exit_code == 0
    assert run("verify", name).exit_code == 0


@pytest.mark.parametrize("command", ["info", "verify", "probe"])
def test_pipes_are_not_waited_for(run, files, command):
    """A table is read here and there, which a pipe cannot give; to open one may wait for ever."""
    os.mkfifo("pipe.table")
    result = run(command, "pipe.table")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "'pipe.table' cannot be read: " in result.stderr


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("win.proof", ["position     9", "proved       win", "positions    7 in one strategy"]),
        ("draw.proof", ["proved       draw or win"]),
        ("score.proof", ["parameters   --piles 5,3,4,5", "proved       score +1"]),
    ],
)
def test_info_shows_what_a_proof_proves(run, files, name, rows):
    """A proof has no counts; it has a position, and what its strategies get."""
    lines = run("info", name).stdout.splitlines()
    for row in rows:
        assert row in lines


def test_proof_is_not_exported_as_a_page(run, files):
    """A page without a server holds the value of every position."""
    result = run("explore", "draw.proof", "--export", "site")
    assert result.exit_code == 2
    assert "is a proof of one position, so it has no page of every position" in result.stderr


@pytest.mark.parametrize(
    ("command", "remedy"),
    [
        ("analyse named.table", "zermelo analyse needs; look at positions with zermelo probe"),
        ("evaluate random named.table", "zermelo evaluate needs; look at positions with"),
        ("play pursuit.table", "give a position with --from"),
        ("probe pursuit.table", "give a position after the table"),
    ],
)
def test_start_that_is_missing_is_given_where_it_can_be(run, files, command, remedy):
    """A graph has no start, and each command says how it takes a position, or that it does not."""
    assert remedy in run(*command.split()).stderr
