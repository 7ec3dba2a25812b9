"""Facts about games, as a terminal and JSON have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.cli.arguments.command_text import parameter_options
from zermelo.cli.output import write
from zermelo.game.parameters import as_json

if TYPE_CHECKING:
    from zermelo.game.facts import Fact


def fact_document(fact: Fact) -> dict[str, Any]:
    """Return a fact as JSON has it."""
    parameters = {name: as_json(value) for name, value in fact.parameters.items()}
    more = {"misere": fact.misere, "checked": fact.checked, "note": fact.note}
    return {"parameters": parameters, **fact.claims, **more, "source": fact.source}


def options_text(fact: Fact) -> str:
    """Write a fact's parameters as options; of what is not named, the defaults hold."""
    options = parameter_options({name: as_json(value) for name, value in fact.parameters.items()})
    return " ".join([*options, *(["--misere"] if fact.misere else [])])


def write_published(rows: Sequence[tuple[Fact, str]], heading: str = "") -> None:
    """Write a table of facts, and below it where they are from.

    Args:
        rows: each fact, with what a solution says of it.
        heading: what stands above the latter, if there is any.
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
    for fact, found in rows:
        mark = marks.setdefault(_write_source(fact), f"[{len(marks) + 1}]")
        cells = [options_text(fact), str(fact), mark, *([found] if heading else [])]
        table.add_row(*map(Text, cells))
    write(table, *(Text(f"{mark} {text}") for text, mark in marks.items()))


def _write_source(fact: Fact) -> str:
    """Write where a fact is from, with its note, if any."""
    return f"{fact.source}; {fact.note}" if fact.note else fact.source
