"""Pictures of games on these pages: directives that draw a position, or those of the first page.

A block of ``{picture} tic-tac-toe`` shows the start. ``:position:`` is another, as the game's
``parse`` reads it; ``:alt:`` says what there is to see, in place of the picture's own title; any
other option is a parameter of the game, in JSON or as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import escape
from typing import Any

from banner import figures
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from zermelo.games import zoo

_CLICKED = re.compile(r"<(?:rect|circle|polygon) data-move[^>]*/>")


class Options(dict[str, Callable[[str], str]]):
    """Options of a directive, of which parameters of a game have any name."""

    def __missing__(self, name: str) -> Callable[[str], str]:
        """Return what reads an option: its text is left as it is."""
        return as_text

    def __contains__(self, name: object) -> bool:
        """Whether there is such an option: there is always."""
        return True


def as_text(text: str | None) -> str:
    """Return the text of an option, which may be missing."""
    return text or ""


class Picture(SphinxDirective):
    """Draws a position of a game of the zoo."""

    required_arguments = 1
    option_spec = Options(position=as_text, alt=as_text)

    def run(self) -> list[nodes.Node]:
        """Return the picture as it stands in the page."""
        options = dict(self.options)
        shown, alt = options.pop("position", ""), options.pop("alt", "")
        given = {name.replace("-", "_"): value_of(text) for name, text in options.items()}
        game: Any = zoo()[self.arguments[0]](**given)
        position = game.parse(shown) if shown else game.start()
        # There is nothing to click on a page, so what is clicked can be left out.
        svg = _CLICKED.sub("", game.svg(position))
        if alt:
            before, _, rest = svg.partition("<title>")
            svg = f"{before}<title>{escape(alt)}</title>{rest.partition('</title>')[2]}"
        return [nodes.raw("", f'<p class="picture">{svg}</p>', format="html")]


class Banner(SphinxDirective):
    """Draws the boards of the first page in the colours of the page."""

    def run(self) -> list[nodes.Node]:
        """Return the boards as they stand in the page."""
        return [nodes.raw("", figures(), format="html")]


def value_of(text: str) -> Any:
    """Return the value of a parameter: JSON, or text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known."""
    app.add_directive("picture", Picture)
    app.add_directive("banner", Banner)
    return {"parallel_read_safe": True}
