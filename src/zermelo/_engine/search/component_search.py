"""The search loop by components: does a component have a given nimber?

The nimber of a position that splits is the exclusive or of the nimbers of its components (Sprague
1935, Grundy 1939). So the question about a component is whether it is lost together with a heap of
n, that is, whether its nimber is n (Lemoine & Viennot, "Nimbers are inevitable", 2012). It is if no
move reaches the nimber n, and it is none of the lesser numbers. A move may lead to several
components: the nimbers of all but the largest are found first, by testing 0, 1, 2 and so on, and
the remaining number is tested for the largest one.

The table stores for each component the least possible nimber, whether it is exact, and further
numbers that it is not. Each of these facts follows from facts that were found earlier. So it is
true even if components repeat and the search does not notice: a component that repeats may have no
nimber, and then none is claimed. That a nimber is at most the number of moves is true only of a
component that has one. This bound is therefore used only while the moves of the component are
searched, where it is confirmed by a move to each other number.

As in ``walk``, nothing recurses: ``advance_components`` runs until it needs the moves of a
component and returns its index. The caller, who has the rules, writes the components that each move
leads to from ``state[TOP]`` on, with ``last`` marking the last one of each move, and calls it
again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import inlined, kernel, spliced
from zermelo._engine.search.alpha_beta import (
    DEEP,
    DONE,
    ENTER,
    FILLED,
    NODES,
    ON_PATH,
    PAUSED,
    PLY,
    REPEATED,
    RESULT,
    SORT,
    STEP,
    TOP,
    UNFOLD,
    form_in,
    log2,
)
from zermelo._engine.search.transposition_entries import (
    MOST,
    bucket_of,
    entry_of,
    high_of,
    low_of,
    move_of,
    prefetch_bucket,
    store,
)

#: Steps in addition to ENTER, UNFOLD and SORT: choose the number to search for among the moves;
#: examine a move; return to the previous component.
CHOOSE, LOOK, BACK = range(5, 8)
#: Fields of a frame: the index of its component; its first move, the number of moves, and their
#: first component; the nimber that is tested (-1 to find the nimber), and the one that moves are
#: searched for; the current move; the component that is tested and for which nimber; whether this
#: decides the move; nodes before; the number of a move to the tested nimber.
AT, FIRST, COUNT, BEGIN, WANT, TRY, CHILD, ASKED, FOR, LASTS, BEFORE, MOVE, FRAME = range(13)
#: Returned if the known facts about a component contradict each other.
CONTRADICTION = -8
#: More than any nimber.
UNBOUNDED = 1 << 40
#: The greatest size of a component, in moves: a search takes about twice as long for each move
#: more.
_LARGE = 50
#: The numbers below this one have a bit in a mask of the numbers that a nimber is not.
_BITS = 62
#: The number of these bits in an entry, from the least possible number on: in the field in which
#: other searches store the upper bound of a value, and in the one in which they store a move.
_FIRST, _MORE = 19, 10
_ONE = np.int64(1)


@spliced
def has_bit(mask: Any, number: Any) -> Any:
    return number < _BITS and (mask >> min(number, _BITS)) & 1 != 0


@inlined
def tighten_bounds(low: Any, high: Any, mask: Any, at: Any) -> None:
    """Move both bounds inward past excluded nimbers."""
    while low[at] < high[at] and has_bit(mask[at], low[at]):
        low[at] += 1
    while low[at] < high[at] and has_bit(mask[at], high[at]):
        high[at] -= 1


@inlined
def exclude(low: Any, high: Any, mask: Any, at: Any, number: Any) -> None:
    """Record that a component's nimber is not ``number``."""
    if number < _BITS:
        mask[at] |= _ONE << number
    if number == low[at]:
        low[at] += 1
    tighten_bounds(low, high, mask, at)


@spliced
def can_have_nimber(low: Any, high: Any, mask: Any, at: Any, number: Any) -> bool:
    """Whether the known facts allow a component to have the nimber ``number``."""
    return low[at] <= number <= high[at] and not has_bit(mask[at], number)


@inlined
def load_entry(
    table: Any, keys: Any, at: Any, words: int, low: Any, high: Any, mask: Any, form: Any
) -> None:
    """Add the facts of a component's table entry to the known ones."""
    bucket = bucket_of(keys, at * words, words, form)
    note = entry_of(table, bucket, keys, at * words, words, form)
    if note == 0:
        return
    least, noted = low_of(note, form), high_of(note, form)
    rest = move_of(note, form)
    low[at] = max(low[at], least)
    if rest & 1 != 0:
        high[at] = min(high[at], least)
    elif least + 1 < _BITS:
        noted |= np.int64(rest >> 1) << _FIRST
        mask[at] |= (noted << (least + 1)) & ((_ONE << _BITS) - 1)
    tighten_bounds(low, high, mask, at)


