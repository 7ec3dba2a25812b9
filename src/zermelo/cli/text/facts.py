"""Facts about games, as text for a terminal and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.cli.arguments.command_text import parameter_options
from zermelo.cli.output import write
from zermelo.game.parameters import as_json

if TYPE_CHECKING:
    from zermelo.game.facts import Fact


def fact_document(fact: Fact) -> dict[str, Any]:
    """Return a fact as a JSON object."""
    parameters = {name: as_json(value) for name, value in fact.parameters.items()}
    details = {"misere": fact.misere, "checked": fact.checked, "note": fact.note}
    return {"parameters": parameters, **fact.claims, **details, "source": fact.source}


def options_text(fact: Fact) -> str:
    """Return a fact's parameters as options; other parameters have their defaults."""
    options = parameter_options({name: as_json(value) for name, value in fact.parameters.items()})
    return " ".join([*options, *(["--misere"] if fact.misere else [])])


def write_published(rows: Sequence[tuple[Fact, str]], heading: str = "") -> None:
    """Write a table of facts, with their sources below it.

    Args:
        rows: each fact, with the result of its comparison with a solution.
        heading: the heading of the column of results; "" for no such column.
    """
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("parameters", max_width=32)
    table.add_column("published")
    table.add_column("source")
    if heading:
        table.add_column(heading)
    marks: dict[str, str] = {}
    for fact, result in rows:
        mark = marks.setdefault(_source_text(fact), f"[{len(marks) + 1}]")
        cells = [options_text(fact), str(fact), mark, *([result] if heading else [])]
        table.add_row(*map(Text, cells))
    write(table, *(Text(f"{mark} {text}") for text, mark in marks.items()))


def _source_text(fact: Fact) -> str:
    """Return the source of a fact, with its note, if any."""
    return f"{fact.source}; {fact.note}" if fact.note else fact.source
