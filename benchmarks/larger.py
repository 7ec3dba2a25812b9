"""Larger than memory: what it costs to solve with a fraction of what a method would like."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

_MB = 1_000_000
#: A solve within little memory may take so many times as long, and a twentieth more than allowed.
_TIMES, _OVER = 3.0, 1.05
#: What is solved: a name for people, the game, its size, the method, and bytes. The last is not
#: solved in memory as well: that takes more than 10 GB.
_CASES = [
    ("Connect Four 5x5, placement", "ConnectFour", [5, 5], "placement", 20 * _MB, True),
    ("Connect Four 4x7, levels", "ConnectFour", [4, 7], "levels", 350 * _MB, True),
    ("Quixo 4x4, dense", "Quixo", [4], "dense", 64 * _MB, True),
    ("Connect Four 6x5, placement", "ConnectFour", [6, 5], "placement", 2000 * _MB, False),
]
_SMALL = [("Connect Four 4x4, placement", "ConnectFour", [4, 4], "placement", 2 * _MB, True)]


def larger(session: Session) -> Iterator[Row]:
    """Solve games within a fraction of the memory they would like, beside doing so with all."""
    for told, game, size, method, memory, whole in session.pick(_CASES, _SMALL):
        given = {"game": game, "size": size, "method": method}
        jobs = {"within": work("larger.solve", **given, memory=memory)}
        if whole:
            jobs["free"] = work("larger.solve", **given, memory=None)
        samples = session.race(jobs, 1)
        within = samples["within"]
        positions = within.answer["positions"]
        row = Row.of("larger", f"{told}, within {memory // _MB:,} MB", within, positions)
        if whole:
            agree(within, samples["free"])
            row.beside("in memory", samples["free"].cpu / max(within.cpu, 1e-9), 1 / _TIMES)
        if within.peak is not None:
            row.keep("peak MB", within.peak / _MB, memory / _MB * _OVER)
        yield row
