"""Kernels of nim-sequences: each nimber is the least that no option has."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.jit import inlined, kernel

#: Indices into the state that is preserved between calls.
LOW, RARE, TURN = 0, 1, 2


@inlined
def _least_absent(
    option_stamps: Int32Array, always: Uint8Array, stamp: Integer, begin: Integer, size: Integer
) -> Any:
    """Return the least nimber from ``begin`` on that is not an option; ``size`` if all are."""
    g = begin
    while g < size and (always[g] or option_stamps[g] == stamp):
        g += 1
    return g


class HeapRules(NamedTuple):
    """The moves of a heap game: how many tokens may be taken, and from which heaps.

    Attributes:
        to_zero: the numbers of tokens that may be taken if no heap is left.
        to_one: the numbers of tokens that may be taken if one heap is left.
        to_two: the numbers of tokens that may be taken if two heaps are left.
        to_three: the numbers of tokens that may be taken if three heaps are left.
        tail: the digit of every number from ``tail_from`` on.
        tail_from: the first number with the digit ``tail``.
        unequal: 1 if two heaps that a move leaves must differ, else 0.
    """

    to_zero: Int64Array
    to_one: Int64Array
    to_two: Int64Array
    to_three: Int64Array
    tail: int
    tail_from: int
    unequal: int


class SparseHeaps(NamedTuple):
    """The heaps of a sparse space.

    Attributes:
        is_used: whether there is a sparse space; otherwise all splits are examined.
        shift: whether the class of a heap depends on whether it is even.
        common: the class of common heaps.
        parity: by nimber, its parity under the mask of the space.
        rare: the rare heaps, smallest first; new ones are appended.
        recent: the heaps that recently gave uncertain nimbers in a split, counted down from one
            half of the tokens if they are not positive; these are tried first.
    """

    is_used: bool
    shift: int
    common: int
    parity: Uint8Array
    rare: Int32Array
    recent: Int32Array


@kernel
def scan(
    values: Int32Array,
    begin: int,
    end: int,
    rules: HeapRules,
    option_stamps: Int32Array,
    always: Uint8Array,
    state: Int64Array,
    space: SparseHeaps,
) -> Any:
    """Compute the nimbers of heaps ``begin`` to ``end - 1``; return the first not computed.

    Without a sparse space all splits are examined. With one, splits into two common heaps can only
    give nimbers of one parity class, ``uncertain``; all others come from splits with a rare heap,
    and these are all examined. So the least nimber of the other class that is not an option is
    known, and it is the answer once each smaller uncertain one is found to be an option too. An
    uncertain one that is not found after all splits is the answer. The sparse space needs no proof:
    a bad one only takes longer.

    Args:
        values: nimbers by heap; those before ``begin`` are known.
        begin: the first heap.
        end: after the last heap.
        rules: the moves.
        option_stamps: by nimber, one more than the last heap that has it as an option; the length
            is one more than the number of nimbers, a power of two.
        always: by nimber, whether every heap from here on has it as an option.
        state: the least nimber not in ``always``, the number of rare heaps, and the index in
            ``recent`` that is overwritten next.
        space: the sparse space.

    Returns:
        ``end``, or the heap after one with a nimber that is too large for the arrays.
    """
    to_zero, to_one, to_two, _, tail, tail_from, unequal = rules
    sparse, shift, common, parity, rare, recent = space
    size = option_stamps.size - 1
    low: Any = np.int64(state[LOW])
    count: Any = np.int64(state[RARE])
    turn: Any = np.int64(state[TURN])
    a: Any = 0
    g: Any = 0
    from_half: Any = 0
    n: Any = begin
    while n < end:
        stamp = n + 1
        if tail and n >= tail_from:
            m = n - tail_from
            if tail & 1 and m == 0:
                always[0] = 1
            if tail & 2 and m > 0:
                always[values[m]] = 1
            if tail & 4:
                for a in range(1, (m - unequal) // 2 + 1):
                    always[values[a] ^ values[m - a]] = 1
            while always[low]:
                low += 1
        for k in to_zero:
            if k == n:
                option_stamps[0] = stamp
        for k in to_one:
            if k < n:
                option_stamps[values[n - k]] = stamp
        if not sparse:
            for k in to_two:
                m = n - k
                for a in range(1, (m - unequal) // 2 + 1):
                    option_stamps[values[a] ^ values[m - a]] = stamp
            g = _least_absent(option_stamps, always, stamp, low, size)
        else:
            for k in to_two:
                m = n - k
                rare_end = count
                while rare_end > 0 and rare[rare_end - 1] >= m:
                    rare_end -= 1
                if unequal:
                    for i in range(rare_end):
                        a = np.int64(rare[i])
                        if a + a != m:
                            option_stamps[values[a] ^ values[m - a]] = stamp
                else:
                    for i in range(rare_end):
                        a = np.int64(rare[i])
                        option_stamps[values[a] ^ values[m - a]] = stamp
            uncertain = shift & (n - to_two[0])
            missing = 0
            g = low
            while g < size:
                if not always[g] and option_stamps[g] != stamp:
                    if parity[g] != uncertain:
                        break
                    missing += 1
                g += 1
            for k in to_two:
                m = n - k
                half = (m - unequal) // 2
                for i in range(recent.size):
                    if missing == 0:
                        break
                    a = np.int64(recent[i]) + (half if recent[i] <= 0 else 0)
                    if 0 < a <= half:
                        x = values[a] ^ values[m - a]
                        if x < g and option_stamps[x] != stamp:
                            option_stamps[x] = stamp
                            missing -= 1 - always[x]
            for k in to_two:
                m = n - k
                half = (m - unequal) // 2
                for i in range(half):
                    if missing == 0:
                        break
                    from_half = -(i >> 1) if i & 1 else 1 + (i >> 1)
                    a = from_half + (half if i & 1 else 0)
                    x = values[a] ^ values[m - a]
                    if x < g and option_stamps[x] != stamp:
                        option_stamps[x] = stamp
                        missing -= 1 - always[x]
                        recent[turn] = from_half
                        turn = (turn + 1) & (recent.size - 1)
            if missing:
                g = _least_absent(option_stamps, always, stamp, low, size)
        values[n] = g
        n += 1
        if g >= size:
            break
        if sparse and parity[g] ^ (shift & (n - 1)) != common:
            rare[count] = n - 1
            count += 1
    state[LOW], state[RARE], state[TURN] = low, count, turn
    return n


@inlined
def _permute_bits(word: Integer, mask_bits: Integer) -> Any:
    """Return a 64-bit word whose bit v is the bit v xor ``mask_bits`` of ``word``."""
    if mask_bits & 1:
        mask = np.uint64(0x5555555555555555)
        word = ((word & mask) << np.uint64(1)) | ((word >> np.uint64(1)) & mask)
    if mask_bits & 2:
        mask = np.uint64(0x3333333333333333)
        word = ((word & mask) << np.uint64(2)) | ((word >> np.uint64(2)) & mask)
    if mask_bits & 4:
        mask = np.uint64(0x0F0F0F0F0F0F0F0F)
        word = ((word & mask) << np.uint64(4)) | ((word >> np.uint64(4)) & mask)
    if mask_bits & 8:
        mask = np.uint64(0x00FF00FF00FF00FF)
        word = ((word & mask) << np.uint64(8)) | ((word >> np.uint64(8)) & mask)
    if mask_bits & 16:
        mask = np.uint64(0x0000FFFF0000FFFF)
        word = ((word & mask) << np.uint64(16)) | ((word >> np.uint64(16)) & mask)
    if mask_bits & 32:
        word = (word << np.uint64(32)) | (word >> np.uint64(32))
    return word


@inlined
def _with_triples(options: Uint64Array, pairs: Uint64Array, values: Int32Array, m: int) -> None:
    """Add the nimbers of all splits of ``m`` tokens into three heaps."""
    for smallest in range(1, m // 3 + 1):
        nimber = np.int64(values[smallest])
        for w in range(options.size):
            options[w] |= _permute_bits(pairs[m - smallest, w ^ (nimber >> 6)], nimber)


@kernel
def scan_triples(
    values: Int32Array,
    begin: int,
    end: int,
    pairs: Uint64Array,
    always: Uint64Array,
    rules: HeapRules,
) -> int:
    """Compute nimbers if heaps split in three, with sets of nimbers as bit sets.

    The nimbers of all splits of m tokens into two heaps are one set. Those of all splits into three
    follow from the sets of smaller m, each shifted by the nimber of the third heap.

    Args:
        values: nimbers by heap; those before ``begin`` are known.
        begin: the first heap.
        end: after the last heap.
        pairs: for each m the set of nimbers of two heaps of m tokens together; known before
            ``begin``.
        always: the set of nimbers that every heap from here on has as options.
        rules: the moves.

    Returns:
        ``end``, or the heap after one with a nimber that is too large for the sets.
    """
    to_zero, to_one, to_two, to_three, tail, tail_from, _ = rules
    words = always.size
    options = np.zeros(words, np.uint64)
    bit = np.uint64(1)
    for n in range(begin, end):
        for a in range(1, n // 2 + 1):
            x = np.int64(values[a] ^ values[n - a])
            pairs[n, x >> 6] |= bit << np.uint64(x & 63)
        if tail and n >= tail_from:
            m = n - tail_from
            if tail & 1 and m == 0:
                always[0] |= bit
            if tail & 2 and m > 0:
                x = np.int64(values[m])
                always[x >> 6] |= bit << np.uint64(x & 63)
            if tail & 4:
                always |= pairs[m]
            if tail & 8:
                _with_triples(always, pairs, values, m)
        options[:] = always
        for k in to_zero:
            if k == n:
                options[0] |= bit
        for k in to_one:
            if k < n:
                x = np.int64(values[n - k])
                options[x >> 6] |= bit << np.uint64(x & 63)
        for k in to_two:
            if k < n:
                options |= pairs[n - k]
        for k in to_three:
            if k < n:
                _with_triples(options, pairs, values, n - k)
        w = 0
        while w < words and options[w] == ~np.uint64(0):
            w += 1
        g = 64 * w
        while w < words and options[w] & bit:
            options[w] >>= bit
            g += 1
        values[n] = g
        if w == words:
            return n + 1
    return end


@kernel
def agreements(steps: Int32Array, lengths: Int64Array) -> None:
    """Write for each p how many of the last steps equal those p before (the Z function, backwards).

    Args:
        steps: a sequence of numbers, the last one first.
        lengths: receives at index p the length of the common prefix of the sequence and its suffix
            from p; its length is that of ``steps``.
    """
    count = steps.size
    window_begin: Any = np.int64(0)
    window_end: Any = np.int64(0)
    for p in range(1, count):
        length: Any = np.int64(0)
        if p < window_end:
            length = min(window_end - p, lengths[p - window_begin])
        while p + length < count and steps[length] == steps[p + length]:
            length += 1
        lengths[p] = length
        if p + length > window_end:
            window_begin, window_end = p, p + length
