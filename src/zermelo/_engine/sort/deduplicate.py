"""Deduplication of a partition of positions into buckets."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Integer, Uint32Array, Uint64Array
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.sort.buckets import bucket_of


@inlined
def sort_few(
    scattered: Uint64Array, begin: Integer, end: Integer, out: Uint64Array, out_end: int
) -> int:
    """Append a few numbers to ``out``, each once, in ascending order.

    All are compared with all. The numbers are in ``scattered`` from ``begin`` to ``end``, which is
    overwritten. They are appended to the first ``out_end`` numbers of ``out``. Returns the new end
    of ``out``.
    """
    first = out_end
    for i in range(begin, end):
        number = scattered[i]
        duplicates = 0
        for j in range(first, out_end):
            duplicates += out[j] == number
        if duplicates == 0:
            out[out_end] = number
            out_end += 1
    for i in range(first, out_end):
        rank = 0
        for j in range(first, out_end):
            rank += out[j] < out[i]
        scattered[begin + rank] = out[i]
    for i in range(out_end - first):
        out[first + i] = scattered[begin + i]
    return out_end


@kernel
def deduplicate_short(
    raw: Uint64Array,
    count: int,
    partition_bits: int,
    bits: int,
    bucket_numbers: Uint32Array,
    places: Uint32Array,
    scattered: Uint64Array,
    ends: Uint32Array,
    out: Uint64Array,
) -> int:
    """Deduplicate a partition of positions of one word.

    They are scattered over buckets, and each bucket, of about eight, is sorted by comparing all
    with all. That has no branches to mispredict: 7 ns a position where a hash table takes 15.

    Args:
        raw: the partition, ``count`` positions.
        count: the number of positions.
        partition_bits: logarithm of the number of partitions.
        bits: logarithm of the number of buckets of the whole level, at least ``partition_bits``.
        bucket_numbers: space for ``count`` bucket numbers.
        places: space for a number for each bucket of the partition and one more.
        scattered: space for ``count`` positions.
        ends: receives the cumulative number of distinct positions up to and with each bucket.
        out: receives the distinct positions; space for ``count``.

    Returns:
        The number of distinct positions.
    """
    inner = bits - partition_bits
    buckets = 1 << inner
    places[: buckets + 1] = 0
    low: Any = np.int64(buckets - 1)
    for i in range(count):
        bucket: Any = bucket_of(hash_of(raw, i, 1), bits) & low
        bucket_numbers[i] = bucket
        places[bucket + 1] += 1
    for bucket in range(buckets):
        places[bucket + 1] += places[bucket]
    for i in range(count):
        bucket = bucket_numbers[i]
        scattered[places[bucket]] = raw[i]
        places[bucket] += 1
    distinct = 0
    begin = np.int64(0)
    for bucket in range(buckets):
        end = np.int64(places[bucket])
        distinct = sort_few(scattered, begin, end, out, distinct)
        ends[bucket] = distinct
        begin = end
    return distinct


@kernel
def deduplicate(
    raw: Uint64Array,
    count: int,
    words: int,
    partition_bits: int,
    bits: int,
    hashes: Uint64Array,
    places: Uint32Array,
    ends: Uint32Array,
    out: Uint64Array,
) -> int:
    """Deduplicate a partition in the order of hashes, and write where buckets end.

    A hash table with linear probing whose runs are kept sorted does not depend on the order in
    which it was filled (Amble and Knuth, "Ordered hash tables", Computer Journal 17(2), 1974), and
    a scan over it gives the positions sorted.

    Args:
        raw: the partition, ``count`` positions.
        count: the number of positions.
        words: words of a position.
        partition_bits: logarithm of the number of partitions.
        bits: logarithm of the number of buckets of the whole level, at least ``partition_bits``.
        hashes: space for ``table_size(count)`` hashes.
        places: ``table_size(count)`` zeros, which are zeros again afterwards.
        ends: receives the cumulative number of distinct positions up to and with each bucket.
        out: receives the distinct positions; space for ``count``.

    Returns:
        The number of distinct positions.
    """
    slot_bits = 1
    while 2 << slot_bits < 3 * count:
        slot_bits += 1
    for i in range(count):
        mixed = hash_of(raw, i * words, words)
        slot = np.int64((mixed << np.uint64(partition_bits)) >> np.uint64(64 - slot_bits))
        entry: Any = i + 1
        while True:
            occupant = np.int64(places[slot])
            if occupant == 0:
                places[slot] = entry
                hashes[slot] = mixed
                break
            if hashes[slot] == mixed:
                order = _compare(raw, (occupant - 1) * words, raw, (entry - 1) * words, words)
                if order == 0:
                    break
            else:
                order = -1 if hashes[slot] < mixed else 1
            if order > 0:
                places[slot] = entry
                entry = occupant
                mixed, hashes[slot] = hashes[slot], mixed
            slot += 1
    distinct = 0
    low = np.int64((1 << (bits - partition_bits)) - 1)
    bucket = np.int64(0)
    for cell in range((1 << slot_bits) + count):
        occupant = np.int64(places[cell])
        if occupant == 0:
            if cell >= 1 << slot_bits:
                break
            continue
        places[cell] = 0
        entry_bucket = bucket_of(hashes[cell], bits) & low
        while bucket < entry_bucket:
            ends[bucket] = distinct
            bucket += 1
        for word in range(words):
            out[distinct * words + word] = raw[(occupant - 1) * words + word]
        distinct += 1
    while bucket <= low:
        ends[bucket] = distinct
        bucket += 1
    return distinct


def table_size(count: int) -> int:
    """Return the entries of the hash table in which ``deduplicate`` sorts ``count`` positions."""
    return 3 * count + 4 + count


@inlined
def _compare(a: Uint64Array, i: Integer, b: Uint64Array, j: Integer, words: int) -> int:
    for word in range(words):
        if a[i + word] < b[j + word]:
            return -1
        if a[i + word] > b[j + word]:
            return 1
    return 0
