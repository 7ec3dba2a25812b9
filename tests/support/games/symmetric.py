"""Random small games that have symmetries: graphs that permutations keep, and sides that swap.

As in ``strategies``, classes are few and parameters many, so that little is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo import DRAW, LOSS, Game, Symmetry
from zermelo.symmetry import cycle

#: Stands in a table of endings for "the game goes on".
OPEN = 2

Row = tuple[int, ...]
Rows = tuple[Row, ...]


class Token(NamedTuple):
    vertex: int
    clock: int


@dataclass(frozen=True)
class WheelGame(Game):
    """A token on a graph that permutations keep, and a clock that nothing permutes."""

    rows: Rows
    endings: Row
    perms: Rows
    roots: Row

    def start(self):
        return Token(self.roots[0], 0)

    def starts(self):
        return [Token(root, i % 2) for i, root in enumerate(self.roots)]

    def outcome(self, token):
        if self.endings[token.vertex] != OPEN:
            return self.endings[token.vertex]
        if token.clock == 3 and token.vertex == 0 and len(self.rows) == 1:
            return DRAW

    def moves(self, token):
        for edge in range(len(self.rows[token.vertex])):
            yield edge

    def play(self, token, edge):
        return Token(self.rows[token.vertex][edge], (token.clock + 1) % 3)

    def space(self):
        return Token(range(32), range(4))

    def symmetries(self):
        return Symmetry(self.perms, squares=("vertex",))


class Pair(NamedTuple):
    left: int
    right: int
    shared: int


@dataclass(frozen=True)
class PairGame(Game):
    """Two tokens alike on one graph, either of which is moved, and a third that follows."""

    rows: Rows
    endings: Row
    perms: Rows
    roots: Row

    def start(self):
        return Pair(self.roots[0], self.roots[-1], self.roots[0])

    def outcome(self, pair):
        if pair.left == pair.right:
            return self.endings[pair.left] % 3 - 1
        if self.endings[pair.left] != OPEN and self.endings[pair.right] != OPEN:
            return LOSS

    def moves(self, pair):
        for edge in range(len(self.rows[pair.left])):
            yield 0, edge
        for edge in range(len(self.rows[pair.right])):
            yield 1, edge

    def play(self, pair, move):
        token, edge = move
        if token == 0:
            return Pair(self.rows[pair.left][edge], pair.right, pair.left)
        return Pair(pair.left, self.rows[pair.right][edge], pair.right)

    def space(self):
        return Pair(range(32), range(32), range(32))

    def symmetries(self):
        cells = Symmetry(self.perms, squares=("left", "right", "shared"))
        return cells, Symmetry(alike=(("left", "right"),))


class Marks(NamedTuple):
    x: int
    o: int
    turn: int


@dataclass(frozen=True)
class ColouringGame(Game):
    """Players mark vertices in turn, none next to an own one; who cannot has lost.

    The players may be exchanged, which moves the start.
    """

    rows: Rows
    perms: Rows
    marked: Row
    tie: int

    players = ("X", "O")

    def start(self):
        return Marks(self.marked[0], self.marked[1], 0)

    def turn(self, marks):
        return marks.turn

    def winner(self, marks):
        if (marks.x | marks.o).bit_count() == self.tie:
            return -1

    def moves(self, marks):
        own = marks.o if marks.turn else marks.x
        for vertex in range(len(self.rows)):
            if (marks.x | marks.o) >> vertex & 1:
                continue
            free = True
            for other in self.rows[vertex]:
                if own >> other & 1:
                    free = False
            if free:
                yield vertex

    def play(self, marks, vertex):
        if marks.turn:
            return Marks(marks.x, marks.o | 1 << vertex, 0)
        return Marks(marks.x | 1 << vertex, marks.o, 1)

    def level(self, marks):
        return (marks.x | marks.o).bit_count()

    def symmetries(self):
        board = Symmetry(self.perms, masks=("x", "o"))
        return board, Symmetry(swap=(("x", "o"),), flip=("turn",))

    def space(self):
        return Marks(range(1 << 16), range(1 << 16), range(2))


class Spot(NamedTuple):
    vertex: int
    mover: int


@dataclass(frozen=True)
class MirrorGame(Game):
    """A board that looks to each player as its image does to the other; some moves move again."""

    rows: Rows
    keeps: Rows
    winners: Row
    mirror: Row
    roots: Row

    def start(self):
        return Spot(self.roots[0], 0)

    def turn(self, spot):
        return spot.mover

    def winner(self, spot):
        if self.winners[spot.vertex] != OPEN:
            return self.winners[spot.vertex]

    def moves(self, spot):
        for edge in range(len(self.rows[spot.vertex])):
            yield edge

    def play(self, spot, edge):
        mover = spot.mover if self.keeps[spot.vertex][edge] else 1 - spot.mover
        return Spot(self.rows[spot.vertex][edge], mover)

    def space(self):
        return Spot(range(32), range(2))

    def symmetries(self):
        return Symmetry((self.mirror,), squares=("vertex",), flip=("mover",), together=True)


class Circle(NamedTuple):
    pits: Row
    stock: int


@dataclass(frozen=True)
class SowingGame(Game):
    """Seeds in a circle of five pits, any of which is shared out; the stock counts the moves left.

    The sizes of words are left to Zermelo, so that a position takes several of them.
    """

    pits: Row
    last: int

    def start(self):
        return Circle(self.pits, self.last)

    def moves(self, circle):
        if circle.stock > 0:
            for pit in range(5):
                if circle.pits[pit] > 1:
                    yield pit

    def play(self, circle, pit):
        a, b, c, d, e = circle.pits
        row = (a, b, c, d, e)
        left = row[pit]
        if pit == 0:
            row = (0, b + left // 2, c, d, e + left - left // 2)
        elif pit == 1:
            row = (a + left - left // 2, 0, c + left // 2, d, e)
        elif pit == 2:
            row = (a, b + left - left // 2, 0, d + left // 2, e)
        elif pit == 3:
            row = (a, b, c + left - left // 2, 0, e + left // 2)
        else:
            row = (a + left // 2, b, c, d + left - left // 2, 0)
        return Circle(row, circle.stock - 1)

    def gain(self, circle, pit):
        return circle.pits[pit] % 3

    def score(self, circle):
        return max(circle.pits)

    def symmetries(self):
        return Symmetry(cycle(5, mirror=False), rows=("pits",))


def random_permutation(rng: np.random.Generator, count: int) -> Row:
    """Return a permutation of small order: cycles of up to three or of up to four."""
    longest = int(rng.integers(2, 5))
    cells = rng.permutation(count).tolist()
    image = list(range(count))
    while cells:
        length = min(len(cells), int(rng.choice([1, longest])))
        ring, cells = cells[:length], cells[length:]
        for place, cell in enumerate(ring):
            image[cell] = ring[(place + 1) % length]
    return tuple(image)


def kept_rows(rng: np.random.Generator, count: int, perms: Rows, share: float) -> Rows:
    """Return random edges with all their images."""
    edges = {(a, b) for a in range(count) for b in range(count) if rng.random() < share}
    queue = list(edges)
    for a, b in queue:
        for perm in perms:
            image = perm[a], perm[b]
            if image not in edges:
                edges.add(image)
                queue.append(image)
    return tuple(tuple(sorted(b for x, b in edges if x == a)) for a in range(count))


def kept_marks(rng: np.random.Generator, count: int, perms: Rows, choices: Row) -> Row:
    """Return a random mark for each vertex, the same for images."""
    marks = [-9] * count
    for vertex in range(count):
        if marks[vertex] == -9:
            mark, queue = int(rng.choice(choices)), [vertex]
            for image in queue:
                if marks[image] == -9:
                    marks[image] = mark
                    queue += [perm[image] for perm in perms]
    return tuple(marks)


def random_symmetric(seed: int, count: int) -> Iterator[Any]:
    """Yield random games of all kinds without scores."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = int(rng.integers(2, 15))
        perms = tuple(random_permutation(rng, n) for _ in range(int(rng.integers(1, 3))))
        if len(_orders(perms)) > 200:
            perms = perms[:1]
        rows = kept_rows(rng, n, perms, float(rng.choice([0.05, 0.1, 0.2])))
        ends = kept_marks(rng, n, perms, (-1, 0, 1, OPEN, OPEN, OPEN, OPEN))
        roots = tuple(rng.integers(0, n, int(rng.integers(1, 4))).tolist())
        if i % 4 == 0:
            yield WheelGame(rows, ends, perms, roots)
        elif i % 4 == 1:
            yield PairGame(rows, ends, perms, roots)
        elif i % 4 == 2:
            n = int(rng.integers(2, 7))
            perms = (random_permutation(rng, n),)
            rows = kept_rows(rng, n, perms, 0.2)
            x = int(rng.integers(0, 1 << n)) if rng.random() < 0.3 else 0
            yield ColouringGame(rows, perms, (x & 0b101, x & 0b010), int(rng.integers(1, 9)))
        else:
            yield _mirrored(rng, n)


