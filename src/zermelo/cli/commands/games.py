"""``zermelo games``: lists the built-in games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write
from zermelo.cli.parameters import first_sentence, option_name, parameters_of
from zermelo.game.parameters import plain

if TYPE_CHECKING:
    from zermelo.game.contract import Game


@click.command(cls=Example, examples=["zermelo games", "zermelo games --json"])
@output_options("Write only the names, one per line.")
def games(*, output: Output) -> None:
    """List the built-in games with their parameters."""
    from zermelo.games import zoo

    found = zoo()
    document = [described(name, kind) for name, kind in found.items()]
    output.write(document, lambda: _write_table(found), "\n".join(found))


def described(name: str, kind: type[Game]) -> dict[str, Any]:
    """Return what there is to say about a game, as JSON has it."""
    parameters = [
        {
            "name": each.name,
            "option": option_name(each.name),
            "type": "boolean" if each.sort == "flag" else each.sort,
            "required": each.required,
            "default": None if each.required else plain(each.default),
            "help": each.says,
        }
        for each in parameters_of(kind)
    ]
    return {"name": name, "description": first_sentence(kind), "parameters": parameters}


def _write_table(found: dict[str, type[Game]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), header_style="bold")
    table.add_column("game", no_wrap=True)
    table.add_column("what it is", ratio=1)
    table.add_column("parameters", no_wrap=True)
    for name, kind in found.items():
        lines = [
            " ".join(filter(None, [option_name(each.name), each.metavar, each.default_text]))
            for each in parameters_of(kind)
        ]
        table.add_row(*map(Text, (name, first_sentence(kind), "\n".join(lines))))
    write(table, Text("Defaults are in […]. See zermelo solve GAME --help for more."))
