"""The rules of an explicit graph: its vertices are positions, its edges moves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import drawing
from zermelo.errors import PositionError, RulesError
from zermelo.forms.quantities import count_phrase
from zermelo.graph import names
from zermelo.values.outcomes import Outcome

if TYPE_CHECKING:
    from zermelo._engine.table import Table
    from zermelo._methods.explicit.graph_source import GraphSource
    from zermelo.values.kind import Kind

_OUTCOMES = (-1, 0, 1)
#: The most vertices of a picture.
_MOST_VERTICES = 24


class GraphRules:
    """A graph as rules: a position is a vertex, and a move the vertex that an edge leads to.

    See ``RulesView``.

    Attributes:
        named: whether vertices have names other than their numbers.
    """

    name = "graph"
    summary = "A graph given by its vertices and edges."
    players = ("first", "second")
    plies_per_move = 1

    def __init__(
        self, source: GraphSource, table: Table, read_names: Callable[[], Sequence[Hashable]] | None
    ) -> None:
        """Store the edges of a graph.

        Args:
            source: the edges.
            table: the player to move at each vertex.
            read_names: returns the names of its vertices; None if they have none.
        """
        self._source, self._table = source, table
        self._read_names = read_names
        self.named = read_names is not None
        self.alternate = not table.column.turns
        self.kind: Kind = table.kind

    @property
    def parameters(self) -> dict[str, Any]:
        """The size of the graph."""
        return {"vertices": self._source.vertices, "edges": self._source.edges}

    @property
    def title(self) -> str:
        """The name of the graph, with its size."""
        return f"Graph, {count_phrase(self._source.vertices, 'vertices')}"

    @property
    def instructions(self) -> list[str]:
        """The rules in two sentences."""
        return [self.summary, "A position is a vertex, and a move leads along an edge."]

    @property
    def description(self) -> str:
        """A description of the graph in a sentence."""
        return (
            f"a graph of {count_phrase(self._source.vertices, 'vertices')} "
            f"and {count_phrase(self._source.edges, 'edges')}"
        )

    @cached_property
    def nodes(self) -> Sequence[Hashable]:
        """The names of the vertices, if they have names; else their numbers."""
        return range(self._source.vertices) if self._read_names is None else self._read_names()

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {node: i for i, node in enumerate(self.nodes)}

    def number(self, vertex: Any) -> int:
        """Return the number of a vertex.

        Raises:
            PositionError: there is no such vertex.
        """
        if isinstance(self.nodes, range):
            try:
                place = index(vertex)
            except TypeError:
                place = -1
            if 0 <= place < len(self.nodes):
                return place
        else:
            try:
                return self._numbers[vertex]
            except (KeyError, TypeError):
                pass
        raise self.missing(vertex)

    def missing(self, vertex: Any) -> PositionError:
        """Return the error for a vertex that does not exist."""
        advice = "give a node of the graph"
        if isinstance(self.nodes, range):
            advice = f"give a number from 0 to {len(self.nodes) - 1}"
        return PositionError(f"{vertex!r} is not a vertex; {advice}")

    def owner(self, position: Any) -> int:
        """Return the player to move; 0 if vertices have no owners."""
        return int(self._table.owners(np.array([self.number(position)]))[0])

    def is_chance(self, position: Any) -> bool:  # noqa: ARG002  # there is none
        """Return False: chance never decides."""
        return False

    def keeps_turn(self, position: Any, move: Any, child: Any) -> bool:  # noqa: ARG002  # turns tell
        """Return whether the same player is to move after a move."""
        return not self.alternate and self.owner(position) == self.owner(child)

    def terminal(self, position: Any) -> Outcome | None:
        """Return the given outcome of a vertex, or None."""
        place = self.number(position)
        outcome = int(self._source.outcomes(place, place + 1)[0])
        return Outcome(outcome) if outcome in _OUTCOMES else None

    def moves(self, position: Any) -> list[Any]:
        """Return the targets of a vertex's edges, in their order."""
        if self.terminal(position) is not None:
            return []
        place = self.number(position)
        begin, end = self._source.first(place, place + 1).tolist()
        return [self.nodes[target] for target in self._source.targets(begin, end).tolist()]

    def play(self, position: Any, move: Any) -> Any:  # noqa: ARG002  # an edge is its target
        """Return the vertex that a move leads to."""
        return move

    def pass_turn(self, position: Any) -> Any:
        """Raise an error: the edges do not determine such a vertex.

        Raises:
            RulesError: always.
        """
        message = (
            f"a graph does not say which vertex {position!r} is with the other player to move; ask "
            "about both"
        )
        raise RulesError(message)

    def canonical(self, position: Any) -> Any:
        """Return the vertex itself: no two vertices are equivalent."""
        return position

    def gain(self, position: Any, move: Any) -> int:  # noqa: ARG002  # no points are won
        """Return 0: there are no points."""
        return 0

    def endless_worth(self, position: Any) -> int:  # noqa: ARG002  # there are none
        """Return 0: there are no points."""
        return 0

    def final_score(self, position: Any) -> int:  # noqa: ARG002  # nor lost
        """Return 0: there are no points."""
        return 0

    def move_name(self, move: Any) -> str:
        """Return the name of the vertex that a move leads to."""
        return str(move)

    def position_text(self, position: Any) -> str:
        """Return the name of a vertex."""
        return str(position)

    def terminal_text(self, position: Any) -> str:
        """Return a position in the form that a terminal shows."""
        return self.position_text(position)

    def position_svg(self, position: Any) -> str:
        """Draw a vertex with the vertices near it, breadth first along edges."""
        vertices, queue = {position: None}, [position]
        while queue and len(vertices) < _MOST_VERTICES:
            for node in self.moves(queue.pop(0)):
                if node not in vertices and len(vertices) < _MOST_VERTICES:
                    vertices[node] = None
                    queue.append(node)
        number = {node: i for i, node in enumerate(vertices)}
        rows = [
            [number[target] for target in self.moves(node) if target in number] for node in vertices
        ]
        return drawing.graph(
            rows,
            [(0, str(position), "first")],
            title=str(position),
            directed=True,
            moves=[str(node) for node in vertices],
        )

    def parse(self, text: str) -> Any:
        """Return the vertex that a text names: by its name, by its JSON, or by its number.

        Args:
            text: such as ``"west door"``, ``"[0, 1]"`` for the name ``(0, 1)``, or ``"7"``.

        Raises:
            PositionError: there is no such vertex.
        """
        for vertex in names.possible_names(text, self.nodes):
            try:
                self.number(vertex)
            except PositionError:
                continue
            return vertex
        raise self.missing(text)
