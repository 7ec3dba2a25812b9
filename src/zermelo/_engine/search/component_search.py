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

As in ``alpha_beta``, nothing recurses: ``advance_components`` runs until it needs the moves of a
component and returns its index. The caller, who has the rules, writes the components that each move
leads to from ``state[TOP]`` on, with ``last`` marking the last one of each move, and calls it
again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    Int32Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint64Array,
)
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import kernel, light_inlined, light_spliced
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
CHOOSE, EXAMINE, FINISH = range(5, 8)
#: Fields of a frame: the index of its component; its first move, the number of moves, and their
#: first component; the nimber that is tested (-1 to find the nimber), and the one that moves are
#: searched for; the current move; the component that is tested and for which nimber; whether this
#: decides the move; nodes before; the number of a move to the tested nimber.
AT, FIRST, COUNT, BEGIN, NIMBER, AIM, CHILD, TESTED, TESTED_NIMBER, DECIDES, BEFORE, MOVE, FRAME = (
    range(13)
)
#: Returned if the known facts about a component contradict each other.
CONTRADICTION = -8
#: More than any nimber.
UNBOUNDED = 1 << 40
#: The greatest size of a component, in moves: a search takes about twice as long for each move
#: more.
_LARGE = 50
#: The numbers below this one have a bit in a mask of the numbers that a nimber is not.
_MASK_BITS = 62
#: The number of these bits in an entry, from the least possible number on: in the field in which
#: other searches store the upper bound of a value, and in the one in which they store a move.
_FIRST_BITS, _EXTRA_BITS = 19, 10
#: The number of positions whose components are remembered, and the most components of one.
SPLITS, MOST_PARTS = 1 << 15, 3
_ONE = np.int64(1)


@light_spliced
def has_bit(mask: int, number: int) -> bool:
    return number < _MASK_BITS and (mask >> min(number, _MASK_BITS)) & 1 != 0


@light_inlined
def tighten_bounds(low: Int64Array, high: Int64Array, mask: Int64Array, component: int) -> None:
    """Move both bounds inward past excluded nimbers."""
    while low[component] < high[component] and has_bit(mask[component], low[component]):
        low[component] += 1
    while low[component] < high[component] and has_bit(mask[component], high[component]):
        high[component] -= 1


@light_inlined
def exclude(
    low: Int64Array, high: Int64Array, mask: Int64Array, component: int, number: int
) -> None:
    """Record that a component's nimber is not ``number``."""
    if number < _MASK_BITS:
        mask[component] |= _ONE << number
    if number == low[component]:
        low[component] += 1
    tighten_bounds(low, high, mask, component)


@light_spliced
def can_have_nimber(
    low: Int64Array, high: Int64Array, mask: Int64Array, component: int, number: int
) -> bool:
    """Whether the known facts allow a component to have the nimber ``number``."""
    return low[component] <= number <= high[component] and not has_bit(mask[component], number)


@light_inlined
def load_entry(
    table: Uint64Array,
    keys: Uint64Array,
    component: int,
    words: int,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    form: tuple[int, int, int, int, int],
) -> None:
    """Add the facts of a component's table entry to the known ones."""
    bucket = bucket_of(keys, component * words, words, form)
    note = entry_of(table, bucket, keys, component * words, words, form)
    if note == 0:
        return
    least, excluded = low_of(note, form), high_of(note, form)
    flags = move_of(note, form)
    low[component] = max(low[component], least)
    if flags & 1 != 0:
        high[component] = min(high[component], least)
    elif least + 1 < _MASK_BITS:
        excluded |= np.int64(flags >> 1) << _FIRST_BITS
        mask[component] |= (excluded << (least + 1)) & ((_ONE << _MASK_BITS) - 1)
    tighten_bounds(low, high, mask, component)


