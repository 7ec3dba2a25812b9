"""Tables that store their positions: sorted, each as its difference from the one before.

A block contains ``BLOCK`` positions, and the block with this number of ``values`` their values, as
palette indices. The first position of each block is in memory, so a look-up decompresses two
blocks, unless they are cached, and adds steps up to the position. If many positions are looked up
together, a whole block is decoded.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from zstandard import ZstdCompressionParameters

from zermelo import limits
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import Levels
from zermelo._engine.index.discovery_index import FoundIndex
from zermelo._engine.index.hash_index import HashIndex, entries_for
from zermelo._engine.index.index import Index
from zermelo._engine.index.sorted_blocks import (
    WORD,
    copy_parts,
    decode,
    find_within,
    read_within,
    seek,
)
from zermelo._engine.sort.sorted_keys import at_or_before, block_before, from_numbers, to_numbers
from zermelo._engine.table import Table
from zermelo._store.key_transform import masks_of, parse_transform

#: Positions in a block: more compress better, and take longer to decompress for one of them.
BLOCK = 1024
#: The least positions, and bytes of steps, for which several threads search.
_MANY, _LARGE = 1 << 17, 1 << 25
#: Bytes of a value when it is loaded, with temporary data.
_VALUE = 8
_WORD = 64
_ALL = (1 << 64) - 1
#: The types that ranks may have.
_RANKS = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<u4"))


class ListedIndex(Index):
    """The sorted positions of a table in its file. Threads may share the index."""

    def __init__(self, pages: TableArrays, words: int, count: int) -> None:
        """Read the begins of blocks.

        Args:
            pages: the arrays of the file; ``positions`` and ``ranks`` are added to them.
            words: words of a packed position.
            count: the number of positions.

        Raises:
            CorruptTableError: the file is damaged.
        """
        reader = pages.reader
        self.words = words
        self._pages = pages
        self.span = self._count = count
        self._within = reader.ends("positions")
        self._blocks = -(-count // BLOCK)
        if pages.typed_entry("first", np.uint64).length != self._blocks * words:
            raise pages.part_error("header")
        self._each = reader.largest("positions")
        if len(self._within) != self._blocks + 1 or self._each > WORD * words * BLOCK:
            raise pages.part_error("array 'positions'")
        said = reader.header["table"]
        masks = masks_of(said.get("varying"), words)
        folds = parse_transform(said.get("folds"), words)
        if masks is None or folds is None:
            raise pages.part_error("header")
        first = reader.array("first")  # of transformed positions
        self._folds = folds
        #: The transform of positions, the masks of their varying bits, and the other bits.
        self._bits = folds.under, folds.by, masks, first[:words] & ~masks
        # The sort keys: numbers, of one word, or packed positions.
        self._numbered = sum(map(int.bit_count, masks.tolist())) <= _WORD
        self._row = 1 if self._numbered else words
        self._first, strange = self._sort_keys(folds.apply(first), self._blocks)
        if strange is not None:
            raise pages.part_error("header")
        pages.add("positions", self._each, np.uint8, self._within, _copy, self._copy_all)
        if "ranks" in reader.arrays:
            kind = reader.array_entry("ranks").dtype
            if kind not in _RANKS:
                raise pages.part_error("array 'ranks'")
            size = BLOCK * kind.itemsize
            pages.add("ranks", size, kind.newbyteorder("="), (BLOCK, count), _add_up)

    def _copy_all(self, blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:  # noqa: ARG002  # not asked
        copy_parts(data, blocks, self._within, out)
        return -1

    def _sort_keys(
        self, packed: npt.NDArray[np.uint64], count: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_] | None]:
        """Return the sort keys of packed positions, and which ones the table cannot contain.

        The keys are numbers; if positions have no numbers, they are the transformed positions.
        """
        if not self._numbered:
            return self._folds.apply(packed[: count * self.words]), None
        numbers, fits = np.empty(count, np.uint64), np.empty(count, np.bool_)
        every = to_numbers(packed, self._bits, numbers, fits)
        return numbers, None if every else ~fits

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Index``."""
        if count == 1:
            out[0] = self.finder(packed)()
            return int(out.item(0) >= 0)
        wanted, strange = self._sort_keys(packed, count)
        order, told = None, out
        if self._numbered and (wanted[1:] < wanted[:-1]).any():
            # Consecutive searches then branch alike, which processors predict.
            order, told = np.argsort(wanted), np.empty(count, np.int64)
            wanted, strange = wanted[order], None if strange is None else strange[order]
        blocks = self._block_before(wanted, count, strange)
        found = self._pages.find_positions(
            "positions", wanted, blocks, self._each, told, self._look, self._row
        )
        if order is not None:
            out[order] = told
        return found

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that gives the place of a packed position; see ``Index``."""
        if not self._numbered:
            return partial(self._find_wide, packed)
        number = np.empty(1, np.uint64)
        look_up = partial(block_before, packed, self._bits, self._first, self._blocks, number)
        # Bytes are copied to an array of the type for which the kernel is compiled.
        buffer = np.zeros(self._each, np.uint8)
        shown = buffer.data

        def find() -> int:
            block = look_up()
            if block < 0:
                return -1
            positions = self._pages.cached_array("positions")
            begin = block * BLOCK
            count = min(BLOCK, self._count - begin)
            data = positions.block_bytes(block)
            if data is None:
                within = self._within
                ends = within.item(block), within.item(block + 1)
                at = seek(positions.array, *ends, count, self._first, block, number)
            else:
                size = len(data)
                shown[:size] = data
                at = seek(buffer, 0, size, count, self._first, block, number)
            if at < -1:
                raise self._pages.part_error(f"block {block} of positions")
            return begin + at if at >= 0 else -1

        return find

    def _find_wide(self, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of a packed position without a number, -1 if it is missing."""
        wanted, _ = self._sort_keys(packed, 1)
        blocks, place = self._block_before(wanted, 1), np.empty(1, np.int64)
        if blocks[0] < 0:
            return -1
        positions = self._pages.cached_array("positions")
        positions.load_block(blocks.item(0))
        self._look(positions.array, wanted, blocks, place)
        return place.item()

    def _block_before(
        self,
        wanted: npt.NDArray[np.uint64],
        count: int,
        strange: npt.NDArray[np.bool_] | None = None,
    ) -> Places:
        """Return the block that would contain each key, -1 for none and for ``strange`` ones."""
        blocks = np.empty(count, np.int64)
        at_or_before(wanted, count, self._row, self._first, self._blocks, blocks)
        if strange is not None:
            blocks[strange] = -1
        return blocks

    def _look(
        self,
        data: npt.NDArray[Any],
        wanted: npt.NDArray[np.uint64],
        blocks: Places,
        out: Places,
    ) -> int:
        row = self._row

        def find(begin: int, end: int) -> int:
            here = wanted[begin * row : end * row]
            given = (data, self._within, self._first, self._count)
            found = int(find_within(here, row, *given, blocks[begin:end], BLOCK, out[begin:end]))
            if found < 0:
                raise self._pages.part_error(f"block {-1 - found} of positions")
            return found

        threads = self._pages.cached_array("positions").read.threads
        shared = limits.current().shared
        if threads == 1 or len(blocks) < shared(_MANY) or len(data) < shared(_LARGE):
            return find(0, len(blocks))
        # A block is handled by one thread.
        cuts = np.searchsorted(blocks, blocks[:: -(-len(blocks) // threads)])
        ends = [*cuts[1:].tolist(), len(blocks)]
        with ThreadPoolExecutor(threads, "zermelo-find") as pool:
            return sum(pool.map(find, cuts.tolist(), ends))

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        words, blocks = self.words, places // BLOCK
        out = np.empty((len(places), words), np.uint64)
        for some in self._pages.groups(blocks, self._each, ordered=True):
            positions, here = (
                self._pages.cached_array("positions"),
                np.ascontiguousarray(places[some]),
            )
            positions.load_blocks(blocks[some])
            told = np.empty(len(here) * self._row, np.uint64)
            given = (positions.array, self._within, self._first, self._count, BLOCK, told)
            wrong = read_within(here, self._row, *given)
            if wrong >= 0:
                raise self._pages.part_error(f"block {wrong} of positions")
            out[some] = self._packed_of(told).reshape(-1, words)
        return out.reshape(-1)

    def _packed_of(self, told: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions of sort keys."""
        if not self._numbered:
            return self._folds.apply(told)
        out = np.empty(len(told) * self.words, np.uint64)
        if not from_numbers(told, self._bits, out):
            raise self._pages.part_error("array 'positions'")
        return out

    def potential(self, places: Places) -> Places:
        """Return, in a score game, numbers that decrease along every move."""
        if "ranks" not in self._pages:
            raise self._pages.part_error("header")
        each = self._pages.cached_array("ranks").array.itemsize * BLOCK
        found = self._pages.gather("ranks", places, places // BLOCK, each)
        return found.astype(np.int64)

    @property
    def loaded_bytes(self) -> int:
        """The bytes of the loaded index, with values and hashes."""
        rank = self._pages.cached_array("ranks").array.itemsize if "ranks" in self._pages else 0
        return self._count * (8 * self.words + rank + _VALUE) + 8 * entries_for(self._count)

    def loaded(self) -> FoundIndex:
        """Return all positions in memory, with their ranks if there are any.

        Raises:
            CorruptTableError: a block is damaged.
        """
        count, words, row = self._count, self.words, self._row
        keys, reader = np.empty(count * words, np.uint64), self._pages.reader
        stored = reader.array_entry("positions")
        for number, data in reader.blocks(stored.first, stored.blocks):
            block = number - stored.first
            begin, end = block * BLOCK, min((block + 1) * BLOCK, count)
            some, told = np.frombuffer(data, np.uint8), np.empty((end - begin) * row, np.uint64)
            first = self._first[block * row : (block + 1) * row]
            if not decode(some, 0, len(some), first, row, told):
                raise self._pages.part_error(f"block {block} of positions")
            keys[begin * words : end * words] = self._packed_of(told)
        ranks = self._pages.cached_array("ranks").fill() if "ranks" in self._pages else None
        hashes = HashIndex(words, int(np.bitwise_or.reduce(keys)) if words == 1 else _ALL)
        size = entries_for(count)
        direct = words == 1 and hashes.direct_entries <= size
        hashes.grow(size, keys, count, direct=direct)
        return FoundIndex(keys, hashes, count, ranks)


def _copy(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
    out[:] = np.frombuffer(data, out.dtype.newbyteorder("<"))
    return True


def _add_up(block: int, data: Any, out: npt.NDArray[Any]) -> bool:  # noqa: ARG001  # not asked
    steps = np.frombuffer(data, out.dtype.newbyteorder("<"))
    np.cumsum(steps, dtype=out.dtype, out=out)
    return True


def differences(ranks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the difference of each rank from the one before; the first of each block unchanged."""
    found = ranks.copy()
    found[1:] -= ranks[:-1]
    found[::BLOCK] = ranks[::BLOCK]
    return found


def compression(table: Table, dtype: np.dtype[Any]) -> Levels:
    """Return the compression of positions, values and ranks.

    Only matches of at least seven bytes are searched for, which is faster, also for decompression,
    and hardly larger. Positions at level 1 would take an eighth less, and most of the time of a
    first question. Margins of two bytes hardly compress at all.
    """
    quick, well = (ZstdCompressionParameters(compression_level=n, min_match=7) for n in (-1, 1))
    return quick, -1 if table.kind.gains and dtype.itemsize > 1 else well, -1
