"""Pursuit by rows of bits beside retrograde analysis in C: Cat and Mouse on random graphs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks import inputs
from benchmarks.measure import FailedError, Job, Session, work
from benchmarks.report import Row, agree

#: Nodes, degree, how often, and what is asked for: seconds by the clock, with two threads.
_RACES = [
    (200, 100, 5, 0.003),
    (2_000, 10, 3, None),
    (10_000, 10, 1, 10.0),
    (5_000, 2, 1, None),
]
_QUICK = [(200, 100, 1, None)]
#: Nodes, degree and pursuers of chases that are verified, and how much longer than the solve that
#: may take.
_FOLLOWED = [(10_000, 10, 1), (300, 10, 2)]
_LONGER = 1.5


def chase(session: Session) -> Iterator[Row]:
    """Find who wins from every placement: on one thread beside C, and on two."""
    program = session.compiled_c("pursuit")
    for nodes, degree, repeat, limit in session.pick(_RACES, _QUICK):
        touch = 12 * nodes * nodes
        jobs = {
            name: work("pursuit.chase", nodes=nodes, degree=degree, threads=threads, touch=touch)
            for name, threads in (("one", 1), ("two", 2))
        }
        if program is not None:
            jobs["c"] = Job([program, _file(session, nodes, degree), str(2 * touch)])
        samples = session.race(jobs, repeat)
        for rival in samples.values():
            agree(samples["one"], rival)
        kind = "a path" if degree == inputs.PATH else f"degree {degree}"
        ours, positions = samples["one"], samples["one"].answer["positions"]
        row = Row.of(
            "pursuit", f"{nodes:,} nodes, {kind}: {positions:,} positions", ours, positions
        )
        if "c" in samples:
            row.beside("C, a queue and counters", samples["c"].cpu / ours.cpu)
        else:
            row.note = "no C compiler (cc) here, so not beside C"
        row.beside("two threads, by the clock", samples["two"].wall / ours.wall)
        if limit is not None:
            wall = min(ours.wall, samples["two"].wall)
            row.keep("wall s, the better of both", wall, limit)
        yield row
    yield from _certificates(session)


def _certificates(session: Session) -> Iterator[Row]:
    """Verify chases of one and of two, in memory and from a file, beside solving them."""
    for nodes, degree, pursuers in session.pick(_FOLLOWED, [(50, 4, 2)]):
        touch = 12 * nodes ** (1 + pursuers)
        asked = {"nodes": nodes, "degree": degree, "pursuers": pursuers, "touch": touch}
        jobs = {
            what: work("pursuit.followed", what=what, **asked)
            for what in ("solve", "verify", "open")
        }
        samples = session.race(jobs)
        for what, where in (("verify", ""), ("open", ", read from a file")):
            ours = samples[what]
            if not ours.answer["ok"]:
                message = "the certificate did not accept a right solution"
                raise FailedError(message)
            positions = ours.answer["positions"]
            text = f"verify {pursuers} on {nodes:,} nodes: {positions:,} positions{where}"
            row = Row.of("pursuit", text, ours, positions)
            row.without_peak()
            row.beside("the solve", samples["solve"].cpu / ours.cpu, 1 / _LONGER)
            yield row


def _file(session: Session, nodes: int, degree: int) -> str:
    """Write the graph where the C program reads it, with the hole at node 0."""
    path = session.folder / f"graph_{nodes}_{degree}"
    ends, near = inputs.sparse_graph(nodes, degree)
    np.concatenate([[nodes, 0], ends, near]).astype(np.int64).tofile(path)
    return str(path)
