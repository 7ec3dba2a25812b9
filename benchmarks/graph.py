"""Random explicit graphs: ours beside a C program with the same tricks, and plain Python.

``python benchmarks/graph.py [--quick] [--json FILE]`` from the root of the repository. Every
measurement runs in a process of its own, ours and the baseline's in turn; medians count, and the
answers must be the same.
"""

from __future__ import annotations

import argparse
import json
import mmap
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

BASELINES = Path(__file__).parent / "baselines"
SEED = 1
CHUNK = 1 << 20


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Return numbers that look random, one for each (the finaliser of splitmix64)."""
    x = numbers * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


def graph(n: int, seed: int = SEED) -> tuple[np.ndarray, np.ndarray]:
    """Return the graph that ``baselines/retrograde.c`` makes of the same numbers."""
    low, high = np.uint64((1 << 32) - 1), np.uint64(32)
    indptr = np.zeros(n + 1, np.int64)
    for begin in range(0, n, CHUNK):
        end = min(begin + CHUNK, n)
        z = mixed(np.arange(begin + 1, end + 1, dtype=np.uint64) + (2 * seed << 40))
        degrees = np.where((z >> high) % 100 < 6, 0, 1 + ((z & low) * 9 >> high))
        indptr[begin + 1 : begin + 1 + len(z)] = degrees
    np.cumsum(indptr, out=indptr)
    m = int(indptr[-1])
    indices = np.empty(m, np.int32)
    for begin in range(0, m, CHUNK):
        end = min(begin + CHUNK, m)
        z = mixed(np.arange(begin + 1, end + 1, dtype=np.uint64) + ((2 * seed + 1) << 40))
        indices[begin:end] = (z >> high) * np.uint64(n) >> high
    return indptr, indices


def touch(size: int) -> None:
    """Touch memory and give it back, so that finding it is not part of what is measured."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS  # else there are no huge pages
    with mmap.mmap(-1, max(size, 1), flags=flags) as block:
        if hasattr(mmap, "MADV_HUGEPAGE"):
            block.madvise(mmap.MADV_HUGEPAGE)
        for at in range(0, size, mmap.PAGESIZE):
            block[at] = 1


def clock() -> tuple[float, float]:
    """Return CPU seconds of this process so far, those in the system included, and the time."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime, time.perf_counter()


def resident(which: str) -> int:
    """Return bytes of memory this process has (``VmRSS``) or had at the most (``VmHWM``)."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(which):
                return 1024 * int(line.split()[1])
    return 0


def ours(n: int, threads: int) -> dict[str, Any]:
    """Solve and certify once, everything compiled before."""
    import zermelo.graph

    for size in (1000, 200_000):
        small = zermelo.graph.solve(*graph(size), threads=threads)
        small.verify()
        _ = small.outcome
    arrays = graph(n)
    touch(10 * len(arrays[1]) + 12 * n)
    before = resident("VmRSS")
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # forget the greatest size so far
    began = clock()
    solution = zermelo.graph.solve(*arrays, threads=threads)
    outcome, remoteness = solution.outcome, solution.remoteness
    solved = clock()
    peak = resident("VmHWM") - before
    verdict = solution.verify()
    checked = clock()
    return {
        "edges": len(arrays[1]),
        "win": int((outcome == 1).sum()),
        "loss": int((outcome == -1).sum()),
        "plies": int(remoteness.sum(where=remoteness > 0, dtype=np.int64)),
        "wrong": 0 if verdict else 1,
        "solve": solved[0] - began[0],
        "solve wall": solved[1] - began[1],
        "verify": checked[0] - solved[0],
        "verify wall": checked[1] - solved[1],
        "peak": peak,
    }


