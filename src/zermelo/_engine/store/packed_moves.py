"""Moves in few bytes: the children of a position as differences, most of which take one or two.

A row has the moves of a position in the order of the rules. Each child is written as its difference
from the child before, and the first one from the position itself, modulo 2³² and with its sign in
the lowest bit, in one to four bytes. One byte has the sizes of four differences, and the bytes of
sizes come first, so neither writing nor reading has branches to mispredict (Lemire, Kurz and Rupp,
"Stream VByte", Information Processing Letters 130, 2018). A row takes no more space after some of
its moves are removed, so rounds write the rows that are left over the others.

Ends that are known when a row is written decide some positions: one of the moves wins at once. The
row of such a position is left out, and its number of moves is 0.
"""

from __future__ import annotations

import mmap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    IntArray,
    Integer,
    Uint8Array,
    Uint32Array,
)
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import Arena, eight_bytes, forget, put_eight_bytes, zeros
from zermelo._engine.core.threads import run_in_threads, thread_pool
from zermelo.values.win_draw_loss import TIES, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Bytes that may be read or written behind the last row of a block.
SLACK = 8
#: The rows of a full block, and its bytes.
_ROWS, _BYTES = 1 << 13, 1 << 20
#: Bytes of a position's number of moves.
DEGREE_BYTES = 4

_ONE, _TWO, _THREE = np.uint64(1 << 8), np.uint64(1 << 16), np.uint64(1 << 24)
_LOW = np.uint64(0xFFFFFFFF)
_EIGHT = np.uint64(8)
_THREE_BITS, _SEVEN, _ONE_BIT = np.uint64(3), np.uint64(7), np.uint64(1)


def most_bytes(moves: int, rows: int) -> int:
    """Return the most bytes that rows with these moves take."""
    return 4 * moves + (moves >> 2) + rows + SLACK


@inlined
def pack_row(
    children: IntArray, low: Integer, high: Integer, position: Integer, out: Uint8Array, at: Integer
) -> Any:
    """Write the children ``low`` to ``high`` of a position from ``out[at]`` on; return the end.

    Up to ``SLACK`` bytes behind the end are overwritten, too.
    """
    count = high - low
    codes = at
    at += (count + 3) >> 2
    previous = np.int64(position)
    sizes = np.int64(0)
    for n in range(count):
        child = np.int64(children[low + n])
        difference = ((child - previous) << 32) >> 32
        previous = child
        folded = np.uint64((difference << 1) ^ (difference >> 63)) & _LOW
        code = np.int64(folded >= _ONE) + np.int64(folded >= _TWO) + np.int64(folded >= _THREE)
        sizes = (sizes >> 2) | (code << 6)
        out[codes + (n >> 2)] = np.uint8(sizes)
        put_eight_bytes(out, at, folded)
        at += 1 + code
    if count & 3:
        out[codes + (count >> 2)] = np.uint8(sizes >> (2 * (4 - (count & 3))))
    return at


@inlined
def unpack_row(
    packed: Uint8Array, at: Integer, count: Integer, position: Integer, out: IntArray, low: Integer
) -> Any:
    """Write the ``count`` children of a position from ``out[low]`` on; return the row's end."""
    codes = at
    at += (count + 3) >> 2
    child = np.int64(position)
    for n in range(count):
        code = (np.int64(packed[codes + (n >> 2)]) >> (2 * (n & 3))) & 3
        shift = np.uint64(56) - _EIGHT * np.uint64(code)
        folded = np.int64((eight_bytes(packed, at) << shift) >> shift)
        child = (child + ((folded >> 1) ^ -(folded & 1))) & 0xFFFFFFFF
        out[low + n] = child
        at += 1 + code
    return at


@inlined
def row_end(packed: Uint8Array, at: Integer, count: Integer) -> int:
    """Return the end of the row of ``count`` moves that begins at ``packed[at]``."""
    codes_end = at + ((count + 3) >> 2)
    end = codes_end + count
    for place in range(at, codes_end):
        sizes = np.int64(packed[place])
        sizes = (sizes & 0x33) + ((sizes >> 2) & 0x33)
        end += (sizes + (sizes >> 4)) & 0x0F
    return end


