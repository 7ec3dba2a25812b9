"""Tuples that rules make of parts: in Python and compiled they are the same.

The games here are walks as in ``test_forms``: a score is asked for where the forms are tried.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

import zermelo
from support.oracles.equivalence import check
from zermelo import Game, RulesError, bag


class Row(NamedTuple):
    step: int
    cells: tuple[int, ...]


class Rebuilt(Game):
    """Four steps; each move rebuilds the row in another way."""

    size = 5

    def start(self):
        return Row(0, (3, 0, 4, 1, 2))

    def moves(self, p):
        if p.step < 4:
            yield from range(13)

    def play(self, p, m):
        return Row(p.step + 1, self.rebuilt(p, m)) if m < 12 else self.replaced(p, m)

    def rebuilt(self, p, m):
        i = (m + p.step) % 5
        t = p.cells
        if m == 0:
            cells = list(t)
            cells[i] = m
            cells[-1], cells[0] = cells[0], cells[-1]
            return tuple(cells)
        if m == 1:
            return tuple(x + p.step for x in t)
        if m == 2:
            return tuple(sorted(t))
        if m == 3:
            return t[:i] + (7,) + t[i + 1 :]
        if m == 4:
            return (*t[1:], t[0])
        if m == 5:
            return t[i:] + t[:i]
        if m == 6:
            row = ()
            for x in t:
                row += (x * 2 % 7,)
            return row
        if m == 7:
            return (i,) * i + (9,) * (5 - i)
        if m == 8:
            return tuple(reversed(t))
        if m == 9:
            return tuple(p.step if n == i else x for n, x in enumerate(t))
        if m == 10:
            return tuple(sorted((x for x in t if x != 4), reverse=True)) + (0,) * t.count(4)
        return tuple([x for x in t if x > 2] + [x for x in t if x <= 2])

    def replaced(self, p, m):
        row = p.cells
        for n in range(1, 4):
            row = row[:n] + (row[n] + row[n - 1],) + row[n + 1 :]
        low, high = min(row), max(row)
        return p._replace(step=p.step + 1, cells=tuple(x % 5 for x in row[1:]) + (high - low,))

    def listed(self, p, i):
        cells = list(p.cells)
        cells[i] += cells[-1 - i] * 2
        cells[0], last, cells[cells[1] % 5] = cells[i], cells[4], p.step
        for n in range(4):
            if n in cells:
                cells[n] = cells[n + 1]
        copied = list(cells)
        copied[1] = sum(cells) + cells.index(cells[2]) + len(cells) + last
        for n, x in enumerate(copied):
            cells[n] = x - max(cells)
        other = cells
        other[3] = 7
        seen = list(p.cells)
        for n, x in enumerate(seen):
            seen[(n + 1) % 5] = x + n
        kept = tuple(copied)
        copied[2] = 99
        return sum(tuple(cells)) + kept[2] + copied[2] + other[0] + sum(seen)

    def near(self, p, i):
        if i == 0:
            return ()
        if i % 2:
            return (i, p.cells[0])
        return (i,)

    def longer(self, p, i):
        out = p.cells + (i, i)
        while len(out) > i + 2:
            out = out[1:]
        if i % 2:
            return out
        return out + (3,)

    def score(self, p):
        i = p.step
        t = p.cells
        part = t[i:] + t[: i - 1]
        joined = (*part, i, *t)
        total = (
            self.listed(p, i)
            + sum(part) * 3
            + sum(joined)
            + len(part)
            + joined.index(i)
            + part.count(t[0])
        )
        total += sum(self.near(p, i)) * 13 + len(self.near(p, i)) + sum(self.longer(p, i)) * 17
        total += max(joined) - min(part) + (i in part) * 5 + (part == t) * 7 + (part < t) * 11
        total += len((*p, i)) + sum(tuple(x for x in (*p.cells, *part, i)))
        total += (t[:i] == (3, 0, 4, 1)) + (t[:2] >= t[i:]) * 2 + (part != (3,)) * 4
        for n, (x, y) in enumerate(zip(part, reversed(joined))):
            total += n * x - y
        total += any(part) + all(part) * 2 + any(x > 3 for x in part) * 4 + part[-1] + part[i % 2]
        square = tuple(a * b for a in range(i) for b in t if b != a)
        pairs = tuple((x, n) for n, x in enumerate(t) if x)
        total += len(square) + sum(square) + sum(x * n for x, n in pairs) + (pairs == ())
        grid = tuple(n * n % 3 for n in range(self.size * 2))
        return total + grid[i] + grid.index(1) + sum(t[::2]) + sum(part[::-1][:1])


@pytest.mark.slow
def test_a_tuple_made_of_parts_is_compiled_what_it_is_in_python() -> None:
    """Lists, comprehensions, slices, stars and sums give the same tuples."""
    check(Rebuilt(), least=100)


class Grundy(Game):
    """Split a heap into two unequal ones; ``heaps`` are all there are, the greatest first."""

    size = 7

    def start(self):
        return Row(0, bag([8], self.size))

    def moves(self, p):
        for n, heap in enumerate(p.cells):
            if n == 0 or heap != p.cells[n - 1]:
                for left in range(1, (heap + 1) // 2):
                    yield n, left

    def play(self, p, move):
        n, left = move
        rest = p.cells[:n] + p.cells[n + 1 :]
        return Row(0, bag((*rest, left, p.cells[n] - left), self.size))


class Few(Grundy):
    """The same with a row that is not filled up."""

    size = 4

    def play(self, p, move):
        n, left = move
        split = p.cells[:n] + p.cells[n + 1 :] + (left, p.cells[n] - left)
        return Row(0, tuple(x for x in split if x))


def test_heaps_in_a_bag_are_in_one_order() -> None:
    """The greatest heap comes first, zeros come last, and no heap too many fits."""
    assert bag((0, 2, 5, 0, 2), 4) == (5, 2, 2, 0)
    with pytest.raises(ValueError, match=r"bag\(\) got the heaps \[3, 2, 1\] for a row of 2"):
        bag([1, 2, 3], 2)
    with pytest.raises(ValueError, match=r"from 1 on"):
        bag([-1], 2)


@pytest.mark.slow
def test_games_may_sort_heaps_into_a_bag() -> None:
    """Rules find the same few positions in Python and compiled."""
    assert len(check(Grundy(), least=8)) < 30


@pytest.mark.slow
def test_a_tuple_of_another_length_than_its_field_is_an_error_at_its_position() -> None:
    """What is too short when the rules run is named with the position and the line."""
    with pytest.raises(RulesError) as caught:
        zermelo.solve(Few(), threads=1)
    pattern = (
        r"Few\.play\(\) returned Row\(step=0, cells=\(1, 7\)\): cells must be a tuple of 4 "
        r"integers, not \(1, 7\); return a position; it was played at "
        r"Row\(step=0, cells=\(8, 0, 0, 0\)\) "
        r"\(.*test_tuples\.py:\d+\)"
    )
    assert re.fullmatch(pattern, str(caught.value)), caught.value