def _orders(perms: Rows) -> set[Row]:
    """Return the group that permutations generate, or enough of it."""
    start = tuple(range(len(perms[0])))
    orders, queue = {start}, [start]
    for element in queue:
        for perm in perms:
            image = tuple(perm[cell] for cell in element)
            if image not in orders and len(orders) < 1000:
                orders.add(image)
                queue.append(image)
    return orders


def _mirrored(rng: np.random.Generator, count: int) -> MirrorGame:
    """Return a game that a permutation of order two turns round."""
    cells = rng.permutation(count).tolist()
    mirror = list(range(count))
    for a, b in zip(cells[::2], cells[1::2], strict=False):
        mirror[a], mirror[b] = b, a
    rows = kept_rows(rng, count, (tuple(mirror),), float(rng.choice([0.1, 0.2])))
    share = float(rng.choice([0.0, 0.3]))
    twice = {(a, b) for a in range(count) for b in rows[a] if rng.random() < share}
    twice |= {(mirror[a], mirror[b]) for a, b in twice}
    keeps = tuple(tuple(int((a, b) in twice) for b in rows[a]) for a in range(count))
    winners = [OPEN] * count
    for vertex in range(count):
        if winners[vertex] == OPEN and rng.random() < 0.3:
            won = -1 if mirror[vertex] == vertex else int(rng.integers(-1, 2))
            winners[vertex] = won
            winners[mirror[vertex]] = won if won == -1 else 1 - won
    root = int(rng.integers(0, count))
    return MirrorGame(rows, keeps, tuple(winners), tuple(mirror), (root,))
