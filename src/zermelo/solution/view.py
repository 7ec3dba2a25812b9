"""A view of a position for a notebook: the board, its value, and the value of each move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.forms import notebook_html
from zermelo.forms.markup import SIGNS
from zermelo.forms.pictures import Picture, PicturedAnswer
from zermelo.forms.quantities import count_phrase
from zermelo.values.outcomes import Value

if TYPE_CHECKING:
    from zermelo.solution.solved_base import Solved
    from zermelo.values.results import Options


@dataclass(frozen=True, slots=True, repr=False)
class View(PicturedAnswer):
    """A view of a position of a solved game; made by ``solution.show``.

    Notebooks draw it. As text it is the position, its value, and every move with its value.

    Attributes:
        position: the position.
        text: the text of the game's ``show``, or the ``repr`` of the position.
        svg: one ``<svg>`` element: the game's own picture, or one of its text or its fields.
        value: its value for the player to move.
        options: every move with its value, best first, or every result of chance; empty if the
            game is over.
    """

    position: Any
    text: str
    svg: str
    value: Value
    options: Options

    def __str__(self) -> str:
        """Return the position, its value and the moves as lines of text."""
        width = max((len(option.name) for option in self.options), default=0)
        moves = [
            f"  {SIGNS[option.value.word]} {option.name:{width}}  {option.value}"
            for option in self.options
        ]
        return "\n".join([self.text, str(self.value), *moves])

    def __repr__(self) -> str:
        """Return a text with the position, its value, and the number of moves."""
        noun = "results of chance" if self.options.by_chance else "moves"
        moves = count_phrase(len(self.options), noun)
        return f"<View of {self.position!r}: {self.value}, {moves}>"

    @property
    def picture(self) -> Picture:
        """The position as a picture."""
        return Picture((self.svg,))

    def _repr_svg_(self) -> str:
        """Return the picture, for notebooks."""
        return self.svg

    def _repr_html_(self) -> str:
        """Return the picture with the moves marked, beside a table of them, for notebooks."""
        return notebook_html.view(self)


def solution_table(solution: Any, solved: Solved) -> str:
    """Return a solution as a small table, with its start beside it, for notebooks.

    Args:
        solution: the solution.
        solved: the rules and the values of the solution.
    """
    return notebook_html.solution(solution, solution.counts(folded=True), _count_phrase(solved))


def summary(solution: Any, solved: Solved) -> str:
    """Return a line with the value of a solution, and the number of positions."""
    counts = solution.counts(folded=True)
    value = f"{solution.value}; " if len(solved.table.starts) else ""
    total = count_phrase(counts.positions, _count_phrase(solved))
    return f"{value}{total}: {counts.text}"


def _count_phrase(solved: Solved) -> str:
    return solved.counted_as or ("classes of positions" if solved.folded else "positions")
