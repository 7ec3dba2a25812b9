"""Partizan Euclid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_numbers
from zermelo.games._sources import CGSUITE, ENUMERATED

#: The largest number.
MOST = 1_000_000
#: The width of the picture.
WIDTH = 400


class OrderedPair(NamedTuple):
    """Two numbers, in order, and the player to move.

    Attributes:
        first: the number that is divided.
        second: the number that it is divided by.
        player: 0 if the first player is to move, who keeps the remainder, and 1 if not.
    """

    first: int
    second: int
    player: int


@dataclass(frozen=True)
class PartizanEuclid(Game):
    """One player keeps the remainder of a division, the other what lacks; who cannot move loses.

    From two numbers p and q the first player moves to q and the remainder r of p by q, and the
    second player to q and q - r. Nobody can move where there is no remainder. So either both
    players can move or neither can, and all values are infinitesimal: the game is all-small.

    Attributes:
        numbers: the numbers p and q at the start.
    """

    numbers: Sequence[int] = (89, 55)

    players = ("left", "right")

    facts = (
        *(
            Fact({"numbers": [8, second]}, outcome, partizan=value, source=CGSUITE)
            for second, outcome, value in (
                (3, "loss", "v"),
                (4, "loss", "0"),
                (5, "loss", "0"),
                (6, "win", "^"),
                (7, "win", "^5"),
            )
        ),
        Fact({"numbers": [50, 19]}, "loss", 4, positions=5, source=ENUMERATED),
        Fact({"numbers": [89, 55]}, "loss", 6, positions=7, source=ENUMERATED),
        Fact({"numbers": [1000, 618]}, "win", 7, positions=8, source=ENUMERATED),
    )

    def start(self) -> OrderedPair:
        """Return the two numbers, the first player to move."""
        return OrderedPair(self.numbers[0], self.numbers[1], 0)

    def turn(self, p: OrderedPair) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: OrderedPair) -> Iterator[int]:
        """Yield the second number after the one move that there is, if there is a remainder."""
        remainder = p.first % p.second
        if remainder:
            yield p.second - remainder if p.player else remainder

    def play(self, p: OrderedPair, kept: int) -> OrderedPair:
        """Return the numbers after a move."""
        return OrderedPair(p.second, kept, 1 - p.player)

    def space(self) -> Any:
        """Return the range of each field."""
        number = range(1, max(self.numbers) + 1)
        return OrderedPair(number, number, range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there are two numbers from 1."""
        check_numbers("numbers", self.numbers, 1, MOST, least_numbers=2, most_numbers=2)

    def show(self, p: OrderedPair) -> str:
        """Return the two numbers and the player to move, such as ``8, 3, left to move``."""
        return f"{p.first}, {p.second}, {self.players[p.player]} to move"

    def svg(self, p: OrderedPair) -> str:
        """Draw both numbers to scale, the first one as multiples of the second and the rest."""
        unit, high = WIDTH / max(p.first, p.second), drawing.CELL
        parts = []
        for row, number in enumerate((p.first, p.second)):
            top, width = drawing.MARGIN + row * (high + 6), unit * number
            parts.append(drawing.caption(str(number), WIDTH + 40, top + high / 2, 16))
            parts.append(
                f'<rect x="{drawing.MARGIN}" y="{top}" width="{width:.1f}" height="{high}" '
                f'stroke="currentColor" style="fill:{drawing.FIRST}"/>'
            )
        remainder = p.first % p.second
        x = drawing.MARGIN + unit * (p.first - remainder)
        for move in self.moves(p):
            parts.append(f'<path d="M{x:.1f} {drawing.MARGIN}v{high}"/>')
            place = (x, drawing.MARGIN, unit * remainder, high)
            parts.append(drawing.clickable(self.name(move), *place))
        size = (WIDTH + 80, 2 * (drawing.MARGIN + high) + 6)
        return drawing.document(parts, size, title=self.show(p))

    def name(self, kept: int) -> str:
        """Return the number that is kept beside the second one."""
        return str(kept)

    def parse(self, text: str) -> OrderedPair:
        """Read two numbers as ``show`` writes them; without a turn, left is to move."""
        words = text.replace(",", " ").split()
        player = int("right" in words)
        numbers = [int(word) for word in words if word.isdecimal()]
        wrong = [w for w in words if not w.isdecimal() and w not in {*self.players, "to", "move"}]
        if wrong or len(numbers) != 2 or 0 in numbers:
            message = f"{text!r} is not two numbers and a turn; write '8, 3, left to move'"
            raise PositionError(message)
        return OrderedPair(numbers[0], numbers[1], player)
