"""Live boards on these pages: a directive that embeds the explorer of a game, without a server.

A block of ``{board} tic-tac-toe`` writes the explorer of the game to a folder of the built pages,
once for the same parameters, and shows it in a frame; without scripts there is the picture of the
start. ``:height:`` is that of the frame, in pixels; ``:title:`` says what is in it, in place of the
game's title; any other option is a parameter of the game, in JSON or as text.
"""

from __future__ import annotations

import hashlib
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from picture import Options, as_text, value_of
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective

from zermelo import solve
from zermelo.game.titles import title_of
from zermelo.games import zoo
from zermelo.web.export.folder import write_site
from zermelo.web.session import ExplorerSession

#: The folder of the boards in the built pages, and the height of a frame.
_FOLDER, _HEIGHT = "_boards", "640"


class Board(SphinxDirective):
    """Embeds a game of the zoo."""

    required_arguments = 1
    option_spec = Options(height=as_text, title=as_text)

    def run(self) -> list[nodes.Node]:
        """Return the frame, and remember that the game has to be written."""
        options = dict(self.options)
        height, title = options.pop("height", _HEIGHT), options.pop("title", "")
        given = {name.replace("-", "_"): value_of(text) for name, text in options.items()}
        name = self.arguments[0]
        game: Any = zoo()[name](**given)
        digest = hashlib.sha256(repr(sorted(given.items())).encode()).hexdigest()[:8]
        folder = f"{name}-{digest}" if given else name
        _boards(self.env).setdefault(self.env.docname, {})[folder] = (name, given)
        up = "../" * self.env.docname.count("/")
        about = title or f"{title_of(game)}: a board to play on, with the value of each move"
        label = escape(about)
        frame = (
            f'<iframe class="board" src="{up}{_FOLDER}/{folder}/index.html?embed" title="{label}" '
            f'loading="lazy" width="100%" height="{int(height)}"></iframe>'
            f'<noscript><p class="picture">{game.svg(game.start())}</p></noscript>'
        )
        return [nodes.raw("", frame, format="html")]


def _boards(env: BuildEnvironment) -> dict[str, dict[str, tuple[str, dict[str, Any]]]]:
    """Return the boards of each page, by their folders."""
    if not hasattr(env, "zermelo_boards"):
        env.zermelo_boards = {}  # type: ignore[attr-defined]  # an environment is pickled whole
    found: dict[str, dict[str, tuple[str, dict[str, Any]]]] = env.zermelo_boards  # type: ignore[attr-defined]
    return found


def _purge(_: Sphinx, env: BuildEnvironment, page: str) -> None:
    _boards(env).pop(page, None)


def _merge(_: Sphinx, env: BuildEnvironment, pages: list[str], other: BuildEnvironment) -> None:
    _boards(env).update({page: _boards(other)[page] for page in pages if page in _boards(other)})


def _write(app: Sphinx, failure: Exception | None) -> None:
    if failure is not None or app.builder.format != "html":
        return
    wanted = {folder: game for games in _boards(app.env).values() for folder, game in games.items()}
    for folder, (name, given) in sorted(wanted.items()):
        room = ExplorerSession(name)
        room.show(solve(zoo()[name](**given)))
        write_site(room, Path(app.outdir) / _FOLDER / folder)


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("board", Board)
    app.connect("env-purge-doc", _purge)
    app.connect("env-merge-info", _merge)
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True}
