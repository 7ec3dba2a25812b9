"""Games on graphs with weights: energy games, and mean-payoff games."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.graph.infinite_solution import InfiniteSolution, WonSolution
from zermelo.graph.owned_graph import OwnedGraph, valid_player
from zermelo.progress import Reporter
from zermelo.resources import memory_bytes, thread_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from zermelo._engine.infinite.certificate_graph import Fault
    from zermelo._engine.infinite.credit_kernels import WeightedGraph
    from zermelo._engine.infinite.energy import EnergyValues
    from zermelo._engine.infinite.mean_payoff import MeanPayoffs
    from zermelo.progress import Listener


class EnergySolution(WonSolution):
    """A solved energy game: the least initial credit at each vertex, and winning strategies.

    ``solution[vertex]`` is the least credit with which player 0 wins from a vertex, or None. The
    certificate is one pass over the edges: it proves that each credit suffices, that no less does,
    and where no credit does.

    Attributes:
        credit: the least credit with which player 0 wins from each vertex, int64; -1 if no credit
            suffices.
        winner: the winner of each vertex, int8: 0 with some credit, else 1.
        best_edge: for each vertex whose player wins the index in ``indices`` of an edge that wins,
            with the least credit, int64; -1 where the player to move loses.
        start: the vertex where the game starts, or None.
        seconds: the seconds that the solve took.
    """

    def __init__(
        self,
        graph: OwnedGraph,
        weights: npt.NDArray[np.int64],
        values: EnergyValues,
        start: Any,
        seconds: float,
    ) -> None:
        """Store a solved game; ``values`` are those of the engine's ``energy.solve``."""
        self._weights, self._values = weights, values
        self.credit = values.credit
        winner = (self.credit < 0).astype(np.int8)
        first_edges = _first_edges(graph, self._wins_along(graph))
        super().__init__(graph, winner, first_edges, start, seconds)

    def __getitem__(self, vertex: Any) -> int | None:
        """Return the least credit with which player 0 wins from a vertex, or None.

        Raises:
            PositionError: there is no such vertex.
        """
        credit = int(self.credit[self._number(vertex)])
        return None if credit < 0 else credit

    def __repr__(self) -> str:
        """Return the number of vertices that player 0 wins."""
        won = int((self.credit >= 0).sum())
        return f"<EnergySolution of {count_phrase(len(self), 'vertices')}: player 0 wins {won:,}>"

    def _wins_along(self, graph: OwnedGraph) -> npt.NDArray[np.bool_]:
        """Return by edge whether the player to move wins, or keeps to the credit, along it."""
        from zermelo._engine.infinite.energy import strict_weights

        sources, targets, count = graph.sources, graph.indices, len(graph.owners)
        credit, debt = self.credit, self._values.debt
        wins = credit >= 0
        kept = wins[targets] & (credit[sources] + self._weights >= credit[targets])
        falling = -strict_weights(self._weights, count)
        falls = ~wins[targets] & (debt[sources] + falling >= debt[targets])
        is_first = graph.owners[sources] == 0
        along: npt.NDArray[np.bool_] = np.where(
            is_first, wins[sources] & kept, ~wins[sources] & falls
        )
        return along

    def _fault(self) -> Fault | None:
        """Return a fault of the credits, or None."""
        from zermelo._engine.infinite.energy_certificate import check

        values, graph = self._values, self._graph.for_certificate
        return check(graph, self._weights, self.credit, values.rank, values.debt)


class MeanPayoffSolution(InfiniteSolution):
    """A solved mean-payoff game: the average weight that both players can enforce, and how.

    ``solution[vertex]`` is the value of a vertex, an exact ``Fraction``. The certificate is one
    pass over the edges: it proves that player 0 gets at least each value, and player 1 at most.

    Attributes:
        numerator: the numerator of each vertex's value, in lowest terms, int64.
        denominator: its denominator, above 0, int64.
        best_edge: the index in ``indices`` of an edge of each vertex that keeps its value, int64. A
            player who follows these edges gets the value, whatever the other player does.
        start: the vertex where the game starts, or None.
        seconds: the seconds that the solve took.
    """

    def __init__(
        self,
        graph: OwnedGraph,
        weights: npt.NDArray[np.int64],
        values: MeanPayoffs,
        start: Any,
        seconds: float,
    ) -> None:
        """Store a solved game; ``values`` are those of the engine's ``mean_payoff.solve``."""
        self._weights, self._values = weights, values
        self.numerator, self.denominator = values.numerator, values.denominator
        sources, targets = graph.sources, graph.indices
        gains = self.denominator[sources] * weights - self.numerator[sources]
        equal = self.numerator[sources] == self.numerator[targets]
        equal &= self.denominator[sources] == self.denominator[targets]
        keeps = values.keeps[sources] + gains >= values.keeps[targets]
        limits = values.limits[sources] - gains >= values.limits[targets]
        best = equal & np.where(graph.owners[sources] == 0, keeps, limits)
        super().__init__(graph, _first_edges(graph, best), start, seconds)

    def __getitem__(self, vertex: Any) -> Fraction:
        """Return the value of a vertex.

        Raises:
            PositionError: there is no such vertex.
        """
        number = self._number(vertex)
        return Fraction(int(self.numerator[number]), int(self.denominator[number]))

    def __repr__(self) -> str:
        """Return the number of vertices, and their least and greatest value."""
        vertices = count_phrase(len(self), "vertices")
        pairs = zip(self.numerator.tolist(), self.denominator.tolist(), strict=True)
        values = {Fraction(*pair) for pair in set(pairs)}
        return f"<MeanPayoffSolution of {vertices}: values from {min(values)} to {max(values)}>"

    def strategy(self, player: int) -> dict[Any, Any]:
        """Return a best strategy of a player: the move at each vertex of the player.

        Args:
            player: 0 or 1.

        Raises:
            ParameterError: the player is not 0 or 1.
        """
        return self._moves(self._graph.owners == valid_player(player))

    def _fault(self) -> Fault | None:
        """Return a fault of the values, or None."""
        from zermelo._engine.infinite.mean_payoff_certificate import check

        values, graph = self._values, self._graph.for_certificate
        fractions = self.numerator, self.denominator
        return check(graph, self._weights, fractions, values.keeps, values.limits)


