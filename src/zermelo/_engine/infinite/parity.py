"""Parity games: the winner of each vertex, and a winning strategy of both players."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.transpose import reverse, transposing_bytes
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.infinite.promotion import (
    DECIDED_COUNT,
    NO_EDGE,
    NO_VERTEX,
    PRIORITY,
    STATE_SIZE,
    ParityGraph,
    Search,
    promote,
    win,
)
from zermelo.forms.quantities import count_phrase
from zermelo.progress import Reporter

#: Edges that are followed between two reports of progress.
_BUDGET = 1 << 25
#: The greatest priority that priorities are counted up to, not sorted; and the most of 16 bits.
_MOST_COUNTED, _MOST_SHORT = 1 << 20, 1 << 16
#: Bytes that a search takes for each vertex, and for each priority.
_VERTEX_BYTES, _PRIORITY_BYTES = 45, 16


def compressed(priorities: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
    """Return priorities with the same winners, as few and as small as possible.

    Priorities of one parity become equal if none of the other parity is between them.

    Args:
        priorities: priorities of which the greatest decides, from 0.
    """
    if not len(priorities):
        return np.zeros(0, np.int32)
    if int(priorities.max()) <= _MOST_COUNTED:
        occurring = np.flatnonzero(np.bincount(priorities))
        places = priorities
    else:
        occurring, places = np.unique(priorities, return_inverse=True)
    changes = (np.diff(occurring) & 1).astype(np.bool_)
    numbers = np.cumsum(np.concatenate([[occurring[0] & 1], changes]), dtype=np.int32)
    if places is not priorities:
        return numbers[places]
    number_of_priority = np.zeros(int(occurring[-1]) + 1, np.int32)
    number_of_priority[occurring] = numbers
    return number_of_priority[priorities]


def solve(
    first: IntArray,
    edges: IntArray,
    owners: npt.NDArray[np.uint8],
    priorities: npt.NDArray[np.int32],
    ledger: Ledger,
    report: Reporter,
    threads: int,
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
    """Return the winner of each vertex, and the edge by which the player to move there wins.

    A player who cannot move loses.

    Args:
        first: the index in ``edges`` of each vertex's first edge, and one number more.
        edges: the target of each edge.
        owners: the player to move at each vertex.
        priorities: compressed priorities; see ``compressed``.
        ledger: the memory budget.
        report: receives the number of decided vertices.
        threads: threads that transpose the graph.

    Returns:
        The winners, 0 or 1; and an index in ``edges`` for each vertex whose player wins, else -1.

    Raises:
        BudgetError: the memory is too little.
    """
    count, levels = len(owners), int(priorities.max(initial=-1)) + 1
    work = f"a parity game of {count_phrase(count, 'vertices')} and "
    work += count_phrase(len(edges), "edges")
    held = _VERTEX_BYTES * count + _PRIORITY_BYTES * levels
    ledger.reserve(held + transposing_bytes(count, len(edges)), work)
    with report.phase("transpose"):
        graph = ParityGraph(first, edges, *reverse(first, edges, threads), owners, priorities)
    # Sorting is by digits, in linear time, for numbers of 16 bits.
    keys = priorities.astype(np.uint16) if levels <= _MOST_SHORT else priorities
    order = np.argsort(keys, kind="stable").astype(np.uint32)
    places = first.astype(np.int64, copy=False)
    degrees = places[1:] - places[:-1]
    search = Search(
        region=priorities.copy(),
        winner=np.full(count, -1, np.int8),
        strategy=np.full(count, NO_EDGE, np.int64),
        open_edges=degrees.astype(np.int32),
        order=order,
        queue=zeros(count, np.uint32),
        moved=zeros(count, np.uint32),
        next_member=zeros(count, np.int64),
        begins=np.searchsorted(priorities[order], np.arange(levels + 1)).astype(np.int64),
        members=np.full(levels, NO_VERTEX, np.int64),
        state=np.zeros(STATE_SIZE, np.int64),
    )
    search.state[PRIORITY] = NO_VERTEX
    with report.phase("parity", count):
        _decide_at_once(graph, search, degrees)
        while not promote(graph, search, limits.current().batch(_BUDGET)):
            report.advance(int(search.state[DECIDED_COUNT]))
        report.advance(count)
    search.strategy[search.winner != owners] = NO_EDGE
    return search.winner, search.strategy


def _decide_at_once(
    graph: ParityGraph,
    search: Search,
    degrees: npt.NDArray[np.int64],
) -> None:
    """Decide the vertices without edges, and those where a player wins by staying there."""
    sources = np.repeat(np.arange(len(degrees), dtype=np.uint32), degrees)
    loops = np.flatnonzero(sources == graph.edges)
    looping = sources[loops]
    parities = graph.priorities[looping] & 1
    winning = parities == graph.owners[looping]
    loops, looping, parities = loops[winning], looping[winning], parities[winning]
    stuck = np.flatnonzero(degrees == 0)
    for player in (0, 1):
        _win_all(graph, search, player, stuck[graph.owners[stuck] != player])
    for player in (0, 1):
        is_open = (parities == player) & (search.winner[looping] < 0)
        search.strategy[looping[is_open]] = loops[is_open]
        _win_all(graph, search, player, np.unique(looping[is_open]))


def _win_all(graph: ParityGraph, search: Search, player: int, vertices: IntArray) -> None:
    """Decide vertices for a player, and those attracted to them."""
    search.queue[: len(vertices)] = vertices
    win(graph, search, player, len(vertices))
