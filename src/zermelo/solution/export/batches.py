"""Batch sizes for the rows of a solved game, within the memory budget."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from zermelo._engine.file.cache_limits import LEAST_CACHE, PARTS

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.table import Table
    from zermelo._store.column_files import Cost

#: The number of rows written in one batch.
ROWS = 1 << 16
#: How a table is read: unchanged, with an index made of it, all of it decompressed, or in parts
#: as they are needed, of which few are cached.
AS_IS, LOADED, DECOMPRESSED, BYPARTS = "as is", "loaded", "decompressed", "by parts"
#: The number of rows in a batch if every look-up decompresses part of a table, which more rows
#: then share; and the least number, for each of several threads and for one.
_MANY, _USEFUL, _LEAST = 8 * ROWS, 1 << 12, 1 << 8
#: The capacity for moves of a position, and the least; more moves take several look-ups.
_CAPACITY, _LEAST_CAPACITY = 4, 3
#: Bytes outside arrays, and for each thread: stacks, and the state of decompression.
_SMALL, _THREAD = 1 << 20, 1 << 19
#: Bytes of a row during its computation, and of one of its moves, besides their words; further
#: bytes of a move for gains; and for look-ups in a file, or of the children's remoteness.
_WORKED, _MOVE, _GAINS, _LOOKED_UP = 56, 16, 8, 48
#: Bytes of a row as cells, and of each number of its move while moves are compared.
_CELLS, _TOLD = 40, 48
#: The most bytes that are cached of a table that all threads read as they need it.
_AT_EASE = 1 << 31


@dataclass(frozen=True)
class BatchRow:
    """The size of a row.

    Attributes:
        words: the number of 64-bit words of the packed position.
        gains: whether moves make points.
        numbers: the count of numbers of the position.
        move: the count of numbers of the best move, if it has any.
        expands: whether successors are computed.
        has_steps: whether the remoteness of positions is needed.
    """

    words: int
    gains: bool
    numbers: int
    move: int
    expands: bool
    has_steps: bool = True

    @property
    def waiting_bytes(self) -> int:
        """Bytes between its computation and its writing."""
        return 8 * (self.words + self.numbers + self.move + 3) + 1

    @property
    def cell_bytes(self) -> int:
        """Bytes of its cells during writing."""
        return _CELLS + 8 * self.numbers + _TOLD * self.move

    def computing_bytes(self, capacity: int, *, loaded: bool) -> int:
        """Return its bytes during its computation, with this capacity for moves.

        Args:
            capacity: the number of moves.
            loaded: whether the table is in memory, with an index to find positions by.
        """
        move = 8 * self.words + _MOVE + _GAINS * self.gains
        move += _LOOKED_UP * (self.has_steps or not loaded)
        return _WORKED + 16 * self.words + (capacity * move if self.expands else 0)


@dataclass(frozen=True)
class BatchPlan:
    """A plan for the computation of rows.

    Attributes:
        size: the number of rows in a batch.
        capacity: the capacity for moves of each row.
        threads: the number of threads.
        bytes: the memory that this takes.
        reading: how the table is read.
        cache_bytes: if it is read in parts, the bytes to cache.
    """

    size: int
    capacity: int
    threads: int
    bytes: int
    reading: str = AS_IS
    cache_bytes: int | None = None


def plan_batches(
    table: Table, row: BatchRow, cost: Cost, threads: int, ledger: Ledger, *, moves: bool
) -> BatchPlan:
    """Return a plan for the computation of the rows of a table.

    Args:
        table: positions and values.
        row: the size of a row.
        cost: the memory that writing takes.
        threads: the available threads; one, if few parts of a table can be cached.
        ledger: the memory budget.
        moves: whether successors are looked up.

    Raises:
        BudgetError: the memory is too little.
    """
    allowed = ledger.allowed
    purpose = f"exporting {len(table):,} positions"
    largest_plan = partial(_largest_plan, row, cost, len(table))
    if table.file is None:
        plan = largest_plan(ROWS, threads, allowed, loaded=True)
        ledger.reserve(plan.bytes, purpose)
        return plan
    regimes = [(AS_IS, table.decompressed_bytes, ROWS), (AS_IS, _AT_EASE, _MANY)]
    if moves:
        # With ranks, the index has another order than the file, and both are read.
        is_ranked = table.reader is not None and "ranks" in table.reader.arrays
        ranked = table.decompressed_bytes if is_ranked else 0
        regimes[0] = (DECOMPRESSED, table.decompressed_bytes, ROWS)
        regimes.insert(0, (LOADED, table.loaded_bytes + ranked, ROWS))
    for reading, table_bytes, largest in regimes:
        loaded = reading == LOADED
        plan = largest_plan(largest, threads, allowed - table_bytes, loaded=loaded)
        if ledger.fits(plan.bytes + table_bytes):
            return BatchPlan(plan.size, plan.capacity, plan.threads, plan.bytes, reading)
    cache_bytes = max(allowed // PARTS, LEAST_CACHE)
    plan = largest_plan(_MANY, 1, allowed - cache_bytes)
    if not ledger.fits(plan.bytes + cache_bytes):
        cache_bytes = LEAST_CACHE
        plan = largest_plan(_MANY, 1, allowed - cache_bytes)
        ledger.reserve(plan.bytes + cache_bytes, purpose)
    return BatchPlan(plan.size, plan.capacity, plan.threads, plan.bytes, BYPARTS, cache_bytes)


def _largest_plan(
    row: BatchRow,
    cost: Cost,
    count: int,
    largest: int,
    threads: int,
    allowed: int,
    *,
    loaded: bool = False,
) -> BatchPlan:
    """Return the plan with the largest batches and most threads that fit, or the smallest plan."""
    plans = [_plan(row, cost, count, largest, _CAPACITY, threads, loaded=loaded)]
    for thread_count in range(threads, 0, -1):
        size = largest
        while size >= (_LEAST if thread_count == 1 else _USEFUL) and plans[-1].bytes > allowed:
            plans.append(
                _plan(row, cost, count, size, _LEAST_CAPACITY, thread_count, loaded=loaded)
            )
            size //= 2
    return plans[-1] if plans[-1].bytes <= allowed else min(plans, key=lambda plan: plan.bytes)


def _plan(
    row: BatchRow,
    cost: Cost,
    count: int,
    size: int,
    capacity: int,
    threads: int,
    *,
    loaded: bool,
) -> BatchPlan:
    """Estimate the memory of batches: one for each thread, and one that is being written."""
    rows = min(size, max(count, 1))
    group = min(rows, ROWS)
    needed_bytes = _SMALL + threads * (
        _THREAD + rows * row.computing_bytes(capacity, loaded=loaded)
    )
    needed_bytes += (threads + 1) * rows * row.waiting_bytes
    needed_bytes += (
        cost.fixed + group * (row.cell_bytes + cost.row) + cost.group * -(-count // group)
    )
    return BatchPlan(size, capacity, threads, needed_bytes)
