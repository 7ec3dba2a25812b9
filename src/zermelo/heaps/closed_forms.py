"""Games with a known winning strategy, for positions of any size without a table.

Each has ``loses(position)``, by a closed form, and ``best(position)``, the positions after winning
moves. In all of them a player who cannot move loses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import isqrt

from zermelo.errors import ParameterError
from zermelo.heaps.game import tokens

#: The length of a pair, and the most rows of a bar with a closed form.
_TWO = 2


class MooresNim:
    """Nim in which a move takes tokens from at least one heap and at most k (E. H. Moore, 1910)."""

    def __init__(self, most: int) -> None:
        """Create the game.

        Args:
            most: the most heaps that a move takes from, k; 1 is Nim.

        Raises:
            ParameterError: it is not a positive integer.
        """
        if tokens(most) == 0:
            message = f"a move must take from at least one heap, not {most!r}; give 1 or more"
            raise ParameterError(message)
        self.most = most

    def loses(self, position: Sequence[int]) -> bool:
        """Return whether the player to move loses.

        Each binary digit is in a multiple of k + 1 heaps.
        """
        sizes = [tokens(heap) for heap in position]
        width = max(sizes, default=0).bit_length()
        return all(
            sum(size >> bit & 1 for size in sizes) % (self.most + 1) == 0 for bit in range(width)
        )

    def moves(self, position: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the position after every move, with heaps in the same order."""
        sizes = [tokens(heap) for heap in position]
        for count in range(1, self.most + 1):
            for places in combinations(range(len(sizes)), count):
                for remaining in product(*(range(sizes[place]) for place in places)):
                    child = list(sizes)
                    for place, size in zip(places, remaining, strict=True):
                        child[place] = size
                    yield tuple(child)

    def best(self, position: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the positions after winning moves."""
        return [child for child in self.moves(position) if self.loses(child)]


class WythoffsGame:
    """Two heaps: a move takes from one of them, or the same number from both (Wythoff, 1907)."""

    def loses(self, position: Sequence[int]) -> bool:
        """Return whether the player to move loses: for some k the heaps are ⌊k φ⌋ and ⌊k φ²⌋.

        It uses integers only, so it is exact for heaps of any size.
        """
        small, large = _pair(position)
        difference = large - small
        return small == (difference + isqrt(5 * difference * difference)) // 2

    def moves(self, position: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the position after every move, the smaller heap first; some more than once."""
        small, large = _pair(position)
        for count in range(1, large + 1):
            yield (min(small, large - count), max(small, large - count))
            if count <= small:
                yield (small - count, large)
                yield (small - count, large - count)

    def best(self, position: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions after winning moves, each once."""
        return sorted({child for child in self.moves(position) if self.loses(child)})


class FibonaccisNim:
    """One heap: a move takes at most twice what the last took; the first not all (Whinihan, 1963).

    A position is the heap and the most tokens that may be taken.
    """

    def loses(self, position: Sequence[int]) -> bool:
        """Return whether the player to move loses: the heap's last Zeckendorf part is too large.

        Every number is a sum of Fibonacci numbers without two consecutive ones, in exactly one way.
        """
        heap, limit = _pair(position, in_order=False)
        return heap == 0 or zeckendorf(heap)[-1] > limit

    def moves(self, position: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the position after every move: the heap, and the most that may be taken from it."""
        heap, limit = _pair(position, in_order=False)
        for count in range(1, min(heap, limit) + 1):
            yield (heap - count, 2 * count)

    def best(self, position: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions after winning moves."""
        return [child for child in self.moves(position) if self.loses(child)]


class EuclidsGame:
    """Two numbers: a move subtracts a multiple of the smaller from the larger; making 0 wins.

    Cole and Davie (1969).
    """

    def loses(self, position: Sequence[int]) -> bool:
        """Return whether the player to move loses.

        The ratio of the numbers is below φ, or one is 0.

        It uses integers only: x / y < φ if x² - x y - y² < 0.
        """
        small, large = _pair(position)
        return small == 0 or (small < large and large * large - large * small < small * small)

    def moves(self, position: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the position after every move, the smaller number first."""
        small, large = _pair(position)
        for remainder in range(large - small, -1, -small) if small else ():
            yield (min(small, remainder), max(small, remainder))

    def best(self, position: Sequence[int]) -> list[tuple[int, int]]:
        """Return the positions after winning moves."""
        return [child for child in self.moves(position) if self.loses(child)]


class ChompBar:
    """A bar of chocolate: a bite takes a square with all above and to the right of it.

    The last square is poisoned: the player who eats it loses. A position is the lengths of the
    rows, the longest first. (Schuh 1952, Gale 1974.) With two rows, the player to move loses if the
    second is one shorter than the first. With more rows, losing positions are found by search and
    cached.
    """

    def __init__(self) -> None:
        """Create an empty cache."""
        self._losing: dict[tuple[int, ...], bool] = {(): False}

    def loses(self, position: Sequence[int]) -> bool:
        """Return whether the player to move loses.

        The empty bar is won, as the other ate the poison.
        """
        bar = _bar(position)
        if len(bar) <= _TWO:
            return bar == (1,) or (len(bar) == _TWO and bar[1] == bar[0] - 1)
        stack = [bar]
        while stack:  # a bar is decided once the results of all bites are
            bar = stack[-1]
            children = [child for child in self.moves(bar) if len(child) > _TWO]
            unknown = [child for child in children if child not in self._losing]
            if unknown:
                stack += unknown
                continue
            wins = any(self.loses(child) for child in self.moves(bar) if len(child) <= _TWO)
            self._losing[bar] = not wins and not any(self._losing[child] for child in children)
            stack.pop()
        return self._losing[bar]

    def moves(self, position: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the position after every bite."""
        bar = _bar(position)
        for row, length in enumerate(bar):
            for column in range(length):
                lengths = (*bar[:row], *(min(other_length, column) for other_length in bar[row:]))
                yield tuple(size for size in lengths if size)

    def best(self, position: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the positions after winning bites."""
        return [child for child in self.moves(position) if self.loses(child)]


def zeckendorf(number: int) -> list[int]:
    """Return the Fibonacci numbers, without two consecutive ones, whose sum is a number.

    >>> zeckendorf(20)
    [13, 5, 2]
    """
    numbers = [1, 2]
    while numbers[-1] <= number:
        numbers.append(numbers[-1] + numbers[-2])
    parts = []
    for part in reversed(numbers):
        if part <= number:
            parts.append(part)
            number -= part
    return parts


def _pair(position: Sequence[int], *, in_order: bool = True) -> tuple[int, int]:
    """Return two numbers, the smaller first if the order does not matter."""
    sizes = [tokens(size) for size in position]
    if len(sizes) != _TWO:
        message = f"a position is two numbers, not {position!r}; give a pair such as (3, 5)"
        raise ParameterError(message)
    first, second = sorted(sizes) if in_order else sizes
    return first, second


def _bar(rows: Sequence[int]) -> tuple[int, ...]:
    """Return the rows of a bar without empty ones."""
    bar = tuple(tokens(row) for row in rows)
    if list(bar) != sorted(bar, reverse=True):
        message = f"the rows of a bar must descend, unlike {rows!r}; sort them"
        raise ParameterError(message)
    return tuple(row for row in bar if row)
