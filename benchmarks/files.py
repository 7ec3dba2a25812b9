"""Files of graphs: PGSolver's games beside plain Python, and the cop numbers of whole files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

from benchmarks.measure import Job, Sample, Session, work
from benchmarks.report import Row, agree
from benchmarks.works.files import generator

#: Megabytes a second that are asked for, graphs with 8 nodes by plain Python, and how often a file
#: has all of these.
_ASKED, _SAMPLED, _TIMES = 100, 150, 20


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
    maker, program = session.compiled_c("all_graphs"), session.compiled_c("cops")
    if maker is None or program is None:
        return
    jobs = {
        "ours": work("files.cops_of_plain", nodes=nodes, sampled=_SAMPLED),
        "plain": work("files.cops_plain", nodes=nodes, sampled=_SAMPLED, rehearse="no"),
    }
    samples = session.race(jobs, once=("plain",))
    agree(samples["ours"], samples["plain"], "sampled")
    ours, plain = samples["ours"], samples["plain"]
    each = [sample.cpu / sample.answer["graphs"] for sample in (plain, ours)]
    for size, times in session.pick(((nodes, _TIMES), (nodes + 1, 1)), ((nodes, 1),)):
        path = session.folder / f"connected_{size}.g6"
        subprocess.run([maker, str(size), path], check=True, stdout=subprocess.DEVNULL)
        path.write_bytes(path.read_bytes() * times)
        jobs = {
            "ours": work("files.cops", path=str(path)),
            "c": Job([program, str(path), "0"]),
        }
        samples = session.race(jobs)
        agree(samples["ours"], samples["c"])
        row = _row(size, samples["ours"], times)
        row.beside("C with vectors", samples["c"].cpu / samples["ours"].cpu)
        if size == nodes:
            row.beside(f"dictionaries in Python, on {_SAMPLED} of them", each[0] / each[1])
        yield row
    if not session.quick and generator() is not None:
        job = work("files.cops_of_geng", nodes=10, rehearse="no")
        yield _row(10, session.race({"ours": job}, repeat=1)["ours"])


def _row(nodes: int, sample: Sample, times: int = 1) -> Row:
    graphs = sample.answer["graphs"]
    what = f"cop numbers of the {graphs // times:,} connected graphs with {nodes} nodes"
    what += f", {times} times over" if times > 1 else ""
    return Row.of("cops", what, sample, graphs, unit="graphs").without_peak()
