"""Writing solved graphs to a file: the value, the edges and the name of each vertex."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._engine.column.palette_writer import (
    PalettePlaces,
    PaletteValues,
    create_file,
    table_header,
)
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.file.arrays import Array, plain_array
from zermelo._engine.file.format import Header
from zermelo._engine.file.writer import Blocks, Writer, ends_of
from zermelo._methods.explicit.graph_source import GraphSource
from zermelo._methods.explicit.kernels_blocks import SLACK, pack_numbers, pack_planes, pack_steps

if TYPE_CHECKING:
    from zermelo._engine.table import Table
    from zermelo._methods.explicit.index import VertexCodes

#: Vertices per block, edges per block, and bytes of names per block.
VERTICES, EDGES, NAMES = 2048, 8192, 1 << 16
#: Blocks that one thread packs in one batch, and bytes per block until it is written.
_BLOCKS_PER_BATCH, _BYTES_PER_BLOCK = 64, 12 * EDGES
#: Compression levels: of edges as numbers, whose bits look random, and of everything else.
_RANDOM, _ELSE = -1, 1
#: Blocks of edges that are coded in both ways, to find out which is smaller.
_TRIED = 16
_BYTE = 8


def write_graph(
    source: GraphSource,
    names: bytes,
    table: Table,
    writer: Writer,
    header: Header,
    palette: Sequence[int],
) -> None:
    """Write a graph and the values of its vertices.

    Args:
        source: the graph.
        names: the names of its vertices, as the file stores them; empty if they are numbers.
        table: the values.
        writer: the writer of the file.
        header: the other entries of the file's header.
        palette: the occurring values, ascending.
    """
    count, turns = source.vertices, table.column.turns
    bounds = np.minimum(np.arange(0, count + VERTICES, VERTICES), count)
    begins = np.array([int(source.first(b, b)[0]) for b in bounds.tolist()], np.int64)
    degree, steps = width_of(_most_edges(source)), _shrinks(source)

    def spans(begin: int, end: int) -> IntArray:
        return np.diff(begins[begin : end + 1])

    def degrees(begin: int, end: int) -> IntArray:
        return np.diff(source.first(begin, end))

    def outcomes(begin: int, end: int) -> npt.NDArray[Any]:
        return source.outcomes(begin, end) + np.int8(1)

    def text(begin: int, end: int) -> npt.NDArray[np.uint8]:
        return np.frombuffer(names[begin:end], np.uint8)

    column = cast("VertexCodes", table.column)
    # The value of a draw or tie follows from the player to move, and is not written.
    palette = sorted({*map(column.kind.turnless, palette)})
    values = (
        _CodePlaces(column, palette)
        if column.meaning is not None
        else _palette_entries(column, palette)
    )
    arrays = [
        plain_array("spans", np.uint64, len(begins) - 1, VERTICES, spans),
        _planes("degrees", count, degree, degrees),
        _planes("outcomes", count, 1, outcomes),
        _edges(source, steps=steps),
        plain_array("names", np.uint8, len(names), NAMES, text),
    ]
    more = {
        "edges": source.edges,
        "dead_end": source.dead_end,
        "degree_bytes": degree,
        "steps": steps,
    }
    document = table_header("graph", table, palette, table.starts.tolist(), turns=turns, **more)
    sizes = {each.name: (each.dtype, each.length, each.per_block) for each in arrays}
    create_file(writer, header, document, {**sizes, "values": values.plan()})
    together = writer.blocks_per_part(_BYTES_PER_BLOCK, _BLOCKS_PER_BATCH)
    for each in arrays:
        writer.write_parts(each.name, each.part, min(each.together, together), each.level)
    values.write(writer, _ELSE)


class _CodePlaces(PalettePlaces):
    """Codes of 16 bits as palette entries; a table has the entry of each code."""

    def __init__(self, column: VertexCodes, palette: Sequence[int]) -> None:
        """Create the table."""
        super().__init__(column.count, palette, turns=column.turns, per_block=VERTICES)
        self._column = column
        meaning: Any = column.meaning
        self._places = np.searchsorted(np.array(palette), meaning).astype(self.dtype)

    def stored_numbers(self, begin: int, end: int) -> IntArray:
        """Return palette entries; see ``PalettePlaces``."""
        column = self._column
        found: npt.NDArray[Any] = self._places.take(column.stored[begin:end])
        if column.turns:
            found = (found << 1) | column.owner[begin:end]
        return found


def _palette_entries(column: VertexCodes, palette: Sequence[int]) -> PalettePlaces:
    """Return codes of 32 bits as palette entries."""

    def some(begin: int, end: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint8]]:
        return column.stored[begin:end], column.owner[begin:end]

    return PaletteValues(column.count, palette, some, turns=column.turns, per_block=VERTICES)


def width_of(most: int) -> int:
    """Return the bytes that numbers up to ``most`` take."""
    return max(1, -(-most.bit_length() // _BYTE))


def bits_of(count: int) -> int:
    """Return the bits of a vertex number in a graph of ``count`` vertices."""
    return max(1, (count - 1).bit_length())


def step_width(count: int) -> int:
    """Return the bytes of a step in a graph of ``count`` vertices."""
    return width_of(max(0, 2 * (count - 1)))


def _most_edges(source: GraphSource) -> int:
    """Return the most edges of a vertex."""
    each, count = _BLOCKS_PER_BATCH * VERTICES, source.vertices
    parts = (source.first(b, min(b + each, count)) for b in range(0, count, each))
    return max((int(np.diff(part).max()) for part in parts), default=0)


def _planes(
    name: str, length: int, width: int, source: Callable[[int, int], npt.NDArray[Any]]
) -> Array:
    """Return an array of numbers, one a vertex, in planes of bytes; see ``pack_planes``."""

    def part(begin: int, end: int) -> Blocks:
        some = source(begin * VERTICES, min(end * VERTICES, length))
        out = np.empty(len(some) * width, np.uint8)
        if width == 1:
            out[:] = some
        else:
            pack_planes(some.astype(np.uint32, copy=False), VERTICES, width, out)
        return out, ends_of(len(out), VERTICES * width)

    kind = np.dtype(np.uint8)
    return Array(name, kind, length * width, VERTICES * width, part, _BLOCKS_PER_BATCH, _ELSE)


def _edges(source: GraphSource, *, steps: bool) -> Array:
    """Return the array of edges, coded in one of the two ways."""
    count, total = source.vertices, source.edges
    each = EDGES * step_width(count) if steps else EDGES * bits_of(count) // _BYTE
    length = total * step_width(count) if steps else -(-total * bits_of(count) // _BYTE)

    def part(begin: int, end: int) -> Blocks:
        some = source.targets(begin * EDGES, min(end * EDGES, total))
        out = _encode_edges(some.astype(np.uint32, copy=False), count, steps=steps)
        return out, ends_of(len(out), each)

    level = _ELSE if steps else _RANDOM
    return Array("edges", np.dtype(np.uint8), length, each, part, _BLOCKS_PER_BATCH, level)


def _encode_edges(
    targets: npt.NDArray[np.uint32], count: int, *, steps: bool
) -> npt.NDArray[np.uint8]:
    """Return edges as the bytes of blocks."""
    if steps:
        width = step_width(count)
        out = np.empty(len(targets) * width, np.uint8)
        pack_steps(targets, EDGES, width, out)
        return out
    bits = bits_of(count)
    size = -(-len(targets) * bits // _BYTE)
    out = np.empty(size + SLACK, np.uint8)
    pack_numbers(targets, bits, out)
    return out[:size]


def _shrinks(source: GraphSource) -> bool:
    """Return whether edges are smaller as steps, judged by some of their blocks."""
    blocks = -(-source.edges // EDGES)
    sizes = {False: 0, True: 0}
    for block in range(0, blocks, -(-blocks // _TRIED) or 1):
        some = source.targets(block * EDGES, min((block + 1) * EDGES, source.edges))
        targets = some.astype(np.uint32, copy=False)
        for steps, level in ((False, _RANDOM), (True, _ELSE)):
            data = _encode_edges(targets, source.vertices, steps=steps)
            sizes[steps] += len(zstandard.ZstdCompressor(level=level).compress(data.tobytes()))
    return sizes[True] < sizes[False]
