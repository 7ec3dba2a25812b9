"""Dawson's chess."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo.game.contract import bag
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.heaps._heaps import MOST_HEAPS, Heaps, SortedHeapsGame


@dataclass(frozen=True)
class DawsonsChess(SortedHeapsGame):
    """Advance a pawn, which removes its file and those beside it; a player who cannot move loses.

    Two rows of pawns face each other, one rank apart, and captures are forced: so a pawn that
    advances is exchanged together with its neighbours. What is left are runs of files.

    Attributes:
        files: the number of files of the board at the start.
    """

    title = "Dawson's Chess"

    files: int = 20

    facts = (
        *(
            Fact({"files": files}, value, plies, positions=count, misere=True, source=ENUMERATED)
            for files, value, plies, count in (
                (4, "win", 2, 4),
                (8, "win", 4, 12),
                (10, "win", 4, 20),
                (20, "loss", 9, 187),
            )
        ),
        *(
            Fact({"files": files}, value, nimber=nimber, source="OEIS A002187")
            for files, value, nimber in ((8, "loss", 0), (15, "win", 5), (20, "loss", 0))
        ),
        Fact({"files": 32}, nimber=7, note="period 34, last exception 51", source="OEIS A002187"),
    )

    def start(self) -> Heaps:
        """Return the one run of files, and room for all runs that can arise."""
        return Heaps(bag((self.files,), self.files // 2 + 1))

    def moves(self, position: Heaps) -> Iterator[tuple[int, int, int]]:
        """Yield each length of a run with the two runs that an advance can leave."""
        for place, run in enumerate(position.heaps):
            if place == 0 or run != position.heaps[place - 1]:
                for file in range((run + 1) // 2):
                    yield run, max(0, run - file - 2), max(0, file - 1)

    def validate(self) -> None:
        """Raise ParameterError unless there is room for the runs."""
        check_number("files", self.files, 0, 2 * MOST_HEAPS)

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:
        """Return the name of the advance on a file."""
        left, right = max(0, counter - 1), max(0, heaps[place] - counter - 2)
        return self.name((heaps[place], max(left, right), min(left, right)))
