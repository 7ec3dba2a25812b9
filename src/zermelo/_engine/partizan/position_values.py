"""The values of positions of a partizan game, from those of their options, in flat arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, IntArray, Integer
from zermelo._engine.core.jit import light_inlined, light_kernel
from zermelo._engine.partizan.form_arrays import (
    BEGIN,
    BIRTHDAY,
    END,
    FORMS,
    FULL,
    HIGH,
    IS_NUMBER,
    LOW,
    MIDDLE,
    MOVES,
    NEEDED,
    REINDEX,
    STATUS,
    FormArrays,
    empty_forms,
    enlarged,
)
from zermelo._engine.partizan.forms import negative, of_options, refill, sum_of

#: Positions that are decided before progress is reported.
_REPORTED = 1 << 14
#: The times in a row that arrays may grow for one position. Each doubles one array.
_PATIENCE = 64

Numbers = npt.NDArray[np.int64]


class OptionLists(NamedTuple):
    """The positions that moves lead to, as numbers of their values.

    Attributes:
        first: the beginning of each position's moves in ``children``, and the end of the last.
        children: the position after each move; if positions are split, all its components.
        is_last: whether each child is the last component of a move; empty if positions are not
            split.
        after_pass: the same position with the other player to move; or -1 if the value of a
            position is that of the only position in its list.
    """

    first: Numbers
    children: Numbers
    is_last: npt.NDArray[np.bool_]
    after_pass: Numbers


@light_inlined
def _values_after_moves(
    s: FormArrays, lists: OptionLists, number: Integer, codes: Int64Array, out: Int64Array
) -> Any:
    """Write the value of the position after each move; return their number, FULL or UNSUITED."""
    begin, end = lists.first[number], lists.first[number + 1]
    if end - begin > out.size:
        s.counts[NEEDED] = MOVES
        return np.int64(FULL)
    if lists.is_last.size == 0:
        for i in range(begin, end):
            out[i - begin] = codes[lists.children[i]]
        return end - begin
    count, total = np.int64(0), np.int64(0)
    for i in range(begin, end):
        total = sum_of(s, total, codes[lists.children[i]])
        if total < 0:
            return total
        if lists.is_last[i]:
            out[count] = total
            count += 1
            total = np.int64(0)
    return count


@light_inlined
def _decide_one(
    s: FormArrays,
    lists: OptionLists,
    number: Integer,
    codes: Int64Array,
    left: Int64Array,
    right: Int64Array,
) -> Any:
    """Find the value of a position and of the same with the turn passed; or FULL or UNSUITED."""
    passed = lists.after_pass[number]
    lefts = _values_after_moves(s, lists, number, codes, left)
    if lefts < 0:
        return lefts
    if passed < 0:
        codes[number] = left[0]
        return np.int64(0)
    for i in range(lefts):
        form = negative(s, left[i])
        if form < 0:
            return form
        left[i] = form
    rights = _values_after_moves(s, lists, passed, codes, right)
    if rights < 0:
        return rights
    form = of_options(s, left, lefts, right, rights)
    if form < 0:
        return form
    image = negative(s, form)
    if image < 0:
        return image
    codes[number], codes[passed] = form, image
    return np.int64(0)


@light_kernel
def _decide(
    s: FormArrays,
    lists: OptionLists,
    order: Int64Array,
    codes: Int64Array,
    left: Int64Array,
    right: Int64Array,
    begin: int,
    end: int,
) -> int:
    """Find the values of positions in an order in which options come first.

    Args:
        s: the forms.
        lists: the options of positions.
        order: one position of each pair that differs in the turn alone.
        codes: receives the forms of the positions.
        left: scratch space for the options of one position.
        right: the same for those of the other player.
        begin: the index in ``order`` of the first position.
        end: the index after the last.

    Returns:
        The index after the last position decided; ``counts`` says why it stopped.
    """
    s.counts[STATUS] = 0
    if s.counts[REINDEX]:
        s.counts[STATUS] = refill(s)
        if s.counts[STATUS] < 0:
            return begin
        s.counts[REINDEX] = 0
    for n in range(begin, end):
        status = _decide_one(s, lists, np.int64(order[n]), codes, left, right)
        if status < 0:
            s.counts[STATUS] = status
            return n
    return end


class FormColumns(NamedTuple):
    """Some canonical forms, numbered from 0, and all their options among them.

    Attributes:
        left_starts: where the left options of each form begin in ``left``, and the end of the last.
        left: the left options of all forms.
        right_starts: the same for the right options.
        right: the right options of all forms.
        birthdays: the birthdays.
        high: the left stops, as fixed-point numbers; see ``DIGITS``.
        low: the right stops.
        is_number: whether each form is a number.
    """

    left_starts: Numbers
    left: Numbers
    right_starts: Numbers
    right: Numbers
    birthdays: Numbers
    high: Numbers
    low: Numbers
    is_number: npt.NDArray[np.bool_]


class CompiledForms:
    """Canonical forms in arrays, and the values of positions as numbers of these.

    Attributes:
        arrays: the forms.
    """

    def __init__(self) -> None:
        """Create the collection with one form, zero."""
        self.arrays: FormArrays = empty_forms(1 << 12)
        self._left = np.zeros(256, np.int64)
        self._right = np.zeros(256, np.int64)

    def decide(
        self,
        lists: OptionLists,
        order: Numbers,
        codes: Numbers,
        advance: Callable[[int], object] = lambda _: None,
    ) -> bool:
        """Find the values of positions, and return whether their forms suit the arrays.

        Args:
            lists: the options of all positions.
            order: one position of each pair that differs in the turn alone, options first.
            codes: receives the form of each position in the order, and of its pair.
            advance: receives the number of pairs decided.
        """
        done, tries = 0, 0
        while done < len(order):
            end = min(len(order), done + _REPORTED)
            decided = _decide(self.arrays, lists, order, codes, self._left, self._right, done, end)
            tries = tries + 1 if decided == done else 0
            done = decided
            status = int(self.arrays.counts[STATUS])
            if status == FULL and tries < _PATIENCE:
                if self.arrays.counts[NEEDED] == MOVES:
                    size = 2 * len(self._left)
                    self._left, self._right = np.zeros(size, np.int64), np.zeros(size, np.int64)
                else:
                    self.arrays = enlarged(self.arrays)
            elif status < 0:
                return False
            advance(done)
        return True

    def followers(self, codes: Numbers) -> tuple[Numbers, FormColumns]:
        """Return 0, some forms and all their followers: their numbers, ascending, and columns.

        Args:
            codes: the numbers.
        """
        forms, options = self.arrays.forms, self.arrays.options
        is_used = np.zeros(self.arrays.counts[FORMS], np.bool_)
        is_used[0] = True
        added: IntArray = np.unique(codes)
        while len(added):
            is_used[added] = True
            begins, ends = forms[added, BEGIN], forms[added, END]
            found = np.unique(options[ranges(begins, ends)])
            added = found[~is_used[found]]
        listed = np.flatnonzero(is_used)
        place = np.cumsum(is_used) - 1
        rows = forms[listed]
        begins, middles, ends = rows[:, BEGIN], rows[:, MIDDLE], rows[:, END]
        return listed, FormColumns(
            np.concatenate([[0], np.cumsum(middles - begins)]),
            place[options[ranges(begins, middles)]],
            np.concatenate([[0], np.cumsum(ends - middles)]),
            place[options[ranges(middles, ends)]],
            rows[:, BIRTHDAY],
            rows[:, HIGH],
            rows[:, LOW],
            rows[:, IS_NUMBER] != 0,
        )


def ranges(begins: Numbers, ends: Numbers) -> Numbers:
    """Return the numbers of several ranges, one range after another."""
    lengths = ends - begins
    offsets = begins - np.cumsum(lengths) + lengths
    return np.repeat(offsets, lengths) + np.arange(int(lengths.sum()))
