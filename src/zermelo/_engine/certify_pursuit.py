"""Certifying a pursuit's table: each value from those that the moves of its row lead to, at once.

Placements stand in two matrices, one for each turn. With the mover's node as the row, the values
that follow for a whole row are the best of the rows of the neighbours in the other turn, element
by element. So columns are taken a few at a time: as many of the other turn are laid out as a
processor keeps at hand, and each row is compared with the best of its neighbours' rows. That takes
as many steps as there are edges times columns, of which a vector instruction does dozens.

Nothing of the solver's rounds is used. What is shared is what a pursuit is made of
(``pursuit_board``).
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.certify_matrix import Half, Matrix, Numbers
from zermelo._engine.jit import kernel
from zermelo._engine.pursuit_board import Board, Moves
from zermelo._engine.sharing import taken

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes of the columns that are laid out at once, how many columns that are at the least and at the
#: most, and how many where values are on disk: then a page of it at least is read of each row.
_TILE, _LEAST, _MOST, _ON_DISK = 1 << 21, 64, 512, 1 << 12
#: Rows that are compared at once.
_ROWS = 1024
#: Stands for no place.
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Side:
    """What is compared in one turn: rows are where its mover is.

    Attributes:
        own: the values.
        after: those of the other turn, with the same columns.
        moves: the mover's, between rows.
        won: whether the mover has won a row, whatever the column.
        captures: the column of each row in which the pursuer is on the evader's node, or -1.
        caught: 1 where the mover wins by that, -1 where it loses.
        lost: the columns in which the mover has lost, ascending.
        key: what a row and a column count in the number of a placement, and the turn itself.
    """

    own: Matrix
    after: Matrix
    moves: Moves
    won: npt.NDArray[np.uint8]
    captures: Numbers
    caught: int
    lost: Numbers
    key: tuple[int, int, int]


@kernel
def compared(
    ptr: Any,
    adj: Any,
    begin: int,
    won: Any,
    captures: Any,
    caught: int,
    lost: Any,
    after: Any,
    own: Any,
    half: Any,
    first: int,
    key: Any,
    except_for: Any,
) -> int:
    """Compare rows with what follows for them; return the least number of a wrong placement.

    Args:
        ptr: with ``adj``, the rows that each row's moves lead to.
        adj: see ``ptr``.
        begin: the first row that is compared.
        won: see ``Side``; likewise ``captures`` and ``caught``.
        captures: see ``won``.
        caught: see ``won``.
        lost: columns in which the mover has lost, of those compared.
        after: the values that moves lead to, as ``Matrix.read`` writes them, of all rows.
        own: the values that are compared.
        half: see ``Matrix.read``.
        first: the first column that is compared.
        key: see ``Side``.
        except_for: numbers of placements that are looked at elsewhere.
    """
    width = own.shape[1]
    best = np.empty(width, own.dtype)
    due = np.empty(width, own.dtype)
    wrong = NOWHERE
    for r in range(own.shape[0]):
        row = begin + r
        low, high = ptr[row], ptr[row + 1]
        if won[row] or low == high:
            due[:] = 1 if won[row] else -1
        else:
            best[:] = after[adj[low]]
            for edge in range(low + 1, high):
                other = adj[edge]
                for j in range(width):
                    here = after[other, j]
                    best[j] = max(best[j], here)
            for j in range(width):
                here = best[j]
                ply = 1 - here if here > half else -1 - here
                due[j] = half if here == half else ply
        caught_in = captures[row] - first
        if not won[row] and 0 <= caught_in < width:
            due[caught_in] = caught
        for column in lost:
            due[column - first] = -1
        other_bits = half ^ half
        for j in range(width):
            other_bits |= due[j] ^ own[r, j]
        if other_bits:
            for j in range(width):
                number = row * key[0] + (first + j) * key[1] + key[2]
                excepted = number in (except_for[0], except_for[1])
                if due[j] != own[r, j] and number < wrong and not excepted:
                    wrong = number
    return wrong


@dataclass(frozen=True)
class Chased:
    """What was found.

    Attributes:
        moves: moves that there are.
        wrong: the least number of a placement with a wrong value, or None.
    """

    moves: int
    wrong: int | None


class Chase:
    """A table of a pursuit with one pursuer, as it is examined.

    A placement's number is twice that of its nodes, the evader's counting most, and 1 more where
    the pursuer moves. Pursuers' nodes are counted without those where none may be.
    """

    def __init__(self, board: Board, halves: tuple[Half, Half], *, on_disk: bool) -> None:
        """Lay out what is to be compared.

        Args:
            board: the pursuit.
            halves: the values with the evader to move, and with the pursuer.
            on_disk: whether they are read from disk.
        """
        nodes = np.flatnonzero(~board.forbidden)
        number = np.full(board.size, -1, np.int64)
        number[nodes] = np.arange(len(nodes))
        chasing = _between(board.pursuers[0], nodes, number)
        evading, other = halves
        safe = board.safe.astype(np.uint8)
        nobody = np.empty(0, np.int64)
        self.sides = (
            Side(
                Matrix(evading.source, evading.meaning, evading.evader, evading.pursuer),
                Matrix(other.source, other.meaning, other.evader, other.pursuer),
                board.evader,
                safe,
                number,
                -1,
                nobody,
                (2 * len(nodes), 2, 0),
            ),
            Side(
                Matrix(other.source, other.meaning, other.pursuer, other.evader),
                Matrix(evading.source, evading.meaning, evading.pursuer, evading.evader),
                chasing,
                np.zeros(len(nodes), np.uint8),
                nodes,
                1,
                np.flatnonzero(board.safe),
                (2, 2 * len(nodes), 1),
            ),
        )
        self._size = board.size
        at_hand = min(max(_TILE // board.size // _LEAST * _LEAST, _LEAST), _MOST)
        self._width = _ON_DISK if on_disk else at_hand
        # Ends have no moves: safe nodes, and the captures on others.
        degrees = np.diff(board.evader.indptr)
        going_on = ~board.safe
        caught = going_on & ~board.forbidden
        self.moves = int(
            degrees[going_on].sum() * len(nodes)
            - degrees[caught].sum()
            + len(chasing.indices) * np.count_nonzero(going_on)
            - np.diff(chasing.indptr)[number[caught]].sum()
        )

    def needed(self, threads: int, room: int) -> int:
        """Return the bytes that examining it takes beside the table, at the most.

        Args:
            threads: threads to use.
            room: bytes there are: fewer columns are taken at once where that is too little.
        """
        besides = 8 * 16 * self._size + sum(side.moves.bytes for side in self.sides)
        each = 4 * threads * (self._size + _ROWS)
        while self._width > _LEAST and besides + each * self._width > room:
            self._width //= 2
        return besides + each * self._width

    def examined(
        self, except_for: tuple[int, int], threads: int, report: Reporter
    ) -> Chased | None:
        """Compare all values with what follows from those that the moves lead to.

        Args:
            except_for: numbers of two placements that are looked at elsewhere.
            threads: threads to use.
            report: is told how many placements are checked.

        Returns:
            What was found, or None where the table has values that no pursuit has.
        """
        least: list[int] = []
        done: list[int] = []
        skipped = np.array(except_for, np.int64)
        here = threading.get_ident()

        def work(job: tuple[Side, int, int]) -> None:
            side, begin, end = job
            found = _tile(side, begin, end, np.uint8, skipped)
            if found is None:
                found = _tile(side, begin, end, np.uint32, skipped)
            least.append(-1 if found is None else found)
            done.append(len(side.own.rows) * (end - begin))
            if threading.get_ident() == here:
                report.advance(sum(done))

        jobs = []
        for side in self.sides:
            columns = len(side.own.columns)
            step = self._width
            jobs += [(side, low, min(low + step, columns)) for low in range(0, columns, step)]
        with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
            taken(pool, threads - 1, work, jobs)
        if min(least) < 0:
            return None
        return Chased(self.moves, min(least) if min(least) < NOWHERE else None)


def _between(moves: Moves, nodes: Numbers, number: Numbers) -> Moves:
    """Return moves between some nodes, which are numbered anew; none leads out of them."""
    degrees = np.diff(moves.indptr)
    kept = np.repeat(number >= 0, degrees)
    ends = np.concatenate([[0], np.cumsum(degrees[nodes])])
    return Moves(ends, number[moves.indices[kept]].astype(np.int32))


def _tile(
    side: Side, begin: int, end: int, kind: type[np.uint8 | np.uint32], skipped: Numbers
) -> int | None:
    """Compare some columns; return the least wrong number, or None where numbers do not fit."""
    half = kind(1 << (8 * np.dtype(kind).itemsize - 1))
    after = np.empty((len(side.after.rows), end - begin), kind)
    if not side.after.read(slice(None), slice(begin, end), half, after):
        return None
    many = len(side.own.rows)
    bounds = np.searchsorted(side.lost, (begin, end))
    lost = side.lost[bounds[0] : bounds[1]]
    key = np.array(side.key, np.int64)
    room = np.empty((_ROWS, end - begin), kind)
    wrong = int(NOWHERE)
    for low in range(0, many, _ROWS):
        own = room[: min(_ROWS, many - low)]
        if not side.own.read(slice(low, low + _ROWS), slice(begin, end), half, own):
            return None
        found = compared(
            side.moves.indptr,
            side.moves.indices,
            low,
            side.won,
            side.captures,
            side.caught,
            lost,
            after,
            own,
            half,
            begin,
            key,
            skipped,
        )
        wrong = min(wrong, int(found))
    return wrong
