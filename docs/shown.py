"""Answers on these pages as notebooks show them: a directive that makes them at build time.

A block of ``{shown} options``, ``line``, ``explain`` or ``tree`` shows that answer, as the page on
notebooks asks for it. A block of ``{thermograph} {2|0}`` draws the thermograph of that value.
"""

from __future__ import annotations

from functools import cache
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


class ThermographFigure(SphinxDirective):
    """Draws the thermograph of the value of a partizan game."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the picture as it stands in the page."""
        svg = zermelo.CombinatorialValue.parse(self.arguments[0]).thermograph.svg
        return [nodes.raw("", f'<div class="shown">{svg}</div>', format="html")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Make the directives known."""
    app.add_directive("shown", Shown)
    app.add_directive("thermograph", ThermographFigure)
    return {"parallel_read_safe": True}
