"""Tchoukaillon solitaire."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

from zermelo.drawing.pits import pits_row
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number


class Holes(NamedTuple):
    """The seeds on the board.

    Attributes:
        seeds: the number of seeds in each pit, the pit next to the store first.
    """

    seeds: tuple[int, ...]


@dataclass(frozen=True)
class Tchoukaillon(Game):
    """Sow a pit whose last seed falls into the store; clear the board to win. One player plays.

    A pit is sown one by one towards the store, so it must have as many seeds as it is pits away.
    A solution has all boards of the given number of seeds and of fewer. The first is the one of
    them that can be cleared.

    Attributes:
        seeds: the most seeds on the board.
        pits: the number of pits.
    """

    seeds: int = 9
    pits: int = 5

    players = ("player", "board")

    facts = tuple(
        Fact(
            {"seeds": seeds, "pits": pits},
            "win",
            seeds,
            win=seeds + 1,
            note="for each number of seeds one board can be cleared",
            source="OEIS A028931 and A002491, the least number of seeds that needs each pit",
        )
        for seeds, pits in ((1, 1), (2, 2), (4, 3), (6, 4), (9, 4), (10, 5), (12, 6))
    )

    def start(self) -> Holes:
        """Return the board that can be cleared, played backwards from the empty one."""
        row = [0] * self.pits
        for _ in range(self.seeds):
            pit = row.index(0)
            row[:pit] = [seeds - 1 for seeds in row[:pit]]
            row[pit] = pit + 1
        return Holes(tuple(row))

    def starts(self) -> Iterator[Holes]:
        """Yield every board, the one of ``start`` first."""
        yield self.start()
        for places in combinations_with_replacement(range(self.pits + 1), self.seeds):
            yield Holes(tuple(places.count(pit) for pit in range(self.pits)))

    def turn(self, board: Holes) -> int:  # noqa: ARG002  # one player
        """Return the only player, who is always to move."""
        return 0

    def winner(self, board: Holes) -> int | None:
        """Return the winner: the player on a cleared board, the board if no pit can be sown."""
        if sum(board.seeds) == 0:
            return 0
        return None if any(seeds == pit + 1 for pit, seeds in enumerate(board.seeds)) else 1

    def moves(self, board: Holes) -> Iterator[int]:
        """Yield each pit that has as many seeds as it is pits away from the store."""
        for pit, seeds in enumerate(board.seeds):
            if seeds == pit + 1:
                yield pit

    def play(self, board: Holes, pit: int) -> Holes:
        """Return the board after a pit is sown."""
        row = list(board.seeds)
        row[pit] = 0
        for nearer in range(pit):
            row[nearer] += 1
        return Holes(tuple(row))

    def space(self) -> Any:
        """Return the range of a pit."""
        return Holes(range(self.seeds + 1))  # type: ignore[arg-type]  # of each

    def validate(self) -> None:
        """Raise ParameterError unless there are pits enough for the seeds."""
        check_number("pits", self.pits, 1, 12)
        check_number("seeds", self.seeds, 0, 30)
        try:
            self.start()
        except ValueError:
            message = f"{self.pits!r} pits are too few for {self.seeds!r} seeds; use more pits"
            raise ParameterError(message) from None

    def show(self, board: Holes) -> str:
        """Return the seeds of each pit, the farthest from the store first."""
        return " ".join(map(str, reversed(board.seeds)))

    def svg(self, board: Holes) -> str:
        """Draw the pits; the store is at the right."""
        moves = [self.name(pit) for pit in reversed(range(self.pits))]
        return pits_row(board.seeds[::-1], title=self.show(board), moves=moves)

    def name(self, pit: int) -> str:
        """Return the name of a pit, such as ``pit 3``, the third from the store."""
        return f"pit {pit + 1}"

    def parse(self, text: str) -> Holes:
        """Read a board as ``show`` writes it."""
        words = text.split()
        whole = all(word.isdecimal() for word in words) and len(words) == self.pits
        if not whole or sum(map(int, words)) > self.seeds:
            message = (
                f"{text!r} is not {self.pits} pits with up to {self.seeds} seeds; write their "
                f"numbers, such as {self.show(self.start())!r}"
            )
            raise PositionError(message)
        return Holes(tuple(int(word) for word in reversed(words)))
