"""Clusters: what it costs to share a solve among processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: The part of the CPU time of workers and driver that goes into the solution, as asked for.
_LEAST = 0.8
#: The sizes, and in parts of what is worth it otherwise, how little work is shared.
_CASES = [([5, 5], 1 / 64), ([6, 5], 1.0)]
_SMALL = [([4, 4], 0.0)]


#: A game with circles; most of its CPU time goes into lists of moves.
_ROUNDS, _LEAST_OF_ROUNDS = (["Neutreeko"], "Neutreeko"), 0.5
_SMALL_ROUNDS = (["ThreeMensMorris"], "Three Men's Morris")


def cluster(session: Session) -> Iterator[Row]:
    """Solve Connect Four with remoteness into a table, by one process and by several workers."""
    for size, sharing in session.pick(_CASES, _SMALL):
        given = {
            "game": ["ConnectFour", *size],
            "first": ["ConnectFour", 4, 4],
            "sharing": sharing,
            "method": "placement",
        }
        name = f"Connect Four {size[0]}x{size[1]}"
        yield from _shared(session, "cluster", given, name, _LEAST)


def rounds(session: Session) -> Iterator[Row]:
    """Solve a game with circles in the same way."""
    game, name = session.pick(_ROUNDS, _SMALL_ROUNDS)
    given = {"game": game, "first": ["ThreeMensMorris"], "sharing": 1.0, "method": "retrograde"}
    yield from _shared(session, "rounds", given, name, _LEAST_OF_ROUNDS)


def _shared(
    session: Session, group: str, given: dict[str, Any], name: str, least: float
) -> Iterator[Row]:
    """Solve a game by one process and by several workers; ``least`` is the ratio asked for."""
    jobs = {"alone": work("cluster.solve", workers=0, **given)}
    for count in session.pick((1, 2, 4), (2,)):
        jobs[f"local[{count}]"] = work("cluster.solve", workers=count, **given)
    samples = session.race(jobs, 1)
    alone = samples.pop("alone")
    for which, ours in samples.items():
        agree(ours, alone)
        positions, extra = ours.answer["positions"], ours.extra
        told = f"{name} into a table, {which}, one thread each"
        row = Row.of(group, told, ours, positions)
        row.cpu += extra["workers"]
        row.each_second = positions / row.cpu
        row.beside("one process, CPU", alone.cpu / max(row.cpu, 1e-9), least)
        row.beside("one process, wall", alone.wall / max(ours.wall, 1e-9))
        row.note = (
            f"driver {ours.cpu:.3g} CPU s, workers {extra['workers']:.3g}; "
            f"{extra['exchanged'] / positions:.3g} bytes a position exchanged; "
            f"{1000 * extra['step']:.2g} ms a step"
        )
        yield row
