"""Nimbers of impartial games, beside who wins the same games."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree


def nimbers(session: Session) -> Iterator[Row]:
    """Find the nimbers of ten million positions, of a game that ends and of one with circles."""
    heaps, size = session.pick((3200, 11_000_000), (60, 20_000))
    for name, label, given in (
        ("heaps", "two heaps, no circles", {"stones": heaps}),
        ("circles", "hops, circles", {"size": size}),
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
