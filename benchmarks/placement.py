"""Placement games, bit-sliced, against a C program of ours for the same idea.

    python benchmarks/placement.py [WIDTHxHEIGHT ...]

Each row runs in a process of its own, once compiled. The C program keeps nothing but counts, has no
remoteness, and is checked to give the same answer. ``x`` is how many times its CPU seconds we take.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).parent / "baselines" / "placement.c"
SIZES = ("5x4", "6x4", "5x5")


def ours(size: str, threads: int, *, remoteness: bool) -> dict[str, object]:
    """Solve one board in this process and return what it took."""
    import zermelo
    from zermelo.games import ConnectFour

    zermelo.solve(ConnectFour(3, 3, 3), remoteness=remoteness, threads=threads)  # compiles
    game = ConnectFour(*map(int, size.split("x")))
    before = resource.getrusage(resource.RUSAGE_SELF)
    began = time.perf_counter()
    solution = zermelo.solve(game, remoteness=remoteness, threads=threads)
    counts = solution.counts()
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_SELF)
    answer = [len(solution), counts.win, counts.draw, counts.loss, int(solution.value.outcome)]
    return {
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall": wall,
        "kib": after.ru_maxrss,
        "answer": answer,
    }


def theirs(size: str, program: Path) -> dict[str, object]:
    """Run the C program and return what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [str(program), *size.split("x")], check=True, capture_output=True, text=True
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "wall": wall,
        "kib": after.ru_maxrss,
        "answer": [int(word) for word in done.stdout.split()],
    }


def patterns(size: str) -> int:
    """Return how many patterns a board has."""
    width, height = map(int, size.split("x"))
    return int(((1 << (height + 1)) - 1) ** width)


def main() -> None:
    """Print one row a board and a way of solving it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", default=SIZES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3, help="the best of so many")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", choices=("plain", "remoteness"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(ours(given.sizes[0], given.threads, remoteness=given.one == "remoteness")))
        return
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "placement"
        subprocess.run(
            ["cc", "-O3", "-march=native", "-o", str(program), str(SOURCE)],  # noqa: S607  # the system's
            check=True,
        )
        for size in given.sizes:
            row(size, program, given)


def row(size: str, program: Path, given: argparse.Namespace) -> None:
    """Measure one board all three ways and print it."""
    again = range(given.repeat)
    base = min((theirs(size, program) for _ in again), key=lambda run: run["cpu"])
    own = [sys.executable, __file__, size, "--threads", str(given.threads), "--one"]
    for way in ("plain", "remoteness"):
        texts = [subprocess.check_output([*own, way], text=True) for _ in again]
        run = min(map(json.loads, texts), key=lambda run: run["cpu"])
        if run["answer"] != base["answer"]:
            message = f"{size}: {run['answer']} is not {base['answer']}"
            raise SystemExit(message)
        line = {
            "work": f"connect four {size}, {way}",
            "cpu_seconds": round(run["cpu"], 3),
            "wall_seconds": round(run["wall"], 3),
            "peak_megabytes": run["kib"] // 1000,
            "positions_per_core_second": round(run["answer"][0] / run["cpu"]),
            "patterns_per_core_second": round(patterns(size) / run["cpu"]),
            "baseline_cpu_seconds": round(base["cpu"], 3),
            "ratio": round(run["cpu"] / base["cpu"], 2),
        }
        if given.json:
            print(json.dumps(line), flush=True)
            continue
        print(
            f"{line['work']:30} {run['cpu']:7.2f} CPU s {run['wall']:7.2f} s "
            f"{line['peak_megabytes']:6} MB {line['positions_per_core_second'] / 1e6:7.1f} M pos/s "
            f"{line['patterns_per_core_second'] / 1e9:5.2f} G pat/s "
            f"C {base['cpu']:6.2f} s  x {line['ratio']}",
            flush=True,
        )


if __name__ == "__main__":
    main()
