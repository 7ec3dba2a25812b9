"""Asking solutions about positions: one by one and at once, in memory and from a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.measure import Session, work
from benchmarks.report import Row
from benchmarks.tables import named

#: Of each game: its size, its size in a quick run, the method, and how many answers a second are
#: asked for where many are at once: fewer where positions have to be found in a list.
_ASKED: list[tuple[str, list[int], list[int], str, float]] = [
    ("connect-four", [5, 4], [4, 3], "retrograde", 2e6),
    ("connect-four", [5, 4], [4, 3], "levels", 2e6),
    ("connect-four", [5, 4], [4, 3], "placement", 2e6),
    ("quixo", [4], [3], "dense", 1e7),
    ("stone-game", [2000], [50], "score", 2e6),
    ("cat-and-mouse", [1000], [50], "pursuit", 1e7),
]
_FEW, _MANY = 5_000, 1 << 20
#: Microseconds that one answer may take.
_MEMORY, _FILE = 2.0, 15.0
_WHERE = {
    "memory": ("in memory", _MEMORY),
    "first": ("from a file, for the first time", _FILE),
    "file": ("from a file, asked before", _FILE),
}


def asking(session: Session) -> Iterator[Row]:
    """Ask about positions taken at random."""
    few, many = session.pick((_FEW, _MANY), (500, 500))
    for game, full, quick, method, least in _ASKED:
        size = session.pick(full, quick)
        given = {"game": game, "size": size, "method": method, "few": few, "many": many}
        found = session.race({"ours": work("asking.ask", rehearse="no", **given)}, 1)["ours"]
        for kind, count in (("few", few), ("many", many)):
            for where, (told, most) in _WHERE.items():
                if (kind, where) == ("many", "file"):  # by then it is in memory
                    continue
                took = found.extra[f"{kind} {where}"]
                sample = replace(found, cpu=took, system=0.0, wall=took)
                call = "table[position]" if kind == "few" else "probe_many(array)"
                text = f"{call}: {count:,} of {named(game, size)}, {method}, {told}"
                row = Row.of("asking", text, sample, count, unit="probes").without_peak()
                if not session.quick and kind == "few":
                    row.keep("µs each", took / count * 1e6, most)
                elif not session.quick:
                    row.keep("M each core-s", count / took / 1e6, least / 1e6, at_least=True)
                yield row
