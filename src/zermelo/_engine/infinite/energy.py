"""Energy games: who wins, by which credits and moves, and a proof for both players."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.transpose import reverse, transposing_bytes
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.infinite.credit_kernels import (
    STATE_SIZE,
    UNBOUNDED,
    WAITING,
    Lifting,
    WeightedGraph,
    lift,
)
from zermelo.errors import ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.progress import Reporter

#: Edges that are followed between two reports of progress.
_BUDGET = 1 << 25
#: The first limit of credits, in multiples of the greatest weight, and the factor of the next one.
_FIRST_LIMIT, _GROWTH = 4, 8
#: Bytes that a solve takes for each vertex, and for each edge.
_VERTEX_BYTES, _EDGE_BYTES = 80, 24
#: The greatest sum of weights; sums and their differences have to fit 62 bits.
_MOST_SUM = 1 << 60


@dataclass(frozen=True)
class EnergyValues:
    """The values of an energy game.

    Attributes:
        credit: the least credit with which player 0 keeps the sum from falling below zero for ever,
            int64; -1 if no credit suffices.
        rank: for vertices with a credit above 0 a number that proves that no less suffices: an
            opponent's move, or each of player 0's, leads to a vertex of a lesser rank, or needs
            more.
        debt: for vertices where no credit suffices the credit with which player 1 keeps the negated
            sum, less a little for each move, from falling below zero; else -1.
    """

    credit: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    debt: npt.NDArray[np.int64]


def transposed(
    first: IntArray,
    edges: IntArray,
    weights: npt.NDArray[np.int64],
    owners: npt.NDArray[np.uint8],
    ledger: Ledger,
    threads: int,
) -> WeightedGraph:
    """Return a graph with weights, and its transposed graph.

    Raises:
        BudgetError: the memory is too little.
    """
    count, size = len(owners), len(edges)
    needed = _VERTEX_BYTES * count + _EDGE_BYTES * size + transposing_bytes(count, size)
    vertices, weighted_edges = count_phrase(count, "vertices"), count_phrase(size, "edges")
    ledger.reserve(needed, f"a game of {vertices} and {weighted_edges} with weights")
    return WeightedGraph(first, edges, weights, *reverse(first, edges, threads), owners)


def solve(graph: WeightedGraph, report: Reporter) -> EnergyValues:
    """Return the values of an energy game.

    Raises:
        ParameterError: the weights are too large.
    """
    count = len(graph.owners)
    wins, _, debt = winners(graph, report)
    # With the winners known, no credit is lifted without end.
    lifting = begin(count)
    lifting.credit[~wins] = UNBOUNDED
    run(graph, lifting, 0, int(UNBOUNDED) - 1, report)
    credit = np.where(wins, lifting.credit, -1)
    return EnergyValues(credit, lifting.rank, np.where(wins, -1, debt))


def winners(
    graph: WeightedGraph, report: Reporter
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the vertices of an energy game that player 0 wins, and credits that prove it.

    Credits are lifted up to a limit, for either player, until each vertex has one of either: player
    0 keeps the sum of weights from falling below zero, or player 1 makes it fall without end. A
    cycle of a negative sum of whole numbers loses at least 1, so player 1 keeps ``-(n + 1)`` times
    the sum, less 1 for each of at most n moves of a cycle, from falling below zero.

    Returns:
        A mask of the vertices that player 0 wins; credits of player 0 there, which need not be the
        least; and credits of player 1 elsewhere. Both are UNBOUNDED for the other vertices.

    Raises:
        ParameterError: the weights are too large.
    """
    count = len(graph.owners)
    strict = graph._replace(weights=-strict_weights(graph.weights, count))
    greatest = int(np.abs(graph.weights).max(initial=1))
    limit = _FIRST_LIMIT * greatest
    while True:
        keeps, falls = begin(count), begin(count)
        run(graph, keeps, 0, limit, report)
        wins = keeps.credit != UNBOUNDED
        falls.credit[wins] = UNBOUNDED
        run(strict, falls, 1, (count + 1) * limit, report)
        if (wins | (falls.credit != UNBOUNDED)).all():
            return wins, keeps.credit, falls.credit
        limit *= _GROWTH


def strict_weights(weights: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """Return weights whose sum on a cycle of ``count`` vertices is negative or above 0 as before.

    A sum of 0 becomes positive, and a negative one stays negative.

    Raises:
        ParameterError: the weights are too large.
    """
    greatest = int(np.abs(weights).max(initial=0))
    if (greatest + 1) * (count + 1) ** 2 > _MOST_SUM:
        message = (
            f"weights to ±{greatest:,} are too large for a game of "
            f"{count_phrase(count, 'vertices')}; divide them by a common factor"
        )
        raise ParameterError(message)
    return weights * (count + 1) + 1


def run(graph: WeightedGraph, lifting: Lifting, player: int, most: int, report: Reporter) -> None:
    """Lift credits until none is too small; see ``credit_kernels.lift``."""
    while not lift(graph, lifting, player, np.int64(most), _BUDGET):
        report.tick()


def begin(count: int) -> Lifting:
    """Return credits of 0, with all vertices in the queue."""
    lifting = Lifting(
        np.zeros(count, np.int64),
        np.zeros(count, np.int64),
        np.arange(count, dtype=np.uint32),
        np.ones(count, np.bool_),
        np.zeros(STATE_SIZE, np.int64),
    )
    lifting.state[WAITING] = count
    return lifting
