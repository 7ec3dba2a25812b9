"""Tables: what saving and verifying cost beside solving, how large and how quick they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: Of each game: its size, its size in a quick run, the method, how often, and what is asked of its
#: table: how many times as long as saving the solve takes, and bytes a position (of a dense space:
#: a slot).
_SAVED: list[tuple[str, list[int], list[int], str, int, float | None, float]] = [
    ("connect-four", [5, 4], [4, 3], "levels", 2, 4, 4),
    ("connect-four", [5, 4], [4, 3], "retrograde", 2, 4, 4),
    ("connect-four", [5, 5], [4, 3], "levels", 1, 4, 4),
    ("connect-four", [5, 5], [4, 3], "placement", 1, None, 0.5),
    ("quixo", [4], [3], "dense", 2, 4, 0.05),
]
#: How it is asked, how many positions at a time, and what is asked of it: µs each, or each second.
_ASKED: list[tuple[str, list[int], list[int], str, str, bool, float]] = [
    ("connect-four", [5, 4], [4, 3], "retrograde", "memory", False, 2),
    ("connect-four", [5, 4], [4, 3], "retrograde", "first", False, 15),
    ("connect-four", [5, 4], [4, 3], "retrograde", "file", False, 15),
    ("quixo", [4], [3], "dense", "memory", False, 2),
    ("quixo", [4], [3], "dense", "first", False, 15),
    ("connect-four", [5, 4], [4, 3], "retrograde", "memory", True, 2e6),
    ("connect-four", [5, 4], [4, 3], "retrograde", "first", True, 2e6),
    ("quixo", [4], [3], "dense", "memory", True, 1e7),
    ("quixo", [4], [3], "dense", "first", True, 1e7),
]
#: Placement games whose tables are verified: their sizes, those in a quick run, and where tables
#: are; and how many times as long as the solve it may take.
_VERIFIED: list[tuple[list[int], list[int], list[str]]] = [
    ([5, 5], [5, 4], ["in memory", "read from a file"]),
    ([6, 4], [4, 4], ["in memory"]),
]
_AT_MOST = 1.5
_WHERE = {
    "memory": "in memory",
    "file": "from a file, asked before",
    "first": "from a file, for the first time",
}


def tables(session: Session) -> Iterator[Row]:
    """Save tables, verify and ask them."""
    for game, full, quick, method, repeat, least, most in _SAVED:
        arguments: dict[str, Any] = {"game": game, "size": session.pick(full, quick)}
        arguments["method"] = method
        touch = session.pick(1 << 31 if full == [5, 5] else 1 << 29, 0)
        jobs = {
            "solve": work("tables.solve", touch=touch, **arguments),
            "save": work("tables.save", touch=touch, rehearse="no", **arguments),
        }
        samples = session.race(jobs, repeat)
        agree(samples["save"], samples["solve"], "positions", "slots")
        saved = samples["save"]
        positions, slots = saved.answer["positions"], saved.answer["slots"]
        text = f"saving {_text(arguments)}: {positions:,} positions in {_size(saved.answer)}"
        row = Row.of("tables", text, saved, positions)
        asked = least if not session.quick else None
        row.beside("the solve", samples["solve"].cpu / saved.cpu, asked)
        unit = "bytes a slot" if slots != positions else "bytes a position"
        row.keep(unit, saved.answer["bytes"] / slots, most)
        yield row
    yield from _verified(session)
    for game, full, quick, method, where, many, limit in _ASKED:
        arguments = {"game": game, "size": session.pick(full, quick), "method": method}
        count = session.pick(1 << 20 if many else 5_000, 500)
        asking = {"where": where, "count": count, "many": many}
        job = work("tables.probe", rehearse="no", **arguments, **asking)
        ours = session.race({"ours": job}, 2 if method == "retrograde" else 1)["ours"]
        call = "probe_many(array)" if many else "table[position]"
        text = f"{call}: {count:,} of {_text(arguments)}, {_WHERE[where]}"
        row = Row.of("tables", text, ours, count, unit="probes").without_peak()
        if many:
            row.keep("M each core-s", count / ours.cpu / 1e6, limit / 1e6, at_least=True)
        else:
            row.keep("µs each", ours.cpu / count * 1e6, limit)
        yield row


def _verified(session: Session) -> Iterator[Row]:
    """Verify tables of placement games, in memory and from a file."""
    for full, quick, places in _VERIFIED:
        for remoteness in (False, True):
            game: dict[str, Any] = {"game": "connect-four", "size": session.pick(full, quick)}
            solve = {**game, "method": "placement", "remoteness": remoteness}
            touch = session.pick(1 << 29, 0)
            jobs = {"solve": work("tables.solve", touch=touch, **solve)}
            for where in places:
                how = {"remoteness": remoteness, "from_file": where != "in memory"}
                jobs[where] = work("tables.verify", touch=touch, **game, **how)
            samples = session.race(jobs, 2)
            for where in places:
                ours = samples[where]
                agree(ours, samples["solve"], "positions")
                positions = ours.answer["positions"]
                text = f"verifying {_text(solve)}{', remoteness' if remoteness else ''}"
                text += f": {positions:,} positions {where}"
                row = Row.of("tables", text, ours, positions)
                row.beside("the solve", samples["solve"].cpu / ours.cpu)
                if not session.quick:
                    row.keep("times the solve", ours.cpu / samples["solve"].cpu, _AT_MOST)
                yield row


def _text(arguments: dict[str, Any]) -> str:
    size = arguments["size"]
    sides = "x".join(map(str, size if len(size) > 1 else size * 2))
    return f"{arguments['game'].replace('-', ' ')} {sides}, {arguments['method']}"


def _size(answer: dict[str, Any]) -> str:
    return f"{answer['bytes'] / 1e6:.3g} MB"
