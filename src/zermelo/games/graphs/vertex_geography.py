"""Vertex geography."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.graphs._apart import permutations
from zermelo.games.graphs._graph_names import graph_of
from zermelo.symmetry import Symmetry

#: The most nodes that fit a number.
MOST_NODES = 62


class Journey(NamedTuple):
    """The token's node, and the nodes that it has not visited.

    Attributes:
        node: the node under the token.
        left: the nodes that have not been visited, one bit each.
    """

    node: int
    left: int


@dataclass(frozen=True)
class VertexGeography(Game):
    """Players move one token along edges, never to a node again; whoever cannot move loses.

    Attributes:
        graph: the neighbours of each node, in a list, a dictionary or a networkx graph; or the name
            of a graph, such as ``grid 3 4``.
        begin: the node on which the token stands at the start.
    """

    graph: str | tuple[tuple[int, ...], ...] = "grid 4 5"
    begin: int = 0

    facts = (
        Fact(
            {"graph": "grid 3 3", "begin": 0},
            "loss",
            8,
            positions=75,
            win=36,
            loss=39,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "grid 3 3", "begin": 1},
            "win",
            5,
            positions=69,
            win=26,
            loss=43,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "grid 3 4", "begin": 0},
            "win",
            9,
            positions=277,
            win=131,
            loss=146,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "grid 4 5", "begin": 0},
            "win",
            13,
            positions=9571,
            win=4626,
            loss=4945,
            source=ENUMERATED,
        ),
        Fact(
            {"graph": "petersen 5 2", "begin": 0},
            "win",
            9,
            positions=238,
            win=121,
            loss=117,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Journey:
        """Return the token on its first node."""
        return Journey(self.begin, (1 << len(self.neighbours)) - 1 & ~(1 << self.begin))

    def moves(self, p: Journey) -> Iterator[int]:
        """Yield each neighbour that has not been visited."""
        for node in self.neighbours[p.node]:
            if p.left >> node & 1:
                yield node

    def play(self, p: Journey, node: int) -> Journey:
        """Return the token on the node."""
        return Journey(node, p.left & ~(1 << node))

    def pass_turn(self, p: Journey) -> Journey:
        """Return the same position, as both players have the same moves."""
        return p

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each node."""
        return graph_of(self.graph)

    def symmetries(self) -> Symmetry:
        """Return the symmetries of the graph, if it does not have too many."""
        return Symmetry(permutations(self.neighbours), masks=("left",), squares=("node",))

    def space(self) -> Journey:
        """Return the range of each field."""
        count = len(self.neighbours)
        node: Any = range(count)
        left: Any = range(1 << count)
        return Journey(node, left)

    def validate(self) -> None:
        """Raise ParameterError unless the graph is one, fits, and has the first node."""
        count = len(graph_of(self.graph))
        if count > MOST_NODES:
            message = f"graph has {count:,} nodes; give one of at most {MOST_NODES}"
            raise ParameterError(message)
        check_number("begin", self.begin, 0, count - 1)

    def show(self, p: Journey) -> str:
        """Return the token's node and the nodes that have not been visited."""
        nodes = [str(node) for node in range(len(self.neighbours)) if p.left >> node & 1]
        return f"at {p.node}, left: {' '.join(nodes) or 'none'}"

    def svg(self, p: Journey) -> str:
        """Draw the graph, the token's node and the nodes not visited in colour."""
        count = len(self.neighbours)
        tags = [(node, "", "first") for node in range(count) if p.left >> node & 1]
        tags.append((p.node, "token", "second"))
        names = [self.name(node) for node in range(count)]
        return drawing.graph(self.neighbours, tags, title=self.show(p), moves=names)

    def name(self, node: int) -> str:
        """Return the number of the node that the token moves to."""
        return str(node)

    def parse(self, text: str) -> Journey:
        """Read a position as ``show`` writes it."""
        place_text, _, left_text = text.partition(",")
        words = left_text.replace("left:", "").replace("none", "").split()
        current = place_text.replace("at", "").strip()
        names = {str(node) for node in range(len(self.neighbours))}
        wrong = next((word for word in (current, *words) if word not in names), None)
        if wrong is not None:
            message = f"{text!r} has {wrong!r} for a node; write it such as 'at 0, left: 1 2 5'"
            raise PositionError(message)
        return Journey(int(current), sum(1 << int(word) for word in set(words)))
