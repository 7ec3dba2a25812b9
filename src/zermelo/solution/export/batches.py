"""How many rows of a solved game are worked out at once within the memory there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo._engine.file.cache_limits import LEAST_CACHE, PARTS

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._store.column_files import Cost

#: Rows that are written at once.
ROWS = 1 << 16
#: How a table is read: as it is, with an index made of it, all of it decompressed, or part by part
#: as parts are needed, of which few are cached.
AS_IS, LOADED, DECOMPRESSED, BYPARTS = "as is", "loaded", "decompressed", "by parts"
#: Rows worked out at once where for every look-up a part of a table is decompressed, which more
#: rows share; and the fewest, of each of several threads and of one.
_MANY, _USEFUL, _LEAST = 8 * ROWS, 1 << 12, 1 << 8
#: Moves of a position that there is room for, and at least; more are looked up in several goes.
_CAPACITY, _LEAST_CAPACITY = 4, 3
#: Bytes of what no array says, and of those for each thread: stacks, and what decompresses blocks.
_SMALL, _THREAD = 1 << 20, 1 << 19
#: Bytes of a row while it is worked out, and of one of its moves, beside those of its words; what
#: gains take beside those of a move; and what it takes to look in a file, or how far children are.
_WORKED, _MOVE, _GAINS, _LOOKED_UP = 56, 16, 8, 48
#: Bytes of a row as cells, and of each number of its move while moves are told apart.
_CELLS, _TOLD = 40, 48
#: What is kept at most of a table that all threads read as they need it.
_AT_EASE = 1 << 31


@dataclass(frozen=True)
class BatchRow:
    """What a row is made of.

    Attributes:
        words: 64-bit words of the packed position.
        gains: whether moves make points.
        numbers: numbers of the position.
        move: numbers of the best move, where there are any.
        expands: whether moves are made.
        far: whether it is asked how far positions are.
    """

    words: int
    gains: bool
    numbers: int
    move: int
    expands: bool
    far: bool = True

    @property
    def waiting(self) -> int:
        """Bytes from when it has been worked out until it is written."""
        return 8 * (self.words + self.numbers + self.move + 3) + 1

    @property
    def cells(self) -> int:
        """Bytes of its cells, while it is written."""
        return _CELLS + 8 * self.numbers + _TOLD * self.move

    def worked(self, capacity: int, *, loaded: bool) -> int:
        """Return its bytes while it is worked out, with room for this many moves.

        Args:
            capacity: how many moves.
            loaded: whether the table is in memory, with an index to find positions by.
        """
        move = 8 * self.words + _MOVE + _GAINS * self.gains
        move += _LOOKED_UP * (self.far or not loaded)
        return _WORKED + 16 * self.words + (capacity * move if self.expands else 0)


@dataclass(frozen=True)
class BatchPlan:
    """How rows are worked out.

    Attributes:
        size: how many at once.
        capacity: moves of each that there is room for.
        threads: how many threads do so.
        bytes: what that takes.
        reading: how the table is read.
        cached: where that is by parts, the bytes for those.
    """

    size: int
    capacity: int
    threads: int
    bytes: int
    reading: str = AS_IS
    cached: int | None = None


def planned(
    table: Any, row: BatchRow, cost: Cost, threads: int, ledger: Ledger, *, moves: bool
) -> BatchPlan:
    """Return how the rows of a table are to be worked out.

    Args:
        table: positions and values.
        row: what a row is made of.
        cost: what writing takes.
        threads: threads there are; one, where few parts of a table can be kept.
        ledger: what may be taken.
        moves: whether the positions that moves lead to are looked up.

    Raises:
        BudgetError: that is too little.
    """
    allowed = ledger.allowed
    whole, doing = (row, cost, len(table)), f"exporting {len(table):,} positions"
    if table.file is None:
        plan = _within(*whole, ROWS, threads, allowed, loaded=True)
        ledger.take(plan.bytes, doing)
        return plan
    ways = [(AS_IS, table.decompressed_bytes, ROWS), (AS_IS, _AT_EASE, _MANY)]
    if moves:
        # With ranks the index has another order than the file, and both are read.
        ranked = table.decompressed_bytes if "ranks" in table.reader.arrays else 0
        ways[0] = (DECOMPRESSED, table.decompressed_bytes, ROWS)
        ways.insert(0, (LOADED, table.loaded_bytes + ranked, ROWS))
    for reading, taken, most in ways:
        loaded = reading == LOADED
        plan = _within(*whole, most, threads, allowed - taken, loaded=loaded)
        if ledger.fits(plan.bytes + taken):
            return BatchPlan(plan.size, plan.capacity, plan.threads, plan.bytes, reading)
    cached = max(allowed // PARTS, LEAST_CACHE)
    plan = _within(*whole, _MANY, 1, allowed - cached)
    if not ledger.fits(plan.bytes + cached):
        cached = LEAST_CACHE
        plan = _within(*whole, _MANY, 1, allowed - cached)
        ledger.take(plan.bytes + cached, doing)
    return BatchPlan(plan.size, plan.capacity, plan.threads, plan.bytes, BYPARTS, cached)


def _within(
    row: BatchRow,
    cost: Cost,
    count: int,
    most: int,
    threads: int,
    allowed: int,
    *,
    loaded: bool = False,
) -> BatchPlan:
    """Return as large batches on as many threads as fit, or those that take least."""
    plans = [_plan(row, cost, count, most, _CAPACITY, threads, loaded=loaded)]
    for some in range(threads, 0, -1):
        size = most
        while size >= (_LEAST if some == 1 else _USEFUL) and plans[-1].bytes > allowed:
            plans.append(_plan(row, cost, count, size, _LEAST_CAPACITY, some, loaded=loaded))
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
    """Estimate what batches take: each thread has one, and one is being written."""
    rows = min(size, max(count, 1))
    written = min(rows, ROWS)
    taken = _SMALL + threads * (_THREAD + rows * row.worked(capacity, loaded=loaded))
    taken += (threads + 1) * rows * row.waiting
    taken += cost.fixed + written * (row.cells + cost.row) + cost.group * -(-count // written)
    return BatchPlan(size, capacity, threads, taken)
