"""Discovery by several threads: rounds in which each takes a share of every step.

A round takes some chunks of a layer. Their positions are expanded; then their children are looked
up, and claimed where they are new; then what was claimed gets its number (see ``claims``); and
while the chunks of the next round are expanded, the moves of this one are written down. Between
two steps the threads wait for each other. In each step they take one chunk after another, so
that one that is held up leaves more to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import claims
from zermelo._engine.growing import Store
from zermelo._engine.index import MOST_POSITIONS, entries_for
from zermelo._engine.memory import zeros
from zermelo._engine.sharing import taken

if TYPE_CHECKING:
    from zermelo._engine.budget import Budget
    from zermelo._engine.explore import Expand
    from zermelo.progress import Reporter

#: Chunks of a round for each thread: at the most, and at the least.
_CHUNKS, _LEAST_CHUNKS = 8, 2
#: Children of a chunk: at the most, and at the least that are worth it.
_CHILDREN, _LEAST_CHILDREN = 1 << 14, 1 << 11
#: Positions of a chunk at the most.
_POSITIONS = 1 << 13
#: Room there is left for chunks that have more children than the last ones.
_MARGIN = 1.25
#: The share of the memory that a round may take.
_SHARE = 32


@dataclass
class _Chunk:
    """Part of a round, and of the one before.

    Attributes:
        low: where in the row its children begin.
        ends: for each position, how many children there are up to and with it.
        gains: what the moves gain, in a score game.
        begin: the first position to expand.
        stop: the first not to.
        done: how many were expanded.
        made: how many children they have.
        base: where their moves go.
        number: the first number that it gives.
        last: ``begin``, ``done`` and ``base`` of the round before, whose moves are not written yet.
        leads: whether the moves written last all lead forward, and beyond their layer.
    """

    low: int
    ends: npt.NDArray[np.int32]
    gains: npt.NDArray[np.int64]
    begin: int = 0
    stop: int = 0
    done: int = 0
    made: int = 0
    base: int = 0
    number: int = 0
    last: tuple[int, int, int] = (0, 0, 0)
    leads: tuple[bool, bool] = (True, True)


class Crowd:
    """Threads that expand layers together.

    Attributes:
        chunks: the parts of a round.
        row: the children of a round.
        told: what their look-up gave, as ``claims`` has it.
        numbers: the numbers of those that are new, where they stand first; before they have
            any, their entries in the index.
        offset: from which number on those of a round are claims.
        beyond: the first number beyond the layer.
        moves: moves a position, in the chunk that had most of the last round.
    """

    def __init__(self, store: Store, threads: int) -> None:
        """Make room for a round.

        Args:
            store: the growing graph.
            threads: threads to use, this one included.
        """
        self.store = store
        self.expand = expand = store.expand
        self.helpers = threads - 1
        self.pool = ThreadPoolExecutor(self.helpers, thread_name_prefix="zermelo-expand")
        count, children = _shape(expand, store.budget, threads)
        row = count * children
        self.children = children
        self.row: npt.NDArray[Any] = zeros(row * expand.words, np.uint64)
        self.told: npt.NDArray[Any] = zeros(row, np.uint32)
        self.numbers: npt.NDArray[Any] = zeros(row, np.int64)
        gained = children if expand.scored else 0
        self.chunks = [
            _Chunk(low, np.empty(_POSITIONS, np.int32), np.empty(gained, np.int64))
            for low in range(0, row, children)
        ]
        self.offset = self.beyond = 0
        self.moves = 1.0

    @staticmethod
    def needed(expand: Expand, budget: Budget, threads: int) -> int | None:
        """Return the bytes that a round takes, or None where they are too many for the budget."""
        count, children = _shape(expand, budget, threads)
        size = _bytes(expand, threads, count, children)
        return size if size * _SHARE <= budget.allowed else None

    def close(self) -> None:
        """Let the other threads go."""
        self.pool.shutdown(wait=True, cancel_futures=True)

    def layer(self, head: int, end: int, alone: Callable[[int], int], report: Reporter) -> None:
        """Expand the positions ``head`` to ``end``, which are one layer.

        Args:
            head: the first.
            end: the first of the next layer.
            alone: expands some positions, from the one with this number on, without this, and
                returns the first not expanded: for what a chunk has no room for, or is faulty.
            report: is told how many are expanded.
        """
        store = self.store
        self.beyond = end
        self.moves = max(1.0, store.moves / max(head, 1))
        while True:
            self._plan(head, end)
            self._each(self._link_and_expand)
            for chunk in self.chunks:
                store.forward &= chunk.leads[0]
                store.layered &= chunk.leads[1]
            if head == end:
                return
            done, made = self._cut()
            full = store.known + made + len(self.told) > MOST_POSITIONS
            if done == 0 or full:
                head = alone(head)
            else:
                self._number(head, done, made)
                head += done
            report.advance(head)

    def _taken(self, work: Callable[[int], None], items: Iterable[int]) -> None:
        taken(self.pool, self.helpers, work, items)

    def _each(self, work: Callable[[_Chunk], None]) -> None:
        taken(self.pool, self.helpers, work, self.chunks)

    def _plan(self, head: int, end: int) -> None:
        """Say which positions to expand next."""
        size = int(self.children / (_MARGIN * self.moves))
        size = max(1, min(size, _POSITIONS, -(-(end - head) // len(self.chunks))))
        for chunk in self.chunks:
            chunk.begin, chunk.stop = head, min(head + size, end)
            head = chunk.stop
        self.store.values.ensure(head, self.chunks[0].begin)
        if not self.expand.alternate:
            self.store.owners.ensure(head, self.chunks[0].begin)

    def _link_and_expand(self, chunk: _Chunk) -> None:
        """Write the moves of the round before, which leaves the chunk free for new children."""
        store, words = self.store, self.expand.words
        parent, done, base = chunk.last
        chunk.leads, chunk.last = (True, True), (0, 0, 0)
        if done:
            places = (chunk.low, self.offset, self.told, self.numbers, self.beyond)
            into = (store.whole, base, store.first.array, store.edges.array)
            chunk.leads = claims.link(chunk.ends, done, parent, *places, *into)
            if store.whole and self.expand.scored:
                made = chunk.ends[done - 1]
                store.gains.array[base : base + made] = chunk.gains[:made]
        chunk.done = chunk.made = 0
        begin, stop = chunk.begin, chunk.stop
        if begin == stop:
            return
        try:
            chunk.done, chunk.made, _ = self.expand(
                store.keys.array,
                begin,
                stop,
                self.row[chunk.low * words : (chunk.low + self.children) * words],
                chunk.ends,
                store.values.array[begin:stop],
                store.owners.array[begin:stop] if not self.expand.alternate else _NO_OWNERS,
                chunk.gains,
            )
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # raised again when its turn comes
            return

    def _cut(self) -> tuple[int, int]:
        """Keep the chunks up to the first that is not done; return positions and children."""
        done = made = 0
        whole = True
        most = 0.0
        for chunk in self.chunks:
            if not whole:
                chunk.done = chunk.made = 0
            elif chunk.done:
                most = max(most, chunk.made / chunk.done)
            whole &= chunk.done == chunk.stop - chunk.begin
            chunk.base = made
            done += chunk.done
            made += chunk.made
        self.moves = max(1.0, most)
        return done, made

    def _number(self, head: int, done: int, made: int) -> None:
        """Number the children of ``done`` positions from number ``head`` on."""
        store = self.store
        base = self._make_room(head, done, made)
        self.offset = store.known + made
        self._each(self._claim)
        number = store.known
        for chunk in self.chunks:
            chunk.number, chunk.base = number, base + chunk.base
            high = chunk.low + chunk.made
            number += claims.count_claims(self.told, chunk.low, high, self.offset)
            chunk.last = (chunk.begin, chunk.done, chunk.base)
        self._each(self._settle)
        store.known = number
        store.moves += made

    def _make_room(self, head: int, done: int, made: int) -> int:
        """Make room for children of whom nobody knows yet how many are new.

        Returns:
            Where their moves go.
        """
        store, words = self.store, self.expand.words
        entries, direct = store.entries(made)
        keys = store.keys.ensure((store.known + made) * words, store.known * words)
        table = store.table
        if direct and not all(self._fits(chunk) for chunk in self.chunks):
            # A position is outside the declared space, though its fields fit their bits.
            entries, direct = entries_for(store.known + made), False
        if (entries, direct) != (table.entries, table.is_direct):
            table.grow(entries, keys, store.known, direct=direct, each=self._taken)
        if not store.whole:
            return 0
        base = store.moves
        store.edges.ensure(base + made, base)
        store.first.ensure(head + done + 1, head + 1)
        if self.expand.scored:
            store.gains.ensure(base + made, base)
        return base

    def _fits(self, chunk: _Chunk) -> bool:
        high = chunk.low + chunk.made
        return bool(claims.has_place(self.row, chunk.low, high, self.store.table.used))

    def _claim(self, chunk: _Chunk) -> None:
        table, keys = self.store.table, self.store.keys.array
        share = (self.row, chunk.low, chunk.low + chunk.made)
        if table.is_direct:
            claims.claim_direct(*share, table.entered, table.used, self.offset, self.told)
        else:
            told = (self.offset, self.told, self.numbers)
            claims.claim(*share, table.words, table.entered, keys, *told)

    def _settle(self, chunk: _Chunk) -> None:
        table, keys = self.store.table, self.store.keys.array
        share = (self.row, chunk.low, chunk.low + chunk.made)
        numbers: Any = (self.offset, self.told, chunk.number, self.numbers)
        if table.is_direct:
            claims.settle_direct(*share, table.entered, table.used, keys, *numbers)
        else:
            claims.settle(*share, table.words, table.entered, keys, *numbers)


_NO_OWNERS = np.empty(0, np.uint8)


def _bytes(expand: Expand, threads: int, count: int, children: int) -> int:
    """Return the bytes of so many chunks with so many children each."""
    each = 8 * expand.words + 8 * expand.scored + 4 + 8
    return count * (children * each + 4 * _POSITIONS) + 4 * children * threads


def _shape(expand: Expand, budget: Budget, threads: int) -> tuple[int, int]:
    """Return how many chunks a round has, and how many children each at the most."""
    count, children = _CHUNKS * threads, _CHILDREN
    while _bytes(expand, threads, count, children) * _SHARE > budget.allowed:
        if children > _LEAST_CHILDREN:
            children //= 2
        elif count > _LEAST_CHUNKS * threads:
            count //= 2
        else:
            break
    return count, children
