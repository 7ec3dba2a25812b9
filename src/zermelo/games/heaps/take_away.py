"""Take-away: a heap of stones, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._one_heap import OneHeapGame
from zermelo.games._sources import ENUMERATED, LEETCODE


@dataclass(frozen=True)
class TakeAway(OneHeapGame):
    """Two players take stones from a heap, and the one who takes the last stone wins.

    A position is the number of stones left; a move, the number taken.

    Attributes:
        stones: the number of stones in the heap at the start.
        limit: the most stones that a move may take; the least is one.
    """

    title = "Take-away"

    stones: int = 21
    limit: int = 3

    facts = (
        Fact({"stones": 4, "limit": 3}, "loss", source=LEETCODE.format(292)),
        Fact(
            {"stones": 10, "limit": 2},
            "win",
            7,
            positions=11,
            win=7,
            loss=4,
            longest_win=7,
            longest_loss=6,
            source="GamesCrafters' GamesmanClassic, the game m1210, run by us",
        ),
        Fact(
            {"stones": 21, "limit": 3},
            "loss",
            11,
            positions=22,
            win=16,
            loss=6,
            longest_win=10,
            longest_loss=11,
            misere=True,
            source=ENUMERATED,
        ),
        Fact(
            {"stones": 100, "limit": 10},
            "win",
            19,
            nimber=1,
            positions=101,
            win=91,
            loss=10,
            longest_win=19,
            longest_loss=18,
            note="the nimber is the remainder by limit + 1",
            source=ENUMERATED,
        ),
    )

    def start(self) -> int:
        """Return the whole heap."""
        return self.stones

    def moves(self, left: int) -> Iterator[int]:
        """Yield each number of stones that can be taken."""
        for count in range(1, min(self.limit, left) + 1):
            yield count

    def play(self, left: int, taken: int) -> int:
        """Return the stones left after a move."""
        return left - taken

    def level(self, left: int) -> int:
        """Return a number that grows as stones go."""
        return -left

    def validate(self) -> None:
        """Raise ParameterError unless there is a heap and a limit."""
        check_number("stones", self.stones, 0)
        check_number("limit", self.limit, 1)
