"""Games whose positions split into components, and some with wrong components."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo import LOSS, WIN, Game, put

#: False declarations about rows of pins: they are cut in the middle, which one move can change on
#: both sides; only the longest row counts; a row of three is lost. The last one leaves out the
#: moves that knock down a row of two.
CUT, FORGETS, LOST, LEAVES_OUT = range(4)


@dataclass(frozen=True)
class WholeKayles(Game):
    """Kayles: a move knocks down one pin or two neighbours. Every position is solved."""

    pins: int

    def start(self) -> int:
        return (1 << self.pins) - 1

    def moves(self, row: int) -> Iterator[int]:
        for at in range(self.pins):
            if row >> at & 1:
                yield 1 << at
            if row >> at & 3 == 3:
                yield 3 << at

    def play(self, row: int, pins: int) -> int:
        return row & ~pins


class Kayles(WholeKayles):
    """Kayles with rows of pins as components."""

    def split(self, row: int) -> Iterator[int]:
        length = 0
        for at in range(self.pins + 1):
            if row >> at & 1:
                length += 1
            elif length:
                yield (1 << length) - 1
                length = 0


@dataclass(frozen=True)
class FalseKayles(Kayles):
    """Kayles with false declarations about its rows.

    Attributes:
        lies: the false declarations, which are data of the compiled rules, so that the class is
            compiled once.
    """

    lies: tuple[int, ...] = ()

    def moves(self, row: int) -> Iterator[int]:
        for at in range(self.pins):
            if row >> at & 1:
                yield 1 << at
            if row >> at & 3 == 3 and (row << 1 >> at & 15 != 6 or not self.says(LEAVES_OUT)):
                yield 3 << at

    def split(self, row: int) -> Iterator[int]:
        if self.says(CUT):
            half = (1 << self.pins // 2) - 1
            yield row & half
            yield row & ~half
        else:
            longest, length = 0, 0
            for at in range(self.pins + 1):
                if row >> at & 1:
                    length += 1
                elif length:
                    longest = max(longest, length)
                    if not self.says(FORGETS):
                        yield (1 << length) - 1
                    length = 0
            if self.says(FORGETS):
                yield (1 << longest) - 1

    def bounds(self, row: int) -> tuple[int, int]:
        return (LOSS, LOSS) if row == 7 and self.says(LOST) else (LOSS, WIN)

    def says(self, lie: int) -> bool:
        for each in self.lies:
            if each == lie:
                return True
        return False


class CutKayles(Kayles):
    """Rows of pins that are cut in the middle, which one move can change on both sides."""

    def split(self, row: int) -> Iterator[int]:
        half = (1 << self.pins // 2) - 1
        yield row & half
        yield row & ~half


class InvalidComponent(Kayles):
    """A component that is not a position of the space."""

    def space(self) -> Any:
        return range(1 << self.pins)

    def split(self, row: int) -> Iterator[int]:
        yield row | 1 << 40


@dataclass(frozen=True)
class Cram(Game):
    """Dominoes on a board, laid either way by both players; a player who cannot lay one loses.

    Connected regions of free cells are components, each moved to the corner.
    """

    rows: int
    cols: int

    def start(self) -> int:
        return 0

    def moves(self, board: int) -> Iterator[int]:
        for cell in range(self.rows * self.cols):
            if cell % self.cols + 1 < self.cols and not board >> cell & 3:
                yield 3 << cell
            down = 1 | 1 << self.cols
            if cell // self.cols + 1 < self.rows and not board >> cell & down:
                yield down << cell

    def play(self, board: int, domino: int) -> int:
        return board | domino

    def split(self, board: int) -> Iterator[int]:
        full = (1 << self.rows * self.cols) - 1
        left = full // ((1 << self.cols) - 1)
        right = left << self.cols - 1
        free = full & ~board
        while free:
            region, grown = free & -free, 0
            while region != grown:
                grown = region
                region |= (region & ~right) << 1 | (region & ~left) >> 1
                region |= region << self.cols | region >> self.cols
                region &= free
            free &= ~region
            if region & region - 1:
                while not region & left:
                    region >>= 1
                while not region & (1 << self.cols) - 1:
                    region >>= self.cols
                yield full & ~region


class Tokens(NamedTuple):
    """The nodes of the tokens; 0 stands for no token."""

    on: tuple[int, int, int]


@dataclass(frozen=True)
class Splitting(Game):
    """Tokens on a graph: a move moves one, and may leave a second one behind."""

    rows: tuple[tuple[int, ...], ...]  # where moves from each node lead: one node + 256 * another
    roots: tuple[int, ...]

    def start(self) -> Tokens:
        return Tokens((self.roots[0], self.roots[1], 0))

    def moves(self, at: Tokens) -> Iterator[tuple[int, int]]:
        for i in range(3):
            if at.on[i]:
                for to in self.rows[at.on[i]]:
                    yield i, to

    def play(self, at: Tokens, move: tuple[int, int]) -> Tokens:
        i, to = move
        on = put(at.on, i, to & 255)
        if to >> 8:
            for j in range(3):
                if on[j] == 0 and j != i:
                    return Tokens(put(on, j, to >> 8))
        return Tokens(on)

    def split(self, at: Tokens) -> Iterator[Tokens]:
        for node in at.on:
            if node:
                yield Tokens((node, 0, 0))


def random_tokens(random: Random) -> Splitting:
    """Return a graph where tokens on higher nodes leave one behind, and lower ones do not."""
    low, high = random.randint(1, 5), random.randint(1, 3)
    has_cycles = random.random() < 0.7
    graph: list[list[int]] = [[]]
    for node in range(1, low + high + 1):
        row = []
        for _ in range(random.randint(0, 3)):
            back = has_cycles and random.random() < 0.5
            target = random.randint(1, low if node <= low else low + high) if back else 0
            target = target or random.randint(0, min(low, node - 1))
            leaves_token = node > low >= target > 0 and random.random() < 0.6
            row.append(target + 256 * random.randint(1, low) * leaves_token)
        graph.append(row)
    return Splitting(tuple(map(tuple, graph)), (low + high, random.randint(1, low)))


def heaps(*sizes: int) -> Splitting:
    """Return Nim with two heaps, as tokens: one may be moved to any lower node."""
    rows = tuple(tuple(range(size)) for size in range(max(sizes) + 1))
    return Splitting(rows, sizes)
