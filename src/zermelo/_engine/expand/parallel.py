"""Discovery by several threads: rounds in which each takes a share of every step.

A round takes some chunks of a layer. Their positions are expanded; then their children are looked
up, and reserved where they are new; then what is reserved gets its number (see ``reservations``);
then the moves are written down. Between two steps the threads wait for each other, so two rounds
share theirs: while the children of one are looked up the moves of the one before are written, and
while they are numbered the positions of the next are expanded. In each step threads take one chunk
after another, so that one that is held up leaves more to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import taken
from zermelo._engine.expand import reservations
from zermelo._engine.expand.graph_builder import GraphBuilder, leads, set_first
from zermelo._engine.index.hash_index import MOST_POSITIONS, entries_for

if TYPE_CHECKING:
    from zermelo._engine.expand.expander import Expand
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo.progress import Reporter

#: Chunks of a round for each thread: at most, and at least.
_CHUNKS, _LEAST_CHUNKS = 8, 2
#: Children of a chunk: at most, and at least that are worth it.
_CHILDREN, _LEAST_CHILDREN = 3 << 13, 3 << 9
#: Positions of a chunk at most, and at least where there are as many.
_POSITIONS, _LEAST_POSITIONS = 1 << 13, 1 << 9
#: Room there is left for chunks that have more children than the last ones.
_MARGIN = 1.25
#: The share of the memory that a round may take.
_SHARE = 32


@dataclass
class _Chunk:
    """Part of a round.

    Attributes:
        low: where in the row its children begin.
        ends: for each position, how many children there are up to and with it.
        gains: what the moves gain, in a score game.
        lost: for each chunk, how many reservations it has lost to this one.
        begin: the first position to expand.
        stop: the first not to.
        done: how many were expanded.
        made: how many children they have.
        base: where their moves go.
        reserved: how many children it has reserved.
        number: the first number that it gives.
    """

    low: int
    ends: npt.NDArray[np.int32]
    gains: npt.NDArray[np.int64]
    lost: npt.NDArray[np.int64]
    begin: int = 0
    stop: int = 0
    done: int = 0
    made: int = 0
    base: int = 0
    reserved: int = 0
    number: int = 0


class _Round:
    """Some chunks.

    Attributes:
        chunks: the chunks.
        told: what the look-up of their children gave, as ``reservations`` has it.
        offset: from which number on those are reservations.
    """

    def __init__(self, expand: Expand, count: int, children: int) -> None:
        row = count * children
        gained = children if expand.kind.gains else 0
        self.told: npt.NDArray[Any] = zeros(row, np.uint32)
        self.chunks = [
            _Chunk(
                low,
                np.empty(min(_POSITIONS, children), np.int32),
                np.empty(gained, np.int64),
                np.zeros(count, np.int64),
            )
            for low in range(0, row, children)
        ]
        self.offset = 0


class ParallelSearch:
    """Threads that expand layers together.

    Attributes:
        row: the children of a round, of each chunk of it until they are numbered.
        places: the entries in the index of those that are reserved.
        current: the round whose children are in the row.
        other: the round before, whose moves are still to be written, or the next.
        beyond: the first number beyond the layer.
        moves: moves a position, in the chunk that had most of the last round.
    """

    def __init__(self, store: GraphBuilder, threads: int) -> None:
        """Make room for two rounds.

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
        self.places: npt.NDArray[Any] = zeros(row, np.int64)
        self.current, self.other = (_Round(expand, count, children) for _ in range(2))
        self.beyond = 0
        self.moves = 1.0

    @staticmethod
    def needed(expand: Expand, budget: GraphMemory, threads: int) -> int | None:
        """Return the bytes that a round takes, or None where they are too many for the memory."""
        count, children = _shape(expand, budget, threads)
        size = _bytes(expand, threads, count, children)
        return size if size * _SHARE <= budget.ledger.allowed else None

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
        self._plan(head, end)
        self._each(self._expand, self.current.chunks)
        while head < end:
            done, made = self._cut()
            full = store.known + made + len(self.current.told) > MOST_POSITIONS
            if done == 0 or full:
                head = alone(head)
                self._plan(head, end)
                self._each(self._expand, self.current.chunks)
            else:
                self._number(head, done, made, end)
                head += done
            report.advance(head)
        self._each(self._link, self.other.chunks)
        for chunk in self.other.chunks:
            chunk.done = 0

    def _taken(self, work: Callable[[int], None], items: Iterable[int]) -> None:
        taken(self.pool, self.helpers, work, items)

    def _each(self, work: Callable[[_Chunk], None], chunks: list[_Chunk]) -> None:
        taken(self.pool, self.helpers, work, chunks)

    def _plan(self, head: int, end: int) -> None:
        """Say which positions to expand next."""
        chunks = self.current.chunks
        size = int(self.children / (_MARGIN * self.moves))
        even = max(_LEAST_POSITIONS, -(-(end - head) // len(chunks)))
        size = max(1, min(size, _POSITIONS, even))
        begun = head
        for chunk in chunks:
            chunk.begin, chunk.stop = head, min(head + size, end)
            head = chunk.stop
        self.store.values.ensure(head, begun)
        if not self.expand.alternate:
            self.store.owners.ensure(head, begun)

    def _expand(self, chunk: _Chunk) -> None:
        store, words = self.store, self.expand.words
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

    def _link(self, chunk: _Chunk) -> None:
        """Write the moves of the round before."""
        store, done, base = self.store, chunk.done, chunk.base
        if not done:
            return
        told, low, high = self.other.told, chunk.low, chunk.low + chunk.made
        into, at = (store.edges.array, base) if store.whole else (told, low)
        reservations.link(told, low, high, self.other.offset, into, at)
        forward, layered = leads(
            chunk.ends,
            done,
            chunk.begin,
            self.beyond,
            into,
            at,
            forward=store.forward,
            layered=store.layered,
        )
        if not forward:  # only ever set to False, as another thread may have done so meanwhile
            store.forward = False
        if not layered:
            store.layered = False
        if store.whole:
            set_first(chunk.ends, done, chunk.begin, base, store.first.array)
            if self.expand.kind.gains:
                store.gains.array[base : base + chunk.made] = chunk.gains[: chunk.made]

    def _cut(self) -> tuple[int, int]:
        """Keep the chunks up to the first that is not done; return positions and children."""
        done = made = 0
        whole = True
        most = 0.0
        for chunk in self.current.chunks:
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

    def _number(self, head: int, done: int, made: int, end: int) -> None:
        """Number the children of ``done`` positions from number ``head`` on, and expand more."""
        store, current, before = self.store, self.current, self.other
        base = self._make_space(head, done, made)
        current.offset = store.known + made
        steps = [(self._reserve, chunk) for chunk in current.chunks]
        # Last what takes least, so that no thread waits long for another.
        steps += [(self._link, chunk) for chunk in before.chunks]
        taken(self.pool, self.helpers, _do, steps)
        number = store.known
        all_lost = np.sum([chunk.lost for chunk in current.chunks], axis=0).tolist()
        for chunk, lost in zip(current.chunks, all_lost, strict=True):
            chunk.number, chunk.base = number, base + chunk.base
            number += chunk.reserved - lost
        self.current, self.other = before, current
        self._plan(head + done, end)
        self._each(self._settle_and_expand, current.chunks)
        store.known = number
        store.moves += made

    def _make_space(self, head: int, done: int, made: int) -> int:
        """Make room for children of whom nobody knows yet how many are new.

        Returns:
            Where their moves go.
        """
        store, words = self.store, self.expand.words
        entries, direct = store.entries(made)
        keys = store.keys.ensure((store.known + made) * words, store.known * words)
        table = store.table
        if direct and not all(self._fits(chunk) for chunk in self.current.chunks):
            # A position is outside the declared space, though its fields fit their bits.
            entries, direct = entries_for(store.known + made), False
        if (entries, direct) != (table.entries, table.is_direct):
            table.grow(entries, keys, store.known, direct=direct, each=self._taken)
        if not store.whole:
            return 0
        base = store.moves
        store.edges.ensure(base + made, base)
        store.first.ensure(head + done + 1, head + 1)
        if self.expand.kind.gains:
            store.gains.ensure(base + made, base)
        return base

    def _fits(self, chunk: _Chunk) -> bool:
        high = chunk.low + chunk.made
        return bool(reservations.has_place(self.row, chunk.low, high, self.store.table.used))

    def _reserve(self, chunk: _Chunk) -> None:
        table, keys, current = self.store.table, self.store.keys.array, self.current
        share = (self.row, chunk.low, chunk.low + chunk.made)
        chunk.lost[:] = 0
        lost: Any = (self.children, chunk.lost)
        told: Any = (current.offset, current.told)
        if table.is_direct:
            chunk.reserved = reservations.reserve_direct(
                *share, table.entered, table.used, *told, *lost
            )
        else:
            told = (keys, *told, self.places)
            chunk.reserved = reservations.reserve(*share, table.words, table.entered, *told, *lost)

    def _settle_and_expand(self, chunk: _Chunk) -> None:
        """Number what a chunk has reserved, which leaves its place in the row to the next round."""
        table, keys, told = self.store.table, self.store.keys.array, self.other.told
        share = (self.row, chunk.low, chunk.low + chunk.made)
        numbers: Any = (self.other.offset, told, chunk.number)
        if table.is_direct:
            reservations.settle_direct(*share, table.entered, table.used, keys, *numbers)
        else:
            numbers = (*numbers, self.places)
            reservations.settle(*share, table.words, table.entered, keys, *numbers)
        self._expand(self.current.chunks[chunk.low // self.children])


def _do(step: tuple[Callable[[_Chunk], None], _Chunk]) -> None:
    work, chunk = step
    work(chunk)


_NO_OWNERS = np.empty(0, np.uint8)


def _bytes(expand: Expand, threads: int, count: int, children: int) -> int:
    """Return the bytes of this many chunks with this many children each."""
    each = 8 * expand.words + 8 + 2 * (8 * expand.kind.gains + 4)
    return (
        count * (children * each + 8 * min(_POSITIONS, children) + 16 * count)
        + 4 * children * threads
    )


def _shape(expand: Expand, budget: GraphMemory, threads: int) -> tuple[int, int]:
    """Return how many chunks a round has, and how many children each at most."""
    count, children = _CHUNKS * threads, limits.current().batch(_CHILDREN)
    while _bytes(expand, threads, count, children) * _SHARE > budget.ledger.allowed:
        if children > _LEAST_CHILDREN:
            children //= 2
        elif count > _LEAST_CHUNKS * threads:
            count //= 2
        else:
            break
    return count, children
