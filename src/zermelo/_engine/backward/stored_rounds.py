"""Rounds over stored moves that keep only the moves still needed.

Propagation along transposed moves handles each move once, but first every move has to be
transposed, which takes more time and memory than all the rest. Yet many positions are decided at
the first levels: they need no moves then, and nobody needs moves that lead to a known win of the
opponent. So the first levels are decided by rounds over the moves as they are stored, in order.
Each round writes the moves that are left over the others, and is followed by another as long as it
pays; then what is left is transposed. Breadth-first search changes its direction for a similar
reason (Beamer, Asanović and Patterson, "Direction-optimizing breadth-first search", SC 2012).

A move is left if it leads to a position that is not decided before the round. The status number of
an undecided position is minus the number of its moves left, so it says where its row of moves ends.
The result of a round depends neither on the order of the positions nor on the threads.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, IntArray, Integer, Uint8Array, Uint32Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import eight_bytes, forget, prefetch, put_eight_bytes
from zermelo._engine.core.threads import run_in_threads
from zermelo._engine.store.packed_moves import SLACK, pack_row, row_end, unpack_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from zermelo._engine.backward.status import StatusArray
    from zermelo._engine.store.packed_moves import MoveBlock, PackedMoves
    from zermelo.progress import Reporter

#: Moves whose children are prefetched ahead.
_AHEAD = 32
#: The most positions whose moves are transposed in so little time that rounds save none.
_FEW = 1 << 15
#: A sample has one row in this many.
_SAMPLED = 16
#: Rows that a thread scans between checks of the clock and for Ctrl-C.
_RANGE = 1 << 18
#: A round pays if it removes one in four of the moves that it scans.
_PAYS = 4
#: Moves that are unpacked together. Few of a row are prefetched at first, as one may decide it.
_UNPACKED, _AHEAD_IN_ROW = 1 << 10, 8


@inlined
def _keep_unknown(
    children: Uint32Array,
    low: Integer,
    stop: Integer,
    left: Integer,
    last: Integer,
    ahead: int,
    i: Integer,
    owners: Uint8Array,
    state: IntArray,
    win: int,
) -> np.int64:
    """Keep the moves of a position to children that are not decided, one behind the other.

    Args:
        children: the child of each move; those that are kept are written from index ``left``.
        low: the index of the position's first move.
        stop: the index after its last move.
        left: the index of the first move that is kept, at most ``low``.
        last: the last index whose child may be prefetched.
        ahead: the moves between one that is read and one whose child is prefetched.
        i: the position.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        win: the code of a win of this level.

    Returns:
        The index after the moves that are kept, or -1 if a move wins.
    """
    wins = False
    for n in range(low, stop):
        prefetch(state, np.int64(children[min(n + ahead, last)]))
        child = np.int64(children[n])
        code = np.int64(state[child])
        is_known = abs(code) > win
        children[left] = child
        left += 1 - np.int64(is_known)
        loses = code < 0
        if owners.size:
            loses ^= owners[i] == owners[child]
        if is_known & loses:
            wins = True
            break
    return np.int64(-1) if wins else np.int64(left)


@inlined
def _count_removed(
    children: Uint32Array,
    low: Integer,
    stop: Integer,
    i: Integer,
    owners: Uint8Array,
    state: IntArray,
    ties: int,
) -> np.int64:
    """Return the number of a position's moves that a first round removes.

    The arguments are those of ``_keep_unknown``.
    """
    removed = np.int64(0)
    for n in range(low, stop):
        child = np.int64(children[n])
        code = np.int64(state[child])
        if abs(code) <= ties:
            continue
        removed += 1
        loses = code < 0
        if owners.size:
            loses ^= owners[i] == owners[child]
        if loses:
            removed = np.int64(stop) - np.int64(low)
            break
    return removed


@kernel
def _decide_rows(
    positions: Int64Array,
    begin: int,
    end: int,
    edges: Uint32Array,
    at: int,
    owners: Uint8Array,
    state: IntArray,
    ties: int,
    win: int,
) -> tuple[np.int64, np.int64]:
    """Decide positions of a level, and keep the moves that are left.

    Args:
        positions: the position of each row of moves; empty if they are numbered like the rows.
        begin: the first row.
        end: the row after the last.
        edges: the child of each move; those of undecided positions follow each other.
        at: the index in ``edges`` of the first row's first move; moves left are written from here.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        ties: the code of a terminal tie.
        win: the code of a win of this level.

    Returns:
        The number of moves left, and the number of positions decided.
    """
    decided = np.int64(0)
    edge = np.int64(at)
    left: Any = np.int64(at)
    last = np.int64(edges.size) - 1
    for row in range(begin, end):
        i = np.int64(positions[row]) if positions.size else np.int64(row)
        number = np.int64(state[i])
        if number >= 0 or number <= -ties:
            continue
        stop = edge - number
        kept = _keep_unknown(edges, edge, stop, left, last, _AHEAD, i, owners, state, win)
        edge = stop
        if kept < 0:
            state[i] = win
            decided += 1
        elif kept == left:
            state[i] = -win
            decided += 1
        else:
            state[i] = left - kept
            left = kept
    return left - at, decided


class StoredMoves(Protocol):
    """Stored moves of which rounds keep those that are left."""

    @property
    def moves(self) -> int:
        """The number of moves, or how many of them are left."""

    def decide(self, state: IntArray, owners: npt.NDArray[np.uint8], ties: int, win: int) -> int:
        """Decide the positions of a level by these moves; return their number.

        Args:
            state: the status numbers.
            owners: the player to move, or empty if the players strictly alternate.
            ties: the code of a terminal tie.
            win: the code of a win of this level.
        """


@dataclass
class MoveRows:
    """The stored moves of some positions, row after row.

    Attributes:
        positions: the position of each row; empty if they are numbered like the rows.
        begin: the first row.
        end: the row after the last.
        edges: the child of each move, which the rounds overwrite.
        at: the index in ``edges`` of the first move.
        moves: the number of moves, or how many of them are left.
    """

    positions: npt.NDArray[Any]
    begin: int
    end: int
    edges: npt.NDArray[np.uint32]
    at: int
    moves: int

    def decide(self, state: IntArray, owners: npt.NDArray[np.uint8], ties: int, win: int) -> int:
        """Decide the positions of a level; return their number. Memory of other moves is freed."""
        rows = self.positions, self.begin, self.end, self.edges, self.at
        before = self.moves
        self.moves, decided = map(int, _decide_rows(*rows, owners, state, ties, win))
        forget(self.edges, self.at + self.moves, self.at + before)
        return decided

    def sample(self, state: IntArray, owners: npt.NDArray[np.uint8], ties: int) -> tuple[int, int]:
        """Count the moves of a sample, and how many of these a first round removes."""
        rows = self.positions, self.begin, self.end, self.edges, self.at
        moves, removed = _sample_rows(*rows, owners, state, ties)
        return int(moves), int(removed)


@kernel
def _sample_rows(
    positions: Int64Array,
    begin: int,
    end: int,
    edges: Uint32Array,
    at: int,
    owners: Uint8Array,
    state: IntArray,
    ties: int,
) -> tuple[np.int64, np.int64]:
    """Count the moves of a sample of rows, and how many of these a first round removes.

    Arguments are those of ``_decide_rows``.
    """
    moves = np.int64(0)
    removed = np.int64(0)
    edge = np.int64(at)
    for row in range(begin, end):
        i = np.int64(positions[row]) if positions.size else np.int64(row)
        number = np.int64(state[i])
        if number >= 0 or number <= -ties:
            continue
        stop = edge - number
        if row % _SAMPLED == 0:
            moves -= number
            removed += _count_removed(edges, edge, stop, i, owners, state, ties)
        edge = stop
    return moves, removed


@kernel
def _decide_packed_rows(
    begin: int,
    end: int,
    packed: Uint8Array,
    at: int,
    owners: Uint8Array,
    state: IntArray,
    ties: int,
    win: int,
) -> tuple[int, int, int]:
    """Decide positions of a level, and keep the moves that are left.

    Args:
        begin: the first position.
        end: the position after the last.
        packed: the moves; those of undecided positions follow each other.
        at: the index in ``packed`` of the first row; rows that are left are written from here.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        ties: the code of a terminal tie.
        win: the code of a win of this level.

    Returns:
        The bytes and the moves left, and the number of positions decided.
    """
    decided: Any = np.int64(0)
    moves: Any = np.int64(0)
    source: Any = np.int64(at)
    target: Any = np.int64(at)
    most: Any = np.int64(_UNPACKED)
    for i in range(begin, end):
        number = np.int64(state[i])
        if -ties < number < 0:
            most = max(most, -number)
    children = np.empty(most, np.uint32)
    ends = np.empty(most, np.int64)
    row = begin
    while row < end:
        stop = row
        filled: Any = np.int64(0)
        rows: Any = np.int64(0)
        row_at = source
        while stop < end:
            number = np.int64(state[stop])
            if -ties < number < 0:
                if filled - number > most:
                    break
                source = unpack_row(packed, source, -number, stop, children, filled)
                ends[rows] = source
                rows += 1
                for n in range(filled, filled + min(-number, _AHEAD_IN_ROW)):
                    prefetch(state, np.int64(children[n]))
                filled -= number
            stop += 1
        low: Any = np.int64(0)
        rows = np.int64(0)
        for i in range(row, stop):
            number = np.int64(state[i])
            if number >= 0 or number <= -ties:
                continue
            end_of_row = low - number
            row_last = end_of_row - 1
            left = _keep_unknown(
                children, low, end_of_row, low, row_last, _AHEAD_IN_ROW, i, owners, state, win
            )
            if left < 0:
                state[i] = win
                decided += 1
            elif left == low:
                state[i] = -win
                decided += 1
            else:
                # Writing a row overwrites some bytes behind it.
                behind = eight_bytes(packed, ends[rows])
                state[i] = low - left
                moves += left - low
                if left - low < -number:
                    target = pack_row(children, low, left, i, packed, target)
                elif target < row_at:
                    for offset in range(0, ends[rows] - row_at, 8):
                        word = eight_bytes(packed, row_at + offset)
                        put_eight_bytes(packed, target + offset, word)
                    target += ends[rows] - row_at
                else:
                    target = ends[rows]
                put_eight_bytes(packed, ends[rows], behind)
            low -= number
            row_at = ends[rows]
            rows += 1
        row = stop
    return target - at, moves, decided


@kernel
def _sample_packed_rows(
    begin: int,
    end: int,
    packed: Uint8Array,
    at: int,
    owners: Uint8Array,
    state: IntArray,
    ties: int,
) -> tuple[np.int64, np.int64]:
    """Count the moves of a sample of rows, and how many of these a first round removes.

    Arguments are those of ``_decide_packed_rows``.
    """
    moves: Any = np.int64(0)
    removed: Any = np.int64(0)
    place: Any = np.int64(at)
    children = np.empty(_UNPACKED, np.uint32)
    for i in range(begin, end):
        number = np.int64(state[i])
        if number >= 0 or number <= -ties:
            continue
        if i % _SAMPLED or -number > children.size:
            place = row_end(packed, place, -number)
            continue
        place = unpack_row(packed, place, -number, i, children, np.int64(0))
        moves -= number
        removed += _count_removed(children, 0, -number, i, owners, state, ties)
    return moves, removed


class PackedRows:
    """The packed moves of some positions."""

    def __init__(self, packed: PackedMoves, block: MoveBlock) -> None:
        """Store the moves of a block, which the rounds overwrite."""
        self._packed = packed
        self._block = block

    @property
    def moves(self) -> int:
        """The number of moves, or how many of them are left."""
        return self._block.moves

    def decide(self, state: IntArray, owners: npt.NDArray[np.uint8], ties: int, win: int) -> int:
        """Decide the positions of a level; return their number. Memory of other moves is freed."""
        block, packed = self._block, self._packed
        rows = block.begin, block.end, packed.rows, block.at
        size, moves, decided = map(int, _decide_packed_rows(*rows, owners, state, ties, win))
        forget(packed.rows, block.at + size + SLACK, block.at + block.size)
        block.size, block.moves = size, moves
        return decided

    def sample(self, state: IntArray, owners: npt.NDArray[np.uint8], ties: int) -> tuple[int, int]:
        """Count the moves of a sample, and how many of these a first round removes."""
        block = self._block
        rows = block.begin, block.end, self._packed.rows, block.at
        moves, removed = _sample_packed_rows(*rows, owners, state, ties)
        return int(moves), int(removed)


def is_worthwhile(
    parts: Iterable[MoveRows | PackedRows],
    status: StatusArray,
    owners: npt.NDArray[np.uint8],
) -> bool:
    """Whether a first round pays, by a sample of the moves.

    Args:
        parts: the moves of all positions.
        status: the status array before the first level.
        owners: the player to move, or empty if the players strictly alternate.
    """
    if len(status.state) <= limits.current().batch(_FEW):
        return False
    moves = removed = 0
    for part in parts:
        counts = part.sample(status.state, owners, status.scale.ties)
        moves, removed = moves + counts[0], removed + counts[1]
    return removed * _PAYS >= moves > 0


def row_spans(rows: int) -> Iterator[tuple[int, int]]:
    """Cut rows into parts; yield the first row of each, and the row after its last."""
    size = limits.current().batch(_RANGE)
    return ((begin, min(begin + size, rows)) for begin in range(0, rows, size))


def joined_moves(parts: Sequence[MoveRows]) -> npt.NDArray[np.uint32]:
    """Move the moves that are left of successive parts of one array together; return them."""
    edges, place = parts[0].edges, 0
    for part in parts:
        if place < part.at:
            edges[place : place + part.moves] = edges[part.at : part.at + part.moves]
            forget(edges, max(place + part.moves, part.at), part.at + part.moves)
        place += part.moves
    return edges[:place]


@kernel
def write_first(state: IntArray, ties: int, first: Int64Array) -> None:
    """Write the index of each position's first move that is left, and one entry more."""
    place = np.int64(0)
    for i in range(state.size):
        first[i] = place
        number = np.int64(state[i])
        if -ties < number < 0:
            place -= number
    first[state.size] = place


