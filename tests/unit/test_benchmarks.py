"""The command that runs the benchmarks. How fast anything is, is not tested."""

from __future__ import annotations

import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "performance.json"
PAGE = ROOT / "docs" / "explanation" / "performance.md"


def python(*arguments):
    """Run Python in the root of the repository; return what ended."""
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, check=False, text=True
    )


@pytest.fixture
def root(monkeypatch):
    """Import the benchmarks from the root of the repository."""
    monkeypatch.syspath_prepend(ROOT)


def benchmarks(folder, *names):
    """Run some benchmarks quickly; return what they saved."""
    saved = folder / "results.json"
    only = ["--only", *names] if names else []
    done = python("-m", "benchmarks", "--quick", "--json", str(saved), *only)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(saved.read_text())


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The file of a quick run of two benchmarks."""
    folder = tmp_path_factory.mktemp("benchmarks")
    benchmarks(folder, "import", "stone-game")
    return folder / "results.json"


@pytest.mark.slow
def test_a_benchmark_saves_its_ratio_and_the_machine(results):
    """A quick run saves rows with ratios, and a machine without paths."""
    saved = json.loads(results.read_text())
    (row,) = (row for row in saved["rows"] if row["benchmark"] == "import")
    assert row["name"] == "import"
    assert row["against"][0]["ratio"] > 0
    assert saved["quick"]
    assert set(saved["machine"]) >= {"cpu", "cores", "memory_gib", "python", "numpy", "numba"}
    assert not any(str(value).startswith("/") for value in saved["machine"].values())


@pytest.mark.slow
def test_a_row_says_what_the_work_took_and_what_of(results):
    """Work, CPU and wall seconds, peak memory, units a core-second and a ratio stand in a row."""
    saved = json.loads(results.read_text())
    rows = {row["name"]: row for row in saved["rows"] if row["benchmark"] != "import"}
    assert {row["unit"] for row in rows.values()} == {"positions"}
    for row in rows.values():
        assert row["work"]
        assert min(row["cpu"], row["wall"], row["each_second"], row["against"][0]["ratio"]) > 0
    assert rows["stone-game"]["peak"] >= 0


def test_the_performance_page_is_made_of_the_saved_results(root):
    """No figure stands on the page that is not in the file it is made of."""
    from benchmarks.page import page

    assert page(json.loads(RESULTS.read_text())) == PAGE.read_text(encoding="utf-8")


def test_saved_results_are_of_a_whole_run_and_name_nobody(root):
    """They come from all benchmarks at full size, and do not say whose machine it was."""
    text = RESULTS.read_text(encoding="utf-8")
    saved = json.loads(text)
    assert not saved["quick"]
    assert saved["failures"] == {}
    from benchmarks.__main__ import BENCHMARKS

    assert {row["benchmark"] for row in saved["rows"]} == set(BENCHMARKS)
    assert "/" not in "".join(str(value) for value in saved["machine"].values())
    assert len(platform.node()) < 4 or platform.node() not in text


@pytest.mark.slow
def test_rows_are_replaced_one_benchmark_at_a_time(results, tmp_path):
    """A file keeps what it has of others than ``--only``; another machine's is refused."""
    before = json.loads(results.read_text())
    assert {row["benchmark"] for row in before["rows"]} == {"import", "stone-game"}
    shutil.copy(results, tmp_path)
    saved = benchmarks(tmp_path, "import")
    assert [row["name"] for row in saved["rows"]] == [row["name"] for row in before["rows"]]
    for old, new in zip(before["rows"], saved["rows"], strict=True):
        assert (old == new) == (old["benchmark"] != "import")
    assert list(saved["seconds"]) == list(before["seconds"])
    assert min(saved["seconds"].values()) > 0
    saved["machine"]["cores"] += 1
    (tmp_path / "results.json").write_text(json.dumps(saved))
    done = python(
        "-m", "benchmarks", "--quick", "--only", "import", "--json", str(tmp_path / "results.json")
    )
    assert done.returncode == 2
    assert "another machine" in done.stderr


@pytest.mark.slow
def test_no_page_is_made_of_a_quick_run(results):
    """Figures of a quick run are not for publishing, and the command says so."""
    done = python("-m", "benchmarks", "page", str(results))
    assert done.returncode == 1
    assert "whole run" in done.stderr


def test_another_answer_than_the_rival_s_is_a_failure(root):
    """A row whose rival finds something else fails, and says what both found."""
    from benchmarks.measure import FailedError, Sample
    from benchmarks.report import agree

    right, wrong = (Sample(1.0, 0.0, 1.0, None, {"positions": n, "seconds": n}) for n in (1, 2))
    agree(right, right)
    said = "the answers differ: ours {'positions': 1}, the baseline's {'positions': 2}"
    with pytest.raises(FailedError) as caught:
        agree(right, wrong, "positions")
    assert str(caught.value) == said


def test_an_unknown_benchmark_is_refused():
    """A name that is none ends with 2 and lists those there are."""
    done = python("-m", "benchmarks", "--only", "sudoku")
    assert done.returncode == 2
    assert "connect-four" in done.stderr


@pytest.mark.parametrize(
    "only",
    [
        pytest.param(("connect-four",), marks=pytest.mark.slow, id="one"),
        pytest.param((), marks=pytest.mark.huge, id="all"),
    ],
)
def test_every_benchmark_runs(only, tmp_path):
    """Every benchmark runs in its smallest size, and all answers agree: ten minutes for all."""
    saved = benchmarks(tmp_path, *only)
    assert saved["failures"] == {}
    rows = {row["name"] for row in saved["rows"]}
    assert rows >= {"connect-four-4x3"}
    if not only:
        assert rows >= {
            "cat-and-mouse",
            "cold-start",
            "cold-start-connect-four",
            "small-games",
            "probe",
        }
