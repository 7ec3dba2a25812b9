"""``zermelo explore``: a solved game as a web page on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli._errors import Stop
from zermelo.cli._game_command import Named, authors_prints
from zermelo.cli._output import output_options, write_json
from zermelo.cli._table_command import Asked, TableCommand, table_options
from zermelo.errors import ParameterError, PositionError
from zermelo.web import missing

if TYPE_CHECKING:
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution


@click.command(
    cls=TableCommand,
    examples=[
        "zermelo explore tic-tac-toe",
        "zermelo explore connect-four --width 4 --height 4 --no-browser",
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo explore heap.table",
    ],
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="The port; by default 8765, or another if that is in use.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="NAME",
    help="The address to listen on; the default, 127.0.0.1, is for this machine only.",
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@table_options
@output_options("Write only the address of the page.")
def explore(
    *,
    game: str | Named,
    port: int | None,
    host: str,
    no_browser: bool,
    asked: Asked,
    as_json: bool,
    quiet: bool,
) -> None:
    """Explore a game in the browser, with the value of every move.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. While a game is
    being solved, the page shows the progress. There is also a JSON interface; --json prints its
    address. Press Ctrl-C to stop. This needs the extra web: pip install 'zermelo[web]'.
    """
    sentence = missing()
    if sentence is not None:
        raise Stop(sentence)
    from zermelo.web.room import Room
    from zermelo.web.server import Site

    solver = None
    if isinstance(game, Named):
        asked.check(game)
        room, named = Room(game.name), game

        def solver(listener: Listener) -> Solution:
            return asked.opened(named, listener)

    else:
        room = Room(Path(game).name)
        try:
            room.show(asked.opened(game))
        except (ParameterError, PositionError) as error:
            raise Stop(str(error)) from None
    site = Site(room, host, port)
    if as_json:
        api = f"{site.url}api/"
        write_json({"url": site.url, "api": api, "openapi": f"{api}openapi.json"})
    else:
        click.echo(site.url if quiet else f"{room.name} is at {site.url} until you press Ctrl-C")
    if not no_browser:
        site.open_browser()
    with authors_prints():
        site.serve(solver)
