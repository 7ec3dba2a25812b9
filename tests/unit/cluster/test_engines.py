"""Solves on Ray and under MPI: the same tables, and what is said where they cannot be."""

from __future__ import annotations

import os
import subprocess
import sys
import types
from pathlib import Path

import pytest

import zermelo
from support.processes.lost_workers import AT_RAY_UNITS
from zermelo.games import ConnectFour

pytestmark = pytest.mark.timing

SOLVE = """
import sys
import zermelo
from zermelo import limits
from zermelo.games import ConnectFour

with limits.using(sharing=0):
    how = {"memory": "100MB", "threads": 1, "cluster": sys.argv[2]}
    print(zermelo.solve(ConnectFour(4, 4), table=sys.argv[1], **how).value)
"""

KILLING = """
at_units(after=lambda number, kill: kill() if number in (5, 33) else None)
"""


def alone(tmp_path):
    """Return the bytes of the table that one process makes."""
    path = tmp_path / "alone.table"
    zermelo.solve(ConnectFour(4, 4), table=path, memory="100MB", threads=1)
    return path.read_bytes()


def run(*command, **how):
    """Run a command as a process of its own; return what it has printed."""
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL
    )
    assert done.returncode == how.get("code", 0), done.stderr[-3000:]
    return done.stdout + (done.stderr if how.get("code") else "")


@pytest.mark.slow
def test_ray(tmp_path):
    """Two actors; twice on the way one is killed."""
    pytest.importorskip("ray")
    path = tmp_path / "ray.table"
    script = AT_RAY_UNITS + KILLING + SOLVE
    assert run(sys.executable, "-c", script, path, "ray[2]") == "tie in 16\n"
    assert path.read_bytes() == alone(tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["alone.table", "ray.table"]


@pytest.mark.slow
def test_mpi(tmp_path):
    """Each process has the solution; on the command line the first one alone answers."""
    pytest.importorskip("mpi4py")
    path = tmp_path / "mpi.table"
    mpirun = [Path(sys.executable).with_name("mpirun"), "-n", "3", "--oversubscribe"]
    mpirun += ["--allow-run-as-root"] * (os.geteuid() == 0)
    assert run(*mpirun, sys.executable, "-c", SOLVE, path, "mpi") == 3 * "tie in 16\n"
    assert path.read_bytes() == alone(tmp_path)
    path.unlink()
    command = [*mpirun, sys.executable, "-m", "zermelo", "solve", "connect-four"]
    command += ["--width", "4", "--height", "4", "--table", path, "--cluster", "mpi", "--quiet"]
    assert run(*command) == "tie in 16\n"
    assert zermelo.open(path).counts().positions == 161029
    assert "already exists" in run(*command, code=2)
    listed = tmp_path / "listed.table"
    zermelo.solve(ConnectFour(4, 4), table=listed, method="levels")
    verify = [*mpirun, sys.executable, "-m", "zermelo", "verify", listed, "--cluster", "mpi"]
    assert run(*verify) == "the certificate holds: 161,029 positions and 304,574 moves\n"
    data = bytearray(listed.read_bytes())
    data[len(data) // 2] ^= 1
    listed.write_bytes(data)
    assert "damaged" in run(*verify, code=2)


@pytest.mark.slow
def test_mpi_with_one_process(tmp_path):
    """There is no worker, and a sentence on how to have some."""
    pytest.importorskip("mpi4py")
    command = [sys.executable, "-m", "zermelo", "solve", "connect-four", "--cluster", "mpi"]
    said = run(*command, "--table", tmp_path / "mpi.table", code=2)
    assert "cluster='mpi' has one process" in said or "--cluster mpi has one process" in said
    assert "mpirun -n 3" in said


@pytest.mark.slow
def test_a_ray_cluster_that_is_not_there(tmp_path):
    """The error says at which address."""
    pytest.importorskip("ray")
    said = run(
        *(sys.executable, "-m", "zermelo", "solve", "connect-four", "--width", "4", "--height"),
        *("4", "--table", tmp_path / "ray.table", "--cluster", "ray://127.0.0.1:9"),
        code=2,
    )
    assert "no Ray cluster answers at 'ray://127.0.0.1:9'" in said


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ConnectionError("nobody there\nat all"),
            "environment says: nobody there; give the address",
        ),
        (None, "says: no token was found; set RAY_AUTH_MODE=token, and have the cluster's token"),
    ],
)
def test_a_cluster_that_refuses(error, said, tmp_path, monkeypatch):
    """What Ray says is told in a sentence, and what to do where a token is missing."""

    class RayError(Exception):
        """As Ray's."""

    def init(**_):
        raise error or RayError("no token was found")

    ray = types.SimpleNamespace(
        is_initialized=lambda: False,
        init=init,
        exceptions=types.SimpleNamespace(RayError=RayError),
    )
    monkeypatch.setitem(sys.modules, "ray", ray)
    with pytest.raises(zermelo.ClusterError, match=said):
        zermelo.solve(ConnectFour(4, 4), table=tmp_path / "four.table", cluster="ray")


@pytest.mark.parametrize(("word", "package", "extra"), [("ray", "ray", "cluster"), ("mpi",) * 3])
def test_an_engine_that_is_not_installed(word, package, extra, tmp_path, monkeypatch):
    """The error names the extra."""
    monkeypatch.setitem(sys.modules, "mpi4py" if package == "mpi" else package, None)
    with pytest.raises(zermelo.MissingExtraError, match=rf"zermelo\[{extra}\]"):
        zermelo.solve(ConnectFour(4, 4), table=tmp_path / "four.table", cluster=word)
    assert not list(tmp_path.iterdir())
