"""The performance page of the documentation, made of a file that ``--json`` saved."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.machine import in_a_sentence
from benchmarks.report import minutes

#: What stands around the figures; ``{machine}``, ``{remark}`` and ``{tables}`` are filled in.
_TEXT = Path(__file__).with_name("page.md")

#: The parts of the page: a heading, and the names of the rows that belong under it.
_PARTS = [
    ("From ordinary rules", ("connect-four", "levels", "threads", "boards", "declared", "chains")),
    ("Dense spaces and symmetry", ("quixo", "endings", "cycles")),
    ("Placement games", ("placement",)),
    ("Tables on disk", ("tables",)),
    ("Asking about positions", ("probe", "asking")),
    ("Larger than memory", ("larger",)),
    ("Several processes", ("cluster", "rounds")),
    ("Cat and Mouse, and pursuits", ("small-games", "cat-and-mouse", "pursuit", "horizon")),
    ("Explicit graphs", ("graph", "parity", "gm", "cops")),
    ("Scores and strips", ("stone-game", "ellys-checkers", "loopy-scores", "kalah")),
    ("Proofs of one position", ("prove", "prove-boxes", "prove-components", "prove-empty")),
    ("Other libraries, agents and learning", ("openspiel", "evaluate", "dataset")),
    ("Nimbers and heap games", ("nimbers", "heaps")),
    ("Starting", ("import", "cold-start", "warm-start")),
]

#: What a reader gains: the name of a row, how its work begins, and what that is in plain words.
_GAINS = [
    ("cold-start", "", "Your first game from the shell, tic-tac-toe, compiling included"),
    ("warm-start", "", "The same command again"),
    ("connect-four-5x4", "3,945,711 positions", "Connect Four 5\u00d74: rules in plain Python"),
    ("connect-four-5x5", "69,763,700 positions, level", "Connect Four 5\u00d75: the same rules"),
    (
        "placement",
        "connect four 6x5: 2,818,972,642 positions, r",
        "Connect Four 6\u00d75: declared",
    ),
    ("endings", "KQKR: 20,508,124 positions", "King and queen against king and rook"),
    (
        "cycles",
        "Nine Men's Morris, 3 to 3: 6,233,920 positions",
        "Nine Men's Morris, three men each",
    ),
    ("graph", "solve 10,000,000 vertices, 47,009,449 edges", "A graph of your own"),
    ("pursuit", "10,000 nodes, degree 10: 199,980,000 positions", "Cat and mouse on 10,000 nodes"),
    ("small-games", "2,000 Cat and Mouse graphs", "2,000 small games, one after the other"),
    ("heaps", "0.77: 1,000,000, each", "Kayles: the nimbers of a million heaps"),
    ("probe", "solution.probe_many(array): 1,048,576", "Looking up a million positions at once"),
]
_SIZE = re.compile(r"[\d,]{5,} (?:positions|vertices|graphs)(?:, [\d,]{5,} edges)?")

_HEAD = "| work | CPU s | wall s | peak MB | bytes each | each core-second | compared with |"
_RULE = "|---|---|---|---|---|---|---|"


def page(results: dict[str, Any]) -> str:
    """Return the page for a document that ``--json`` saved.

    Raises:
        ValueError: it is of a quick run, or benchmarks failed.
    """
    if results["quick"] or results["failures"]:
        message = "a page needs the results of a whole run without failures"
        raise ValueError(message)
    rows = results["rows"]
    tables = [
        "\n".join([f"### {heading}", "", _HEAD, _RULE, *map(_line, chosen)])
        for heading, names in _PARTS
        if (chosen := [row for row in rows if row["name"].startswith(names)])
    ]
    described = in_a_sentence(results["machine"])
    remark = results.get("remark", "")
    if seconds := results.get("seconds"):
        remark = f"{remark} The whole set took {minutes(sum(seconds.values()))}.".strip()
    text = _TEXT.read_text()
    for mark, value in (
        ("{machine}", described),
        ("{remark}", remark),
        ("{gains}", _gains(rows)),
        ("{tables}", "\n\n".join(tables)),
    ):
        text = text.replace(mark, value)
    return text


def _gains(rows: list[dict[str, Any]]) -> str:
    """Return the table that opens the page: works in plain words, their sizes and times."""
    lines = ["| work | size | time | the same in another program |", "|---|---|---|---|"]
    for name, work, plain in _GAINS:
        found = (row for row in rows if row["name"] == name and row["work"].startswith(work))
        for row in list(found)[:1]:
            size = _SIZE.search(row["work"])
            cells = (plain, size[0] if size else "", _clock(row["wall"]), _slower(row))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _slower(row: dict[str, Any]) -> str:
    """Return how much longer the slowest rival takes, if it is clearly slower."""
    rival = max(row["against"], key=lambda other: other["ratio"], default={"ratio": 0})
    clearly = 2
    return (
        f"{_short(rival['ratio'])} times as long: {rival['name']}"
        if rival["ratio"] >= clearly
        else ""
    )


def _clock(seconds: float) -> str:
    """Return a time to two digits, as people say it."""
    return f"{seconds:.1f} s" if 1 <= seconds < 10 else f"{seconds:.2g} s"


def _line(row: dict[str, Any]) -> str:
    many = row["each_second"] is not None and row["each_second"] * row["cpu"] >= 100_000
    cells = (
        f"{row['name']}: {row['work']}" + (f" ({row['note']})" if row["note"] else ""),
        _short(row["cpu"]),
        _short(row["wall"]),
        "" if row["peak"] is None else f"{row['peak'] / 1e6:,.0f}",
        f"{row['peak_each']:.1f}" if row["peak_each"] is not None and many else "",
        "" if row["each_second"] is None else f"{_large(row['each_second'])} {row['unit']}",
        "<br>".join(_beside(row)),
    )
    return f"| {' | '.join(cells)} |"


def _beside(row: dict[str, Any]) -> Iterable[str]:
    for other in row["against"]:
        yield f"**{_short(other['ratio'])}**: {other['name']}"
    for target in row["targets"]:
        sign = "at least" if target["at_least"] else "at most"
        met = "met" if target["met"] else f"missed: {_short(target['value'])}"
        yield f"{target['name']} {sign} {target['limit']:g}: {met}"


def _short(number: float) -> str:
    """Return a number to three digits, as people write it."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _large(number: float) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"
