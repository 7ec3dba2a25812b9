"""``zermelo info``: shows the header of a table."""

from __future__ import annotations

import json
from typing import Any

import click

from zermelo.cli._group import Example
from zermelo.cli._output import output_options, write, write_json
from zermelo.tables.open import describe_table
from zermelo.values.outcomes import Outcome, Value


@click.command(
    cls=Example,
    examples=["zermelo solve take-away --stones 20 --table heap.table", "zermelo info heap.table"],
)
@click.argument("table", metavar="TABLE")
@output_options("Write only the game and its parameters.")
def info(*, table: str, as_json: bool, quiet: bool) -> None:
    """Show what a table contains; its game is not needed.

    This reads the header and checks its checksum, but does not read the values.
    """
    header = describe_table(table)
    if as_json:
        write_json(header)
        return
    if "holds" in header:  # it is of no game
        click.echo(header["holds"]) if quiet else write(_grid({"holds": header["holds"]}, header))
        return
    parameters = " ".join(
        f"--{name} {json.dumps(value)}" for name, value in header["parameters"].items()
    )
    if quiet:
        click.echo(f"{header['game']} {parameters}".strip())
        return
    of = {
        "game": header["game"],
        "parameters": parameters or "none",
        "value": value_text(header["value"]),
    }
    write(_grid(of, header))


def _grid(of: dict[str, str], header: dict[str, Any]) -> Any:
    """Return what a table is of, and after that what each says."""
    from rich.table import Table
    from rich.text import Text

    positions = header["table"]["positions"]
    rows = {
        **of,
        "positions": f"{positions:,}" + (" classes" if header.get("folded") else ""),
        **{f"  {name}": f"{count:,}" for name, count in header["counts"].items()},
        "method": header["method"],
        "made by": f"Zermelo {header['zermelo']}",
        "bytes": f"{header['bytes']:,} ({header['bytes'] / max(positions, 1):.2f} a position)",
    }
    grid = Table.grid(padding=(0, 3, 0, 0))
    for label, text in rows.items():
        grid.add_row(Text(label, "bold"), Text(text))
    return grid


def value_text(value: dict[str, Any]) -> str:
    """Return in words the value that a table's header has."""
    outcome = Outcome[value["outcome"].upper()]
    return str(Value(outcome, value.get("remoteness"), value.get("score")))