def decide_first_levels(
    parts: Sequence[StoredMoves],
    status: StatusArray,
    owners: npt.NDArray[np.uint8],
    threads: int,
    report: Reporter,
    few: int = 0,
) -> bool:
    """Decide levels in rounds over all moves, as long as a round removes many of them.

    Afterwards the status array continues from the last level, and each part has the moves left.

    Args:
        parts: the moves of all positions, in parts that threads share.
        status: the status array before the first level. If wins in one move are decided already,
            whose moves are not stored, there is a first round in any case.
        owners: the player to move, or empty if the players strictly alternate.
        threads: threads to use at most.
        report: receives the number of decided positions.
        few: the number of moves left at which to stop.

    Returns:
        Whether another round pays.
    """
    state, scale = status.state, status.scale
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-rounds") as pool:
        pays, left = True, sum(part.moves for part in parts)
        while status.won or (
            pays and left > few and status.frontier and scale.last - status.level - 1 > scale.ties
        ):
            win = scale.last - status.level - 1
            before = left
            jobs = [(part.decide, state, owners, scale.ties, win) for part in parts]
            status.frontier = sum(run_in_threads(pool, threads, jobs)) + status.won
            status.level += 1
            status.decided += status.frontier
            report.advance(status.decided)
            left = sum(part.moves for part in parts)
            before += before * status.won // len(state)  # moves that are not stored are removed too
            pays = (before - left) * _PAYS >= before > 0
            status.won = 0
    return pays
