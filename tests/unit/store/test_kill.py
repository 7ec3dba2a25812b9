"""Signals at random moments: the next process goes on, and the file is the same to the byte."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.processes.kills import ALL, LARGER, SOLVER, Case

pytestmark = pytest.mark.timing

TESTS = Path(__file__).parents[2]
#: A case that takes seconds by itself; it is killed where there is time for all.
LONG = "levels of 5x4 on disk"


@contextmanager
def solver(case: Case, path: Path) -> Iterator[Callable[[float | str], tuple[bool, float]]]:
    """Yield what solves a case in a process, and kills it at some moment; see ``SOLVER``."""
    with subprocess.Popen(
        [sys.executable, "-c", SOLVER, case.name, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asks, tells = process.stdin, process.stdout
        assert asks is not None
        assert tells is not None

        def solve(pause: float | str) -> tuple[bool, float]:
            asks.write(f"{pause}\n")
            asks.flush()
            ended, seconds = tells.readline().split()
            return ended == "1", float(seconds)

        yield solve


#: What ends a process, or stops it before.
SIGNALS = ("KILL", "INT", "TERM", "STOP KILL", "STOP CONT", "INT INT", "TERM KILL")


def check_kills(case: Case, moments: int, folder: Path, draw: random.Random) -> None:
    """Kill a solve at so many moments of its life, in one of several ways, going on each time."""

    def some(whole: float) -> str:
        return f"{draw.random() * whole} {draw.choice(SIGNALS)}"

    path, alive = folder / "killed.table", 0
    with solver(case, path) as solve:
        ended, whole = solve(-1)
        assert ended
        plain = path.read_bytes()
        while alive < moments:
            path.unlink()
            ended, seconds = solve(some(whole))
            if ended:  # the first one took longer than the others
                whole = min(whole, seconds)
            alive += not ended
            if not path.exists() and draw.random() < 0.3:
                solve(some(whole))  # and once more while it goes on
            if not path.exists():
                assert solve(-1)[0]
            assert path.read_bytes() == plain
            left = Path(f"{path}.unfinished")
            assert not left.exists() or not list(left.glob("*.stage"))


@pytest.mark.parametrize(
    ("case", "whole"),
    [
        pytest.param(case, whole, marks=marks, id=f"{case}-{whole}")
        for whole, marks in ((30, pytest.mark.slow), (1000, pytest.mark.huge))
        for case in ALL
        if whole == 1000 or case.name != LONG
    ],
)
def test_killed_at_many_moments(case: Case, whole: int, tmp_path: Path) -> None:
    """So many moments over all games and methods, in memory and on disk."""
    moments = -(-whole // len(ALL))
    check_kills(case, moments, tmp_path, random.Random(f"{case.name} {whole}"))


@pytest.mark.slow
@pytest.mark.parametrize("case", LARGER[:3], ids=str)
def test_killed_while_the_table_is_written(case: Case, tmp_path: Path) -> None:
    """In a process on its way through the file, and in the one that goes on, and so on."""
    path, draw = tmp_path / "killed.table", random.Random(case.name)
    kept = Path(f"{path}.unfinished")
    with solver(case, path) as solve:
        assert solve(-1)[0]
        plain = path.read_bytes()
        for _ in range(2):
            path.unlink()
            kills = 0
            while not solve(f"@{draw.randrange(2, 12)}")[0]:
                kills += 1
                assert list(kept.glob("table-*.stage"))
                assert not path.exists()
            assert path.read_bytes() == plain
            assert not kept.exists()
            assert kills
