"""``kill -9`` at random moments: the next process goes on, and the file is the same to the byte."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kills import CASES, SOLVER, Case, eager

TESTS = Path(__file__).parents[2]
#: Cases that need nothing patched, as another process solves them.
PLAIN = [case for case in CASES if case.short is None]


def started(case: Case, path: Path) -> subprocess.Popen[str]:
    """Begin to solve a case in a process of its own; returns when it is about to."""
    process = subprocess.Popen(
        [sys.executable, "-c", SOLVER, case.name, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def killed(case: Case, path: Path, after: float) -> bool:
    """Kill a process that solves, so many seconds after it began; return whether it had ended."""
    with started(case, path) as process:
        time.sleep(after)
        ended = process.poll() is not None
        process.send_signal(signal.SIGKILL)
    return ended


def check_kills(case: Case, moments: int, folder: Path, draw: random.Random) -> int:
    """Kill a solve at so many moments, going on each time; return how many kills met it alive."""
    plain, path = folder / f"{case.name}.plain", folder / f"{case.name}.table"
    with eager():
        case.solve(plain)
    began = time.monotonic()
    with started(case, path) as process:
        process.wait()
    whole = time.monotonic() - began
    alive = 0
    for _ in range(moments):
        path.unlink(missing_ok=True)
        alive += not killed(case, path, draw.random() * whole)
        if draw.random() < 0.3:  # and once more while it goes on
            killed(case, path, draw.random() * whole)
        if not path.exists():
            with eager():
                case.solve(path)
        assert path.read_bytes() == plain.read_bytes()
        left = Path(f"{path}.unfinished")
        assert not left.exists() or not list(left.glob("*.stage"))
    return alive


def test_killed_at_some_moments(tmp_path: Path) -> None:
    """A few moments of one game; the slow tests have a hundred of several."""
    case = next(case for case in PLAIN if case.name == "retrograde")
    check_kills(case, 3, tmp_path, random.Random(1))


@pytest.mark.slow
@pytest.mark.parametrize("case", PLAIN, ids=str)
def test_killed_at_a_hundred_moments(case: Case, tmp_path: Path) -> None:
    """A hundred and more moments over all of these games and methods."""
    moments = -(-100 // len(PLAIN))
    assert check_kills(case, moments, tmp_path, random.Random(case.name)) >= moments // 2
