"""Parity games on graphs, decided by the greatest priority that recurs for ever."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.graph.infinite_solution import WonSolution
from zermelo.graph.owned_graph import ArrayGraph, OwnedGraph
from zermelo.progress import Reporter
from zermelo.resources import memory_bytes, thread_count

if TYPE_CHECKING:
    from zermelo._engine.infinite.certificate_graph import Fault
    from zermelo.progress import Listener

#: The priority that decides, the greatest or the least that recurs, and its parity for player 0.
Convention: TypeAlias = Literal["max even", "max odd", "min even", "min odd"]


@dataclass(frozen=True, eq=False, repr=False)
class ParityGame(ArrayGraph):
    """A parity game on a directed graph, as arrays; see ``solve_parity``.

    Attributes:
        indptr: n + 1 indices into ``indices``: the successors of vertex ``v`` are
            ``indices[indptr[v]:indptr[v + 1]]``.
        indices: the target of each edge.
        priorities: the priority of each vertex.
        owner: the player to move at each vertex, 0 or 1.
        parity: the convention of the priorities.
        start: the vertex where the game starts, or None.
        vertex_names: the names of the vertices, or None if their numbers are their names.
    """

    priorities: npt.NDArray[Any]
    owner: npt.NDArray[Any]
    parity: Convention = "max even"
    start: Any = None
    vertex_names: Sequence[Hashable] | None = None

    def solve(
        self,
        *,
        memory: int | str | None = None,
        threads: int | None = None,
        progress: Listener | None = None,
    ) -> ParitySolution:
        """Solve the game; see ``solve_parity``.

        Args:
            memory: the memory that the solve may use in addition to the game itself.
            threads: threads to use; by default as many as there are cores.
            progress: called with an ``Event`` now and then.

        Raises:
            ParameterError: the arrays are not a parity game.
            PositionError: the start is not a vertex.
            BudgetError: the solve needs more memory than is allowed.
        """
        return solve_parity(self, memory=memory, threads=threads, progress=progress)


@dataclass(frozen=True)
class Lasso:
    """A play that ends in a cycle, or at a vertex where the game ends.

    Attributes:
        path: the vertices before the cycle, the first one first; all vertices if there is none.
        cycle: the vertices of the cycle, which repeats for ever; empty if the game ends.
        priority: the priority that decides among those of the cycle; None without a cycle.
        winner: the player who wins the play.
    """

    path: tuple[Any, ...]
    cycle: tuple[Any, ...]
    priority: int | None
    winner: int


class ParitySolution(WonSolution):
    """A solved parity game: the winner of each vertex, and a winning strategy of each player.

    ``solution[vertex]`` is the winner of a vertex, 0 or 1. The certificate takes O(edges · log
    priorities): each player wins by the strategy if no move leaves the vertices that the player
    wins, and if on each cycle that the strategy allows the deciding priority is of the player's
    parity.

    Attributes:
        winner: the winner of each vertex, 0 or 1, int8.
        best_edge: for each vertex whose player wins the index in ``indices`` of an edge that wins,
            int64; -1 where the player to move loses. A player who follows these edges wins from
            each vertex that the player can win.
        start: the vertex where the game starts, or None.
        seconds: the seconds that the solve took.
    """

    def __init__(
        self,
        graph: OwnedGraph,
        priorities: npt.NDArray[np.int64],
        parity: Convention,
        results: tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]],
        start: Any,
        seconds: float,
    ) -> None:
        """Store a solved game; ``results`` are those of the engine's ``parity.solve``."""
        winner, best_edge = results
        super().__init__(graph, winner, best_edge, start, seconds)
        self._priorities, self._parity = priorities, parity

    def __getitem__(self, vertex: Any) -> int:
        """Return the player who wins from a vertex.

        Raises:
            PositionError: there is no such vertex.
        """
        return int(self.winner[self._number(vertex)])

    def __repr__(self) -> str:
        """Return the number of vertices that each player wins."""
        counts = " and ".join(
            f"player {player} {int((self.winner == player).sum()):,}" for player in (0, 1)
        )
        return f"<ParitySolution of {count_phrase(len(self), 'vertices')}: {counts}>"

    @property
    def graph(
        self,
    ) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The game as ``indptr``, ``indices``, ``priorities`` and ``owner``."""
        graph = self._graph
        return graph.indptr, graph.indices, self._priorities, graph.owners

    def line(self, vertex: Any = None) -> Lasso:
        """Return a play from a vertex in which the winner follows the strategy.

        The loser takes the first edge of each vertex.

        Args:
            vertex: the first vertex; by default the start.

        Raises:
            PositionError: there is no such vertex, or no start.
        """
        number = self._number(self._start if vertex is None else vertex)
        indptr, indices, priorities, owners = self.graph
        index_of: dict[int, int] = {}
        while number not in index_of:
            index_of[number] = len(index_of)
            begin, end = int(indptr[number]), int(indptr[number + 1])
            if begin == end:
                path = tuple(self.nodes[number] for number in index_of)
                return Lasso(path, (), None, 1 - int(owners[number]))
            edge = self.best_edge.item(number)
            number = int(indices[edge if edge >= 0 else begin])
        play, length = list(index_of), index_of[number]
        decides = max if self._parity.startswith("max") else min
        priority = decides(priorities[play[length:]].tolist())
        names = tuple(self.nodes[number] for number in play)
        winner = priority % 2 if self._parity.endswith("even") else 1 - priority % 2
        return Lasso(names[:length], names[length:], priority, winner)

    def explain(self, vertex: Any = None) -> str:
        """Return in words who wins from a vertex, with a play as an example.

        Args:
            vertex: the vertex; by default the start.

        Raises:
            PositionError: there is no such vertex, or no start.
        """
        name = self._start if vertex is None else vertex
        lasso = self.line(name)
        path = " → ".join(map(str, lasso.path))
        text = f"player {lasso.winner} wins from {name}"
        if lasso.priority is None:
            return f"{text}: the winner's moves may lead along {path}, where the loser cannot move"
        cycle = " → ".join(map(str, (*lasso.cycle, lasso.cycle[0])))
        along = f"along {path} " if lasso.path else ""
        extreme = "greatest" if self._parity.startswith("max") else "least"
        parity = "odd" if lasso.priority % 2 else "even"
        return (
            f"{text}: the winner's moves may lead {along}to the cycle {cycle}, where the {extreme} "
            f"priority is {lasso.priority}; on every other cycle that the loser can choose it is "
            f"{parity}, too"
        )

    def _fault(self) -> Fault | None:
        """Return a fault of the winners and strategies, or None."""
        from zermelo._engine.infinite.parity_certificate import check

        priorities = _max_even(self._priorities, self._parity)
        return check(self._graph.for_certificate, priorities, self.winner, self.best_edge)


def solve_parity(
    graph: Any,
    priorities: str | Mapping[Any, int] | npt.ArrayLike = "priority",
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    parity: Convention | None = None,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> ParitySolution:
    """Solve a parity game: who wins each vertex, and how.

    Play goes on for ever, and the greatest priority that recurs for ever decides: player 0 wins if
    it is even, and player 1 if it is odd. A player who cannot move loses. From each vertex one
    player wins, by moves that depend on the vertex alone (E. A. Emerson and C. S. Jutla, "Tree
    automata, mu-calculus and determinacy", FOCS 1991).

    The method is priority promotion (M. Benerecetti, D. Dell'Erba and F. Mogavero, "Solving parity
    games via priority promotion", Formal Methods in System Design 52, 2018). Most games take a few
    passes over the edges; there are games on which it takes exponential time.

    Args:
        graph: a directed graph of networkx, with nodes of any type; a ``ParityGame`` or a
            ``GraphGame``; a sparse matrix of scipy; rows of successors; or the arrays
            ``(indptr, indices)``. Loops and repeated edges are allowed.
        priorities: the priority of each node, a whole number from 0: the node attribute or a
            mapping, for networkx; an array otherwise. A ``ParityGame`` has priorities already.
        owner: the player to move at each node, 0 or 1, in the same way. A ``ParityGame`` or a
            ``GraphGame`` has owners already.
        parity: who wins: ``"max even"``; ``"max odd"`` if player 0 wins when the greatest recurring
            priority is odd; ``"min even"`` and ``"min odd"`` if the least one decides. By default
            the convention of a ``ParityGame``, else ``"max even"``.
        start: the vertex where the game starts, or None; by default that of a ``ParityGame``.
        memory: the memory that the solve may use in addition to its arguments, in bytes or as
            ``"2GB"``; by default most of the system's free memory.
        threads: threads to use, for a part of the work; the answer does not depend on their number.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, with winners, strategies and their certificate.

    Raises:
        ParameterError: the graph is invalid, or a node has no priority or no owner.
        PositionError: the start is not a vertex.
        BudgetError: the solve needs more memory than is allowed.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.infinite import parity as engine

    start_time = time.perf_counter()
    threads_used = thread_count(threads)
    if isinstance(graph, ParityGame):
        priorities = graph.priorities if isinstance(priorities, str) else priorities
        parity = graph.parity if parity is None else parity
        start = graph.start if start is None else start
    parity = "max even" if parity is None else parity
    owned = OwnedGraph.of(graph, owner)
    numbers = owned.node_numbers("priorities", priorities, graph)
    if int(numbers.min(initial=0)) < 0:
        vertex = int(np.argmin(numbers))
        message = f"node {owned.nodes[vertex]!r} has the priority {numbers[vertex]}; use 0 or more"
        raise ParameterError(message)
    if parity not in get_args(Convention):
        names = ", ".join(map(repr, get_args(Convention)))
        message = f"parity={parity!r} is not known; use one of {names}"
        raise ParameterError(message)
    results = engine.solve(
        owned.indptr,
        owned.indices,
        owned.owners,
        _max_even(numbers, parity),
        Ledger.for_budget(memory_bytes(memory)),
        Reporter(progress),
        threads_used,
    )
    return ParitySolution(owned, numbers, parity, results, start, time.perf_counter() - start_time)


def _max_even(priorities: npt.NDArray[np.int64], parity: Convention) -> npt.NDArray[np.int32]:
    """Return equivalent priorities for the convention ``"max even"``, compressed."""
    from zermelo._engine.infinite.parity import compressed

    numbers = priorities + parity.endswith("odd")
    if parity.startswith("min"):
        greatest = int(numbers.max(initial=0))
        numbers = greatest + greatest % 2 - numbers
    return compressed(numbers)
