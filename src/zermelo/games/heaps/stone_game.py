"""The stone game, with its score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from zermelo import drawing
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_piles, read_bracketed, stands
from zermelo.games._sources import LEETCODE

TAKE_LEFT, TAKE_RIGHT = 0, 1


class Row(NamedTuple):
    """The piles that still stand: those at places ``left``, ``left + 1``, …, ``right - 1``.

    Attributes:
        left: the place of the first pile that stands.
        right: the place after the last one; equal to ``left`` when all are taken.
    """

    left: int
    right: int


@dataclass(frozen=True)
class StoneGame(Game):
    """Two players take piles of stones from either end of a row, and the one with more wins.

    Whoever moves takes the whole first or the whole last pile. The score of a position is the
    number of stones by which the player to move comes out ahead from here on.

    Attributes:
        piles: the number of stones in each pile, from left to right; a pile may also be 0 or below.
    """

    piles: Sequence[int] = (5, 3, 4, 5)

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact({"piles": [1, 100, 3]}, score=-96, note="the seed example", source="worked example"),
        Fact({"piles": [5, 3, 4, 5]}, "win", source=LEETCODE.format(877)),
        Fact({"piles": [1, 5, 2]}, "loss", source=LEETCODE.format(486)),
    )

    def start(self) -> Row:
        """Return the whole row."""
        return Row(0, len(self.piles))

    def moves(self, row: Row) -> Iterator[int]:
        """Yield the ends that can be taken; a single pile has only one."""
        if row.left < row.right:
            yield TAKE_LEFT
        if row.left + 1 < row.right:
            yield TAKE_RIGHT

    def play(self, row: Row, end: int) -> Row:
        """Return the row without the pile at one end."""
        if end == TAKE_LEFT:
            return Row(row.left + 1, row.right)
        return Row(row.left, row.right - 1)

    def gain(self, row: Row, end: int) -> int:
        """Return the stones in the pile at one end."""
        return self.piles[row.left if end == TAKE_LEFT else row.right - 1]

    def level(self, row: Row) -> int:
        """Return the number of piles that are taken."""
        return row.left + len(self.piles) - row.right

    def space(self) -> Row:
        """Return the range of each field."""
        places: Any = range(len(self.piles) + 1)
        return Row(places, places)

    def validate(self) -> None:
        """Raise ParameterError unless the piles are whole numbers."""
        check_piles(self.piles)

    def show(self, row: Row) -> str:
        """Return all piles, those that still stand in brackets, such as ``5 [3 4] 5``."""
        return stands(self.piles, row.left, row.right)

    def svg(self, row: Row) -> str:
        """Draw the piles as bars; those taken are faint."""
        moves = {row.right - 1: "right", row.left: "left"}
        live = range(row.left, row.right)
        return drawing.bars(self.piles, live, title=self.show(row), moves=moves if live else {})

    def name(self, end: int) -> str:
        """Return ``left`` or ``right``."""
        return "left" if end == TAKE_LEFT else "right"

    def parse(self, text: str) -> Row:
        """Read a row as ``show`` writes it."""
        return Row(*read_bracketed(text, self.piles))
