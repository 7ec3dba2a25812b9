"""A search that is killed, or stopped, goes on from its table; another search's is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import zermelo
from support.games.strategies import RING
from support.processes import kills
from support.processes.kills import eager
from support.sizes import counts
from zermelo import BudgetError, StaleTableError, TableBusyError, TableWriteError, limits
from zermelo.cli import main
from zermelo.games import ConnectFour, TakeAway

# Each compiles a search.
pytestmark = [pytest.mark.slow, pytest.mark.timing]

#: A program that proves a game in processes that it forks, and kills each after it has written one
#: to three checkpoints. The last is left alone. Each that ends says what it found.
PROVER = """
import os, signal, sys
from pathlib import Path
import zermelo
from zermelo.games import ConnectFour
from support.processes.kills import eager
from zermelo import limits

game = ConnectFour(5, 5)
folder, kills = Path(sys.argv[1]), int(sys.argv[2])
zermelo.prove(game, nodes=10, memory="100MB", threads=1)
stage = folder / "search.stage"

def written():
    try:
        return stage.stat().st_mtime_ns
    except OSError:
        return 0

with eager(), limits.using(at_once=1 << 14):
    for n in range(kills + 1):
        before, left = written(), 1 + n % 3
        child = os.fork()
        if child == 0:
            proof = zermelo.prove(game, checkpoint=folder, memory="100MB", threads=1)
            print("found", int(proof.value.outcome), proof.nodes, bool(proof.verify()), flush=True)
            os._exit(0)
        while n < kills and left and os.waitpid(child, os.WNOHANG)[0] == 0:
            if written() != before:
                before, left = written(), left - 1
        if n < kills:
            try:
                os.kill(child, signal.SIGKILL)
                _, status = os.waitpid(child, 0)
                print("killed", status, flush=True)
            except (ProcessLookupError, ChildProcessError):
                print("ended", flush=True)
        else:
            os.waitpid(child, 0)