@kernel
def pack_rows(
    ends: IntArray,
    count: int,
    parent: int,
    children: Any,
    low: int,
    degrees: Uint32Array,
    row: int,
    out: Any,
    at: int,
    won_ends: Uint8Array,
    values: Any,
    owners: Any,
) -> tuple[Any, Any]:
    """Write the moves of consecutive positions, row after row, without rows that win at once.

    Args:
        ends: the cumulative number of moves of each position.
        count: the number of positions.
        parent: the first position.
        children: the child of each move.
        low: the index in ``children`` of the first move.
        degrees: receives the number of moves of each position, from index ``row``.
        row: the first index in ``degrees``.
        out: receives the rows; see ``most_bytes``.
        at: the index in ``out`` of the first row.
        won_ends: a bit for each position, set if it is known to be the end of a game that a player
            has won; empty to leave out nothing.
        values: the value of each such position.
        owners: the player to move, or empty if the players strictly alternate.

    Returns:
        The end of the last row, and the number of moves written.
    """
    begin: Any = np.int64(0)
    moves: Any = np.int64(0)
    for i in range(count):
        end = np.int64(ends[i])
        if won_ends.size and _wins(
            children, low + begin, low + end, parent + i, won_ends, values, owners
        ):
            degrees[row + i] = 0
        else:
            degrees[row + i] = end - begin
            moves += end - begin
            at = pack_row(children, low + begin, low + end, parent + i, out, at)
        begin = end
    return at, moves


@inlined
def _wins(
    children: Any, low: Any, high: Any, position: Any, won_ends: Any, values: Any, owners: Any
) -> bool:
    """Return whether a move of a position is known to win at once; see ``pack_rows``."""
    for n in range(low, high):
        child = np.uint64(children[n])
        if won_ends[child >> _THREE_BITS] >> (child & _SEVEN) & _ONE_BIT:
            loses = values[child] < 0
            if owners.size:
                loses ^= owners[position] == owners[child]
            if loses:
                return True
    return False


@kernel
def _mark_won(values: Any, begin: int, end: int, won_ends: Any) -> None:
    """Set the bits of positions that are the end of a game won by a player."""
    for i in range(begin, end):
        value = np.int64(values[i])
        if value != UNKNOWN and abs(value) > TIES:
            won_ends[i >> 3] |= np.uint8(1 << (i & 7))


@kernel
def unpack_rows(
    packed: Uint8Array, at: int, begin: int, end: int, first: Int64Array, edges: Uint32Array
) -> None:
    """Write the children of the positions ``begin`` to ``end``, at the indices in ``first``."""
    place: Any = np.int64(at)
    for i in range(begin, end):
        low = np.int64(first[i])
        place = unpack_row(packed, place, np.int64(first[i + 1]) - low, i, edges, low)


@dataclass(slots=True)
class MoveBlock:
    """The rows of some consecutive positions.

    Attributes:
        begin: the first position.
        end: the position after the last.
        at: the index of the first byte.
        size: the number of bytes.
        moves: the number of moves, or how many of them are left.
    """

    begin: int
    end: int
    at: int
    size: int
    moves: int


