"""Games with several target sets: to visit each of them, once or for ever."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError, PositionError
from zermelo.forms.quantities import count_phrase
from zermelo.graph.infinite_solution import WonSolution
from zermelo.graph.owned_graph import OwnedGraph, valid_player
from zermelo.graph.parity import Lasso, ParityGame
from zermelo.resources import memory_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._engine.infinite.certificate_graph import Fault
    from zermelo._engine.infinite.memory_product import MemoryProduct
    from zermelo.progress import Listener


class GeneralisedSolution(WonSolution):
    """A solved game with several target sets, and winning strategies that remember visits.

    ``solution[vertex]`` is the winner of a vertex, 0 or 1. A winning move may depend on the sets
    that have been visited before, the *memory* of a strategy. The certificate follows the moves on
    the graph for each memory.

    Attributes:
        winner: the winner of each vertex at the beginning, int8.
        memories: the memories, that of the beginning first: the frozen set of the names of the sets
            that have been visited before the current vertex; or the name of the set that is next,
            if the sets are to be visited for ever. Sets that have no names have numbers from 0.
        winners: the winner by memory and vertex, int8, shape (memories, vertices).
        best_edge: the index in ``indices`` of a winning edge by memory and vertex, int64; -1 where
            the player to move loses, or play is over.
        player: the player who has to visit the sets.
        start: the vertex where the game starts, or None.
        seconds: the seconds that the solve took.
    """

    def __init__(
        self,
        graph: OwnedGraph,
        sets: Mapping[Hashable, npt.NDArray[np.bool_]],
        player: int,
        memories: Sequence[Hashable],
        results: tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]],
        start: Any,
        seconds: float,
        *,
        recurs: bool,
    ) -> None:
        """Store a solved game.

        Args:
            graph: the graph.
            sets: whether each set contains each vertex, by the name of the set.
            player: the player who has to visit the sets.
            memories: the memories; see above.
            results: the winners and the winning edges.
            start: the vertex where the game starts, or None.
            seconds: the seconds that the solve took.
            recurs: whether the sets are to be visited for ever.
        """
        self.winners, best_edge = results
        self._sets, self._recurs = sets, recurs
        self.player, self.memories = player, tuple(memories)
        super().__init__(graph, self.winners[0], best_edge, start, seconds)

    def __getitem__(self, vertex: Any) -> int:
        """Return the player who wins from a vertex at the beginning.

        Raises:
            PositionError: there is no such vertex.
        """
        return int(self.winner[self._number(vertex)])

    def __repr__(self) -> str:
        """Return the numbers of vertices and sets, and of the vertices that each player wins."""
        each = " and ".join(
            f"player {player} {int((self.winner == player).sum()):,}" for player in (0, 1)
        )
        vertices, sets = count_phrase(len(self), "vertices"), count_phrase(len(self._sets), "sets")
        return f"<GeneralisedSolution of {vertices} and {sets}: {each}>"

    def strategy(self, player: int) -> dict[Any, Any]:
        """Return a winning strategy: the move of a player at each vertex, with each memory.

        Args:
            player: 0 or 1.

        Returns:
            The vertex to move to by ``(vertex, memory)``, where the player wins and is to move.

        Raises:
            ParameterError: the player is not 0 or 1.
        """
        mask = (self.winners == valid_player(player)) & (self.best_edge >= 0)
        targets = self.best
        return {
            (self.nodes[vertex], self.memories[memory]): self.nodes[int(targets[memory, vertex])]
            for memory, vertex in zip(*(row.tolist() for row in np.nonzero(mask)), strict=True)
        }

    def next_memory(self, memory_before: Any, vertex: Any) -> Any:
        """Return the memory after a visit to a vertex.

        Args:
            memory_before: the memory at the vertex, one of ``memories``.
            vertex: the vertex.

        Returns:
            One of ``memories``; or the frozen set of all names, when all sets have been visited and
            the game is won.

        Raises:
            PositionError: there is no such vertex or memory.
        """
        number = self._number(vertex)
        if memory_before not in self.memories:
            message = f"{memory_before!r} is not a memory of the solution; give one of its memories"
            raise PositionError(message)
        if self._recurs:
            names = list(self._sets)
            place = names.index(memory_before)
            return (
                names[(place + 1) % len(names)]
                if self._sets[memory_before][number]
                else memory_before
            )
        visited = (name for name, members in self._sets.items() if members[number])
        return memory_before.union(visited)

    def line(self, vertex: Any = None) -> Lasso:
        """Return a play from a vertex in which the winner follows the strategy.

        The loser takes the first edge of each vertex. The play ends when all sets have been
        visited, unless they are to be visited for ever.

        Args:
            vertex: the first vertex; by default the start.

        Raises:
            PositionError: there is no such vertex, or no start.
        """
        number = self._number(self._start if vertex is None else vertex)
        indptr, indices = self._graph.indptr, self._graph.indices
        winner = int(self.winner[number])
        rows = {memory: row for row, memory in enumerate(self.memories)}
        row, places = 0, dict[tuple[int, int], int]()
        while (row, number) not in places:
            places[row, number] = len(places)
            begin, end = int(indptr[number]), int(indptr[number + 1])
            memory = self.next_memory(self.memories[row], self.nodes[number])
            if begin == end or memory not in rows:
                return Lasso(tuple(self.nodes[each] for _, each in places), (), None, winner)
            edge = self.best_edge.item(row, number)
            row, number = rows[memory], int(indices[edge if edge >= 0 else begin])
        names = tuple(self.nodes[each] for _, each in places)
        length = places[row, number]
        return Lasso(names[:length], names[length:], None, winner)

    def explain(self, vertex: Any = None) -> str:
        """Return in words who wins from a vertex, with a play as an example.

        Args:
            vertex: the vertex; by default the start.

        Raises:
            PositionError: there is no such vertex, or no start.
        """
        name = self._start if vertex is None else vertex
        lasso = self.line(name)
        visited = lasso.cycle if self._recurs else (*lasso.path, *lasso.cycle)
        numbers = [self._number(each) for each in visited]
        missed = [str(each) for each, members in self._sets.items() if not members[numbers].any()]
        path, cycle = " → ".join(map(str, lasso.path)), ""
        if lasso.cycle:
            cycle = "to the cycle " + " → ".join(map(str, (*lasso.cycle, lasso.cycle[0])))
        along = " ".join(filter(None, (path and f"along {path}", cycle)))
        if lasso.winner == self.player:
            sets = "all sets" if len(self._sets) > 1 else "the set"
            reason = f"which visits {sets}"
        else:
            reason = f"which does not visit {', '.join(missed)}"
        if self._recurs and not lasso.cycle:
            reason = "where the loser cannot move"
        return (
            f"player {lasso.winner} wins from {name}: the winner's moves may lead {along}, {reason}"
        )

    def _fault(self) -> Fault | None:
        """Return a fault of the winners and strategies, or None."""
        from zermelo._engine.infinite.certificate_graph import Fault
        from zermelo._engine.infinite.memory_certificate import VisitingClaim, check

        differs = self.winner != self.winners[0]
        if differs.any():
            return Fault(int(np.argmax(differs)), "has another winner with the first memory")
        memories = None
        if not self._recurs:
            visited = [[name in memory for name in self._sets] for memory in self.memories]  # type: ignore[operator]
            memories = np.array(visited, np.bool_)
        sets = np.array(list(self._sets.values()))
        claim = VisitingClaim(sets, self.player, memories, self.winners, self.best_edge)
        return check(self._graph.for_certificate, claim)


def solve_generalised_reachability(
    graph: Any,
    target_sets: Any,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> GeneralisedSolution:
    """Solve a generalised reachability game: a player has to visit each of several sets once.

    The order does not matter, and what happens after the last visit does not either. The opponent
    wins if one of the sets is never visited, also because a player cannot move before. (To visit
    *one* of several sets is to visit their union; see ``attractor``.)

    Who wins is found on the product of the graph and the sets that have been visited, up to two to
    the power of their number; the question is PSPACE-complete (N. Fijalkow and F. Horn, "The
    surprising complexity of generalized reachability games", 2010).

    Args:
        graph: the graph, in any form that ``attractor`` takes.
        target_sets: the sets, each as ``attractor`` takes a target: a mapping from names to sets,
            or a list of at most 62.
        player: the player who has to visit them, 0 or 1.
        owner: the players to move, as for ``attractor``.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use in addition to its arguments.
        threads: threads to use, for a part of the work; the answer does not depend on it.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, whose ``region(player)`` has the nodes from which the player can do it.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, the player is not 0 or 1, or
            there are no sets, or too many.
        PositionError: an element of a set, or the start, is not a node.
        BudgetError: the product needs more memory than is allowed.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.infinite import memory_product as engine

    began = time.perf_counter()
    arena, sets = _checked_sets(graph, target_sets, owner)
    side = valid_player(player)
    if len(sets) > engine.MOST_SETS:
        message = f"there are {len(sets)} target sets, and {engine.MOST_SETS} can be remembered; "
        message += "give fewer"
        raise ParameterError(message)
    masks = np.array(list(sets.values()))
    ledger = Ledger.for_budget(memory_bytes(memory))
    memories = engine.visited_sets(masks, len(arena.indices), ledger, _work(arena, sets))
    _reserve(ledger, arena, sets, len(memories))
    product = engine.visiting_product(arena.indptr, arena.indices, masks, memories)
    names = [
        frozenset(name for bit, name in enumerate(sets) if visited >> bit & 1)
        for visited in memories.tolist()
    ]
    results = _solve(arena, product, side, ledger, threads=threads, progress=progress)
    seconds = time.perf_counter() - began
    return GeneralisedSolution(arena, sets, side, names, results, start, seconds, recurs=False)


def solve_generalised_safety(
    graph: Any,
    unsafe_sets: Any,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> GeneralisedSolution:
    """Solve a generalised safety game: a player has to keep one of several sets from any visit.

    The opponent has to visit each of the sets, so it is ``solve_generalised_reachability`` for the
    opponent. (To avoid *all* of several sets is to avoid their union; see ``safe_strategy``.)

    Args:
        graph: the graph; for this and the other arguments see ``solve_generalised_reachability``.
        unsafe_sets: the sets, one of which has to remain without a visit.
        player: the player who has to prevent a visit to all, 0 or 1.
        owner: the players to move.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use.
        threads: threads to use.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, whose ``region(player)`` has the nodes from which the player can do it, and
        whose ``player`` is the opponent.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, the player is not 0 or 1, or
            there are no sets, or too many.
        PositionError: an element of a set, or the start, is not a node.
        BudgetError: the product needs more memory than is allowed.
    """
    return solve_generalised_reachability(
        graph,
        unsafe_sets,
        1 - valid_player(player),
        owner,
        start=start,
        memory=memory,
        threads=threads,
        progress=progress,
    )


def solve_generalised_buchi(
    graph: Any,
    target_sets: Any,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> GeneralisedSolution:
    """Solve a generalised Büchi game: a player has to visit each of several sets for ever.

    The opponent wins if play stays outside one of the sets from some time on. A player who cannot
    move loses. The game is solved as a Büchi game on the product of the graph and the set that is
    next, in the order of the sets.

    Args:
        graph: the graph; for this and the other arguments see ``solve_generalised_reachability``.
        target_sets: the sets, a mapping from names to sets, or a list.
        player: the player who has to visit them, 0 or 1.
        owner: the players to move.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use.
        threads: threads to use.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, the player is not 0 or 1, or
            there are no sets.
        PositionError: an element of a set, or the start, is not a node.
        BudgetError: the product needs more memory than is allowed.
    """
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.infinite import memory_product as engine

    began = time.perf_counter()
    arena, sets = _checked_sets(graph, target_sets, owner)
    side = valid_player(player)
    ledger = Ledger.for_budget(memory_bytes(memory))
    _reserve(ledger, arena, sets, len(sets))
    masks = np.array(list(sets.values()))
    product = engine.recurrence_product(arena.indptr, arena.indices, masks)
    results = _solve(arena, product, side, ledger, threads=threads, progress=progress)
    seconds = time.perf_counter() - began
    return GeneralisedSolution(arena, sets, side, list(sets), results, start, seconds, recurs=True)


def _checked_sets(
    graph: object, given_sets: object, owner: object
) -> tuple[OwnedGraph, dict[Hashable, npt.NDArray[np.bool_]]]:
    """Return the graph, and whether each set contains each vertex, by the name of the set.

    Raises:
        ParameterError: the graph is invalid, or there are no sets.
        PositionError: an element of a set is not a node.
    """
    arena = OwnedGraph.of(graph, owner)
    if isinstance(given_sets, str) or not isinstance(given_sets, Iterable):
        message = f"{given_sets!r} is not several sets; give a list of sets, or a dictionary"
        raise ParameterError(message)
    named = given_sets if isinstance(given_sets, Mapping) else dict(enumerate(given_sets))
    sets = {name: arena.mask(members) for name, members in named.items()}
    if not sets:
        message = "there are no sets; give at least one"
        raise ParameterError(message)
    return arena, sets


def _work(arena: OwnedGraph, sets: Mapping[Hashable, object]) -> str:
    """Return the game in words, for errors."""
    vertices, count = count_phrase(len(arena.owners), "vertices"), count_phrase(len(sets), "sets")
    return f"a game of {vertices} with {count}"


def _reserve(ledger: Any, arena: OwnedGraph, sets: Mapping[Hashable, Any], memories: int) -> None:
    """Reserve the memory of a product.

    Raises:
        BudgetError: it is too little.
    """
    from zermelo._engine.infinite.memory_product import product_bytes

    needed = product_bytes(len(arena.owners), len(arena.indices), memories)
    ledger.reserve(needed, _work(arena, sets), "give fewer sets")


def _solve(
    arena: OwnedGraph, product: MemoryProduct, player: int, ledger: Any, **options: Any
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the winners and the winning edges of the graph, by memory and vertex.

    Args:
        arena: the graph.
        product: the product of the graph and a memory.
        player: the player who has to visit the sets.
        ledger: the memory budget, in which the product is reserved.
        **options: further arguments of ``ParityGame.solve``.

    Raises:
        BudgetError: the memory is too little.
    """
    memories, count = product.is_over.shape
    owners = np.tile(arena.owners, memories)
    game = ParityGame(product.first, product.edges, product.priorities + player, owners)
    solution = game.solve(memory=ledger.allowed - ledger.peak, **options)
    offsets = (solution.best_edge - product.first[:-1]).reshape(memories, count)
    moves = (solution.best_edge.reshape(memories, count) >= 0) & ~product.is_over
    best_edge = np.where(moves, offsets + arena.indptr[:-1].astype(np.int64), -1)
    return solution.winner.reshape(memories, count), best_edge
