"""A position as a notebook shows it: the board, its value, and what each move leads to."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from zermelo.values.answers import html_table
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome, Value

if TYPE_CHECKING:
    from zermelo.values.answers import Option

#: How an outcome is marked: its sign is for those who do not see the colour.
SIGNS: dict[Outcome, str] = {WIN: "+", DRAW: "=", LOSS: "\N{MINUS SIGN}"}

#: Moves that are listed before the rest are only counted.
_MOST_MOVES = 40


@dataclass(frozen=True, slots=True)
class View:
    """A position of a solved game, to be looked at; made by ``solution.show``.

    Notebooks draw it. As text it is the position, its value, and every move with its worth.

    Attributes:
        position: the position.
        text: what the game's ``show`` writes of it, or the position as Python writes it.
        svg: one ``<svg>`` element: the game's own picture, or one of its text or its fields.
        value: what it is worth to the player to move.
        options: every move with what it is worth, best first; none where the game is over.
    """

    position: Any
    text: str
    svg: str
    value: Value
    options: tuple[Option, ...]

    def __str__(self) -> str:
        """Return the position, its value and the moves as lines of text."""
        width = max((len(option.name) for option in self.options), default=0)
        moves = [
            f"  {SIGNS[option.value.outcome]} {option.name:{width}}  {option.value}"
            for option in self.options
        ]
        return "\n".join([self.text, str(self.value), *moves])

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        return self.svg

    def _repr_html_(self) -> str:
        """Return the picture beside a table of the moves, for notebooks."""
        rows = "".join(
            f"<tr><th scope='row'>{escape(option.name)}</th>"
            f"<td>{SIGNS[option.value.outcome]} {escape(str(option.value))}</td></tr>"
            for option in self.options[:_MOST_MOVES]
        )
        more = len(self.options) - _MOST_MOVES
        if more > 0:
            rows += f"<tr><td colspan='2'>and {more:,} more</td></tr>"
        caption = escape(str(self.value)) + ("" if self.options else ", and the game is over")
        return (
            "<div style='display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start'>"
            f"<div>{self.svg}</div>"
            f"<table><caption>{caption}</caption>{rows}</table></div>"
        )


def drawn(solution: Any, solved: Any) -> str:
    """Return a solution as a small table, with its start beside it, for notebooks.

    Args:
        solution: the solution.
        solved: what it answers from.
    """
    counts = solution.counts(folded=True)
    begins = len(solved.table.starts) > 0
    rows = [("game", solution.rules.described)]
    if begins:
        rows += [("value", str(solution.value)), ("winner", solution.winner or "nobody")]
    rows += [
        (_counted_as(solved), f"{counts.positions:,}"),
        *((str(o), f"{n:,}") for o, n in ((WIN, counts.win), (DRAW, counts.draw))),
        (str(LOSS), f"{counts.loss:,}"),
        ("method", solution.method),
    ]
    return html_table(rows) + (solution.show()._repr_html_() if begins else "")


def summary(solution: Any, solved: Any) -> str:
    """Return in a line what a solution is worth, and how many positions there are."""
    counts = solution.counts(folded=True)
    value = f"{solution.value}; " if len(solved.table.starts) else ""
    total = f"{counts.positions:,} {_counted_as(solved)}"
    return f"{value}{total}: {counts.win:,} win, {counts.draw:,} draw, {counts.loss:,} loss"


def _counted_as(solved: Any) -> str:
    return solved.counted_as or ("classes of positions" if solved.folded else "positions")
