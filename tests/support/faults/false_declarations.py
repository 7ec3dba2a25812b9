"""Random small games with symmetries, a ``canonical`` or a ``legal`` that may be lied about.

Each has scores, or says which of its positions are legal. As in ``symmetric``, classes are few and
parameters many, so that little is compiled.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from support.games.symmetric import Row, Rows, kept_marks, kept_rows, random_permutation
from zermelo import DRAW, Game, Symmetry


class Piece(NamedTuple):
    vertex: int
    left: int


class Walks(Game):
    """A token walks along edges, so many times; they bring points, and so does where it ends."""

    rows: Rows
    worth: Rows
    finals: Row

    def moves(self, p: Any) -> Any:
        yield from range(len(self.rows[p.vertex]))

    def play(self, p: Any, edge: Any) -> Any:
        return Piece(self.rows[p.vertex][edge], p.left - 1)

    def gain(self, p: Any, edge: Any) -> int:
        return self.worth[p.vertex][edge]

    def score(self, p: Any) -> int:
        return self.finals[p.vertex]


@dataclass(frozen=True)
class PointGame(Walks):
    """One that may come to rest before, from several starts, on a graph with symmetries."""

    rows: Rows
    worth: Rows
    finals: Row
    ends: Row
    perms: Rows
    roots: Row
    last: int

    def start(self) -> Any:
        return Piece(self.roots[0], self.last)

    def starts(self) -> Any:
        return [Piece(root, self.last) for root in self.roots]

    def outcome(self, p: Any) -> Any:
        if p.left == 0 or self.ends[p.vertex] == 1:
            return DRAW

    def space(self) -> Any:
        return Piece(range(16), range(16))

    def symmetries(self) -> Any:
        return Symmetry(self.perms, squares=("vertex",))


class Spot(NamedTuple):
    vertex: int


@dataclass(frozen=True)
class RoundGame(Game):
    """A token on a graph until it comes to rest, which brings points; it may never."""

    rows: Rows
    finals: Row
    ends: Row
    perms: Rows
    roots: Row

    def start(self) -> Any:
        return Spot(self.roots[0])

    def starts(self) -> Any:
        return [Spot(root) for root in self.roots]

    def outcome(self, p: Any) -> Any:
        if self.ends[p.vertex] == 1:
            return DRAW

    def moves(self, p: Any) -> Any:
        yield from range(len(self.rows[p.vertex]))

    def play(self, p: Any, edge: Any) -> Any:
        return Spot(self.rows[p.vertex][edge])

    def score(self, p: Any) -> int:
        return self.finals[p.vertex]

    def space(self) -> Any:
        return Spot(range(16))

    def symmetries(self) -> Any:
        return Symmetry(self.perms, squares=("vertex",))


class Claims(NamedTuple):
    x: int
    o: int
    turn: int


@dataclass(frozen=True)
class ClaimGame(Game):
    """Players claim vertices in turn, none next to an own one, and are paid for each.

    They may be exchanged, unless one is paid more, or the last score is one player's.
    """

    rows: Rows
    worth: Row
    perms: Rows
    more: int
    sided: int

    def start(self) -> Any:
        return Claims(0, 0, 0)

    def turn(self, p: Any) -> Any:
        return p.turn

    def moves(self, p: Any) -> Any:
        own = p.o if p.turn else p.x
        for vertex in range(len(self.rows)):
            free = not (p.x | p.o) >> vertex & 1
            for other in self.rows[vertex]:
                if own >> other & 1:
                    free = False
            if free:
                yield vertex

    def play(self, p: Any, vertex: Any) -> Any:
        if p.turn:
            return Claims(p.x, p.o | 1 << vertex, 0)
        return Claims(p.x | 1 << vertex, p.o, 1)

    def gain(self, p: Any, vertex: Any) -> int:
        return self.worth[vertex] + self.more * p.turn

    def score(self, p: Any) -> int:
        ahead = p.x.bit_count() - p.o.bit_count()
        return -ahead if p.turn and not self.sided else ahead

    def symmetries(self) -> Any:
        board = Symmetry(self.perms, masks=("x", "o"))
        return board, Symmetry(swap=(("x", "o"),), flip=("turn",))

    def space(self) -> Any:
        return Claims(range(1 << 8), range(1 << 8), range(2))


@dataclass(frozen=True)
class LeantGame(Walks):
    """One with a table that ``canonical`` reads."""

    rows: Rows
    worth: Rows
    finals: Row
    least: Row
    last: int

    def start(self) -> Any:
        return Piece(0, self.last)

    def outcome(self, p: Any) -> Any:
        return DRAW if p.left == 0 else None

    def canonical(self, p: Any) -> Any:
        return Piece(self.least[p.vertex], p.left)

    def space(self) -> Any:
        return Piece(range(16), range(16))


class Pair(NamedTuple):
    hunter: int
    hare: int
    turn: int


@dataclass(frozen=True)
class LegalHunt(Game):
    """A hunter and a hare on a graph; legal is where neither stands alone or where it may not."""

    rows: Rows
    homes: Row
    barred: Row
    perms: Rows
    root: tuple[int, int]

    def start(self) -> Any:
        return Pair(self.root[0], self.root[1], 0)

    def turn(self, p: Any) -> Any:
        return p.turn

    def winner(self, p: Any) -> Any:
        if p.hunter == p.hare:
            return 0
        if p.turn == 0 and self.homes[p.hare] == 1:
            return 1

    def moves(self, p: Any) -> Any:
        yield from range(len(self.rows[p.hare if p.turn else p.hunter]))

    def play(self, p: Any, edge: Any) -> Any:
        if p.turn:
            return Pair(p.hunter, self.rows[p.hare][edge], 0)
        return Pair(self.rows[p.hunter][edge], p.hare, 1)

    def legal(self, p: Any) -> bool:
        if p.hunter >= len(self.rows) or p.hare >= len(self.rows):
            return False
        return self.barred[(p.hunter * len(self.rows) + p.hare) * 2 + p.turn] == 0

    def space(self) -> Any:
        return Pair(range(8), range(8), range(2))

    def symmetries(self) -> Any:
        return Symmetry(self.perms, squares=("hunter", "hare"))


def point_games(seed: int, count: int) -> Iterator[Any]:
    """Yield games of all kinds with scores and symmetries, each of which is one."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        n = int(rng.integers(3, 13)) if i % 3 else int(rng.integers(3, 7))
        perms = (random_permutation(rng, n),)
        rows = kept_rows(rng, n, perms, float(rng.choice([0.1, 0.2, 0.3])))
        finals = kept_marks(rng, n, perms, (-3, -1, 0, 0, 1, 2))
        ends = kept_marks(rng, n, perms, (0, 0, 0, 1))
        roots = tuple(rng.integers(0, n, int(rng.integers(1, 4))).tolist())
        if i % 3 == 0:
            worth = kept_marks(rng, n, perms, (0, 1, 1, 3))
            yield ClaimGame(rows, worth, perms, 0, 0)
        elif i % 3 == 1:
            worth = kept_gains(rng, rows, perms)
            yield PointGame(rows, worth, finals, ends, perms, roots, int(rng.integers(2, 10)))
        else:
            yield RoundGame(rows, finals, ends, perms, roots)


