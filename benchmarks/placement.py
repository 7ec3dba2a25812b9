"""Placement games, bit-sliced, beside a C program of ours for the same idea.

The C program keeps nothing but counts, and finds no remoteness.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Job, Session, work
from benchmarks.report import Row, agree

#: Width, height, how often, and the CPU seconds asked for without remoteness.
_RACES = [(6, 4, 3, None), (5, 5, 3, 0.5), (7, 4, 1, 8.0), (6, 5, 1, 20.0)]
_QUICK = [(4, 3, 1, None)]
#: So many times as long may it take with remoteness.
_FIVE = 5


def placement(session: Session) -> Iterator[Row]:
    """Solve Connect Four, who wins alone and with remoteness."""
    for width, height, repeat, limit in session.pick(_RACES, _QUICK):
        patterns = ((1 << (height + 1)) - 1) ** width
        sides = {"width": width, "height": height}
        touch = min(patterns // 2, 4 << 30)
        jobs = {
            way: work(
                "connect_four.bit_sliced",
                **sides,
                remoteness=way == "remoteness",
                threads=1,
                touch=touch,
            )
            for way in ("plain", "remoteness")
        }
        program = session.compiled_c("placement")
        if program is not None:
            jobs["c"] = Job([program, str(width), str(height), str(touch)])
        samples = session.race(jobs, repeat)
        for way in ("plain", "remoteness"):
            ours, positions = samples[way], samples[way].answer["positions"]
            told = f"connect four {width}x{height}: {positions:,} positions"
            if way == "remoteness":
                told += ", remoteness"
            row = Row.of("placement", told, ours, positions)
            if "c" in samples:
                agree(ours, samples["c"])
                row.beside("C, without remoteness", samples["c"].cpu / ours.cpu)
            else:
                row.note = "no C compiler (cc) here, so not beside C"
            if way == "remoteness":
                row.beside("ours without remoteness", samples["plain"].cpu / ours.cpu)
                if limit is not None:
                    row.keep("times the time without", ours.cpu / samples["plain"].cpu, _FIVE)
            elif limit is not None:
                row.keep("CPU s", ours.cpu, limit)
            yield row
