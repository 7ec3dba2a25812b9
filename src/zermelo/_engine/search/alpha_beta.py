"""The alpha-beta search loop: is the value of a position at least a given bound?

It is alpha-beta with null windows, a test of one bound each time (Knuth & Moore 1975; Pearl's
Scout, 1980), with a transposition table (Plaat et al., "Best-first fixed-depth minimax algorithms",
1996). Nothing recurses and nothing is allocated: the stack consists of arrays, with a frame for
each ply.

``advance`` runs until it needs the moves of a position and returns its index. The caller, who has
the rules, writes the children from ``state[TOP]`` on and calls it again. Values are those of the
player to move. The value of a move is its points plus the value of the child, negated if the other
player is to move there. If ``counts_plies`` is 1, a win or a loss one ply further away counts one
less.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array, Uint64Array
from zermelo._engine.core.hashing import hash_of, same_key
from zermelo._engine.core.jit import light_inlined, light_spliced
from zermelo._engine.core.memory import peek
from zermelo._engine.search.transposition_entries import (
    MOST,
    NARROW_BITS,
    NO_MOVE,
    bucket_of,
    entry_of,
    high_of,
    low_of,
    move_of,
    prefetch_bucket,
    store,
)

#: Indices into ``state``: the ply; the next step; the result of the last test; positions visited;
#: the used length of the arrays of positions; entries in the table; the value of a position without
#: moves; the error code of the rules. For the position whose moves are needed: the bound that is
#: tested, and the player to move. Bits of the last word of a position that must be 0; the table's
#: form (``transposition_entries.form_of``) and buckets. For a batch of tests: the current test; the
#: number of nodes at which it is abandoned, and the node limit of a test. Whether the table is
#: examined for the moves of a position.
PLY, STEP, RESULT, NODES, TOP, FILLED, NO_MOVES, FAULT = range(8)
NODE_TARGET, OWNER, SPARE, STRIDE, SHIFT, BITS, MOVES, BUCKETS = range(8, 16)
CURRENT_TEST, NODE_LIMIT, TEST_LIMIT, LOOKS_UP, STATE = range(16, 21)
#: The next step.
ENTER, UNFOLD, SORT, NEXT, RETURN = range(5)
#: Results other than an index: finished, the node quota is used up, the capacity for positions or
#: for plies is exceeded, the rules broke the contract, a position repeated on its own path, or
#: points exceed the range of an entry.
DONE, PAUSED, CROWDED, DEEP, FAULTY, REPEATED, BEYOND = -1, -2, -3, -4, -5, -6, -7
#: Results of tests of a batch: passed, failed, abandoned at the node limit, or a position repeated.
PASSED, FAILED, ABANDONED, CYCLIC = 1, 2, 3, 4
#: The error code of a result of ``play`` outside the declared space.
OUTSIDE = 1 << 8
#: Fields of a frame: the index of its position, of its first move, and the number of moves; the
#: bound tested; the best value so far; the number of a good move; nodes before; the current move,
#: -1 before the first; the bounds known before. For the ply: the class of the move that last passed
#: a test, and the cost of tests (log2, in 1/256). The index in ``claims`` where the move is marked,
#: or 0.
AT, FIRST, COUNT, TARGET, VALUE, MOVE, BEFORE, CHILD, LOW, HIGH = range(10)
KILLER, COST, CLAIM, FRAME = range(10, 14)
#: The length of ``history``, and the number of counters of positions on the path.
MOVE_CLASSES, ON_PATH = 1 << 12, 1 << 14

#: The length of ``claims``, and the cost of tests on a ply from which threads share its moves.
CLAIMS, _SHARED_COST = 1 << 14, 8 << 8
#: The cost of tests on a ply from which the table is examined for each move, if values are won,
#: drawn or lost. Below, the moves found there save fewer nodes than the reads cost.
_LOOK_UP_COST = 2 << 8
_HISTORY_LIMIT = 1 << 21
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HIGHEST_KEY = 1 << 62
_EXCLUDED = -(1 << 62)


@light_spliced
def one_ply_earlier(value: int, counts_plies: int) -> int:
    """Return a value one ply earlier."""
    if value > 0:
        return value - counts_plies
    if value < 0:
        return value + counts_plies
    return value


@light_spliced
def one_ply_later(value: int, counts_plies: int) -> int:
    """Return a bound one ply later."""
    if value > 0:
        return value + counts_plies
    if value < 0:
        return value - counts_plies
    return value


@light_spliced
def lower_bound(gain: int, least: int, counts_plies: int) -> int:
    """Return the lower bound of a move; ``-MOST`` means that the child has none."""
    return least if least <= -MOST else gain + one_ply_earlier(least, counts_plies)


@light_spliced
def upper_bound(gain: int, most: int, counts_plies: int) -> int:
    """Return the upper bound of a move; ``MOST`` means that the child has none."""
    return most if most >= MOST else gain + one_ply_earlier(most, counts_plies)


@light_spliced
def move_class(move: int, changed: int) -> Any:
    """Return the class of a move, below ``MOVE_CLASSES``, from its number and the changed bits."""
    product = (np.uint64(move) ^ np.uint64(changed) << np.uint64(12)) * _MIX
    return np.int64(product >> np.uint64(52))


@light_spliced
def form_in(state: Int64Array) -> tuple[int, int, int, int, int]:
    """Return the form of the table and its number of buckets."""
    return state[STRIDE], state[SHIFT], state[BITS], state[MOVES], state[BUCKETS]


@light_spliced
def cutoff_by_rules(
    state: Int64Array,
    keys: Uint64Array,
    child: int,
    low: Int64Array,
    high: Int64Array,
    gains: Int64Array,
    owners: Uint8Array,
    table: Uint64Array,
    words: int,
    counts_plies: int,
) -> bool:
    """Whether the rules' bounds alone show that a move is good enough, so that no other is needed.

    If they do not decide, the table will be read, so its bucket is prefetched.
    """
    least, most = low[child], high[child]
    if owners.size == 0 or owners[child] != state[OWNER]:
        least, most = -most, -least
    gain = gains[child] if gains.size > 0 else 0
    if lower_bound(gain, least, counts_plies) >= state[NODE_TARGET]:
        return bool(state[PLY] > 0)  # in the root, the best move is needed
    if state[LOOKS_UP] and upper_bound(gain, most, counts_plies) >= state[NODE_TARGET]:
        form = form_in(state)
        prefetch_bucket(table, bucket_of(keys, child * words, words, form), form)
    return False


@light_inlined
def next_test(
    status: int,
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    owners: Uint8Array,
    path: Int32Array,
    batch: Uint64Array,
    turns: Uint8Array,
    least: Int64Array,
    children: Uint64Array,
    results: Uint8Array,
    quota: int,
) -> bool:
    """Store the result of a test of a batch, and start the next one; return whether there is one.

    Args:
        status: the result of ``advance``.
        state: the state of the loop.
        frames: a row of numbers for each ply.
        keys: packed positions; the one that was tested and its children.
        owners: the player to move in each; empty if players alternate.
        path: the number of positions on the path for each of a few hashes.
        batch: the packed positions to test.
        turns: the player to move in each; arbitrary if players alternate.
        least: the bound to test for each; empty if only one position is tested.
        children: receives the packed children of the moves that pass tests; empty if not needed.
        results: receives PASSED, FAILED, LEFT or CYCLIC. A test is also LEFT if its move has too
            great a number.
        quota: the number of nodes after which all tests pause.
    """
    test = state[CURRENT_TEST]
    if test >= least.size:
        return False
    words = batch.size // least.size
    if status == DONE and state[RESULT] < least[test]:
        results[test] = FAILED
    elif status == DONE and (children.size == 0 or frames[MOVE] < NO_MOVE):
        results[test] = PASSED
        if children.size > 0:
            for word in range(words):
                children[test * words + word] = keys[(1 + frames[MOVE]) * words + word]
    elif status == DONE:
        results[test] = ABANDONED
    elif status == REPEATED or (status == PAUSED and state[NODES] < quota):
        results[test] = ABANDONED if status == PAUSED else CYCLIC
        for ply in range(state[PLY]):
            path_slot = hash_of(keys, frames[ply * FRAME + AT] * words, words) & np.uint64(
                ON_PATH - 1
            )
            path[np.int64(path_slot)] -= 1
    else:
        return False
    test += 1
    state[CURRENT_TEST] = test
    if test == least.size:
        return False
    for word in range(words):
        keys[word] = batch[test * words + word]
    if owners.size > 0:
        owners[0] = turns[test]
    frames[AT], frames[TARGET] = 0, least[test]
    state[PLY], state[STEP], state[TOP] = 0, ENTER, 1
    state[NODE_LIMIT] = state[NODES] + state[TEST_LIMIT]
    return True


@light_spliced
def log2(number: int) -> int:
    exponent = 0
    while number > 1:
        number >>= 1
        exponent += 1
    return exponent


@light_spliced
def advance(
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    low: Int64Array,
    high: Int64Array,
    promise: Int64Array,
    move_classes: Int64Array,
    gains: Int64Array,
    owners: Uint8Array,
    table: Uint64Array,
    history: Int64Array,
    path: Int32Array,
    claims: Uint64Array,
    words: int,
    counts_plies: int,
    quota: int,
) -> Any:
    """Run until the moves of a position are needed, and return its index.

    Args:
        state: the state of the loop, indexed by PLY and the constants after it.
        frames: a row of numbers for each ply, indexed by AT and the constants after it.
        keys: packed positions: first the root, then the children of each ply.
        low: the rules' lower bound of each value.
        high: the rules' upper bound of each value.
        promise: for each, the author's estimate of the move to it; replaced by the sort key of
            moves.
        move_classes: for each, a number below ``MOVE_CLASSES`` that is equal for similar moves.
        gains: for each, the points of the move to it; empty if moves make none.
        owners: the player to move in each; empty if players alternate.
        table: the transposition table.
        history: for each class of moves, how often they were good.
        path: the number of positions on the path for each of a few hashes.
        claims: further state that threads share: first whether all must pause, then the hashes of
            positions that a thread is searching. Empty with one thread.
        words: words of a position.
        counts_plies: 1 if values include the distance to a win or a loss, else 0.
        quota: the number of nodes after which to pause.

    Returns:
        The index of a position, or DONE, PAUSED, DEEP, REPEATED or BEYOND.
    """
    ply, step, result = state[PLY], state[STEP], state[RESULT]
    form = form_in(state)
    while True:
        frame = ply * FRAME
        position = frames[frame + AT]
        target = frames[frame + TARGET]
        if step == ENTER:
            must_pause = state[NODES] >= quota or (claims.size > 0 and peek(claims, 0) != 0)
            if must_pause or frame + 2 * FRAME > frames.size:
                state[PLY], state[STEP], state[RESULT] = ply, step, result
                return PAUSED if must_pause else DEEP
            state[NODES] += 1
            path_slot = np.int64(hash_of(keys, position * words, words) & np.uint64(ON_PATH - 1))
            if path[path_slot] and counts_plies == 0:
                for other in range(ply):
                    if same_key(
                        keys, frames[other * FRAME + AT] * words, keys, position * words, words
                    ):
                        state[PLY], state[STEP], state[RESULT] = ply, step, result
                        return REPEATED
            path[path_slot] += 1
            frames[frame + BEFORE] = state[NODES]
            # Moves are examined first, which takes as long as the prefetch of the entry.
            prefetch_bucket(table, bucket_of(keys, position * words, words, form), form)
            step = UNFOLD
        if step == UNFOLD:
            frames[frame + FIRST] = state[TOP]
            state[NODE_TARGET] = target
            looks_up = ply == 0 or form[2] > NARROW_BITS or frames[frame + COST] >= _LOOK_UP_COST
            state[LOOKS_UP] = looks_up
            if owners.size > 0:
                state[OWNER] = owners[position]
            state[PLY], state[STEP], state[RESULT] = ply, SORT, result
            return position
        if step == SORT:
            first, end = frames[frame + FIRST], state[TOP]
            frames[frame + COUNT], frames[frame + CHILD] = end - first, -1
            frames[frame + MOVE] = NO_MOVE
            value: Any = np.int64(-MOST)
            passed = False
            undecided = 0
            best_key: Any = np.int64(_EXCLUDED)
            if end == first:
                value = state[NO_MOVES]
            for child in range(first, end):
                gain = gains[child] if gains.size > 0 else 0
                same_player = owners.size > 0 and owners[child] == owners[position]
                least, most = low[child], high[child]
                if not same_player:
                    least, most = -most, -least
                least, most = (
                    lower_bound(gain, least, counts_plies),
                    upper_bound(gain, most, counts_plies),
                )
                if least >= target:
                    if not passed or promise[child] > best_key:
                        value, passed, best_key = least, True, promise[child]
                        frames[frame + MOVE], frames[frame + KILLER] = (
                            child - first,
                            move_classes[child],
                        )
                    if ply > 0:
                        break
                    continue
                if most < target:
                    value = max(value, most)
                    promise[child] = _EXCLUDED
                    continue
                undecided += 1
            is_decided = passed or undecided == 0  # by the rules, which need no table entry
            frames[frame + LOW], frames[frame + HIGH] = -MOST, MOST
            if not is_decided:
                bucket = bucket_of(keys, position * words, words, form)
                entry = entry_of(table, bucket, keys, position * words, words, form)
                if entry != 0:
                    least, most = low_of(entry, form), high_of(entry, form)
                    frames[frame + LOW], frames[frame + HIGH] = least, most
                    frames[frame + MOVE] = move_of(entry, form)
                    if ply > 0 and (least >= target or most < target):
                        value, is_decided = least if least >= target else most, True
            if is_decided:
                _discard_frame(state, frames, keys, path, frame, words, 0)
                step, result = RETURN, value
                if ply == 0:
                    state[PLY], state[STEP], state[RESULT] = ply, step, result
                    return DONE
                continue
            good_move = frames[frame + MOVE]
            looks_up = state[LOOKS_UP] != 0
            undecided = 0
            for child in range(first, end):
                if promise[child] == _EXCLUDED:
                    continue
                sort_key = min(history[move_classes[child]], _HISTORY_LIMIT - 1)
                child_entry: Any = np.uint64(0)
                if looks_up:
                    bucket = bucket_of(keys, child * words, words, form)
                    child_entry = entry_of(table, bucket, keys, child * words, words, form)
                if child_entry != 0:
                    gain = gains[child] if gains.size > 0 else 0
                    same_player = owners.size > 0 and owners[child] == owners[position]
                    least, most = low_of(child_entry, form), high_of(child_entry, form)
                    if not same_player:
                        least, most = -most, -least
                    least, most = (
                        lower_bound(gain, least, counts_plies),
                        upper_bound(gain, most, counts_plies),
                    )
                    if least >= target:
                        sort_key += promise[child] * (4 * _HISTORY_LIMIT)
                        sort_key += 2 * _HISTORY_LIMIT if child - first == good_move else 0
                        if not passed or sort_key > best_key:
                            value, passed, best_key = least, True, sort_key
                            frames[frame + MOVE] = child - first
                            frames[frame + KILLER] = move_classes[child]
                        if ply > 0:
                            break
                        continue
                    if most < target:
                        value = max(value, most)
                        promise[child] = _EXCLUDED
                        continue
                undecided += 1
                if child - first == good_move:
                    promise[child] = _HIGHEST_KEY
                    continue
                if move_classes[child] == frames[frame + KILLER]:
                    sort_key += _HISTORY_LIMIT
                promise[child] = promise[child] * (4 * _HISTORY_LIMIT) + sort_key
            frames[frame + VALUE] = value
            step = NEXT
            if passed or undecided == 0:
                step, result = _finish_frame(
                    state, frames, keys, table, path, frame, words, value, form
                )
                if ply == 0:
                    state[PLY], state[STEP], state[RESULT] = ply, step, result
                    return DONE
                continue
        if step == NEXT:
            first = frames[frame + FIRST]
            best: Any = np.int64(-1)
            greatest: Any = np.int64(_EXCLUDED)
            for child in range(first, first + frames[frame + COUNT]):
                if promise[child] > greatest:
                    best, greatest = child, promise[child]
            if best < 0:
                worst = frames[frame + VALUE]
                step, result = _finish_frame(
                    state, frames, keys, table, path, frame, words, worst, form
                )
                if ply == 0:
                    state[PLY], state[STEP], state[RESULT] = ply, step, result
                    return DONE
                continue
            frames[frame + CLAIM] = 0
            if claims.size > 0 and frames[frame + COST] >= _SHARED_COST:
                best = _claim_move(claims, frames, frame, keys, promise, words, best)
            gain = gains[best] if gains.size > 0 else 0
            same_player = owners.size > 0 and owners[best] == owners[position]
            child_target = one_ply_later(target - gain, counts_plies)
            if child_target >= MOST or child_target <= -MOST:
                state[PLY], state[STEP], state[RESULT] = ply, step, result
                return BEYOND
            promise[best] = _EXCLUDED
            frames[frame + CHILD] = best
            ply += 1
            frames[frame + FRAME + AT] = best
            frames[frame + FRAME + TARGET] = child_target if same_player else 1 - child_target
            step = ENTER
            continue
        # RETURN: a move has been tested, or its known bounds were enough.
        ply -= 1
        frame -= FRAME
        target = frames[frame + TARGET]
        child, first = frames[frame + CHILD], frames[frame + FIRST]
        if frames[frame + CLAIM] > 0:
            claims[frames[frame + CLAIM]] = 0
        gain = gains[child] if gains.size > 0 else 0
        same_player = owners.size > 0 and owners[child] == owners[frames[frame + AT]]
        move_value = gain + one_ply_earlier(result if same_player else -result, counts_plies)
        class_of_move = move_classes[child]
        if move_value < target:
            frames[frame + VALUE] = max(frames[frame + VALUE], move_value)
            # The refutation of the move may be a good move for this player, too.
            good_move = frames[frame + FRAME + KILLER]
            for other in range(first, first + frames[frame + COUNT]):
                if (
                    move_classes[other] == good_move
                    and promise[other] % (4 * _HISTORY_LIMIT) < 2 * _HISTORY_LIMIT
                ):
                    promise[other] += 0 if promise[other] == _EXCLUDED else 2 * _HISTORY_LIMIT
            step = NEXT
            continue
        frames[frame + MOVE] = child - first
        frames[frame + KILLER] = class_of_move
        history[class_of_move] += 1 + log2(state[NODES] - frames[frame + BEFORE] + 1)
        if history[class_of_move] >= _HISTORY_LIMIT:
            for other in range(history.size):
                history[other] >>= 1
        step, result = _finish_frame(
            state, frames, keys, table, path, frame, words, move_value, form
        )
        if ply == 0:
            state[PLY], state[STEP], state[RESULT] = ply, step, result
            return DONE


@light_inlined
def _claim_move(
    claims: Uint64Array,
    frames: Int64Array,
    frame: int,
    keys: Uint64Array,
    promise: Int64Array,
    words: int,
    best: int,
) -> Any:
    """Return a move that no other thread is searching, if there is one, and mark it.

    The first move is searched by all threads: most positions need no other, and the moves below it
    are shared (Weill's ABDADA, 1996, as simplified by Kerrigan).
    """
    first = frames[frame + FIRST]
    move: Any = np.int64(best)
    greatest: Any = np.int64(_EXCLUDED)
    if frames[frame + CHILD] >= 0:
        for child in range(first, first + frames[frame + COUNT]):
            if promise[child] > greatest:
                key_hash = hash_of(keys, child * words, words)
                if peek(claims, 1 + np.int64(key_hash % np.uint64(CLAIMS - 1))) != key_hash:
                    move, greatest = child, promise[child]
    key_hash = hash_of(keys, move * words, words)
    claim = 1 + np.int64(key_hash % np.uint64(CLAIMS - 1))
    claims[claim] = key_hash
    frames[frame + CLAIM] = claim
    return move


@light_spliced
def _finish_frame(
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    table: Uint64Array,
    path: Int32Array,
    frame: int,
    words: int,
    value: int,
    form: tuple[int, int, int, int, int],
) -> Any:
    """Store the result of a test in the table, and leave its frame."""
    position = frames[frame + AT]
    low, high = frames[frame + LOW], frames[frame + HIGH]
    if value >= frames[frame + TARGET]:
        low = max(low, value)
    else:
        high = min(high, value)
    work = log2(state[NODES] - frames[frame + BEFORE] + 1)
    move = frames[frame + MOVE]
    state[FILLED] += store(table, keys, position * words, words, low, high, move, work, form)
    _discard_frame(state, frames, keys, path, frame, words, work)
    return np.int64(RETURN), np.int64(value)


@light_spliced
def _discard_frame(
    state: Int64Array,
    frames: Int64Array,
    keys: Uint64Array,
    path: Int32Array,
    frame: int,
    words: int,
    work: int,
) -> None:
    """Leave a frame whose test took ``work`` (log2), without storing its result."""
    frames[frame + COST] += ((work << 8) - frames[frame + COST]) >> 4
    path_slot = hash_of(keys, frames[frame + AT] * words, words) & np.uint64(ON_PATH - 1)
    path[np.int64(path_slot)] -= 1
    state[TOP] = frames[frame + FIRST]
