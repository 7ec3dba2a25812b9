"""The search loop by components: does a component have a given nimber?

The nimber of a position that splits is the exclusive or of the nimbers of its components (Sprague
1935, Grundy 1939). So the question about a component is whether it is lost together with a heap of
n, that is, whether its nimber is n (Lemoine & Viennot, "Nimbers are inevitable", 2012). It is if no
move reaches the nimber n, and it is none of the lesser numbers. The lesser numbers are tested for
the same component, with the same moves. A move may lead to several components: the nimbers of all
but the largest are found first, by testing 0, 1, 2 and so on, and the remaining number is tested
for the largest one.

The order of tests is that of proof-number search (Allis 1994) in depth-first form (Nagai 2002).
Each pair of a component and a number has two efforts: about how many components must still be
searched to show that the component does not have the nimber (``phi``), and that it has it
(``delta``). The first effort is the least ``delta`` of what its moves lead to, the second one the
sum of their ``phi``. A test is abandoned once either effort reaches a limit, above which another
move seems easier, and both are remembered in ``proofs``. The efforts only choose what is searched
next: if two pairs share a hash, no result becomes wrong. While a smaller component of a move is
searched for its nimber, its ``delta`` counts towards both efforts of the move.

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
    CROWDED,
    CURRENT_TEST,
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

#: Steps in addition to ENTER, UNFOLD and SORT: evaluate all moves for a number; choose a move and
#: test what it leads to; return to the previous component; evaluate the chosen move again.
OPEN, CHOOSE, FINISH, RETURN = range(5, 9)
#: Fields of a frame: the index of its component, of the first component of its moves, and of its
#: first move; the number of different moves; the nimber that is tested (-1 to find the nimber), and
#: the number that moves are tested for; the limits of both efforts, and the efforts.
AT, FIRST, BEGIN, COUNT, NIMBER, AIM, PHI_LIMIT, DELTA_LIMIT, PHI, DELTA = range(10)
#: Further fields: the current move, or the number of moves and a lesser number; whether its result
#: decides the move; whether the test of this frame was finished; nodes before; the number of a move
#: to the tested nimber; whether the frame tests a lesser number of the component before, with the
#: same moves; ``delta`` of the tested component before, if it does not decide the move.
CHILD, DECIDES, DECIDED, BEFORE, MOVE, SHARED, EFFORT, FRAME = range(10, 18)
#: The index in ``state`` of the number of entries in ``proofs``.
PROOFS = CURRENT_TEST
#: More than any effort, and the greatest effort in ``proofs``.
INFINITE, _MOST_EFFORT = 1 << 40, 1 << 31
#: A move is searched until its effort exceeds the next one's by a share of it (2**-2).
_SLACK = 2
#: The length of ``seen``: the index of a move for each value of a hash's first bits.
SEEN, _SEEN_SHIFT = 1 << 12, np.uint64(52)
_HALF, _LOW_HALF = np.uint64(32), np.uint64((1 << 32) - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
#: Returned if the known facts about a component contradict each other.
CONTRADICTION = -8
#: More than any nimber.
UNBOUNDED = 1 << 40
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
) -> np.int64:
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
def _slot_of(proofs: Uint64Array, mark: np.uint64) -> Any:
    """Return the index of the first of two entries for a mark."""
    pairs = np.uint64(proofs.size >> 2)
    return np.int64((((mark >> _HALF) * pairs) >> _HALF) << np.uint64(2))


@light_inlined
def _mark_of(keys: Uint64Array, component: int, words: int, number: Integer) -> np.uint64:
    """Return a hash of a component and a number, which is not 0."""
    mark = hash_of(keys, component * words, words) ^ (np.uint64(number) * _GOLDEN)
    mark = (mark ^ (mark >> _HALF)) * _GOLDEN
    return mark | np.uint64(1)


@light_inlined
def load_proof(
    proofs: Uint64Array,
    keys: Uint64Array,
    component: int,
    words: int,
    size: Int64Array,
    number: Integer,
) -> tuple[Any, Any]:
    """Return the effort to show that a component does not have a nimber, and that it has it."""
    mark = _mark_of(keys, component, words, number)
    slot = _slot_of(proofs, mark)
    for entry in range(slot, slot + 4, 2):
        if proofs[entry] == mark:
            value = proofs[entry + 1]
            return np.int64(value >> _HALF), np.int64(value & _LOW_HALF)
    return first_efforts(size[component], number)


@light_spliced
def first_efforts(size: int, number: Integer) -> tuple[Any, Any]:
    """Return the efforts for a component with ``size`` moves that was not searched yet."""
    return np.int64(1), np.int64(size + number)


@light_inlined
def store_proof(
    proofs: Uint64Array,
    keys: Uint64Array,
    component: int,
    words: int,
    number: Integer,
    phi: Integer,
    delta: Integer,
) -> int:
    """Store both efforts; return 1 if that uses an empty entry, else 0."""
    mark = _mark_of(keys, component, words, number)
    slot = _slot_of(proofs, mark)
    entry = slot
    if proofs[slot] != mark and proofs[slot] != 0:
        entry = slot + 2
        if proofs[entry] != mark and proofs[entry] != 0:
            first, second = proofs[slot + 1], proofs[slot + 3]
            if (first >> _HALF) + (first & _LOW_HALF) < (second >> _HALF) + (second & _LOW_HALF):
                entry = slot
    filled = 1 if proofs[entry] == 0 else 0
    proofs[entry] = mark
    proofs[entry + 1] = np.uint64(min(phi, _MOST_EFFORT) << 32 | min(delta, _MOST_EFFORT))
    return filled


@kernel
def spread_proofs(old: Uint64Array, proofs: Uint64Array) -> int:
    """Copy entries to their slots in a larger array; return their number.

    Args:
        old: the entries.
        proofs: the larger array, all zeros.
    """
    filled = 0
    for entry in range(0, old.size, 2):
        if old[entry] != 0:
            slot = _slot_of(proofs, old[entry])
            if proofs[slot] != 0:
                slot += 2
            filled += 1 if proofs[slot] == 0 else 0
            proofs[slot], proofs[slot + 1] = old[entry], old[entry + 1]
    return filled


@light_inlined
def _efforts(
    proofs: Uint64Array,
    keys: Uint64Array,
    words: int,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    last: Uint8Array,
    size: Int64Array,
    begin: int,
    aim: int,
) -> tuple[Any, Any]:
    """Return the efforts to show that a move does not reach a number, and that it does."""
    total, unknown, large, _ = _value(low, high, last, size, begin)
    if unknown == 0:
        if total == aim:
            return np.int64(INFINITE), np.int64(0)
        return np.int64(0), np.int64(INFINITE)
    if unknown == 1:
        if not can_have_nimber(low, high, mask, large, total ^ aim):
            return np.int64(0), np.int64(INFINITE)
        return load_proof(proofs, keys, large, words, size, total ^ aim)
    phi, delta = first_efforts(size[large], 0)
    component = begin
    while True:
        if component != large and low[component] < high[component]:
            _, effort = load_proof(proofs, keys, component, words, size, low[component])
            phi += effort
            delta += effort
        if last[component] != 0:
            break
        component += 1
    return phi, delta


@light_inlined
def _have_equal_parts(
    keys: Uint64Array, words: int, size: Int64Array, last: Uint8Array, begin: int, other: int
) -> bool:
    """Return whether two moves lead to the same components, but for those without moves."""
    end, other_end = begin + 1, other + 1
    while last[end - 1] == 0:
        end += 1
    while last[other_end - 1] == 0:
        other_end += 1
    left = 0
    for part in range(begin, end):
        if size[part] > 0:
            left += 1
            surplus = 0  # how many more of the first move's components equal this one
            for each in range(begin, end):
                if same_key(keys, each * words, keys, part * words, words):
                    surplus += 1
            for each in range(other, other_end):
                if same_key(keys, each * words, keys, part * words, words):
                    surplus -= 1
            if surplus != 0:
                return False
    for part in range(other, other_end):
        if size[part] > 0:
            left -= 1
    return left == 0


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
    number: Int64Array,
    phi: Int64Array,
    delta: Int64Array,
    seen: Int64Array,
    proofs: Uint64Array,
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
        order: the first component of each move.
        number: for each move, its number in the order of the rules.
        phi: for each move, the effort to show that it does not reach the number.
        delta: for each move, the effort to show that it does.
        seen: the index of a move for each of a few hashes.
        proofs: efforts for components and numbers.
        table: the transposition table of components.
        path: the number of components on the path for each of a few hashes.
        words: words of a position.
        option: unused.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a component, or DONE, PAUSED, DEEP, CROWDED, REPEATED or CONTRADICTION.
    """
    ply, step = state[PLY], state[STEP]
    form = form_in(state)
    while True:
        frame = ply * FRAME
        component = frames[frame + AT]
        if step == ENTER:
            if state[NODES] >= quota or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP] = ply, step
                return PAUSED if state[NODES] >= quota else DEEP
            begin = np.int64(0)
            if ply > 0:
                above = frame - FRAME
                begin = frames[above + BEGIN] + frames[above + COUNT] + frames[above + AIM]
            frames[frame + BEGIN] = begin
            if frames[frame + SHARED]:
                above = frame - FRAME
                count = frames[above + COUNT]
                if begin + count + frames[frame + NIMBER] > low.size:
                    state[PLY], state[STEP] = ply, step
                    return CROWDED
                frames[frame + FIRST], frames[frame + COUNT] = frames[above + FIRST], count
                frames[frame + BEFORE] = state[NODES]
                for i in range(count):
                    order[begin + i] = order[frames[above + BEGIN] + i]
                    number[begin + i] = number[frames[above + BEGIN] + i]
                step = OPEN
                continue
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
            first, end, begin = frames[frame + FIRST], state[TOP], frames[frame + BEGIN]
            if begin + (end - first) > low.size:
                state[PLY], state[STEP] = ply, step
                return CROWDED
            for child in range(first, end):
                if low[child] < high[child]:
                    prefetch_bucket(table, bucket_of(keys, child * words, words, form), form)
            count, moves = np.int64(0), np.int64(0)
            part_begin = first
            while part_begin < end:
                part = part_begin
                mark = np.uint64(0)
                while True:
                    if low[part] < high[part]:
                        load_entry(table, keys, part, words, low, high, mask, form)
                    elif size[part] > 0:  # known by bounds() only, so it is stored
                        state[FILLED] += store_entry(
                            table, keys, part, words, low, high, mask, 0, form
                        )
                    if size[part] > 0:
                        mark += hash_of(keys, part * words, words)
                    if last[part] != 0:
                        break
                    part += 1
                slot = np.int64(mark >> _SEEN_SHIFT)
                earlier = seen[slot]
                is_new = (
                    earlier < begin
                    or earlier >= begin + count
                    or phi[earlier] != np.int64(mark)
                    or not _have_equal_parts(keys, words, size, last, part_begin, order[earlier])
                )
                if is_new:
                    seen[slot] = begin + count
                    phi[begin + count] = np.int64(mark)
                    order[begin + count] = part_begin
                    number[begin + count] = moves
                    count += 1
                moves += 1
                part_begin = part + 1
            frames[frame + COUNT] = count
            high[component] = min(high[component], count)
            tighten_bounds(low, high, mask, component)
            step = OPEN
        begin = frames[frame + BEGIN]
        count = frames[frame + COUNT]
        nimber = frames[frame + NIMBER]
        if step == OPEN:
            aim = nimber if 0 <= nimber <= high[component] else low[component]
            if begin + count + aim > low.size:
                state[PLY], state[STEP] = ply, step
                return CROWDED
            frames[frame + AIM] = aim
            for move in range(begin, begin + count):
                phi[move], delta[move] = _efforts(
                    proofs, keys, words, low, high, mask, last, size, order[move], aim
                )
                total, unknown, _, _ = _value(low, high, last, size, order[move])
                if unknown == 0:
                    if total == nimber:
                        frames[frame + MOVE] = number[move]
                    exclude(low, high, mask, component, total)
            for other in range(aim):
                move = begin + count + other
                phi[move], delta[move] = load_proof(proofs, keys, component, words, size, other)
            step = CHOOSE
        if step == CHOOSE:
            if low[component] > high[component]:
                state[PLY], state[STEP] = ply, step
                return CONTRADICTION
            aim = frames[frame + AIM]
            is_reached = frames[frame + MOVE] >= 0
            is_answered = nimber >= 0 and (
                is_reached or nimber < low[component] or has_bit(mask[component], nimber)
            )
            if is_answered or low[component] == high[component]:
                frames[frame + DECIDED] = 1
                step = FINISH
                continue
            is_exact = aim == nimber
            if not is_exact and aim != low[component]:
                step = OPEN
                continue
            least, next_least = np.int64(INFINITE), np.int64(INFINITE)
            total_effort, left = np.int64(0), np.int64(0)
            chosen: Any = np.int64(-1)
            for move in range(begin, begin + count):
                if phi[move] > 0:
                    left += 1
                    total_effort += phi[move]
                    if delta[move] < least:
                        next_least, least, chosen = least, delta[move], move
                    elif delta[move] < next_least:
                        next_least = delta[move]
            if left == 0:
                high[component] = min(high[component], aim)  # no move reaches this number
                tighten_bounds(low, high, mask, component)
                if low[component] >= high[component]:
                    continue
            for other in range(aim):
                if can_have_nimber(low, high, mask, component, other):
                    move = begin + count + other
                    total_effort += phi[move]
                    if delta[move] < least:
                        next_least, least, chosen = least, delta[move], move
                    elif delta[move] < next_least:
                        next_least = delta[move]
            frames[frame + PHI], frames[frame + DELTA] = least, total_effort
            phi_limit, delta_limit = frames[frame + PHI_LIMIT], frames[frame + DELTA_LIMIT]
            if not is_exact:
                phi_limit = delta_limit = np.int64(INFINITE)
            if is_exact and (least >= phi_limit or total_effort >= delta_limit):
                state[PROOFS] += store_proof(
                    proofs, keys, component, words, nimber, least, total_effort
                )
                frames[frame + DECIDED] = 0
                step = FINISH
                continue
            frames[frame + CHILD] = chosen
            part = order[chosen]
            child_phi = np.int64(INFINITE)
            child_delta = np.int64(INFINITE)
            if delta_limit < INFINITE:
                child_phi = delta_limit - (total_effort - phi[chosen])
            child_delta = min(phi_limit, next_least + 1 + (next_least >> _SLACK))
            shared = 0
            decides = 1
            if chosen >= begin + count:
                tested, tested_nimber = component, chosen - begin - count
                shared = 1
            else:
                changed: Any = False
                while True:
                    if low[part] < high[part]:
                        was_low, was_high, was_mask = low[part], high[part], mask[part]
                        load_entry(table, keys, part, words, low, high, mask, form)
                        changed |= (
                            was_low != low[part] or was_high != high[part] or was_mask != mask[part]
                        )
                    if last[part] != 0:
                        break
                    part += 1
                total, unknown, large, small = _value(low, high, last, size, order[chosen])
                if (
                    changed
                    or unknown == 0
                    or (unknown == 1 and not can_have_nimber(low, high, mask, large, total ^ aim))
                ):
                    step = RETURN
                    continue
                tested, tested_nimber = large, total ^ aim
                if unknown > 1:
                    tested, tested_nimber, decides = small, low[small], 0
                    _, effort = load_proof(proofs, keys, small, words, size, tested_nimber)
                    frames[frame + EFFORT] = effort
                    if min(child_phi, child_delta) < INFINITE:
                        effort += min(child_phi - phi[chosen], child_delta - delta[chosen])
                        child_delta = effort
                    child_phi = np.int64(INFINITE)
            frames[frame + DECIDES] = decides
            ply += 1
            frame = ply * FRAME
            frames[frame + AT], frames[frame + NIMBER], frames[frame + MOVE] = (
                tested,
                tested_nimber,
                -1,
            )
            frames[frame + PHI_LIMIT], frames[frame + DELTA_LIMIT] = child_phi, child_delta
            frames[frame + SHARED] = shared
            step = ENTER
            continue
        if step == FINISH:
            if not frames[frame + SHARED]:
                if low[component] < high[component]:
                    high[component] = UNBOUNDED  # the number of moves does not bound it elsewhere
                path_slot = np.int64(
                    hash_of(keys, component * words, words) & np.uint64(ON_PATH - 1)
                )
                path[path_slot] -= 1
                work = log2(state[NODES] - frames[frame + BEFORE] + 1)
                if ply == 0:
                    load_entry(table, keys, component, words, low, high, mask, form)
                    # Entries may have been replaced by others of the same search.
                    for child in range(frames[frame + FIRST], state[TOP]):
                        if size[child] > 0:
                            load_entry(table, keys, child, words, low, high, mask, form)
                            if low[child] > 0 or mask[child] != 0 or low[child] == high[child]:
                                state[FILLED] += store_entry(
                                    table, keys, child, words, low, high, mask, work, form
                                )
                if low[component] > 0 or mask[component] != 0 or low[component] == high[component]:
                    state[FILLED] += store_entry(
                        table, keys, component, words, low, high, mask, work, form
                    )
                state[TOP] = frames[frame + FIRST]
            if ply == 0:
                state[PLY], state[STEP] = ply, step
                state[RESULT] = 1 if low[component] == high[component] == nimber else 0
                return DONE
            decided = frames[frame + DECIDED]
            ply -= 1
            frame = ply * FRAME
            if not decided:
                chosen = frames[frame + CHILD]
                if not frames[frame + DECIDES]:
                    effort = frames[frame + FRAME + DELTA] - frames[frame + EFFORT]
                    phi[chosen] += effort
                    delta[chosen] += effort
                    step = CHOOSE
                    continue
                phi[chosen], delta[chosen] = (
                    frames[frame + FRAME + PHI],
                    frames[frame + FRAME + DELTA],
                )
                step = CHOOSE
                continue
            step = RETURN
            continue
        # RETURN: evaluate a move about whose components more is known.
        chosen = frames[frame + CHILD]
        if chosen < begin + count:
            phi[chosen], delta[chosen] = _efforts(
                proofs, keys, words, low, high, mask, last, size, order[chosen], frames[frame + AIM]
            )
            total, unknown, _, _ = _value(low, high, last, size, order[chosen])
            if unknown == 0:
                if total == nimber:
                    frames[frame + MOVE] = number[chosen]
                exclude(low, high, mask, component, total)
        step = CHOOSE


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
