"""Larger than memory: what it costs to solve with a fraction of what a method would like."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

_MB = 1_000_000
#: A solve within little memory may take so many times as long, and a twentieth more than allowed.
_TIMES, _OVER = 3.0, 1.05
_FOUR, _BITS = "ConnectFour", "placement"
#: What is solved: a name for people, the game, its size, the method, bytes, and whether in memory
#: as well; the last is not, as that takes more than 10 GB. And what is solved before the clock
#: starts, within how many bytes, to have all kernels compiled and loaded: the same where that is
#: quick, and elsewhere a game that was seen to need the same ones.
_CASES = [
    ("Connect Four 5x5, placement", _FOUR, [5, 5], _BITS, 20 * _MB, True, [5, 5], 20 * _MB),
    ("Connect Four 4x7, levels", _FOUR, [4, 7], "levels", 350 * _MB, True, [4, 7, 3], 10 * _MB),
    ("Quixo 4x4, dense", "Quixo", [4], "dense", 64 * _MB, True, [4], 64 * _MB),
    ("Connect Four 6x5, placement", _FOUR, [6, 5], _BITS, 2000 * _MB, False, [5, 5], 20 * _MB),
]
_SMALL = [("Connect Four 4x4, placement", _FOUR, [4, 4], _BITS, 1 * _MB, True, [4, 4], 1 * _MB)]


def larger(session: Session) -> Iterator[Row]:
    """Solve games within a fraction of the memory they would like, beside doing so with all."""
    for told, game, size, method, memory, whole, first, least in session.pick(_CASES, _SMALL):
        given: dict[str, Any] = {"game": game, "size": size, "method": method, "first": first}
        given["rehearse"] = "no"
        jobs = {"within": work("larger.solve", **given, memory=memory, least=least)}
        if whole:
            jobs["free"] = work("larger.solve", **given, memory=None, least=None)
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
