"""The certificate of a placement game's table, level by level, 64 positions at a time.

From the start on, each level is read from the table once. Its positions must be exactly those that
the moves of the level before lead to. The stored values of terminal positions must follow from a
line or a full board, and all other values from the next level. So two levels at a time are stored
as rows of words, in memory or, if that is too small, in mapped files. If a level has a fault, its
positions are checked one by one, and that check determines the fault and has the last word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._cluster.file_check import check_by_workers
from zermelo._cluster.ranges import cost_ranges
from zermelo._engine.certificate.kernels import NOTHING, UNREACHED, Finding
from zermelo._engine.certificate.table_check import first_wrong, overhead_bytes
from zermelo._engine.core.array_types import Int64Array, Uint8Array
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch, release_pages
from zermelo._engine.core.threads import for_each
from zermelo._engine.file.cache_limits import (
    PARTS,
    budget_with_reading,
    limited_cache,
    reading_bytes,
)
from zermelo._engine.index.index import PAGE
from zermelo._engine.store.arrays import mapped_zeros
from zermelo._methods.placement.certificate.board_check import rules_match_board
from zermelo._methods.placement.certificate.level_reader import InFile, InMemory
from zermelo._methods.placement.certificate.plan import (
    CertificatePlan,
    LevelPart,
    LevelParts,
)
from zermelo._methods.placement.certificate.reachability import (
    PlaneWinners,
    TableStretches,
    check_positions,
)
from zermelo._methods.placement.certificate.tiers import (
    ENTERED_BY_NONE,
    LACKING,
    MISCOUNTED,
    STRANGE,
    VALUE,
    LevelTiers,
)
from zermelo._methods.placement.certificate.value_check import check_values
from zermelo._methods.placement.file.table import open_tiers
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Fields

#: Positions that are always checked one by one.
_SAMPLES = 1 << 8


@dataclass
class LevelsResult:
    """The result of the check.

    Attributes:
        moves: the number of moves followed.
        suspect: the range of places with a wrong value, or a move out of the table; or None.
        unreached: the first place that no move leads to, or None; valid without ``suspect``.
        samples: the first place of each tier in which the game goes on.
    """

    moves: int = 0
    suspect: tuple[int, int] | None = None
    unreached: int | None = None
    samples: list[Int64Array] = field(default_factory=list)


@dataclass
class LevelState:
    """The state of a level that is being checked.

    Attributes:
        number: the number of filled cells.
        first: the first stretch of the level.
        wrong: by stretch: its faults.
        ones: by stretch: the index of its first position that no move leads to, and of the first in
            which the game goes on; -1 for none.
        moves: the number of moves, by part.
        impossible_parts: whether there is a value that planes cannot express, by part.
    """

    number: int
    first: int
    wrong: Uint8Array
    ones: Int64Array
    moves: list[int] = field(default_factory=list)
    impossible_parts: list[bool] = field(default_factory=list)


def check_table(
    compiled: CompiledRules,
    table: Any,
    threads: int,
    ledger: Ledger,
    report: Reporter,
    workers: WorkerPool | None = None,
) -> Finding | None:
    """Check a placement table 64 positions at a time; return None if that is impossible.

    A fault is checked one by one, and so is a sample of positions from all over a table without a
    fault: this tests that the rules agree with the board, and that the table's look-ups work.

    Args:
        compiled: the rules.
        table: positions and values.
        threads: threads to use.
        ledger: the memory that may be allocated.
        report: receives the number of checked positions.
        workers: processes that share the check, for a table in a file that all of them see.

    Raises:
        BudgetError: there is too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    plan = CertificatePlan(table.index.board, timed=not table.kind.needs_potential)
    if not plan.fits(table.index.directory):
        return None
    available = remaining_bytes(table, plan, threads, ledger)
    with report.phase("rules"):
        if not rules_match_board(compiled, table.index.board, table.index.fields):
            return None
    with report.phase("verify", len(table)):
        if workers is None:
            result = check_levels(table, plan, threads, available, report)
        else:
            result = check_levels_on_cluster(table, plan, report, workers)
        if result is None:
            return None
        # The positions that are checked one by one are in few parts of the file.
        threads = 1 if table.file is not None else threads
        with limited_cache(table, available // PARTS):
            return _check_by_rules(compiled, table, result, threads, report, available // PARTS)


def prepare_levels(
    arrays: TableArrays,
    board: PlacementBoard,
    fields: Fields,
    timed: bool,
    ledger: Ledger,
    threads: int,
) -> Callable[[tuple[int, int]], LevelsResult | None]:
    """Return the check of a range of levels; see ``check_by_workers``."""
    table, plan = open_tiers(arrays, board, fields), CertificatePlan(board, timed=timed)
    remaining = remaining_bytes(table, plan, threads, ledger)
    return partial(check_levels, table, plan, threads, remaining, Reporter())


def check_levels_on_cluster(
    table: Any, plan: CertificatePlan, report: Reporter, workers: WorkerPool
) -> LevelsResult | None:
    """Check all levels of a table on a cluster; see ``check_levels``.

    The check of a level depends only on the file and on the adjacent levels. So the check is
    complete if each range of levels shares its last level with the next range.

    Args:
        table: positions and values, in a file that all workers see.
        plan: the layout that the table must have.
        report: receives the number of checked positions.
        workers: the workers.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    directory = table.index.directory
    words = np.diff(directory.word[directory.level_section])
    costs = words * np.array([1 + len(planes) for planes in plan.planes])
    units = cost_ranges(costs[: plan.size], workers.size) or [(0, plan.size)]
    places = directory.place[directory.level_section]
    sizes = [int(places[end + 1] - places[begin + (begin > 0)]) for begin, end in units]
    arguments = plan.board, table.index.fields, plan.timed
    total = LevelsResult()
    for part in check_by_workers(
        workers, table.reader, prepare_levels, arguments, units, sizes, report
    ):
        if part is None:
            return None
        total.moves += part.moves
        total.samples += part.samples
        if total.unreached is None:
            total.unreached = part.unreached
        if part.suspect is not None:
            total.suspect = part.suspect
            break  # later levels need no check after a fault
    return total


def _check_by_rules(
    compiled: CompiledRules,
    table: Any,
    result: LevelsResult,
    threads: int,
    report: Reporter,
    cache_bytes: int,
) -> Finding | None:
    """Check the result by the rules; return None if the rules disagree with it."""
    faultless = Finding(len(table), result.moves)
    if result.suspect is not None:
        begin, end = result.suspect
        places = (np.arange(n, min(n + PAGE, end)) for n in range(begin, end, PAGE))
    else:
        samples = np.concatenate(result.samples)
        places = (samples[:: -(-len(samples) // _SAMPLES)] for _ in range(1))
    finding = first_wrong(compiled, table, places, threads, report, cache_bytes)
    if (finding.fault == NOTHING) == (result.suspect is not None):
        return None
    if result.suspect is not None:
        return replace(finding, moves=result.moves)
    return (
        faultless if result.unreached is None else faultless.with_fault(UNREACHED, result.unreached)
    )


def remaining_bytes(table: Any, plan: CertificatePlan, threads: int, ledger: Ledger) -> int:
    """Return the bytes that remain for checking a table.

    Raises:
        BudgetError: they are too few.
    """
    is_file = table.file is not None
    fixed_bytes = overhead_bytes(threads) + (
        table.bytes + table.reader.opened_bytes if is_file else 0
    )
    needed = least_bytes(table, plan) + fixed_bytes
    activity = f"verifying {len(table):,} positions"
    ledger.reserve(budget_with_reading(needed) if is_file else needed, activity)
    return ledger.allowed - fixed_bytes - (reading_bytes(ledger.allowed) if is_file else 0)


def least_bytes(table: Any, plan: CertificatePlan) -> int:
    """Return the least bytes that checking a table takes."""
    *_, smallest = LevelParts.sizes(plan, 1)
    return smallest.reading_bytes(table) + min(plan.needed_bytes, smallest.mapped_bytes)


def check_levels(
    table: Any,
    plan: CertificatePlan,
    threads: int,
    allowed: int,
    report: Reporter,
    levels: tuple[int, int] | None = None,
) -> LevelsResult | None:
    """Check all of a table, or some levels, 64 positions at a time.

    The number of steps is that of the words of patterns, times moves and planes.

    Args:
        table: positions and values.
        plan: the layout, which the table's directory fits.
        threads: threads to use.
        allowed: bytes that may be allocated: at least ``least_bytes``.
        report: receives the number of checked positions.
        levels: the first and the last level to check, if other workers check the rest. The first is
            not compared with the level before, nor the values of the last with the next level,
            unless it is the very last.

    Returns:
        The result; None if the table cannot be checked in this way, and has to be checked one by
        one.

    Raises:
        BudgetError: levels fit neither in memory nor on disk.
    """
    is_file = table.file is not None
    reader = InFile(table, plan) if is_file else InMemory(table, plan, allowed)
    if not reader.is_readable:
        return None
    in_memory = (
        (threads, parts, plan.needed_bytes, 0) for parts in LevelParts.sizes(plan, threads)
    )
    on_disk = (
        (count, parts, 0, parts.mapped_bytes)
        for count in range(threads, 0, -1)
        for parts in LevelParts.sizes(plan, count)
    )
    for plans in (in_memory, on_disk):
        for count, parts, level_bytes, mapped_bytes in plans:
            mappable_bytes = (
                allowed - level_bytes - count * (parts.reading_bytes(table) + mapped_bytes)
            )
            if mappable_bytes >= 0:
                with Scratch() as scratch:
                    folder = scratch if mapped_bytes else None
                    walk = _LevelWalk(table, parts, reader, count, folder, mappable_bytes)
                    return walk.run(report, *(levels or (0, plan.size)))
    return None


class _LevelWalk:
    """One pass over all levels, with two levels at a time in memory or in mapped files."""

    def __init__(
        self,
        table: Any,
        parts: LevelParts,
        reader: InFile | InMemory,
        threads: int,
        scratch: Scratch | None,
        mappable_bytes: int,
    ) -> None:
        """Allocate two levels.

        Args:
            table: positions and values.
            parts: the parts into which levels are cut.
            reader: reads the table.
            threads: threads to use.
            scratch: the folder for levels, if not in memory.
            mappable_bytes: bytes of files that may be mapped at the same time.
        """
        self.table = table
        self.plan = plan = parts.plan
        self.parts = parts
        self.reader = reader
        self.threads = threads
        self.shapes = plan.board.shape(0), plan.board.shape(1)
        self.result = LevelsResult()
        self._buffers: SimpleQueue[Any] = SimpleQueue()
        for _ in range(threads):
            self._buffers.put(reader.buffers(parts))
        make = (
            partial(zeros, dtype=np.uint64)
            if scratch is None
            else partial(mapped_zeros, scratch, dtype=np.uint64)
        )
        #: By the parity of a level's number: its positions in which the game goes on, and its
        #: planes.
        rows, planes = plan.most_words()
        self.live = [make(max(size, 1)) for size in rows]
        self.planes = [make(max(size, 1)) for size in planes]
        self._on_disk = scratch is not None
        self._mappable_bytes, self._mapped_bytes = mappable_bytes, 0

    def run(self, report: Reporter, begin: int, end: int) -> LevelsResult | None:
        """Check the levels from one to another."""
        place, result = self.table.index.directory.place, self.result
        first = int(self.table.index.directory.level_section[begin])
        previous: LevelState | None = None
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-verify") as pool:
            for n in range(begin, end + 1):
                stretches = self.plan.stretches[n]
                wrong, ones = np.zeros(stretches, np.uint8), np.empty((stretches, 2), np.int64)
                level = LevelState(n, first, wrong, ones)
                self._run_on_parts(pool, level, self._check_reachability)
                if (level.wrong & MISCOUNTED).any():
                    return None
                if n == begin > 0:  # another worker checks what leads there
                    level.wrong &= ~np.uint8(LACKING | ENTERED_BY_NONE)
                else:
                    self._store_results(level)
                if previous is not None:
                    self._run_on_parts(pool, previous, self._check_values)
                    if self._record_fault(previous, level):
                        return result
                elif (level.wrong & (LACKING | ENTERED_BY_NONE)).any():
                    return None
                first += stretches
                previous = level
                report.advance(int(place[first]))
        if previous is not None and end == self.plan.size:
            self._record_fault(previous, None)
        if isinstance(self.reader, InFile) and (begin, end) == (0, self.plan.size):
            self.reader.remember_counts()
        return result

    def _run_on_parts(
        self,
        pool: ThreadPoolExecutor,
        level: LevelState,
        work: Callable[[LevelState, LevelPart], None],
    ) -> None:
        """Apply ``work`` to all parts of a level, on all threads."""

        def do(part: LevelPart) -> None:
            work(level, part)
            if self._on_disk:
                self._mapped_bytes += self.parts.mapped_bytes
                if self._mapped_bytes > self._mappable_bytes:
                    self._mapped_bytes = 0
                    release_pages(*self.live, *self.planes)

        parts = self.parts.whole_level(level.number)
        for_each(pool, self.threads - 1, do, parts)

    @contextmanager
    def _reading_buffers(self) -> Iterator[Any]:
        """Yield a thread's buffers for reading, which no other thread uses in the meantime."""
        buffers = self._buffers.get()
        try:
            yield buffers
        finally:
            self._buffers.put(buffers)

    def _tiers_of(self, level: int, part: LevelPart) -> LevelTiers:
        """Return the tiers of a part of a level."""
        tiers = self.plan.tiers[level][part.slot : part.slot + part.tiers]
        return LevelTiers(level, tiers, self.shapes[level % 2], self.plan.slots)

    def _check_reachability(self, level: LevelState, part: LevelPart) -> None:
        """Read a part of a level, and compare its positions with those that moves lead to."""
        plan, directory, n = self.plan, self.table.index.directory, level.number
        in_tier = plan.in_tier[n]
        first = int(directory.level_section[n]) + part.slot * in_tier
        count = part.tiers * in_tier
        stretches = slice(first, first + count + 1)
        blocks = plan.blocks[n] // len(plan.tiers[n])
        block = int(directory.level_block[n]) + part.slot * blocks
        by_block = slice(block, block + part.tiers * blocks)
        of_level = slice(first - level.first, first - level.first + count)
        planes = plan.planes[n]
        with self._reading_buffers() as buffers:
            words = self.reader.read_stretches(n, first + part.begin, first + part.end, buffers)
            table_stretches = TableStretches(
                present=directory.present[by_block],
                first_word=directory.first[by_block],
                rank=directory.rank[by_block],
                word_base=directory.word[stretches],
                place_base=directory.place[stretches],
                words=words.words,
                values=words.values,
                words_begin=words.first_word,
                value_base=words.bases,
                positions_before=words.positions_before,
            )
            full = plan.board.full, plan.size
            meaning = PlaneWinners(
                winners=np.array([winner for winner, _ in planes], np.int64),
                maker=plan.line_winner(n),
                at_full=np.array([plane == full for plane in planes], bool),
            )
            moves = check_positions(
                self._tiers_of(n, part),
                part.begin,
                part.end,
                self.live[1 - n % 2],
                table_stretches,
                meaning,
                self.live[n % 2],
                self.planes[n % 2],
                level.wrong[of_level],
                level.ones[of_level],
            )
        level.moves.append(moves)
        level.impossible_parts.append(words.has_impossible)

    def _check_values(self, level: LevelState, part: LevelPart) -> None:
        """Compare the values of a part with those that follow from the next level."""
        plan, n = self.plan, level.number
        next_numbers = {plane: number for number, plane in enumerate(plan.planes[n + 1])}
        in_tier = plan.in_tier[n]
        check_values(
            self._tiers_of(n, part),
            part.begin,
            part.end,
            self.live[n % 2],
            self.planes[n % 2],
            np.array([winner for winner, _ in plan.planes[n]], np.int64),
            np.array([next_numbers.get(plane, -1) for plane in plan.planes[n]], np.int64),
            self.planes[1 - n % 2],
            len(plan.planes[n + 1]),
            level.wrong[part.slot * in_tier : (part.slot + part.tiers) * in_tier],
        )

    def _store_results(self, level: LevelState) -> None:
        """Store the results of a level."""
        self.result.moves += sum(level.moves)
        if any(level.impossible_parts):
            level.wrong |= STRANGE
        places = self.table.index.directory.place[level.first : level.first + len(level.wrong)]
        if self.result.unreached is None and (level.wrong & ENTERED_BY_NONE).any():
            stretch = int(np.argmax((level.wrong & ENTERED_BY_NONE) != 0))
            self.result.unreached = int(places[stretch] + level.ones[stretch, 0])
        with_moves = np.flatnonzero(level.ones[:, 1] >= 0)
        tiers = with_moves // self.plan.in_tier[level.number]
        _, first_indices = np.unique(tiers, return_index=True)
        chosen = with_moves[first_indices]
        self.result.samples.append(places[chosen] + level.ones[chosen, 1])

    def _record_fault(self, level: LevelState, next_level: LevelState | None) -> bool:
        """Store the places of a fault of a level; return whether there is one.

        A fault of the next level may come from any position of this one: a move to an absent
        position, or to one with a value that planes cannot express.
        """
        place = self.table.index.directory.place
        first, end = level.first, level.first + len(level.wrong)
        wrong = np.flatnonzero(level.wrong & (VALUE | STRANGE))
        if next_level is not None and (next_level.wrong & (LACKING | STRANGE)).any():
            end += len(next_level.wrong)
        elif len(wrong):
            first += int(wrong[0])
        else:
            return False
        self.result.suspect = int(place[first]), int(place[end])
        return True
