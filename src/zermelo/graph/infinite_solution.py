"""The common part of solutions of games that are decided by how play goes on for ever."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import PositionError
from zermelo.graph.owned_graph import OwnedGraph, valid_player
from zermelo.progress import Reporter
from zermelo.values.results import Verification

if TYPE_CHECKING:
    from zermelo._engine.infinite.certificate_graph import Fault
    from zermelo.progress import Listener


class InfiniteSolution(ABC):
    """An answer for each vertex of a graph, and moves by which the players get it.

    Attributes:
        best_edge: the index in ``indices`` of each vertex's move, int64; -1 where none is given.
        start: the vertex where the game starts, or None.
        seconds: the seconds that the solve took.
    """

    def __init__(
        self, graph: OwnedGraph, best_edge: npt.NDArray[np.int64], start: Any, seconds: float
    ) -> None:
        """Store the graph and the moves.

        Raises:
            PositionError: the start is not a vertex.
        """
        self._graph, self.best_edge = graph, best_edge
        self.start, self.seconds = start, seconds
        if start is not None:
            self._number(start)

    def __len__(self) -> int:
        """Return the number of vertices."""
        return len(self._graph.owners)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the vertices, by their names or numbers."""
        return iter(self.nodes)

    @property
    def nodes(self) -> Sequence[Hashable]:
        """The names of the vertices, or their numbers."""
        return self._graph.nodes

    @property
    def best(self) -> npt.NDArray[np.int64]:
        """The number of the vertex that each ``best_edge`` leads to, int64; -1 without one."""
        chosen = self.best_edge >= 0
        targets = np.full(self.best_edge.shape, -1, np.int64)
        targets[chosen] = self._graph.indices[self.best_edge[chosen]]
        return targets

    def verify(self, *, progress: Listener | None = None) -> Verification:
        """Check the certificate of all answers, which shares no code with the solver.

        Args:
            progress: called with an ``Event`` now and then.
        """
        began = time.perf_counter()
        report = Reporter(progress)
        with report.phase("verify", len(self)):
            fault = self._fault()
            report.advance(len(self))
        vertex = None if fault is None else self.nodes[fault.vertex]
        return Verification(
            fault is None,
            len(self),
            len(self._graph.indices),
            None if fault is None else f"{vertex} {fault.reason}",
            time.perf_counter() - began,
            vertex,
        )

    @abstractmethod
    def _fault(self) -> Fault | None:
        """Return a fault that the certificate finds, or None."""

    @property
    def _start(self) -> Any:
        if self.start is None:
            message = "the game has no start; name a vertex"
            raise PositionError(message)
        return self.start

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {node: number for number, node in enumerate(self.nodes)}

    def _number(self, vertex: Any) -> int:
        """Return the number of a vertex.

        Raises:
            PositionError: there is no such vertex.
        """
        if self._graph.named and isinstance(vertex, Hashable) and vertex in self._numbers:
            return self._numbers[vertex]
        return self._graph.number(vertex)

    def _moves(self, mask: npt.NDArray[np.bool_]) -> dict[Any, Any]:
        """Return the moves of the vertices of a mask, by name."""
        owned = np.flatnonzero((self.best_edge >= 0) & mask)
        targets = self._graph.indices[self.best_edge[owned]].tolist()
        pairs = zip(owned.tolist(), targets, strict=True)
        return {self.nodes[number]: self.nodes[target] for number, target in pairs}


class WonSolution(InfiniteSolution):
    """A winner of each vertex, and a winning strategy of each player.

    Attributes:
        winner: the winner of each vertex, 0 or 1, int8.
    """

    def __init__(
        self,
        graph: OwnedGraph,
        winner: npt.NDArray[np.int8],
        best_edge: npt.NDArray[np.int64],
        start: Any,
        seconds: float,
    ) -> None:
        """Store the graph, the winners and the moves.

        Raises:
            PositionError: the start is not a vertex.
        """
        self.winner = winner
        super().__init__(graph, best_edge, start, seconds)

    def region(self, player: int) -> Any:
        """Return the vertices from which a player wins.

        Args:
            player: 0 or 1.

        Returns:
            A set if vertices have names, as in a graph of networkx; else an array of booleans, one
            per vertex.

        Raises:
            ParameterError: the player is not 0 or 1.
        """
        return self._graph.as_given(self.winner == valid_player(player))

    def strategy(self, player: int) -> dict[Any, Any]:
        """Return a winning strategy: the move of a player at each vertex that the player wins.

        Args:
            player: 0 or 1.

        Raises:
            ParameterError: the player is not 0 or 1.
        """
        return self._moves(self.winner == valid_player(player))