def solve_energy(
    graph: Any,
    weights: str | npt.ArrayLike = "weight",
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> EnergySolution:
    """Solve an energy game: the least initial credit that never runs out.

    Each edge adds its weight to a credit, and player 0 wins if the credit is never below zero. A
    player who cannot move loses. (A. Chakrabarti, L. de Alfaro, T. A. Henzinger and M. Stoelinga,
    "Resource interfaces", EMSOFT 2003.)

    The method is value iteration in whole numbers (L. Brim et al., "Faster algorithms for
    mean-payoff games", Formal Methods in System Design 38, 2011). Its time grows with the credits
    that are needed, and so with the weights.

    Args:
        graph: the graph, in any form that ``attractor`` takes.
        weights: the weight of each edge, a whole number: the edge attribute, for networkx; an array
            in the order of ``indices`` otherwise.
        owner: the players to move, as for ``attractor``.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use in addition to its arguments.
        threads: threads to use, for a part of the work; the answer does not depend on it.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: the graph is invalid, an edge has no weight, or a node no owner; or weights
            are too large.
        PositionError: the start is not a vertex.
        BudgetError: it needs more memory than is allowed.
    """
    from zermelo._engine.infinite import energy

    began = time.perf_counter()
    report = Reporter(progress)
    owned, numbers, weighted = _weighted(graph, weights, owner, memory, threads)
    with report.phase("energy", len(owned.owners)):
        values = energy.solve(weighted, report)
    return EnergySolution(owned, numbers, values, start, time.perf_counter() - began)


def solve_mean_payoff(
    graph: Any,
    weights: str | npt.ArrayLike = "weight",
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> MeanPayoffSolution:
    """Solve a mean-payoff game: the average weight of the edges of an endless play.

    Player 0 wants a great average, and player 1 a small one. Both can enforce the value of a vertex
    by moves that depend on the vertex alone (A. Ehrenfeucht and J. Mycielski, "Positional
    strategies for mean payoff games", International Journal of Game Theory 8, 1979).

    Value iteration finds candidates, which energy games prove in whole numbers; the values are
    exact. The time grows with the weights.

    Args:
        graph: the graph, in any form that ``attractor`` takes; each vertex has to have an edge.
        weights: the weight of each edge; for this and the other arguments see ``solve_energy``.
        owner: the players to move.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use.
        threads: threads to use.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: the graph is invalid, an edge has no weight, or a node no owner or no edge;
            or weights are too large.
        PositionError: the start is not a vertex.
        BudgetError: it needs more memory than is allowed.
    """
    from zermelo._engine.infinite import mean_payoff

    began = time.perf_counter()
    report = Reporter(progress)
    owned, numbers, weighted = _weighted(graph, weights, owner, memory, threads)
    stuck = np.flatnonzero(owned.degrees == 0)
    if len(stuck):
        message = (
            f"node {owned.nodes[int(stuck[0])]!r} has no edge, and a mean payoff is of endless "
            "play; add an edge to itself, with the payoff of ending there as its weight"
        )
        raise ParameterError(message)
    with report.phase("mean payoff", len(owned.owners)):
        values = mean_payoff.solve(weighted, report, thread_count(threads))
    return MeanPayoffSolution(owned, numbers, values, start, time.perf_counter() - began)


def _weighted(
    graph: Any, weights: Any, owner: object, memory: int | str | None, threads: int | None
) -> tuple[OwnedGraph, npt.NDArray[np.int64], WeightedGraph]:
    """Return a graph with owners, its weights, and the form in which the engine takes both.

    Raises:
        ParameterError: the graph is invalid, an edge has no weight, or a node no owner.
        BudgetError: it needs more memory than is allowed.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.infinite.energy import transposed

    threads_used = thread_count(threads)
    owned = OwnedGraph.of(graph, owner)
    numbers = owned.edge_numbers("weights", weights, graph)
    arrays = owned.indptr, owned.indices, numbers, owned.owners
    weighted = transposed(*arrays, Ledger.for_budget(memory_bytes(memory)), threads_used)
    return owned, numbers, weighted


def _first_edges(graph: OwnedGraph, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the index of the first edge of each vertex that is in a mask, or -1."""
    edges = np.flatnonzero(mask)
    chosen = np.full(len(graph.owners), -1, np.int64)
    sources = graph.sources[edges]
    chosen[sources[::-1]] = edges[::-1]
    return chosen
