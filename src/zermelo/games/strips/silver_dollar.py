"""The silver dollar game, without the dollar."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_numbers
from zermelo.games._sources import ENUMERATED, WINNING_WAYS
from zermelo.games.strips._strip import MOST_SQUARES, bits, letters, read, written

_SOURCE = f"{WINNING_WAYS}, gaps as heaps of Nim; lengths and counts: {ENUMERATED}"


@dataclass(frozen=True)
class SilverDollar(Game):
    """Move a coin left over free squares, without jumping; a player who cannot move loses.

    Attributes:
        coins: the squares of the coins at the start, in order; the leftmost square is 0.
    """

    coins: Sequence[int] = (2, 3, 7, 9, 14)

    facts = tuple(
        Fact({"coins": coins}, value, plies, nimber=nimber, positions=positions, source=_SOURCE)
        for coins, value, plies, nimber, positions in (
            ([1, 3, 5, 7], "loss", 10, 0, 42),
            ([2, 5], "win", 5, 2, 12),
            ([3, 4, 8, 9], "loss", 18, 0, 155),
            ([2, 3, 7, 9, 14], "win", 23, 5, 731),
        )
    )

    def start(self) -> int:
        """Return the coins, a bit for each square."""
        return sum(1 << square for square in self.coins)

    def moves(self, coins: int) -> Iterator[tuple[int, int]]:
        """Yield the square of each coin with each square that it can move to."""
        for square in range(coins.bit_length()):
            if coins >> square & 1:
                target = square - 1
                while target >= 0 and not coins >> target & 1:
                    yield square, target
                    target -= 1

    def play(self, coins: int, move: tuple[int, int]) -> int:
        """Return the coins after a move."""
        square, target = move
        return coins & ~(1 << square) | 1 << target

    def space(self) -> range:
        """Return the range of a position."""
        return range(2 << self.coins[-1])

    def validate(self) -> None:
        """Raise ParameterError unless the coins stand on different squares."""
        check_numbers("coins", self.coins, 0, MOST_SQUARES - 1, most_numbers=MOST_SQUARES)
        if list(self.coins) != sorted(set(self.coins)):
            message = f"coins {list(self.coins)!r} must be different squares, in order; sort them"
            raise ParameterError(message)

    def show(self, coins: int) -> str:
        """Return the strip as text, such as ``..oo...o``."""
        return written(coins, self.coins[-1] + 1)

    def svg(self, coins: int) -> str:
        """Draw the strip; clicks on a coin and then on a square move it there."""
        names, strip = letters(self.coins[-1] + 1), self.show(coins)
        return drawing.grid([strip], title=strip, discs="o", below=names, moves=[names])

    def name(self, move: tuple[int, int]) -> str:
        """Return the letters of both squares, such as ``hf``."""
        return "".join(letters(MOST_SQUARES)[square] for square in move)

    def parse(self, text: str) -> int:
        """Read a strip as ``show`` writes it."""
        coins = bits(read(text, self.coins[-1] + 1, "o."), "o")
        if coins.bit_count() != len(self.coins):
            message = f"{text!r} has {coins.bit_count()} coins; write {len(self.coins)}"
            raise PositionError(message)
        return coins
