"""The flip game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import LEETCODE

MOST = 40


@dataclass(frozen=True)
class FlipGame(Game):
    """Turn two neighbouring plus signs into minus signs; a player who cannot loses.

    The position has a bit set for each plus sign, bit 0 for the first.

    Attributes:
        signs: the row at the start, of ``+`` and ``-``.
    """

    signs: str = "++++++++"

    facts = (Fact({"signs": "++++"}, "win", nimber=2, source=LEETCODE.format(294)),)

    @property
    def length(self) -> int:
        """The number of signs."""
        return len(self.signs)

    def start(self) -> int:
        """Return the row at the start."""
        return sum(1 << place for place, sign in enumerate(self.signs) if sign == "+")

    def moves(self, row: int) -> Iterator[int]:
        """Yield the first place of each pair of plus signs."""
        for place in range(self.length - 1):
            if row >> place & 3 == 3:
                yield place

    def play(self, row: int, place: int) -> int:
        """Return the row with a pair turned."""
        return row & ~(3 << place)

    def space(self) -> range:
        """Return the range of positions."""
        return range(1 << self.length)

    def validate(self) -> None:
        """Raise ParameterError unless there is a row of plus and minus signs."""
        signs = self.signs
        if not 0 < len(str(signs)) <= MOST or set(str(signs)) - {*"+-"}:
            message = f"signs {signs!r} are not 1 to {MOST} signs; write a row of + and -"
            raise ParameterError(message)

    def show(self, row: int) -> str:
        """Return the row."""
        return "".join("+" if row >> place & 1 else "-" for place in range(self.length))

    def name(self, place: int) -> str:
        """Return the number of the first sign that is turned, from 1."""
        return str(place + 1)

    def svg(self, row: int) -> str:
        """Draw the signs."""
        names = [str(place + 1) for place in range(self.length)]
        return drawing.grid([self.show(row)], title=self.show(row), below=names, moves=[names])

    def parse(self, text: str) -> int:
        """Read a row.

        Raises:
            PositionError: it is not a row with the right number of signs.
        """
        row = text.strip()
        if len(row) != self.length or set(row) - {*"+-"}:
            message = f"{text!r} is not a row of {self.length} signs; write + and -"
            raise PositionError(message)
        return sum(1 << place for place, sign in enumerate(row) if sign == "+")
