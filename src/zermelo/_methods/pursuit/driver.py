"""Pursuit on a graph: the winner and the plies of every position, with either side to move.

The solve goes in rounds. What is decided in round r has remoteness r, and follows from what round r
- 1 decided. A round that decides much works on rows of bits (``kernels_rows``), a round that
decides little works position by position (``kernels_lists``), so that a long chase does not cost
its length times the size of the board. Threads share rows, and no row depends on another row of its
round: the result is the same for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array
from zermelo._engine.core.checkpoint import NO_CHECKPOINT, Checkpoint
from zermelo._engine.core.ledger import Ledger, readable
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.store.store import Store
from zermelo._methods.pursuit import kernels_lists, kernels_rows
from zermelo._methods.pursuit.checkpoint import restore_turns, turn_arrays
from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs
from zermelo._methods.pursuit.round_log import MOST_MARKS, PursuitRoundLog, needed_bytes_on_disk
from zermelo._methods.pursuit.turns import (
    Turn,
    begin,
    is_turned,
    list_bytes,
    needed_bytes,
    reverse,
    row_bytes,
)
from zermelo.progress import Reporter

#: The record of what is decided so far.
_RECORD = "rounds"
#: The least words of a step that threads share.
_LEAST_SHARED_WORDS = 1 << 20
#: The cost of a round by lists, per position and edge, in words of a row.
_LIST_COST = 1.5
_SHARES = 8  # per thread: rows differ in their cost


@dataclass(frozen=True)
class ChaseResult:
    """The result of a solve.

    Attributes:
        marks: for each turn, the evader's first and then the pursuers' in the order they move; see
            ``Turn``.
        rounds: the number of rounds.
        storage: the storage of the marks if they did not fit in memory, in words; else empty.
    """

    marks: list[npt.NDArray[Any]]
    rounds: int
    storage: str


def solve(
    board: PursuitGraphs,
    ledger: Ledger,
    threads: int,
    report: Reporter,
    checkpoint: Checkpoint = NO_CHECKPOINT,
) -> ChaseResult:
    """Decide every position.

    Args:
        board: the pursuit.
        ledger: the memory that may be allocated.
        threads: threads to use at most.
        report: receives the number of decided positions.
        checkpoint: receives the positions that each round decided.

    Raises:
        BudgetError: more bytes are needed than are allowed, or more disk space than is free.
    """
    needed, lists = needed_bytes(board), list_bytes(board)
    # Otherwise marks are on disk, and all rounds work on rows.
    marked = limits.current().held(needed) <= ledger.allowed
    needed = needed if marked else needed_bytes_on_disk(board)
    positions = board.turns * board.size * board.teams
    work = f"a pursuit of {positions:,} positions", "take a smaller graph or fewer pursuers"
    ledger.reserve(needed, *work)
    folder = checkpoint.directory if marked else None
    with (
        report.phase("pursuit", positions),
        Scratch(folder, checkpoint=checkpoint) as scratch,
        ThreadPoolExecutor(threads, thread_name_prefix="zermelo-pursuit") as pool,
    ):
        turns, decided = begin(board, marked=marked)
        log_types = {} if marked else {f"trail{u}": np.uint64 for u in range(len(turns))}
        store = Store(scratch, _RECORD, threads, log_types, into=turn_arrays(turns))
        if store.lost:  # without its logs, what was read into the turns is of no use
            turns, decided = begin(board, marked=marked)
        pairs = zip(turns, store.values(), strict=False)
        logs = [PursuitRoundLog(scratch, turn, log) for turn, log in pairs]
        solver = RowSolver(
            turns, pool, threads, may_list=marked and needed + lists <= ledger.allowed
        )
        fresh, rounds = decided, 0
        if store.note is not None:
            restore_turns(turns, store.found)
            fresh, rounds, decided, needed, *state, scratch.written, scratch.read = store.note
            solver.restore_round(*map(bool, state))
            ledger.reserve(needed, *work)
            report.resume(f"{rounds:,} rounds were done")
        while fresh:
            report.advance(decided)
            mark = rounds + 2
            for log in logs:
                log.record_round(mark - 1)
            if marked and mark == limits.current().narrow + 1:
                sizes = [turn.narrow.nbytes for turn in turns]
                needed += sum(sizes) + max(sizes)  # one turn at a time is present in both forms
                ledger.reserve(needed, *work)
                solver.may_list &= needed + lists <= ledger.allowed
                for turn in turns:
                    turn.wide = turn.narrow.astype(np.int32)
                    turn.narrow = np.empty(0, np.int16)
            elif not marked and mark >= MOST_MARKS:
                ledger.reserve(needed_bytes(board), *work)
            fresh = solver.decide_round(mark, fresh)
            decided += fresh
            rounds += bool(fresh)
            if store.saves:
                for log in logs:
                    log.flush()
                state = [solver.by_lists, solver.listed, solver.may_list]
                note = [fresh, rounds, decided, needed, *state, scratch.written, scratch.read]
                store.save(note, arrays=turn_arrays(turns))
        report.advance(decided)
        if marked:
            ledger.fits(needed + lists * solver.listed)
            return ChaseResult([turn.marks for turn in turns], rounds, "")
        for turn in turns:
            turn.forget()
        kind = np.int16 if rounds < limits.current().narrow else np.int32
        marks = [log.marks(kind, row_bytes(board)) for log in logs]
        io_summary = scratch.io_summary(positions)
    storage = f"with times {io_summary}, because they do not fit in {readable(ledger.allowed)}"
    return ChaseResult(marks, rounds, storage)


class RowSolver:
    """The rounds of a solve."""

    def __init__(
        self, turns: list[Turn], pool: ThreadPoolExecutor, threads: int, *, may_list: bool
    ) -> None:
        self.turns = turns
        self.pool = pool
        self.threads = threads
        self.by_lists = False
        #: A common move of several pursuers has too many predecessors to follow one by one.
        self.may_list = may_list and not turns[-1].stages
        self.listed = False
        self.back: dict[int, NodeMoves] = {}
        self.words = sum(turn.rows * turn.words for turn in turns)
        degree = max(turn.moves.degree for turn in turns)
        self.row_cost = self.words * (1 + degree / 8)
        self.list_cost = _LIST_COST * max(1.0, degree) * (1 + min(degree, 8))
        self.carry()

    def restore_round(self, by_lists: bool, listed: bool, may_list: bool) -> None:
        """Restore the state after the round at which the checkpoint was saved."""
        self.by_lists, self.listed, self.may_list = by_lists, listed, may_list
        if by_lists:
            self._reverse()

    def _reverse(self) -> None:
        for turn in self.turns:
            if id(turn.moves) not in self.back:
                self.back[id(turn.moves)] = reverse(turn.moves)

    def decide_round(self, mark: int, fresh: int) -> int:
        """Decide the positions with this mark; return their number."""
        lists = self.may_list and fresh * self.list_cost < self.row_cost
        if lists and not self.by_lists:
            self._list()
        elif self.by_lists and not lists:
            self._unlist()
        self.by_lists = lists
        return self._round_by_lists(mark) if lists else self._round_by_rows(mark)

    # -- by rows ------------------------------------------------------------------------------

    def _round_by_rows(self, mark: int) -> int:
        decided = 0
        for u in [*range(1, len(self.turns)), 0]:
            decided += self.decide_rows(self.turns[u], mark, 0, self.turns[u].rows)
        self.carry()
        return decided

    def decide_rows(self, turn: Turn, mark: int, begin: int, end: int) -> int:
        """Decide positions in some rows; return their number."""
        good, bad, touched = turn.good, turn.bad, turn.touched
        for stage in turn.stages:
            ahead = (good, bad, touched, stage.good, stage.bad, stage.touched)
            head = (stage.moves.indptr, stage.moves.indices, stage.stride)
            self._run_kernel(
                kernels_rows.gather, head, ahead, 0, turn.rows, turn.words, stage.moves.degree
            )
            good, bad, touched = stage.good, stage.bad, stage.touched
        tail = (
            *(good, bad, touched, turn.live, turn.win, turn.lose),
            *(turn.fresh_win, turn.fresh_lose, turn.changed, turn.closed),
            *(turn.narrow, turn.wide, mark, turn.bits),
        )
        head = (turn.moves.indptr, turn.moves.indices, turn.stride)
        degree = turn.moves.degree
        return self._run_kernel(
            kernels_rows.decide_rows, head, tail, begin, end, turn.words, degree
        )

    def carry(self) -> None:
        """Update for each turn what was decided in the next turn."""
        for u, turn in enumerate(self.turns):
            next_turn = self.turns[(u + 1) % len(self.turns)]
            if not is_turned(u, len(self.turns)):
                np.copyto(turn.touched, next_turn.changed)
                continue
            fresh = (next_turn.fresh_lose, next_turn.fresh_win, next_turn.changed)
            head = (*fresh, turn.good, turn.bad, turn.touched)
            self._run_kernel(
                kernels_rows.add_transposed, head, (), 0, next_turn.words, next_turn.rows, 1.0
            )

    def _run_kernel(
        self,
        work: Callable[..., Any],
        head: tuple[Any, ...],
        tail: tuple[Any, ...],
        begin: int,
        end: int,
        words: int,
        degree: float,
    ) -> int:
        """Run a kernel over a range, in several threads if it is large."""
        ends_with_range = not tail  # a kernel whose last arguments are the range
        is_small = (end - begin) * words * degree < limits.current().shared(_LEAST_SHARED_WORDS)
        if self.threads == 1 or is_small:
            result = work(*head, begin, end) if ends_with_range else work(*head, begin, end, *tail)
            return int(result or 0)
        size = -(-(end - begin) // (_SHARES * self.threads))
        size = -(-size // 8) * 8
        ranges = [(low, min(low + size, end)) for low in range(begin, end, size)]
        jobs = [self.pool.submit(work, *head, low, high, *tail) for low, high in ranges]
        return sum(int(job.result() or 0) for job in jobs)

    # -- by lists -----------------------------------------------------------------------------

    def _list(self) -> None:
        """List the positions that the last round decided."""
        self.listed = True
        self._reverse()
        for turn in self.turns:
            count = kernels_rows.count_fresh(turn.fresh_win, turn.fresh_lose, turn.changed)
            turn.listed = np.empty(count, np.int64)
            fresh = (turn.fresh_win, turn.fresh_lose, turn.changed)
            kernels_lists.collect(*fresh, turn.listed)

    def _unlist(self) -> None:
        """Set the flags of the rows that the last round changed."""
        for u, turn in enumerate(self.turns):
            next_turn = self.turns[(u + 1) % len(self.turns)]
            is_transposed = int(is_turned(u, len(self.turns)))
            kernels_lists.touch(
                next_turn.listed, len(next_turn.listed), is_transposed, turn.touched
            )

    def _round_by_lists(self, mark: int) -> int:
        new_lists = [self._follow(u, mark) for u in range(len(self.turns))]
        for turn, listed in zip(self.turns, new_lists, strict=True):
            turn.listed = listed
        return sum(map(len, new_lists))

    def _follow(self, u: int, mark: int) -> Int64Array:
        turn, next_turn = self.turns[u], self.turns[(u + 1) % len(self.turns)]
        is_transposed = is_turned(u, len(self.turns))
        previous_turn = self.turns[u - 1]
        is_viewed = is_turned((u - 1) % len(self.turns), len(self.turns))
        no_bits = np.empty((0, 0), np.uint64)
        back = self.back[id(turn.moves)]
        n = len(turn.moves.indptr) - 1
        out = np.empty(n + max(64, 2 * len(next_turn.listed)), np.int64)
        head = decided_count = 0
        while True:
            arguments = (
                *(next_turn.listed, head, len(next_turn.listed), next_turn.bits),
                *(int(is_transposed), int(not is_transposed)),
                *(next_turn.narrow, next_turn.wide, turn.moves.indptr, turn.moves.indices),
                *(back.indptr, back.indices, turn.stride, turn.dead, turn.win, turn.lose),
                *(turn.narrow, turn.wide, turn.bits),
                *((previous_turn.good, previous_turn.bad) if is_viewed else (no_bits, no_bits)),
                *(mark, out, decided_count),
            )
            head, decided_count = kernels_lists.decide_predecessors(*arguments)
            if head == len(next_turn.listed):
                return out[:decided_count]
            out = np.concatenate([out, np.empty(len(out), np.int64)])