@inlined
def store_entry(
    table: Any,
    keys: Any,
    at: Any,
    words: int,
    low: Any,
    high: Any,
    mask: Any,
    work: int,
    form: Any,
) -> int:
    """Store the known facts about a component; return 1 if that uses an empty entry, else 0."""
    noted: Any = np.int64(0)
    rest: Any = np.int64(1)
    if low[at] < high[at]:
        rest = np.int64(0)
        if low[at] + 1 < _BITS:
            noted = mask[at] >> (low[at] + 1)
            rest = ((noted >> _FIRST) & ((1 << _MORE) - 1)) << 1
            noted &= (1 << _FIRST) - 1
    least = min(low[at], MOST - 1)
    if least < low[at]:
        rest = np.int64(0)
    return store(table, keys, at * words, words, least, noted, rest, work, form)


@inlined
def _sort(order: Any, worth: Any, number: Any, begin: Any, count: Any) -> None:
    """Sort moves by ``worth``, descending; ties in their original order."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            place, best, one = order[begin + i], worth[begin + i], number[begin + i]
            j = i
            while j >= gap:
                before = begin + j - gap
                if worth[before] > best or (worth[before] == best and number[before] < one):
                    break
                order[before + gap], worth[before + gap] = order[before], worth[before]
                number[before + gap] = number[before]
                j -= gap
            order[begin + j], worth[begin + j], number[begin + j] = place, best, one
        gap //= 2


@inlined
def _value(low: Any, high: Any, last: Any, size: Any, begin: Any) -> tuple[Any, Any, Any, Any]:
    """Return the known and unknown nimbers of the components that a move leads to.

    Returns:
        The exclusive or of the known nimbers; the number of unknown ones; the largest and the
        smallest component of these.
    """
    total, unknown = np.int64(0), np.int64(0)
    large, small = np.int64(-1), np.int64(-1)
    at = begin
    while True:
        if low[at] == high[at]:
            total ^= low[at]
        else:
            unknown += 1
            if large < 0 or size[at] > size[large]:
                large = at
            if small < 0 or size[at] < size[small]:
                small = at
        if last[at] != 0:
            break
        at += 1
    return total, unknown, large, small


@inlined
def advance_components(
    state: Any,
    frames: Any,
    keys: Any,
    low: Any,
    high: Any,
    mask: Any,
    size: Any,
    last: Any,
    order: Any,
    worth: Any,
    number: Any,
    table: Any,
    path: Any,
    words: int,
    quota: int,
) -> Any:
    """Run until the moves of a component are needed, and return its index.

    Args:
        state: the state of the loop, indexed by ``walk.PLY`` and the constants after it.
        frames: a row of numbers for each ply, indexed by AT and the constants after it.
        keys: packed components: first the root, then the children of each ply.
        low: the lower bound of each nimber.
        high: the upper bound of each nimber.
        mask: for each, a bit for each small number that its nimber is not.
        size: the number of moves of each.
        last: for each, whether it is the last that its move leads to.
        order: the first component of each move, at the index of the ply's first component.
        worth: for each move, its sort key.
        number: for each move, its number in the order of the rules.
        table: the transposition table of components.
        path: the number of components on the path for each of a few hashes.
        words: words of a position.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a component, or DONE, PAUSED, DEEP, REPEATED or CONTRADICTION.
    """
    ply, step = state[PLY], state[STEP]
    form = form_in(state)
    while True:
        frame = ply * FRAME
        at = frames[frame + AT]
        first = frames[frame + FIRST]
        if step == ENTER:
            if state[NODES] >= quota or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP] = ply, step
                return PAUSED if state[NODES] >= quota else DEEP
            state[NODES] += 1
            near = np.int64(hash_of(keys, at * words, words) & np.uint64(ON_PATH - 1))
            if path[near]:
                for other in range(ply):
                    if same_key(keys, frames[other * FRAME + AT] * words, keys, at * words, words):
                        state[PLY], state[STEP] = ply, step
                        return REPEATED
            path[near] += 1
            frames[frame + BEFORE] = state[NODES]
            step = UNFOLD
        if step == UNFOLD:
            frames[frame + FIRST] = state[TOP]
            state[PLY], state[STEP] = ply, SORT
            return at
        if step == SORT:
            end = state[TOP]
            for child in range(first, end):
                if low[child] < high[child]:
                    prefetch_bucket(table, bucket_of(keys, child * words, words, form), form)
            count = np.int64(0)
            begin = first
            while begin < end:
                after = begin
                left = np.int64(0)
                while True:
                    if low[after] < high[after]:
                        load_entry(table, keys, after, words, low, high, mask, form)
                    elif size[after] > 0:  # known by bounds() only, so it is stored
                        state[FILLED] += store_entry(
                            table, keys, after, words, low, high, mask, 0, form
                        )
                    if low[after] < high[after]:
                        left += (_ONE << min(size[after], _LARGE)) + size[after]
                    if last[after] != 0:
                        break
                    after += 1
                order[first + count] = begin
                worth[first + count] = -left
                number[first + count] = count
                count += 1
                begin = after + 1
            frames[frame + COUNT] = count
            _sort(order, worth, number, first, count)
            high[at] = min(high[at], count)
            tighten_bounds(low, high, mask, at)
            step = CHOOSE
        if step == CHOOSE:
            want = frames[frame + WANT]
            if low[at] > high[at]:
                state[PLY], state[STEP] = ply, step
                return CONTRADICTION
            found = frames[frame + MOVE] >= 0
            known = want >= 0 and (found or want < low[at] or has_bit(mask[at], want))
            if known or low[at] == high[at]:
                if low[at] < high[at]:
                    high[at] = UNBOUNDED  # the number of moves does not bound it elsewhere
                near = np.int64(hash_of(keys, at * words, words) & np.uint64(ON_PATH - 1))
                path[near] -= 1
                work = log2(state[NODES] - frames[frame + BEFORE] + 1)
                if ply == 0:
                    load_entry(table, keys, at, words, low, high, mask, form)
                state[FILLED] += store_entry(table, keys, at, words, low, high, mask, work, form)
                step = BACK
                continue
            aim = want if 0 <= want < high[at] else low[at]
            frames[frame + TRY], frames[frame + CHILD] = aim, 0
            for move in range(first, first + frames[frame + COUNT]):
                total, unknown, _, _ = _value(low, high, last, size, order[move])
                if unknown == 0 and total == aim:
                    if aim == want:
                        frames[frame + MOVE] = number[move]
                    exclude(low, high, mask, at, aim)
                    aim = np.int64(-1)
                    break
            if aim >= 0:
                step = LOOK
            continue
        if step == BACK:
            if ply == 0:
                state[PLY], state[STEP] = ply, step
                state[RESULT] = 1 if low[at] == high[at] == frames[frame + WANT] else 0
                return DONE
            state[TOP] = first
            ply -= 1
            frame = ply * FRAME
            at, asked = frames[frame + AT], frames[frame + ASKED]
            step = LOOK
            if frames[frame + LASTS]:
                if low[asked] == high[asked] and low[asked] == frames[frame + FOR]:
                    aim = frames[frame + TRY]
                    if aim == frames[frame + WANT]:
                        move = frames[frame + FIRST] + frames[frame + CHILD]
                        frames[frame + MOVE] = number[move]
                    exclude(low, high, mask, at, aim)
                    step = CHOOSE
                else:
                    frames[frame + CHILD] += 1
            continue
        # LOOK: examine the next move.
        aim = frames[frame + TRY]
        if frames[frame + CHILD] == frames[frame + COUNT]:
            high[at] = aim  # no move reaches this number, so the nimber is not greater
            tighten_bounds(low, high, mask, at)
            step = CHOOSE
            continue
        begin = order[first + frames[frame + CHILD]]
        after = begin
        while True:
            if low[after] < high[after]:
                load_entry(table, keys, after, words, low, high, mask, form)
            if last[after] != 0:
                break
            after += 1
        total, unknown, large, small = _value(low, high, last, size, begin)
        asked = large if unknown == 1 else small
        wanted = total ^ aim
        if unknown == 0:
            if total == aim:
                if aim == frames[frame + WANT]:
                    frames[frame + MOVE] = number[first + frames[frame + CHILD]]
                exclude(low, high, mask, at, aim)
                step = CHOOSE
                continue
        elif unknown > 1:
            wanted = low[small]
        if unknown == 0 or not can_have_nimber(low, high, mask, asked, wanted):
            frames[frame + CHILD] += 1
            continue
        frames[frame + ASKED], frames[frame + FOR] = asked, wanted
        frames[frame + LASTS] = 1 if unknown == 1 else 0
        ply += 1
        frame = ply * FRAME
        frames[frame + AT], frames[frame + WANT], frames[frame + MOVE] = asked, wanted, -1
        step = ENTER


@kernel
def look_up_components(table: Any, keys: Any, words: int, form: Any, found: Any) -> None:
    """Write the table's facts about components: two bounds, and bits of further excluded numbers.

    Args:
        table: the transposition table.
        keys: the packed components.
        words: words of a position.
        form: the form of the table; see ``entries.bucket_of``.
        found: three rows of numbers, updated if there is an entry.
    """
    for i in range(found.shape[1]):
        load_entry(table, keys, i, words, found[0], found[1], found[2], form)
