"""Pursuit by rows of bits against retrograde analysis in C: ``python benchmarks/chase.py``.

Each row is Cat and Mouse on a random graph, hole 0: the work, CPU and wall seconds, the peak of
memory beyond what the process had, placements a core-second, and the ratio of CPU seconds to the
baseline's. The two must give the same value for every placement. Each row runs in a process of
its own, warmed up by a small pursuit; ``--json FILE`` saves the rows.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent

#: Nodes, degree, threads, and how often (the best counts).
WORK = [
    (200, 100, 1, 9),
    (2_000, 10, 1, 3),
    (10_000, 10, 1, 1),
    (10_000, 10, 2, 1),
    (10_000, 2, 1, 1),
]
QUICK = WORK[:2]


def graph(nodes, degree):
    """Return (indptr, indices) of a random graph, or of a path where the degree is 2."""
    rng = np.random.default_rng(7)
    here, there = rng.integers(0, nodes, (2, nodes * degree // 2))
    if degree == 2:
        here = np.arange(nodes - 1)
        there = here + 1
    apart = here != there
    edges = np.unique(
        np.concatenate([here[apart] * nodes + there[apart], there[apart] * nodes + here[apart]])
    )
    ends = np.concatenate([[0], np.cumsum(np.bincount(edges // nodes, minlength=nodes))])
    return ends.astype(np.int64), edges % nodes


def ours(nodes, degree, threads, times):
    """Solve in this process and print what came out as JSON."""
    import zermelo

    def solve(arrays):
        return zermelo.pursuit(arrays, safe=[0], forbidden=[0], threads=threads)

    arrays = graph(nodes, degree)
    solve(graph(50, 4))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    taken = []
    for _ in range(times):
        cpu, wall = time.process_time(), time.perf_counter()
        chase = solve(arrays)
        taken.append((time.process_time() - cpu, time.perf_counter() - wall))
        if times > 1:
            solve(graph(50, 4))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    won = caught = total = 0
    for turn in (0, 1):
        for cat in range(nodes):
            signs, plies = column(chase, turn, cat)  # a row of the C program's
            won += int((signs > 0).sum())
            caught += int((signs < 0).sum())
            marks = (signs if turn == 0 else -signs).astype(np.int64) * (plies + 1)
            at = (turn * nodes + cat) * nodes + np.arange(nodes, dtype=np.uint64)
            weights = at * np.uint64(2654435761) + np.uint64(1)
            total += int((marks.view(np.uint64) * weights).sum(dtype=np.uint64))
    cpu, wall = min(taken)
    answer = [won, caught, total % 2**64]
    print(json.dumps({"cpu": cpu, "wall": wall, "peak": peak * 1024, "answer": answer}))


def column(chase, turn, cat):
    """Return who wins and in how many plies for one cat, without making arrays of everything."""
    marks = chase._marks[turn]  # noqa: SLF001  # winners() and plies() copy all of these
    column = (marks[:, cat] if turn == 0 else marks[cat]).astype(np.int64)
    return np.sign(column) if turn == 0 else -np.sign(column), np.abs(column) - 1


def baseline(program, folder, nodes, degree):
    """Run the C program; return its CPU seconds, peak bytes and answer, or None."""
    file = folder / "graph"
    ends, near = graph(nodes, degree)
    np.concatenate([[nodes, 0], ends, near]).astype(np.int64).tofile(file)
    done = subprocess.run([program, file], capture_output=True, check=True, text=True)
    seconds, peak, *answer = done.stdout.split()
    return float(seconds), int(peak) * 1024, [int(number) for number in answer]


def main():
    """Measure all rows; return 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the smallest sizes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save the rows there")
    parser.add_argument("--one", nargs=4, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        ours(*options.one)
        return 0
    rows, known = [], {}
    print(
        f"{'work':<44}{'CPU s':>9}{'wall s':>9}{'peak MB':>9}{'M/core-s':>10}{'C CPU s':>9}", end=""
    )
    print(f"{'C MB':>7}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as name:
        program = Path(name) / "pursuit"
        source = HERE / "baselines" / "pursuit.c"
        compiler = shutil.which("cc") or "cc"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for nodes, degree, threads, times in QUICK if options.quick else WORK:
            command = [
                sys.executable,
                __file__,
                "--one",
                *map(str, (nodes, degree, threads, times)),
            ]
            done = subprocess.run(command, capture_output=True, check=True, text=True)
            row = json.loads(done.stdout)
            if (nodes, degree) not in known:
                known[nodes, degree] = baseline(program, Path(name), nodes, degree)
            seconds, peak, answer = known[nodes, degree]
            positions = 2 * nodes * (nodes - 1)
            row |= {
                "work": f"{nodes:,} nodes of degree {degree}, {threads} threads: {positions:,}",
                "positions_a_core_second": positions / row["cpu"],
                "baseline_cpu": seconds,
                "baseline_peak": peak,
                "ratio": row["cpu"] / seconds,
                "same": row["answer"] == answer,
            }
            rows.append(row)
            print(
                f"{row['work']:<44}{row['cpu']:>9.4f}{row['wall']:>9.4f}{row['peak'] / 1e6:>9.0f}"
                f"{positions / row['cpu'] / 1e6:>10.1f}{seconds:>9.4f}{peak / 1e6:>7.0f}"
                f"{row['ratio']:>8.3f}{'' if row['same'] else '  ANSWERS DIFFER'}",
                flush=True,
            )
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0 if all(row["same"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
