"""The stone game in which piles are taken from the front."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_piles, read_bracketed, stands
from zermelo.games._sources import LEETCODE


class Front(NamedTuple):
    """The piles that still stand, and the most that may be taken.

    Attributes:
        taken: the number of piles that have been taken, from the left.
        most: the most piles that may be taken at once.
    """

    taken: int
    most: int


@dataclass(frozen=True)
class StoneGameFront(Game):
    """Take some piles from the front of a row; whoever has more stones in the end wins.

    Attributes:
        piles: the number of stones in each pile, from left to right; a pile may also be 0 or below.
        most: the most piles that may be taken at once at the start.
        doubling: whether up to twice the most piles taken at once so far may be taken, once that is
            more than ``most``.
    """

    piles: Sequence[int] = (1, 2, 3, 7)
    most: int = 3
    doubling: bool = False

    facts = (
        Fact({"piles": [1, 2, 3, 7]}, "loss", source=LEETCODE.format(1406)),
        Fact(
            {"piles": [2, 7, 9, 4, 4], "most": 2, "doubling": True},
            score=-6,
            note="the first player gets 10 of 26 stones",
            source=LEETCODE.format(1140),
        ),
    )

    def start(self) -> Front:
        """Return the whole row."""
        return Front(0, self.most)

    def moves(self, row: Front) -> Iterator[int]:
        """Yield each number of piles that may be taken."""
        yield from range(1, min(row.most, len(self.piles) - row.taken) + 1)

    def play(self, row: Front, count: int) -> Front:
        """Return the row without some piles."""
        limit = max(row.most, 2 * count) if self.doubling else row.most
        front = row.taken + count
        return Front(front, min(limit, max(self.most, len(self.piles) - front)))

    def gain(self, row: Front, count: int) -> int:
        """Return the stones in the piles that are taken."""
        total = 0
        for place in range(row.taken, row.taken + count):
            total += self.piles[place]
        return total

    def space(self) -> Front:
        """Return the range of each field."""
        fronts: Any = range(len(self.piles) + 1)
        limits: Any = range(max(self.most, len(self.piles)) + 1)
        return Front(fronts, limits)

    def validate(self) -> None:
        """Raise ParameterError unless the piles are whole numbers, and some may be taken."""
        check_piles(self.piles)
        check_number("most", self.most, 1, 1000)

    def show(self, row: Front) -> str:
        """Return all piles, those that still stand in brackets, and the most that may be taken."""
        return f"{stands(self.piles, row.taken, len(self.piles))}, up to {row.most}"

    def svg(self, row: Front) -> str:
        """Draw the piles as bars; those taken are faint."""
        live = range(row.taken, len(self.piles))
        moves = {place: str(place - row.taken + 1) for place in live[: row.most]}
        return drawing.bars(self.piles, live, title=self.show(row), moves=moves)

    def parse(self, text: str) -> Front:
        """Read a row as ``show`` writes it.

        Raises:
            PositionError: it is not such a row.
        """
        piles, _, limit_text = text.partition(", up to")
        front, end = read_bracketed(piles, self.piles)
        limit = limit_text.strip() or str(self.most)
        if end != len(self.piles) or not limit.isdecimal():
            example = self.show(self.start())
            message = f"{text!r} has no row that stands to the end; write one such as {example!r}"
            raise PositionError(message)
        return Front(front, int(limit))
