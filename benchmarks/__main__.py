"""Run the benchmarks: ``python -m benchmarks`` from the root of the repository."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import four, machine, pursuit, report, start_up, strips
from benchmarks.measure import FailedError, Session

BENCHMARKS: dict[str, Callable[[Session], Iterator[report.Row]]] = {
    "import": start_up.importing,
    "start": start_up.command,
    "small-games": start_up.small_games,
    "cat-and-mouse": pursuit.cat_and_mouse,
    "horizon": pursuit.horizon,
    "connect-four": four.connect_four,
    "threads": four.threads,
    "verify": four.verify,
    "probe": four.probe,
    "stone-game": strips.stone_game,
    "ellys-checkers": strips.ellys_checkers,
}


def main() -> int:
    """Run what is asked for; return 1 if a benchmark failed or an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--only",
        action="append",
        metavar="NAME",
        choices=BENCHMARKS,
        help=f"only this one, and others named so: {', '.join(BENCHMARKS)}",
    )
    parser.add_argument("--quick", action="store_true", help="the smallest sizes, once each")
    parser.add_argument("--json", type=Path, metavar="FILE", help="save everything there")
    options = parser.parse_args()
    about = machine.describe()
    rows: list[report.Row] = []
    failures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        session = Session(options.quick, Path(folder))
        for name in options.only or BENCHMARKS:
            try:
                for row in BENCHMARKS[name](session):
                    print(f"{row.name}: {row.work}", file=sys.stderr)
                    rows.append(row)
            except FailedError as error:
                failures[name] = str(error)
    report.show(rows, failures, about)
    if options.json:
        results = report.document(rows, failures, about, quick=options.quick)
        options.json.write_text(json.dumps(results, indent=2) + "\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
