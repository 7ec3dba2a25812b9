"""Base class of games in which players take nodes of a graph, no two of them neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.game.contract import Game
from zermelo.symmetry import Permutations, Symmetry, graph

#: The nodes that fit a number.
WORD = 63
#: The most nodes that fit the two numbers of a position.
MOST_NODES = 2 * WORD
#: The most nodes that symmetries are made to fix if there are too many.
_MOST_FIXED = 3
#: The most symmetries of a graph for which a set of nodes is turned by each of them.
_MOST_IMAGES = 16


class Free(NamedTuple):
    """The nodes that can still be taken.

    Attributes:
        nodes: one bit for each of the first 63 nodes.
        more: one bit for each further node.
    """

    nodes: int
    more: int = 0


class NodesApart(Game):
    """Take a node; it and its neighbours are gone. Whoever cannot take one loses.

    A subclass has the property ``neighbours``, a row of nodes for each node. If the graph is a
    grid, ``grid_rows`` and ``grid_columns`` are not 0, nodes are numbered row by row, and a part of
    the grid is worth the same wherever it lies.
    """

    neighbours: Any
    grid_rows: Any = 0
    grid_columns: Any = 0

    def start(self) -> Free:
        """Return all nodes."""
        count = len(self.closed)
        return Free((1 << min(count, WORD)) - 1, (1 << max(count - WORD, 0)) - 1)

    def moves(self, p: Free) -> Iterator[int]:
        """Yield each node that is left."""
        left = p.nodes
        while left:
            yield (left & -left).bit_length() - 1
            left &= left - 1
        left = p.more
        while left:
            yield WORD + (left & -left).bit_length() - 1
            left &= left - 1

    def play(self, p: Free, node: int) -> Free:
        """Return the nodes that are left when one is taken."""
        return Free(p.nodes & ~self.closed[node], p.more & ~self.closed_more[node])

    def pass_turn(self, p: Free) -> Free:
        """Return the same position, as both players have the same moves."""
        return p

    def split(self, p: Free) -> Iterator[Free]:
        """Yield each connected set of nodes, in its normal form."""
        left, more = p.nodes, p.more
        while left | more:
            group = left & -left
            further = more & -more if left == 0 else 0
            new, new_more = group, further
            while new | new_more:
                if new:
                    node = (new & -new).bit_length() - 1
                    new &= new - 1
                else:
                    node = WORD + (new_more & -new_more).bit_length() - 1
                    new_more &= new_more - 1
                found = self.closed[node] & left & ~group
                found_more = self.closed_more[node] & more & ~further
                group, new = group | found, new | found
                further, new_more = further | found_more, new_more | found_more
            yield self.normal(group, further)
            left &= ~group
            more &= ~further

    def normal(self, nodes: int, more: int) -> Free:
        """Return the least image of a set of nodes; on a grid, as far up and left as it may go.

        Symmetries are used here where ``symmetries`` declares none.
        """
        least = self.shifted(nodes, more)
        for number in range(len(self.images) - 1):
            image = self.images[number]
            turned, turned_more = 0, 0
            left = nodes
            while left:
                node = image[(left & -left).bit_length() - 1]
                left &= left - 1
                if node < WORD:
                    turned |= 1 << node
                else:
                    turned_more |= 1 << node - WORD
            left = more
            while left:
                node = image[WORD + (left & -left).bit_length() - 1]
                left &= left - 1
                if node < WORD:
                    turned |= 1 << node
                else:
                    turned_more |= 1 << node - WORD
            shifted = self.shifted(turned, turned_more)
            if shifted.more < least.more or (
                shifted.more == least.more and shifted.nodes < least.nodes
            ):
                least = shifted
        return least

    def shifted(self, nodes: int, more: int) -> Free:
        """Return a part of a grid at the top left; a set of nodes of another graph stays."""
        if self.grid_columns:
            top = (1 << self.grid_columns) - 1
            while not nodes & top:
                nodes = nodes >> self.grid_columns | (more & top) << WORD - self.grid_columns
                more >>= self.grid_columns
            while not (nodes & self.left_side | more & self.left_side_more):
                nodes = nodes >> 1 | (more & 1) << WORD - 1
                more >>= 1
        return Free(nodes, more)

    @cached_property
    def closed(self) -> list[int]:
        """For each node, itself and its neighbours among the first 63, one bit each."""
        return [nodes & (1 << WORD) - 1 for nodes in self._closed]

    @cached_property
    def closed_more(self) -> list[int]:
        """For each node, itself and its neighbours among the further ones, one bit each."""
        return [nodes >> WORD for nodes in self._closed]

    @property
    def _closed(self) -> list[int]:
        return [sum(1 << n for n in {node, *row}) for node, row in enumerate(self.neighbours)]

    @cached_property
    def left_side(self) -> int:
        """The first column of a grid, among the first 63 nodes."""
        return self._left & (1 << WORD) - 1

    @cached_property
    def left_side_more(self) -> int:
        """The first column of a grid, among the further nodes."""
        return self._left >> WORD

    @property
    def _left(self) -> int:
        return sum(1 << row * self.grid_columns for row in range(self.grid_rows))

    @cached_property
    def images(self) -> Permutations:
        """The symmetries that ``normal`` uses: of grids, and of graphs of more than 63 nodes.

        The identity is the last. A graph with more symmetries than a few has that alone.
        """
        identity = tuple(range(len(self.neighbours)))
        if self.grid_columns or len(self.neighbours) > WORD:
            others = [image for image in permutations(self.neighbours) if image != identity]
            if len(others) < _MOST_IMAGES:
                return (*others, identity)
        return (identity,)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries of a graph of at most 63 nodes, if it does not have too many."""
        if len(self.neighbours) > WORD:
            return ()  # one would have to move bits from one number to the other
        return (Symmetry(permutations(self.neighbours), masks=("nodes",)),)

    def space(self) -> Free:
        """Return the range of each field."""
        count = len(self.neighbours)
        nodes: Any = range(1 << min(count, WORD))
        more: Any = range(1 << max(count - WORD, 0))
        return Free(nodes, more)

    def all_nodes(self, p: Free) -> int:
        """Return the nodes that are left in one number, which rules cannot hold."""
        return p.nodes | p.more << WORD

    def of_nodes(self, nodes: int) -> Free:
        """Return the position with some nodes left."""
        return Free(nodes & (1 << WORD) - 1, nodes >> WORD)


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
