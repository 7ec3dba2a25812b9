"""Long thin games: a layer has a position or two, and there are millions of layers."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row

#: Microseconds of CPU time that a position may take.
_MOST = 1.0
_LABELS = {
    "countdown": "one position a layer",
    "sides": "two positions a layer",
    "track": "there and back on a path",
}


def chains(session: Session) -> Iterator[Row]:
    """Solve chains of positions by their ordinary rules, on two threads as most machines would."""
    positions = session.pick(3_000_000, 30_000)
    for kind, label in _LABELS.items():
        job = work("chains.solve", kind=kind, positions=positions, touch=120 * positions)
        ours = session.race({"ours": job})["ours"]
        count = ours.answer["positions"]
        row = Row.of("chains", f"{count:,} positions, {label}", ours, count)
        row.keep("µs a position", 1e6 * ours.cpu / count, _MOST)
        yield row
