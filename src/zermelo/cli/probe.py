"""``zermelo probe``: shows the value of a position and of its moves."""

from __future__ import annotations

from typing import Any

import click

from zermelo.cli._errors import Stop
from zermelo.cli._game_command import Named, authors_prints
from zermelo.cli._output import output_options, write_json
from zermelo.cli._positions import read_position
from zermelo.cli._progress import Watch
from zermelo.cli._table_command import Asked, TableCommand, table_options
from zermelo.errors import PositionError
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
def probe(
    *,
    game: str | Named,
    position: str | None,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show the value of a position and of each of its moves.

    TABLE_OR_GAME is a table, made by zermelo solve GAME --table TABLE or by solution.save in
    Python; or a game with its parameters, which is solved unless its table is cached. POSITION is
    written as the game reads it, or as JSON; the default is the start. In the table of a graph it
    is a vertex: its name, or else its number. In the table of a pursuit it is JSON such as
    '[4, [2, 6], 1]': the evader's node, the pursuers' nodes and the turn.
    """
    with Watch(quiet=quiet or as_json) as watch:
        solution = asked.opened(game, watch)
    with authors_prints():
        try:
            where = read_position(solution, position)
            value, options = solution[where], solution.options(where)
        except PositionError as error:
            raise Stop(str(error)) from None
    if as_json:
        write_json(
            {
                "position": plain(where),
                "value": _plain_value(value),
                "moves": [
                    {
                        "move": plain(option.move),
                        "name": option.name,
                        "position": plain(option.position),
                        "value": _plain_value(option.value),
                    }
                    for option in options
                ],
            }
        )
        return
    click.echo(str(value))
    if not quiet:
        width = max((len(option.name) for option in options), default=0)
        for option in options:
            click.echo(f"  {option.name:{width}}  {option.value}")


def _plain_value(value: Any) -> dict[str, Any]:
    return {
        "outcome": str(value.outcome),
        "remoteness": value.remoteness,
        "score": value.score,
        "nimber": value.nimber,
    }
