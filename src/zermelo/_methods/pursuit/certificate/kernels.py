"""Certifying a pursuit's table: each row of values from the rows of its moves, in one step.

Positions are in matrices, one for each turn. With the mover's node as the row, the values that
follow for a whole row are, element by element, the best of the rows of the neighbours in the next
turn. A few columns are processed at a time: as many columns of the next turn as fit in a
processor's cache are decoded, and each row is compared with the best of its neighbours' rows. That
takes as many steps as there are edges times columns, of which a vector instruction does dozens.

With several pursuers a row is a team. The best value for pursuers who move together is the best
over the moves of one of the best over the moves of another: so the best for all but the last
pursuer is computed first.

The certificate uses nothing of the solver's rounds. It shares only the arrays of a pursuit
(``pursuit_board``).
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from zermelo import limits
from zermelo._cluster.file_check import check_by_workers
from zermelo._cluster.ranges import even_ranges
from zermelo._engine.certificate.kernels import NOTHING, Finding
from zermelo._engine.certificate.table_check import first_wrong, overhead_bytes
from zermelo._engine.core.array_types import Int32Array, Int64Array, IntArray, Integer, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import for_each
from zermelo._engine.file.cache_limits import PARTS, budget_with_reading, reading_bytes
from zermelo._engine.table import Table
from zermelo._methods.pursuit.certificate.matrix import (
    Matrix,
    Numbers,
    TurnValues,
    by_evader,
    by_pursuers,
)
from zermelo._methods.pursuit.certificate.moves import count_moves, moves_between, staying_moves
from zermelo._methods.pursuit.certificate.rules_sample import (
    rules_agree,
    sample_places,
    sampling_bytes,
)
from zermelo._methods.pursuit.file import FileMarks
from zermelo._methods.pursuit.graphs import NodeMoves, PursuitGraphs
from zermelo._methods.pursuit.method import board_of
from zermelo._methods.pursuit.rules_check import check_rules
from zermelo.errors import BudgetError, RulesError
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._methods.pursuit.index import PursuitIndex

#: Ranges of a turn's columns per worker, so that other workers can do some of a slow one's.
_RANGES_PER_WORKER = 2
#: Bytes of the columns that are decoded in one batch, their least and their greatest number, and
#: their number if values are on disk: then each row is read in whole pages.
_BATCH_BYTES, _LEAST_COLUMNS, _MOST_COLUMNS, _DISK_COLUMNS = 1 << 21, 64, 512, 1 << 12
#: Rows that are compared in one batch, and bytes that are processed before the next move.
_ROWS, _RUN = 1024, 1 << 13
#: The place of no position.
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Side:
    """The values compared in one turn: rows are the nodes or teams of the movers.

    Attributes:
        stored: the values of the turn.
        next_values: the values of the next turn, with the same rows and columns.
        same_side: whether the next turn is the same side's.
        earlier_moves: the moves of each mover but the last, with the distance of its nodes' rows.
        moves: the moves of the last mover, whose nodes' rows are adjacent.
        won: whether the mover has won a row, whatever the column.
        numbers: in the evader's turn, the number of each row's node among those that a pursuer may
            enter, or -1; in the others', those nodes.
        caught: 1 if the mover wins by a capture, -1 if it loses by it.
        lost: the columns in which the mover has lost, ascending.
        key: the weights of a row and of a column in a position's place, and the turn's first place.
    """

    stored: Matrix
    next_values: Matrix
    same_side: bool
    earlier_moves: list[tuple[NodeMoves, int]]
    moves: NodeMoves
    won: Uint8Array
    numbers: Numbers
    caught: int
    lost: Numbers
    key: tuple[int, int, int]

    @property
    def column_bytes(self) -> int:
        """The most bytes that a column takes while it is compared."""
        rows = len(self.stored.rows)
        return 4 * (
            rows * (2 if self.earlier_moves else 1) + min(limits.current().batch(_ROWS), rows)
        )


@kernel
def _best(
    ptr: Int64Array, adj: Int32Array, stride: int, next_values: IntArray, out: IntArray
) -> None:
    """Write the best value of one of several movers for each row, 0 if it cannot move.

    Args:
        ptr: with ``adj``, the nodes that each node leads to.
        adj: the targets of all nodes, one node after the other.
        stride: the distance of its nodes' rows.
        next_values: values by row and column, as ``Matrix.read`` writes them.
        out: receives the best values.
    """
    size, width = ptr.size - 1, out.shape[1]
    run = max(1, _RUN // (width * out.itemsize))
    for team in range(0, out.shape[0], size * stride):
        for low in range(0, stride, run):
            row_count = min(run, stride - low)
            for node in range(size):
                row = team + node * stride + low
                best = out[row : row + row_count].reshape(row_count * width)
                best[:] = 0
                for edge in range(ptr[node], ptr[node + 1]):
                    target_row = team + adj[edge] * stride + low
                    target_values = next_values[target_row : target_row + row_count].reshape(
                        row_count * width
                    )
                    for j in range(row_count * width):
                        best[j] = max(best[j], target_values[j])


@kernel
def compare_rows(
    ptr: Int64Array,
    adj: Int32Array,
    begin: int,
    won: Uint8Array,
    numbers: Int64Array,
    nodes: int,
    pursuers: int,
    caught: int,
    lost: Int64Array,
    next_values: IntArray,
    stored: IntArray,
    half: Integer,
    first: int,
    key: Int64Array,
) -> int:
    """Compare rows with the values that follow for them; return the least place that is wrong.

    Args:
        ptr: with ``adj``, the rows that each row's moves lead to; repeats for each group of rows.
        adj: the targets of all rows, one row after the other.
        begin: the first row to compare.
        won: whether the mover has won a row; see ``Side``, also for ``numbers`` and ``caught``.
        numbers: nodes, or their numbers.
        nodes: the number of nodes that a pursuer may enter.
        pursuers: the number of pursuers.
        caught: the sign of a capture.
        lost: the compared columns in which the mover has lost.
        next_values: the values of all rows after a move, as ``Matrix.read`` writes them.
        stored: the values to compare.
        half: the number of a draw; see ``Matrix.read``.
        first: the first column to compare.
        key: the weights of rows and columns in places; see ``Side``.
    """
    width = stored.shape[1]
    size = ptr.size - 1
    best = np.empty(width, stored.dtype)
    expected = np.empty(width, stored.dtype)
    wrong = NOWHERE
    for r in range(stored.shape[0]):
        row = begin + r
        node = row % size
        low, high = ptr[node], ptr[node + 1]
        is_over = caught < 0 and won[row]
        if is_over or low == high:
            expected[:] = 1 if is_over else -1
        else:
            for j in range(width):
                best[j] = next_values[row - node + adj[low], j]
            for edge in range(low + 1, high):
                next_row = row - node + adj[edge]
                for j in range(width):
                    value = next_values[next_row, j]
                    best[j] = max(best[j], value)
            for j in range(width):
                value = best[j]
                ply = 1 - value if value > half else -1 - value
                expected[j] = half if value == half else ply
        stride = 1
        for _ in range(pursuers):
            if caught > 0:
                caught_in = numbers[row // stride % nodes] - first
                if 0 <= caught_in < width:
                    expected[caught_in] = caught
            elif not is_over and numbers[row] >= 0:
                # Teams with this node at this position: ``stride`` of them in a row, then a gap.
                period = stride * nodes
                for team in range(first // period * period, first + width, period):
                    begins = team + numbers[row] * stride - first
                    for j in range(max(begins, 0), min(begins + stride, width)):
                        expected[j] = caught
            stride *= nodes
        for column in lost:
            expected[column - first] = -1
        differences = half ^ half
        for j in range(width):
            differences |= expected[j] ^ stored[r, j]
        if differences:
            for j in range(width):
                number = row * key[0] + (first + j) * key[1] + key[2]
                if expected[j] != stored[r, j] and number < wrong:
                    wrong = number
    return wrong


@dataclass(frozen=True)
class MatrixCheck:
    """The result of the check.

    Attributes:
        moves: the number of moves.
        wrong: the least place of a position with a wrong value, or None.
    """

    moves: int
    wrong: int | None


#: Columns to compare: their turn, the first, and the one after the last.
Span: TypeAlias = tuple[int, int, int]


class ValueMatrices:
    """The check of a pursuit's values.

    Attributes:
        sides: the values to compare in each turn, the evader's first.
        nodes: the number of nodes that a pursuer may enter.
        pursuers: the number of pursuers.
        moves: the number of moves from all positions.
    """

    def __init__(
        self, board: PursuitGraphs, halves: Sequence[TurnValues], *, on_disk: bool
    ) -> None:
        """Prepare the comparison.

        Args:
            board: the pursuit.
            halves: the values of each turn, the evader's first.
            on_disk: whether values are read from disk.
        """
        nodes = np.flatnonzero(~board.forbidden)
        number = np.full(board.size, -1, np.int64)
        number[nodes] = np.arange(len(nodes))
        pursuer_moves = [moves_between(moves, nodes, number) for moves in board.pursuers]
        self.pursuers, self.nodes = len(pursuer_moves), len(nodes)
        turns, teams = board.turns, len(nodes) ** len(pursuer_moves)
        evader_half, *pursuer_halves = halves
        self.sides = []
        self.sides.append(
            Side(
                by_evader(evader_half),
                by_evader(pursuer_halves[0]),
                False,  # noqa: FBT003  # the next turn is the pursuers'
                [],
                board.evader,
                board.safe.astype(np.uint8),
                number,
                -1,
                np.empty(0, np.int64),
                (teams, 1, 0),
            )
        )
        for turn, half in enumerate(pursuer_halves, 1):
            movers = range(len(pursuer_moves)) if board.together else [turn - 1]
            last = len(pursuer_moves) - 1
            same_side = turn < turns - 1
            next_half = pursuer_halves[turn] if same_side else evader_half
            self.sides.append(
                Side(
                    by_pursuers(half),
                    by_pursuers(next_half),
                    same_side,
                    [(pursuer_moves[i], len(nodes) ** (last - i)) for i in movers if i != last],
                    pursuer_moves[last] if last in movers else staying_moves(len(nodes)),
                    np.empty(0, np.uint8),
                    nodes,
                    1,
                    np.flatnonzero(board.safe),
                    (1, teams, turn * board.size * teams),
                )
            )
        self._size, self._on_disk = board.size, on_disk
        self._widths = [_width(len(side.stored.rows), on_disk=on_disk) for side in self.sides]
        self.moves = count_moves(board, pursuer_moves, number)

    def needed_bytes(self, threads: int, spare: int) -> int:
        """Return the most bytes that the check takes in addition to the table.

        Args:
            threads: threads to use.
            spare: the available bytes: with fewer than needed, a batch has fewer columns.
        """
        teams = len(self.sides[0].stored.columns)
        fixed_bytes = 8 * 16 * self._size + sum(side.moves.bytes for side in self.sides)
        fixed_bytes += 8 * teams * (self.pursuers > 1)
        most = 0
        for i, side in enumerate(self.sides):
            least = (
                limits.current().batch(_LEAST_COLUMNS) if len(side.stored.rows) <= self._size else 1
            )
            width_bytes, columns = threads * side.column_bytes, len(side.stored.columns)
            width = min(self._widths[i], columns)
            if self._on_disk:  # a wide batch might leave some threads without work
                width = min(
                    width, max(limits.current().batch(_LEAST_COLUMNS), -(-columns // threads))
                )
            while width > least and fixed_bytes + width_bytes * width > spare:
                width = max(least, width // 2)
            self._widths[i] = width
            most = max(most, width_bytes * width)
        return fixed_bytes + most

    def compare(
        self, threads: int, report: Reporter, spans: Sequence[Span] | None = None
    ) -> MatrixCheck | None:
        """Compare values with those that follow from the values that moves lead to.

        Args:
            threads: threads to use.
            report: receives the number of checked positions.
            spans: the columns to compare; by default all.

        Returns:
            The result, or None if the table has values that no pursuit has.
        """
        wrong_places: list[int] = []
        checked_counts: list[int] = []
        calling_thread = threading.get_ident()

        def work(job: tuple[Side, int, int]) -> None:
            side, begin, end = job
            wrong_place = self._compare_columns(side, begin, end, np.uint8)
            if wrong_place is None:
                wrong_place = self._compare_columns(side, begin, end, np.uint32)
            wrong_places.append(-1 if wrong_place is None else wrong_place)
            checked_counts.append(len(side.stored.rows) * (end - begin))
            if threading.get_ident() == calling_thread:
                report.advance(sum(checked_counts))

        if spans is None:
            spans = [(turn, 0, len(side.stored.columns)) for turn, side in enumerate(self.sides)]
        jobs = []
        for turn, begin, end in spans:
            side, step = self.sides[turn], self._widths[turn]
            jobs += [(side, low, min(low + step, end)) for low in range(begin, end, step)]
        with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
            for_each(pool, threads - 1, work, jobs)
        if min(wrong_places) < 0:
            return None
        return MatrixCheck(self.moves, min(wrong_places) if min(wrong_places) < NOWHERE else None)

    def _compare_columns(
        self, side: Side, begin: int, end: int, kind: type[np.uint8 | np.uint32]
    ) -> int | None:
        """Compare columns; return the least wrong place, None if values do not fit ``kind``."""
        half = kind(1 << (8 * np.dtype(kind).itemsize - 1))
        row_count = len(side.stored.rows)
        next_values = np.empty((row_count, end - begin), kind)
        if not side.next_values.read(slice(None), slice(begin, end), half, next_values):
            return None
        if side.same_side:  # a win of the same mover has the value of a loss of the other
            np.negative(next_values, out=next_values)
        spare = np.empty_like(next_values) if side.earlier_moves else next_values
        for moves, stride in side.earlier_moves:
            _best(moves.indptr, moves.indices, stride, next_values, spare)
            next_values, spare = spare, next_values
        bounds = np.searchsorted(side.lost, (begin, end))
        lost = side.lost[bounds[0] : bounds[1]]
        key = np.array(side.key, np.int64)
        rows = limits.current().batch(_ROWS)
        part = np.empty((min(rows, row_count), end - begin), kind)
        wrong = int(NOWHERE)
        for low in range(0, row_count, rows):
            stored = part[: min(rows, row_count - low)]
            if not side.stored.read(slice(low, low + rows), slice(begin, end), half, stored):
                return None
            wrong_place = compare_rows(
                side.moves.indptr,
                side.moves.indices,
                low,
                side.won,
                side.numbers,
                self.nodes,
                self.pursuers,
                side.caught,
                lost,
                next_values,
                stored,
                half,
                begin,
                key,
            )
            wrong = min(wrong, int(wrong_place))
        return wrong


def _width(rows: int, *, on_disk: bool) -> int:
    """Return the number of columns in a batch, if memory allows."""
    at_hand = min(
        max(_BATCH_BYTES // rows // _LEAST_COLUMNS * _LEAST_COLUMNS, _LEAST_COLUMNS), _MOST_COLUMNS
    )
    return limits.current().batch(_DISK_COLUMNS if on_disk else at_hand)


def compare_table(
    board: PursuitGraphs,
    table: Table,
    threads: int,
    ledger: Ledger,
    reserved: int,
    report: Reporter,
    follows: Callable[[], bool] = lambda: True,
    workers: WorkerPool | None = None,
) -> MatrixCheck | None:
    """Compare all values of a table with those that the moves of a pursuit lead to.

    Args:
        board: the pursuit.
        table: positions and values; values in a file are decompressed to memory, or to another
            file.
        threads: threads to use, if there is memory for each.
        ledger: the memory that may be allocated.
        reserved: bytes of it that something else takes.
        report: receives the number of checked positions.
        follows: returns whether the rules agree with the pursuit; called once memory is reserved.
        workers: processes that share the check, for a table in a file that all of them see.

    Returns:
        The result, or None if the pursuit is another one, or the table has values that no pursuit
        has.

    Raises:
        BudgetError: there is too little memory.
    """
    if workers is not None:
        if not follows():
            return None
        with report.phase("verify", len(table)):
            return compare_on_cluster(board, table, report, workers)
    with Scratch() as scratch:
        matrices, threads = build_check(board, table, threads, ledger, reserved, report, scratch)
        if not follows():
            return None
        with report.phase("verify", len(table)):
            return matrices.compare(threads, report)


def prepare_columns(
    arrays: TableArrays, board: PursuitGraphs, index: PursuitIndex, ledger: Ledger, threads: int
) -> Callable[[Span], MatrixCheck | None]:
    """Return the comparison of some columns; see ``check_by_workers``."""
    table = Table(index, FileMarks(arrays, index), np.empty(0, np.int64), "", arrays)
    matrices, most = build_check(board, table, threads, ledger, 0, Reporter(), Scratch())
    return lambda unit: matrices.compare(most, Reporter(), [unit])


def compare_on_cluster(
    board: PursuitGraphs, table: Table, report: Reporter, workers: WorkerPool
) -> MatrixCheck | None:
    """Compare all values of a table on a cluster; see ``compare_table``.

    The check of a column depends on the file alone, so columns may be divided in any way.

    Args:
        board: the pursuit.
        table: positions and values, in a file that all workers see.
        report: receives the number of checked positions.
        workers: the workers.

    Raises:
        BudgetError: a worker has too little memory.
        ClusterError: workers cannot be used, or are lost.
    """
    index: Any = table.index
    reader: Any = table.reader
    units, sizes = [], []
    for turn in range(board.turns):
        columns, rows = (board.size, len(index.teams))[:: -1 if turn == 0 else 1]
        for begin, end in even_ranges(columns, _RANGES_PER_WORKER * workers.size):
            units.append((turn, begin, end))
            sizes.append(rows * (end - begin))
    arguments = board, index
    checks = [
        check
        for check in check_by_workers(
            workers, reader, prepare_columns, arguments, units, sizes, report
        )
        if check is not None
    ]
    if len(checks) < len(units):
        return None
    wrong = [check.wrong for check in checks if check.wrong is not None]
    return MatrixCheck(checks[0].moves, min(wrong, default=None))


def build_check(
    board: PursuitGraphs,
    table: Table,
    threads: int,
    ledger: Ledger,
    reserved: int,
    report: Reporter,
    scratch: Scratch,
) -> tuple[ValueMatrices, int]:
    """Return the check of a table's values, and the number of threads that fit.

    The arguments are those of ``compare_table``.

    Args:
        board: the pursuit.
        table: positions and values.
        threads: threads to use, if there is memory for each.
        ledger: the memory that may be allocated.
        reserved: bytes of it that something else takes.
        report: receives the phase of decompression.
        scratch: the folder for decompressed values that do not fit in memory.

    Raises:
        BudgetError: there is too little memory.
    """
    column: Any = table.column
    is_file, available = table.file is not None, ledger.allowed - reserved
    matrices = ValueMatrices(board, column.halves(), on_disk=column.on_disk)
    spare = available - table.decompressed_bytes
    fits = matrices.needed_bytes(threads, spare) <= spare
    if not fits:
        available -= reading_bytes(ledger.allowed) if is_file else 0
        threads = threads if matrices.needed_bytes(threads, available) <= available else 1
        needed = matrices.needed_bytes(threads, available) + reserved
        activity = f"verifying {len(table):,} positions"
        ledger.reserve(budget_with_reading(needed) if is_file else needed, activity)
        spare = available
    if is_file:
        with report.phase("load"):
            if fits:
                table.decompressed()
            halves = column.halves() if fits else column.spilled(scratch)
            matrices = ValueMatrices(board, halves, on_disk=not fits)
            matrices.needed_bytes(threads, spare)
    return matrices, threads


def check_rows(
    compiled: CompiledRules,
    table: Any,
    threads: int,
    ledger: Ledger,
    report: Reporter,
    workers: WorkerPool | None = None,
) -> Finding | None:
    """Check the table of a game that is a pursuit row by row; return None if that is impossible.

    A fault is checked by the rules, and so are positions from all over a table.

    Args:
        compiled: the rules.
        table: positions and values.
        threads: threads to use.
        ledger: the memory that may be allocated.
        report: receives the number of checked positions.
        workers: processes that share the check; see ``compare_table``.

    Raises:
        BudgetError: there is too little memory, and the table is in a file.
    """
    description, board = board_of(compiled.rules)
    reserved = overhead_bytes(threads) + sampling_bytes(board)

    def rules_match() -> bool:
        with report.phase("rules"):
            try:
                check_rules(compiled.rules, board, table.index, description.fields)
            except RulesError:  # running the rules position by position will show the error
                return False
            return rules_agree(compiled, table.index, board, sample_places(table.index, board))

    try:
        result = compare_table(
            board, table, threads, ledger, reserved, report, rules_match, workers
        )
    except BudgetError:
        if table.file is None:
            return None
        raise
    if result is None:
        return None
    # If no value is wrong, the rules check the start.
    suspect = int(table.starts[0]) if result.wrong is None else result.wrong
    places = iter([np.array([suspect])])
    most = max((ledger.allowed - reserved) // PARTS, 1)
    with report.phase("rules"):
        finding = first_wrong(compiled, table, places, 1, report, most)
    if finding.fault == NOTHING and result.wrong is not None:
        return None
    return replace(finding, positions=len(table), moves=result.moves)
