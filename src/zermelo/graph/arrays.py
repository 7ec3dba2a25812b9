"""A solved graph as arrays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo._methods.explicit.graph_source import GraphSource
    from zermelo._methods.explicit.index import VertexCodes


class GraphArrays:
    """A solved graph as arrays, with an entry for each vertex in order of number.

    ``solution.arrays`` of a graph.
    """

    def __init__(
        self, source: GraphSource, values: Callable[[], VertexCodes], threads: int
    ) -> None:
        """Store a solved graph; each array is created when it is first requested.

        Args:
            source: the edges.
            values: returns the values in memory.
            threads: threads to use.
        """
        self._source, self._values = source, values
        self._threads = threads

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """WIN, DRAW or LOSS (1, 0, -1) for the player to move at each vertex, int8."""
        return self._split[0]

    @property
    def remoteness(self) -> npt.NDArray[np.int32]:
        """Moves to the end under perfect play from each vertex, int32; -1 for endless play."""
        return self._split[1]

    @property
    def best_edge(self) -> npt.NDArray[np.int64]:
        """The index in ``indices`` of each vertex's first best edge, int64; -1 at an end.

        A best edge keeps the outcome and its remoteness: the quickest win, the slowest loss, the
        shortest way to a tie. So a player who follows these edges gets what the outcome promises.
        """
        return self._strategy[0]

    @property
    def best(self) -> npt.NDArray[np.int64]:
        """The vertex that each vertex's first best edge leads to, int64; -1 at an end."""
        return self._strategy[1]

    @cached_property
    def winner(self) -> npt.NDArray[np.int8]:
        """The player who wins from each vertex, 0 or 1, int8; NOBODY (-1) if it is a draw.

        Raises:
            ParameterError: vertices have no owners, so that there are no first and second player.
        """
        owners = self._values().owner
        if not len(owners) and self._source.vertices:
            message = "there is no winner where vertices have no owner; give owner= to solve"
            raise ParameterError(message)
        winner = np.where(self.outcome > 0, owners, 1 - owners).astype(np.int8)
        winner[self.outcome == 0] = NOBODY
        return winner

    @property
    def graph(
        self,
    ) -> tuple[
        npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int8], npt.NDArray[np.uint8] | None
    ]:
        """The graph as ``indptr``, ``indices``, ``outcome`` and ``owner``; see ``solve``.

        A solution opened from a file reads them from the file, so that they can be compared with
        others, or solved again. ``owner`` is None if vertices have none.
        """
        source, count = self._source, self._source.vertices
        values = self._values()
        owner = values.owner if values.turns else None
        return (
            source.first(0, count),
            source.targets(0, source.edges),
            source.outcomes(0, count),
            owner,
        )

    @cached_property
    def _strategy(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        from zermelo._methods.explicit.driver import strategy

        return strategy(self._source, self._values(), self._threads)

    @cached_property
    def _split(self) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int32]]:
        from zermelo._methods.explicit.driver import split

        values = self._values()
        outcome, remoteness = split(values.stored, values.scale)
        if values.kind.favours != NOBODY:
            endless_outcome = np.where(values.owner == values.kind.favours, np.int8(1), np.int8(-1))
            outcome = np.where(remoteness < 0, endless_outcome, outcome)
        return outcome, remoteness
