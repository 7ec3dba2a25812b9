"""The certificate by several processes: what one process says, of right and wrong tables."""

from __future__ import annotations

import random
import subprocess
import sys
from unittest import mock

import pytest

import zermelo
from boards import FallingWild, Maker, Misere
from forging import forged
from pretended import Pretended
from sizes import counts, some
from zermelo import limits
from zermelo._cluster import connect, on_mpi
from zermelo.games import ConnectFour, TakeAway

GAMES = [ConnectFour(3, 4, 3), Misere(4, 2, 3), Maker(3, 3, 3), FallingWild(3, 3, 3)]


def pretended(size):
    """Have workers that are no processes."""
    return mock.patch.object(connect, "_transport", return_value=Pretended(size))


def said(solution, **how):
    """Return what is said of a table, or that it is refused."""
    try:
        found = solution.verify(**how)
    except (zermelo.CorruptTableError, zermelo.ClusterError):
        return "refused"
    return found.ok, found.positions, found.moves, found.problem, found.position


@counts(12, 400)
@pytest.mark.parametrize("game", some(GAMES, 4), ids=repr)
def test_whatever_is_forged_the_same_is_said(count, game, tmp_path):
    """Wrong values, positions that are not there, and nothing wrong, with any number of workers."""
    path = tmp_path / "game.table"
    zermelo.solve(game, table=path, value=None)
    rng = random.Random(3)
    heard = set()

    def change(header, parts):
        blocks = parts[rng.choice(("values", "patterns", "values", "present"))]
        block = blocks[rng.randrange(len(blocks))]
        for _ in range(rng.choice((0, 1, 1, 2))):
            block[rng.randrange(len(block))] ^= 1 << rng.randrange(8)

    with limits.using(bitwise=0):
        for _ in range(count):
            try:
                solution = zermelo.open(forged(path, change))
            except zermelo.CorruptTableError:
                continue
            with solution:
                alone = said(solution)
                size = rng.randrange(1, 8)
                with pretended(size):
                    assert said(solution, cluster=f"local[{size}]") == alone
            heard.add(alone[0])
    assert {True, False} <= heard


def test_a_lost_worker_and_a_command(tmp_path):
    """Another looks at its levels; the command has an option for it."""
    path = tmp_path / "four.table"
    solution = zermelo.solve(ConnectFour(4, 4), table=path)
    alone = said(solution)
    lost = [True]
    losing = Pretended(3, lambda unit: lost and unit[0] and lost.pop())
    with mock.patch.object(connect, "_transport", return_value=losing):
        assert said(solution, cluster="local[3]") == alone
    assert not lost
    command = [sys.executable, "-m", "zermelo", "verify", path, "--cluster", "local[2]"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout[:21]) == (0, "the certificate holds")


def test_another_table_there(tmp_path):
    """A worker that finds another file at the path says so."""
    path = tmp_path / "four.table"
    solution = zermelo.solve(ConnectFour(4, 4), table=path)
    solution._solved.table.reader.header["made"] = "elsewhere"
    with (
        pretended(1),
        pytest.raises(zermelo.ClusterError, match=r"is another table there; have all machines"),
    ):
        solution.verify(cluster="local[1]")


def test_mistakes(tmp_path):
    """What cannot be shared is said at once."""
    with pytest.raises(zermelo.ParameterError, match=r"cluster='locl' is not known"):
        zermelo.solve(ConnectFour(4, 4)).verify(cluster="locl")
    with pytest.raises(zermelo.ParameterError, match=r"'placement' in a file can; leave cluster"):
        zermelo.solve(ConnectFour(4, 4)).verify(cluster="local[2]")
    heap = zermelo.solve(TakeAway(20), table=tmp_path / "heap.table")
    with pytest.raises(zermelo.ParameterError, match=r"in a file can; leave cluster out"):
        heap.verify(cluster="local[2]")


def test_what_the_driver_shares(monkeypatch):
    """Under MPI all processes return it, and a process without it says so."""
    sent = []
    world = type("World", (), {"Get_size": lambda _: 2, "send": lambda _, *a, **k: sent.append(a)})
    monkeypatch.setattr(on_mpi, "world", world)
    monkeypatch.setattr(on_mpi, "_waiting", True)
    on_mpi._shared[:] = ["found"]
    on_mpi._release()
    assert sent == [(("end", "found"),)]
    assert connect.result("mpi") is None
    assert connect.result("local[2]") is None
