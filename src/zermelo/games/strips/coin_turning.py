"""Coin-turning games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo import drawing
from zermelo.errors import ParameterError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED, WINNING_WAYS
from zermelo.games.strips._strip import bits, check_strip, letters, read, written

#: The rules, by name, of coins that may be turned together.
RULES = ("turtles", "mock-turtles", "ruler", "sym")

_PLAYED = f"rules: {WINNING_WAYS}; values: {ENUMERATED}"


@dataclass(frozen=True)
class CoinTurning(Game):
    """Turn coins of a row, of which the rightmost shows heads; a player who cannot move loses.

    What may be turned depends on the game: one or two coins (``turtles``), one to three
    (``mock-turtles``), any run of neighbours (``ruler``), or any coins that lie symmetrically about
    the middle between the first and the last of them (``sym``).

    Attributes:
        coins: the row of coins at the start, ``H`` or ``T`` for heads or tails.
        rule: ``turtles``, ``mock-turtles``, ``ruler`` or ``sym``.
    """

    coins: str = "HTHTHH"
    rule: str = "mock-turtles"

    facts = (
        *(
            Fact({"rule": rule, "coins": coins}, value, plies, positions=count, source=_PLAYED)
            for rule, coins, value, plies, count in (
                ("turtles", "HHH", "loss", 2, 8),
                ("mock-turtles", "HTHTHH", "win", 5, 54),
                ("mock-turtles", "HHHHHH", "win", 3, 64),
                ("ruler", "THHTH", "win", 5, 23),
                ("ruler", "HHHHHH", "win", 1, 64),
            )
        ),
        *(
            Fact({"rule": rule, "coins": coins}, nimber=nimber, source=WINNING_WAYS)
            for rule, coins, nimber in (
                ("turtles", "TTTTH", 5),
                ("mock-turtles", "TTTTTH", 11),
                ("ruler", "TTTTTTTH", 8),
            )
        ),
        *(
            Fact(
                {"rule": "sym", "coins": "T" * tails + "H"},
                "win",
                1,
                nimber=nimber,
                source="OEIS A006016",
            )
            for tails, nimber in ((2, 4), (4, 6), (5, 7), (7, 16), (11, 11))
        ),
    )

    def start(self) -> int:
        """Return the coins that show heads, a bit for each."""
        return bits(self.coins, "H")

    def moves(self, heads: int) -> Iterator[int]:
        """Yield each set of coins that may be turned."""
        for last in range(len(self.coins)):
            if heads >> last & 1:
                if self.rule == "ruler":
                    for first in range(last + 1):
                        yield (2 << last) - (1 << first)
                elif self.rule == "sym":
                    yield 1 << last
                    for first in range(last):
                        for inner in range(1 << (last - first) // 2):
                            yield self.mirrored(first, last, inner)
                else:
                    yield from self.turtles(last)

    def turtles(self, last: int) -> Iterator[int]:
        """Yield a coin with none, one or two others before it."""
        yield 1 << last
        for second in range(last):
            yield 1 << last | 1 << second
            if self.rule == "mock-turtles":
                for third in range(second):
                    yield 1 << last | 1 << second | 1 << third

    def mirrored(self, first: int, last: int, inner: int) -> int:
        """Return the bits of the first and the last coin, and of pairs of coins between them."""
        turned = 1 << first | 1 << last
        for pair in range((last - first) // 2):
            if inner >> pair & 1:
                turned |= 1 << (first + 1 + pair) | 1 << (last - 1 - pair)
        return turned

    def play(self, heads: int, turned: int) -> int:
        """Return the coins after a move."""
        return heads ^ turned

    def split(self, heads: int) -> Iterator[int]:
        """Yield each coin that shows heads by itself, as coins that meet cancel."""
        for coin in range(len(self.coins)):
            if heads >> coin & 1:
                yield 1 << coin

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << len(self.coins))

    def validate(self) -> None:
        """Raise ParameterError unless there are coins and a rule."""
        check_strip("coins", self.coins, "HT")
        if self.rule not in RULES:
            message = f"rule must be one of {', '.join(RULES)}, not {self.rule!r}; give one of them"
            raise ParameterError(message)

    def show(self, heads: int) -> str:
        """Return the row as text, such as ``HTHTHH``."""
        return written(heads, len(self.coins), "HT")

    def svg(self, heads: int) -> str:
        """Draw the coins, heads filled; click those to turn from the left, the last one twice."""
        names, row = letters(len(self.coins)), self.show(heads)
        return drawing.grid([row], title=row, discs="H", below=names, moves=[names])

    def name(self, turned: int) -> str:
        """Return the letters of the coins that are turned, the last one twice: ``acc``."""
        coins = [letter for i, letter in enumerate(letters(26)) if turned >> i & 1]
        return "".join([*coins, coins[-1]])

    def parse(self, text: str) -> int:
        """Read a row as ``show`` writes it."""
        return bits(read(text, len(self.coins), "HT"), "H")
