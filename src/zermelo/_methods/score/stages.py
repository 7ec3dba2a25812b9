"""Stages of a score game: numbers that no move raises, and that every counting move lowers.

A move counts unless it ends the game, or the value of endless play falls by the points that it
makes. Within a stage, where no move counts, play may go round a cycle: the points made and the
value of endless play have the same sum all along a cycle, however long it takes. The stage of a
position is the greatest number of counting moves that may still be made.

The strongly connected components are found by R. E. Tarjan's method in the form of D. J. Pearce, "A
space-efficient algorithm for finding strongly connected components" (2016), successors first. Each
component gets its stage once its successors have theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._methods.score.kernels_cycles import find_stages

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph

#: Bytes of a position while stages are found.
STAGE_BYTES = 4 + 4 + 4 + 4 + 8 + 1


class PointsInCircleError(Exception):
    """A move in a cycle makes points that the value of endless play does not make up for.

    Attributes:
        number: the position.
        move: the index of the move.
    """

    def __init__(self, number: int, move: int) -> None:
        """Store the position's number and the move's index."""
        super().__init__(number, move)
        self.number = number
        self.move = move


def stages(graph: Graph, endless: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
    """Return the stage of each position.

    Args:
        graph: the graph.
        endless: the value of endless play for the player to move in each position, or empty if it
            is the same everywhere for a player.

    Raises:
        PointsInCircleError: a cycle has a move that counts.
    """
    positions = graph.positions
    if not len(endless) and not graph.gains.any():
        return np.broadcast_to(np.uint32(0), positions)
    stage: npt.NDArray[np.uint32] = zeros(positions, np.uint32)
    work = (
        zeros(positions, np.uint32),
        zeros(positions, np.uint32),
        zeros(positions, np.int64),
        zeros(positions, np.uint8),
        zeros(positions, np.uint32),
    )
    arrays = (graph.first, graph.edges, graph.owners, graph.gains, graph.values)
    number, move = find_stages(arrays, endless, work, stage)
    if number >= 0:
        raise PointsInCircleError(int(number), int(move) - int(graph.first[number]))
    return stage
