"""Arrays of canonical forms of partizan games: rows, options, hash tables and scratch space.

A kernel stops where an array is full. Everything that it stored until then is true, so that it can
be called again for the same position once the array has grown.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array

#: The columns of a row: the stops as fixed-point numbers, whether the form is a number, where its
#: left options begin, its right options begin, and these end; its negative, or -1; its birthday;
#: the size of the heap of Nim that it is, or -1; the last stamp of a set that it is in; and, in a
#: row with options that are not canonical, one more than the form, otherwise 0.
HIGH, LOW, IS_NUMBER, BEGIN, MIDDLE, END, NEGATIVE, BIRTHDAY, HEAP, STAMP, ALIAS = range(11)
COLUMNS = 11

#: The indices in ``counts``: forms, options, entries of each hash table, the height of the stack,
#: the last stamp, the array that is full, whether the tables of forms must be filled again, and why
#: the kernel stopped.
FORMS, OPTIONS, INTERNED, NUMBERS, ORDERS, SUMS, TOP, STAMPS, NEEDED, REINDEX, STATUS = range(11)
COUNTS = 11

#: Results in the place of a form: an array is full, the values do not suit the arrays, or a sum is
#: not known.
FULL, UNSUITED, UNKNOWN = -1, -2, -3

#: The bits of a number behind the point, and the greatest number: larger ones are left to the
#: forms in Python.
DIGITS = 40
ONE = 1 << DIGITS
LARGEST = 1 << 57
#: The most forms: two of them and a truth value make a number of 63 bits.
MOST_FORMS = 1 << 30
#: The nimbers that are known at once; larger ones are left to the forms in Python.
NIMBERS = 1 << 10
#: The most entries of a table of comparisons or sums, which is emptied instead of growing further.
_MOST_REMEMBERED = 1 << 25


class FormArrays(NamedTuple):
    """Canonical forms, each once, by number; 0 is the game without options.

    Attributes:
        forms: a row of ``COLUMNS`` for each form.
        options: the options of the forms, one form after another, ascending.
        interned: hash table of the forms that are no numbers, by their options, and of other
            options that occurred; one more than the row, or 0.
        numbers: hash table of the forms that are numbers.
        orders: hash table of comparisons: twice the pair, and 1 if the first is at most the second.
        sums: hash table of pairs and the forms of their sums, alternating.
        nimbers: the forms of heaps of Nim, or -1.
        pairs: the stack of comparisons.
        stack: the stack of sums, negatives and numbers.
        left, right: the options of a sum or a negative.
        counts: see ``FORMS``.
    """

    forms: Int64Array
    options: Int32Array
    interned: Int32Array
    numbers: Int32Array
    orders: Int64Array
    sums: Int64Array
    nimbers: Int64Array
    pairs: Int64Array
    stack: Int64Array
    left: Int64Array
    right: Int64Array
    counts: Int64Array


#: The position of each array that can be full, among the arrays.
(
    FORM_ROWS,
    OPTION_LIST,
    INTERNED_TABLE,
    NUMBER_TABLE,
    ORDER_TABLE,
    SUM_TABLE,
    _,
    PAIR_STACK,
    STACK,
    LEFT,
    RIGHT,
) = range(11)
#: The position that stands for the lists of a position's moves, which the caller holds.
MOVES = 11
_HASHED = INTERNED_TABLE, NUMBER_TABLE
_REMEMBERED = {ORDER_TABLE: ORDERS, SUM_TABLE: SUMS}


def empty_forms(capacity: int) -> FormArrays:
    """Return arrays with one form, zero.

    Args:
        capacity: the forms for which there is space at first, a power of two.
    """
    forms = np.zeros((capacity, COLUMNS), np.int64)
    forms[0, IS_NUMBER] = 1
    nimbers = np.full(NIMBERS, -1, np.int64)
    nimbers[0] = 0
    counts = np.zeros(COUNTS, np.int64)
    counts[FORMS], counts[REINDEX] = 1, 1
    return FormArrays(
        forms,
        np.zeros(8 * capacity, np.int32),
        np.zeros(4 * capacity, np.int32),
        np.zeros(1 << 10, np.int32),
        np.zeros(16 * capacity, np.int64),
        np.zeros(16 * capacity, np.int64),
        nimbers,
        pairs=np.zeros(1 << 10, np.int64),
        stack=np.zeros(1 << 10, np.int64),
        left=np.zeros(1 << 10, np.int64),
        right=np.zeros(1 << 10, np.int64),
        counts=counts,
    )


def enlarged(arrays: FormArrays) -> FormArrays:
    """Return the arrays with more space in the one that was full.

    What was remembered of comparisons or sums is forgotten when their table grows.
    """
    counts, needed = arrays.counts, int(arrays.counts[NEEDED])
    counts[TOP] = 0
    old = arrays[needed]
    if needed in _REMEMBERED:
        counts[_REMEMBERED[needed]] = 0
        if len(old) >= _MOST_REMEMBERED:
            old[:] = 0
            return arrays
        larger = np.zeros(4 * len(old), old.dtype)
    elif needed in _HASHED:
        counts[REINDEX] = 1
        larger = np.zeros(4 * len(old), old.dtype)
    else:
        larger = np.zeros((2 * len(old), *old.shape[1:]), old.dtype)
        larger[: len(old)] = old
    return arrays._replace(**{FormArrays._fields[needed]: larger})
