"""Solved graphs on their way to a file: of each vertex its value and its edges, and its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import zstandard

from zermelo._engine.column.codes import outcomes as outcomes_of
from zermelo._engine.column.palette import Palette
from zermelo._engine.file.arrays import Array, plain_array
from zermelo._engine.file.writer import Blocks, ends_of
from zermelo._methods.explicit.driver import occurring
from zermelo._methods.explicit.packed import SLACK, pack_numbers, pack_planes, pack_steps
from zermelo._methods.explicit.parts import GraphSource

#: Vertices in a block, edges in a block, and bytes of names.
VERTICES, EDGES, NAMES = 2048, 8192, 1 << 16
#: Blocks that one thread makes at once.
_TOGETHER = 64
#: How much is compressed: edges as numbers, the bits of which look random, and everything else.
_RANDOM, _ELSE = -1, 1
#: Blocks of edges that are coded in both ways, to see which is smaller.
_TRIED = 16
_ITSELF = np.empty(0, np.uint32)
_BYTE = 8


def arrays_of(
    source: GraphSource, names: bytes
) -> tuple[dict[str, Any], dict[str, int], list[Array]]:
    """Return what a graph's table says of itself, how many wins there are, and what it holds.

    Args:
        source: the graph, solved.
        names: the names of its vertices, as the file has them; nothing where they are numbers.
    """
    count, owners = source.vertices, source.owners
    palette, often = occurring(source.stored, source.scale)
    wide = source.scale.wide(palette)
    bounds = np.minimum(np.arange(0, count + VERTICES, VERTICES), count)
    begins = np.array([int(source.first(b, b)[0]) for b in bounds.tolist()], np.int64)
    most = _most_edges(source)
    steps = _shrinks(source)
    document = {
        "edges": source.edges,
        "dead_end": source.dead_end,
        "degree_bytes": width_of(most),
        "steps": steps,
    }

    def degrees(begin: int, end: int) -> npt.NDArray[Any]:
        return np.diff(source.first(begin, end))

    def outcomes(begin: int, end: int) -> npt.NDArray[Any]:
        return source.outcomes(begin, end) + np.int8(1)

    def text(begin: int, end: int) -> npt.NDArray[np.uint8]:
        return np.frombuffer(names[begin:end], np.uint8)

    signs = outcomes_of(wide)
    counts = {
        name: int(often[signs == sign].sum())
        for name, sign in (("win", 1), ("draw", 0), ("loss", -1))
    }
    return (
        document,
        counts,
        [
            plain_array(
                "spans",
                np.uint64,
                len(begins) - 1,
                VERTICES,
                lambda a, b: np.diff(begins[a : b + 1]),
            ),
            plain_array("palette", np.int32, len(wide), VERTICES, lambda a, b: wide[a:b]),
            _planes("degrees", count, width_of(most), degrees),
            _planes("outcomes", count, 1, outcomes),
            plain_array(
                "owners", np.uint8, len(owners), VERTICES, lambda a, b: owners[a:b], level=_ELSE
            ),
            _edges(source, steps=steps),
            _planes("values", count, width_of(len(wide) - 1), *_places(source, palette)),
            plain_array("names", np.uint8, len(names), NAMES, text),
        ],
    )


def width_of(most: int) -> int:
    """Return the bytes that numbers up to ``most`` take."""
    return max(1, -(-most.bit_length() // _BYTE))


def bits_of(count: int) -> int:
    """Return the bits that the number of one of this many vertices takes."""
    return max(1, (count - 1).bit_length())


def step_width(count: int) -> int:
    """Return the bytes that a step between this many vertices takes."""
    return width_of(max(0, 2 * (count - 1)))


def _most_edges(source: GraphSource) -> int:
    """Return how many edges a vertex has at the most."""
    each, count = _TOGETHER * VERTICES, source.vertices
    parts = (source.first(b, min(b + each, count)) for b in range(0, count, each))
    return max((int(np.diff(part).max()) for part in parts), default=0)


def _places(
    source: GraphSource, palette: npt.NDArray[Any]
) -> tuple[Callable[[int, int], npt.NDArray[Any]], npt.NDArray[np.uint32]]:
    """Return what gives the places in the palette of values, and a table to turn that into them."""
    stored = source.stored
    if stored.dtype == np.int16:
        table = np.zeros(1 << 16, np.uint32)
        table[palette.astype(np.int16).view(np.uint16)] = np.arange(len(palette))
        return lambda begin, end: stored[begin:end].view(np.uint16), table
    places = Palette(palette)

    def chosen(begin: int, end: int) -> npt.NDArray[np.uint32]:
        out = np.empty(end - begin, np.uint32)
        places.choose(stored[begin:end], np.empty(0, np.uint8), out)
        return out

    return chosen, _ITSELF


def _planes(
    name: str,
    length: int,
    width: int,
    source: Callable[[int, int], npt.NDArray[Any]],
    table: npt.NDArray[np.uint32] = _ITSELF,
) -> Array:
    """Return an array of numbers, one a vertex, in planes of bytes; see ``pack_planes``."""

    def part(begin: int, end: int) -> Blocks:
        some = source(begin * VERTICES, min(end * VERTICES, length))
        out = np.empty(len(some) * width, np.uint8)
        if width == 1 and not len(table):
            out[:] = some
        else:
            kind = np.uint16 if len(table) else np.uint32
            pack_planes(some.astype(kind, copy=False), table, VERTICES, width, out)
        return out, ends_of(len(out), VERTICES * width)

    kind = np.dtype(np.uint8)
    return Array(name, kind, length * width, VERTICES * width, part, _TOGETHER, _ELSE)


def _edges(source: GraphSource, *, steps: bool) -> Array:
    """Return the array of edges, coded in one of the two ways."""
    count, total = source.vertices, source.edges
    each = EDGES * step_width(count) if steps else EDGES * bits_of(count) // _BYTE
    length = total * step_width(count) if steps else -(-total * bits_of(count) // _BYTE)

    def part(begin: int, end: int) -> Blocks:
        some = source.targets(begin * EDGES, min(end * EDGES, total))
        out = _coded(some.astype(np.uint32, copy=False), count, steps=steps)
        return out, ends_of(len(out), each)

    level = _ELSE if steps else _RANDOM
    return Array("edges", np.dtype(np.uint8), length, each, part, _TOGETHER, level)


def _coded(targets: npt.NDArray[np.uint32], count: int, *, steps: bool) -> npt.NDArray[np.uint8]:
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
    """Return whether edges take less as steps, by some blocks of them."""
    blocks = -(-source.edges // EDGES)
    sizes = {False: 0, True: 0}
    for block in range(0, blocks, -(-blocks // _TRIED) or 1):
        some = source.targets(block * EDGES, min((block + 1) * EDGES, source.edges))
        targets = some.astype(np.uint32, copy=False)
        for steps, level in ((False, _RANDOM), (True, _ELSE)):
            data = _coded(targets, source.vertices, steps=steps)
            sizes[steps] += len(zstandard.ZstdCompressor(level=level).compress(data.tobytes()))
    return sizes[True] < sizes[False]
