"""Discovery by several threads: in each round all threads share every step.

A round handles some chunks of a layer. Their positions are expanded; their children are looked up,
and reserved if they are new; reserved entries get their numbers (see ``reservations``); the moves
are written. Between two steps the threads wait for each other, so two rounds overlap: while the
children of one round are looked up, the moves of the previous round are written, and while they are
numbered, the positions of the next round are expanded. In each step threads take chunks from a
shared queue, so that a slow thread leaves more chunks to the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    Uint8Array,
    Uint32Array,
    Uint64Array,
)
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import for_each
from zermelo._engine.expand import reservations
from zermelo._engine.expand.expander import Buffers
from zermelo._engine.expand.graph_builder import GraphBuilder, leads_forward, set_first
from zermelo._engine.index.hash_index import MOST_POSITIONS, all_bits, entries_for
from zermelo._engine.store.packed_moves import most_bytes, pack_rows

if TYPE_CHECKING:
    from zermelo._engine.expand.expander import Expand
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo.progress import Reporter

#: Chunks of a round for each thread: at most, and at least.
_CHUNKS, _LEAST_CHUNKS = 8, 2
#: Children of a chunk: at most, and at least.
_CHILDREN, _LEAST_CHILDREN = 3 << 13, 3 << 9
#: Positions of a chunk: at most, and at least if the layer has as many.
_POSITIONS, _LEAST_POSITIONS = 1 << 13, 1 << 9
#: The spare capacity for chunks that have more children than the last ones, as a factor.
_MARGIN = 1.25
#: The largest part of the memory that a round may take, as a divisor.
_SHARE = 32


@dataclass
class _Chunk:
    """A chunk of positions in a round.

    Attributes:
        low: the index of its first child in the row.
        ends: the cumulative number of children up to and with each position.
        gains: the points of its moves, in a score game.
        lost: for each chunk, the number of its reservations that this one has taken over.
        bits: the bits of each word that are 1 in any of its children.
        packed: its moves, packed, in a buffer that is allocated once moves are packed.
        packed_bytes: the bytes of its packed moves.
        packed_moves: the number of moves in them.
        degrees: the number of moves of each position, if moves are packed.
        begin: the first position to expand.
        stop: the position after the last to expand.
        expanded_count: the number of positions expanded.
        child_count: the number of their children.
        base: the index of its first move in the graph.
        reserved: the number of children it has reserved.
        number: the first number that it assigns.
    """

    low: int
    ends: Int32Array
    gains: Int64Array
    lost: Int64Array
    bits: Uint64Array
    packed: Uint8Array
    degrees: Uint32Array
    packed_bytes: int = 0
    packed_moves: int = 0
    begin: int = 0
    stop: int = 0
    expanded_count: int = 0
    child_count: int = 0
    base: int = 0
    reserved: int = 0
    number: int = 0


class _Round:
    """The chunks of a round.

    Attributes:
        chunks: the chunks.
        numbers: the result of looking up their children: numbers or reservations; see
            ``reservations``.
        offset: numbers from ``offset`` on are reservations.
    """

    def __init__(self, expand: Expand, count: int, children: int) -> None:
        row = count * children
        gained = children if expand.kind.gains else 0
        self.numbers: npt.NDArray[Any] = zeros(row, np.uint32)
        self.chunks = [
            _Chunk(
                low,
                np.empty(min(_POSITIONS, children), np.int32),
                np.empty(gained, np.int64),
                np.zeros(count, np.int64),
                np.zeros(expand.words, np.uint64),
                np.empty(0, np.uint8),
                np.empty(0, np.uint32),
            )
            for low in range(0, row, children)
        ]
        self.offset = 0


class ParallelSearch:
    """Threads that expand layers together.

    Attributes:
        row: the children of a round, chunk by chunk, until they are numbered.
        places: the entries of the reserved children in the index.
        least_entries: the entries of a hash table at least, so that numbers in them can be
            reservations.
        current: the round whose children are in the row.
        previous: the previous round, whose moves are still to be written, or the next.
        layer_end: the first number beyond the layer.
        moves: moves per position, in the chunk of the last round that had most.
    """

    def __init__(self, store: GraphBuilder, threads: int) -> None:
        """Allocate two rounds.

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
        self.least_entries = 1 << row.bit_length()
        self.row: npt.NDArray[Any] = zeros(row * expand.words, np.uint64)
        self.places: npt.NDArray[Any] = zeros(row, np.int64)
        self.current, self.previous = (_Round(expand, count, children) for _ in range(2))
        self.layer_end = 0
        self.moves = 1.0

    @staticmethod
    def round_bytes(expand: Expand, budget: GraphMemory, threads: int) -> int | None:
        """Return the bytes of a round, or None if they exceed its share of the memory."""
        count, children = _shape(expand, budget, threads)
        size = _bytes(expand, threads, count, children)
        return size if size * _SHARE <= budget.ledger.allowed else None

    def close(self) -> None:
        """Stop the other threads."""
        self.pool.shutdown(wait=True, cancel_futures=True)

    def layer(
        self, head: int, end: int, expand_alone: Callable[[int], int], report: Reporter
    ) -> None:
        """Expand the positions ``head`` to ``end``, which are one layer.

        Args:
            head: the first position.
            end: the first position of the next layer.
            expand_alone: expands some positions from a given one on, in this thread only, and
                returns the first not expanded: for a position that does not fit in a chunk, or is
                faulty.
            report: receives the number of positions expanded.
        """
        store = self.store
        self.layer_end = end
        self.moves = max(1.0, store.moves / max(head, 1))
        self._plan(head, end)
        self._for_each_chunk(self._expand, self.current.chunks)
        while head < end:
            expanded_count, child_count = self._cut()
            full = store.known + child_count + len(self.current.numbers) > MOST_POSITIONS
            if expanded_count == 0 or full:
                self._finish_links()
                head = expand_alone(head)
                self._plan(head, end)
                self._for_each_chunk(self._expand, self.current.chunks)
            else:
                self._number(head, expanded_count, child_count, end)
                head += expanded_count
            report.advance(head)
        self._finish_links()

    def _finish_links(self) -> None:
        """Write the moves of the previous round, which is empty then."""
        self._mark_won_ends()
        self._for_each_chunk(self._link, self.previous.chunks)
        self._append_packed()
        for chunk in self.previous.chunks:
            chunk.expanded_count = 0

    def _append_packed(self) -> None:
        """Append the packed moves of the previous round, if moves are packed."""
        packed = self.store.packed
        if packed is None:
            return
        for chunk in self.previous.chunks:
            if chunk.expanded_count:
                degrees = chunk.degrees[: chunk.expanded_count]
                packed.append_packed(
                    degrees, chunk.packed[: chunk.packed_bytes], chunk.packed_moves
                )

    def _mark_won_ends(self) -> None:
        """Read which positions of the previous round are ends, if moves are packed.

        No thread does so while others read it, so what is packed does not depend on them.
        """
        packed, values = self.store.packed, self.store.values.array
        if packed is None:
            return
        for chunk in self.previous.chunks:
            end = chunk.begin + chunk.expanded_count
            packed.mark_won_ends(values, chunk.begin, end, self.store.known)

    def _for_each_item(self, work: Callable[[int], None], items: Iterable[int]) -> None:
        for_each(self.pool, self.helpers, work, items)

    def _for_each_chunk(self, work: Callable[[_Chunk], None], chunks: list[_Chunk]) -> None:
        for_each(self.pool, self.helpers, work, chunks)

    def _plan(self, head: int, end: int) -> None:
        """Assign the positions to expand next to chunks."""
        chunks = self.current.chunks
        size = int(self.children / (_MARGIN * self.moves))
        even = max(_LEAST_POSITIONS, -(-(end - head) // len(chunks)))
        size = max(1, min(size, _POSITIONS, even))
        chunks_begin = head
        for chunk in chunks:
            chunk.begin, chunk.stop = head, min(head + size, end)
            head = chunk.stop
        self.store.values.ensure(head, chunks_begin)
        if not self.expand.alternate:
            self.store.owners.ensure(head, chunks_begin)

    def _expand(self, chunk: _Chunk) -> None:
        store, words = self.store, self.expand.words
        chunk.expanded_count = chunk.child_count = 0
        chunk.bits[:] = 0
        begin, stop = chunk.begin, chunk.stop
        if begin == stop:
            return
        try:
            buffers = Buffers(
                self.row[chunk.low * words : (chunk.low + self.children) * words],
                chunk.ends,
                store.values.array[begin:stop],
                store.owners.array[begin:stop] if not self.expand.alternate else _NO_OWNERS,
                chunk.gains,
                words,
            )
            chunk.expanded_count, chunk.child_count, _ = self.expand(
                store.keys.array, begin, stop, buffers
            )
            all_bits(buffers.children, 0, chunk.child_count, words, chunk.bits)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001  # raised again when its turn comes
            return

    def _link(self, chunk: _Chunk) -> None:
        """Write the moves of the previous round."""
        store, count, base = self.store, chunk.expanded_count, chunk.base
        if not count:
            return
        numbers, low, high = self.previous.numbers, chunk.low, chunk.low + chunk.child_count
        targets, base_index = (store.edges.array, base) if store.lists_edges else (numbers, low)
        reservations.link(numbers, low, high, self.previous.offset, targets, base_index)
        forward, layered = leads_forward(
            chunk.ends,
            count,
            chunk.begin,
            self.layer_end,
            targets,
            base_index,
            forward=store.forward,
            layered=store.layered,
        )
        if not forward:  # never set to True, as another thread may have set it to False
            store.forward = False
        if not layered:
            store.layered = False
        if store.packed is not None:
            if not len(chunk.packed):
                chunk.packed = np.empty(most_bytes(self.children, len(chunk.ends)), np.uint8)
                chunk.degrees = np.empty(len(chunk.ends), np.uint32)
            rows = (chunk.ends, count, chunk.begin, targets, base_index)
            written = (chunk.degrees, 0, chunk.packed, 0)
            ends = (store.packed.won_ends, *store.values_and_owners)
            chunk.packed_bytes, chunk.packed_moves = map(int, pack_rows(*rows, *written, *ends))
        elif store.whole:
            set_first(chunk.ends, count, chunk.begin, base, store.first.array)
            if self.expand.kind.gains:
                store.gains.array[base : base + chunk.child_count] = chunk.gains[
                    : chunk.child_count
                ]

    def _cut(self) -> tuple[int, int]:
        """Keep the chunks up to the first unfinished one.

        Return the numbers of positions and children.
        """
        expanded_count = child_count = 0
        is_gapless = True
        most_moves = 0.0
        for chunk in self.current.chunks:
            if not is_gapless:
                chunk.expanded_count = chunk.child_count = 0
            elif chunk.expanded_count:
                most_moves = max(most_moves, chunk.child_count / chunk.expanded_count)
            is_gapless &= chunk.expanded_count == chunk.stop - chunk.begin
            chunk.base = child_count
            expanded_count += chunk.expanded_count
            child_count += chunk.child_count
        self.moves = max(1.0, most_moves)
        return expanded_count, child_count

    def _number(self, head: int, expanded_count: int, child_count: int, end: int) -> None:
        """Number the children of the positions from ``head`` on; expand the next chunks."""
        store, current, previous = self.store, self.current, self.previous
        base = self._make_space(head, expanded_count, child_count)
        current.offset = store.known + child_count
        self._mark_won_ends()
        steps = [(self._reserve, chunk) for chunk in current.chunks]
        # The shortest steps come last, so that no thread waits long for another.
        steps += [(self._link, chunk) for chunk in previous.chunks]
        for_each(self.pool, self.helpers, _run_step, steps)
        self._append_packed()
        store.pack_if_many(head)
        number = store.known
        all_lost = np.sum([chunk.lost for chunk in current.chunks], axis=0).tolist()
        for chunk, lost in zip(current.chunks, all_lost, strict=True):
            chunk.number, chunk.base = number, base + chunk.base
            number += chunk.reserved - lost
        self.current, self.previous = previous, current
        self._plan(head + expanded_count, end)
        self._for_each_chunk(self._settle_and_expand, current.chunks)
        store.known = number
        store.moves += child_count

    def _make_space(self, head: int, expanded_count: int, child_count: int) -> int:
        """Allocate space for all children, some of which may be new.

        Returns:
            The index of their first move.
        """
        store, words = self.store, self.expand.words
        entries, direct = store.entries(child_count)
        keys = store.keys.ensure((store.known + child_count) * words, store.known * words)
        table = store.table
        bits = np.bitwise_or.reduce([chunk.bits for chunk in self.current.chunks])
        if direct and bits[0] & ~table.used:
            # A position is outside the declared space, though its fields fit their bits.
            entries, direct = entries_for(store.known + child_count), False
        if not direct:  # an entry must have space for every reservation
            entries = max(entries, self.least_entries)
        if (entries, direct) != (table.entries, table.is_direct):
            table.grow(entries, keys, store.known, direct=direct, for_each=self._for_each_item)
        if not direct:
            table.widen(bits, keys, store.known)
        if not store.lists_edges:
            return 0
        base = store.moves
        store.edges.ensure(base + child_count, base)
        store.first.ensure(head + expanded_count + 1, head + 1)
        if self.expand.kind.gains:
            store.gains.ensure(base + child_count, base)
        return base

    def _reserve(self, chunk: _Chunk) -> None:
        table, keys, current = self.store.table, self.store.keys.array, self.current
        share = (self.row, chunk.low, chunk.low + chunk.child_count)
        chunk.lost[:] = 0
        loss_arguments: Any = (self.children, chunk.lost)
        number_arguments: Any = (current.offset, current.numbers)
        if table.is_direct:
            chunk.reserved = reservations.reserve_direct(
                *share, table.entered, table.used, *number_arguments, *loss_arguments
            )
        else:
            number_arguments = (keys, *number_arguments, self.places)
            chunk.reserved = reservations.reserve(
                *share, table.entered, table.form, *number_arguments, *loss_arguments
            )

    def _settle_and_expand(self, chunk: _Chunk) -> None:
        """Number the reserved children of a chunk; expand the next round's chunk in its place."""
        table, keys, numbers = self.store.table, self.store.keys.array, self.previous.numbers
        share = (self.row, chunk.low, chunk.low + chunk.child_count)
        number_arguments: Any = (self.previous.offset, numbers, chunk.number)
        if table.is_direct:
            reservations.number_firsts_direct(
                *share, table.entered, table.used, keys, *number_arguments
            )
        else:
            number_arguments = (*number_arguments, self.places)
            reservations.number_firsts(*share, table.entered, table.form, keys, *number_arguments)
        self._expand(self.current.chunks[chunk.low // self.children])


def _run_step(step: tuple[Callable[[_Chunk], None], _Chunk]) -> None:
    work, chunk = step
    work(chunk)


_NO_OWNERS = np.empty(0, np.uint8)


def _bytes(expand: Expand, threads: int, count: int, children: int) -> int:
    """Return the bytes of ``count`` chunks with ``children`` each."""
    child_bytes = 8 * expand.words + 8 + 16 + 2 * (8 * expand.kind.gains + 4 + 5)
    return (
        count * (children * child_bytes + 8 * min(_POSITIONS, children) + 16 * count)
        + 4 * children * threads
    )


def _shape(expand: Expand, budget: GraphMemory, threads: int) -> tuple[int, int]:
    """Return the number of chunks of a round, and the most children of each."""
    count, children = _CHUNKS * threads, limits.current().batch(_CHILDREN)
    while _bytes(expand, threads, count, children) * _SHARE > budget.ledger.allowed:
        if children > _LEAST_CHILDREN:
            children //= 2
        elif count > _LEAST_CHUNKS * threads:
            count //= 2
        else:
            break
    return count, children
