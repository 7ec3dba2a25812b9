"""Awari and Oware, from any number of stones: the end of the game, or all of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo.drawing.pits import pits_board
from zermelo.errors import ParameterError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.sowing._text import read_pits, show_pits

#: The most positions that a solve begins with.
MOST_STARTS = 50_000_000


class Houses(NamedTuple):
    """The stones on the board; captured stones have been scored.

    Attributes:
        mine: the pits of the player to move, in the order in which they are sown.
        theirs: the other player's, in that player's order.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]


@dataclass(frozen=True)
class Awari(Game):
    """Two players sow stones and capture twos and threes, in all positions of few stones.

    A move takes all stones of one of the player's own pits and sows them one by one into the pits
    that follow, first the player's own, then the opponent's, and on round the board past the pit
    they come from. If the last stone makes two or three in one of the opponent's pits, these are
    captured, and so are the twos and threes in the opponent's pits right before it. An opponent
    without stones has to be given some, if a move can. If none can, or the player to move has no
    stones, the game ends, and each player takes the stones in their own pits. Stones in endless
    play are shared evenly.

    A solution has all positions of the given number of stones and of fewer. The first has them
    spread evenly.

    Attributes:
        stones: the most stones on the board.
        pits: the pits on each side.
    """

    stones: int = 6
    pits: int = 6

    #: Whether a move may capture all of the opponent's stones.
    grand_slam: ClassVar[bool] = True

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact(
            {"stones": 6},
            score=0,
            positions=18564,
            win=8743,
            loss=8066,
            note="all positions of up to six stones",
            source=ENUMERATED,
        ),
        Fact(
            {"stones": 8},
            positions=125970,
            win=61942,
            loss=49607,
            note="all positions of up to eight stones",
            source=ENUMERATED,
        ),
    )

    def start(self) -> Houses:
        """Return the position in which the stones are spread evenly, the last pits first."""
        every, extra = divmod(self.stones, 2 * self.pits)
        places = range(2 * self.pits - 1, -1, -1)
        mine = tuple(every + (place < extra) for place in places[1::2])
        theirs = tuple(every + (place < extra) for place in places[::2])
        return Houses(mine, theirs)

    def moves(self, p: Houses) -> Iterator[int]:
        """Yield each pit that can be sown; if the opponent has no stones, one that gives some."""
        hungry = sum(p.theirs) == 0
        for pit in range(self.pits):
            if p.mine[pit] > (self.pits - 1 - pit if hungry else 0):
                yield pit

    def play(self, p: Houses, pit: int) -> Houses:
        """Return the pits after a move, as the other player sees them."""
        ring = self.sown(p, pit)
        return Houses(tuple(ring[self.pits : 2 * self.pits]), tuple(ring[: self.pits]))

    def gain(self, p: Houses, pit: int) -> int:
        """Return the number of captured stones."""
        return self.sown(p, pit)[2 * self.pits]

    def score(self, p: Houses) -> int:
        """Return the score of the stones left at the end; each pit goes to its owner."""
        return sum(p.mine) - sum(p.theirs)

    def sown(self, p: Houses, pit: int) -> list[int]:
        """Return all pits after a move, the own ones first, and the number of captured stones."""
        around, every = 2 * self.pits, sum(p.theirs)
        ring = [*p.mine, *p.theirs, 0]
        place = pit
        ring[pit] = 0
        for _ in range(p.mine[pit]):
            place = (place + 1) % around
            if place == pit:
                place = (place + 1) % around
            ring[place] += 1
            every += place >= self.pits
        first = place
        while first >= self.pits and 2 <= ring[first] <= 3:
            ring[around] += ring[first]
            first -= 1
        if ring[around] == every and not self.grand_slam:
            ring[around] = 0
        elif ring[around]:
            for emptied in range(first + 1, place + 1):
                ring[emptied] = 0
        return ring

    def starts(self) -> npt.NDArray[np.int8]:
        """Return every position of up to that number of stones, one per row, the even one first."""
        rows = spread(self.stones, 2 * self.pits)
        even = np.concatenate(self.start())
        start_row = int(np.flatnonzero((rows == even).all(axis=1))[0])
        rows[[0, start_row]] = rows[[start_row, 0]]
        return rows

    def space(self) -> Houses:
        """Return the range of each field."""
        stones: Any = range(self.stones + 1)
        return Houses(stones, stones)

    def validate(self) -> None:
        """Raise ParameterError unless there are pits and not too many positions."""
        check_number("pits", self.pits, 1, 12)
        check_number("stones", self.stones, 0, 48)
        positions = 1
        for pit in range(1, 2 * self.pits + 1):
            positions = positions * (self.stones + pit) // pit
        if positions > MOST_STARTS:
            message = (
                f"{self.stones!r} stones in {2 * self.pits} pits have {positions:,} positions; use "
                "fewer stones, or fewer pits"
            )
            raise ParameterError(message)

    def show(self, p: Houses) -> str:
        """Return the opponent's pits from right to left, and below those of the player to move."""
        rows = show_pits(p.mine, p.theirs, 0, self.players).splitlines()
        return "\n".join(rows[:2])

    def svg(self, p: Houses) -> str:
        """Draw the board as the player to move sees it."""
        return pits_board(p.mine, p.theirs, 0, title=self.show(p))

    def name(self, pit: int) -> str:
        """Return the name of a pit; ``pit 1`` is the first in the order of sowing."""
        return f"pit {pit + 1}"

    def parse(self, text: str) -> Houses:
        """Read a board as ``show`` writes it; the rows may be separated by a slash."""
        return Houses(*read_pits(text, self.pits, self.stones, self.players)[:2])


def spread(stones: int, pits: int) -> npt.NDArray[np.int8]:
    """Return every way to put up to a number of stones into pits, one per row."""
    rows: Any = np.zeros((1, 0), np.int8)
    left: Any = np.array([stones], np.int8)
    for _ in range(pits):
        ways = left.astype(np.int64) + 1
        last = np.cumsum(ways)
        counts = (np.arange(last[-1]) - np.repeat(last - ways, ways)).astype(np.int8)
        rows = np.column_stack([np.repeat(rows, ways, axis=0), counts])
        left = np.repeat(left, ways) - counts
    return rows  # type: ignore[no-any-return]  # arrays of arrays
