"""Forced reachability and safety: attractors, winning regions and safe strategies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.forms.quantities import count_phrase
from zermelo.graph.game import GraphGame, reachability, solve_networkx
from zermelo.graph.owned_graph import Mask, OwnedGraph, valid_player
from zermelo.values.outcomes import NOBODY


def attractor(
    graph: Any,
    target: Iterable[Any] | npt.ArrayLike,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    memory: int | str | None = None,
    threads: int | None = None,
) -> Any:
    """Return the nodes from which a player can force play to a target.

    Play that ends elsewhere, because a player cannot move, has not reached the target.

    Args:
        graph: a directed graph of networkx, with nodes of any type (an undirected graph has each
            edge both ways); a ``GraphGame``; a sparse matrix of scipy; rows of successors; or the
            arrays ``(indptr, indices)``.
        target: the nodes to reach; for arrays also a row of booleans, one per node.
        player: the player who has to reach the target, 0 or 1.
        owner: the player to move at each node, 0 or 1: the node attribute or a mapping, for
            networkx; an array otherwise. A ``GraphGame`` has owners already.
        memory: the memory that the solve may use; see ``solve``.
        threads: threads to use.

    Returns:
        A set of nodes for a graph of networkx, or a ``GraphGame`` whose vertices have names; for
        others an array of booleans, one per node. It includes the target. The time is proportional
        to the number of edges.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, or the player is not 0 or 1.
        PositionError: a target is not a node.
        BudgetError: more memory is needed than is allowed.
    """
    player_number = valid_player(player)
    arena = OwnedGraph.of(graph, owner)
    won = _force_region(arena, arena.mask(target), player_number, memory, threads)
    return arena.as_given(won)


def winning_region(
    graph: Any,
    player: int = 0,
    outcome: str | Mapping[Any, int | None] = "outcome",
    owner: str | Mapping[Any, int] = "owner",
    *,
    endless: int = NOBODY,
    memory: int | str | None = None,
    threads: int | None = None,
) -> Any:
    """Return the nodes from which a player wins.

    Args:
        graph: a graph of networkx, or a ``GraphGame``, which has outcomes and owners already.
        player: the player, 0 or 1.
        outcome: the outcomes of nodes; see ``solve_networkx``.
        owner: the players to move; see ``solve_networkx``.
        endless: the player for whom play without end is a win; by default it is a draw. A
            ``GraphGame`` has this field already.
        memory: the memory that the solve may use; see ``solve``.
        threads: threads to use.

    Returns:
        A set of nodes if they have names, as in a graph of networkx; else an array of booleans.

    Raises:
        ParameterError: the graph is invalid, see ``solve_networkx``; or a game has no owners.
        BudgetError: more memory is needed than is allowed.
    """
    player_number = valid_player(player)
    limits: Any = {"memory": memory, "threads": threads}
    if isinstance(graph, GraphGame):
        solution = graph.solve(**limits)
        if graph.vertex_names is None:
            return solution.arrays.winner == player_number
    else:
        solution = solve_networkx(graph, outcome, owner, endless=endless, **limits)
    pairs = zip(solution, solution.arrays.winner.tolist(), strict=True)
    return {node for node, winner in pairs if winner == player_number}


@dataclass(frozen=True, eq=False)
class SafeStrategy:
    """The nodes where a player can stay safe for ever, and all safe moves.

    This is the *permissive* strategy: a player who makes only safe moves stays safe, and every
    other move gives the opponent a way to the unsafe nodes.

    Attributes:
        region: the nodes where the player is safe: a set if they have names, as in a graph of
            networkx; else an array of booleans, one per node.
        edges: for each edge whether it is a safe move of the player: it starts in the region at a
            node of the player, and stays in the region. In the order of ``graph.edges`` for a
            directed graph of networkx, of ``indices`` for arrays.
        player: the player.
    """

    region: Any
    edges: Mask
    player: int
    _arena: OwnedGraph

    def moves(self, node: Any) -> list[Any]:
        """Return the successors of a node to which the player may safely move.

        Args:
            node: a node of the graph.

        Returns:
            The distinct successors, in the order of the edges; empty if it is not the player's
            turn, if the player is not safe, or if the player to move cannot move.

        Raises:
            PositionError: there is no such node.
        """
        place = self._arena.number(node)
        begin, end = int(self._arena.indptr[place]), int(self._arena.indptr[place + 1])
        targets = self._arena.indices[begin:end][self.edges[begin:end]]
        return [self._arena.nodes[target] for target in dict.fromkeys(targets.tolist())]

    def __repr__(self) -> str:
        """Return the number of safe nodes and moves."""
        count = len(self.region) if isinstance(self.region, set) else int(self.region.sum())
        nodes = count_phrase(len(self._arena.nodes), "nodes")
        return (
            f"<SafeStrategy of player {self.player}: {count:,} of {nodes} "
            f"safe, {count_phrase(int(self.edges.sum()), 'safe moves')}>"
        )


def safe_strategy(
    graph: Any,
    unsafe: Iterable[Any] | npt.ArrayLike,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    memory: int | str | None = None,
    threads: int | None = None,
) -> SafeStrategy:
    """Return the nodes where a player can avoid unsafe nodes for ever, with the moves.

    A safety game: all nodes outside the opponent's ``attractor`` of the unsafe nodes are safe. Play
    that ends at a safe node, because a player cannot move, is safe.

    Args:
        graph: the graph, in any form that ``attractor`` takes.
        unsafe: the nodes to avoid; for arrays also a row of booleans, one per node.
        player: the player who has to avoid them, 0 or 1.
        owner: the players to move, as for ``attractor``.
        memory: the memory that the solve may use; see ``solve``.
        threads: threads to use.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, or the player is not 0 or 1.
        PositionError: an unsafe node is not a node.
        BudgetError: more memory is needed than is allowed.
    """
    player_number = valid_player(player)
    arena = OwnedGraph.of(graph, owner)
    safe = ~_force_region(arena, arena.mask(unsafe), 1 - player_number, memory, threads)
    own_edges = np.repeat(safe & (arena.owners == player_number), arena.degrees)
    return SafeStrategy(arena.as_given(safe), own_edges & safe[arena.indices], player_number, arena)


def _force_region(
    arena: OwnedGraph, target: Mask, player: int, memory: int | str | None, threads: int | None
) -> Mask:
    """Return the nodes from which a player can force play to a target."""
    game = reachability(arena.indptr, arena.indices, arena.owners, target, player)
    won: Mask = game.solve(memory=memory, threads=threads).arrays.winner == player
    return won
