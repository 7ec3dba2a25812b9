"""Dense spaces, beside the method with a hash table on the same rules."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: The side of the board, how often, bytes to have found beforehand, and the CPU seconds asked for.
_RACES = [(4, 3, 900 << 20, 8.0)]
_QUICK = [(3, 1, 0, None)]


def dense(session: Session) -> Iterator[Row]:
    """Solve Quixo with its symmetries, numbered by slots and numbered by a hash table."""
    for size, repeat, touch, limit in session.pick(_RACES, _QUICK):
        jobs = {
            method: work("quixo.solve", size=size, method=method, threads=1, touch=need)
            for method, need in (("dense", touch), ("retrograde", 2 * touch))
        }
        jobs["two"] = work("quixo.solve", size=size, method="dense", threads=2, touch=touch)
        samples = session.race(jobs, repeat)
        ours = samples["dense"]
        agree(ours, samples["retrograde"])
        agree(ours, samples["two"])
        positions = ours.answer["positions"]
        row = Row.of("dense", f"quixo {size}x{size}: {positions:,} classes", ours, positions)
        row.beside("by a hash table", samples["retrograde"].cpu / ours.cpu)
        row.beside("one thread over two, by the clock", ours.wall / samples["two"].wall)
        if limit is not None:
            row.keep("CPU s", ours.cpu, limit)
        yield row
