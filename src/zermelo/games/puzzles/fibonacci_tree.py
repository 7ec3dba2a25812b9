"""The Fibonacci tree, LeetCode 2005."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from zermelo.drawing import FIRST, MARGIN, clickable, document
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import LEETCODE

#: The distance between nodes in the picture.
STEP = 26


@dataclass(frozen=True)
class FibonacciTree(Game):
    """Remove a node and all below it; whoever has to remove the root loses.

    The tree of order 0 has no node, that of order 1 has one, and that of order n has a root with
    the trees of order n - 2 and n - 1 below it. Nodes are numbered from the root, 0, each before
    those below it.

    Attributes:
        n: the order of the tree.
    """

    n: int = 5

    players = ("Alice", "Bob")

    facts = (
        Fact({"n": 1}, "loss", source=LEETCODE.format(2005)),
        Fact({"n": 2}, "win", source=LEETCODE.format(2005)),
        Fact({"n": 3}, "win", source=LEETCODE.format(2005)),
    )

    @cached_property
    def nodes(self) -> list[tuple[int, int, int]]:
        """The number of nodes in each node's subtree, its depth, and its parent."""

        def tree(n: int, root: int, depth: int, parent: int) -> list[tuple[int, int, int]]:
            if n == 0:
                return []
            left = tree(n - 2, root + 1, depth + 1, root) if n > 1 else []
            right = tree(n - 1, root + 1 + len(left), depth + 1, root) if n > 1 else []
            return [(1 + len(left) + len(right), depth, parent), *left, *right]

        return tree(self.n, 0, 0, -1)

    @cached_property
    def below(self) -> list[int]:
        """The bits of each node and of all nodes below it."""
        return [((1 << node[0]) - 1) << place for place, node in enumerate(self.nodes)]

    def start(self) -> int:
        """Return the whole tree, a bit for each node."""
        return self.below[0]

    def moves(self, tree: int) -> Iterator[int]:
        """Yield each node but the root."""
        for node in range(1, len(self.below)):
            if tree >> node & 1:
                yield node

    def play(self, tree: int, node: int) -> int:
        """Return the tree without a node and all nodes below it."""
        return tree & ~self.below[node]

    def split(self, tree: int) -> Iterator[int]:
        """Yield the root with each of the two trees below it."""
        for node, (_, depth, _) in enumerate(self.nodes):
            if depth == 1 and tree >> node & 1:
                yield 1 | tree & self.below[node]

    def space(self) -> range:
        """Return the range of a position."""
        return range(1 << len(self.below))

    def validate(self) -> None:
        """Raise ParameterError unless there is a tree that fits a position."""
        check_number("n", self.n, 1, 8)

    def show(self, tree: int) -> str:
        """Return the numbers of the nodes that are left."""
        return " ".join(str(node) for node in range(len(self.below)) if tree >> node & 1)

    def svg(self, tree: int) -> str:
        """Draw the nodes that are left, the root on top."""
        spots = []
        for node, (size, depth, _) in enumerate(self.nodes):
            left = self.nodes[node + 1][0] if size > 2 else 0  # both subtrees
            column = node - depth + left  # in the order from left to right
            spots.append((MARGIN + STEP * (column + 0.5), MARGIN + STEP * (1.5 * depth + 0.5)))
        parts = []
        for node, (x, y) in enumerate(spots):
            if tree >> node & 1:
                if node:
                    u, v = spots[self.nodes[node][2]]
                    parts.append(f'<path opacity=".6" d="M{x} {y}L{u} {v}"/>')
                parts.append(f'<circle cx="{x}" cy="{y}" r="8" style="fill:{FIRST}"/>')
                name = self.name(node) if node else ""
                parts.append(clickable(name, x - STEP / 2, y - STEP / 2, STEP, STEP))
        picture = (2 * MARGIN + STEP * len(spots), 2 * MARGIN + STEP * (1.5 * self.n + 0.5))
        return document(parts, picture, title=self.show(tree))

    def name(self, node: int) -> str:
        """Return a move in words, such as ``node 3``."""
        return f"node {node}"

    def parse(self, text: str) -> int:
        """Read the numbers of nodes as ``show`` writes them."""
        words = text.split()
        numbers = [str(node) for node in range(len(self.below))]
        tree = sum(1 << node for node, word in enumerate(numbers) if word in words)
        whole = all(
            not tree >> node & 1 or tree >> max(0, self.nodes[node][2]) & 1
            for node in range(len(numbers))
        )
        if not set(words) <= set(numbers) or not tree & 1 or not whole:
            message = (
                f"{text!r} is not what is left of the tree; write 0, which is the root, and nodes "
                "whose parents are there"
            )
            raise PositionError(message)
        return tree
