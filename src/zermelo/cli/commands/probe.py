"""``zermelo probe``: shows the value of a position and of its moves."""

from __future__ import annotations

import click

from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.table_argument import SolutionSource, TableCommand, table_options
from zermelo.game.parameters import plain


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo probe heap.table 17",
        "zermelo probe take-away --stones 20 17",
    ],
)
@table_options
@click.argument("position", metavar="[POSITION]", required=False)
@output_options("Write only the value.")
def probe(*, source: SolutionSource, position: str | None, output: Output) -> None:
    """Show the value of a position and of each of its moves.

    TABLE_OR_GAME is a table, made by zermelo solve GAME --table TABLE or by solution.save in
    Python; or a game with its parameters, which is solved unless its table is cached. POSITION is
    written as the game reads it, or as JSON; the default is the start. In the table of a graph it
    is a vertex: its name, or else its number. In the table of a pursuit it is JSON such as
    '[4, [2, 6], 1]': the evader's node, the pursuers' nodes and the turn.
    """
    with output.watch() as watch:
        solution = source.opened(watch)
    where = solution.start if position is None else solution.parse(position)
    value, options = solution[where], solution.options(where)
    width = max((len(option.name) for option in options), default=0)
    lines = [f"  {option.name:{width}}  {option.value}" for option in options]
    document = {
        "position": plain(where),
        "value": value.to_json(),
        "moves": [
            {
                "move": plain(option.move),
                "name": option.name,
                "position": plain(option.position),
                "value": option.value.to_json(),
            }
            for option in options
        ],
    }
    output.write(document, "\n".join([str(value), *lines]), str(value))
