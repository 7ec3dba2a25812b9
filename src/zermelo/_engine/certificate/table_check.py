"""The certificate: one pass over every position's moves that accepts exactly the right values.

Positions are checked in batches. A batch is expanded, its children are looked up in the table, and
a kernel compares each value with the value that its successors imply. If the whole table is in
memory, batches are small and threads share them. If its file is read block by block, one batch uses
all available memory, as each batch reads nearly all blocks once.

The certificate runs the rules forward from each position again and checks only that each stored
value follows from its successors' values. No wrong table passes:

* A win or a loss follows only from successors of smaller remoteness, so by induction on remoteness
  every one of them is true; so is every tie.
* A position that is truly won or lost cannot be stored as anything else: of all such positions,
  consider one of least true remoteness. All successors that decide it are stored rightly, and
  they imply its value.
* Wins and losses without a remoteness, and scores, count only if every move lowers the table's
  potential, so that a position's successors are true by induction on the potential. Nimbers may
  belong to games with cycles; ``nimbers`` states what proves them.
* Scores with plies count if no move raises the table's stages, and every move that makes points
  lowers them: then the value of endless play is constant along a cycle. A player above this value
  has a move that keeps the margin and is settled sooner; if he is below it, every move that keeps
  the margin is settled sooner.
* Every position but a start must be entered by a move from a smaller place, so that no isolated set
  of positions proves itself, and every move must lead to a position of the table. If every move
  must lower the potential, a move from any place suffices. In a table whose places do not reflect
  the order of discovery, the positions are checked in the order in which they are reached from
  the starts, until none is left. In a table of all legal positions each must be legal, and all
  legal positions must be there (``legal``).

The certificate uses nothing of the solver: not its graph, nor its counters, nor its order.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.certificate.kernels import (
    MISSING_START,
    NOT_LEGAL,
    NOTHING,
    UNREACHED,
    Finding,
    are_legal,
)
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.certificate.order import QUEUED, Order, PageOrder, QueueOrder
from zermelo._engine.certificate.position_check import check_expanded
from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.expander import Buffers, Expand, expanded_parts
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes of a position of a batch and of a move before the look-up of its child, without their
#: words; and bytes of a move in the proof that there are no cycles.
_POSITION, _MOVE, _PROVED = 40, 32, 24
#: Children of a large batch that are looked up together, and bytes of each during the look-up.
_PIECE, _PIECE_BYTES = 1 << 14, 48
#: Bytes outside arrays, in all and for each thread: stacks, decompressors.
_FIXED_BYTES, _THREAD_BYTES = 1 << 20, 1 << 19
#: The capacity of a batch in moves for each position, the least capacity, and the least positions
#: of a batch. Moves beyond the capacity are looked up in several steps.
_CAPACITY, _LEAST_CAPACITY, _LEAST_POSITIONS = 4, 3, 256
_NONE = np.empty(0, np.int64)


@dataclass(frozen=True)
class Batches:
    """The size of batches, and their number at a time.

    Attributes:
        count: the number of batches at a time.
        page: positions of a batch.
        capacity: children of a batch that are looked up together.
        bytes: the bytes of all batches, without the table and its byte for each place.
    """

    count: int
    page: int
    capacity: int
    bytes: int

    @classmethod
    def estimate(cls, expand: Expand, count: int, page: int, capacity: int) -> Batches:
        """Estimate the bytes of ``count`` batches."""
        words = 8 * expand.words
        move = words + _MOVE + _PROVED * expand.kind.needs_potential
        batch_bytes = page * (words + _POSITION) + capacity * move
        batch_bytes += (min(capacity, _PIECE) if page > PAGE else capacity) * _PIECE_BYTES
        return cls(count, page, capacity, count * batch_bytes + 2 * QUEUED * 8 * page)

    @classmethod
    def fit(cls, expand: Expand, threads: int, page: int, allowed: int) -> Batches:
        """Return the most and largest useful batches within ``allowed`` bytes, or the smallest."""
        batches = cls.estimate(expand, 2 * threads, page, _CAPACITY * page)
        if batches.bytes <= allowed:
            return batches
        for count in range(threads, 0, -1):
            size = page
            while size > _LEAST_POSITIONS and batches.bytes > allowed:
                size = max(size * 7 // 8, _LEAST_POSITIONS)
                batches = cls.estimate(expand, count, size, _LEAST_CAPACITY * size)
            if batches.bytes <= allowed:
                break
        return batches


def overhead_bytes(threads: int) -> int:
    """Return the bytes that every certificate takes."""
    return _FIXED_BYTES + _THREAD_BYTES * threads


def certify(
    expand: Expand,
    starts: Uint64Array,
    table: Table,
    threads: int,
    report: Reporter,
    batches: Batches | None = None,
) -> Finding:
    """Check every value of ``table`` against its successors' values.

    The check takes a byte for each place and the memory of the batches, in addition to the table.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions as the rules give them, shape (k, words).
        table: positions and values.
        threads: threads to use.
        report: receives the number of positions checked.
        batches: the size of batches, if memory is limited.

    Returns:
        The finding; of several faults, the first in the order of the table.
    """
    batches = batches or Batches.fit(expand, threads, PAGE, sys.maxsize)
    page = batches.page
    with (
        report.phase("verify", len(table)),
        ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool,
    ):
        reached = np.zeros(table.span, np.uint8)
        start_places = np.empty(len(starts), np.int64)
        packed = np.ascontiguousarray(starts).reshape(-1)
        if table.places(packed, len(starts), start_places) < len(starts):
            return Finding(len(table), 0, MISSING_START, int(np.argmin(start_places)))
        if table.reachability_evidence == "any":
            walk = QueueOrder(start_places, reached, page, gapless=table.span == len(table))
            finding = check_pages(expand, table, reached, walk, pool, report, batches)
            if finding.fault != NOTHING:
                # This fault is the first in the order of the walk; the result is the first by
                # place.
                pages = PageOrder(table.pages(), page)
                no_marks = np.empty(0, np.uint8)
                first = check_pages(expand, table, no_marks, pages, pool, report, batches)
                return replace(first, moves=finding.moves)
        else:
            reached[start_places] = 1
            pages = PageOrder(table.pages(), page, legal=table.reachability_evidence == "legal")
            finding = check_pages(expand, table, reached, pages, pool, report, batches)
        if finding.fault != NOTHING:
            return finding
        for places in table.pages():
            is_reached = reached[places]
            if not is_reached.all():
                legal = table.reachability_evidence == "legal"
                fault = NOT_LEGAL if legal else UNREACHED
                return finding.with_fault(fault, int(places[np.argmin(is_reached)]))
        return finding


def first_wrong(
    expand: Expand,
    table: Table,
    pages: Iterator[Int64Array],
    threads: int,
    report: Reporter,
    capacity: int = sys.maxsize,
) -> Finding:
    """Check the values at some places, and that their moves stay in the table.

    Args:
        expand: the compiled rules.
        table: positions and values.
        pages: the places, ascending, at most ``PAGE`` in a batch.
        threads: threads to use.
        report: receives the number of positions checked.
        capacity: bytes that may be taken in addition to what is read of the table.
    """
    no_marks = np.empty(0, np.uint8)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        batches = Batches.fit(expand, threads, PAGE, capacity)
        places = PageOrder(pages, batches.page)
        return check_pages(expand, table, no_marks, places, pool, report, batches)


def check_pages(
    expand: Expand,
    table: Table,
    reached: Uint8Array,
    pages: Order,
    pool: ThreadPoolExecutor,
    report: Reporter,
    batches: Batches,
) -> Finding:
    """Check every value, and mark the positions that are reachable.

    Args:
        expand: the compiled rules.
        table: positions and values.
        reached: a byte for each place, which the order marks when it receives the targets of moves.
        pages: the order of the places.
        pool: the threads.
        report: receives the number of positions checked.
        batches: the size of batches.
    """
    page = min(batches.page, max(len(table), 1))
    count = batches.count if len(table) > page else 1
    spare = [_Batch(expand, page, batches.capacity) for _ in range(count)]
    running: deque[tuple[Any, _Batch]] = deque()
    positions = moves = 0
    while True:
        while spare:
            places = pages.next_batch()
            if places is None:
                break
            batch = spare.pop()
            batch.was_reached = pages.was_reached
            running.append((pool.submit(batch.check, table, reached, places, pages), batch))
        if not running:
            break
        job, batch = running.popleft()
        finding: Finding = job.result()
        spare.append(batch)
        if batch.was_reached is None:
            moves += finding.moves
            positions += finding.positions
        if finding.fault != NOTHING:
            return Finding(len(table), moves, finding.fault, finding.place, finding.expected)
        if batch.was_reached is not None and isinstance(pages, QueueOrder):
            ends, children = map(np.concatenate, zip(*batch.traced_moves, strict=True))
            progress = pages.trace(batch.places, batch.was_reached, ends, children)
            positions, moves = positions + progress[0], moves + progress[1]
        for new_places in batch.new_places:
            pages.add_reached(new_places)
        report.advance(positions)
    return Finding(len(table), moves)


class _Batch:
    """The buffers of a batch of positions while they are checked."""

    def __init__(self, expand: Expand, page: int, capacity: int) -> None:
        self.expand = expand
        self.buffers = Buffers.for_rules(expand, page, capacity)
        #: Whether children are looked up in ascending order, some at a time.
        self.ordered = page > PAGE
        #: Places that moves lead to and that had not been reached, if the order requires them.
        self.new_places: list[Int64Array] = []
        #: The places; which of them have been reached, or None for all; and for each part of them
        #: the cumulative number of moves, and the places that moves lead to.
        self.places = np.empty(0, np.int64)
        self.was_reached: BoolArray | None = None
        self.traced_moves: list[tuple[Int64Array, Int64Array]] = []

    def check(
        self,
        table: Table,
        reached: Uint8Array,
        places: Int64Array,
        pages: Order,
    ) -> Finding:
        """Check the positions at some places."""
        expand, buffers = self.expand, self.buffers
        keys = table.packed(places)
        self.new_places, self.traced_moves, self.places = [], [], places
        if pages.legal:
            reached[places[are_legal(expand, keys, len(places))]] = 1
        no_marks = np.empty(0, np.uint8)
        marks = no_marks if pages.needs_targets or pages.legal else reached
        moves = 0
        for part in expanded_parts(expand, keys, len(places), buffers):
            part_places, child_count = places[part.begin : part.end], part.moves
            children = self._look_up_children(table, child_count)
            fault, i, expected = check_expanded(
                expand,
                table,
                buffers,
                TableData.look_up_places(expand, table, part_places),
                children,
                marks,
            )
            if self.was_reached is not None:
                ends = part.ends.astype(np.int64) + moves
                self.traced_moves.append((ends, children.places[:child_count].copy()))
            elif pages.needs_targets:
                known = children.places
                self.new_places.append(known[(known >= 0) & (reached[known] == 0)])
            moves += child_count
            if fault != NOTHING:
                return Finding(part.begin, moves, fault, int(part_places[i]), expected)
        return Finding(len(places), moves)

    def _look_up_children(self, table: Table, child_count: int) -> TableData:
        """Look up the ``child_count`` children in the buffers.

        If a file is read block by block, all children in one block are looked up together.
        """
        expand, packed = self.expand, self.buffers.children
        if not self.ordered or child_count <= _PIECE:
            return TableData.look_up_positions(expand, table, packed, child_count)
        keys = packed[: child_count * expand.words].reshape(child_count, expand.words)
        order = np.argsort(keys[:, 0]) if expand.words == 1 else np.lexsort(keys.T[::-1])
        joined: Any = None
        for begin in range(0, child_count, _PIECE):
            piece_order = order[begin : begin + _PIECE]
            piece: Any = TableData.look_up_positions(
                expand, table, keys[piece_order].reshape(-1), len(piece_order)
            )
            if joined is None:
                joined = TableData(
                    *(zeros(child_count if len(column) else 0, column.dtype) for column in piece)
                )
            for target, column in zip(joined, piece, strict=True):
                if len(column):
                    target[piece_order] = column
        result: TableData = joined
        return result
