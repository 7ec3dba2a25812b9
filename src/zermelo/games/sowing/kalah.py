"""Kalah."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.drawing.pits import pits_board
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.sowing._text import read_pits, show_pits

_SOURCE = (
    "who wins: Irving, Donkers and Uiterwijk, Solving Kalah, 2000; by how many: a search of ours "
    "that shares no rules with this game"
)


class Pits(NamedTuple):
    """The seeds in the pits; stored seeds have been scored, and no move depends on them.

    Attributes:
        mine: the pits of the player to move, in the order in which they are sown.
        theirs: the other player's, in that player's order.
        player: the player to move, 0 or 1.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Kalah(Game):
    """Two players sow seeds round a board, and the one with more of them in the store wins.

    A move takes all seeds of one of the player's own pits and sows them one by one: into the
    player's next pits, the player's store, the opponent's pits, and on, past the opponent's store.
    A player whose last seed falls into their own store moves again. If it falls into one of the
    player's own pits that was empty, it goes to the store together with the seeds in the opposite
    pit. The game ends as soon as all pits of one side are empty; what the other side holds goes to
    its owner.

    Attributes:
        pits: the pits on each side.
        seeds: the seeds in each pit at the start.
        empty_capture: whether the last seed goes to the store even if the opposite pit is empty.
    """

    pits: int = 3
    seeds: int = 2
    empty_capture: bool = False

    facts = (
        Fact({"pits": 2, "seeds": 3}, "loss", score=-2, source=_SOURCE),
        Fact({"pits": 3, "seeds": 1}, "tie", score=0, source=_SOURCE),
        Fact({"pits": 3, "seeds": 6}, "loss", score=-8, source=_SOURCE),
        Fact({"pits": 3, "seeds": 6, "empty_capture": True}, "loss", score=-10, source=_SOURCE),
        Fact({"pits": 4, "seeds": 3}, "win", score=6, source=_SOURCE),
        Fact({"pits": 4, "seeds": 3, "empty_capture": True}, "win", score=8, source=_SOURCE),
        Fact({"pits": 4, "seeds": 4}, "win", score=2, source=_SOURCE),
        Fact(
            {"pits": 5, "seeds": 3},
            "win",
            score=6,
            positions=164_976_656,
            checked=False,
            note="takes some four CPU minutes and 3.2 GB",
            source="searches of ours, one of which shares no rules with this game",
        ),
        Fact(
            {"pits": 6, "seeds": 2},
            "win",
            score=6,
            positions=327_476_100,
            checked=False,
            note="takes some nine CPU minutes and 7 GB",
            source=_SOURCE,
        ),
        Fact(
            {"pits": 6, "seeds": 4, "empty_capture": True},
            "win",
            score=10,
            checked=False,
            note="out of reach here",
            source="Irving, Donkers and Uiterwijk, Solving Kalah, 2000, as reported by others",
        ),
        Fact(
            {"pits": 6, "seeds": 5, "empty_capture": True},
            "win",
            score=12,
            checked=False,
            note="out of reach here",
            source="Irving, Donkers and Uiterwijk, Solving Kalah, 2000, as reported by others",
        ),
    )

    def start(self) -> Pits:
        """Return the same number of seeds in all pits."""
        row = (self.seeds,) * self.pits
        return Pits(row, row, 0)

    def turn(self, p: Pits) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Pits) -> Iterator[int]:
        """Yield each pit of the player to move that holds seeds, unless the game is over."""
        if sum(p.theirs):
            for pit in range(self.pits):
                if p.mine[pit]:
                    yield pit

    def play(self, p: Pits, pit: int) -> Pits:
        """Return the pits after one is sown, as the next player to move sees them."""
        mine, theirs, _ = self.sown(p, pit)
        if (pit + p.mine[pit]) % (2 * self.pits + 1) == self.pits:
            return Pits(mine, theirs, p.player)
        return Pits(theirs, mine, 1 - p.player)

    def gain(self, p: Pits, pit: int) -> int:
        """Return the number of seeds that the player to move stores."""
        return self.sown(p, pit)[2]

    def score(self, p: Pits) -> int:
        """Return the score of the seeds left at the end, which go to the owners of their pits."""
        return sum(p.mine) - sum(p.theirs)

    def sown(self, p: Pits, pit: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
        """Return the own and the other pits after a move, and the number of seeds that it stores.

        The ring has the own pits, the own store and the other pits. All of it gets a seed in each
        full round, and the places after the pit get one more, as far as the seeds go.
        """
        store, ring = self.pits, 2 * self.pits + 1
        rounds, partial_round = divmod(p.mine[pit], ring)
        end = pit + partial_round
        mine = tuple(
            [
                (seeds if i != pit else 0) + rounds + (pit < i <= end or i + ring <= end)
                for i, seeds in enumerate(p.mine)
            ]
        )
        theirs = tuple(
            [seeds + rounds + (store + 1 + i <= end) for i, seeds in enumerate(p.theirs)]
        )
        stored = rounds + (store <= end)
        last = end % ring
        if last < store and mine[last] == 1:
            opposite = store - 1 - last
            captured = theirs[opposite]
            if captured or self.empty_capture:
                return put(mine, last, 0), put(theirs, opposite, 0), stored + 1 + captured
        return mine, theirs, stored

    def level(self, p: Pits) -> int:
        """Return a number that every move raises.

        A seed on its way to its side's store comes nearer to it by each move, unless it is sown
        past the store; then at least one seed stays there. For each that does, at most two rows of
        seeds after it get further away: all together by less than ``pits * (pits - 1)``.
        """
        side, seeds = range(self.pits), sum(p.mine) + sum(p.theirs)
        steps = sum((self.pits - i) * (p.mine[i] + p.theirs[i]) for i in side)
        return -self.pits * (self.pits - 1) * seeds - steps

    def space(self) -> Pits:
        """Return the range of each field."""
        seeds: Any = range(2 * self.pits * self.seeds + 1)
        player: Any = range(2)
        return Pits(seeds, seeds, player)

    def validate(self) -> None:
        """Raise ParameterError unless there are pits and seeds."""
        check_number("pits", self.pits, 1, 12)
        check_number("seeds", self.seeds, 1, 40)

    def show(self, p: Pits) -> str:
        """Return the second player's pits from right to left, and below the first player's."""
        return show_pits(p.mine, p.theirs, p.player, self.players)

    def svg(self, p: Pits) -> str:
        """Draw the board as the first player sees it."""
        return pits_board(p.mine, p.theirs, p.player, title=self.show(p), stores=True)

    def name(self, pit: int) -> str:
        """Return the name of a pit; ``pit 1`` is the first in the order of sowing."""
        return f"pit {pit + 1}"

    def parse(self, text: str) -> Pits:
        """Read a board as ``show`` writes it; the rows may be separated by a slash."""
        return Pits(*read_pits(text, self.pits, 2 * self.pits * self.seeds, self.players))
