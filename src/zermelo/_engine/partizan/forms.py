"""Kernels for canonical forms: order, sums, negatives, and the form of a set of options.

They compute what ``CanonicalForms`` does, by the same theorems, over arrays. (Conway, On Numbers
and Games; Berlekamp, Conway and Guy, Winning Ways; Siegel, Combinatorial Game Theory, 2013.)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Integer
from zermelo._engine.core.jit import light_inlined
from zermelo._engine.partizan.form_arrays import (
    ALIAS,
    BEGIN,
    BIRTHDAY,
    DIGITS,
    END,
    FORM_ROWS,
    FORMS,
    FULL,
    HEAP,
    HIGH,
    INTERNED,
    INTERNED_TABLE,
    IS_NUMBER,
    LARGEST,
    LEFT,
    LOW,
    MIDDLE,
    MOST_FORMS,
    MOVES,
    NEEDED,
    NEGATIVE,
    NIMBERS,
    NUMBER_TABLE,
    NUMBERS,
    ONE,
    OPTION_LIST,
    OPTIONS,
    ORDERS,
    PAIR_STACK,
    RIGHT,
    STACK,
    STAMP,
    STAMPS,
    TOP,
    UNKNOWN,
    UNSUITED,
    FormArrays,
)
from zermelo._engine.partizan.rows import (
    form_in,
    insert,
    mixed,
    needs,
    remember_order,
    remember_sum,
    remembered_order,
    remembered_sum,
    slot_of,
    slot_of_row,
    sort_first,
    without_repeats,
    write_options,
)

# -- order -----------------------------------------------------------------------------------------


@light_inlined
def _known_order(s: FormArrays, a: Integer, b: Integer) -> int:
    """Return 1 if a <= b, 0 if not, and UNKNOWN if that takes a search."""
    forms = s.forms
    if a == b:
        return 1
    if forms[a, HIGH] > forms[b, HIGH] or forms[a, LOW] > forms[b, LOW]:
        return 0
    if forms[a, HIGH] < forms[b, LOW]:
        return 1
    if forms[a, HEAP] >= 0 and forms[b, HEAP] >= 0:
        return 0
    return remembered_order(s, a, b)


@light_inlined
def at_most(s: FormArrays, a: Any, b: Any) -> int:
    """Return 1 if a <= b, 0 if not, or FULL.

    a <= b unless some left option of a is at least b, or some right option of b at most a.
    """
    answer = _known_order(s, a, b)
    if answer != UNKNOWN:
        return answer
    forms, options, pairs = s.forms, s.options, s.pairs
    pairs[0], pairs[1], pairs[2] = a, b, 0
    height = 1
    while height:
        frame = 3 * (height - 1)
        a, b = pairs[frame], pairs[frame + 1]
        lefts = forms[a, MIDDLE] - forms[a, BEGIN]
        count = lefts + forms[b, END] - forms[b, MIDDLE]
        answer, unknown = 1, count
        for i in range(pairs[frame + 2], count):
            if i < lefts:
                first, second = b, np.int64(options[forms[a, BEGIN] + i])
            else:
                first, second = np.int64(options[forms[b, MIDDLE] + i - lefts]), a
            known = _known_order(s, first, second)
            if known == 1:
                answer = 0
                break
            if known == UNKNOWN and unknown == count:
                unknown = i
        if answer == 1 and unknown < count:
            if frame + 6 > pairs.size:
                return needs(s, PAIR_STACK)
            if unknown < lefts:
                first, second = b, np.int64(options[forms[a, BEGIN] + unknown])
            else:
                first, second = np.int64(options[forms[b, MIDDLE] + unknown - lefts]), a
            pairs[frame + 2] = unknown
            pairs[frame + 3], pairs[frame + 4], pairs[frame + 5] = first, second, 0
            height += 1
            continue
        if remember_order(s, a, b, answer) < 0:
            return FULL
        height -= 1
    return answer


# -- forms of options that are canonical -----------------------------------------------------------


@light_inlined
def refill(s: FormArrays) -> int:
    """Fill the hash tables of forms, which are empty; return FULL if there is no space."""
    forms, counts = s.forms, s.counts
    counts[INTERNED] = counts[NUMBERS] = 0
    s.interned[:] = 0
    s.numbers[:] = 0
    for form in range(counts[FORMS]):
        if forms[form, BEGIN] < 0:
            continue
        if forms[form, IS_NUMBER]:
            if 2 * counts[NUMBERS] >= s.numbers.size:
                return needs(s, NUMBER_TABLE)
            s.numbers[_number_slot(s, forms[form, HIGH])] = form + 1
            counts[NUMBERS] += 1
        elif insert(s, slot_of_row(s, form), form) < 0:
            return FULL
    return 0


@light_inlined
def _finish(s: FormArrays, form: Integer) -> None:
    """Count a new form, and derive what its options tell."""
    forms, options = s.forms, s.options
    begin, middle, end = forms[form, BEGIN], forms[form, MIDDLE], forms[form, END]
    birthday = np.int64(-1)
    for i in range(begin, end):
        birthday = max(birthday, forms[options[i], BIRTHDAY])
    forms[form, BIRTHDAY] = birthday + 1
    s.counts[FORMS], s.counts[OPTIONS] = form + 1, end
    if middle - begin == end - middle and middle - begin < NIMBERS:
        for i in range(middle - begin):
            heap = forms[options[begin + i], HEAP]
            if options[begin + i] != options[middle + i] or heap < 0 or heap >= middle - begin:
                return
        forms[form, HEAP] = middle - begin
        forms[form, NEGATIVE] = form
        s.nimbers[middle - begin] = form


@light_inlined
def _interned(
    s: FormArrays, left: Int64Array, lefts: Integer, right: Int64Array, rights: Integer
) -> Any:
    """Return the form that is no number with canonical options, which are sorted here; or FULL."""
    sort_first(left, lefts)
    sort_first(right, rights)
    slot = slot_of(s, left, lefts, right, rights)
    if s.interned[slot] != 0:
        return form_in(s, slot)
    form, forms = s.counts[FORMS], s.forms
    if form >= MOST_FORMS:
        return UNSUITED
    if write_options(s, form, left, lefts, right, rights) < 0 or insert(s, slot, form) < 0:
        return FULL
    forms[form, HIGH], forms[form, LOW] = -LARGEST, LARGEST
    for i in range(lefts):
        forms[form, HIGH] = max(forms[form, HIGH], forms[left[i], LOW])
    for i in range(rights):
        forms[form, LOW] = min(forms[form, LOW], forms[right[i], HIGH])
    forms[form, IS_NUMBER] = 0
    _finish(s, form)
    return form


@light_inlined
def _number_slot(s: FormArrays, value: Integer) -> Any:
    """Return the slot of a number, empty if it has no form."""
    mask = s.numbers.size - 1
    slot = mixed(value) & mask
    while s.numbers[slot] != 0 and s.forms[s.numbers[slot] - 1, HIGH] != value:
        slot = (slot + 1) & mask
    return slot


@light_inlined
def _new_number(s: FormArrays, value: Integer, below: Integer, above: Integer) -> Any:
    """Return the new form of a number with one option of each player, or none if it is -1."""
    forms, form, begin = s.forms, s.counts[FORMS], s.counts[OPTIONS]
    if form >= len(forms):
        return needs(s, FORM_ROWS)
    if begin + 2 > s.options.size:
        return needs(s, OPTION_LIST)
    if 2 * s.counts[NUMBERS] >= s.numbers.size:
        return needs(s, NUMBER_TABLE)
    middle = begin + (below >= 0)
    if below >= 0:
        s.options[begin] = below
    if above >= 0:
        s.options[middle] = above
    forms[form, HIGH] = forms[form, LOW] = value
    forms[form, IS_NUMBER] = 1
    forms[form, BEGIN], forms[form, MIDDLE], forms[form, END] = begin, middle, middle + (above >= 0)
    forms[form, NEGATIVE] = forms[form, HEAP] = -1
    forms[form, STAMP] = forms[form, ALIAS] = 0
    s.numbers[_number_slot(s, value)] = form + 1
    s.counts[NUMBERS] += 1
    _finish(s, form)
    return form


@light_inlined
def number(s: FormArrays, value: Any) -> Any:
    """Return the form of a fixed-point number, FULL or UNSUITED."""
    stack, counts, base = s.stack, s.counts, s.counts[TOP]
    if not -LARGEST <= value <= LARGEST:
        return UNSUITED
    height = base
    if s.numbers[_number_slot(s, value)] == 0:
        stack[height] = value
        height += 1
    while height > base:
        top = stack[height - 1]
        if s.numbers[_number_slot(s, top)] != 0:
            height -= 1
        elif top & (ONE - 1) == 0:
            step = ONE if top > 0 else -ONE
            integer, form = np.int64(0), np.int64(0)
            while integer != top:
                integer += step
                previous, form = form, np.int64(s.numbers[_number_slot(s, integer)]) - 1
                if form < 0:
                    below, above = (previous, np.int64(-1)) if top > 0 else (np.int64(-1), previous)
                    form = _new_number(s, integer, below, above)
                    if form < 0:
                        return form
        else:
            if height + 1 >= stack.size:
                return needs(s, STACK)
            step = top & -top
            below = np.int64(s.numbers[_number_slot(s, top - step)]) - 1
            above = np.int64(s.numbers[_number_slot(s, top + step)]) - 1
            if below < 0 or above < 0:
                stack[height] = top - step if below < 0 else top + step
                height += 1
            else:
                form = _new_number(s, top, below, above)
                if form < 0:
                    return form
    counts[TOP] = base
    return np.int64(s.numbers[_number_slot(s, value)]) - 1


@light_inlined
def _nimber(s: FormArrays, heap: Integer) -> Any:
    """Return the form of a heap of Nim, FULL or UNSUITED."""
    if heap >= NIMBERS:
        return UNSUITED
    for size in range(heap + 1):
        if s.nimbers[size] < 0:
            if size > min(s.left.size, s.right.size):
                return needs(s, LEFT if s.left.size < s.right.size else RIGHT)
            for i in range(size):
                s.left[i] = s.right[i] = s.nimbers[i]
            form = _interned(s, s.left, size, s.right, size)
            if form < 0:
                return form
    return s.nimbers[heap]


@light_inlined
def negative(s: FormArrays, a: Any) -> Any:
    """Return the form in which the players are exchanged, FULL or UNSUITED."""
    forms, options, stack, counts = s.forms, s.options, s.stack, s.counts
    if forms[a, NEGATIVE] >= 0:
        return forms[a, NEGATIVE]
    base = counts[TOP]
    stack[base] = a
    counts[TOP] += 1
    while counts[TOP] > base:
        top = counts[TOP]
        form = stack[top - 1]
        if forms[form, NEGATIVE] >= 0:
            counts[TOP] -= 1
            continue
        if forms[form, IS_NUMBER]:
            image = number(s, -forms[form, HIGH])
            if image < 0:
                return image
        else:
            begin, middle, end = forms[form, BEGIN], forms[form, MIDDLE], forms[form, END]
            if top + end - begin + 1 >= stack.size:
                return needs(s, STACK)
            if end - middle > s.left.size:
                return needs(s, LEFT)
            if middle - begin > s.right.size:
                return needs(s, RIGHT)
            for i in range(begin, end):
                image = forms[options[i], NEGATIVE]
                if image < 0:
                    stack[counts[TOP]] = options[i]
                    counts[TOP] += 1
                elif i < middle:
                    s.right[i - begin] = image
                else:
                    s.left[i - middle] = image
            if counts[TOP] > top:
                continue
            image = _interned(s, s.left, end - middle, s.right, middle - begin)
            if image < 0:
                return image
        forms[form, NEGATIVE], forms[image, NEGATIVE] = image, form
        counts[TOP] -= 1
    return forms[a, NEGATIVE]


# -- forms of any options --------------------------------------------------------------------------


@light_inlined
def _without_dominated(s: FormArrays, numbers: Int64Array, count: Integer, is_left: bool) -> Any:
    """Keep the options of one player that no other dominates; return their number, or FULL."""
    kept = 0
    for i in range(count):
        form, is_dominated = numbers[i], False
        for j in range(kept):
            worse = at_most(s, form, numbers[j]) if is_left else at_most(s, numbers[j], form)
            if worse < 0:
                return worse
            if worse:
                is_dominated = True
                break
        if is_dominated:
            continue
        remaining = 0
        for j in range(kept):
            other = numbers[j]
            worse = at_most(s, other, form) if is_left else at_most(s, form, other)
            if worse < 0:
                return worse
            if not worse:
                numbers[remaining] = other
                remaining += 1
        numbers[remaining] = form
        kept = remaining + 1
    return kept


@light_inlined
def _without_reversible(
    s: FormArrays, game: Integer, numbers: Int64Array, count: Any, is_left: bool
) -> Any:
    """Replace the reversible options of one player while there are any; return their number."""
    forms, options = s.forms, s.options
    s.counts[STAMPS] += 1
    stamp = s.counts[STAMPS]
    for i in range(count):
        forms[numbers[i], STAMP] = stamp
    kept, waiting, i = 0, count, 0
    while i < waiting:
        form = numbers[i]
        i += 1
        begin, middle, end = forms[form, BEGIN], forms[form, MIDDLE], forms[form, END]
        first, last = (middle, end) if is_left else (begin, middle)
        reply = np.int64(-1)
        for j in range(first, last):
            candidate = np.int64(options[j])
            reverses = at_most(s, candidate, game) if is_left else at_most(s, game, candidate)
            if reverses < 0:
                return reverses
            if reverses:
                reply = candidate
                break
        if reply < 0:
            numbers[kept] = form
            kept += 1
            continue
        begin, middle, end = forms[reply, BEGIN], forms[reply, MIDDLE], forms[reply, END]
        first, last = (begin, middle) if is_left else (middle, end)
        if waiting + last - first > numbers.size:
            return needs(s, MOVES)
        for j in range(first, last):
            if forms[options[j], STAMP] != stamp:
                forms[options[j], STAMP] = stamp
                numbers[waiting] = options[j]
                waiting += 1
    return kept if waiting == count else _without_dominated(s, numbers, kept, is_left)


@light_inlined
def _simplest_value(least: Integer, most: Integer) -> np.int64:
    """Return the fixed-point number of least birthday from ``least`` to ``most``, or UNSUITED."""
    if least <= 0 <= most:
        return np.int64(0)
    for digits in range(DIGITS + 1):
        step = np.int64(ONE) >> digits
        # Toward zero, the multiple of the step that is next to the interval's end.
        value = -((-least) // step) * step if least > 0 else most // step * step
        if least <= value <= most:
            return value
    return np.int64(LARGEST + 1)


@light_inlined
def _fits(s: FormArrays, value: Integer, numbers: Int64Array, count: Integer, is_left: bool) -> int:
    """Return 1 if a number is at most no left option, or at least no right option; or FULL."""
    form = number(s, value)
    if form < 0:
        return int(form)
    for i in range(count):
        excludes = at_most(s, form, numbers[i]) if is_left else at_most(s, numbers[i], form)
        if excludes != 0:
            return min(excludes, 0)
    return 1


@light_inlined
def _simplest(
    s: FormArrays,
    left: Int64Array,
    lefts: Integer,
    high: Any,
    right: Int64Array,
    rights: Integer,
    low: Any,
) -> Any:
    """Return the form of a game that is a number; or FULL or UNSUITED."""
    least, most = np.int64(-LARGEST), np.int64(LARGEST)
    if lefts:
        fits = _fits(s, high, left, lefts, True)  # noqa: FBT003  # a kernel takes no keywords
        if fits < 0:
            return np.int64(fits)
        least = high + 1 - fits
    if rights:
        fits = _fits(s, low, right, rights, False)  # noqa: FBT003
        if fits < 0:
            return np.int64(fits)
        most = low - 1 + fits
    return number(s, _simplest_value(least, most))


@light_inlined
def of_options(
    s: FormArrays, left: Int64Array, lefts: Integer, right: Int64Array, rights: Integer
) -> Any:
    """Return the canonical form of {left | right}; or FULL or UNSUITED.

    Args:
        s: the forms.
        left: the left options; the array is changed, and has space for options that replace them.
        lefts: the number of left options.
        right: the right options, likewise.
        rights: the number of right options.
    """
    forms, counts = s.forms, s.counts
    lefts, rights = without_repeats(s, left, lefts), without_repeats(s, right, rights)
    sort_first(left, lefts)
    sort_first(right, rights)
    slot = slot_of(s, left, lefts, right, rights)
    if s.interned[slot] != 0:
        return form_in(s, slot)
    # A row with the options as they are, and one for comparisons with the game.
    row, comparisons = counts[FORMS], counts[ORDERS]
    if row + 2 > min(len(forms), MOST_FORMS):
        return np.int64(UNSUITED if row + 2 > MOST_FORMS else needs(s, FORM_ROWS))
    if 2 * (counts[INTERNED] + 2) > s.interned.size:
        return np.int64(needs(s, INTERNED_TABLE))
    if write_options(s, row, left, lefts, right, rights) < 0:
        return np.int64(FULL)
    counts[FORMS], counts[OPTIONS] = row + 1, forms[row, END]
    form = _simplified(s, left, lefts, right, rights)
    if form >= 0:
        slot = slot_of_row(s, row)
        if s.interned[slot] == 0:
            forms[row, ALIAS] = form + 1
            insert(s, slot, row)
            return form
    elif counts[ORDERS] == comparisons and counts[FORMS] == row + 1:
        counts[FORMS], counts[OPTIONS] = row, forms[row, BEGIN]
    forms[row, BEGIN] = forms[row, MIDDLE] = forms[row, END] = -1
    return form


@light_inlined
def _simplified(s: FormArrays, left: Int64Array, lefts: Any, right: Int64Array, rights: Any) -> Any:
    """Return the canonical form of a game; or FULL or UNSUITED.

    Args:
        s: the forms.
        left: the left options, each once; the array is changed.
        lefts: the number of left options.
        right: the right options, likewise.
        rights: the number of right options.
    """
    forms = s.forms
    high, low = np.int64(-LARGEST), np.int64(LARGEST)
    for i in range(lefts):
        high = max(high, forms[left[i], LOW])
    for i in range(rights):
        low = min(low, forms[right[i], HIGH])
    is_number = lefts == 0 or rights == 0 or high < low
    if high == low and not is_number:
        fits = _fits(s, high, left, lefts, True)  # noqa: FBT003
        if fits > 0:
            fits = _fits(s, high, right, rights, False)  # noqa: FBT003
        if fits < 0:
            return np.int64(fits)
        if fits:
            return number(s, high)
    if is_number:
        return _simplest(s, left, lefts, high, right, rights, low)
    lefts = _without_dominated(s, left, lefts, True)  # noqa: FBT003
    if lefts < 0:
        return np.int64(lefts)
    rights = _without_dominated(s, right, rights, False)  # noqa: FBT003
    if rights < 0:
        return np.int64(rights)
    sort_first(left, lefts)
    sort_first(right, rights)
    slot = slot_of(s, left, lefts, right, rights)
    if s.interned[slot] != 0:
        return form_in(s, slot)
    game, comparisons = s.counts[FORMS], s.counts[ORDERS]
    if write_options(s, game, left, lefts, right, rights) < 0:
        return np.int64(FULL)
    forms[game, HIGH], forms[game, LOW], forms[game, IS_NUMBER] = high, low, 0
    lefts = _without_reversible(s, game, left, lefts, True)  # noqa: FBT003
    if lefts >= 0:
        rights = _without_reversible(s, game, right, rights, False)  # noqa: FBT003
    form = np.int64(min(lefts, rights))
    if form >= 0:
        form = _interned(s, left, lefts, right, rights)
        if form == game:
            return form
    if s.counts[ORDERS] != comparisons:
        # Comparisons with the game are remembered, so that no other form gets its number.
        forms[game, BEGIN] = forms[game, MIDDLE] = forms[game, END] = -1
        s.counts[FORMS] = game + 1
    return form


# -- sums ------------------------------------------------------------------------------------------


@light_inlined
def _known_sum(s: FormArrays, a: Any, b: Any) -> Any:
    """Return the form of a sum; UNKNOWN if that takes a search; or FULL or UNSUITED."""
    forms = s.forms
    if a == 0:
        return np.int64(b)
    if b == 0:
        return np.int64(a)
    if forms[a, NEGATIVE] == b:
        return np.int64(0)
    if forms[a, IS_NUMBER] and forms[b, IS_NUMBER]:
        return number(s, forms[a, HIGH] + forms[b, HIGH])
    return remembered_sum(s, a, b)


@light_inlined
def sum_of(s: FormArrays, first: Integer, second: Integer) -> Any:
    """Return the canonical form of a sum; or FULL or UNSUITED."""
    forms, options, stack, counts = s.forms, s.options, s.stack, s.counts
    total = _known_sum(s, first, second)
    if total != UNKNOWN:
        return total
    base = counts[TOP]
    stack[base], stack[base + 1] = first, second
    counts[TOP] += 2
    while counts[TOP] > base:
        top = counts[TOP]
        a, b = stack[top - 2], stack[top - 1]
        total = _known_sum(s, a, b)
        if total == UNKNOWN and forms[a, HEAP] >= 0 and forms[b, HEAP] >= 0:
            total = _nimber(s, forms[a, HEAP] ^ forms[b, HEAP])
            if total >= 0 and remember_sum(s, a, b, total) < 0:
                total = np.int64(FULL)
        if total != UNKNOWN:
            if total < 0:
                return total
            counts[TOP] -= 2
            continue
        lefts = rights = 0
        for part in range(4):
            one, other = (a, b) if part < 2 else (b, a)
            # Number translation: nobody gains by a move in the number.
            if forms[one, IS_NUMBER]:
                continue
            is_left = part % 2 == 0
            begin = forms[one, BEGIN] if is_left else forms[one, MIDDLE]
            end = forms[one, MIDDLE] if is_left else forms[one, END]
            if counts[TOP] + 2 * (end - begin) + 2 > stack.size:
                return np.int64(needs(s, STACK))
            if lefts + end - begin > s.left.size:
                return np.int64(needs(s, LEFT))
            if rights + end - begin > s.right.size:
                return np.int64(needs(s, RIGHT))
            for i in range(begin, end):
                option = np.int64(options[i])
                total = _known_sum(s, option, other)
                if total == UNKNOWN:
                    stack[counts[TOP]], stack[counts[TOP] + 1] = option, other
                    counts[TOP] += 2
                elif total < 0:
                    return total
                elif is_left:
                    s.left[lefts] = total
                    lefts += 1
                else:
                    s.right[rights] = total
                    rights += 1
        if counts[TOP] > top:
            continue
        if forms[a, IS_NUMBER] or forms[b, IS_NUMBER]:
            total = _interned(s, s.left, lefts, s.right, rights)
        else:
            total = of_options(s, s.left, lefts, s.right, rights)
            if total == FULL and counts[NEEDED] == MOVES:
                return np.int64(needs(s, LEFT if s.left.size <= s.right.size else RIGHT))
        if total < 0:
            return total
        if remember_sum(s, a, b, total) < 0:
            return np.int64(FULL)
        counts[TOP] -= 2
    return _known_sum(s, first, second)
