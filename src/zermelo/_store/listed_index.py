"""Tables with stored positions: sorted, each as its difference from the one before.

A block contains ``BLOCK`` positions. The block of ``values`` with the same index contains their
values, as palette indices. The first position of each block is in memory. So a look-up decompresses
two blocks, unless they are cached, and adds differences up to the position. If many positions are
looked up together, a whole block is decoded.
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
from zermelo._engine.core.array_types import Uint8Array
from zermelo._engine.file.table_arrays import Places, TableArrays
from zermelo._engine.file.writer import Levels
from zermelo._engine.index.discovery_index import FoundIndex
from zermelo._engine.index.hash_index import HashIndex, entries_for
from zermelo._engine.index.index import Index
from zermelo._engine.index.sorted_blocks import (
    WORD,
    copy_parts,
    decode_blocks,
    find_within,
    read_within,
    seek,
)
from zermelo._engine.sort.sorted_keys import at_or_before, block_before, from_numbers, to_numbers
from zermelo._engine.table import Table
from zermelo._store.key_transform import masks_of, parse_transform

#: Positions in a block: larger blocks compress better, but a single look-up takes longer.
BLOCK = 1024
#: Blocks that are loaded together.
_LOADED_BLOCKS = 1 << 6
#: The least number of positions, and of bytes of differences, for which several threads search.
_MANY_KEYS, _LARGE_DATA = 1 << 17, 1 << 25
#: Bytes of a value while it is loaded, with temporary data; and if that is more, a multiple of the
#: bytes of its palette index.
_VALUE, _INDICES = 8, 2
_WORD = 64
_ALL_BITS = (1 << 64) - 1
#: The types that ranks may have.
_RANK_TYPES = (np.dtype("<u1"), np.dtype("<u2"), np.dtype("<u4"))


class ListedIndex(Index):
    """The sorted positions of a table in its file. Threads may share the index."""

    def __init__(self, pages: TableArrays, words: int, count: int) -> None:
        """Read the first position of each block.

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
        self._block_ends = reader.ends("positions")
        self._blocks = -(-count // BLOCK)
        if pages.typed_entry("first", np.uint64).length != self._blocks * words:
            raise pages.part_error("header")
        self._block_bytes = reader.largest("positions")
        if len(self._block_ends) != self._blocks + 1 or self._block_bytes > WORD * words * BLOCK:
            raise pages.part_error("array 'positions'")
        description = reader.header["table"]
        masks = masks_of(description.get("varying"), words)
        folds = parse_transform(description.get("folds"), words)
        if masks is None or folds is None:
            raise pages.part_error("header")
        first = reader.array("first")  # of transformed positions
        self._folds = folds
        #: The transform of positions, the masks of their varying bits, and the other bits.
        self._bits = folds.sources, folds.shifts, masks, first[:words] & ~masks
        # The sort keys are numbers of one word, or packed positions.
        self._has_numbers = sum(map(int.bit_count, masks.tolist())) <= _WORD
        self._row = 1 if self._has_numbers else words
        self._first, impossible = self._sort_keys(folds.apply(first), self._blocks)
        if impossible is not None:
            raise pages.part_error("header")
        pages.add("positions", self._block_bytes, np.uint8, self._block_ends, _copy, self._copy_all)
        if "ranks" in reader.arrays:
            kind = reader.array_entry("ranks").dtype
            if kind not in _RANK_TYPES:
                raise pages.part_error("array 'ranks'")
            size = BLOCK * kind.itemsize
            pages.add("ranks", size, kind.newbyteorder("="), (BLOCK, count), _add_up)

    def _copy_all(self, blocks: Places, data: Any, ends: Places, out: npt.NDArray[Any]) -> int:  # noqa: ARG002  # not asked
        copy_parts(data, blocks, self._block_ends, out)
        return -1

    def _sort_keys(
        self, packed: npt.NDArray[np.uint64], count: int
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_] | None]:
        """Return the sort keys of packed positions, and a mask of positions that cannot occur.

        The keys are numbers; if positions have no numbers, they are the transformed positions.
        """
        if not self._has_numbers:
            return self._folds.apply(packed[: count * self.words]), None
        numbers, fits = np.empty(count, np.uint64), np.empty(count, np.bool_)
        all_fit = to_numbers(packed, self._bits, numbers, fits)
        return numbers, None if all_fit else ~fits

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find packed positions; see ``Index``."""
        if count == 1:
            out[0] = self.finder(packed)()
            return int(out.item(0) >= 0)
        keys, impossible = self._sort_keys(packed, count)
        order, key_places = None, out
        if self._has_numbers and (keys[1:] < keys[:-1]).any():
            # In sorted order, consecutive searches branch alike, which processors predict.
            order, key_places = np.argsort(keys), np.empty(count, np.int64)
            keys, impossible = keys[order], None if impossible is None else impossible[order]
        blocks = self._block_before(keys, count, impossible)
        count_found = self._pages.find_positions(
            "positions",
            keys,
            blocks,
            self._block_bytes,
            key_places,
            self._find_in_blocks,
            self._row,
        )
        if order is not None:
            out[order] = key_places
        return count_found

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that finds the place of a packed position; see ``Index``."""
        if not self._has_numbers:
            return partial(self._find_wide, packed)
        number = np.empty(1, np.uint64)
        look_up = partial(block_before, packed, self._bits, self._first, self._blocks, number)
        # Bytes are copied to an array of the type for which the kernel is compiled.
        buffer = np.zeros(self._block_bytes, np.uint8)
        view = buffer.data

        def find() -> int:
            block = look_up()
            if block < 0:
                return -1
            positions = self._pages.cached_array("positions")
            first_place = block * BLOCK
            count = min(BLOCK, self._count - first_place)
            data = positions.block_bytes(block)
            if data is None:
                start, end = self._block_ends.item(block), self._block_ends.item(block + 1)
                offset = seek(positions.array, start, end, count, self._first, block, number)
            else:
                size = len(data)
                view[:size] = data
                offset = seek(buffer, 0, size, count, self._first, block, number)
            if offset < -1:
                raise self._pages.part_error(f"block {block} of positions")
            return first_place + offset if offset >= 0 else -1

        return find

    def _find_wide(self, packed: npt.NDArray[np.uint64]) -> int:
        """Return the place of a packed position that has no number; -1 if it is missing."""
        keys, _ = self._sort_keys(packed, 1)
        blocks, place = self._block_before(keys, 1), np.empty(1, np.int64)
        if blocks[0] < 0:
            return -1
        positions = self._pages.cached_array("positions")
        positions.load_block(blocks.item(0))
        self._find_in_blocks(positions.array, keys, blocks, place)
        return place.item()

    def _block_before(
        self,
        keys: npt.NDArray[np.uint64],
        count: int,
        impossible: npt.NDArray[np.bool_] | None = None,
    ) -> Places:
        """Return the block that would contain each key; -1 for none, and for impossible keys."""
        blocks = np.empty(count, np.int64)
        at_or_before(keys, count, self._row, self._first, self._blocks, blocks)
        if impossible is not None:
            blocks[impossible] = -1
        return blocks

    def _find_in_blocks(
        self,
        data: Uint8Array,
        keys: npt.NDArray[np.uint64],
        blocks: Places,
        out: Places,
    ) -> int:
        row = self._row

        def find(begin: int, end: int) -> int:
            count = int(
                find_within(
                    keys[begin * row : end * row],
                    row,
                    data,
                    self._block_ends,
                    self._first,
                    self._count,
                    blocks[begin:end],
                    BLOCK,
                    out[begin:end],
                )
            )
            if count < 0:
                raise self._pages.part_error(f"block {-1 - count} of positions")
            return count

        threads = self._pages.cached_array("positions").read_count.threads
        shared = limits.current().shared
        if threads == 1 or len(blocks) < shared(_MANY_KEYS) or len(data) < shared(_LARGE_DATA):
            return find(0, len(blocks))
        # One thread searches all keys of a block.
        cuts = np.searchsorted(blocks, blocks[:: -(-len(blocks) // threads)])
        ends = [*cuts[1:].tolist(), len(blocks)]
        with ThreadPoolExecutor(threads, "zermelo-find") as pool:
            return sum(pool.map(find, cuts.tolist(), ends))

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        words, blocks = self.words, places // BLOCK
        out = np.empty((len(places), words), np.uint64)
        for group in self._pages.groups(blocks, self._block_bytes, ordered=True):
            positions = self._pages.cached_array("positions")
            group_places = np.ascontiguousarray(places[group])
            positions.load_blocks(blocks[group])
            keys = np.empty(len(group_places) * self._row, np.uint64)
            damaged = read_within(
                group_places,
                self._row,
                positions.array,
                self._block_ends,
                self._first,
                self._count,
                BLOCK,
                keys,
            )
            if damaged >= 0:
                raise self._pages.part_error(f"block {damaged} of positions")
            out[group] = self._packed_of(keys).reshape(-1, words)
        return out.reshape(-1)

    def _packed_of(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions of sort keys."""
        if not self._has_numbers:
            return self._folds.apply(keys)
        out = np.empty(len(keys) * self.words, np.uint64)
        if not from_numbers(keys, self._bits, out):
            raise self._pages.part_error("array 'positions'")
        return out

    def potential(self, places: Places) -> Places:
        """Return the ranks of a score game, which decrease along every move."""
        if "ranks" not in self._pages:
            raise self._pages.part_error("header")
        block_bytes = self._pages.cached_array("ranks").array.itemsize * BLOCK
        ranks = self._pages.gather("ranks", places, places // BLOCK, block_bytes)
        return ranks.astype(np.int64)

    @property
    def loaded_bytes(self) -> int:
        """The bytes of the loaded index, with values and hashes."""
        rank = self._pages.cached_array("ranks").array.itemsize if "ranks" in self._pages else 0
        value = max(_VALUE, _INDICES * self._pages.reader.array_entry("values").dtype.itemsize)
        return self._count * (8 * self.words + rank + value) + 8 * entries_for(self._count)

    def loaded(self) -> FoundIndex:
        """Load all positions, with their ranks if the table has ranks.

        Raises:
            CorruptTableError: a block is damaged.
        """
        count, words, row = self._count, self.words, self._row
        keys = np.empty(count * words, np.uint64)
        stored = self._pages.reader.array_entry("positions")
        self.is_ordered = True
        for block in range(0, stored.blocks, _LOADED_BLOCKS):
            blocks = np.arange(block, min(block + _LOADED_BLOCKS, stored.blocks))
            start, end = block * BLOCK, min((block + len(blocks)) * BLOCK, count)
            part = np.empty((end - start) * row, np.uint64)
            data, ends = self._pages.join_blocks("positions", blocks)
            damaged, ascends = decode_blocks(data, ends, block, self._first, row, BLOCK, part)
            if damaged >= 0:
                raise self._pages.part_error(f"block {damaged} of positions")
            self.is_ordered &= bool(ascends)
            keys[start * words : end * words] = self._packed_of(part)
        ranks = self._pages.cached_array("ranks").fill() if "ranks" in self._pages else None
        hashes = HashIndex(words, int(np.bitwise_or.reduce(keys)) if words == 1 else _ALL_BITS)
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
    """Return the difference of each rank from the rank before; each block begins with a rank."""
    steps = ranks.copy()
    steps[1:] -= ranks[:-1]
    steps[::BLOCK] = ranks[::BLOCK]
    return steps


def compression(table: Table, dtype: np.dtype[Any]) -> Levels:
    """Return the compression of positions, values and ranks.

    Matches have at least seven bytes, which makes compression and decompression faster and the file
    hardly larger. Positions at level 1 would take an eighth less, but their decompression would
    take most of the time of a first look-up. Margins of two bytes hardly compress.
    """
    fast, dense = (ZstdCompressionParameters(compression_level=n, min_match=7) for n in (-1, 1))
    return fast, -1 if table.kind.gains and dtype.itemsize > 1 else dense, -1
