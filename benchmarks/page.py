"""The performance page of the documentation, made of a file that ``--json`` saved."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.machine import in_a_sentence
from benchmarks.report import minutes

#: What stands around the figures; ``{machine}``, ``{remark}`` and ``{tables}`` are filled in.
_TEXT = Path(__file__).with_name("page.md")

#: The parts of the page: a heading, and the names of the rows that belong under it.
_PARTS = [
    ("From ordinary rules", ("connect-four", "levels", "threads", "boards", "declared")),
    ("Dense spaces and symmetry", ("quixo", "endings", "circles")),
    ("Placement games", ("placement",)),
    ("Tables on disk", ("tables",)),
    ("Asking about positions", ("probe", "asking")),
    ("Larger than memory", ("larger",)),
    ("Cat and Mouse, and pursuits", ("small-games", "cat-and-mouse", "pursuit", "horizon")),
    ("Explicit graphs", ("graph",)),
    ("Scores and strips", ("stone-game", "ellys-checkers", "loopy-scores", "kalah")),
    ("Nimbers and heap games", ("nimbers", "heaps")),
    ("Starting", ("import", "cold-start", "warm-start")),
]

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
        ("{tables}", "\n\n".join(tables)),
    ):
        text = text.replace(mark, value)
    return text


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
