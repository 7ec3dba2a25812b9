"""Solved graphs as arrays, whichever way they were solved, for files and pictures."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.graph.parity import ParitySolution
from zermelo.graph.rules import GraphRules
from zermelo.graph.solving import NONE
from zermelo.values.outcomes import LOSS, WIN

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution

_OUTCOMES = {1: "win", 0: "draw", -1: "loss"}


@dataclass(frozen=True)
class SolvedArrays:
    """A solved graph as arrays.

    Attributes:
        nodes: the names of the vertices.
        indptr: the first edge of each vertex; see ``solve``.
        indices: the targets of edges; see ``solve``.
        given: the given outcomes of vertices.
        owner: the player to move at each vertex, or None.
        outcome: the outcome of each vertex; see ``GraphArrays``.
        remoteness: the remoteness of each vertex; see ``GraphArrays``.
        edge: the first best edge of each vertex: ``best_edge`` of ``GraphArrays``.
        winner: the winner of each vertex, see ``GraphArrays``; or None if vertices have no owners.
    """

    nodes: Sequence[Hashable]
    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    given: npt.NDArray[np.int8]
    owner: npt.NDArray[np.uint8] | None
    outcome: npt.NDArray[np.int8]
    remoteness: npt.NDArray[np.int32]
    edge: npt.NDArray[np.int64]
    winner: npt.NDArray[np.int8] | None

    @classmethod
    def of(cls, solution: Solution | ParitySolution) -> SolvedArrays:
        """Read a solution.

        Raises:
            ParameterError: it is not of a graph.
        """
        if isinstance(solution, ParitySolution):
            return cls._of_parity(solution)
        rules = getattr(solution, "rules", None)
        if not isinstance(rules, GraphRules):
            message = (
                f"{solution!r} is not the solution of a graph; give one of zermelo.graph.solve"
            )
            raise ParameterError(message)
        arrays = solution.arrays
        indptr, indices, given_outcomes, owner = arrays.graph
        return cls(
            rules.nodes,
            indptr,
            indices,
            given_outcomes,
            owner,
            arrays.outcome,
            arrays.remoteness,
            arrays.best_edge,
            None if owner is None else arrays.winner,
        )

    @classmethod
    def _of_parity(cls, solution: ParitySolution) -> SolvedArrays:
        """Read the solution of a parity game, which has no remoteness."""
        indptr, indices, _, owner = solution.graph
        count = len(solution)
        return cls(
            solution.nodes,
            indptr,
            indices,
            np.full(count, NONE, np.int8),
            owner,
            np.where(solution.winner == owner, WIN, LOSS).astype(np.int8),
            np.full(count, -1, np.int32),
            solution.best_edge,
            solution.winner,
        )

    def attributes(self) -> Iterator[tuple[Hashable, dict[str, Any]]]:
        """Yield each vertex with its attributes."""
        for v, node in enumerate(self.nodes):
            values: dict[str, Any] = {} if self.owner is None else {"player": int(self.owner[v])}
            values["value"] = _OUTCOMES[int(self.outcome[v])]
            if self.remoteness[v] >= 0:
                values["remoteness"] = int(self.remoteness[v])
            if self.winner is not None and self.winner[v] >= 0:
                values["winner"] = int(self.winner[v])
            if self.edge[v] >= 0:
                values["best"] = self.nodes[int(self.indices[self.edge[v]])]
            yield node, values

    def edges(self) -> Iterator[tuple[int, int, bool]]:
        """Yield each edge, and whether it is the first best one of its vertex."""
        ends = self.indptr.tolist()
        targets = self.indices.tolist()
        for v, best in enumerate(self.edge.tolist()):
            for place in range(ends[v], ends[v + 1]):
                yield v, targets[place], place == best
