"""Nim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.contract import put
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import Heaps, HeapsGame, alone, check_heaps

_SOURCE = f"Bouton 1901; lengths and counts: {ENUMERATED}"


@dataclass(frozen=True)
class Nim(HeapsGame):
    """Take any number of counters from one heap; a player who cannot move loses.

    Attributes:
        heaps: the number of counters in each heap at the start.
    """

    heaps: Sequence[int] = (3, 4, 5)

    facts = (
        *(
            Fact(
                {"heaps": heaps},
                value,
                plies,
                nimber=nimber,
                positions=wins + losses,
                win=wins,
                loss=losses,
                longest_win=longest,
                longest_loss=lost,
                source=_SOURCE,
            )
            for heaps, value, plies, nimber, wins, losses, longest, lost in (
                ([3, 4, 5], "win", 11, 2, 102, 18, 11, 10),
                ([1, 3, 5, 7], "loss", 16, 0, 336, 48, 15, 16),
                ([2, 3, 4], "win", 7, 5, 48, 12, 7, 6),
                ([7, 7], "loss", 14, 0, 56, 8, 13, 14),
                ([5, 6, 7], "win", 15, 4, 294, 42, 15, 14),
            )
        ),
        Fact(
            {"heaps": [5, 6, 7]},
            "win",
            14,
            positions=336,
            win=294,
            loss=42,
            longest_win=14,
            longest_loss=13,
            misere=True,
            note="misere play differs only where all heaps are of one counter",
            source=_SOURCE,
        ),
    )

    def start(self) -> Heaps:
        """Return the full heaps."""
        return Heaps(tuple(self.heaps))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int]]:
        """Yield each heap with each number of counters to take."""
        for place, heap in enumerate(position.heaps):
            for count in range(1, heap + 1):
                yield place, count

    def play(self, position: Heaps, move: tuple[int, int]) -> Heaps:
        """Return the heaps after a move."""
        place, count = move
        return Heaps(put(position.heaps, place, position.heaps[place] - count))

    def validate(self) -> None:
        """Raise ParameterError unless there are heaps."""
        check_heaps("heaps", self.heaps)

    def name(self, move: tuple[int, int]) -> str:
        """Return a move in words, such as ``take 2 from heap 1``."""
        place, count = move
        return f"take {count} from heap {place + 1}"

    def split(self, position: Heaps) -> Iterator[Heaps]:
        """Yield each heap by itself."""
        return alone(position)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the move that takes a counter and those to its right."""
        return self.name((place, heaps[place] - counter))
