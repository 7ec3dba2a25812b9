"""The gallery of games: a directive that makes a card of each page of a game.

A block of ``{gallery}`` lists the pages below the folder of its own page, kind by kind. A card has
the first picture of the page, its heading, and the first sentence of the game's docstring, and
leads to the page. A new page is in the gallery without being named anywhere.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from zermelo.games import zoo

_PICTURE = re.compile(r"^```\{picture\}.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)


class Gallery(SphinxDirective):
    """Draws a card for each game of the zoo, those of one kind together."""

    def run(self) -> list[nodes.Node]:
        """Return the headings of the kinds and the cards below them."""
        here = Path(self.get_source_info()[0]).parent
        kinds: dict[str, list[Path]] = {}
        for page in sorted(here.glob("*/*.md")):
            kinds.setdefault(page.parent.name, []).append(page)
            self.env.note_dependency(str(page))
        text = "\n\n".join(_kind(kind, pages) for kind, pages in kinds.items())
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def _kind(kind: str, pages: list[Path]) -> str:
    about = (import_module(f"zermelo.games.{kind}").__doc__ or "").partition("\n\n")[0]
    cards = "\n".join(_card(kind, page) for page in pages)
    return (
        f"## {kind.capitalize()}\n\n{about}\n\n"
        f"``````{{grid}} 2 2 3 4\n:gutter: 2\n:class-container: gallery\n\n{cards}\n``````"
    )


def _card(kind: str, page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    heading, picture = _HEADING.search(text), _PICTURE.search(text)
    if heading is None or picture is None:
        message = f"{page.name} has no heading or no picture; each page of a game begins with both"
        raise ValueError(message)
    about = (zoo()[page.stem].__doc__ or "").partition("\n\n")[0].replace("``", "`")
    about = " ".join(about.split())
    return (
        f"`````{{grid-item-card}} {heading[1]}\n:link: {kind}/{page.stem}\n:link-type: doc\n"
        f":text-align: center\n\n{picture[0]}\n\n{about}\n`````"
    )


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directive known."""
    app.add_directive("gallery", Gallery)
    return {"parallel_read_safe": True}