def plain(n: int) -> dict[str, Any]:
    """Solve with dictionaries, lists and a queue, as a textbook has it."""
    indptr, indices = graph(n)
    places, targets = indptr.tolist(), indices.tolist()
    rows = {v: targets[places[v] : places[v + 1]] for v in range(n)}
    began = clock()
    parents: dict[int, list[int]] = {v: [] for v in rows}
    for v, row in rows.items():
        for target in row:
            parents[target].append(v)
    left = {v: len(row) for v, row in rows.items()}
    values = {v: (-1, 0) for v, row in rows.items() if not row}
    queue = list(values)
    for v in queue:
        outcome, plies = values[v]
        for parent in parents[v]:
            if parent in values:
                continue
            left[parent] -= 1
            if outcome < 0 or not left[parent]:
                values[parent] = (-outcome, plies + 1)
                queue.append(parent)
    solved = clock()
    return {
        "edges": len(targets),
        "win": sum(outcome > 0 for outcome, _ in values.values()),
        "loss": sum(outcome < 0 for outcome, _ in values.values()),
        "plies": sum(plies for _, plies in values.values()),
        "wrong": 0,
        "solve": solved[0] - began[0],
        "solve wall": solved[1] - began[1],
    }


WORKS = {"ours": ours, "plain": plain}


def measured(argv: list[str]) -> dict[str, Any]:
    """Run a process and return what it printed."""
    done = subprocess.run(argv, capture_output=True, check=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def race(jobs: dict[str, list[str]], repeat: int) -> dict[str, dict[str, Any]]:
    """Measure jobs in turn and return the median of each; the answers must be the same."""
    rounds = [{name: measured(argv) for name, argv in jobs.items()} for _ in range(repeat)]
    answers = {
        tuple(sample[key] for key in ("edges", "win", "loss", "plies", "wrong"))
        for samples in rounds
        for sample in samples.values()
    }
    if len(answers) != 1:
        sys.exit(f"the answers differ: {answers}")
    return {
        name: {key: median(samples[name][key] for samples in rounds) for key in rounds[0][name]}
        for name in jobs
    }


def work(name: str, *arguments: int) -> list[str]:
    """Return the command that runs one of ``WORKS``."""
    return [sys.executable, __file__, "--work", name, *map(str, arguments)]


def row(name: str, edges: int, cpu: float, wall: float, peak: float, ratios: str) -> str:
    """Return one line of the table."""
    each = f"{edges / cpu / 1e6:,.1f}"
    memory = f"{peak / 1e6:,.0f}" if peak else ""
    return f"{name:<46}{cpu:>9.4f}{wall:>9.4f}{memory:>9}{each:>9}   {ratios}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smallest size alone")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save everything there")
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        name, *arguments = options.work
        print(json.dumps(WORKS[name](*map(int, arguments))))
        return
    results = {}
    headings = ("CPU s", "wall s", "peak MB", "M edge/s")
    print(f"{'work':<46}{''.join(f'{h:>9}' for h in headings)}   baseline / ours, CPU")
    with tempfile.TemporaryDirectory() as folder:
        program = None
        if (compiler := shutil.which("cc")) is not None:
            program = f"{folder}/retrograde"
            source = str(BASELINES / "retrograde.c")
            subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        for n in (100_000,) if options.quick else (100_000, 1_000_000, 10_000_000):
            jobs = {"ours": work("ours", n, 1), "ours, 2 threads": work("ours", n, 2)}
            if program is not None:
                jobs["C"] = [program, str(n), str(SEED)]
            if n <= 100_000:
                jobs["plain"] = work("plain", n)
            samples = race(jobs, 1 if options.quick else 5)
            results[n] = samples
            mine = samples["ours"]
            for name, sample in samples.items():
                for part in ("solve", "verify"):
                    if part in sample:
                        title = f"{part} {n:,} vertices: {name}"
                        cpu = max(sample[part], 1e-6)
                        wall = sample.get(f"{part} wall", cpu)
                        peak = sample.get("peak", 0) if part == "solve" else 0
                        ratio = f"{cpu / mine[part]:.2f}" if name != "ours" else ""
                        print(row(title, sample["edges"], cpu, wall, peak, ratio))
    if options.json:
        options.json.write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
