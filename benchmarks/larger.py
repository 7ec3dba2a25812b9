"""Larger than memory: what it costs to solve with a fraction of what a method would like."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

_MB = 1_000_000
#: A solve within little memory may take so many times as long, and a twentieth more than allowed.
_TIMES, _OVER = 3.0, 1.05
#: What is solved: a name for people, the game, its size, the method, bytes, and whether in memory
#: as well. The last is not: that takes more than 10 GB.
_CASES = [
    ("Connect Four 5x5, placement", "ConnectFour", [5, 5], "placement", 20 * _MB, True),
    ("Connect Four 4x7, levels", "ConnectFour", [4, 7], "levels", 350 * _MB, True),
    ("Quixo 4x4, dense", "Quixo", [4], "dense", 64 * _MB, True),
    ("Connect Four 6x5, placement", "ConnectFour", [6, 5], "placement", 2000 * _MB, False),
]
_SMALL = [("Connect Four 4x4, placement", "ConnectFour", [4, 4], "placement", 1 * _MB, True)]


def larger(session: Session) -> Iterator[Row]:
    """Solve games within a fraction of the memory they would like, beside doing so with all."""
    for told, game, size, method, memory, whole in session.pick(_CASES, _SMALL):
        given = {"game": game, "size": size, "method": method}
        # First the same once more, but for what takes long.
        first, least = (size, memory) if whole else ([5, 5], 20 * _MB)
        within = work("larger.solve", **given, memory=memory, first=first, least=least)
        jobs = {"within": within}
        if whole:
            jobs["free"] = work("larger.solve", **given, memory=None, first=size, least=None)
        samples = session.race(jobs, 1)
        ours = samples["within"]
        positions = ours.answer["positions"]
        row = Row.of("larger", f"{told}, within {memory // _MB:,} MB", ours, positions)
        if whole:
            agree(ours, samples["free"])
            row.beside("in memory", samples["free"].cpu / max(ours.cpu, 1e-9), 1 / _TIMES)
        if ours.peak is not None:
            row.keep("peak MB", ours.peak / _MB, memory / _MB * _OVER)
        yield row
