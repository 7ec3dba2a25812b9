"""Cat Herding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.graphs._apart import permutations
from zermelo.games.graphs._graph_names import graph_of
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

CAT, HERDER = 0, 1
#: The most nodes and edges together that fit a number.
MOST_CELLS = 62
NOT_PLACED = "not placed"


class Herded(NamedTuple):
    """The part of the graph that the cat can reach, the cat's node, and the side to move.

    Attributes:
        left: the nodes and edges that the cat can reach, one bit each: first the nodes, then the
            edges in ascending order; all of them before the cat has chosen its node.
        cat: the node of the cat, or the number of all nodes and edges before it has chosen one.
        side: 0 if the cat is to move, 1 if the herder is.
    """

    left: int
    cat: int
    side: int


@dataclass(frozen=True)
class CatHerding(Game):
    """A herder cuts one edge a turn until the cat is alone; the cat runs to any node it can reach.

    First the cat chooses a node. Then the herder cuts an edge, and the cat runs along edges that
    are left, as far as it likes, to another node; and so on in turn. The herder wins when no edge
    is left at the cat's node, which always happens: the question is how soon. The number of cuts
    is the cat number of the graph, half of the plies.

    Attributes:
        graph: the neighbours of each node, in a list, a dictionary or a networkx graph; or the name
            of a graph, such as ``grid 3 4``.
    """

    graph: str | tuple[tuple[int, ...], ...] = "grid 3 3"

    players = ("cat", "herder")

    facts = (
        Fact({"graph": "complete 4"}, "loss", 10, source=ENUMERATED),
        Fact({"graph": "complete 6"}, "loss", 22, source=ENUMERATED),
        Fact({"graph": "grid 2 4"}, "loss", 10, source=ENUMERATED),
        Fact({"graph": "grid 3 3"}, "loss", 14, source=ENUMERATED),
        Fact({"graph": "petersen"}, "loss", 16, checked=False, source=ENUMERATED),
    )

    def start(self) -> Herded:
        """Return the whole graph, on which the cat has not chosen a node."""
        return Herded((1 << self.cells) - 1, self.cells, CAT)

    def turn(self, p: Herded) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Herded) -> Outcome | None:
        """Return the herder's win if no edge is left at the cat's node."""
        if p.cat < self.cells and p.left == 1 << p.cat:
            return WIN if p.side == HERDER else LOSS
        return None

    def moves(self, p: Herded) -> Iterator[int]:
        """Yield each node that the cat can run to, or each edge that the herder can cut."""
        first, last = (0, self.nodes) if p.side == CAT else (self.nodes, self.cells)
        for cell in range(first, last):
            if p.left >> cell & 1 and cell != p.cat:
                yield cell

    def play(self, p: Herded, cell: int) -> Herded:
        """Return the part that the cat can reach after a move."""
        if p.side == HERDER:
            return Herded(self.reached(p.left & ~(1 << cell), p.cat), p.cat, CAT)
        left = self.reached(p.left, cell) if p.cat == self.cells else p.left
        return Herded(left, cell, HERDER)

    def reached(self, left: int, cat: int) -> int:
        """Return the nodes and edges that the cat can reach along the edges that are left."""
        found = new = 1 << cat
        while new:
            node = (new & -new).bit_length() - 1
            new &= new - 1
            for edge in self.edges_at[node]:
                if left >> edge & 1:
                    others = self.ends[edge - self.nodes] & ~found
                    found |= others | 1 << edge
                    new |= others
        return found

    def level(self, p: Herded) -> int:
        """Return the number of edges that the cat can no longer reach."""
        return self.cells - self.nodes - (p.left >> self.nodes).bit_count()

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each node."""
        return graph_of(self.graph)

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """The two nodes of each edge, the smaller first, in ascending order."""
        pairs = ((node, other) for node, row in enumerate(self.neighbours) for other in row)
        return sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})

    @cached_property
    def nodes(self) -> int:
        """The number of nodes, and the bit of the first edge."""
        return len(self.neighbours)

    @cached_property
    def cells(self) -> int:
        """The number of nodes and edges."""
        return len(self.neighbours) + len(self.edges)

    @cached_property
    def ends(self) -> list[int]:
        """The two nodes of each edge, one bit each."""
        return [1 << first | 1 << second for first, second in self.edges]

    @cached_property
    def edges_at(self) -> list[list[int]]:
        """The bits of the edges at each node."""
        return [
            [self.nodes + n for n, edge in enumerate(self.edges) if node in edge]
            for node in range(self.nodes)
        ]

    def symmetries(self) -> Symmetry:
        """Return symmetries of the graph, which move edges with their nodes."""
        bits = {edge: self.nodes + n for n, edge in enumerate(self.edges)}
        cells = [
            (*new, *(bits[min(new[a], new[b]), max(new[a], new[b])] for a, b in self.edges))
            for new in permutations(self.neighbours)
        ]
        return Symmetry(tuple(cells), masks=("left",), squares=("cat",))

    def space(self) -> Herded:
        """Return the range of each field."""
        left: Any = range(1 << self.cells)
        cat: Any = range(self.cells + 1)
        side: Any = range(2)
        return Herded(left, cat, side)

    def validate(self) -> None:
        """Raise ParameterError unless the graph is one and fits."""
        graph_of(self.graph)
        if self.cells > MOST_CELLS:
            message = (
                f"graph has {self.nodes:,} nodes and {len(self.edges):,} edges; give one of at "
                f"most {MOST_CELLS} together"
            )
            raise ParameterError(message)

    def show(self, p: Herded) -> str:
        """Return the cat's node, the edges that it can reach, and the turn."""
        cat = NOT_PLACED if p.cat == self.cells else f"at {p.cat}"
        edges = [self.name(self.nodes + n) for n in range(len(self.edges)) if self.has_edge(p, n)]
        return f"cat {cat}, left: {' '.join(edges) or 'none'}, {self.players[p.side]} to move"

    def has_edge(self, p: Herded, number: int) -> bool:
        """Return whether the cat can reach an edge."""
        return bool(p.left >> self.nodes + number & 1)

    def svg(self, p: Herded) -> str:
        """Draw the graph, without the edges that the cat can no longer reach."""
        tags = [(p.cat, "cat", "first")] if p.cat < self.cells else []
        gone = [edge for n, edge in enumerate(self.edges) if not self.has_edge(p, n)]
        names = [self.name(node) for node in range(self.nodes)]
        return drawing.graph(self.neighbours, tags, title=self.show(p), moves=names, gone=gone)

    def name(self, cell: int) -> str:
        """Return the number of a node, or both nodes of an edge, such as ``2-5``."""
        if cell < self.nodes:
            return str(cell)
        first, second = self.edges[cell - self.nodes]
        return f"{first}-{second}"

    def parse(self, text: str) -> Herded:
        """Read a position as ``show`` writes it."""
        cells = {self.name(cell): cell for cell in range(self.cells)}
        place, *more = (part.strip() for part in text.split(","))
        edges = more[0].removeprefix("left:").replace("none", "").split() if more else []
        cat = self.cells
        node = place.removeprefix("cat").strip()
        words = edges
        if node != NOT_PLACED:
            node = node.removeprefix("at").strip()
            words = [node, *edges]
        wrong = next((word for word in words if word not in cells), None)
        side = more[1].removesuffix("to move").strip() if len(more) > 1 else ""
        if wrong is not None or side not in self.players or (cells.get(node, 0) >= self.nodes):
            example = f"cat {NOT_PLACED}, left: {self.name(self.cells - 1)}, cat to move"
            message = f"{text!r} is not a position; write it such as {example!r}"
            raise PositionError(message)
        left = sum(1 << cells[edge] for edge in set(edges))
        if node == NOT_PLACED:
            return Herded(left | (1 << self.nodes) - 1, cat, CAT)
        return Herded(self.reached(left, cells[node]), cells[node], self.players.index(side))
