"""Positions in buckets by hash: deduplication, storage and look-up of a level.

A level's positions are stored bucket by bucket in the order of their hashes, and sorted within a
bucket of about four. So they need no hash table: four bytes for each bucket say where it begins,
and a look-up reads one bucket. The order depends only on the positions, not on when or by which
thread they were found.

New positions arrive with duplicates. They are scattered over partitions by the top bits of their
hash. Each partition fits a core's own cache, and is then sorted into buckets and deduplicated
(``deduplicate``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint32Array, Uint64Array
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import Arena, prefetch, resident

#: Positions in a block of a partition.
BLOCK_BITS = 10
BLOCK = 1 << BLOCK_BITS
#: Positions, duplicates counted, that a partition should hold: they fit a core's second-level
#: cache.
PARTITION = 1 << 15
#: The least target size of a partition if memory is short, and the share of memory for
#: deduplicating a partition.
_LEAST_PARTITION, _DEDUPLICATING_SHARE = 1 << 12, 24
#: The most partitions; more would be more write positions than a core's caches hold.
MOST_PARTITIONS = 1 << 10
#: Positions of a bucket on average, duplicates counted.
_RAW_PER_BUCKET = 8
#: Positions of a bucket that are compared in one step.
WIDE = 8
_BATCH = 64


@inlined
def bucket_of(mixed: np.uint64, bits: int) -> Any:
    """Return the top ``bits`` bits of a hash; 0 if ``bits`` is 0."""
    return np.int64((mixed >> np.uint64(1)) >> np.uint64(63 - bits))


class Partitions:
    """Positions that will become a level, scattered over partitions.

    Attributes:
        bits: the logarithm of the number of partitions.
        count: positions in all, duplicates counted.
    """

    def __init__(self, words: int, limit: int) -> None:
        """Create one empty partition; ``limit`` is the most bytes of all partitions."""
        self.words = words
        self.limit = limit
        self.bits = 0
        self.count = 0
        self._pool = Arena(np.uint64, limit)
        self._links = Arena(np.int64, limit)
        self._next = np.empty(0, np.int64)
        self._blocks = 0
        self._touched = 0

    @staticmethod
    def bits_for(expected: int, size: int) -> int:
        """Return the logarithm of the number of partitions for ``expected`` positions.

        Args:
            expected: the estimated number of positions.
            size: the number of positions that a partition should contain.
        """
        bits = 0
        while size << bits < expected and 1 << bits < MOST_PARTITIONS:
            bits += 1
        return bits

    def begin(self, bits: int) -> None:
        """Remove all positions and create ``1 << bits`` partitions."""
        self.bits = bits
        self._next = np.zeros(1 << self.bits, np.int64)
        self._blocks = 0
        self.count = 0

    @property
    def bytes(self) -> int:
        """The most bytes that the partitions have taken."""
        pool = resident(self._touched * BLOCK * self.words * 8, self.limit)
        return pool + 8 * self._touched + self._next.nbytes

    def add(
        self,
        children: Uint64Array,
        levels: Int64Array,
        count: int,
        level: int,
    ) -> int:
        """Scatter those of ``count`` packed positions that are of level ``level``.

        Return their number.
        """
        most = self._blocks + count // BLOCK + (1 << self.bits) + 1
        used = self._blocks
        pool = self._pool.ensure(most * BLOCK * self.words, used * BLOCK * self.words)
        links = self._links.ensure(most, used)
        added = self.scatter(children, levels, count, level, pool, links)
        self.count += added
        self._touched = max(self._touched, self._blocks)
        return added

    def scatter(
        self,
        children: Uint64Array,
        levels: Int64Array,
        count: int,
        level: int,
        pool: Uint64Array,
        links: Int64Array,
    ) -> int:
        """Write positions of a level into partitions, whose arrays are large enough.

        See ``add``.
        """
        self._blocks, added = _scatter(
            children,
            levels,
            count,
            level,
            self.words,
            self.bits,
            pool,
            links,
            self._next,
            self._blocks,
        )
        return int(added)

    def trim(self) -> None:
        """Free the memory that the partitions no longer use."""
        block_words = BLOCK * self.words
        self._pool.forget(self._blocks * block_words, self._touched * block_words)
        self._touched = self._blocks

    def gather(self, partition: int, out: Uint64Array, offset: int) -> int:
        """Copy a partition behind the first ``offset`` positions of ``out``; return the new end."""
        return int(
            _gather(
                partition,
                self.words,
                self._pool.array,
                self._links.array,
                self._next,
                out,
                offset,
            )
        )

    def size(self, partition: int) -> int:
        """Return the number of positions in a partition, duplicates counted."""
        return int(_size(partition, self._links.array, self._next))


@kernel
def _scatter(
    children: Uint64Array,
    levels: Int64Array,
    count: int,
    level: int,
    words: int,
    bits: int,
    pool: Uint64Array,
    links: Int64Array,
    following: Int64Array,
    blocks: int,
) -> tuple[int, int]:
    """Write the positions of one level into their partitions.

    Return blocks used and positions added.

    ``following`` has the index in ``pool`` where each partition continues: 0, or the end of a
    block, if it needs another block.
    """
    added = 0
    for i in range(count):
        if levels[i] != level:
            continue
        partition = bucket_of(hash_of(children, i * words, words), bits)
        place = following[partition]
        if place & (BLOCK - 1) == 0:
            links[blocks] = (place >> BLOCK_BITS) - 1
            place = blocks << BLOCK_BITS
            blocks += 1
        for word in range(words):
            pool[place * words + word] = children[i * words + word]
        following[partition] = place + 1
        added += 1
    return blocks, added


@inlined
def last_block(place: int) -> tuple[int, int]:
    """Return the last block of a partition that ends at ``place``, -1 for none, and its fill."""
    block = (place - 1) >> BLOCK_BITS
    return block, place - (block << BLOCK_BITS)


@kernel
def _size(partition: int, links: Int64Array, following: Int64Array) -> int:
    size = 0
    block, fill = last_block(following[partition])
    while block >= 0:
        size += fill
        fill = BLOCK
        block = links[block]
    return size


@kernel
def _gather(
    partition: int,
    words: int,
    pool: Uint64Array,
    links: Int64Array,
    partition_ends: Int64Array,
    out: Uint64Array,
    offset: int,
) -> int:
    block, fill = last_block(partition_ends[partition])
    while block >= 0:
        place = block * BLOCK * words
        for i in range(fill * words):
            out[offset * words + i] = pool[place + i]
        offset += fill
        fill = BLOCK
        block = links[block]
    return offset


def bucket_bits(positions: int) -> int:
    """Return the logarithm of the number of buckets for ``positions``, duplicates counted."""
    bits = 0
    while _RAW_PER_BUCKET << bits < positions:
        bits += 1
    return bits


@kernel
def partition_within(allowed: int, words: int, threads: int) -> int:
    """Return the size of partitions that ``threads`` can deduplicate within ``allowed`` bytes."""
    size = PARTITION
    position_bytes = threads * (16 * words + 12 * 4) * 5 // 4
    while size > _LEAST_PARTITION and size * position_bytes * _DEDUPLICATING_SHARE > allowed:
        size //= 2
    return size


@kernel
def look_up(
    targets: Uint64Array,
    levels: Int64Array,
    count: int,
    words: int,
    lowest: int,
    level_bits: Int64Array,
    level_starts: Int64Array,
    offsets: Uint32Array,
    keys: Uint64Array,
    numbers: Int64Array,
) -> int:
    """Find ``count`` packed positions of known levels; -1 stands for a missing one.

    Args:
        targets: the positions.
        levels: the level of each.
        count: the number of positions.
        words: words of a position.
        lowest: the level of the first entry of ``level_bits`` and ``level_starts``.
        level_bits: logarithm of the number of buckets of each level, -1 for an empty level.
        level_starts: the index of each level's first bucket in ``offsets``.
        offsets: the index of each bucket in ``keys``; each level has one entry more at its end.
        keys: all positions by number.
        numbers: receives the number of each.

    Returns:
        The number of positions found.
    """
    places = np.empty(_BATCH, np.int64)
    found_count = 0
    for begin in range(0, count, _BATCH):
        end = min(begin + _BATCH, count)
        for i in range(begin, end):
            level = levels[i] - lowest
            places[i - begin] = -1
            if 0 <= level < level_bits.size and level_bits[level] >= 0:
                bucket = bucket_of(hash_of(targets, i * words, words), level_bits[level])
                places[i - begin] = level_starts[level] + bucket
                prefetch(offsets, level_starts[level] + bucket)
        for i in range(begin, end):
            if places[i - begin] >= 0:
                first = np.int64(offsets[places[i - begin]]) * words
                prefetch(keys, first)
                prefetch(keys, first + 7)
        for i in range(begin, end):
            numbers[i] = -1
            if places[i - begin] < 0:
                continue
            first = np.int64(offsets[places[i - begin]])
            last = np.int64(offsets[places[i - begin] + 1])
            if words == 1 and last - first <= WIDE:
                # All are compared, without a branch to mispredict; ``keys`` is padded at its end.
                place: Any = np.int64(-1)
                for j in range(WIDE):
                    if (keys[first + j] == targets[i]) & (j < last - first):
                        place = j
                if place >= 0:
                    numbers[i] = first + place
                    found_count += 1
                continue
            for number in range(first, last):
                if same_key(targets, i * words, keys, number * words, words):
                    numbers[i] = number
                    found_count += 1
                    break
    return found_count
