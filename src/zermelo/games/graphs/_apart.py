"""Base class of games in which players take nodes of a graph, no two of them neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.game.contract import Game
from zermelo.symmetry import Permutations, Symmetry, graph

#: The most nodes that fit a number.
MOST_NODES = 63
#: The most nodes that symmetries are made to fix if there are too many.
_MOST_FIXED = 3


class Free(NamedTuple):
    """The nodes that can still be taken.

    Attributes:
        nodes: one bit for each node.
    """

    nodes: int


class NodesApart(Game):
    """Take a node; it and its neighbours are gone. Whoever cannot take one loses.

    A subclass has the property ``neighbours``, a row of nodes for each node.
    """

    neighbours: Any

    def start(self) -> Free:
        """Return all nodes."""
        return Free((1 << len(self.closed)) - 1)

    def moves(self, p: Free) -> Iterator[int]:
        """Yield each node that is left."""
        left = p.nodes
        while left:
            yield (left & -left).bit_length() - 1
            left &= left - 1

    def play(self, p: Free, node: int) -> Free:
        """Return the nodes that are left when one is taken."""
        return Free(p.nodes & ~self.closed[node])

    def pass_turn(self, p: Free) -> Free:
        """Return the same position, as both players have the same moves."""
        return p

    def split(self, p: Free) -> Iterator[Free]:
        """Yield each connected set of nodes."""
        left = p.nodes
        while left:
            group = left & -left
            new = group
            while new:
                node = (new & -new).bit_length() - 1
                new |= self.closed[node] & left & ~group
                group |= new
                new &= ~(1 << node)
            yield Free(group)
            left &= ~group

    @cached_property
    def closed(self) -> list[int]:
        """For each node, itself and its neighbours, one bit each."""
        return [sum(1 << n for n in {node, *row}) for node, row in enumerate(self.neighbours)]

    def symmetries(self) -> Symmetry:
        """Return the symmetries of the graph, if it does not have too many."""
        return Symmetry(permutations(self.neighbours), masks=("nodes",))

    def space(self) -> Free:
        """Return the range of the field."""
        nodes: Any = range(1 << len(self.closed))
        return Free(nodes)


def permutations(neighbours: Any, colours: Any = None) -> Permutations:
    """Return symmetries of a graph: all, or if there are too many, those that fix some nodes.

    Up to three nodes are fixed, the first ones; where that does not help, only the identity is
    returned.
    """
    count = len(neighbours)
    for fixed in range(min(count, _MOST_FIXED) + 1):
        marks = [
            (min(node, fixed), None if colours is None else colours[node]) for node in range(count)
        ]
        try:
            return graph(neighbours, marks)
        except RulesError:
            continue
    return (tuple(range(count)),)
