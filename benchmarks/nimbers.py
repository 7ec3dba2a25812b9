"""Nimbers of impartial games, beside who wins the same games."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree


def nimbers(session: Session) -> Iterator[Row]:
    """Find the nimbers of ten million positions, of a game that ends and of one with cycles."""
    heaps, size = session.pick((3200, 11_000_000), (60, 20_000))
    for name, label, given in (
        ("heaps", "two heaps, no cycles", {"stones": heaps}),
        ("cycles", "hops, cycles", {"size": size}),
    ):
        touch = 150 * (heaps * heaps if name == "heaps" else size)
        jobs = {
            "ours": work(f"nimbers.{name}_nimbers", touch=touch, **given),
            "won": work(f"nimbers.{name}_outcomes", touch=touch, **given),
        }
        samples = session.race(jobs)
        ours, won = samples["ours"], samples["won"]
        agree(ours, won)
        row = Row.of("nimbers", label, ours, ours.answer["positions"])
        row.beside("who wins, and how fast", won.cpu / ours.cpu)
        row.keep("times who wins, CPU", ours.cpu / won.cpu, 1.5)
        if ours.peak and won.peak:
            row.keep("times who wins, memory", ours.peak / won.peak, 1.5)
        yield row
    yield from _components(session)


def _components(session: Session) -> Iterator[Row]:
    """Find the nimbers of all components of a grid, with and without storing the moves."""
    columns, memory = session.pick((20, "180MB"), (12, "3MB"))
    asked = {"graph": f"grid 3 {columns}"}
    jobs = {
        "stored": work("nimbers.components", memory=None, **asked),
        "rerun": work("nimbers.components", memory=memory, **asked),
    }
    program = session.compiled_c("node_kayles")
    if program is not None:
        jobs["c"] = Job([program, "3", str(columns), "0"])
    samples = session.race(jobs, once=("stored", "rerun"))
    for name, how in (("stored", ""), ("rerun", f", in {memory}")):
        ours = samples[name]
        agree(ours, samples.get("c", samples["stored"]))
        parts = ours.answer["positions"]
        what = f"Node Kayles 3x{columns}: {parts:,} components{how}"
        row = Row.of("nimbers", what, ours, parts)
        if "c" in samples:
            row.beside("C, depth first with a hash table", samples["c"].cpu / ours.cpu)
        yield row