"""


def proved(game, checkpoint, **how):
    """Prove with little memory, and every checkpoint written."""
    with eager():
        return zermelo.prove(game, checkpoint=checkpoint, memory="100MB", threads=1, **how)


@counts(None, 2, 40)
def test_a_search_that_is_killed_goes_on(tmp_path, count):
    """Whenever that is, the next process finds the last checkpoint whole, and the same value."""
    path = tmp_path / "five.search"
    place = str(Path(kills.__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([place, *sys.path])}
    given = [sys.executable, "-c", PROVER, str(path), str(count)]
    said = subprocess.run(given, capture_output=True, text=True, env=environment, check=True)
    words = [line.split() for line in said.stdout.splitlines()]
    assert ["killed", "9"] in words
    assert words[-1][:2] == ["found", "0"]
    assert words[-1][3] == "True"
    again = proved(ConnectFour(5, 5), path)
    assert (int(again.value.outcome), again.nodes) == (0, int(words[-1][2]))


def test_a_limit_leaves_the_table(tmp_path):
    """Each call goes on where the last one stopped, and counts all that was visited."""
    path, game = tmp_path / "four.search", ConnectFour(5, 4)
    proofs = [proved(game, path, nodes=4000)]
    while not proofs[-1].is_complete:
        proofs.append(proved(game, path, nodes=4000))
    assert all(one.nodes < other.nodes for one, other in pairwise(proofs))
    assert len(proofs) > 3
    assert str(proofs[-1]) == "draw"
    assert proofs[-1].verify()
    assert proved(game, path).nodes == proofs[-1].nodes


def test_remoteness_and_cycles_are_kept(tmp_path):
    """The tables of every search that a question takes, and what each has found."""
    game = TakeAway(stones=41, limit=3)
    while True:
        proof = proved(game, tmp_path / "far.search", remoteness=True, nodes=150)
        if proof.is_complete:
            break
    assert str(proof) == "win in 21"
    assert proof.verify()
    for _ in range(500):
        proof = proved(RING, tmp_path / "round.search", nodes=7)
        if proof.is_complete:
            break
    assert str(proof) == "draw"
    assert "positions can repeat" in proof.choice
    assert proof.verify()


def test_the_search_that_is_asked_for_is_kept(tmp_path):
    """The same call goes on, with its table; without it, another search would."""
    path, how = tmp_path / "a.search", {"search": "proof-number"}
    alone = zermelo.prove(RING, memory="100MB", **how)
    first = proved(RING, path, nodes=alone.nodes // 2, **how)
    proof = proved(RING, path, **how)
    assert (first.is_complete, str(proof)) == (False, "draw")
    assert proof.nodes - first.nodes < alone.nodes
    assert proof.choice == "proof-number search, as was asked for"
    with pytest.raises(StaleTableError, match="holds a search with search='proof-number'"):
        proved(RING, path)


def test_an_interruption_leaves_the_table(tmp_path):
    """Ctrl-C ends the search, with what is known, and the next call goes on."""
    path, game = tmp_path / "four.search", ConnectFour(5, 4)

    def told(event):  # by then it is known that it is a draw, but not how far the end is
        if event.done > 0 and not event.finished:
            raise KeyboardInterrupt

    how = {"checkpoint": path, "memory": "100MB", "threads": 1, "remoteness": True}
    with eager():
        proof = zermelo.prove(game, progress=told, **how)
    assert not proof.is_complete
    assert "it was interrupted" in proof.choice
    assert zermelo.prove(game, nodes=1000, **how).nodes > proof.nodes > 0


def test_a_damaged_table_is_begun_again(tmp_path):
    """A checkpoint of which a byte is not as it was written counts as not there."""
    path, game = tmp_path / "four.search", ConnectFour(5, 4)
    proved(game, path, nodes=4000)
    stage = path / "search.stage"
    data = bytearray(stage.read_bytes())
    data[len(data) // 2] ^= 1
    stage.write_bytes(data)
    proof = proved(game, path, nodes=100)
    assert proof.nodes == 100


def test_the_table_of_another_search_is_refused(tmp_path):
    """By what is other about it, and what is there stays."""
    path, game = tmp_path / "four.search", ConnectFour(5, 4)
    first = proved(game, path, nodes=16_000)
    later = game.play(game.start(), 0)
    for other, how, said in (
        (game, {"ask": "win"}, "holds a search that asks 'value'; repeat the original question"),
        (game, {"search": "alpha-beta"}, "holds a search with search=None"),
        (game, {"remoteness": True}, "holds a search with remoteness=False"),
        (game, {"position": later}, "holds a search from {'mine': 0"),
        (ConnectFour(4, 4, 3), {}, "holds a search with the parameters {'width': 5"),
        (TakeAway(), {}, "holds a search of ConnectFour"),
    ):
        with pytest.raises(StaleTableError, match=said):
            proved(other, path, **how)
    document = json.loads((path / "identity.json").read_text())
    document["identity"]["rules"] = "0"
    changed = tmp_path / "changed.search"
    changed.mkdir()
    (changed / "identity.json").write_text(json.dumps(document))
    with pytest.raises(StaleTableError, match="by rules that have changed since"):
        proved(game, changed)
    with pytest.raises(BudgetError, match="allow more memory"), eager():
        zermelo.prove(game, checkpoint=path, memory="10kB")
    assert proved(game, path).nodes > first.nodes


def test_what_is_no_folder_of_a_search_is_left_alone(tmp_path):
    """Files and folders of somebody else, and a folder that another process has."""
    (tmp_path / "mine").write_text("mine")
    for path in (tmp_path, tmp_path / "mine"):
        with pytest.raises(TableWriteError, match="is not the folder of a search"):
            proved(TakeAway(), path)
    with pytest.raises(TableWriteError, match=r"there is no folder .*; create it first"):
        proved(TakeAway(), tmp_path / "none" / "a.search")

    def told(event):
        with pytest.raises(TableBusyError, match=r"a\.search' is being written by process"):
            proved(TakeAway(), tmp_path / "a.search")

    proved(TakeAway(), tmp_path / "a.search", progress=told)


def test_checkpoints_take_little_of_the_time(tmp_path):
    """None is written in the first seconds, except at the end."""
    stage, before = tmp_path / "a" / "search.stage", []
    with limits.using(checkpoint_seconds=1e9):
        zermelo.prove(
            ConnectFour(5, 4),
            checkpoint=tmp_path / "a",
            memory="100MB",
            threads=1,
            progress=lambda event: before.append(stage.exists()),
        )
    assert set(before) == {False}
    assert stage.exists()


def test_the_command_resumes(tmp_path):
    """The same command goes on, and says how to."""
    path = str(tmp_path / "four.search")
    given = ["prove", "connect-four", "--checkpoint", path]
    result = CliRunner().invoke(main, [*given, "--nodes", "3000"])
    assert result.exit_code == 1
    assert f"zermelo prove connect-four --checkpoint {path}" in result.stdout
    result = CliRunner().invoke(main, [*given, "--quiet"])
    assert (result.exit_code, result.stdout) == (0, "draw\n")
