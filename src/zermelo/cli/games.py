"""``zermelo games``: lists the built-in games."""

from __future__ import annotations

from dataclasses import MISSING
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli._fields import (
    METAVARS,
    default_of,
    default_text,
    field_help,
    first_sentence,
    kinds_of,
    option_name,
    parameters_of,
)
from zermelo.cli._group import Example
from zermelo.cli._output import output_options, write, write_json
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.game.contract import Game


@click.command(cls=Example, examples=["zermelo games", "zermelo games --json"])
@output_options("Write only the names, one per line.")
def games(*, as_json: bool, quiet: bool) -> None:
    """List the built-in games with their parameters."""
    from zermelo.games import zoo

    found = zoo()
    if as_json:
        write_json([described(name, kind) for name, kind in found.items()])
    elif quiet:
        click.echo("\n".join(found))
    else:
        _write_table(found)


def described(name: str, kind: type[Game]) -> dict[str, Any]:
    """Return what there is to say about a game, as JSON has it."""
    kinds, says = kinds_of(kind), field_help(kind)
    parameters = []
    for field in parameters_of(kind):
        required = field.default is MISSING and field.default_factory is MISSING
        parameters.append(
            {
                "name": field.name,
                "option": option_name(field.name),
                "type": "boolean" if kinds[field.name] == "flag" else kinds[field.name],
                "required": required,
                "default": None if required else plain(default_of(field)),
                "help": says.get(field.name, ""),
            }
        )
    return {"name": name, "description": first_sentence(kind), "parameters": parameters}


def _write_table(found: dict[str, type[Game]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("what it is", ratio=1)
    table.add_column("parameters", no_wrap=True)
    for name, kind in found.items():
        kinds = kinds_of(kind)
        lines = []
        for field in parameters_of(kind):
            option = f"{option_name(field.name)} {METAVARS[kinds[field.name]]}".strip()
            required = field.default is MISSING and field.default_factory is MISSING
            lines.append(f"{option} {'' if required else f'[{default_text(field)}]'}".strip())
        row = (name, first_sentence(kind), "\n".join(lines))
        table.add_row(*map(Text, row))
    write(
        table,
        Text("Defaults are in […]. See zermelo solve GAME --help for more."),
    )
