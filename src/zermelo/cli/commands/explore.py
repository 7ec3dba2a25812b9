"""``zermelo explore``: a solved game as a web page on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.cli.ending import Stop
from zermelo.cli.game_argument import Named
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.sum_argument import SumCommand
from zermelo.cli.table_argument import SolutionSource, table_options
from zermelo.web import missing


@click.command(
    cls=SumCommand,
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
    source: SolutionSource,
    port: int | None,
    host: str,
    no_browser: bool,
    output: Output,
) -> None:
    """Explore a game in the browser, with the value of every move.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. While a game is
    being solved, the page shows the progress. There is also a JSON interface; --json prints its
    address. Press Ctrl-C to stop. This needs the extra web: pip install 'zermelo[web]'.
    """
    sentence = missing()
    if sentence is not None:
        raise Stop(sentence)
    from zermelo.game.titles import title_of
    from zermelo.web.room import Room
    from zermelo.web.server import Site

    solver = None
    if isinstance(source.of, str):
        room = Room(Path(source.of).name)
        room.show(source.opened())
    else:
        title = title_of(source.of.game) if isinstance(source.of, Named) else None
        room, solver = Room(source.name, title), source.opened
    site = Site(room, host, port)
    api = f"{site.url}api/"
    document = {"url": site.url, "api": api, "openapi": f"{api}openapi.json"}
    output.write(document, f"{room.name} is at {site.url} until you press Ctrl-C", site.url)
    if not no_browser:
        site.open_browser()
    site.serve(solver)
