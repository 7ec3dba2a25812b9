"""Discovery: all positions reachable from the starts, numbered breadth first, with their moves.

To expand a position, the rules write its children into a small buffer. Children are numbered by a
batch of look-ups. Threads share a layer if it is large enough (see ``parallel``). The numbers do
not depend on the number of threads.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint32Array, Uint64Array
from zermelo._engine.expand.expander import (
    CAPACITY,
    CHUNK,
    LEAST_CHUNK,
    Buffers,
    Expand,
    buffer_bytes,
    chunk_size,
    run_expand,
)
from zermelo._engine.expand.graph_builder import GraphBuilder
from zermelo._engine.expand.narrow import (
    FORWARD,
    FOUND,
    HEAD,
    KNOWN,
    LAYERED,
    LAYERS,
    MOVES,
    PATIENCE,
    ROOM,
    STATE,
    WIDTH,
)
from zermelo._engine.expand.size_estimate import SizeEstimator
from zermelo._engine.index.hash_index import MOST_POSITIONS

if TYPE_CHECKING:
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo._engine.expand.parallel import ParallelSearch
    from zermelo._engine.index.hash_index import HashIndex
    from zermelo._engine.store.packed_moves import PackedMoves
    from zermelo.progress import Reporter

#: A layer of fewer positions is expanded in small chunks, whose buffers are allocated quickly.
_LEAST_FULL_LAYER = 1 << 10
#: A frontier of fewer positions is expanded by one thread.
_LEAST_SHARED_FRONTIER = 4 * CHUNK


@dataclass
class Graph:
    """The reachable positions and the moves between them.

    Attributes:
        words: 64-bit words of a packed position.
        positions: the number of positions; they are numbered from 0, the starts first.
        starts: the number of starts.
        keys: packed positions by number.
        table: the index from packed positions to numbers.
        first: index in ``edges`` of each position's first move; one entry more marks the end.
        edges: the child of each move.
        values: codes of terminal positions, ``kind.unknown`` for the others.
        owners: the player to move, or empty if the players strictly alternate.
        gains: points of each move, or empty.
        forward: whether every move leads to a greater number.
        layers: the first position of each breadth-first layer, and the end of the last layer, in
            eight bytes each.
        layered: whether every move leads to a later layer.
        whole: whether the moves are stored; else ``first``, ``edges`` and ``gains`` are empty.
        packed: the moves if they are packed, ``first`` and ``edges`` being empty; else None.
    """

    words: int
    positions: int
    starts: int
    keys: Uint64Array
    table: HashIndex
    first: Int64Array
    edges: Uint32Array
    values: npt.NDArray[Any]
    owners: Uint8Array
    gains: npt.NDArray[np.int64 | np.uint8]
    forward: bool
    layers: array[int]
    layered: bool
    whole: bool = True
    packed: PackedMoves | None = None

    @property
    def moves(self) -> int:
        """The number of moves that are stored."""
        return len(self.edges) if self.packed is None else self.packed.moves


class HandoverError(Exception):
    """Discovery was abandoned, because another method is preferable."""


def explore(
    expand: Expand,
    starts: Uint64Array,
    budget: GraphMemory,
    threads: int,
    report: Reporter,
    *,
    may_drop: bool = True,
    packs: bool = False,
    abandon: Callable[[Sequence[int]], bool] | None = None,
) -> Graph:
    """Find all reachable positions.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions, shape (k, words).
        budget: the memory budget.
        threads: threads to use at most, 1 or more.
        report: receives the numbers of positions found and expanded.
        may_drop: whether to continue without the moves if they do not fit in memory.
        packs: whether moves may be packed, if play may return to a position.
        abandon: is called with the first position of each layer found so far, and the end of the
            last layer; returns whether to abandon discovery.

    Raises:
        BudgetError: the positions exceed the budget, or are estimated to exceed it.
        RulesError: a rule broke the contract at a position.
        MovesTooLargeError: the moves do not fit, and ``may_drop`` is False.
        HandoverError: ``abandon`` returned True.
    """
    store, estimator = (
        GraphBuilder(expand, budget, may_drop, packs and not expand.kind.gains),
        SizeEstimator(expand, starts, budget.ledger.allowed, report),
    )
    with _ExpansionThreads(store, threads) as expansion:
        store.add(np.ascontiguousarray(starts).reshape(-1), len(starts))
        start_count = store.known
        layers = array("q", [0])
        head = 0
        while head < store.known:
            layers.append(store.known)
            if abandon is not None and abandon(layers):
                raise HandoverError
            due = MOST_POSITIONS
            if _grows(layers):  # else most positions are found already
                estimator.sample_if_due(store.known, store.most_positions)
                due = estimator.due
            reached = expansion.expand_narrow_layers(head, layers, due)
            if reached == head:
                reached = _expand_layer(expansion, head, store.known, report)
            else:
                report.advance(reached, None)
            head = reached
    return _graph(store, start_count, layers)


def _grows(layers: Sequence[int]) -> bool:
    """Return whether the last layer, if not the first, is larger than the one before."""
    *_, begin, middle, end = 0, *layers[-3:]
    return end - middle > middle - begin


def _graph(store: GraphBuilder, starts: int, layers: array[int]) -> Graph:
    """Return the finished graph."""
    expand, known = store.expand, store.known
    moves = store.moves if store.lists_edges else 0
    return Graph(
        expand.words,
        known,
        starts,
        store.keys.array[: known * expand.words],
        store.table,
        store.first.array[: known + 1 if store.lists_edges else 0],
        store.edges.array[:moves],
        store.values.array[:known],
        store.owners.array[: 0 if expand.alternate else known],
        store.gains.array[: moves if expand.kind.gains else 0],
        store.forward,
        layers,
        store.layered,
        store.whole,
        store.packed,
    )


class _ExpansionThreads:
    """The threads that expand positions: the calling thread, and a pool if layers are large."""

    def __init__(self, store: GraphBuilder, threads: int) -> None:
        self.store = store
        self.threads = threads
        self.position_bytes = buffer_bytes(store.expand)
        #: Positions of a full chunk, for layers that are large enough.
        self.full_chunk = chunk_size(store.budget.ledger.allowed, self.position_bytes)
        self.chunk = LEAST_CHUNK
        self.buffers = self._buffers(self.chunk)
        self.parallel: ParallelSearch | None = None
        self.patience = PATIENCE

    def _buffers(self, chunk: int) -> Buffers:
        self.store.budget.buffers += chunk * self.position_bytes
        return Buffers.for_rules(self.store.expand, chunk, limits.current().batch(chunk * CAPACITY))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.parallel is not None:
            self.parallel.close()
        self.store.budget.buffers = 0

    def grow(self) -> None:
        """Change to chunks of full size, as a layer is large enough to fill them."""
        self.store.budget.buffers -= self.chunk * self.position_bytes
        self.chunk = self.full_chunk
        self.buffers = self._buffers(self.chunk)

    def layer_pool(self) -> ParallelSearch | None:
        """Return the threads that share a layer; None if one thread expands all layers."""
        store = self.store
        if self.parallel is None and self.threads > 1:
            from zermelo._engine.expand.parallel import ParallelSearch

            needed = ParallelSearch.round_bytes(store.expand, store.budget, self.threads)
            if needed is None:
                self.threads = 1
                return None
            store.budget.buffers += needed
            self.parallel = ParallelSearch(store, self.threads)
        return self.parallel

    def expand_narrow_layers(self, head: int, layers: array[int], most: int) -> int:
        """Expand several narrow layers in one kernel call, if many layers were narrow.

        Args:
            head: the first position of the next layer.
            layers: the first position of each layer, and the end of the last layer. New layers are
                appended; the end of a last layer that is not expanded is not.
            most: the number of positions found at which a sample is due.

        Returns:
            The first position not expanded.
        """
        store = self.store
        run: Callable[..., None] | None = getattr(store.expand, "narrow", None)
        if run is None or store.known - head > WIDTH:
            return head
        self.patience -= 1
        if self.patience > 0 or not store.reserve(ROOM, head):
            return head
        state = np.zeros(STATE, np.int64)
        state[: LAYERED + 1] = (
            head,
            store.known,
            store.known,
            store.moves,
            store.forward,
            store.layered,
        )
        capacity = np.array([min(store.known + ROOM, most), store.moves + ROOM])
        bounds = np.empty(LAYERS, np.int64)
        run(state, capacity, bounds, self.buffers, store.table.arrays, store.graph())
        store.known, store.moves = int(state[KNOWN]), int(state[MOVES])
        store.forward, store.layered = bool(state[FORWARD]), bool(state[LAYERED])
        layers.frombytes(bounds[: state[FOUND]].tobytes())
        reached = int(state[HEAD])
        if head < reached < store.known:
            layers.pop()
        return reached

    def expand(self, head: int, stop: int, end: int) -> int:
        """Expand positions from ``head``, at most to ``stop``; return the new head."""
        store = self.store
        expanded, child_count = run_expand(store.expand, store.keys.array, head, stop, self.buffers)
        store.append_expanded(head, expanded, child_count, end, self.buffers)
        return head + expanded


def _expand_layer(expansion: _ExpansionThreads, head: int, end: int, report: Reporter) -> int:
    """Expand a layer, the positions ``head`` to ``end``; return ``end``."""
    is_shared = end - head >= limits.current().shared(_LEAST_SHARED_FRONTIER)
    if is_shared and (parallel := expansion.layer_pool()) is not None:
        least = LEAST_CHUNK
        parallel.layer(
            head, end, lambda begin: expansion.expand(begin, min(begin + least, end), end), report
        )
        return end
    if (
        end - head >= min(_LEAST_FULL_LAYER, expansion.full_chunk)
        and expansion.full_chunk > expansion.chunk
    ):
        expansion.grow()
    while head < end:
        head = expansion.expand(head, min(head + expansion.chunk, end), end)
        report.advance(head, None)
    return end
