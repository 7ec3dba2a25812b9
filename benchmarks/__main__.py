"""Run the benchmarks: ``python -m benchmarks`` from the root of the repository.

``python -m benchmarks page FILE`` prints the performance page made of what ``--json`` saved, and
``python -m benchmarks zoo`` solves every game of the zoo and prints the page with all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks import (
    asking,
    boards,
    chains,
    chance,
    chase,
    cluster,
    compressors,
    cycles,
    endings,
    files,
    four,
    graph,
    heaps,
    larger,
    learning,
    machine,
    nimbers,
    partizan,
    placement,
    prove,
    pursuit,
    quixo,
    report,
    start_up,
    strips,
    tables,
    zoo,
)
from benchmarks.measure import FailedError, Session
from benchmarks.page import page

BENCHMARKS: dict[str, Callable[[Session], Iterator[report.Row]]] = {
    "import": start_up.importing,
    "start": start_up.command,
    "small-games": start_up.small_games,
    "cat-and-mouse": pursuit.cat_and_mouse,
    "pursuit": chase.chase,
    "horizon": pursuit.horizon,
    "connect-four": four.connect_four,
    "threads": four.threads,
    "boards": boards.boards,
    "declared": cycles.declared,
    "probe": four.probe,
    "placement": placement.placement,
    "quixo": quixo.quixo,
    "cluster": cluster.cluster,
    "rounds": cluster.rounds,
    "endings": endings.endings,
    "cycles": cycles.cycles,
    "tables": tables.tables,
    "asking": asking.asking,
    "compressors": compressors.compressors,
    "larger": larger.larger,
    "graph": graph.graph,
    "parity": graph.parity,
    "parity-families": graph.families,
    "gm": files.games,
    "cops": files.cops,
    "heaps": heaps.heaps,
    "stone-game": strips.stone_game,
    "ellys-checkers": strips.ellys_checkers,
    "loopy-scores": strips.loopy_scores,
    "kalah": strips.kalah,
    "nimbers": nimbers.nimbers,
    "prove": prove.prove,
    "prove-boxes": prove.boxes,
    "openspiel": learning.openspiel,
    "evaluate": learning.evaluate,
    "dataset": learning.dataset,
}

#: Benchmarks that run where they are named: one takes longer than all the others together, and
#: others are newer than the saved results, which are of another machine.
LONG: dict[str, Callable[[Session], Iterator[report.Row]]] = {
    "prove-empty": prove.empty_board,
    "chains": chains.chains,
    "prove-components": prove.components,
    "chance": chance.chance,
    "partizan": partizan.partizan,
}
ALL = BENCHMARKS | LONG


def main() -> int:
    """Run what is asked for; return 1 if a benchmark failed or an answer was wrong."""
    if sys.argv[1:2] == ["page"]:
        return _print_page(sys.argv[2:])
    if sys.argv[1:] == ["zoo"]:
        return zoo.page(machine.in_a_sentence(machine.describe()))
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Run the benchmarks, from the root of the repository.",
        epilog="python -m benchmarks page FILE prints the performance page made of such a FILE.",
    )
    parser.add_argument(
        "--only",
        action="extend",
        nargs="+",
        metavar="NAME",
        choices=ALL,
        help=f"only these: {', '.join(BENCHMARKS)}; or {' or '.join(LONG)}, not run without it",
    )
    parser.add_argument("--quick", action="store_true", help="the smallest sizes, once each")
    parser.add_argument(
        "--json",
        type=Path,
        metavar="FILE",
        help="save everything there; with --only, what FILE has of other benchmarks stays",
    )
    parser.add_argument("--remark", default="", help="a sentence to save with it")
    options = parser.parse_args()
    about = machine.describe()
    saved = report.Results(options.quick, about, options.remark)
    if options.json and options.only and options.json.exists():
        try:
            saved.keep(json.loads(options.json.read_text()), set(ALL) - set(options.only))
        except ValueError as error:
            parser.error(f"{options.json}: {error}")
    rows: list[report.Row] = []
    failures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        session = Session(options.quick, Path(folder))
        for name in options.only or BENCHMARKS:
            began = time.perf_counter()
            try:
                for row in ALL[name](session):
                    print(f"{row.name}: {row.work}", file=sys.stderr)
                    rows.append(row)
                    saved.rows.setdefault(name, []).append(report.plain(row))
            except FailedError as error:
                failures[name] = saved.failures[name] = str(error)
            saved.seconds[name] = round(time.perf_counter() - began, 1)
            if options.json:  # after each, so that little is lost where one is interrupted
                document = saved.document(list(ALL))
                options.json.write_text(json.dumps(document, indent=2) + "\n")
    report.show(rows, failures, about)
    took = sum(saved.seconds[name] for name in options.only or BENCHMARKS)
    print(f"measured in {report.minutes(took)}")
    return 1 if failures else 0


def _print_page(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks page")
    parser.add_argument("file", type=Path, metavar="FILE", help="what --json saved")
    results = json.loads(parser.parse_args(arguments).file.read_text())
    try:
        text = page(results)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
