"""The certificate of a table that does not fit into memory, part by part.

A table in a file is made of blocks, and what a position's moves lead to is anywhere in it. So many
positions are expanded at once, as many as there is memory for; what their moves lead to is put in
the order of blocks; and the table is gone through once, a few blocks at a time. So a block is
unpacked once for each such batch, and the more memory there is, the fewer those are.

Where every move raises the level that the rules give, the positions come in the order of the table:
then each that is no start has only to be entered by a move, as one with the least level of those
that cannot be reached could not be. Otherwise they come as they are reached, in passes over the
table from one end to the other, in each of which a batch takes what has been reached by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.certificate.kernels import MISSING_START, NOTHING, UNREACHED, Finding
from zermelo._engine.certificate.parts import Parted, Plan
from zermelo._engine.certificate.workspace import IN_WORD, Bench, is_marked, mark_all
from zermelo._engine.core.bits import lowest
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.expander import Expand

if TYPE_CHECKING:
    from zermelo.progress import Reporter

Places: TypeAlias = npt.NDArray[np.int64]

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_NONE, _ONE = np.uint64(0), np.uint64(1)


@kernel
def _take(marks: Any, word: int, out: Any) -> tuple[Any, Any]:
    """List places that have been reached and not been handed out, from a word on, and mark them.

    Returns:
        How many there are, and the word to go on from.
    """
    count = 0
    while word < marks.size:
        waiting = marks[word] & ~(marks[word] >> _HALF) & _LOW
        while waiting != _NONE and count < out.size:
            bit = waiting & (~waiting + _ONE)
            marks[word] |= bit << _HALF
            out[count] = word * IN_WORD + lowest(waiting)
            count += 1
            waiting ^= bit
        if waiting != _NONE:
            break
        word += 1
    return count, word


@kernel
def _unmarked(marks: Any, places: Any) -> Any:
    """Return the first of some places that has not been reached, or -1."""
    for place in places:
        if not is_marked(marks, place):
            return place
    return -1


class _Passes:
    """The places of a table as they are reached, in passes over all of them."""

    def __init__(self, marks: npt.NDArray[np.uint64]) -> None:
        self._marks = marks
        self._at = self._taken = 0

    def fill(self, out: Places) -> int:
        """Write as many places as there is room for, ascending; return how many, 0 at the end."""
        count = 0
        while not count:
            count, self._at = _take(self._marks, self._at, out)
            self._taken += count
            if self._at == len(self._marks):
                over, self._at, self._taken = not self._taken, 0, 0
                if over:
                    break
        return int(count)


class _Order:
    """The places of a table in their order."""

    def __init__(self, pages: Iterator[Places]) -> None:
        self._pages = pages
        self._rest = np.empty(0, np.int64)

    def fill(self, out: Places) -> int:
        """Do what ``_Passes.fill`` does."""
        count = 0
        while count < len(out):
            if not len(self._rest):
                places = next(self._pages, None)
                if places is None:
                    break
                self._rest = places
            some = self._rest[: len(out) - count]
            out[count : count + len(some)] = some
            self._rest = self._rest[len(some) :]
            count += len(some)
        return count


class _NotRaisedError(Exception):
    """A move leads to a level that is no higher."""


def certify_streamed(
    expand: Expand,
    starts: npt.NDArray[np.uint64],
    table: Parted,
    plan: Plan,
    levels: Callable[[npt.NDArray[np.uint64], int, Places], None] | None,
    report: Reporter,
) -> Finding:
    """Check every value of a table in a file against its successors' values.

    Args:
        expand: the compiled rules.
        starts: the packed starting positions as the rules give them, shape (k, words).
        table: positions and values.
        plan: what may be kept, and how much is done at once.
        levels: what writes the levels of so many packed positions, for rules that have them.
        report: is told how many positions are checked.

    Returns:
        The finding; of several faults, the first in the order of the table.
    """
    with (
        report.phase("verify", len(table)),
        ThreadPoolExecutor(plan.threads, thread_name_prefix="zermelo-verify") as pool,
    ):
        table.keep(plan.kept)
        return _Streamed(expand, table, plan, pool, report).certify(starts, levels)


class _Streamed:
    """A certificate under way."""

    def __init__(
        self, expand: Expand, table: Parted, plan: Plan, pool: ThreadPoolExecutor, report: Reporter
    ) -> None:
        self.expand = expand
        self.table = table
        self.plan = plan
        self.pool = pool
        self.report = report
        self.marks = zeros(-(-table.span // IN_WORD), np.uint64)
        self.benches = [Bench(expand, table, plan, self.marks) for _ in range(plan.threads)]

    def certify(
        self,
        starts: npt.NDArray[np.uint64],
        levels: Callable[[npt.NDArray[np.uint64], int, Places], None] | None,
    ) -> Finding:
        """Check everything."""
        table, marks = self.table, self.marks
        begun = np.empty(len(starts), np.int64)
        packed = np.ascontiguousarray(starts).reshape(-1)
        if self._find(packed, begun) < len(starts):
            return Finding(len(table), 0, MISSING_START, int(np.argmin(begun)))
        mark_all(begun, marks)
        finding = None
        if table.reach == "legal":
            finding = self._checked(self._order(), entering=False)
        elif levels is not None:
            finding = self._raised(levels)
            if finding is None:
                marks[:] = 0
                mark_all(begun, marks)
        if finding is None:
            finding = self._checked(_Passes(marks), entering=True)
            if finding.fault != NOTHING:
                # That is the first that was come to; and those who ask are told of the first.
                first = self._checked(self._order(), entering=False)
                finding = replace(first, moves=finding.moves)
        if finding.fault != NOTHING:
            return finding
        for places in table.pages():
            place = int(_unmarked(marks, places))
            if place >= 0:
                return Finding(len(table), finding.moves, UNREACHED, place)
        return finding

    def _order(self) -> _Order:
        return _Order(self.table.pages())

    def _raised(
        self, levels: Callable[[npt.NDArray[np.uint64], int, Places], None]
    ) -> Finding | None:
        """Check everything in the order of the table, or nothing where a move raises no level."""
        try:
            return self._checked(self._order(), entering=True, levels=levels)
        except _NotRaisedError:
            return None

    def _find(self, packed: npt.NDArray[np.uint64], out: Places) -> int:
        """Find packed positions; return how many there are."""
        bench, found = self.benches[0], 0
        for begin in range(0, len(out), bench.room):
            end = min(begin + bench.room, len(out))
            words = self.table.words
            bench.seek(packed[begin * words : end * words], end - begin)
            self._look_up([bench], entering=False)
            out[begin:end] = bench.found[: end - begin]
            found += int((bench.found[: end - begin] >= 0).sum())
        return found

    def _checked(
        self,
        order: _Passes | _Order,
        *,
        entering: bool,
        levels: Callable[[npt.NDArray[np.uint64], int, Places], None] | None = None,
    ) -> Finding:
        """Check positions in an order, and mark, if that is asked for, what they lead to."""
        table, positions, moves = self.table, 0, 0
        while True:
            batch = [bench for bench in self.benches if bench.take(order.fill)]
            if not batch:
                return Finding(len(table), moves)
            list(self.pool.map(Bench.read, batch))
            fault = None
            # Where moves are more than was expected, the rest of a batch is for another round.
            while left := [bench for bench in batch if not bench.done]:
                if not all(list(self.pool.map(lambda bench: bench.expand_some(levels), left))):
                    raise _NotRaisedError
                self._look_up(left, entering=entering)
                for found in self.pool.map(Bench.check, left):
                    moves += found.moves
                    if found.fault != NOTHING and (fault is None or found.place < fault.place):
                        fault = found
            positions += sum(bench.count for bench in batch)
            if fault is not None:
                return replace(fault, positions=len(table), moves=moves)
            self.report.advance(positions)

    def _look_up(self, benches: list[Bench], *, entering: bool) -> None:
        """Find what moves lead to, going once through the blocks of the table."""
        plan, blocks = self.plan, len(self.table.bounds) - 1
        begins = range(0, blocks, plan.window)

        def look(begin: int) -> None:
            end = min(begin + plan.window, blocks)
            wanted = np.logical_or.reduce([bench.wanted(begin, end) for bench in benches])
            if not wanted.any():
                return
            window = self.table.window()
            window.unpack(np.flatnonzero(wanted) + begin)
            for bench in benches:
                bench.look_up(window, begin, end, entering=entering)

        list(self.pool.map(look, begins))
