"""Sums by brute force: a product game for the oracle, and small games to add at random.

The oracle shares nothing with ``zermelo.sums``: a sum is a game like any other, whose positions are
tuples, and who moves in one part hands the turn over in the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from zermelo import Game

LOSS = -1


class At(NamedTuple):
    """A node, and whose turn it is."""

    node: int
    turn: int


@dataclass(frozen=True)
class Token(Game):
    """A token on a graph, whose edges are some for one player and some for the other."""

    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]

    def start(self):
        return At(0, 0)

    def turn(self, at):
        return at.turn

    def moves(self, at):
        if at.turn == 0:
            for node in self.left[at.node]:
                yield node
        else:
            for node in self.right[at.node]:
                yield node

    def play(self, at, node):
        return At(node, 1 - at.turn)


@dataclass(frozen=True)
class Mirrored(Game):
    """The same, where a position is told as the player to move sees it."""

    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]

    def start(self):
        return At(0, 0)

    def moves(self, at):
        if at.turn == 0:
            for node in self.left[at.node]:
                yield node
        else:
            for node in self.right[at.node]:
                yield node

    def play(self, at, node):
        return At(node, 1 - at.turn)

    def pass_turn(self, at):
        return At(at.node, 1 - at.turn)


@dataclass(frozen=True)
class Shared(Game):
    """A token on a graph, whose edges are for both players."""

    graph: tuple[tuple[int, ...], ...]

    def start(self):
        return 0

    def moves(self, node):
        for there in self.graph[node]:
            yield there

    def play(self, node, there):
        return there


def passed(game: Any, position: Any) -> Any:
    """Return a position with the other player to move."""
    return position if isinstance(game, Shared) else At(position.node, 1 - position.turn)


class Product:
    """A sum as one game, for the oracle."""

    def __init__(self, games: list[Any], no_moves: int = LOSS) -> None:
        """Add games."""
        self.games = games
        self.no_moves = no_moves

    def start(self) -> Any:
        return tuple(game.start() for game in self.games)

    def moves(self, position: Any) -> Iterator[Any]:
        for i, (game, at) in enumerate(zip(self.games, position, strict=True)):
            for move in game.moves(at):
                yield i, move

    def play(self, position: Any, move: Any) -> Any:
        component, inner_move = move
        return tuple(
            game.play(at, inner_move) if i == component else passed(game, at)
            for i, (game, at) in enumerate(zip(self.games, position, strict=True))
        )

    def passed(self, position: Any) -> Any:
        """Return a position with the other player to move."""
        return tuple(passed(game, at) for game, at in zip(self.games, position, strict=True))


class Both(Product):
    """The same, with either player to begin."""

    def starts(self) -> Any:
        return [self.start(), self.passed(self.start())]


def rows(random: Random, nodes: int, *, cycles: bool) -> tuple[tuple[int, ...], ...]:
    """Return a random graph, with loops and edges that are there twice, or without any cycle."""
    result = []
    for node in range(nodes):
        targets = range(nodes) if cycles else range(node + 1, nodes)
        count = random.randrange(3) if targets else 0
        result.append(tuple(random.choice(targets) for _ in range(count)))
    return tuple(result)


def some_game(random: Random, kinds: tuple[Any, ...], *, cycles: bool) -> Any:
    """Return a random small game of one of several classes."""
    kind, nodes = random.choice(kinds), random.randrange(1, 6)
    graphs = [rows(random, nodes, cycles=cycles) for _ in range(1 if kind is Shared else 2)]
    return kind(*graphs)
