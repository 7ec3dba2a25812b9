"""Wythoff's game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import Heaps, HeapsGame, amounts, check_heaps, letters
from zermelo.symmetry import Symmetry

_SOURCE = f"Wythoff 1907, floor(k phi) and floor(k phi^2); counts: {ENUMERATED}"


@dataclass(frozen=True)
class Wythoff(HeapsGame):
    """Take from one heap, or the same number from both; a player who cannot move loses.

    Attributes:
        heaps: the numbers of counters in the two heaps at the start.
    """

    title = "Wythoff's Game"

    heaps: Sequence[int] = (8, 13)

    facts = (
        Fact({"heaps": [1, 2]}, "loss", 2, nimber=0, positions=6, win=4, loss=2, source=_SOURCE),
        Fact({"heaps": [4, 7]}, "loss", 6, nimber=0, positions=40, win=35, loss=5, source=_SOURCE),
        Fact(
            {"heaps": [8, 13]},
            "loss",
            10,
            nimber=0,
            positions=126,
            win=117,
            loss=9,
            source=_SOURCE,
        ),
        Fact({"heaps": [20, 20]}, "win", 1, positions=441, win=424, loss=17, source=_SOURCE),
        Fact({"heaps": [1, 3]}, "win", nimber=4, source="OEIS A004481"),
    )

    def start(self) -> Heaps:
        """Return the full heaps."""
        first, second = self.heaps
        return Heaps((first, second))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int]]:
        """Yield the numbers of counters to take from the two heaps."""
        first, second = position.heaps
        for count in range(1, first + 1):
            yield count, 0
        for count in range(1, second + 1):
            yield 0, count
        for count in range(1, min(first, second) + 1):
            yield count, count

    def play(self, position: Heaps, move: tuple[int, int]) -> Heaps:
        """Return the heaps after a move."""
        first, second = position.heaps
        return Heaps((first - move[0], second - move[1]))

    def symmetries(self) -> Symmetry:
        """Return the exchange of the two heaps."""
        return Symmetry(((1, 0),), rows=("heaps",))

    def validate(self) -> None:
        """Raise ParameterError unless there are two heaps."""
        check_heaps("heaps", self.heaps)
        if len(self.heaps) != 2:  # two heaps
            message = f"heaps {list(self.heaps)!r} must be two; give such as [8, 13]"
            raise ParameterError(message)

    def name(self, move: tuple[int, int]) -> str:
        """Return the numbers taken from each heap, such as ``a2b0``."""
        return amounts(move)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return a heap and the number of counters from one to its right end."""
        return f"{letters(len(heaps))[place]}{heaps[place] - counter}"
