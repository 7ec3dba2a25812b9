"""``zermelo info``: shows the header of a table."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.cli.arguments.typed import named, options_typed
from zermelo.cli.ending import Stop
from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write_facts
from zermelo.games import zoo
from zermelo.tables.open import describe_table
from zermelo.values.outcomes import Value


@click.command(
    cls=Example,
    examples=["zermelo solve take-away --stones 20 --table heap.table", "zermelo info heap.table"],
)
@click.argument("table", metavar="TABLE")
@output_options("Write only the game and its parameters.")
def info(*, table: str, output: Output) -> None:
    """Show what a table contains; its game is not needed.

    This reads the header and checks its checksum, but does not read the values.
    """
    if table in zoo() and not Path(table).is_file():
        file = f"{table}.table"
        message = f"{table!r} is a game; write zermelo solve {table} --table {file} to make a table"
        raise Stop(message)
    header = describe_table(table)
    if "holds" in header:  # it is of no game
        brief, about = header["holds"], {"holds": header["holds"]}
    else:
        parameters = " ".join(options_typed(header["parameters"]))
        brief = " ".join(
            [
                named(header["game"]),
                *options_typed(header["parameters"]),
                *(["--misere"] if header["misere"] else []),
            ]
        )
        about = {
            "game": named(header["game"]),
            "parameters": parameters or "none",
            **({"play": "misère"} if header["misere"] else {}),
            "value": str(Value.from_json(header["value"])),
        }
    positions = header["table"]["positions"]
    rows = {
        **about,
        "positions": f"{positions:,}" + (" classes" if header.get("folded") else ""),
        **{f"  {name}": f"{count:,}" for name, count in header["counts"].items()},
        "method": header["method"],
        "made by": f"Zermelo {header['zermelo']}",
        "bytes": f"{header['bytes']:,} ({header['bytes'] / max(positions, 1):.2f} per position)",
    }
    output.write(header, lambda: write_facts(list(rows.items())), brief)
