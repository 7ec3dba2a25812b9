"""Moore's Nim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import LETTERS, Heaps, HeapsGame, amounts, check_heaps, letters

#: The most positions.
MOST = 1_000_000

_SOURCE = f"E. H. Moore 1910; lengths: {ENUMERATED}"


@dataclass(frozen=True)
class MooreNim(HeapsGame):
    """Take any numbers of counters from up to k heaps; a player who cannot move loses.

    Attributes:
        heaps: the number of counters in each heap at the start.
        k: the largest number of heaps that a move may take from; with 1 the game is Nim.
    """

    title = "Moore's Nim"

    heaps: Sequence[int] = (3, 4, 5)
    k: int = 2

    facts = tuple(
        Fact({"heaps": heaps, "k": 2}, value, plies, positions=positions, source=_SOURCE)
        for heaps, value, plies, positions in (
            ([3, 4, 5], "win", 7, 120),
            ([2, 2, 2], "loss", 4, 27),
            ([3, 3, 3], "loss", 6, 64),
        )
    )

    def start(self) -> Heaps:
        """Return the full heaps."""
        return Heaps(tuple(self.heaps))

    def moves(self, position: Heaps) -> Iterator[tuple[int, ...]]:
        """Yield the number of counters to take from each heap, above 0 for at most k heaps."""
        for number in range(1, prod(heap + 1 for heap in position.heaps)):
            counts, quotient = list(position.heaps), number
            for place, heap in enumerate(position.heaps):
                quotient, counts[place] = divmod(quotient, heap + 1)
            if sum(some > 0 for some in counts) <= self.k:
                yield tuple(counts)

    def play(self, position: Heaps, taken: tuple[int, ...]) -> Heaps:
        """Return the heaps after a move."""
        left = tuple(heap - some for heap, some in zip(position.heaps, taken, strict=True))
        return Heaps(left)

    def validate(self) -> None:
        """Raise ParameterError unless there are heaps, and not too many positions."""
        check_heaps("heaps", self.heaps)
        check_number("k", self.k, 1, len(self.heaps))
        if len(self.heaps) > LETTERS:
            message = f"heaps {list(self.heaps)!r} must be {LETTERS} or fewer, a letter for each"
            raise ParameterError(message)
        if (positions := prod(heap + 1 for heap in self.heaps)) > MOST:
            message = f"heaps {list(self.heaps)!r} have {positions:,} positions; use smaller heaps"
            raise ParameterError(message)

    def name(self, counts: tuple[int, ...]) -> str:
        """Return the numbers taken from each heap, such as ``a1b0c2``."""
        return amounts(counts)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return a heap and the number of counters from one to its right end."""
        return f"{letters(len(heaps))[place]}{heaps[place] - counter}"
