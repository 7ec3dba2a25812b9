"""Tables: what saving and verifying cost beside solving, and how large they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

#: Of each game: its size, its size in a quick run, the method, how often, and what is asked of its
#: table: how many times as long as saving the solve takes, and bytes a position (of a dense space:
#: a slot). Where a solve handles many positions at once, compressing takes longer in any case.
_SAVED: list[tuple[str, list[int], list[int], str, int, float | None, float | None]] = [
    ("connect-four", [5, 4], [4, 3], "levels", 2, 4, 4),
    ("connect-four", [5, 4], [4, 3], "retrograde", 2, 4, 4),
    ("connect-four", [5, 5], [4, 3], "levels", 1, 4, 4),
    ("connect-four", [5, 5], [4, 3], "placement", 1, None, 0.5),
    ("quixo", [4], [3], "dense", 2, 4, 0.05),
    ("stone-game", [2000], [50], "score", 2, 4, None),
    ("cat-and-mouse", [3000], [50], "pursuit", 2, None, None),
]
#: What is verified, in memory and from a file: of each game its size, its size in a quick run, the
#: method, whether with remoteness, how often, and a size that has all compiled which is needed.
_VERIFIED: list[tuple[str, list[int], list[int], str, bool, int, list[int]]] = [
    ("connect-four", [5, 4], [4, 3], "retrograde", True, 2, [4, 3]),
    ("connect-four", [5, 5], [5, 4], "placement", False, 2, [5, 4]),
    ("connect-four", [5, 5], [5, 4], "placement", True, 2, [5, 4]),
    ("quixo", [4], [3], "dense", True, 1, [3]),
    ("stone-game", [2000], [50], "score", True, 2, [50]),
    ("cat-and-mouse", [3000], [50], "pursuit", True, 2, [300]),
]
#: So many times as long as the solve may that take.
_AT_MOST = 1.5


def tables(session: Session) -> Iterator[Row]:
    """Save tables, and verify them."""
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
        text = f"saving {named(game, arguments['size'])}, {method}: "
        text += f"{positions:,} positions in {_size(saved.answer)}"
        row = Row.of("tables", text, saved, positions)
        asked = least if not session.quick else None
        row.beside("the solve", samples["solve"].cpu / saved.cpu, asked)
        unit = "bytes a slot" if slots != positions else "bytes a position"
        if most is not None:
            row.keep(unit, saved.answer["bytes"] / slots, most)
        yield row
    yield from _verified(session)


def _verified(session: Session) -> Iterator[Row]:
    """Verify tables, in memory and from a file."""
    for game, full, quick, method, remoteness, repeat, first in _VERIFIED:
        given = {"game": game, "size": session.pick(full, quick), "method": method}
        given["remoteness"] = remoteness
        touch = session.pick(1 << 29, 0)
        jobs = {"solve": work("tables.solve", touch=touch, **given)}
        for where, from_file in (("in memory", False), ("read from a file", True)):
            jobs[where] = work(
                "tables.verify", touch=touch, **given, first=first, from_file=from_file
            )
        samples = session.race(jobs, repeat)
        solve = samples.pop("solve")
        for where, ours in samples.items():
            agree(ours, solve, "positions")
            positions = ours.answer["positions"]
            without = "" if remoteness else ", no remoteness"
            text = f"verifying {named(game, given['size'])}, {method}{without}: "
            row = Row.of("tables", f"{text}{positions:,} positions {where}", ours, positions)
            row.beside("the solve", solve.cpu / ours.cpu)
            if not session.quick:
                row.keep("times the solve", ours.cpu / solve.cpu, _AT_MOST)
            yield row


def named(game: str, size: list[int]) -> str:
    """Return a game and its size for people."""
    sides = "x".join(map(str, size * 2 if game == "quixo" else size))
    sides = sides if len(size) > 1 or game == "quixo" else f"{size[0]:,}"
    return f"{game.replace('-', ' ')} {sides}"


def _size(answer: dict[str, Any]) -> str:
    return f"{answer['bytes'] / 1e6:.3g} MB"
