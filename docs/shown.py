"""Answers on these pages as notebooks show them: directives that make them at build time.

A block of ``{shown} options``, ``line``, ``explain`` or ``tree`` shows that answer, as the page on
notebooks asks for it. A block of ``{drawn} EXPRESSION`` shows the picture that the expression gives
after the examples above it on the same page.
"""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from doctest import DocTestParser
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import zermelo
from zermelo.games import TakeAway, TicTacToe


@cache
def _answers() -> dict[str, Any]:
    game = TicTacToe()
    solution, position = zermelo.solve(game), game.parse("X../O../...")
    tree = zermelo.solve(TakeAway(7)).tree(player="first", depth=None)
    return {
        "options": solution.options(position),
        "line": solution.line(position),
        "explain": solution.explain(position),
        "tree": tree,
    }


class Shown(SphinxDirective):
    """Shows an answer in its HTML form."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the form as it stands in the page."""
        answer = _answers()[self.arguments[0]]
        return [nodes.raw("", f'<div class="shown">{answer._repr_html_()}</div>', format="html")]


class Drawn(SphinxDirective):
    """Shows the picture of what the examples above it have made."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture as it stands in the page."""
        path, line = self.get_source_info()
        above = "\n".join(Path(path).read_text(encoding="utf-8").splitlines()[: line - 1])
        picture = eval(self.arguments[0], names_after(above))  # noqa: S307  # our own page
        return [nodes.raw("", f'<p class="picture">{picture.svg}</p>', format="html")]


def names_after(text: str) -> dict[str, Any]:
    """Return the names that the examples of a page define; what they print is left out."""
    names: dict[str, Any] = {}
    blocks = re.findall(r"^```(python|pycon)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    with redirect_stdout(StringIO()):
        for kind, block in blocks:
            examples = DocTestParser().get_examples(block) if kind == "pycon" else []
            for source in [example.source for example in examples] or [block]:
                exec(source, names)  # noqa: S102  # our own page
    return names


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known."""
    app.add_directive("shown", Shown)
    app.add_directive("drawn", Drawn)
    return {"parallel_read_safe": True}
