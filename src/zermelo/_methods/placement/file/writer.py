"""Writing tables of placement games: patterns group by group, and values level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from zermelo._engine.column import codes
from zermelo._engine.column.palette_writer import create_file, table_header
from zermelo._engine.core.array_types import Uint8Array
from zermelo._engine.core.scratch import release_pages
from zermelo._engine.file.format import Header
from zermelo._engine.file.writer import Blocks, Writer
from zermelo._engine.table import Table
from zermelo._methods.placement.file.column import PER_BLOCK, LevelBlocks
from zermelo._methods.placement.file.index import group_begins
from zermelo._methods.placement.file.kernels import pack
from zermelo._methods.placement.file.pattern_codec import encode_patterns, encoded_sizes
from zermelo._methods.placement.index import PlacementColumn, PlacementIndex
from zermelo._methods.placement.layout import PlacementLayout

#: Groups of patterns that are written in one batch, and bytes of a block of the directory.
_GROUPS_PER_BATCH = 128
_PER_BLOCK = 1 << 14
#: Values that are packed in one batch, and bytes that each takes until it is written.
_VALUES_PER_BATCH, _VALUE_BYTES = 1 << 20, 3
#: Compression levels of Zstandard: low, for fast decompression; and that for numbers of more bits
#: than the last constant, which a low level leaves large.
_QUICK, _TIGHT, _NARROW = -1, 3, 2


def write_tiers(
    writer: Writer,
    table: Table,
    header: Header,
    palette: Sequence[int],
) -> None:
    """Write the patterns of a placement game and their values.

    Args:
        writer: the writer of the file.
        table: the positions and their values.
        header: the other entries of the file's header.
        palette: the occurring values, ascending.
    """
    index, column = cast("PlacementIndex", table.index), cast("PlacementColumn", table.column)
    layout = PlacementLayout(index.board)
    directory, stored = index.directory, index.stored
    # Arrays on disk are released after each part, so that they do not fill the memory.
    files = [stored, column.stored]
    block_counts = layout.block_counts(directory)
    _, words, _ = layout.directory(directory.present, block_counts)
    groups = group_begins(layout.blocks)
    tiers = directory.level_block, index.board.marks
    encoded_bytes = np.empty(layout.blocks, np.int64)
    encoded_sizes(directory.present, *tiers, encoded_bytes)

    level_blocks = LevelBlocks(palette, directory.place[directory.level_section])
    sizes = {
        "present": (np.uint64, len(block_counts), _PER_BLOCK),
        "held": (np.uint16, len(block_counts), _PER_BLOCK),
        "patterns": (np.uint8, int(encoded_bytes.sum()), 0, len(groups) - 1),
        "values": (np.uint8, int(level_blocks.sizes.sum()), 0, len(level_blocks.sizes)),
    }
    starts = table.starts.tolist()
    create_file(writer, header, table_header("tiers", table, palette, starts, turns=False), sizes)
    writer.write_array("present", directory.present)
    writer.write_array("held", block_counts.astype(np.uint16))

    def patterns_of(begin: int, end: int) -> Blocks:
        first, last = groups.item(begin), groups.item(end)
        ends = np.cumsum(encoded_bytes[first:last])
        out = np.empty(ends.item(-1), np.uint8)
        encode_patterns(
            stored[words[first] : words[last]], directory.present, first, last, *tiers, out
        )
        release_pages(*files)
        return out, ends[groups[begin + 1 : end + 1] - first - 1]

    def values_of(begin: int, end: int) -> Blocks:
        ends = np.cumsum(level_blocks.sizes[begin:end])
        out, offset = np.empty(ends.item(-1), np.uint8), 0
        for level, first, last in level_blocks.blocks_by_level(begin, end):
            size = int(level_blocks.sizes[first:last].sum())
            _pack(column, palette, level_blocks, (level, first, last), out[offset : offset + size])
            offset += size
        release_pages(*files)
        return out, ends

    writer.write_parts("patterns", patterns_of, _GROUPS_PER_BATCH, _QUICK)
    blocks_per_part = -(-writer.elements_per_part(_VALUE_BYTES, _VALUES_PER_BATCH) // PER_BLOCK)
    level = _QUICK if max(level_blocks.widths) <= _NARROW else _TIGHT
    writer.write_parts("values", values_of, blocks_per_part, level)


def _pack(
    column: PlacementColumn,
    palette: Sequence[int],
    level_blocks: LevelBlocks,
    blocks: tuple[int, int, int],
    out: Uint8Array,
) -> None:
    """Write some blocks of the values of a level."""
    level, first, last = blocks
    directory, planes = column.directory, column.planes
    level_planes = slice(planes.begin[level], planes.begin[level + 1])
    plies, winners = planes.ply[level_planes].tolist(), planes.whose[level_planes].tolist()
    plane_codes = [
        codes.encode(
            -1 if winner == level % 2 else 1, None if ply == codes.UNTIMED else ply - level
        )
        for winner, ply in zip(winners, plies, strict=True)
    ]
    tie = codes.encode(0, len(level_blocks.listed) - 1 - level)
    number = {palette[place]: n for n, place in enumerate(level_blocks.listed[level].tolist())}
    begin, end = level_blocks.bounds.item(first), level_blocks.bounds.item(last)
    section = int(np.searchsorted(directory.place, begin, side="right")) - 1
    numbers = np.array([number.get(code, -1) for code in plane_codes], np.int64)
    packing = (number.get(tie, -1), level_blocks.widths[level], out)
    if not pack(
        begin, end, section, directory.place, directory.value, column.stored, numbers, *packing
    ):
        message = "a table has a value that it does not count"
        raise AssertionError(message)
