"""Writing the positions of a score game whose index is an array: they stand there in order.

Nothing has to be sorted, and what is written is the same as if it had been.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.scores import CLOSE
from zermelo._engine.core.memory import zeros
from zermelo._engine.file.writer import Blocks, Writer, ends_of
from zermelo._engine.index.in_order import begins_of, list_blocks, places_of, put_together
from zermelo._engine.index.sorted_blocks import WORD, encode
from zermelo._engine.sort.tags import differ
from zermelo._engine.table import HashedTable
from zermelo._store.columns.described import begun, described
from zermelo._store.columns.palettes import has_turns, narrowest
from zermelo._store.indexes.folded import folds_of, folds_told, masks_told
from zermelo._store.indexes.listed import BLOCK, pressed

#: Positions that one thread lists at a time, and bytes that each takes meanwhile.
_TOGETHER, _BYTES = 1 << 17, 48
#: Bytes of what is said of each position, and of its rank meanwhile.
_SAID, _RANK = 8, 4
#: Bits of the smaller of the two numbers that hold what is said of a position.
_HALF = 32


def suits(writer: Writer, table: Any, palette: Sequence[int]) -> bool:
    """Whether a table can be written in this way, and there is the memory for it."""
    if not isinstance(table, HashedTable) or not table.kind.gains:
        return False
    if palette[-1] - palette[0] >= CLOSE:
        return False
    needed = len(table) * (_SAID + _RANK) + writer.threads * _BYTES * _TOGETHER * 2
    return table.hashes.is_direct and (writer.allowed is None or needed <= writer.allowed)


def write(
    writer: Writer, table: HashedTable, header: dict[str, Any], palette: Sequence[int]
) -> None:
    """Write every position of a table with its value.

    Args:
        writer: the file.
        table: the table; see ``suits``.
        header: what else the file says of itself.
        palette: the values that occur, ascending, or the range that they are in.
    """
    count, places, used = len(table), table.hashes.entered, table.hashes.used
    steps = table.steps()
    lowest, highest = int(steps.min()), int(steps.max())
    ranked = np.dtype(narrowest(highest - lowest + 1))
    turns = table.turns if has_turns(table) else table.turns[:0]
    dtype = np.dtype(narrowest(len(palette) << bool(len(turns))))
    beside = 8 * dtype.itemsize
    narrow = beside + 8 * ranked.itemsize <= _HALF
    said: npt.NDArray[Any] = zeros(count, np.uint32 if narrow else np.uint64)
    listed = _listed(palette)
    put_together(table.stored, palette[0], listed, turns, steps, beside, lowest, said)
    del steps
    begins = np.empty(-(-count // BLOCK), np.int64)
    begins_of(places, BLOCK, begins)
    first = np.empty(len(begins), np.uint64)
    starts = np.empty(len(table.starts), np.int64)
    places_of(places, used, BLOCK, begins, table.packed(table.starts), starts)

    document = described("listed", table, palette, starts.tolist(), turns=bool(len(turns)))
    masks = np.zeros(1, np.uint64)
    differ(table.keys, 1, table.packed(table.starts[:1]), masks)
    document["folds"] = folds_told(folds_of([], 1))
    document["varying"] = masks_told(masks)
    document["reach"] = "any"  # in this order places say nothing of who found whom
    sizes = {
        "positions": (np.uint8, count, 0, len(begins)),
        "values": (dtype, count, BLOCK),
        "ranks": (ranked, count, BLOCK),
        "first": (np.uint64, len(first), BLOCK),
    }
    begun(writer, header, document, sizes)

    def part(begin: int, end: int) -> tuple[Blocks, ...]:
        size = min(end * BLOCK, count) - begin * BLOCK
        numbers, ends = np.empty(size, np.uint64), np.empty(end - begin, np.int64)
        chosen = np.empty((size + 1) * dtype.itemsize + WORD, np.uint8)
        ranks = np.empty((size + 1) * ranked.itemsize + WORD, np.uint8)
        keyed: npt.NDArray[np.uint64] = first[begin:end]
        made = (numbers, keyed, chosen, dtype.itemsize, ranks, ranked.itemsize)
        list_blocks(places, begins[begin], used, masks[0], said, beside, BLOCK, size, *made)
        out = np.empty(size * WORD, np.uint8)
        encode(numbers, 1, BLOCK, out, ends)
        return (out, ends), _blocks(chosen, dtype, size), _blocks(ranks, ranked, size)

    together = max(1, writer.together(_BYTES, _TOGETHER) // BLOCK)
    known = writer.known("positions")
    for begin in range(0, known, together):  # those that an earlier process has written
        part(begin, min(begin + together, known))
    writer.write_several(part, range(known, len(begins)), together, pressed(table, dtype))
    writer.write_aside()
    writer.write_array("first", first)


def _blocks(data: npt.NDArray[np.uint8], dtype: np.dtype[Any], count: int) -> Blocks:
    """Return this many elements that stand in some bytes, and where their blocks end."""
    size = count * dtype.itemsize
    return data[:size], ends_of(size, BLOCK * dtype.itemsize)


def _listed(palette: Sequence[int]) -> npt.NDArray[np.uint32]:
    """Return where each value from the least on stands in a palette, or nothing for a range."""
    if isinstance(palette, range):
        return np.empty(0, np.uint32)
    listed = np.zeros(palette[-1] - palette[0] + 1, np.uint32)
    listed[np.array(palette) - palette[0]] = np.arange(len(palette))
    return listed
