"""The command that runs the benchmarks. How fast anything is, is not tested."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

AGREE = """
from benchmarks.measure import FailedError, Sample
from benchmarks.report import agree

right, wrong = (Sample(1.0, 0.0, 1.0, None, {"positions": n, "seconds": n}) for n in (1, 2))
agree(right, right)
try:
    agree(right, wrong, "positions")
except FailedError as error:
    print(error)
"""


def python(*arguments):
    """Run Python in the root of the repository; return what ended."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False, text=True
    )


def benchmarks(folder, *names):
    """Run some benchmarks quickly; return what they saved."""
    saved = folder / "results.json"
    only = [argument for name in names for argument in ("--only", name)]
    done = python("-m", "benchmarks", "--quick", "--json", str(saved), *only)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(saved.read_text())


def test_a_benchmark_saves_its_ratio_and_the_machine(tmp_path):
    """A quick run saves rows with ratios, and a machine without paths."""
    saved = benchmarks(tmp_path, "import")
    (row,) = saved["rows"]
    assert row["name"] == "import"
    assert row["against"][0]["ratio"] > 0
    assert saved["quick"]
    assert set(saved["machine"]) >= {"cpu", "cores", "memory_gib", "python", "numpy", "numba"}
    assert not any(str(value).startswith("/") for value in saved["machine"].values())


def test_another_answer_than_the_rival_s_is_a_failure():
    """A row whose rival finds something else fails, and says what both found."""
    done = python("-c", AGREE)
    assert done.stdout.strip() == (
        "the answers differ: ours {'positions': 1}, the baseline's {'positions': 2}"
    )


def test_an_unknown_benchmark_is_refused():
    """A name that is none ends with 2 and lists those there are."""
    done = python("-m", "benchmarks", "--only", "sudoku")
    assert done.returncode == 2
    assert "connect-four" in done.stderr


@pytest.mark.slow
def test_every_benchmark_runs(tmp_path):
    """Every benchmark runs in its smallest size, and all answers agree."""
    saved = benchmarks(tmp_path)
    assert saved["failures"] == {}
    names = {row["name"] for row in saved["rows"]}
    assert names >= {"cold-start", "small-games", "cat-and-mouse", "connect-four-4x3", "probe"}
