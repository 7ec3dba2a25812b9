"""Clusters: what it costs to share a solve among processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: The part of the CPU time of workers and driver that goes into the solution, as asked for.
_LEAST = 0.8
#: The sizes, and in parts of what is worth it otherwise, how little work is shared.
_CASES = [([5, 5], 1 / 64), ([6, 5], 1.0)]
_SMALL = [([4, 4], 0.0)]


def cluster(session: Session) -> Iterator[Row]:
    """Solve Connect Four with remoteness into a table, by one process and by several workers."""
    for size, sharing in session.pick(_CASES, _SMALL):
        jobs = {"alone": work("cluster.solve", size=size, workers=0, sharing=sharing)}
        for count in session.pick((1, 2, 4), (2,)):
            jobs[f"local[{count}]"] = work(
                "cluster.solve", size=size, workers=count, sharing=sharing
            )
        samples = session.race(jobs, 1)
        alone = samples.pop("alone")
        for name, ours in samples.items():
            agree(ours, alone)
            positions, extra = ours.answer["positions"], ours.extra
            told = f"Connect Four {size[0]}x{size[1]} into a table, {name}, one thread each"
            row = Row.of("cluster", told, ours, positions)
            row.cpu += extra["workers"]
            row.each_second = positions / row.cpu
            row.beside("one process, CPU", alone.cpu / max(row.cpu, 1e-9), _LEAST)
            row.beside("one process, wall", alone.wall / max(ours.wall, 1e-9))
            row.note = (
                f"driver {ours.cpu:.3g} CPU s, workers {extra['workers']:.3g}; "
                f"{extra['exchanged'] / positions:.3g} bytes a position exchanged; "
                f"{1000 * extra['step']:.2g} ms a step"
            )
            yield row
