"""The certificate: one pass over every position's moves that accepts exactly the right values.

It runs the rules forward from each position again and asks of each stored value only that it
follows from its successors' values. No wrong table passes:

* A win or a loss follows only from successors whose remoteness is less, so by induction on
  remoteness every one of them is true; ties likewise.
* A position that is truly won or lost cannot be called anything else: take one of least true
  remoteness that is. All successors that decide it are called rightly, and they force its value.
* Every position but a start must be entered by a move from a smaller number, so that no island of
  positions vouches for itself, and every move must lead to a position that is in the table.

Nothing of the solver is used: not its graph, nor its counters, nor its order.
"""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.codes import LAST, UNKNOWN, one_ply_earlier
from zermelo._engine.explore import CHUNK, Buffers, Expand, run_expand
from zermelo._engine.index import find
from zermelo._engine.jit import kernel
from zermelo._engine.score import UNKNOWN as UNKNOWN_SCORE
from zermelo._engine.table import Table

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: What is wrong with a position.
NOTHING, WRONG_VALUE, STRANGE_CHILD, WRONG_OWNER, BACKWARD, UNREACHED = range(6)


@dataclass
class Finding:
    """What a certificate found.

    Attributes:
        positions: positions looked at.
        moves: moves followed.
        fault: NOTHING, or what is wrong.
        number: the position it is wrong with.
        expected: for WRONG_VALUE, the code or score that follows from the successors.
    """

    positions: int
    moves: int
    fault: int = NOTHING
    number: int = 0
    expected: int = 0


@kernel
def _check(  # one array each
    begin: int,
    done: int,
    ends: Any,
    terminal: Any,
    turns: Any,
    numbers: Any,
    values: Any,
    owners: Any,
    reached: Any,
) -> tuple[Any, Any, Any]:
    """Check ``done`` expanded positions; return a fault, its position and the value expected."""
    alternate = owners.size == 0
    edge = 0
    for i in range(done):
        number = begin + i
        if not alternate and turns[i] != owners[number]:
            return WRONG_OWNER, number, np.int64(turns[i])
        best = np.int64(terminal[i])
        if best == UNKNOWN:
            best = np.int64(-LAST)
        while edge < ends[i]:
            child = numbers[edge]
            if child < 0:
                return STRANGE_CHILD, number, edge
            if child > number:
                reached[child] = 1
            same = (not alternate) and owners[number] == owners[child]
            best = max(best, one_ply_earlier(np.int64(values[child]), same))
            edge += 1
        if values[number] != best:
            return WRONG_VALUE, number, best
    return NOTHING, 0, 0


@kernel
def _check_scores(  # one array each
    begin: int,
    done: int,
    ends: Any,
    terminal: Any,
    turns: Any,
    numbers: Any,
    values: Any,
    owners: Any,
    reached: Any,
    gains: Any,
    rank: Any,
) -> tuple[Any, Any, Any]:
    """Do the same for a score game, which must also have no circles."""
    alternate = owners.size == 0
    edge = 0
    for i in range(done):
        number = begin + i
        if not alternate and turns[i] != owners[number]:
            return WRONG_OWNER, number, np.int64(turns[i])
        best = terminal[i]
        while edge < ends[i]:
            child = numbers[edge]
            if child < 0:
                return STRANGE_CHILD, number, edge
            if child > number:
                reached[child] = 1
            if (rank.size == 0 and child <= number) or (
                rank.size > 0 and rank[child] >= rank[number]
            ):
                return BACKWARD, number, child
            margin = values[child]
            if alternate or owners[number] != owners[child]:
                margin = -margin
            if best == UNKNOWN_SCORE:
                best = gains[edge] + margin
            else:
                best = max(best, gains[edge] + margin)
            edge += 1
        if values[number] != best:
            return WRONG_VALUE, number, best
    return NOTHING, 0, 0


def certify(expand: Expand, table: Table, threads: int, report: Reporter) -> Finding:
    """Check every value of ``table`` against its successors' values.

    Args:
        expand: the compiled rules.
        table: positions and values.
        threads: threads to use.
        report: is told how many positions are checked.

    Returns:
        The finding; of several faults, one at the chunk of least number.
    """
    positions = len(table.values)
    reached = np.zeros(positions, np.uint8)
    reached[: table.starts] = 1
    chunk = min(CHUNK, max(positions, 1))
    benches = 2 * threads if positions > chunk else 1
    spare = [_Bench.for_rules(expand, chunk) for _ in range(benches)]
    running: deque[tuple[Any, _Bench]] = deque()
    moves = 0
    at = 0
    with (
        report.phase("verify", positions),
        ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool,
    ):
        while at < positions or running:
            while spare and at < positions:
                bench = spare.pop()
                end = min(at + chunk, positions)
                running.append((pool.submit(bench.check, expand, table, reached, at, end), bench))
                at = end
            job, bench = running.popleft()
            finding: Finding = job.result()
            spare.append(bench)
            moves += finding.moves
            if finding.fault != NOTHING:
                return Finding(positions, moves, finding.fault, finding.number, finding.expected)
            report.advance(finding.number)
    if not reached.all():
        return Finding(positions, moves, UNREACHED, int(np.argmin(reached)))
    return Finding(positions, moves)


@dataclass
class _Bench:
    """What one chunk needs while it is checked."""

    buffers: Buffers
    numbers: npt.NDArray[np.int64]

    @classmethod
    def for_rules(cls, expand: Expand, chunk: int) -> _Bench:
        room = 12 * chunk
        return cls(Buffers.for_rules(expand, chunk, room), np.empty(room, np.int64))

    def check(
        self, expand: Expand, table: Table, reached: npt.NDArray[np.uint8], begin: int, end: int
    ) -> Finding:
        """Check positions ``begin`` to ``end``; the finding's number is ``end`` if all is well."""
        buffers = self.buffers
        moves = 0
        while begin < end:
            done, made = run_expand(expand, table.keys, begin, end, buffers)
            if len(self.numbers) < made:
                self.numbers = np.empty(len(buffers.children) // expand.words, np.int64)
            find(buffers.children, made, expand.words, table.table, table.keys, self.numbers)
            moves += made
            shared = (
                begin,
                done,
                buffers.ends,
                buffers.values,
                buffers.owners,
                self.numbers,
                table.values,
                table.owners,
                reached,
            )
            if expand.scored:
                fault, number, expected = _check_scores(*shared, buffers.gains, table.rank)
            else:
                fault, number, expected = _check(*shared)
            if fault != NOTHING:
                return Finding(0, moves, fault, number, expected)
            begin += done
        return Finding(0, moves, NOTHING, end)
