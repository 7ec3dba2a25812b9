"""Node Kayles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.games.graphs._apart import MOST_NODES, Free, NodesApart
from zermelo.games.graphs._graph_names import graph_of

GRIDS = "OEIS A316632 (Brown et al. 2020)"
GRIDS_TOO = "OEIS A316632 (Brown et al. 2020); own enumeration"
PETERSEN = "OEIS A316533 (oeis/oeisdata)"
PETERSEN_TOO = "OEIS A316533 (oeis/oeisdata); own enumeration"


@dataclass(frozen=True)
class NodeKayles(NodesApart):
    """Players take nodes of a graph, none beside another; whoever cannot take one loses.

    A node that is taken is gone, and its neighbours with it.

    Attributes:
        graph: the neighbours of each node, in a list, a dictionary or a networkx graph; or the name
            of a graph, such as ``grid 3 4``.
    """

    graph: str | tuple[tuple[int, ...], ...] = "petersen 7 2"

    facts = (
        Fact({"graph": "grid 3 1"}, "win", nimber=2, source=GRIDS_TOO),
        Fact({"graph": "grid 3 2"}, "win", nimber=1, source=GRIDS_TOO),
        Fact({"graph": "grid 3 3"}, "win", nimber=1, source=GRIDS_TOO),
        Fact({"graph": "grid 3 5"}, "win", nimber=3, source=GRIDS_TOO),
        Fact({"graph": "grid 3 6"}, "win", nimber=3, source=GRIDS_TOO),
        Fact({"graph": "grid 3 7"}, "win", nimber=2, source=GRIDS),
        Fact({"graph": "grid 3 8"}, "win", nimber=2, source=GRIDS),
        Fact({"graph": "grid 3 9"}, "win", nimber=2, source=GRIDS),
        Fact({"graph": "grid 3 10"}, "win", nimber=3, source=GRIDS),
        Fact({"graph": "petersen 5 2"}, "win", nimber=1, source=PETERSEN_TOO),
        Fact({"graph": "petersen 6 2"}, "loss", nimber=0, source=PETERSEN_TOO),
        Fact({"graph": "petersen 7 2"}, "win", nimber=1, source=PETERSEN_TOO),
        Fact({"graph": "petersen 8 2"}, "loss", nimber=0, source=PETERSEN_TOO),
        Fact({"graph": "petersen 9 2"}, "win", nimber=1, source=PETERSEN),
        Fact({"graph": "petersen 10 2"}, "loss", nimber=0, source=PETERSEN),
        Fact({"graph": "petersen 11 2"}, "loss", nimber=0, source=PETERSEN),
        Fact({"graph": "petersen 14 2"}, "loss", nimber=0, source=PETERSEN),
        Fact({"graph": "petersen 15 2"}, "win", nimber=1, source=PETERSEN),
        Fact({"graph": "petersen 16 2"}, "loss", nimber=0, source=PETERSEN),
        Fact(
            {"graph": "grid 4 3"}, "loss", nimber=0, source="OEIS A316632 comment; own enumeration"
        ),
    )

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The neighbours of each node."""
        return graph_of(self.graph)

    @cached_property
    def grid_rows(self) -> int:
        """The number of rows if the graph is a grid by its name, or 0."""
        words = self.graph.split() if isinstance(self.graph, str) else []
        return int(words[1]) if words[:1] == ["grid"] else 0

    @cached_property
    def grid_columns(self) -> int:
        """The number of columns if the graph is a grid by its name, or 0."""
        return len(self.neighbours) // self.grid_rows if self.grid_rows else 0

    def validate(self) -> None:
        """Raise ParameterError unless the graph is one and fits."""
        count = len(graph_of(self.graph))
        if count > MOST_NODES:
            message = f"graph has {count:,} nodes; give one of at most {MOST_NODES}"
            raise ParameterError(message)

    def show(self, p: Free) -> str:
        """Return the numbers of the nodes that are left."""
        nodes = [str(node) for node in range(len(self.closed)) if self.all_nodes(p) >> node & 1]
        return f"left: {' '.join(nodes) or 'none'}"

    def svg(self, p: Free) -> str:
        """Draw the graph, the nodes that are left in colour."""
        count = len(self.closed)
        tags = [(node, "", "first") for node in range(count) if self.all_nodes(p) >> node & 1]
        names = [self.name(node) for node in range(count)]
        return drawing.graph(self.neighbours, tags, title=self.show(p), moves=names)

    def name(self, node: int) -> str:
        """Return the number of a node."""
        return str(node)

    def parse(self, text: str) -> Free:
        """Read the nodes that are left, as ``show`` writes them."""
        words = text.strip().removeprefix("left:").replace("none", "").split()
        names = {str(node) for node in range(len(self.closed))}
        wrong = next((word for word in words if word not in names), None)
        if wrong is not None:
            message = f"{text!r} has {wrong!r}, which is not a node; write it such as 'left: 0 2 5'"
            raise PositionError(message)
        return self.of_nodes(sum(1 << int(word) for word in set(words)))
