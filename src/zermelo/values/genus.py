"""The genus of a position of an impartial game: its nimber, and its values under misère play.

Under normal play a position is equivalent to a heap of Nim, and so its nimber is enough for all
sums. Under misère play no single number is. The genus has a number for each sum with heaps of two:
the misère value of the position alone, with one heap of two, with two, and so on. (The misère value
of a position without moves is 1, and that of another position the least nonnegative integer that is
not the value of an option; the player to move loses at 0.) From some heap on, two numbers alternate
for ever. (Berlekamp, Conway and Guy, Winning Ways, chapter 13; Conway, On Numbers and Games,
chapter 12.)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import count
from typing import TypeVar

from zermelo.values.outcomes import LOSS, WIN, Outcome

Position = TypeVar("Position", bound=Hashable)

_TEN = 10


@dataclass(frozen=True, slots=True)
class Genus:
    """The genus of a position, such as ``3^{1431}``.

    Attributes:
        nimber: the nimber of normal play.
        sequence: the misère value of the position with 0, 1, 2 … heaps of two, until the last two
            numbers alternate for ever.
    """

    nimber: int
    sequence: tuple[int, ...]

    @classmethod
    def from_options(cls, options: Iterable[Genus]) -> Genus:
        """Return the genus of a position whose moves lead to positions of these genera."""
        genera = set(options)
        # From here on only the parity of the number of heaps of two matters.
        settled = max((len(genus.sequence) for genus in genera), default=2) - 2
        sequence = [_least(genus.misere_value(0) for genus in genera) if genera else 1]
        for n in count(1):
            # A heap of two becomes empty, or one of 1, which changes the value to the next smaller
            # or greater number: an even one to an odd one and vice versa.
            fewer = sequence[-1]
            sequence.append(
                _least({fewer, fewer ^ 1, *(genus.misere_value(n) for genus in genera)})
            )
            if n >= settled + 2 and sequence[n] == sequence[n - 2]:
                break
        while sequence[-1:] == sequence[-3:-2]:
            sequence.pop()
        return cls(_least(genus.nimber for genus in genera), tuple(sequence))

    def misere_value(self, twos: int) -> int:
        """Return the misère value of the position with some heaps of two.

        Args:
            twos: the number of heaps.
        """
        last = len(self.sequence) - 1
        return self.sequence[twos if twos <= last else last - (twos - last) % 2]

    @property
    def normal(self) -> Outcome:
        """The outcome under normal play, WIN or LOSS for the player to move."""
        return WIN if self.nimber else LOSS

    @property
    def misere(self) -> Outcome:
        """The outcome under misère play, WIN or LOSS for the player to move."""
        return WIN if self.sequence[0] else LOSS

    @property
    def fickle(self) -> bool:
        """Whether it is ``0^{120}`` or ``1^{031}``, as for a heap of 0 or 1 or a sum of those."""
        return (self.nimber, self.sequence) in ((0, (1, 2, 0)), (1, (0, 3, 1)))

    @property
    def firm(self) -> bool:
        """Whether it is ``n^{n(n^2)}``, as for a sum of heaps of Nim with one of two or more.

        Examples are 0^{02}, 1^{13}, 2^{20} and 3^{31}.
        """
        return self.sequence == (self.nimber, self.nimber ^ 2)

    @property
    def tame(self) -> bool:
        """Whether it is fickle or firm, as the genus of every position of Nim."""
        return self.fickle or self.firm

    @property
    def wild(self) -> bool:
        """Whether no position of Nim has it."""
        return not self.tame

    def __str__(self) -> str:
        """Return the usual text; numbers from 10 on are separated by commas."""
        separator = "," if max(self.sequence) >= _TEN else ""
        return f"{self.nimber}^{{{separator.join(map(str, self.sequence))}}}"

    def _repr_html_(self) -> str:
        """Return the genus with its consequences, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.genus(self)


class EndlessPlayError(ValueError):
    """The moves can lead in a cycle.

    Attributes:
        position: a position on the cycle.
    """

    def __init__(self, position: Hashable) -> None:
        """Create the error for a position on a cycle."""
        super().__init__(f"the moves from {position!r} can lead in a cycle")
        self.position = position


class SearchLimitError(ValueError):
    """There are more positions than are allowed."""


def genus_of(start: Position, moves: Callable[[Position], Iterable[Position]], limit: int) -> Genus:
    """Return the genus of a position, by search through all positions that can follow.

    Args:
        start: the position.
        moves: returns the successors.
        limit: the most positions to examine.

    Raises:
        EndlessPlayError: the moves can lead in a cycle.
        SearchLimitError: there are more positions.
    """
    genera: dict[Position, Genus] = {}
    options_of: dict[Position, list[Position]] = {}
    stack = [start]
    while stack:
        position = stack[-1]
        if position in genera:
            stack.pop()
        elif position in options_of:
            genera[position] = Genus.from_options(
                genera[successor] for successor in options_of.pop(position)
            )
            stack.pop()
        else:
            if len(genera) + len(options_of) >= limit:
                raise SearchLimitError
            successors = options_of[position] = list(dict.fromkeys(moves(position)))
            for successor in successors:
                if successor in options_of:
                    raise EndlessPlayError(successor)
            stack += [successor for successor in successors if successor not in genera]
    return genera[start]


def _least(numbers: Iterable[int]) -> int:
    """Return the least nonnegative integer that is missing."""
    present = set(numbers)
    return next(n for n in count() if n not in present)
