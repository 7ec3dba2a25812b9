"""Rows of options, found by their options, and what is remembered of pairs: hash tables.

The solver and the certificate both store games like this; their arithmetic is their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, IntArray, Integer
from zermelo._engine.core.jit import light_inlined
from zermelo._engine.partizan.form_arrays import (
    ALIAS,
    BEGIN,
    END,
    FORM_ROWS,
    FULL,
    HEAP,
    INTERNED,
    INTERNED_TABLE,
    MIDDLE,
    NEEDED,
    NEGATIVE,
    OPTION_LIST,
    OPTIONS,
    ORDER_TABLE,
    ORDERS,
    STAMP,
    STAMPS,
    SUM_TABLE,
    SUMS,
    UNKNOWN,
    FormArrays,
)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
#: The bits of a row's number in a pair.
_BITS = 32


@light_inlined
def mixed(number: Integer) -> np.int64:
    """Return a hash of a number, as an int64 of at least 0."""
    word = np.uint64(number) * _GOLDEN
    word ^= word >> _SHIFT
    word *= _GOLDEN
    return np.int64(word >> _SHIFT)


@light_inlined
def needs(s: FormArrays, array: int) -> int:
    """Record which array is full, and return FULL."""
    s.counts[NEEDED] = array
    return FULL


@light_inlined
def remember_order(s: FormArrays, a: Integer, b: Integer, answer: int) -> int:
    """Store the result of a comparison; return FULL if there is no space."""
    if 2 * s.counts[ORDERS] >= s.orders.size:
        return needs(s, ORDER_TABLE)
    key = np.int64(a) << _BITS | np.int64(b)
    mask = s.orders.size - 1
    slot = mixed(key) & mask
    while s.orders[slot] != 0:
        slot = (slot + 1) & mask
    s.orders[slot] = key << 1 | answer
    s.counts[ORDERS] += 1
    return 0


@light_inlined
def sort_first(numbers: Int64Array, count: Integer) -> None:
    """Sort the first numbers of an array, which are few."""
    for i in range(1, count):
        number, j = numbers[i], i - 1
        while j >= 0 and numbers[j] > number:
            numbers[j + 1] = numbers[j]
            j -= 1
        numbers[j + 1] = number


@light_inlined
def slot_of(s: FormArrays, left: IntArray, lefts: Integer, right: IntArray, rights: Integer) -> Any:
    """Return the slot of the form with sorted options, empty if there is no such form."""
    forms, options = s.forms, s.options
    hashed = np.int64(lefts)
    for i in range(lefts):
        hashed = mixed(hashed ^ np.int64(left[i]))
    for i in range(rights):
        hashed = mixed(hashed ^ np.int64(right[i]))
    mask = s.interned.size - 1
    slot = hashed & mask
    while s.interned[slot] != 0:
        form = np.int64(s.interned[slot]) - 1
        begin, middle = forms[form, BEGIN], forms[form, MIDDLE]
        if middle - begin == lefts and forms[form, END] - middle == rights:
            same = True
            for i in range(lefts):
                same = same and options[begin + i] == left[i]
            for i in range(rights):
                same = same and options[middle + i] == right[i]
            if same:
                return slot
        slot = (slot + 1) & mask
    return slot


@light_inlined
def slot_of_row(s: FormArrays, row: Integer) -> Any:
    """Return the slot of the options of a row."""
    begin, middle, end = s.forms[row, BEGIN], s.forms[row, MIDDLE], s.forms[row, END]
    return slot_of(s, s.options[begin:middle], middle - begin, s.options[middle:end], end - middle)


@light_inlined
def form_in(s: FormArrays, slot: Integer) -> Any:
    """Return the form that a slot of the table of options stands for."""
    row = np.int64(s.interned[slot]) - 1
    return s.forms[row, ALIAS] - 1 if s.forms[row, ALIAS] != 0 else row


@light_inlined
def write_options(
    s: FormArrays,
    form: Integer,
    left: Int64Array,
    lefts: Integer,
    right: Int64Array,
    rights: Integer,
) -> int:
    """Write the options of the form that will be the last; return FULL if there is no space."""
    forms, options, begin = s.forms, s.options, s.counts[OPTIONS]
    if form >= len(forms):
        return needs(s, FORM_ROWS)
    if begin + lefts + rights > options.size:
        return needs(s, OPTION_LIST)
    for i in range(lefts):
        options[begin + i] = left[i]
    for i in range(rights):
        options[begin + lefts + i] = right[i]
    forms[form, BEGIN] = begin
    forms[form, MIDDLE] = begin + lefts
    forms[form, END] = begin + lefts + rights
    forms[form, NEGATIVE] = forms[form, HEAP] = -1
    forms[form, STAMP] = forms[form, ALIAS] = 0
    return 0


@light_inlined
def insert(s: FormArrays, slot: Integer, form: Integer) -> int:
    """Insert a new row into the table of rows; return FULL if there is no space."""
    if 2 * s.counts[INTERNED] >= s.interned.size:
        return needs(s, INTERNED_TABLE)
    s.interned[slot] = form + 1
    s.counts[INTERNED] += 1
    return 0


@light_inlined
def without_repeats(s: FormArrays, numbers: Int64Array, count: Integer) -> Any:
    """Keep each of the first numbers once, and return how many those are."""
    s.counts[STAMPS] += 1
    stamp, kept = s.counts[STAMPS], 0
    for i in range(count):
        form = numbers[i]
        if s.forms[form, STAMP] != stamp:
            s.forms[form, STAMP] = stamp
            numbers[kept] = form
            kept += 1
    return kept


@light_inlined
def remember_sum(s: FormArrays, a: Integer, b: Integer, total: Integer) -> int:
    """Store a sum; return FULL if there is no space."""
    if 4 * s.counts[SUMS] >= s.sums.size:
        return needs(s, SUM_TABLE)
    key = np.int64(min(a, b)) << _BITS | np.int64(max(a, b))
    mask = s.sums.size // 2 - 1
    slot = mixed(key) & mask
    while s.sums[2 * slot] != 0:
        slot = (slot + 1) & mask
    s.sums[2 * slot], s.sums[2 * slot + 1] = key, total
    s.counts[SUMS] += 1
    return 0


@light_inlined
def remembered_order(s: FormArrays, a: Integer, b: Integer) -> int:
    """Return 1 if a <= b is remembered, 0 if the opposite is, and UNKNOWN if nothing is."""
    key = np.int64(a) << _BITS | np.int64(b)
    mask = s.orders.size - 1
    slot = mixed(key) & mask
    while s.orders[slot] != 0:
        if s.orders[slot] >> 1 == key:
            return int(s.orders[slot] & 1)
        slot = (slot + 1) & mask
    return UNKNOWN


@light_inlined
def remembered_sum(s: FormArrays, a: Integer, b: Integer) -> Any:
    """Return the row of a sum, or UNKNOWN."""
    key = np.int64(min(a, b)) << _BITS | np.int64(max(a, b))
    mask = s.sums.size // 2 - 1
    slot = mixed(key) & mask
    while s.sums[2 * slot] != 0:
        if s.sums[2 * slot] == key:
            return s.sums[2 * slot + 1]
        slot = (slot + 1) & mask
    return np.int64(UNKNOWN)
