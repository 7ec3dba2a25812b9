"""Mean-payoff games: the average weight that each player can enforce, as exact fractions.

The average of an optimal play is that of a cycle of at most n vertices, so the value of a vertex is
a fraction with a denominator of at most n (A. Ehrenfeucht and J. Mycielski, "Positional strategies
for mean payoff games", International Journal of Game Theory 8, 1979).

Value iteration gives a strategy of each player. The two lead to cycles, whose averages are
candidates for the values. Energy games prove them: where the value is p/q, player 0 keeps the sum
of qw - p from falling without end, and player 1 the negated sum. In most games a few hundred steps
find the values.

If candidates cannot be proved, energy games decide whether a value is at least p/q, at most p/q, or
both (see ``credit_kernels``). They split the vertices into those of a lesser value, of this value,
and of a greater one. No player leaves the first or the last for the better, so each of these is
solved on its own, with fractions of small denominators first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.transpose import reverse
from zermelo._engine.infinite.averages import cycle_averages, iterate
from zermelo._engine.infinite.credit_kernels import UNBOUNDED, WeightedGraph
from zermelo._engine.infinite.energy import begin, run, winners
from zermelo.errors import ParameterError
from zermelo.progress import Reporter

#: Attempts to prove candidates, the steps before the first one, and the limit of credits then.
_ATTEMPTS, _STEPS, _LIMIT = 10, 64, 64
#: Edges that are followed between two reports of progress.
_BUDGET = 1 << 25
#: The greatest scaled weight.
_MOST_WEIGHT = 1 << 60


@dataclass(frozen=True)
class MeanPayoffs:
    """The values of a mean-payoff game, with proofs.

    Attributes:
        numerator: the numerator of each vertex's value, int64.
        denominator: its denominator, above 0, int64.
        keeps: for each vertex a credit with which player 0 keeps the sum of ``denominator * weight
            - numerator`` from falling below zero, int64.
        limits: the same for player 1 and the negated sum.
    """

    numerator: npt.NDArray[np.int64]
    denominator: npt.NDArray[np.int64]
    keeps: npt.NDArray[np.int64]
    limits: npt.NDArray[np.int64]


class _ValueRange(NamedTuple):
    """Vertices whose values are between two fractions, with the edges among them.

    Attributes:
        graph: the graph of these vertices.
        names: the number of each vertex in the game.
        low: a fraction below all values.
        high: a fraction above all values.
    """

    graph: WeightedGraph
    names: npt.NDArray[np.int64]
    low: Fraction
    high: Fraction


def solve(graph: WeightedGraph, report: Reporter, threads: int) -> MeanPayoffs:
    """Return the values of a mean-payoff game in which each vertex has an edge.

    Raises:
        ParameterError: the weights are too large.
    """
    totals = np.zeros(len(graph.owners))
    for attempt in range(_ATTEMPTS):
        numerator, denominator = _candidates(graph, totals, _STEPS << attempt, report)
        found = _proved(graph, numerator, denominator, _LIMIT << 2 * attempt, report)
        if found is not None:
            return found
    return _solve_by_fractions(graph, report, threads)


def _candidates(
    graph: WeightedGraph, totals: npt.NDArray[np.float64], steps: int, report: Reporter
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return fractions that may be the values, after more steps of value iteration."""
    count = len(graph.owners)
    chosen = np.zeros(count, np.int64)
    batch = max(1, _BUDGET // max(len(graph.edges), 1))
    for done in range(0, steps, batch):
        iterate(graph, totals, np.empty(count), min(batch, steps - done), chosen)
        report.tick()
    sums, lengths = np.zeros(count, np.int64), np.zeros(count, np.int64)
    cycle_averages(
        graph, chosen, sums, lengths, np.zeros(count, np.int64), np.empty(count, np.int64)
    )
    divisor = np.gcd(sums, lengths)
    return sums // divisor, lengths // divisor


def _proved(
    graph: WeightedGraph,
    numerator: npt.NDArray[np.int64],
    denominator: npt.NDArray[np.int64],
    limit: int,
    report: Reporter,
) -> MeanPayoffs | None:
    """Return values with credits that prove them, or None if some credit exceeds a limit.

    Args:
        graph: the game.
        numerator: the numerators of the values.
        denominator: their denominators.
        limit: the limit of credits, in multiples of the greatest scaled weight.
        report: is told that the process goes on.
    """
    places = graph.first.astype(np.int64)
    sources = np.repeat(np.arange(len(numerator)), places[1:] - places[:-1])
    targets = graph.edges
    # Products of fractions that differ by less than a unit are compared exactly.
    whole, rest = np.divmod(numerator, denominator)
    order = np.sign(whole[targets] - whole[sources])
    products = rest[targets] * denominator[sources] - rest[sources] * denominator[targets]
    order = np.where(order != 0, order, np.sign(products))
    gains = denominator[sources] * graph.weights - numerator[sources]
    most = limit * max(1, int(np.abs(gains).max(initial=0)))
    if most > _MOST_WEIGHT:
        return None
    proofs = []
    for player, sign in ((0, 1), (1, -1)):
        # A move to a better value needs no credit, and none is enough for one to a worse value.
        weights = np.where(order == 0, sign * gains, sign * order * _MOST_WEIGHT)
        kept = begin(len(numerator))
        run(graph._replace(weights=weights), kept, player, most, report)
        if (kept.credit == UNBOUNDED).any():
            return None
        proofs.append(kept.credit)
    return MeanPayoffs(numerator, denominator, *proofs)


def _solve_by_fractions(graph: WeightedGraph, report: Reporter, threads: int) -> MeanPayoffs:
    """Return the values of a game by energy games for one fraction after another."""
    count = len(graph.owners)
    result = MeanPayoffs(*(np.zeros(count, np.int64) for _ in range(4)))
    low = Fraction(int(graph.weights.min(initial=0)) - 1)
    high = Fraction(int(graph.weights.max(initial=0)) + 1)
    parts = [_ValueRange(graph, np.arange(count), low, high)]
    decided = 0
    while parts:
        part = parts.pop()
        if not len(part.names):
            continue
        value = middle(part.low, part.high, len(part.names))
        scaled = _scaled(part.graph, value)
        at_least, keeps, _ = winners(scaled, report)
        at_most, limits, _ = winners(_exchanged(scaled), report)
        equal = at_least & at_most
        names = part.names[equal]
        result.numerator[names], result.denominator[names] = value.numerator, value.denominator
        result.keeps[names], result.limits[names] = keeps[equal], limits[equal]
        decided += len(names)
        report.advance(decided)
        parts.append(_restricted(part, ~at_most, threads)._replace(low=value))
        parts.append(_restricted(part, ~at_least, threads)._replace(high=value))
    return result


def middle(low: Fraction, high: Fraction, most: int) -> Fraction:
    """Return a simple fraction between two, with a denominator of at most ``most``.

    It is in the middle half of the interval, if a fraction with such a denominator is there.

    Args:
        low: a lower bound, which the result exceeds.
        high: an upper bound. There has to be such a fraction between the two.
        most: the greatest denominator.
    """
    quarter = (high - low) / 4
    central = simplest(low + quarter, high - quarter)
    return central if central.denominator <= most else simplest(low, high)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of the least denominator that is strictly between two.

    Of several whole numbers it is the least. Other fractions are found along the continued
    fractions of the two.
    """
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, math.floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def _scaled(graph: WeightedGraph, value: Fraction) -> WeightedGraph:
    """Return a graph whose sums are at least 0 where averages are at least a value.

    Raises:
        ParameterError: the weights are too large.
    """
    greatest = int(np.abs(graph.weights).max(initial=0))
    if value.denominator * greatest + abs(value.numerator) > _MOST_WEIGHT:
        message = (
            f"weights to ±{greatest:,} are too large for a game of {len(graph.owners):,} "
            "vertices; divide them by a common factor"
        )
        raise ParameterError(message)
    return graph._replace(weights=graph.weights * value.denominator - value.numerator)


def _exchanged(graph: WeightedGraph) -> WeightedGraph:
    """Return the same game with the players exchanged, who have opposite aims."""
    return graph._replace(weights=-graph.weights, owners=1 - graph.owners)


def _restricted(part: _ValueRange, mask: npt.NDArray[np.bool_], threads: int) -> _ValueRange:
    """Return the graph of some vertices of a part, with the edges among them."""
    graph = part.graph
    numbers = np.cumsum(mask) - 1
    places = graph.first.astype(np.int64)
    sources = np.repeat(np.arange(len(mask)), places[1:] - places[:-1])
    inside = mask[sources] & mask[graph.edges]
    first = np.zeros(int(mask.sum()) + 1, np.int64)
    np.cumsum(np.bincount(numbers[sources[inside]], minlength=len(first) - 1), out=first[1:])
    edges = numbers[graph.edges[inside]].astype(np.uint32)
    restricted = WeightedGraph(
        first, edges, graph.weights[inside], *reverse(first, edges, threads), graph.owners[mask]
    )
    return part._replace(graph=restricted, names=part.names[mask])
