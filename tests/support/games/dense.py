"""Games with dense spaces, and the fixed memory of their solves.

What does not depend on positions is asked of the method: a budget is that and a little more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from support.games.strategies import GRAPH_GAMES, OPEN, OwnedGame, Row, VertexGame
from zermelo import LOSS, Game
from zermelo._compile.rules import compile_rules
from zermelo._engine.core.ledger import Ledger
from zermelo._methods import handover
from zermelo._methods.dense import method
from zermelo._methods.dense.memory import DenseMemory
from zermelo._methods.dense.ranking import ranking_of
from zermelo.game.spaces import Disjoint, Squares, Subsets

#: Vertices that spaces have at least: rules of smaller ones are compiled for themselves.
LEAST = 3


def table_of(solution: Any) -> dict[Any, tuple[int, int | None]]:
    """Return a solution in the oracle's form."""
    return {p: (int(v.outcome), v.remoteness) for p, v in solution.items()}


def fixed_bytes(game: Game, threads: int = 1) -> int:
    """Return the bytes of a solve that do not depend on positions and moves."""
    compiled = compile_rules(game)
    return DenseMemory.estimate(compiled, ranking_of(compiled.rules), Ledger(0), threads).fixed


@contextmanager
def wide_spaces(slots_per_position: int) -> Iterator[None]:
    """Treat small spaces as wide ones, with ``slots_per_position`` slots for each position."""
    with (
        mock.patch.object(method, "LEAST_SLOTS", 1),
        mock.patch.object(method, "WIDE_SLOTS", 1),
        mock.patch.object(handover, "_SLOTS_A_POSITION", slots_per_position),
    ):
        yield


def with_space(kind: Any) -> Any:
    """Return a class of graph games with a space of vertices, and of players if they have turns."""

    def space(self: Any) -> Any:
        start = self.start()
        vertices = range(max(LEAST, len(self.rows)))
        return vertices if isinstance(start, int) else type(start)(vertices, range(2))

    return type(f"Spaced{kind.__name__}", (kind,), {"space": space, "__module__": __name__})


SPACED = {kind: with_space(kind) for kind in GRAPH_GAMES}
globals().update({kind.__name__: kind for kind in SPACED.values()})  # where workers find them


def spaced(games: Iterable[Any]) -> Iterator[Any]:
    """Yield graph games with a space."""
    for game in games:
        given = {field.name: getattr(game, field.name) for field in fields(game)}
        yield SPACED[type(game)](**given)


@dataclass(frozen=True)
class LevelGame(VertexGame):
    """A token on a graph whose vertices have levels, moved by either player in turn."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]

    def space(self) -> range:
        return range(max(LEAST, len(self.rows)))


@dataclass(frozen=True)
class OwnedLevelGame(OwnedGame):
    """A game with levels in which the owner of a vertex moves there, so that turns repeat."""

    heights: Row

    def level(self, vertex: int) -> int:
        return self.heights[vertex]

    def space(self) -> range:
        return range(max(LEAST, len(self.rows)))


def levelled_games(seed: int, count: int, kind: Any, most: int = 40) -> Any:
    """Yield random games whose edges stay on their level or lead to higher ones, loops and all."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        n = int(rng.integers(2, most))
        heights = rng.integers(-3, int(rng.integers(-2, 5)), n)
        rows = []
        for v in range(n):
            within = np.flatnonzero(heights >= heights[v])
            rows.append(tuple(rng.choice(within, int(rng.integers(0, 5))).tolist()))
        endings = rng.choice([OPEN] * int(rng.integers(3, 15)) + [-1, 0, 1], n)
        owned = {"owners": tuple(rng.integers(0, 2, n).tolist())} if kind is OwnedLevelGame else {}
        yield kind(
            **owned,
            rows=tuple(rows),
            endings=tuple(endings.tolist()),
            roots=tuple(rng.integers(0, n, int(rng.integers(1, 6))).tolist()),
            heights=tuple(heights.tolist()),
        )


class Pebbles(NamedTuple):
    """Two players' pebbles on a ring, one bit a cell."""

    mine: int
    theirs: int


@dataclass(frozen=True)
class Ring(Game):
    """Step a pebble to the next free cell either way; a player who cannot move has lost.

    Stepping onto the other's last pebble is not possible; a player whose pebbles stand side by
    side has won. It goes round for ever if both like.
    """

    cells: int
    pebbles: int

    def start(self):
        apart = sum(1 << 2 * n for n in range(self.pebbles))
        return Pebbles(apart, apart << 2 * self.pebbles + 1)

    def outcome(self, p):
        around = p.theirs | p.theirs << self.cells
        if around & around >> 1 and self.pebbles > 1:
            return LOSS

    def moves(self, p):
        free = ~(p.mine | p.theirs)
        for cell in range(self.cells):
            if p.mine >> cell & 1:
                for step in (1, self.cells - 1, 3):
                    if free >> (cell + step) % self.cells & 1:
                        yield cell, (cell + step) % self.cells

    def play(self, p, move):
        here, there = move
        return Pebbles(p.theirs, p.mine & ~(1 << here) | 1 << there)

    def space(self):
        return Disjoint(self.cells, (self.pebbles, self.pebbles))


class FreeRing(Ring):
    """A ring whose space has any number of pebbles."""

    def space(self):
        return Disjoint(self.cells)


class LooseRing(Ring):
    """A ring whose space lets the players' pebbles overlap."""

    def space(self):
        return Pebbles(Subsets(self.cells, self.pebbles), Subsets(range(self.cells)))


class ShortSpace(Ring):
    """A ring whose space lacks one of the cells."""

    def space(self):
        return Disjoint([cell for cell in range(self.cells) if cell != 4])


class Men(NamedTuple):
    """Two squares and whose turn it is."""

    hunter: int
    hare: int
    turn: int


@dataclass(frozen=True)
class Hunt(Game):
    """On a ring with a chord the hunter catches the hare, or does not; every placement is legal."""

    size: int

    def start(self):
        return Men(0, self.size // 2, 0)

    def turn(self, p):
        return p.turn

    def legal(self, p):
        return not (p.turn == 1 and p.hare == 3)

    def moves(self, p):
        here, other = (p.hunter, p.hare) if p.turn == 0 else (p.hare, p.hunter)
        for there in (here + 1) % self.size, (here - 1) % self.size:
            if there != other and not (p.turn == 0 and p.hare == 3):
                yield there

    def play(self, p, there):
        if p.turn == 0:
            return Men(there, p.hare, 1)
        return Men(p.hunter, there, 0)

    def space(self):
        men = Squares(self.size)
        return Men(men, men, range(2))


class IllegalTargets(Hunt):
    """A game whose moves lead to positions that ``legal`` refuses."""

    def legal(self, p):
        return p.hunter < 5


class IllegalStart(Hunt):
    """A game whose start is not legal."""

    def legal(self, p):
        return p.turn == 1