def kept_gains(rng: np.random.Generator, rows: Rows, perms: Rows) -> Rows:
    """Return random points for each edge, the same for images."""
    gains: dict[tuple[int, int], int] = {}
    for a, row in enumerate(rows):
        for b in row:
            if (a, b) not in gains:
                points, queue = int(rng.integers(-2, 3)), [(a, b)]
                for c, d in queue:
                    if (c, d) not in gains:
                        gains[c, d] = points
                        queue += [(perm[c], perm[d]) for perm in perms]
    return tuple(tuple(gains[a, b] for b in row) for a, row in enumerate(rows))


def lies_about_points(seed: int, count: int) -> Iterator[Any]:
    """Yield games with scores in which something is not as the symmetries say."""
    rng = np.random.default_rng(seed)
    for game in point_games(seed, count):
        yield dataclasses.replace(game, **_lie(rng, game))


def _lie(rng: np.random.Generator, game: Any) -> dict[str, Any]:
    """Return what to change of a game."""
    lies = ["perms", "finals", "ends", "worth"]
    if isinstance(game, ClaimGame):
        lies = ["perms", "worth", "more", "sided"]
    if isinstance(game, RoundGame):
        lies = ["perms", "finals", "ends"]
    name = str(rng.choice(lies))
    if name in {"more", "sided"}:
        return {name: 1}
    value = getattr(game, name)
    if name == "perms":
        perm = list(value[0])
        a, b = rng.integers(0, len(perm), 2)
        perm[a], perm[b] = perm[b], perm[a]
        return {name: (tuple(perm),)}
    index = int(rng.integers(0, len(value)))
    new_values = list(value)
    if isinstance(value[index], tuple):
        new_values[index] = tuple(points + int(rng.random() < 0.5) for points in value[index])
    elif name == "ends":
        new_values[index] = 1 - value[index]
    else:
        new_values[index] = value[index] + 1
    return {name: tuple(new_values)}


