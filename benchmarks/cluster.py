"""Clusters: what it costs to share a solve among processes of this machine."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Literal

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: The part of the CPU time of workers and driver that goes into the solution, as asked for.
_LEAST = {"placement": 0.8, "levels": 0.6, "retrograde": 0.5, "dense": 0.5}
#: The method, the size, and in parts of what is worth it otherwise, how little work is shared.
_CASES = [("placement", [5, 5], 1 / 64), ("levels", [5, 5], 1.0)]
_LARGE = ("placement", [6, 5], 1.0)
_SMALL = [("placement", [4, 4], 0.0), ("levels", [4, 4], 0.0)]
#: With more processes than this waiting for a core, minutes of work would say little.
_BUSY = 3.0
#: Games with cycles, by which method, and by how many workers; without a space, most of their CPU
#: time goes into lists of moves.
_ROUNDS = [
    (["Neutreeko"], "Neutreeko into a table", "retrograde", (1, 2, 4)),
    (["Teeko", 4, 5], "Teeko 4x5 into a table", "retrograde", (1, 2)),
    (["Neutreeko"], "Neutreeko into a table, dense", "dense", (1, 2, 4)),
    (["Teeko", 4, 5], "Teeko 4x5 into a table, dense", "dense", (1, 2)),
]
_SMALL_ROUNDS = [
    (["ThreeMensMorris"], "Three Men's Morris into a table", "retrograde", (2,)),
    (["Quixo", 3], "Quixo 3x3 into a table, dense", "dense", (2,)),
]
#: What is solved before, to begin.
_FIRST = {"retrograde": ["ThreeMensMorris"], "dense": ["Quixo", 3]}


def cluster(session: Session) -> Iterator[Row]:
    """Solve Connect Four with remoteness into a table, by one process and by several workers."""
    cases = session.pick(_CASES, _SMALL)
    if not session.quick and os.getloadavg()[0] < _BUSY:
        cases = [*cases, _LARGE]
    for method, size, sharing in cases:
        given = {
            "game": ["ConnectFour", *size],
            "first": ["ConnectFour", 4, 4],
            "sharing": sharing,
            "method": method,
        }
        name = f"Connect Four {size[0]}x{size[1]} by {method}"
        counts = session.pick((1, 2, 4) if method == "placement" else (1, 2), (2,))
        yield from _shared(session, "cluster", given, name, counts, mpi=_has_mpi(session))
    yield from _steps(session)


def rounds(session: Session) -> Iterator[Row]:
    """Solve games with cycles in the same way."""
    for game, name, method, counts in session.pick(_ROUNDS, _SMALL_ROUNDS):
        given = {"game": game, "first": _FIRST[method], "sharing": 1.0, "method": method}
        yield from _shared(session, "rounds", given, name, counts, mpi=False)


def _shared(
    session: Session,
    group: str,
    given: dict[str, Any],
    name: str,
    counts: tuple[int, ...],
    *,
    mpi: bool,
) -> Iterator[Row]:
    """Solve a game by one process and by several workers, those of an MPI job among them."""
    least, job = _LEAST[given["method"]], "cluster.solve"
    # Rules that the first, small game does not have are compiled by solving the other one, too.
    same = given["first"][0] == given["game"][0]
    rehearse: Literal["prepare", "run"] = "prepare" if same else "run"
    jobs = {"alone": work(job, rehearse=rehearse, workers=0, **given)}
    for count in counts:
        jobs[f"local[{count}]"] = work(job, workers=count, **given)
    if mpi:
        jobs["MPI, 2 workers"] = work("cluster.under_mpi", workers=2, rehearse="no", **given)
    samples = session.race(jobs, 1)
    alone = samples.pop("alone")
    for which, ours in samples.items():
        agree(ours, alone)
        positions, extra = ours.answer["positions"], ours.extra
        row = Row.of(group, f"{name}, {which}, one thread each", ours, positions)
        row.cpu += extra["workers"]
        row.each_second = positions / row.cpu
        row.note = f"driver {ours.cpu:.3g} CPU s, workers {extra['workers']:.3g}"
        if "saving" in extra:
            solving = max(row.cpu - extra["saving"], 1e-9)
            before = (alone.cpu - alone.extra["saving"]) / solving
            row.beside("one process, CPU without writing the table", before, least)
            row.note += (
                f" and {extra['begun']:.2g} to begin; writing the table {extra['saving']:.3g}; "
                f"{extra['exchanged'] / positions:.3g} bytes a position exchanged"
            )
            if units := extra["units"]:
                each = 1000 * (ours.cpu - extra["saving"]) / units
                row.note += f"; {units:,.0f} units, each {each:.2g} CPU ms of the driver's"
        row.beside("one process, CPU", alone.cpu / max(row.cpu, 1e-9))
        row.beside("one process, wall", alone.wall / max(ours.wall, 1e-9))
        yield row


def _steps(session: Session) -> Iterator[Row]:
    """Ask workers for nothing, which every step costs."""
    engines = ["local[2]"]
    if not session.quick:
        engines += ["ray[2]"] * (find_spec("ray") is not None)
    jobs = {name: work("cluster.step", engine=name) for name in engines}
    if _has_mpi(session):
        jobs["MPI, 2 workers"] = work("cluster.step_under_mpi", workers=2, rehearse="no")
    for name, ours in session.race(jobs, 1).items():
        row = Row.of("cluster", f"20 questions for nothing, {name}", ours, 20, "questions")
        row.note = f"{1000 * ours.extra['step']:.2g} ms a question"
        yield row


def _has_mpi(session: Session) -> bool:
    """Whether MPI jobs are measured, too."""
    there = shutil.which("mpirun") is not None and find_spec("mpi4py") is not None
    return there and not session.quick