class PackedMoves:
    """The moves of consecutive positions, which are appended.

    Attributes:
        blocks: the blocks of rows, each followed by ``SLACK`` bytes.
    """

    def __init__(self, limit: int) -> None:
        """Create an empty array of moves of at most ``limit`` bytes; see ``Arena``."""
        self._degrees = Arena(np.uint32, limit)
        self._rows = Arena(np.uint8, limit)
        self._won_ends = Arena(np.uint8, limit)
        self._won_ends.array = self._won_ends.array[:0]
        self.blocks: list[MoveBlock] = []

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> Self:
        """Return the moves whose ``arrays`` were saved; nothing can be appended to them."""
        moves = cls(0)
        moves._degrees.array, moves._rows.array = arrays["degrees"], arrays["rows"]
        moves.blocks = [MoveBlock(*block) for block in arrays["blocks"].reshape(-1, 5).tolist()]
        return moves

    @property
    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Arrays with all that is known of the moves; see ``from_arrays``."""
        blocks = [(b.begin, b.end, b.at, b.size, b.moves) for b in self.blocks]
        return {
            "degrees": self._degrees.array[: self.positions],
            "rows": self._rows.array[: self.bytes],
            "blocks": np.array(blocks, np.int64),
        }

    @property
    def degrees(self) -> Uint32Array:
        """The number of moves of each position, before any were removed."""
        return self._degrees.array

    @property
    def rows(self) -> Uint8Array:
        """The rows, block by block."""
        return self._rows.array

    @property
    def won_ends(self) -> Uint8Array:
        """A bit for each position, set by ``mark_won_ends``."""
        return self._won_ends.array

    @property
    def positions(self) -> int:
        """The number of positions."""
        return self.blocks[-1].end if self.blocks else 0

    @property
    def bytes(self) -> int:
        """The bytes of the rows."""
        return self.blocks[-1].at + self.blocks[-1].size + SLACK if self.blocks else 0

    @property
    def held_bytes(self) -> int:
        """The bytes of the rows that are left, and of the rest of their pages."""
        return sum(block.size + mmap.PAGESIZE + SLACK for block in self.blocks)

    @property
    def moves(self) -> int:
        """The number of moves, or how many of them are left."""
        return sum(block.moves for block in self.blocks)

    def mark_won_ends(self, values: npt.NDArray[Any], begin: int, end: int, positions: int) -> None:
        """Set the bits of positions ``begin`` to ``end`` that end a game won, for later rows.

        Args:
            values: the value of each position.
            begin: the first position.
            end: the position after the last.
            positions: a number that is greater than the children of later rows.
        """
        _mark_won(values, begin, end, self._won_ends.ensure((positions >> 3) + 1, (begin + 7) >> 3))

    def append(
        self,
        ends: Int32Array,
        count: int,
        children: Uint32Array,
        low: int,
        values: npt.NDArray[Any],
        owners: Uint8Array,
    ) -> None:
        """Append the moves of ``count`` positions; arguments as for ``pack_rows``."""
        degrees, at = self._ensure(count), self._begin_of_next()
        out = self._rows.ensure(at + most_bytes(int(ends[count - 1]) if count else 0, count), at)
        rows = (ends, count, self.positions, children, low)
        end, moves = pack_rows(
            *rows, degrees, self.positions, out, at, self.won_ends, values, owners
        )
        self._extend(count, at, int(end), int(moves))

    def append_packed(self, degrees: Uint32Array, rows: Uint8Array, moves: int) -> None:
        """Append rows that are packed already.

        Args:
            degrees: the number of moves of each position, as ``pack_rows`` writes it.
            rows: their rows.
            moves: the number of moves in them.
        """
        count, positions, at = len(degrees), self.positions, self._begin_of_next()
        self._ensure(count)[positions : positions + count] = degrees
        self._rows.ensure(at + len(rows) + SLACK, at)[at : at + len(rows)] = rows
        self._extend(count, at, at + len(rows), moves)

    def _ensure(self, count: int) -> npt.NDArray[Any]:
        return self._degrees.ensure(self.positions + count, self.positions)

    def _begin_of_next(self) -> int:
        """Return the index of the next row: behind the last block if that one is full."""
        if not self.blocks:
            return 0
        last = self.blocks[-1]
        is_full = last.end - last.begin >= _ROWS or last.size >= _BYTES
        return last.at + last.size + SLACK * is_full

    def _extend(self, count: int, at: int, end: int, moves: int) -> None:
        """Record the rows of ``count`` more positions, from ``at`` to ``end``."""
        last = self.blocks[-1] if self.blocks else None
        if last is not None and last.at + last.size == at:
            last.end += count
            last.size += end - at
            last.moves += moves
        else:
            begin = self.positions
            self.blocks.append(MoveBlock(begin, begin + count, at, end - at, moves))

    def unpack(self, first: Int64Array, threads: int) -> Uint32Array:
        """Return the child of each move, and free the rows.

        Args:
            first: the index of each position's first move; one entry more marks the end.
            threads: threads to use at most.
        """
        edges: Uint32Array = zeros(int(first[-1]), np.uint32)

        def work(block: MoveBlock) -> None:
            unpack_rows(self.rows, block.at, block.begin, block.end, first, edges)
            forget(self.rows, block.at, block.at + block.size)

        with thread_pool(threads, "zermelo-unpack") as pool:
            run_in_threads(pool, threads, [(work, block) for block in self.blocks])
        self._rows.clear()
        return edges
