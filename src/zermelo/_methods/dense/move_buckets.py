"""Moves in buckets by the slots that they lead to, four bytes each.

A bucket stands for adjacent slots, as many as have their counters in cache. Its moves are in
chunks, which are linked from the last to the first and come from one array, in the order in which
they were begun. A move is one number: the slot within the bucket in the low bits, and above it the
index of its source, counted from the last *mark* of the bucket. A mark has all upper bits set, and
counts the sources before it. So moves are stored in the bucket at once, in the order of their
sources, and are sorted within the bucket later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int32Array, Int64Array, IntArray, Uint32Array
from zermelo._engine.core.memory import Arena
from zermelo._methods.dense.kernels import (
    CHUNK_MOVES,
    count_targets,
    number_targets,
    place_sources,
    sift_moves,
    store_moves,
)

#: The logarithms of the least slots in a bucket, of the most buckets, and of the most slots in a
#: bucket, which counts more than the most buckets.
_WIDTH, _MOST_BUCKETS, _MOST_WIDTH = 15, 13, 18
#: Bytes of a bucket: its numbers, and half a page of a chunk.
_BUCKET_BYTES = 8 + 4 + 8 + (1 << 11)


def width_for(slots: int) -> int:
    """Return the logarithm of the slots in a bucket, for a number of slots in all."""
    return min(max(_WIDTH, (slots - 1).bit_length() - _MOST_BUCKETS), _MOST_WIDTH)


def bucket_bytes(slots: int) -> int:
    """Return the bytes of the buckets of a number of slots, without their moves."""
    return _BUCKET_BYTES * ((slots >> width_for(slots)) + 1)


class MoveBuckets:
    """The moves that one thread has found, in buckets.

    Attributes:
        slots: the number of slots.
        width: the logarithm of the slots in a bucket.
        moves: the number of moves.
    """

    def __init__(self, slots: int, limit: int) -> None:
        """Create empty buckets.

        Args:
            slots: the number of slots.
            limit: the most bytes of the moves.
        """
        self._limit = limit
        self.slots, self.width = slots, width_for(slots)
        self.clear()

    def clear(self) -> None:
        """Release all moves."""
        buckets = (self.slots >> self.width) + 1
        # Chunks are released one by one, so they are in small pages.
        self._words = Arena(np.uint32, self._limit, small_pages=True)
        self._links = Arena(np.int32, self._limit)
        self._chunks = np.zeros(1, np.int64)
        #: By bucket: the index after its last number; its last mark; the moves in full chunks, less
        #: the number of marks.
        self._ends = np.zeros(buckets, np.int64)
        self._marks = np.full(buckets, -1, np.int32)
        self._counts = np.zeros(buckets, np.int64)
        self.moves = 0

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The number of moves into each bucket."""
        in_last_chunk = np.where(self._ends > 0, (self._ends - 1) % CHUNK_MOVES + 1, 0)
        counts: npt.NDArray[np.int64] = self._counts + in_last_chunk
        return counts

    def add(self, ends: Int32Array, slots: Int64Array, first_source: int, moves: int) -> None:
        """Add the moves of some sources.

        Args:
            ends: the cumulative number of moves of each source.
            slots: the slots that moves lead to.
            first_source: the index of the first source.
            moves: the number of moves.
        """
        chunks = self._chunks.item(0)
        # Each bucket may get a mark, and begin a chunk.
        more = min(2 * moves, len(self._ends) + 2 * moves // CHUNK_MOVES) + 1
        store_moves(
            ends,
            slots,
            first_source,
            self.width,
            self._words.ensure((chunks + more) * CHUNK_MOVES, chunks * CHUNK_MOVES),
            self._links.ensure(chunks + more, chunks),
            self._chunks,
            self._ends,
            self._marks,
            self._counts,
        )
        self.moves += moves

    def chunks_of(self, bucket: int) -> npt.NDArray[np.int64]:
        """Return the chunks of a bucket in order."""
        chunks, links = [], self._links.array
        chunk = (self._ends.item(bucket) - 1) // CHUNK_MOVES
        while chunk >= 0:
            chunks.append(chunk)
            chunk = links.item(chunk)
        return np.array(chunks[::-1], np.int64)

    def sift(
        self,
        span: tuple[int, int],
        numbers: Uint32Array,
        directory: npt.NDArray[np.uint64],
        owners: npt.NDArray[np.uint8],
        state: npt.NDArray[Any],
        codes: tuple[int, int],
        *,
        shared: bool,
    ) -> tuple[int, int]:
        """Decide positions by the moves of a range of buckets, and keep the moves that are left.

        Args:
            span: the first bucket, and the one after the last.
            numbers: the number of each source.
            directory: the bits of the slots that hold a position, and their numbers.
            owners: the player to move, or empty if the players strictly alternate.
            state: the status numbers.
            codes: the code of a terminal tie, and of a win of this level.
            shared: whether other threads write status numbers too.

        Returns:
            The number of positions decided, and of moves left.
        """
        words, (begin, end) = self._words, span
        released = np.empty(self._chunks.item(0), np.int32)
        moves = (words.array, self._links.array, begin, end, self.width, self._ends, self._counts)
        decided, left, count = sift_moves(
            *moves, numbers, directory, owners, state, codes, shared, released
        )
        self._release(released[:count])
        return int(decided), int(left)

    def _release(self, chunks: IntArray) -> None:
        for chunk in chunks.tolist():
            self._words.forget(chunk * CHUNK_MOVES, (chunk + 1) * CHUNK_MOVES)

    def count(self, bucket: int, chunks: npt.NDArray[np.int64], counts: Uint32Array) -> None:
        """Add to ``counts``, by slot of a bucket, the number of moves to it."""
        count_targets(self._words.array, chunks, self._ends.item(bucket), self.width, counts)

    def place(
        self,
        bucket: int,
        chunks: npt.NDArray[np.int64],
        numbers: Uint32Array,
        offsets: Uint32Array,
        parents: Uint32Array,
    ) -> None:
        """Write the sources of a bucket's moves in the order of slots, and release the moves.

        Args:
            bucket: the bucket.
            chunks: its chunks in order.
            numbers: the number of each source.
            offsets: by slot of the bucket: the index of its next source among ``parents``.
            parents: the part of the array of sources for this bucket.
        """
        words, end = self._words, self._ends.item(bucket)
        place_sources(words.array, chunks, end, self.width, numbers, offsets, parents)
        self._release(chunks)


@dataclass
class BucketRange:
    """A range of buckets, of which rounds keep the moves that are left; see ``StoredMoves``.

    Attributes:
        store: the moves of a thread.
        numbers: the number of each source.
        directory: the bits of the slots that hold a position, and their numbers.
        begin: the first bucket.
        end: the bucket after the last.
        shared: whether several threads decide positions.
        moves: the number of moves, or how many of them are left.
    """

    store: MoveBuckets
    numbers: Uint32Array
    directory: npt.NDArray[np.uint64]
    begin: int
    end: int
    shared: bool
    moves: int

    def decide(
        self, state: npt.NDArray[Any], owners: npt.NDArray[np.uint8], ties: int, win: int
    ) -> int:
        """Decide the positions of a level by these moves; return their number."""
        span, arrays = (self.begin, self.end), (self.numbers, self.directory, owners, state)
        before = self.moves
        decided, self.moves = self.store.sift(span, *arrays, (ties, win), shared=self.shared)
        self.store.moves -= before - self.moves
        return decided


def sort_bucket(
    bucket: int,
    stores: Sequence[MoveBuckets],
    numbers: Sequence[Uint32Array],
    directory: npt.NDArray[np.uint64],
    begin: int,
    end: int,
    first_parents: npt.NDArray[Any],
    parents: Uint32Array,
    counts: Uint32Array,
) -> None:
    """Write the sources of the moves into a bucket, in the order of slots.

    Args:
        bucket: the bucket.
        stores: the moves of each thread.
        numbers: the number of each of their sources.
        directory: the bits of the slots that hold a position.
        begin: the index of the bucket's first parent.
        end: the index after its last.
        first_parents: receives the index of each position's first parent.
        parents: receives the sources.
        counts: space for a number for each slot of a bucket.
    """
    counts[:] = 0
    chunks = [store.chunks_of(bucket) for store in stores]
    for store, own in zip(stores, chunks, strict=True):
        store.count(bucket, own, counts)
    number_targets(directory, bucket, stores[0].width, begin, counts, first_parents)
    for store, own, names in zip(stores, chunks, numbers, strict=True):
        store.place(bucket, own, names, counts, parents[begin:end])
