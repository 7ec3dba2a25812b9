"""Quixo: one position of sixteen is held, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: CPU seconds asked for on four by four cubes.
_LIMIT = 8.0


def quixo(session: Session) -> Iterator[Row]:
    """Solve Quixo by two methods, and count what can be reached."""
    size = session.pick(4, 3)
    touch = (1 << 30) if size > 3 else 0
    plain = work("quixo.solve", size=3, method="retrograde", symmetry=False)
    jobs = {
        way: work("quixo.solve", size=size, method=way, touch=touch)
        for way in ("dense", "retrograde")
    }
    jobs["count"] = work("quixo.count", size=size, touch=touch, rehearse="no")
    samples = session.race(jobs, 1)
    agree(samples["dense"], samples["retrograde"], "positions", "value")
    for way in ("dense", "retrograde"):
        ours = samples[way]
        told = f"{size}x{size}, {way}: {ours.answer['positions']:,} classes of positions"
        row = Row.of("quixo", told, ours, ours.answer["positions"])
        if size > 3:
            row.keep("CPU s", ours.cpu, _LIMIT)
        if way == "retrograde":
            small = session.race(
                {"folded": work("quixo.solve", size=3, method=way), "plain": plain}, 1
            )
            ratio = small["plain"].cpu / small["folded"].cpu
            row.beside("3x3 without symmetries", ratio)
        yield row
    counted = samples["count"]
    positions = counted.answer["positions"]
    yield Row.of("quixo", f"{size}x{size}, counting {positions:,} positions", counted, positions)
