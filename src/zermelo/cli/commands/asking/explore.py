"""``zermelo explore``: a solved game as a web page on this machine."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from zermelo.cli.arguments.game import NamedGame
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource, table_options
from zermelo.cli.errors import Stop
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.web import missing

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution
    from zermelo.web.guard import AccessRules


class _ExploreCommand(SumCommand):
    """A command that shows all games if GAME is left out."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.params[0].required = False

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words after the command's name in the usage line."""
        pieces = super().collect_usage_pieces(ctx)
        return [f"[{piece}]" if piece == "TABLE_OR_GAME" else piece for piece in pieces]


@click.command(
    cls=_ExploreCommand,
    examples=[
        "zermelo explore",
        "zermelo explore tic-tac-toe",
        "zermelo explore connect-four --width 4 --height 4 --no-browser",
        "zermelo solve take-away --stones 20 --table heap.table",
        "zermelo explore heap.table",
        "zermelo explore tic-tac-toe --export site",
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
@click.option(
    "--allow-host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name under which a proxy shows the page, such as board.example; may be repeated.",
)
@click.option(
    "--root-path",
    default="",
    metavar="PATH",
    help="The path under which a proxy shows the page, such as /proxy/8765.",
)
@click.option(
    "--export",
    "folder",
    type=click.Path(path_type=Path),
    metavar="FOLDER",
    help="Write the page to a folder, for any web host, and do not serve it.",
)
@click.option(
    "--force", is_flag=True, help="Export to a folder that has other files, which stay there."
)
@click.option("--no-browser", is_flag=True, help="Do not open the page in a browser.")
@table_options
@output_options("Write only the address of the page.")
def explore(
    *,
    source: SolutionSource,
    port: int | None,
    host: str,
    hosts: tuple[str, ...],
    root_path: str,
    folder: Path | None,
    force: bool,
    no_browser: bool,
    output: Output,
) -> None:
    """Explore a game in the browser, with the value of every move.

    TABLE_OR_GAME is a table, or a game with its parameters, as for zermelo probe. Without it, the
    page shows all games of the zoo, with a form for the parameters of each. While a game is
    being solved, the page shows the progress. There is also a JSON interface; --json prints its
    address. Press Ctrl-C to stop. This needs the extra web: pip install 'zermelo[web]'.
    """
    sentence = missing()
    if sentence is not None:
        raise Stop(sentence)
    if folder is not None and source.subject is None:
        message = "--export is for a game or a table; name one"
        raise Stop(message)
    if folder is not None:
        _write_folder(source, folder, force=force, output=output)
        return
    if force:
        message = "--force is for --export; leave it out"
        raise Stop(message)
    from zermelo.game.titles import title_of
    from zermelo.web.guard import AccessRules
    from zermelo.web.server import Site
    from zermelo.web.session import ExplorerSession

    door = AccessRules(tuple(map(_parse_host, hosts)), _parse_root_path(root_path))
    solver = None
    if source.subject is None:
        _serve_gallery(source, host, port, door, output, no_browser=no_browser)
        return
    if isinstance(source.subject, str):
        room = ExplorerSession(Path(source.subject).name)
        room.show(source.open())
    else:
        title = title_of(source.subject.game) if isinstance(source.subject, NamedGame) else None
        room, solver = ExplorerSession(source.name, title), source.open
    site = Site(room, host, port, door)
    api = f"{site.url}api/"
    document = {"url": site.url, "api": api, "openapi": f"{api}openapi.json"}
    output.write(document, f"{room.name} is at {site.url} until you press Ctrl-C", site.url)
    if not no_browser:
        site.open_browser()
    site.serve(solver)


def _serve_gallery(
    source: SolutionSource,
    host: str,
    port: int | None,
    door: AccessRules,
    output: Output,
    *,
    no_browser: bool,
) -> None:
    """Serve all games until Ctrl-C."""
    from zermelo.cli.arguments import parameters
    from zermelo.web.gallery.application import make_gallery
    from zermelo.web.gallery.forms import Forms
    from zermelo.web.gallery.session_pool import SessionPool
    from zermelo.web.server import Site

    def solver(name: str, game: Game, listener: Listener) -> Solution:
        return replace(source, subject=NamedGame(name, game)).open(listener)

    hall = SessionPool(solver)
    site = Site(make_gallery(Forms(parameters), hall, host, door), host, port, door)
    api = f"{site.url}api/games"
    text = f"all games are at {site.url} until you press Ctrl-C"
    output.write({"url": site.url, "api": api}, text, site.url)
    if not no_browser:
        site.open_browser()
    try:
        site.serve(None)
    finally:
        hall.stop()


def _parse_host(name: str) -> str:
    """Return the name of a host, as requests have it."""
    plain = name.lower().strip()
    if not re.fullmatch(r"(\*\.)?[\w.-]+(:\d+)?|\[[0-9a-f:]+\]", plain):
        message = f"--allow-host {name!r} is not a host; write one such as board.example"
        raise Stop(message)
    return re.sub(r":\d+$", "", plain)


def _parse_root_path(path: str) -> str:
    """Return a path with a slash in front and none behind, or ""."""
    plain = path.strip("/")
    if not re.fullmatch(r"[\w.~/-]*", plain):
        message = f"--root-path {path!r} is not a path; write one such as /proxy/8765"
        raise Stop(message)
    return f"/{plain}" if plain else ""


def _write_folder(source: SolutionSource, folder: Path, *, force: bool, output: Output) -> None:
    """Write the page of a game to a folder."""
    from zermelo.web.export.folder import check_folder, limit_size, write_site
    from zermelo.web.session import ExplorerSession

    check_folder(folder, force=force)
    room = ExplorerSession(
        Path(source.subject).name if isinstance(source.subject, str) else source.name
    )
    with output.watch() as watch:
        room.show(source.open(limit_size(room.name, watch)))
        site = write_site(room, folder, force=force, progress=watch)
    bytes_per_position = site.table / site.positions
    document = {
        "folder": str(site.folder),
        "positions": site.positions,
        "bytes": site.size,
        "bytes_of_positions": site.table,
    }
    address = shlex.quote(str(folder))
    text = (
        f"{room.name} is in {address}: {site.size:,} bytes for {site.positions:,} positions, "
        f"{bytes_per_position:,.1f} bytes for each\n"
        f"try it: python -m http.server --directory {address}"
    )
    output.write(document, text, str(site.folder))
