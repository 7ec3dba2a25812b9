"""A network that falls apart: two nodes of a Ray cluster, each in a network of its own."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import zermelo
from support.processes.lost_workers import AT_RAY_UNITS
from zermelo.games import ConnectFour

pytestmark = pytest.mark.timing

HEAD, OTHER, PORT = "10.77.0.1", "10.77.0.2", 6399

SOLVE = """
import subprocess
import sys
import zermelo
from zermelo import limits
from zermelo.games import ConnectFour

def cut(number):
    if number == 20:
        subprocess.run(["ip", "link", "set", sys.argv[2], "down"], check=True)
        print("the network is cut")

at_units(before=cut)
how = {"memory": "100MB", "threads": 1, "cluster": "ray"}
with limits.using(sharing=0):
    told = []
    how["progress"] = lambda event: event.phase == "cluster" and told.append(event.detail)
    print(zermelo.solve(ConnectFour(4, 4), table=sys.argv[1], **how).value, told[-1])
"""


def run(*command):
    """Run a command to its end; return what it printed."""
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL
    )
    return done.stdout


@pytest.fixture
def nodes():
    """Two networks with one link, and the names of the networks and of the first end."""
    if os.geteuid() or not shutil.which("ip"):
        pytest.skip("networks can be made by root alone, with ip")
    names = [f"zermelo{os.getpid()}{end}" for end in "ab"]
    ends = [f"z{os.getpid() % 10**8}{end}" for end in "ab"]
    try:
        for name in names:
            run("ip", "netns", "add", name)
        one, other = (("name", end, "netns", name) for end, name in zip(ends, names, strict=True))
        run("ip", "link", "add", *one[1:], "type", "veth", "peer", *other)
        for name, end, address in zip(names, ends, (HEAD, OTHER), strict=True):
            run("ip", "-n", name, "addr", "add", f"{address}/24", "dev", end)
            for link in ("lo", end):
                run("ip", "-n", name, "link", "set", link, "up")
        yield *names, ends[0]
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no networks can be made here: {error.stderr}")
    finally:
        for name in names:
            found = subprocess.run(
                ["ip", "netns", "pids", name], check=False, capture_output=True, text=True
            )
            for number in found.stdout.split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(number), signal.SIGKILL)
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@pytest.mark.slow
def test_a_network_that_falls_apart(tmp_path, nodes, monkeypatch):
    """Workers on the first node do what the second had, whether or not Ray misses it before."""
    pytest.importorskip("ray")
    first, second, end = nodes
    ray = str(Path(sys.executable).with_name("ray"))
    small = ["--num-cpus=1", "--object-store-memory=100000000"]
    # Nobody else reaches these networks; the nodes are given up after six seconds, not thirty.
    for name, value in {
        "RAY_AUTH_MODE": "disabled",
        "RAY_ADDRESS": f"{HEAD}:{PORT}",
        "RAY_health_check_period_ms": "2000",
        "RAY_health_check_timeout_ms": "4000",
        "RAY_health_check_failure_threshold": "3",
    }.items():
        monkeypatch.setenv(name, value)
    alone = tmp_path / "alone.table"
    zermelo.solve(ConnectFour(4, 4), table=alone, memory="100MB", threads=1)
    path = tmp_path / "game.table"
    with tempfile.TemporaryDirectory(prefix="z", ignore_cleanup_errors=True) as place:
        begin = [ray, "start", "--head", f"--node-ip-address={HEAD}", f"--port={PORT}"]
        begin += ["--include-dashboard=false", f"--temp-dir={place}"]
        run("ip", "netns", "exec", first, *begin, *small)
        begin = [ray, "start", f"--address={HEAD}:{PORT}", f"--node-ip-address={OTHER}"]
        run("ip", "netns", "exec", second, *begin, *small)
        program = [sys.executable, "-c", AT_RAY_UNITS + SOLVE]
        said = run("ip", "netns", "exec", first, *program, path, end)
    assert said.splitlines()[0] == "the network is cut"
    assert said.splitlines()[-1].startswith("tie in 16 worker 0")
    assert path.read_bytes() == alone.read_bytes()
