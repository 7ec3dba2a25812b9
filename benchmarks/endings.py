"""Chess endings against retrograde analysis in C: ``python benchmarks/endings.py``.

Each row is an ending of four men, every legal position: CPU and wall seconds once compiled, the
peak of memory by its own reckoning, and positions a core-second, all of them and those that are
held once the board's symmetries are folded. King and queen against king and rook is solved by a
plain C program too, which must count as many positions won and lost; the ratio is Zermelo's CPU
seconds to that program's. Each row runs in a process of its own; ``--json FILE`` saves the rows.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent

#: Men, and threads.
WORK = [("KQKR", 1), ("KQKR", 2), ("KBNK", 1), ("KQKQ", 1)]
QUICK = [("KRK", 1)]
#: How often each is solved; the best counts.
TIMES = 3


def ours(men, threads):
    """Solve in this process and print what came out as JSON."""
    import zermelo
    from zermelo.games import ChessEnding

    zermelo.solve(ChessEnding("KRK"), threads=threads)
    zermelo.solve(ChessEnding(men), threads=threads)  # compiles its rules
    taken = []
    for _ in range(TIMES):
        cpu, wall = time.process_time(), time.perf_counter()
        solution = zermelo.solve(ChessEnding(men), threads=threads)
        taken.append((time.process_time() - cpu, time.perf_counter() - wall))
        held, peak, counts = len(solution), solution.peak_bytes, solution.counts()
        del solution
    cpu, wall = min(taken)
    longest = max(plies for _, plies in counts.by_remoteness if plies is not None)
    total = counts.win + counts.draw + counts.loss
    answer = [counts.win, counts.loss, total, longest]
    row = {"cpu": cpu, "wall": wall, "peak": peak, "held": held, "answer": answer}
    print(json.dumps(row))


def baseline():
    """Compile and run the C program; return its CPU seconds, peak bytes and answer."""
    with tempfile.TemporaryDirectory() as name:
        program, source = Path(name) / "endings", HERE / "baselines" / "endings.c"
        compiler = shutil.which("cc") or "cc"
        subprocess.run([compiler, "-O3", "-march=native", "-o", program, source], check=True)
        runs = []
        for _ in range(TIMES):
            done = subprocess.run([program], capture_output=True, check=True, text=True)
            seconds, peak, *answer = done.stdout.split()
            runs.append((float(seconds), int(peak) * 1024, [int(number) for number in answer]))
        return min(runs)


def main():
    """Measure all rows; return 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only three men, and no C program")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save the rows there")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        ours(options.one[0], int(options.one[1]))
        return 0
    rows, rival = [], None
    heads = ("positions", "held", "CPU s", "wall s", "peak MB", "M/core-s", "held", "C CPU s")
    print(f"{'work':<18}" + "".join(f"{head:>12}" for head in heads) + f"{'ratio':>8}")
    for men, threads in QUICK if options.quick else WORK:
        command = [sys.executable, __file__, "--one", men, str(threads)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        row = json.loads(done.stdout)
        positions = row["answer"][2]
        row |= {"work": f"{men}, {threads} threads", "positions": positions}
        row |= {"positions_a_core_second": positions / row["cpu"], "same": True}
        print(
            f"{row['work']:<18}{positions:>12,}{row['held']:>12,}{row['cpu']:>12.3f}"
            f"{row['wall']:>12.3f}{row['peak'] / 1e6:>12.0f}{positions / row['cpu'] / 1e6:>12.2f}"
            f"{row['held'] / row['cpu'] / 1e6:>12.2f}",
            end="",
        )
        if men == "KQKR":
            rival = rival or baseline()
            seconds, peak, answer = rival
            row |= {"baseline_cpu": seconds, "baseline_peak": peak, "ratio": row["cpu"] / seconds}
            row["same"] = row["answer"] == answer
            print(f"{seconds:>12.3f}{row['ratio']:>8.3f}", end="")
        print("" if row["same"] else "  ANSWERS DIFFER", flush=True)
        rows.append(row)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return 0 if all(row["same"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