@light_inlined
def store_entry(
    table: Uint64Array,
    keys: Uint64Array,
    component: int,
    words: int,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    work: int,
    form: tuple[int, int, int, int, int],
) -> int:
    """Store the known facts about a component; return 1 if that uses an empty entry, else 0."""
    excluded: Any = np.int64(0)
    flags: Any = np.int64(1)
    if low[component] < high[component]:
        flags = np.int64(0)
        if low[component] + 1 < _MASK_BITS:
            excluded = mask[component] >> (low[component] + 1)
            flags = ((excluded >> _FIRST_BITS) & ((1 << _EXTRA_BITS) - 1)) << 1
            excluded &= (1 << _FIRST_BITS) - 1
    least = min(low[component], MOST - 1)
    if least < low[component]:
        flags = np.int64(0)
    return store(table, keys, component * words, words, least, excluded, flags, work, form)


@light_inlined
def load_split(
    splits: Uint64Array,
    whole: Uint64Array,
    child: int,
    keys: Uint64Array,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    size: Int64Array,
    last: Uint8Array,
    begin: int,
    words: int,
) -> Any:
    """Write the components of a child, if they are remembered, and return the index after them.

    Moves of different positions lead to the same children, which take long to split.

    Args:
        splits: an entry for each of a few hashes of positions: the words of a position, the number
            of its components, and for each of these its words and a word with its number of moves
            and the rules' bounds.
        whole: the packed children.
        child: the index of the child.
        keys: receives the components, from ``begin`` on.
        low: receives the rules' lower bounds of their nimbers.
        high: receives the rules' upper bounds.
        mask: receives 0 for each.
        size: receives the number of moves of each.
        last: receives 1 for the last, 0 for the others.
        begin: the index of the first component.
        words: words of a position.

    Returns:
        The index, or ``begin`` if the components are not remembered, or do not fit.
    """
    slot = hash_of(whole, child * words, words) & np.uint64(SPLITS - 1)
    entry = np.int64(slot) * (splits.size // SPLITS)
    count = np.int64(splits[entry + words])
    end = begin + count
    if count == 0 or end > low.size or not same_key(whole, child * words, splits, entry, words):
        return np.int64(begin)
    for component in range(begin, end):
        part = entry + words + 1 + (component - begin) * (words + 1)
        for word in range(words):
            keys[component * words + word] = splits[part + word]
        facts = np.int64(splits[part + words])
        low[component], size[component] = facts & 1, facts >> 2
        high[component] = 0 if facts & 2 else UNBOUNDED
        mask[component], last[component] = 0, component == end - 1
    return end


@light_inlined
def store_split(
    splits: Uint64Array,
    whole: Uint64Array,
    child: int,
    keys: Uint64Array,
    low: Int64Array,
    high: Int64Array,
    size: Int64Array,
    begin: int,
    end: int,
    words: int,
) -> None:
    """Remember the components of a child, from ``begin`` to ``end``; see ``load_split``."""
    if end - begin > MOST_PARTS:
        return
    slot = hash_of(whole, child * words, words) & np.uint64(SPLITS - 1)
    entry = np.int64(slot) * (splits.size // SPLITS)
    for word in range(words):
        splits[entry + word] = whole[child * words + word]
    splits[entry + words] = end - begin
    for component in range(begin, end):
        part = entry + words + 1 + (component - begin) * (words + 1)
        for word in range(words):
            splits[part + word] = keys[component * words + word]
        splits[part + words] = low[component] | (high[component] == 0) << 1 | size[component] << 2


@light_inlined
def _sort(
    order: Int64Array, sort_key: Int64Array, number: Int64Array, begin: int, count: Integer
) -> None:
    """Sort moves by ``sort_key``, descending; ties in their original order."""
    gap = count // 2
    while gap > 0:
        for i in range(gap, count):
            first_component, key, move_number = (
                order[begin + i],
                sort_key[begin + i],
                number[begin + i],
            )
            j = i
            while j >= gap:
                earlier = begin + j - gap
                if sort_key[earlier] > key or (
                    sort_key[earlier] == key and number[earlier] < move_number
                ):
                    break
                order[earlier + gap], sort_key[earlier + gap] = order[earlier], sort_key[earlier]
                number[earlier + gap] = number[earlier]
                j -= gap
            order[begin + j], sort_key[begin + j], number[begin + j] = (
                first_component,
                key,
                move_number,
            )
        gap //= 2


@light_inlined
def _value(
    low: Int64Array, high: Int64Array, last: Uint8Array, size: Int64Array, begin: int
) -> tuple[Any, Any, Any, Any]:
    """Return the known and unknown nimbers of the components that a move leads to.

    Returns:
        The exclusive or of the known nimbers; the number of unknown ones; the largest and the
        smallest component of these.
    """
    total, unknown = np.int64(0), np.int64(0)
    large, small = np.int64(-1), np.int64(-1)
    component = np.int64(begin)
    while True:
        if low[component] == high[component]:
            total ^= low[component]
        else:
            unknown += 1
            if large < 0 or size[component] > size[large]:
                large = component
            if small < 0 or size[component] < size[small]:
                small = component
        if last[component] != 0:
            break
        component += 1
    return total, unknown, large, small


@light_spliced
def advance_components(
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    size: Int64Array,
    last: Uint8Array,
    order: Int64Array,
    sort_key: Int64Array,
    number: Int64Array,
    table: Uint64Array,
    path: Int32Array,
    words: int,
    option: int,  # noqa: ARG001  # there is none
    quota: int,
) -> Any:
    """Run until the moves of a component are needed, and return its index.

    Args:
        state: the state of the loop, indexed by ``alpha_beta.PLY`` and the constants after it.
        frames: a row of numbers for each ply, indexed by AT and the constants after it.
        keys: packed components: first the root, then the children of each ply.
        low: the lower bound of each nimber.
        high: the upper bound of each nimber.
        mask: for each, a bit for each small number that its nimber is not.
        size: the number of moves of each.
        last: for each, whether it is the last that its move leads to.
        order: the first component of each move, at the index of the ply's first component.
        sort_key: for each move, its sort key.
        number: for each move, its number in the order of the rules.
        table: the transposition table of components.
        path: the number of components on the path for each of a few hashes.
        words: words of a position.
        option: unused.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a component, or DONE, PAUSED, DEEP, REPEATED or CONTRADICTION.
    """
    ply, step = state[PLY], state[STEP]
    form = form_in(state)
    while True:
        frame = ply * FRAME
        component = frames[frame + AT]
        first = frames[frame + FIRST]
        if step == ENTER:
            if state[NODES] >= quota or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP] = ply, step
                return PAUSED if state[NODES] >= quota else DEEP
            state[NODES] += 1
            path_slot = np.int64(hash_of(keys, component * words, words) & np.uint64(ON_PATH - 1))
            if path[path_slot]:
                for other_ply in range(ply):
                    if same_key(
                        keys, frames[other_ply * FRAME + AT] * words, keys, component * words, words
                    ):
                        state[PLY], state[STEP] = ply, step
                        return REPEATED
            path[path_slot] += 1
            frames[frame + BEFORE] = state[NODES]
            step = UNFOLD
        if step == UNFOLD:
            frames[frame + FIRST] = state[TOP]
            state[PLY], state[STEP] = ply, SORT
            return component
        if step == SORT:
            end = state[TOP]
            for child in range(first, end):
                if low[child] < high[child]:
                    prefetch_bucket(table, bucket_of(keys, child * words, words, form), form)
            count = np.int64(0)
            begin = first
            while begin < end:
                part = begin
                work_left = np.int64(0)
                while True:
                    if low[part] < high[part]:
                        load_entry(table, keys, part, words, low, high, mask, form)
                    elif size[part] > 0:  # known by bounds() only, so it is stored
                        state[FILLED] += store_entry(
                            table, keys, part, words, low, high, mask, 0, form
                        )
                    if low[part] < high[part]:
                        work_left += (_ONE << min(size[part], _LARGE)) + size[part]
                    if last[part] != 0:
                        break
                    part += 1
                order[first + count] = begin
                sort_key[first + count] = -work_left
                number[first + count] = count
                count += 1
                begin = part + 1
            frames[frame + COUNT] = count
            _sort(order, sort_key, number, first, count)
            high[component] = min(high[component], count)
            tighten_bounds(low, high, mask, component)
            step = CHOOSE
        if step == CHOOSE:
            nimber = frames[frame + NIMBER]
            if low[component] > high[component]:
                state[PLY], state[STEP] = ply, step
                return CONTRADICTION
            is_reached = frames[frame + MOVE] >= 0
            is_answered = nimber >= 0 and (
                is_reached or nimber < low[component] or has_bit(mask[component], nimber)
            )
            if is_answered or low[component] == high[component]:
                if low[component] < high[component]:
                    high[component] = UNBOUNDED  # the number of moves does not bound it elsewhere
                path_slot = np.int64(
                    hash_of(keys, component * words, words) & np.uint64(ON_PATH - 1)
                )
                path[path_slot] -= 1
                work = log2(state[NODES] - frames[frame + BEFORE] + 1)
                if ply == 0:
                    load_entry(table, keys, component, words, low, high, mask, form)
                state[FILLED] += store_entry(
                    table, keys, component, words, low, high, mask, work, form
                )
                step = FINISH
                continue
            aim = nimber if 0 <= nimber < high[component] else low[component]
            frames[frame + AIM], frames[frame + CHILD] = aim, 0
            for move in range(first, first + frames[frame + COUNT]):
                total, unknown, _, _ = _value(low, high, last, size, order[move])
                if unknown == 0 and total == aim:
                    if aim == nimber:
                        frames[frame + MOVE] = number[move]
                    exclude(low, high, mask, component, aim)
                    aim = np.int64(-1)
                    break
            if aim >= 0:
                step = EXAMINE
            continue
        if step == FINISH:
            if ply == 0:
                state[PLY], state[STEP] = ply, step
                state[RESULT] = (
                    1 if low[component] == high[component] == frames[frame + NIMBER] else 0
                )
                return DONE
            state[TOP] = first
            ply -= 1
            frame = ply * FRAME
            component, tested = frames[frame + AT], frames[frame + TESTED]
            step = EXAMINE
            if frames[frame + DECIDES]:
                if low[tested] == high[tested] and low[tested] == frames[frame + TESTED_NIMBER]:
                    aim = frames[frame + AIM]
                    if aim == frames[frame + NIMBER]:
                        move = frames[frame + FIRST] + frames[frame + CHILD]
                        frames[frame + MOVE] = number[move]
                    exclude(low, high, mask, component, aim)
                    step = CHOOSE
                else:
                    frames[frame + CHILD] += 1
            continue
        # LOOK: examine the next move.
        aim = frames[frame + AIM]
        if frames[frame + CHILD] == frames[frame + COUNT]:
            high[component] = aim  # no move reaches this number, so the nimber is not greater
            tighten_bounds(low, high, mask, component)
            step = CHOOSE
            continue
        begin = order[first + frames[frame + CHILD]]
        part = begin
        while True:
            if low[part] < high[part]:
                load_entry(table, keys, part, words, low, high, mask, form)
            if last[part] != 0:
                break
            part += 1
        total, unknown, large, small = _value(low, high, last, size, begin)
        tested = large if unknown == 1 else small
        tested_nimber = total ^ aim
        if unknown == 0:
            if total == aim:
                if aim == frames[frame + NIMBER]:
                    frames[frame + MOVE] = number[first + frames[frame + CHILD]]
                exclude(low, high, mask, component, aim)
                step = CHOOSE
                continue
        elif unknown > 1:
            tested_nimber = low[small]
        if unknown == 0 or not can_have_nimber(low, high, mask, tested, tested_nimber):
            frames[frame + CHILD] += 1
            continue
        frames[frame + TESTED], frames[frame + TESTED_NIMBER] = tested, tested_nimber
        frames[frame + DECIDES] = 1 if unknown == 1 else 0
        ply += 1
        frame = ply * FRAME
        frames[frame + AT], frames[frame + NIMBER], frames[frame + MOVE] = tested, tested_nimber, -1
        step = ENTER


@kernel
def look_up_components(
    table: Uint64Array,
    keys: Uint64Array,
    words: int,
    form: tuple[int, int, int, int, int],
    facts: Int64Array,
) -> None:
    """Write the table's facts about components: two bounds, and bits of further excluded numbers.

    Args:
        table: the transposition table.
        keys: the packed components.
        words: words of a position.
        form: the form of the table; see ``transposition_entries.bucket_of``.
        facts: three rows of numbers, updated if there is an entry.
    """
    for i in range(facts.shape[1]):
        load_entry(table, keys, i, words, facts[0], facts[1], facts[2], form)
