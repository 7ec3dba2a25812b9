"""Games of tokens in which the players have different moves, and which may come apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from zermelo import Game, put


class Tokens(NamedTuple):
    """The nodes that tokens are on, 0 where there is none, and the player to move."""

    on: tuple[int, int, int]
    turn: int


@dataclass(frozen=True)
class PartizanTokens(Game):
    """Tokens on a graph: a move moves one to a lower node, and may leave a second one there.

    Attributes:
        left: the moves of player 0 from each node: one node + 256 * another, each 0 for none.
        right: those of player 1.
        roots: the nodes of the first two tokens.
    """

    left: tuple[tuple[int, ...], ...]
    right: tuple[tuple[int, ...], ...]
    roots: tuple[int, int]

    def start(self) -> Tokens:
        return Tokens((self.roots[0], self.roots[1], 0), 0)

    def turn(self, at: Tokens) -> int:
        return at.turn

    def moves(self, at: Tokens) -> Iterator[tuple[int, int]]:
        for i in range(3):
            if at.on[i]:
                if at.turn == 0:
                    for to in self.left[at.on[i]]:
                        yield i, to
                else:
                    for to in self.right[at.on[i]]:
                        yield i, to

    def play(self, at: Tokens, move: tuple[int, int]) -> Tokens:
        i, to = move
        on = put(at.on, i, to & 255)
        if to >> 8:
            for j in range(3):
                if on[j] == 0 and j != i:
                    return Tokens(put(on, j, to >> 8), 1 - at.turn)
        return Tokens(on, 1 - at.turn)


class SplitTokens(PartizanTokens):
    """The same with each token as a component."""

    def split(self, at: Tokens) -> Iterator[Tokens]:
        for node in at.on:
            if node:
                yield Tokens((node, 0, 0), at.turn)


class KeepingTokens(SplitTokens):
    """The same, but that a player who takes a token away moves again."""

    def play(self, at: Tokens, move: tuple[int, int]) -> Tokens:
        i, to = move
        keeps = to == 0
        on = put(at.on, i, to & 255)
        if to >> 8:
            for j in range(3):
                if on[j] == 0 and j != i:
                    return Tokens(put(on, j, to >> 8), 1 - at.turn)
        return Tokens(on, at.turn if keeps else 1 - at.turn)


class ForgetfulTokens(PartizanTokens):
    """The same with a false declaration: only the first token counts."""

    def split(self, at: Tokens) -> Iterator[Tokens]:
        yield Tokens((at.on[0], 0, 0), at.turn)


def random_graphs(random: Random) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the moves of both players on a random graph of up to seven nodes, without cycles.

    Only the two highest nodes leave a token behind, on a lower node, so that there are never more
    than three tokens.
    """
    nodes = random.randint(2, 6)
    sides = []
    for _ in range(2):
        rows: list[tuple[int, ...]] = [()]
        for node in range(1, nodes + 1):
            row = []
            for _ in range(random.randint(0, 3)):
                target = random.randrange(node)
                leaves = node == nodes > 2 and target > 0 and random.random() < 0.5
                row.append(target + 256 * random.randint(1, nodes - 1) * leaves)
            rows.append(tuple(row))
        sides.append(tuple(rows))
    return tuple(sides)


def random_tokens(random: Random, kind: type[PartizanTokens] = PartizanTokens) -> PartizanTokens:
    """Return a random game of two tokens, the first of which may leave a third."""
    left, right = random_graphs(random)
    nodes = len(left) - 1
    return kind(left, right, (nodes, random.randint(1, max(1, nodes - 1))))


class Coloured(NamedTuple):
    """The nodes that the player to move has coloured, and the other player's, as bit sets."""

    mine: int
    theirs: int


@dataclass(frozen=True)
class GraphCol(Game):
    """Col on a graph: players colour nodes, none beside a node of their own.

    Attributes:
        graph: the neighbours of each node, as a bit set.
    """

    graph: tuple[int, ...]

    def start(self) -> Coloured:
        return Coloured(0, 0)

    def moves(self, p: Coloured) -> Iterator[int]:
        for node, around in enumerate(self.graph):
            if not ((p.mine | p.theirs) >> node & 1 or p.mine & around):
                yield node

    def play(self, p: Coloured, node: int) -> Coloured:
        return Coloured(p.theirs, p.mine | 1 << node)

    def pass_turn(self, p: Coloured) -> Coloured:
        return Coloured(p.theirs, p.mine)
