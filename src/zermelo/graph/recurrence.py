"""Büchi and co-Büchi games: to reach nodes again and again, or to stay among them in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.graph.owned_graph import OwnedGraph, valid_player
from zermelo.graph.parity import ParitySolution, solve_parity

if TYPE_CHECKING:
    from zermelo.progress import Listener


def solve_buchi(
    graph: Any,
    target: Iterable[Any] | npt.ArrayLike,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> ParitySolution:
    """Solve a Büchi game: a player has to reach the target again and again, for ever.

    It is a parity game with two priorities. A player who cannot move loses.

    Args:
        graph: the graph, in any form that ``attractor`` takes.
        target: the nodes to reach; for arrays also a row of booleans, one per node.
        player: the player who has to reach them, 0 or 1.
        owner: the players to move, as for ``attractor``.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use; see ``solve_parity``.
        threads: threads to use.
        progress: called with an ``Event`` now and then.

    Returns:
        The solution, whose ``region(player)`` has the nodes from which the player can do it, and
        ``strategy(player)`` the moves.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, or the player is not 0 or 1.
        PositionError: a target, or the start, is not a node.
        BudgetError: more memory is needed than is allowed.
    """
    arena = OwnedGraph.of(graph, owner)
    priorities = arena.mask(target) + np.int64(1)
    return _solve(
        arena,
        priorities,
        player,
        start=start,
        memory=memory,
        threads=threads,
        progress=progress,
    )


def solve_co_buchi(
    graph: Any,
    target: Iterable[Any] | npt.ArrayLike,
    player: int = 0,
    owner: str | Mapping[Any, int] | npt.ArrayLike = "owner",
    *,
    start: Any = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> ParitySolution:
    """Solve a co-Büchi game: a player has to stay in the target from some time on, for ever.

    Args:
        graph: the graph; for this and the other arguments see ``solve_buchi``.
        target: the nodes among which the player has to stay in the end.
        player: the player who has to stay there, 0 or 1.
        owner: the players to move.
        start: the vertex where the game starts, or None.
        memory: the memory that the solve may use.
        threads: threads to use.
        progress: called with an ``Event`` now and then.

    Raises:
        ParameterError: the graph is invalid, a node has no owner, or the player is not 0 or 1.
        PositionError: a target, or the start, is not a node.
        BudgetError: more memory is needed than is allowed.
    """
    arena = OwnedGraph.of(graph, owner)
    priorities = np.int64(1) - arena.mask(target)
    return _solve(
        arena,
        priorities,
        player,
        start=start,
        memory=memory,
        threads=threads,
        progress=progress,
    )


def _solve(
    arena: OwnedGraph, priorities: npt.NDArray[np.int64], player: int, **options: Any
) -> ParitySolution:
    """Solve a parity game in which a player wins if the greatest recurring priority is even.

    Args:
        arena: the graph.
        priorities: the priority of each node.
        player: the player.
        **options: further arguments of ``solve_parity``.
    """
    return solve_parity(arena, priorities + valid_player(player), **options)
