"""``zermelo info``: shows the header of a table or a proof."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from zermelo.cli.arguments.command_text import command_name, parameter_options
from zermelo.cli.errors import Stop
from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write_facts
from zermelo.errors import CorruptTableError
from zermelo.games import zoo
from zermelo.values.outcomes import Value


@click.command(
    cls=Example,
    examples=["zermelo solve take-away --stones 20 --table heap.table", "zermelo info heap.table"],
)
@click.argument("table", metavar="TABLE")
@output_options("Write only the game and its parameters.")
def info(*, table: str, output: Output) -> None:
    """Show what a table or a proof contains; its game is not needed.

    This reads the header and checks its checksum, but does not read the values.
    """
    from zermelo.tables.open import describe_table

    if table in zoo() and not Path(table).is_file():
        file = f"{table}.table"
        message = f"{table!r} is a game; write zermelo solve {table} --table {file} to make a table"
        raise Stop(message)
    header = describe_table(table)
    try:
        rows, brief = _header_rows(header)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        message = f"{table!r} is not a table: its header is invalid; make it again"
        raise CorruptTableError(message) from None
    output.write(header, lambda: write_facts(list(rows.items())), brief)


def _header_rows(header: dict[str, Any]) -> tuple[dict[str, str], str]:
    """Return the facts of a header, in rows, and its game with the parameters."""
    from zermelo.solution.load_solution import PROOF
    from zermelo.values.proof_values import proved_value

    file_rows = {
        "made by": f"Zermelo {header['zermelo']}",
        "bytes": f"{header['bytes']:,}",
    }
    if "holds" in header:  # it is of no game
        brief, about = header["holds"], {"holds": header["holds"]}
    else:
        parameters = parameter_options(header["parameters"])
        misere = header["misere"]
        brief = " ".join([command_name(header["game"]), *parameters, *["--misere"] * misere])
        about = {"game": command_name(header["game"]), "parameters": " ".join(parameters) or "none"}
        about |= {"play": "misère"} if misere else {}
    if header["table"].get("kind") == PROOF:
        strategies = header["table"]["strategies"]
        positions = sum(strategy["positions"] for strategy in strategies)
        rows = {
            **about,
            "position": json.dumps(header["position"]),
            "proved": str(proved_value(strategies)),
            "positions": f"{positions:,} in {_strategies_text(len(strategies))}",
            "searched": f"{header['nodes']:,} positions in {header['seconds']:,.1f} s",
            "search": header["choice"],
            **file_rows,
        }
        return rows, brief
    if "holds" not in header:
        about["value"] = str(Value.from_json(header["value"]))
    positions = header["table"]["positions"]
    bytes_per_position = header["bytes"] / max(positions, 1)
    rows = {
        **about,
        "positions": f"{positions:,}" + (" classes" if header.get("folded") else ""),
        **{f"  {name}": f"{count:,}" for name, count in header["counts"].items()},
        "method": header["method"],
        **file_rows,
        "bytes": f"{header['bytes']:,} ({bytes_per_position:.2f} per position)",
    }
    return rows, brief


def _strategies_text(strategies: int) -> str:
    return "one strategy" if strategies == 1 else f"{strategies} strategies"
