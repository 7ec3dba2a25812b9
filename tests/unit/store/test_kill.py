"""Signals at random moments: the next process goes on, and the file is the same to the byte."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.processes.kills import ALL, LARGER, SOLVER, Case
from support.sizes import some

pytestmark = pytest.mark.timing

TESTS = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program() -> Iterator[subprocess.Popen[str]]:
    """Start the process that solves all cases, in processes that it forks; see ``SOLVER``."""
    with subprocess.Popen(
        [sys.executable, "-c", SOLVER],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield process


def solver(
    program: subprocess.Popen[str], case: Case, path: Path
) -> Callable[[float | str], tuple[bool, float]]:
    """Return a function that solves a case in a process and kills the process at some moment."""
    asks, tells = program.stdin, program.stdout
    assert asks is not None
    assert tells is not None

    def solve(pause: float | str) -> tuple[bool, float]:
        asks.write(f"{case.name}\t{path}\t{pause}\n")
        asks.flush()
        ended, seconds = tells.readline().split()
        return ended == "1", float(seconds)

    return solve


#: What ends a process, or stops it before.
SIGNALS = ("KILL", "INT", "TERM", "STOP KILL", "STOP CONT", "INT INT", "TERM KILL")


def check_kills(
    case: Case,
    moments: int,
    path: Path,
    solve: Callable[[float | str], tuple[bool, float]],
    draw: random.Random,
) -> None:
    """Kill a solve at so many moments of its life, in one of several ways, going on each time."""

    def moment(whole: float) -> str:
        return f"{draw.random() * whole} {draw.choice(SIGNALS)}"

    ended, whole = solve(-1)
    assert ended
    plain, alive = path.read_bytes(), 0
    while alive < moments:
        path.unlink()
        ended, seconds = solve(moment(whole))
        if ended:  # the first one took longer than the others
            whole = min(whole, seconds)
        alive += not ended
        if not path.exists() and draw.random() < 0.3:
            solve(moment(whole))  # and once more while it goes on
        if not path.exists():
            assert solve(-1)[0]
        assert path.read_bytes() == plain
        left = Path(f"{path}.unfinished")
        assert not left.exists() or not list(left.glob("*.stage"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "whole"),
    [
        *some(
            [pytest.param(case, 30, id=f"{case}-30") for case in ALL if case not in LARGER],
            1000,
            slow=4,
        ),
        *(pytest.param(case, 1000, marks=pytest.mark.huge, id=f"{case}-1000") for case in ALL),
    ],
)
def test_killed_at_many_moments(
    case: Case, whole: int, program: subprocess.Popen[str], tmp_path: Path
) -> None:
    """So many moments over all games and methods, in memory and on disk."""
    moments, path = -(-whole // len(ALL)), tmp_path / "killed.table"
    draw = random.Random(f"{case.name} {whole}")
    check_kills(case, moments, path, solver(program, case, path), draw)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(LARGER[0], marks=pytest.mark.slow),
        pytest.param(LARGER[1], marks=pytest.mark.huge),
        pytest.param(LARGER[2], marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_killed_while_the_table_is_written(
    case: Case, program: subprocess.Popen[str], tmp_path: Path
) -> None:
    """In a process on its way through the file, and in the one that goes on, and so on."""
    path, draw = tmp_path / "killed.table", random.Random(case.name)
    kept, solve = Path(f"{path}.unfinished"), solver(program, case, path)
    assert solve(-1)[0]
    plain = path.read_bytes()
    path.unlink()
    kills = 0
    while not solve(f"@{draw.randrange(10, 40)}")[0]:
        kills += 1
        assert list(kept.glob("table-*.stage"))
        assert not path.exists()
    assert path.read_bytes() == plain
    assert not kept.exists()
    assert kills
