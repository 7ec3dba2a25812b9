"""The job of solving a graph with valid arguments, in this process."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.backward.status import DESCENDS, STRANGE_OUTCOME
from zermelo._engine.column.codes import NARROW
from zermelo._engine.file.format import Digest
from zermelo._engine.table import Table
from zermelo._methods.explicit import driver as explicit
from zermelo._methods.explicit.graph_source import HeldGraph
from zermelo._methods.explicit.index import VertexCodes, VertexIndex
from zermelo.errors import ParameterError
from zermelo.graph import names
from zermelo.graph.rules import GraphRules
from zermelo.graph.solved_graph import SolvedGraph
from zermelo.solution.solve_job import Resources, SolveJob

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.file.reader import Reader
    from zermelo._methods.explicit.graph_source import Arrays
    from zermelo.values.kind import Kind


@dataclass
class GraphJob(SolveJob):
    """A graph to solve.

    Attributes:
        graph: the graph.
        kind: the kind of value of its vertices.
        nodes: the names of the vertices, or None.
        start: the vertex where the game starts, or None.
        copied: bytes of the graph that are not the caller's arrays.
        resources: see ``SolveJob``.
    """

    graph: Arrays
    kind: Kind
    nodes: Sequence[Hashable] | None
    start: Any
    copied: int
    resources: Resources

    def solve(
        self,
        workers: WorkerPool | None,  # noqa: ARG002  # it has none
        checkpoint: Checkpoint,  # noqa: ARG002  # a graph is solved again
    ) -> tuple[SolvedGraph, str, str]:
        """Solve the graph; see ``SolveJob``.

        Raises:
            ParameterError: it is not a graph.
            PositionError: the start is not a vertex.
            BudgetError: it needs more memory than is allowed.
        """
        empty_codes = VertexCodes(np.empty(0, np.int16), self.graph.owners, NARROW, self.kind)
        starts = [] if self.start is None else [self._rules(empty_codes).number(self.start)]
        try:
            values, choice = self._values()
        except explicit.InvalidVertexError as error:
            raise ParameterError(self._invalid_vertex_text(error)) from None
        table = self._table(values)
        table.starts = np.array(starts, np.int64)
        return SolvedGraph(HeldGraph(self.graph), table, self._name_reader), "explicit", choice

    def read(self, reader: Reader) -> SolvedGraph:
        """Return the solved graph of a file that a solve has written."""
        return SolvedGraph.read(reader)

    def identity(self) -> dict[str, Any]:
        """Return the facts on which checkpoints depend; see ``SolveJob``."""
        graph, digest = self.graph, Digest()
        digest.add_arrays(graph.first, graph.edges, graph.outcome, graph.owners)
        digest.add(b"" if self.nodes is None else names.encode_names(self.nodes))
        other_facts = [graph.dead_end, self.kind.favours, repr(self.start)]
        return {"graph": digest.hexdigest(), "rest": other_facts}

    @property
    def _name_reader(self) -> Any:
        return None if self.nodes is None else lambda: self.nodes

    def _table(self, values: VertexCodes) -> Table:
        index = VertexIndex(self.graph.vertices)
        return Table(index, values, np.empty(0, np.int64), "legal")

    def _rules(self, values: VertexCodes) -> GraphRules:
        return GraphRules(HeldGraph(self.graph), self._table(values), self._name_reader)

    def _values(self) -> tuple[VertexCodes, str]:
        graph, resources = self.graph, self.resources
        plan = explicit.plan(graph.vertices, len(graph.edges), self.copied, resources.ledger)
        values = explicit.solve(graph, plan, resources.threads, resources.report, self.kind)
        return values, plan.choice

    def _invalid_vertex_text(self, error: explicit.InvalidVertexError) -> str:
        """Return a sentence about an invalid vertex."""
        v, graph = error.vertex, self.graph
        if error.problem == STRANGE_OUTCOME:
            return f"outcome[{v}] is {graph.outcome[v]}; use WIN, DRAW, LOSS or NONE (2)"
        if error.problem == DESCENDS:
            pair = f"indptr[{v}] is {graph.first[v]} and indptr[{v + 1}] {graph.first[v + 1]}"
            return f"{pair}, which is less; give places that ascend"
        return f"vertex {v} has more than 2**30 edges; give fewer"
