"""Euclid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import is_whole
from zermelo.games._sources import ENUMERATED

#: The largest number.
MOST = 1_000_000
#: The width of the picture, and the most times that the smaller number is drawn into the larger.
WIDTH, MOST_PIECES = 400, 100

_SOURCE = f"Cole and Davie 1969, the golden ratio; lengths and counts: {ENUMERATED}"


class NumberPair(NamedTuple):
    """Two numbers.

    Attributes:
        larger: the larger of them.
        smaller: the smaller one, or an equal one.
    """

    larger: int
    smaller: int


@dataclass(frozen=True)
class Euclid(Game):
    """Take a multiple of the smaller number from the larger; whoever makes zero wins.

    Attributes:
        numbers: the two numbers at the start.
        zero: whether zero may be made; if not, a player who faces two equal numbers loses.
    """

    numbers: Sequence[int] = (25, 7)
    zero: bool = True

    facts = (
        *(
            Fact({"numbers": numbers}, value, plies, positions=positions, source=_SOURCE)
            for numbers, value, plies, positions in (
                ([5, 3], "win", 3, 5),
                ([8, 5], "loss", 4, 6),
                ([25, 7], "win", 5, 9),
                ([34, 21], "win", 7, 9),
                ([24, 15], "loss", 4, 6),
                ([100, 61], "win", 9, 12),
            )
        ),
        Fact(
            {"numbers": [25, 7], "zero": False},
            "win",
            nimber=3,
            note="floor(a/b - b/a) for all a and b",
            source="Nivasch 2006, The Sprague-Grundy function of the game Euclid",
        ),
    )

    def start(self) -> NumberPair:
        """Return the numbers in order."""
        return NumberPair(max(self.numbers), min(self.numbers))

    def moves(self, position: NumberPair) -> Iterator[int]:
        """Yield the number of times that the smaller number is taken."""
        larger, smaller = position
        if smaller > 0:
            for times in range(1, (larger if self.zero else larger - 1) // smaller + 1):
                yield times

    def play(self, position: NumberPair, times: int) -> NumberPair:
        """Return the numbers after a move, in order."""
        left = position.larger - times * position.smaller
        return NumberPair(max(left, position.smaller), min(left, position.smaller))

    def space(self) -> Any:
        """Return the range of each number."""
        return NumberPair(range(max(self.numbers) + 1), range(min(self.numbers) + 1))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there are two numbers."""
        numbers = self.numbers
        pair = isinstance(numbers, tuple) and len(numbers) == 2  # two numbers
        if not pair or not all(is_whole(n) and 0 < n <= MOST for n in numbers):
            message = (
                f"numbers must be two whole numbers from 1 to {MOST:,}, not {numbers!r}; give such "
                "as [25, 7]"
            )
            raise ParameterError(message)

    def show(self, position: NumberPair) -> str:
        """Return the two numbers, such as ``25, 7``."""
        return f"{position.larger}, {position.smaller}"

    def svg(self, position: NumberPair) -> str:
        """Draw both numbers to scale; a click takes multiples of the smaller off the larger."""
        larger, smaller = position
        unit, top, high = WIDTH / max(1, larger), drawing.MARGIN, drawing.CELL
        parts = []
        for number in position:
            parts.append(drawing.caption(str(number), WIDTH + 40, top + high / 2, 16))
            parts.append(
                f'<rect x="{drawing.MARGIN}" y="{top}" width="{unit * number:.1f}" '
                f'height="{high}" stroke="currentColor" style="fill:{drawing.FIRST}"/>'
            )
            top += high + 6
        for times in range(1, min(larger // smaller if smaller else 0, MOST_PIECES) + 1):
            x = drawing.MARGIN + unit * (larger - times * smaller)
            parts.append(f'<path d="M{x:.1f} {drawing.MARGIN}v{high}"/>')
            place = (x, drawing.MARGIN, unit * smaller, high)
            parts.append(drawing.clickable(self.name(times), *place))
        return drawing.document(parts, (WIDTH + 80, top + 2), title=self.show(position))

    def name(self, times: int) -> str:
        """Return a move in words, such as ``3 times``."""
        return "once" if times == 1 else f"{times} times"

    def parse(self, text: str) -> NumberPair:
        """Read two numbers with a comma or a slash between them."""
        words = text.replace(",", " ").replace("/", " ").split()
        if len(words) != 2 or not all(word.isdecimal() for word in words):
            message = f"{text!r} is not two numbers; write them such as '25, 7'"
            raise PositionError(message)
        first, second = map(int, words)
        return NumberPair(max(first, second), min(first, second))
