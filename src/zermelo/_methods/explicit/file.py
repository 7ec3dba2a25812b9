"""Solved graphs on disk: edges and values, read when they are needed."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.file_column import FileColumn
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.file.arrays import check_array
from zermelo._engine.file.paged_array import PagedArray
from zermelo._engine.file.table_arrays import TableArrays
from zermelo._methods.explicit.file_writer import (
    EDGES,
    NAMES,
    VERTICES,
    bits_of,
    step_width,
)
from zermelo._methods.explicit.graph_source import BATCH, GraphPart, ScanSize
from zermelo._methods.explicit.index import VertexCodes, narrowed, tally_of
from zermelo._methods.explicit.kernels import NONE
from zermelo._methods.explicit.kernels_blocks import unpack_numbers, unpack_planes, unpack_steps
from zermelo.values.endless import ENDLESS_WIN, REMOTENESS_ALGEBRAS
from zermelo.values.outcomes import NOBODY

#: Blocks of edges that are cached for probes of single vertices.
_CACHED = 256
#: Bytes that a thread takes for each vertex and each edge that it scans, file blocks included; and
#: the least and most bytes of the block cache.
_VERTEX, _EDGE, _LEAST_CACHE, _MOST_CACHE = 24, 10, 1 << 20, 1 << 26
_MOST_VERTICES, _MOST_EDGES, _MOST_DEGREE = (1 << 32) - 2, 1 << 61, (1 << 32) - 1
_OUTCOME_VALUES = np.array([-1, 0, 1, NONE], np.int8)
_NO_VALUES = np.empty(0, np.int8)
_BYTE = 8


class GraphFile:
    """The edges of a solved graph on disk; see ``GraphSource``. Threads may share it.

    Attributes:
        vertices: the number of vertices.
        edges: the number of edges.
        dead_end: the outcome of a vertex without edges and without a given outcome.
        values: the values.
    """

    def __init__(self, pages: TableArrays) -> None:
        """Check the file, except the blocks of arrays, which are checked when they are read.

        Raises:
            CorruptTableError: the file is damaged.
        """
        self.reader = reader = pages.reader
        description = reader.header["table"]
        limits = {
            "positions": (0, _MOST_VERTICES),
            "edges": (0, _MOST_EDGES),
            "dead_end": (-1, 1),
            "degree_bytes": (1, 4),
        }
        for name, (least, most) in limits.items():
            if type(description.get(name)) is not int or not least <= description[name] <= most:
                raise reader.part_error("header")
        if type(description.get("steps")) is not bool:
            raise reader.part_error("header")
        self.vertices: int = description["positions"]
        self.edges: int = description["edges"]
        self.dead_end: int = description["dead_end"]
        degree: int = description["degree_bytes"]
        count = self.vertices
        self._read_spans()
        self._degrees = self._planes("degrees", count, np.uint32, degree, _NO_VALUES, _MOST_DEGREE)
        self._outcomes = self._planes(
            "outcomes", count, np.int8, 1, _OUTCOME_VALUES, len(_OUTCOME_VALUES)
        )
        self._steps: bool = description["steps"]
        self._bits = bits_of(count)
        self._block_bytes = (
            EDGES * step_width(count) if self._steps else EDGES * self._bits // _BYTE
        )
        length = self.edges * step_width(count)
        length = length if self._steps else -(-self.edges * self._bits // _BYTE)
        check_array(reader, "edges", np.dtype(np.uint8), length, self._block_bytes)
        self.values = VertexColumn(pages)
        self._first_block = reader.array_entry("edges").first
        self._block = lru_cache(_CACHED)(self._read_block)

    def _read_spans(self) -> None:
        """Read the number of edges of each block of vertices."""
        blocks = -(-self.vertices // VERTICES)
        check_array(self.reader, "spans", np.dtype(np.uint64), blocks, VERTICES)
        spans = self.reader.array("spans").tolist()
        if sum(spans) != self.edges:
            raise self.reader.part_error("array 'spans'")
        self._spans = np.array(spans, np.int64)
        self._begins = np.concatenate([[0], np.cumsum(self._spans)])

    def _planes(
        self, name: str, length: int, kind: Any, width: int, meanings: npt.NDArray[Any], limit: int
    ) -> PagedArray:
        """Return an array that is stored in planes of bytes and read by blocks.

        Args:
            name: the name of the array in the file.
            length: the number of items.
            kind: the type of items in memory.
            width: the bytes of an item in the file.
            meanings: the item that each stored number stands for; empty if it is the number.
            limit: the upper limit of a stored number.
        """
        check_array(self.reader, name, np.dtype(np.uint8), length * width, VERTICES * width)
        dtype = np.dtype(kind)
        spans = self._spans if name == "degrees" else None

        def unpack_all(
            blocks: npt.NDArray[np.int64], data: Any, ends: Any, out: npt.NDArray[Any]
        ) -> int:
            bad_block = int(
                unpack_planes(data, ends, blocks, VERTICES, width, meanings, limit, out)
            )
            if bad_block < 0 and spans is not None:
                for n, block in enumerate(blocks.tolist()):
                    some = out[block * VERTICES : (block + 1) * VERTICES]
                    if int(some.sum(dtype=np.int64)) != spans.item(block):
                        return n
            return bad_block

        def unpack(block: int, data: Any, out: npt.NDArray[Any]) -> bool:
            some, ends = np.frombuffer(data, np.uint8), np.array([len(data)])
            none = np.zeros(1, np.int64)
            is_valid = unpack_planes(some, ends, none, VERTICES, width, meanings, limit, out) < 0
            is_valid &= spans is None or int(out.sum(dtype=np.int64)) == spans.item(block)
            return bool(is_valid)

        return PagedArray(self.reader, name, dtype, (VERTICES, length), unpack, unpack_all)

    # -- the methods of GraphSource ---------------------------------------------------------------

    def first(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return the first edge of each vertex, and the end of the last vertex's edges."""
        block = begin // VERTICES
        low = block * VERTICES
        degrees = self._cached_range(self._degrees, low, end)
        out = np.empty(end - low + 1, np.int64)
        out[0] = self._begins[block]
        np.cumsum(degrees, out=out[1:])
        out[1:] += out[0]
        return out[begin - low :]

    def outcomes(self, begin: int, end: int) -> npt.NDArray[np.int8]:
        """Return the given outcomes of some vertices."""
        return self._cached_range(self._outcomes, begin, end)

    def targets(self, begin: int, end: int) -> npt.NDArray[np.uint32]:
        """Return the targets of the edges from index ``begin`` to ``end``."""
        if begin >= end:
            return np.empty(0, np.uint32)
        low, high = begin // EDGES, -(-end // EDGES)
        if high - low == 1:
            block_edges: npt.NDArray[np.uint32] = self._block(low)
            return block_edges[begin - low * EDGES : end - low * EDGES]
        return self._read(low, high, begin, end)

    def vertex_range(self, begin: int, end: int) -> GraphPart:
        """Return the vertices from ``begin`` to ``end`` with their edges."""
        first = self.first(begin, end)
        first_edge = int(first[0])
        edges = self.targets(first_edge, int(first[-1]))
        return GraphPart(first - first_edge, edges, self.outcomes(begin, end), begin, first_edge)

    def _cached_range(self, part: PagedArray, begin: int, end: int) -> npt.NDArray[Any]:
        """Return a range of an array; a range within one block is cached."""
        block, last = begin // VERTICES, (end - 1) // VERTICES
        if block == last:
            part.load_block(block)
        else:
            part = part.empty_copy()
            part.load_blocks(np.arange(block, last + 1))
        return part.array[begin:end]

    def _read_block(self, block: int) -> npt.NDArray[np.uint32]:
        return self._read(block, block + 1, block * EDGES, min((block + 1) * EDGES, self.edges))

    def _read(self, low: int, high: int, begin: int, end: int) -> npt.NDArray[np.uint32]:
        """Return the targets of edges ``begin`` to ``end``, in blocks ``low`` to ``high``."""
        data, ends = self.reader.join_blocks(np.arange(low, high) + self._first_block)
        out = np.empty(end - begin, np.uint32)
        skip, count = begin - low * EDGES, self.vertices
        if self._steps:
            width = step_width(count)
            is_valid = unpack_steps(data, ends, EDGES, width, skip, count, out) < 0
        else:
            edges = min(high * EDGES, self.edges) - low * EDGES
            is_valid = len(data) == -(-edges * self._bits // _BYTE)
            is_valid = is_valid and unpack_numbers(data, skip, self._bits, count, out)
        if not is_valid:
            raise self.reader.part_error("array 'edges'")
        return out

    def scan_size(self, threads: int, ledger: Ledger, most: int = BATCH, row: int = 0) -> ScanSize:
        """Return the threads and batches for a scan of the edges; see ``GraphSource``.

        Raises:
            BudgetError: there is too little memory.
        """
        values = self.values.loaded_bytes
        batch, allowed = most, ledger.allowed

        def memory() -> int:
            written = (threads + 1) * min(batch, self.vertices) * row
            return values + threads * self._edge_bytes(batch) + written

        while (needed := memory()) > allowed and (threads > 1 or batch > VERTICES):
            threads, batch = (threads, batch // 2) if batch > VERTICES else (threads - 1, batch)
        ledger.reserve(needed, f"following the edges of {str(self.reader.path)!r}")
        self.reader.limit_cache(min(max(allowed - needed, _LEAST_CACHE), _MOST_CACHE))
        return ScanSize(threads, batch)

    def _edge_bytes(self, batch: int) -> int:
        """Return the bytes that a thread takes for the edges of ``batch`` vertices."""
        run = batch // VERTICES
        spans = self._begins[run:] - self._begins[:-run]
        edges = int(spans.max(initial=0)) if len(spans) else self.edges
        return min(batch, self.vertices) * _VERTEX + edges * _EDGE

    # -- methods of files only --------------------------------------------------------------------

    @cached_property
    def names(self) -> bytes:
        """The names of the vertices in their stored form; empty if vertices have no names."""
        length = self.reader.array_entry("names").length
        check_array(self.reader, "names", np.dtype(np.uint8), length, NAMES)
        return self.reader.array("names").tobytes()


class VertexColumn(FileColumn):
    """The values of a graph in its file."""

    def __init__(self, pages: TableArrays) -> None:
        """Read the header's description of the values.

        Raises:
            CorruptTableError: the file is damaged, or has values that are impossible in a graph.
        """
        super().__init__(pages, VERTICES)
        is_valid = self.kind.algebra in REMOTENESS_ALGEBRAS
        # Without vertices there are no turns.
        is_valid &= self.kind.favours == NOBODY or self.turns or not self.count
        is_valid = is_valid and not (np.abs(self.palette) == ENDLESS_WIN).any()
        narrow_codes = narrowed(self.palette) if is_valid else None
        if narrow_codes is None:
            raise pages.part_error("palette")
        self._codes, self._scale = narrow_codes

    def values(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        values = super().values(numbers)
        if self.kind.favours == NOBODY:
            return values
        return self.kind.at_turns(values, self.owners(numbers))

    def value(self, number: int) -> int:
        """Return the value at one number."""
        value = super().value(number)
        if self.kind.favours == NOBODY:
            return value
        return self.kind.at_turn(value, int(self.owners(np.array([number]))[0]))

    def tally(self) -> dict[int, int]:
        """Return the number of vertices with each code."""
        return super().tally() if self.kind.favours == NOBODY else tally_of(self)

    @property
    def loaded_bytes(self) -> int:
        """The bytes of all values, and of the players to move, in memory."""
        return self.count * (self._codes.itemsize + self.turns)

    def loaded(self) -> VertexCodes:
        """Load all values, on the narrowest scale that contains them; see ``Column``."""
        stored = np.empty(self.count, self._codes.dtype)
        turns = np.empty(self.count if self.turns else 0, np.uint8)
        begin, limit = 0, len(self._codes) << self.turns
        for block in self.blocks():
            if begin + len(block) > self.count or (block >= limit).any():
                break
            stored[begin : begin + len(block)] = self._codes.take(block >> self.turns)
            if self.turns:
                turns[begin : begin + len(block)] = block & 1
            begin += len(block)
        if begin < self.count:
            raise self._pages.part_error("values")
        return VertexCodes(stored, turns, self._scale, self.kind)
