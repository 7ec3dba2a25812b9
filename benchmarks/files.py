"""Files of graphs: PGSolver's games beside plain Python, and the cop numbers of whole files."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Sample, Session, work
from benchmarks.report import Row, agree
from benchmarks.works.files import generator

#: Megabytes a second that are asked for, and graphs with 8 nodes by plain Python.
_ASKED, _SAMPLED = 100, 150


def games(session: Session) -> Iterator[Row]:
    """Read a game of PGSolver beside splitting its lines."""
    vertices = session.pick(2_000_000, 50_000)
    jobs = {
        "ours": work("files.read", vertices=vertices, touch=60 * vertices),
        "plain": work("files.read_plain", vertices=vertices, rehearse="no"),
    }
    samples = session.race(jobs, once=("plain",))
    agree(samples["ours"], samples["plain"])
    ours = samples["ours"]
    size = ours.answer["bytes"]
    row = Row.of("gm", f"read {size:,} bytes, {vertices:,} vertices", ours, size, unit="bytes")
    row.beside("splitting lines in Python", samples["plain"].cpu / ours.cpu)
    if not session.quick:
        row.keep("MB a core-second", size / 1e6 / ours.cpu, _ASKED, at_least=True)
    yield row


def cops(session: Session) -> Iterator[Row]:
    """Find cop numbers and capture times of all connected graphs with a few nodes."""
    nodes = session.pick(8, 6)
    jobs = {
        "ours": work("files.cops", nodes=nodes, sampled=_SAMPLED),
        "plain": work("files.cops_plain", nodes=nodes, sampled=_SAMPLED, rehearse="no"),
    }
    samples = session.race(jobs, once=("plain",))
    agree(samples["ours"], samples["plain"], "sampled")
    ours, plain = samples["ours"], samples["plain"]
    row = _row(nodes, ours)
    each = (sample.cpu / sample.answer["graphs"] for sample in (plain, ours))
    row.beside(f"dictionaries in Python, on {_SAMPLED} of them", next(each) / next(each))
    yield row
    if not session.quick and generator() is not None:
        job = work("files.cops_of_geng", nodes=10, rehearse="no")
        yield _row(10, session.race({"ours": job}, repeat=1)["ours"])


def _row(nodes: int, sample: Sample) -> Row:
    graphs = sample.answer["graphs"]
    what = f"cop numbers of the {graphs:,} connected graphs with {nodes} nodes"
    return Row.of("cops", what, sample, graphs, unit="graphs").without_peak()
