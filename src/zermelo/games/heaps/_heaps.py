"""Games of several heaps: their position, and how it is split, drawn and read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from zermelo.drawing.rows import counters
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, bag
from zermelo.games._checks import is_whole

#: The most heaps of a position, and the most counters of a heap.
MOST_HEAPS, MOST_COUNTERS = 120, 10_000
LETTERS = 26


class Heaps(NamedTuple):
    """The number of counters of each heap.

    Attributes:
        heaps: one number per heap; 0 for a heap that may come.
    """

    heaps: tuple[int, ...]


class HeapsGame(Game):
    """A game of heaps that keep their places."""

    def space(self) -> Any:
        """Return the range of a heap."""
        return Heaps(range(max(self.start().heaps) + 1))  # type: ignore[arg-type]  # of each

    def show(self, position: Heaps) -> str:
        """Return the heaps, such as ``3 + 4 + 5``."""
        return " + ".join(map(str, position.heaps))

    def svg(self, position: Heaps) -> str:
        """Draw each heap as a row of counters."""
        heaps, title = position.heaps, self.show(position)
        labels = letters(len(heaps))
        return counters(heaps, title=title, labels=labels, moves=[partial(self.click_name, heaps)])

    def click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:  # noqa: ARG002
        """Return the name of the move made by clicking a counter; by default there is none."""
        return ""

    def parse(self, text: str) -> Heaps:
        """Read heaps as ``show`` writes them; pluses may be left out."""
        heaps = read_heaps(text, self.show(self.start()))
        room, largest = len(self.start().heaps), self.space().heaps[-1]
        if len(heaps) != room or max(heaps) > largest:
            message = (
                f"{text!r} is not {room} heaps of up to {largest} counters; write them such as "
                f"{self.show(self.start())!r}"
            )
            raise PositionError(message)
        return Heaps(heaps)


class SortedHeapsGame(HeapsGame):
    """A game of heaps that split, so that heaps come and go; they are sorted, largest first.

    Each heap is a component by itself.
    """

    def split(self, position: Heaps) -> Iterator[Heaps]:
        """Yield each heap by itself."""
        return alone(position)

    def play(self, position: Heaps, move: tuple[int, int, int]) -> Heaps:
        """Return the heaps with one, a move's first number, replaced by the other two."""
        heap, left, right = move
        heaps = list(position.heaps)
        heaps[heaps.index(heap)] = left
        return Heaps(bag((*heaps, right), len(position.heaps)))

    def name(self, move: tuple[int, int, int]) -> str:
        """Return a heap and the heaps that replace it, such as ``7 to 4+2``."""
        heap, left, right = move
        return f"{heap} to {left}+{right}" if right else f"{heap} to {left}"

    def show(self, position: Heaps) -> str:
        """Return the heaps that are not empty, such as ``5 + 2 + 2``, or ``0``."""
        return " + ".join(str(heap) for heap in position.heaps if heap) or "0"

    def svg(self, position: Heaps) -> str:
        """Draw each heap that is not empty as a row of counters."""
        heaps, title = [heap for heap in position.heaps if heap], self.show(position)
        moves = [partial(self.click_name, heaps), partial(self.second_click_name, heaps)]
        return counters(
            heaps, title=title, moves=moves, between=partial(self.split_click_name, heaps)
        )

    def second_click_name(
        self,
        heaps: Sequence[int],  # noqa: ARG002
        place: int,  # noqa: ARG002
        counter: int,  # noqa: ARG002
    ) -> str:
        """Return the text that a second click adds to the name of a move; by default none."""
        return ""

    def split_click_name(self, heaps: Sequence[int], place: int, counter: int) -> str:  # noqa: ARG002
        """Return the name of the move made by clicking before a counter; by default none."""
        return ""

    def parse(self, text: str) -> Heaps:
        """Read heaps as ``show`` writes them; pluses may be left out."""
        heaps, first = read_heaps(text, self.show(self.start())), self.start().heaps
        if sum(heaps) > sum(first) or sum(map(bool, heaps)) > len(first):
            message = f"{text!r} has more counters than there are at the start; write fewer"
            raise PositionError(message)
        return Heaps(bag(heaps, len(first)))


def letters(count: int) -> list[str]:
    """Return names of heaps: ``a``, ``b``, …; past ``z`` there are none."""
    return [chr(97 + place) if place < LETTERS else "" for place in range(count)]


def amounts(counts: Sequence[int]) -> str:
    """Return the numbers taken from each heap, such as ``a1b0c2``."""
    pairs = zip(letters(len(counts)), counts, strict=True)
    return "".join(f"{letter}{number}" for letter, number in pairs)


def alone(position: Heaps) -> Iterator[Heaps]:
    """Yield each heap by itself, with room for the others."""
    for heap in position.heaps:
        if heap:
            yield Heaps((heap,) + (0,) * (len(position.heaps) - 1))


def read_heaps(text: str, example: str) -> tuple[int, ...]:
    """Read numbers with pluses or spaces between them.

    Args:
        text: the numbers.
        example: an example of heaps, for the message.

    Raises:
        PositionError: the text is something else.
    """
    words = text.replace("+", " ").replace("/", " ").split()
    if not words or not all(word.isdecimal() for word in words):
        message = f"{text!r} is not a row of heaps; write their sizes, such as {example!r}"
        raise PositionError(message)
    return tuple(map(int, words))


def check_heaps(name: str, heaps: Any, limit: int = MOST_COUNTERS) -> None:
    """Raise ParameterError unless a parameter is a row of heaps.

    Args:
        name: the name of the parameter.
        heaps: the value of the parameter.
        limit: the most counters of a heap.
    """
    if not isinstance(heaps, tuple) or not 1 <= len(heaps) <= MOST_HEAPS:
        message = f"{name} must be a list of numbers, not {heaps!r}; give one such as [3, 4, 5]"
        raise ParameterError(message)
    wrong = next((heap for heap in heaps if not is_whole(heap) or not 0 <= heap <= limit), None)
    if wrong is not None:
        message = f"{name} {list(heaps)!r} has {wrong!r}; give whole numbers from 0 to {limit:,}"
        raise ParameterError(message)