def leant_games(seed: int, count: int) -> Iterator[LeantGame]:
    """Yield games whose ``canonical`` makes a few vertices one, by chance mostly unlike ones."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(4, 13))
        rows = tuple(tuple(rng.integers(0, n, rng.integers(0, 4)).tolist()) for _ in range(n))
        worth = tuple(tuple(rng.integers(-1, 2, len(row)).tolist()) for row in rows)
        representatives = np.arange(n)
        for _ in range(int(rng.integers(0, 3))):
            first, second = sorted(rng.integers(0, n, 2).tolist())
            representatives[second] = representatives[first]
        finals = tuple(rng.integers(-1, 2, n).tolist())
        yield LeantGame(
            rows, worth, finals, tuple(representatives.tolist()), int(rng.integers(2, 10))
        )


def legal_games(seed: int, count: int) -> Iterator[LegalHunt]:
    """Yield games with symmetries, all of whose legal positions lead to legal ones."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(3, 9))
        perms = (random_permutation(rng, n),)
        rows = kept_rows(rng, n, perms, float(rng.choice([0.1, 0.2, 0.3])))
        homes = kept_marks(rng, n, perms, (0, 0, 1))
        game = LegalHunt(rows, homes, (0,) * (2 * n * n), perms, (0, n - 1))
        yield dataclasses.replace(game, barred=_barred(game, rng))


def _barred(game: LegalHunt, rng: np.random.Generator) -> Row:
    """Bar positions with their images, and all that lead to them."""
    n, perm = len(game.rows), game.perms[0]
    barred = [0] * (2 * n * n)

    def place(p: Any) -> int:
        return int((p.hunter * n + p.hare) * 2 + p.turn)

    positions = [Pair(a, b, t) for a in range(n) for b in range(n) for t in range(2)]
    predecessors: dict[Any, list[Any]] = {p: [] for p in positions}
    for p in positions:
        for move in game.moves(p) if game.winner(p) is None else ():
            predecessors[game.play(p, move)].append(p)
    for _ in range(int(rng.integers(0, 4))):
        barred_before, queue = list(barred), [positions[int(rng.integers(0, len(positions)))]]
        for p in queue:
            if not barred[place(p)]:
                barred[place(p)] = 1
                queue += [Pair(perm[p.hunter], perm[p.hare], p.turn), *predecessors[p]]
        if barred[place(game.start())]:
            barred = barred_before
    return tuple(barred)


def lies_about_legal(seed: int, count: int) -> Iterator[LegalHunt]:
    """Yield games in which a few positions are not legal as the rules or the symmetries say."""
    rng = np.random.default_rng(seed)
    for game in legal_games(seed, count):
        barred = list(game.barred)
        for index in rng.integers(0, len(barred), int(rng.integers(1, 3))).tolist():
            barred[index] = 1 - barred[index]
        lie = dataclasses.replace(game, barred=tuple(barred))
        if rng.random() < 0.3:
            perm = list(game.perms[0])
            a, b = rng.integers(0, len(perm), 2)
            perm[a], perm[b] = perm[b], perm[a]
            lie = dataclasses.replace(lie, perms=(tuple(perm),))
        yield lie
