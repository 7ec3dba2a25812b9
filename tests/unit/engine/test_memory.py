"""What a solve really takes, against what it is allowed: measured in processes of their own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.processes import footprint
from support.sizes import some

pytestmark = [
    pytest.mark.timing,
    pytest.mark.skipif(
        not footprint.RESET.exists(), reason="only Linux tells what a process has taken"
    ),
]

#: What a solve may take besides, of any budget: stacks of threads, and what Python keeps.
BESIDES = 600_000

#: What buffers of one size for all games may be estimated at, though a toy does not fill them.
BUFFERS = 5_000_000

FAST = [
    ("pursuit", 1500, ["all", "14MB", "10MB", "3MB"], ["times on disk"]),
    ("retrograde", 40, ["all", "5MB", "3MB", "2MB", "1MB"], ["rounds over", "running the rules"]),
    ("horizon", 40, ["all", "3MB", "2.4MB", "1MB"], ["running the rules"]),
    ("sweep", 4, ["all", "6MB", "4MB", "2MB"], ["level by level"]),
    (
        "whole levels",
        40,
        ["all", "7.3MB", "6.5MB", "4MB", "2MB"],
        ["transposed in about", "the transposed moves do not fit"],
    ),
    ("levels", 4, ["all", "10MB", "4MB", "2MB"], ["on disk"]),
    ("placement", 4, ["all", "10MB", "3MB", "1MB"], ["on disk"]),
    ("scores", 40, ["all", "9MB", "5MB", "3MB"], ["running the rules"]),
    ("swept scores", 900, ["all", "20MB", "15MB", "6MB"], ["level by level"]),
    (
        "graph",
        400,
        ["all", "19MB", "13MB", "4MB", "1MB"],
        ["edges reversed in about", "rounds over"],
    ),
]

#: What takes a minute and more, or what smaller ones show as well.
LONG = [
    ("dense rounds", 60, ["all", "4MB", "2MB"], ["rounds, because"]),
    ("dense", 9, ["all", "14MB", "3.5MB"], ["tiers by", "of them in rounds", "39 rounds"]),
    ("sweep", 5, ["all", "150MB", "60MB", "30MB"], ["level by level"]),
    ("retrograde", 75, ["all", "29MB", "17MB", "12MB"], ["rounds over", "running the rules"]),
    ("levels", 5, ["all", "30MB", "13MB"], ["on disk"]),
    ("placement", 5, ["all", "50MB", "20MB"], ["on disk"]),
    ("scores", 60, ["all", "24MB", "15MB"], ["running the rules"]),
    ("graph", 4_000, ["all", "180MB", "120MB", "30MB"], ["edges reversed in about", "rounds over"]),
    ("pursuit", 6_000, ["all", "250MB", "150MB", "60MB"], ["times on disk"]),
]
LONG_KEPT = [
    ("kept placement", 5, ["100MB", "50MB", "20MB"]),
    ("kept graph", 60, ["14MB", "9MB"]),
    ("kept pursuit", 1500, ["14MB", "6MB", "3MB"]),
    ("copied table", 5, ["20MB", "5MB", "1MB"]),
    ("npz", 4, ["20MB", "8MB", "4MB"]),
    ("verified placement", 6, ["100MB", "40MB", "20MB", "12MB"]),
    ("kept levels", 5, ["60MB", "30MB", "13MB"]),
    ("kept scores", 60, ["30MB", "15MB"]),
    ("npz", 5, ["20MB", "8MB", "4MB"]),
    ("saved levels", 5, ["60MB", "20MB", "8MB", "2MB"]),
    ("saved scores", 60, ["30MB", "10MB", "3MB"]),
    ("parquet of slots", 60, ["40MB", "15MB"]),
    ("csv of scores", 60, ["60MB", "20MB", "6MB"]),
    ("verified dense", 9, ["8MB", "5.5MB", "2MB"]),
    ("verified pursuit", 3_000, ["30MB", "20MB", "14MB", "4MB"]),
    ("analysed levels", 4, ["60MB", "20MB", "6MB", "2MB"]),
    ("csv", 4, ["60MB", "10MB", "3MB", "1MB"]),
    ("parquet", 4, ["60MB", "30MB", "12MB", "5MB"]),
]

KEPT = [
    ("kept levels", 4, ["20MB", "10MB", "4MB"]),
    ("verified levels", 4, ["20MB", "10MB", "4MB", "1MB"]),
    ("verified pursuit", 3_000, ["30MB", "14MB"]),
    ("saved graph", 60, ["14MB", "6MB", "2MB"]),
    ("analysed levels", 4, ["60MB", "6MB"]),
    ("csv", 4, ["60MB", "3MB"]),
    ("parquet", 4, ["60MB", "12MB"]),
]

#: As much memory as no toy needs, but said, so that what is freed goes back to the system.
PLENTY = "1000MB"

#: What may follow a solve, of heaps, a ring and a graph, and within what.
HEAPS = {
    "verify": ["30MB", "8MB"],
    "save": ["14MB", "5MB"],
    "export": ["60MB", "20MB", "6MB"],
}
RING = {"verify": ["10MB"], "save": ["3MB"]}
EDGES = {"verify": ["8MB", "5MB"], "save": ["5MB", "3MB"], "export": ["8MB", "5MB"]}

AFTER = [
    ("after retrograde", 75, RING),
    ("after graph", 1000, EDGES),
    *(
        pytest.param(*case, marks=pytest.mark.huge)
        for case in (
            ("after scores", 90, {**HEAPS, "analyse": ["160MB", "120MB", "30MB"]}),
            ("after nimbers", 90, {**HEAPS, "analyse": ["120MB", "100MB", "30MB"]}),
            ("after retrograde", 75, {"verify": ["25MB"], "save": ["12MB"]}),
            ("after retrograde", 75, {"analyse": ["30MB", "8MB"], "export": ["40MB", "20MB"]}),
            ("after graph", 1000, {"analyse": ["120MB", "100MB"]}),
        )
    ),
]

#: Millions of positions each.
LARGE = [
    ("after retrograde", 130),
    ("after levels", 5),
    ("after scores", 150),
    ("after nimbers", 150),
    ("after graph", 4000),
]


def amount(text: str) -> int:
    """Return the bytes of an amount such as 1.5MB."""
    return int(float(text.removesuffix("MB")) * 1_000_000)


def footprints(case, size, threads, memories):
    """Return what each took, measured once more where that was too much.

    What else the system does for a process in those seconds is counted with it.
    """
    program = [sys.executable, str(Path(footprint.__file__)), case, str(size), str(threads)]
    for _ in range(2):
        done = subprocess.run([*program, *memories], capture_output=True, text=True, check=True)
        found = json.loads(done.stdout)
        amounts = [memory.rpartition(":")[2] for memory in memories]
        if all(
            text == "all" or each["taken"] <= 1.05 * amount(text) + BESIDES
            for text, each in zip(amounts, found, strict=True)
        ):
            break
    return found


def keeps_within(case, size, memories, ways, threads):
    """Assert that each solve took what it may, found the same, and did all of these."""
    free, *within = footprints(case, size, threads, memories)
    assert free["taken"] <= 1.05 * free["reckoned"] + BESIDES
    assert free["reckoned"] <= 1.5 * free["taken"] + BUFFERS
    choices = [free["choice"]]
    for memory, found in zip(memories[1:], within, strict=True):
        assert found["taken"] <= 1.05 * amount(memory) + BESIDES, found
        if "refusal" in found:
            assert found["needed"] > amount(memory)
            continue
        assert found["digest"] == free["digest"], found
        assert found["taken"] <= 1.05 * found["reckoned"] + BESIDES, found
        assert found["reckoned"] <= amount(memory), found
        choices.append(found["choice"])
    for way in ways:
        assert any(way in choice for choice in choices), choices


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "size", "memories", "ways"),
    some(FAST, 16),
    ids=[f"{case[0]} {case[1]}" for case in FAST],
)
def test_a_solve_takes_no_more_than_it_is_allowed(case, size, memories, ways):
    """Within a twentieth, whether it fits, does with less, or is refused; the table is the same."""
    keeps_within(case, size, memories, ways, threads=2)


@pytest.mark.huge
@pytest.mark.parametrize(
    ("case", "size", "memories", "ways"), LONG, ids=[f"{case[0]} {case[1]}" for case in LONG]
)
def test_a_large_solve_takes_no_more_than_it_is_allowed(case, size, memories, ways):
    """The same of solves that take up to hundreds of megabytes."""
    keeps_within(case, size, memories, ways, threads=2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "size", "memories"),
    [*KEPT, *(pytest.param(*case, marks=pytest.mark.huge) for case in LONG_KEPT)],
    ids=[f"{case[0]} {case[1]} {case[2][-1]}" for case in (*KEPT, *LONG_KEPT)],
)
def test_what_comes_after_a_solve_takes_no_more_than_it_is_allowed(case, size, memories):
    """Saving, verifying, analysing and exporting, also a table that does not fit."""
    told = footprints(case, size, 2, memories)
    for memory, found in zip(memories, told, strict=True):
        assert found["taken"] <= 1.05 * amount(memory) + BESIDES, found
        if "refusal" in found:
            assert found["needed"] > amount(memory)
    assert len({found["digest"] for found in told if "digest" in found}) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("case", "size", "asks"), AFTER)
def test_what_comes_after_a_solve_takes_what_is_estimated(case, size, asks):
    """With one thread: where all of it fits about that much, and no more than is allowed else."""
    memories = [f"{ask}:{memory}" for ask, some in asks.items() for memory in (PLENTY, *some)]
    told = dict(zip(memories, footprints(case, size, 1, memories), strict=True))
    for ask in asks:
        free = told[f"{ask}:{PLENTY}"]
        assert free["reckoned"] <= 1.5 * free["taken"] + BUFFERS, (ask, free)
    for memory, found in told.items():
        ask, _, text = memory.partition(":")
        assert found["taken"] <= 1.05 * amount(text) + BESIDES, (memory, found)
        if "refusal" in found:
            assert found["needed"] > amount(text)
            continue
        assert found["digest"] == told[f"{ask}:{PLENTY}"]["digest"], memory
        assert found["taken"] <= 1.05 * found["reckoned"] + BESIDES, (memory, found)
        assert 0 < found["reckoned"] <= amount(text), (memory, found)


@pytest.mark.huge
@pytest.mark.parametrize(("case", "size"), LARGE)
def test_the_estimates_of_what_comes_after_a_large_solve_are_near_the_truth(case, size):
    """Within 1.5 times and 2 MB: the save of a graph has buffers of 8 MB and may use 5 of them."""
    memories = [f"{ask}:{PLENTY}" for ask in ("verify", "save", "export")]
    for memory, found in zip(memories, footprints(case, size, 1, memories), strict=True):
        assert found["reckoned"] <= 1.5 * found["taken"] + 2_000_000, (memory, found)
        assert found["taken"] <= 1.05 * found["reckoned"] + BESIDES, (memory, found)


#: Solves Quixo with nothing compiled before, and once more, within a little memory. Tells of each
#: what was taken of the system, and what was said.
FIRST = """
import contextlib, io, json
import numba
import zermelo
from support.processes import footprint
from zermelo.cli import main

def told():
    footprint.RESET.write_text("5")
    before, said = footprint.held("VmRSS"), io.StringIO()
    with contextlib.redirect_stdout(said):
        main("solve quixo --size 3 --memory 2MB --fresh -v".split(), standalone_mode=False)
    return footprint.held("VmHWM") - before, said.getvalue()

print(json.dumps([told(), told()]))
"""


@pytest.mark.slow
def test_compiling_is_beside_the_budget_and_said_to_be(tmp_path):
    """The first solve of Quixo takes what a solve says, and so does no other."""
    paths = os.pathsep.join([str(Path(footprint.__file__).parents[2]), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", FIRST],
        env={**os.environ, "PYTHONPATH": paths, "ZERMELO_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    (first, said), (again, rest) = json.loads(done.stdout)
    besides = re.compile(
        r"memory +\S+ [kM]?B, and what compiling took besides, .* up to\s+150\s+MB"
    )
    assert besides.search(said)
    assert "compiling" not in rest
    assert 20_000_000 < first <= amount("2MB") + amount("150MB")
    assert again <= 1.05 * amount("2MB") + BESIDES
