"""Kernels of the certificate of partizan games: games compared by the definition of their order.

A <= B if no left option of A is at least B, and no right option of B is at most A. Nothing else is
used: no stops, no numbers, no nimbers. Of the solver, only the tables that store games are used.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int64Array, Integer
from zermelo._engine.core.jit import light_inlined, light_kernel
from zermelo._engine.partizan.form_arrays import (
    ALIAS,
    BEGIN,
    END,
    FORM_ROWS,
    FORMS,
    FULL,
    INTERNED,
    INTERNED_TABLE,
    LEFT,
    MIDDLE,
    MOVES,
    NEGATIVE,
    OPTIONS,
    PAIR_STACK,
    REINDEX,
    RIGHT,
    STACK,
    STAMP,
    STAMPS,
    STATUS,
    TOP,
    UNKNOWN,
    FormArrays,
)
from zermelo._engine.partizan.rows import (
    form_in,
    insert,
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

#: The result of a check that fails.
WRONG = -4
#: The stages of ``check``: the forms of a table, their negatives, and positions.
READING, NEGATING, CHECKING = range(3)


#: The forms of a table: where the left options of each begin, and the end of the last; all left
#: options; and the same of the right options.
FormLists: TypeAlias = tuple[Int64Array, Int64Array, Int64Array, Int64Array]
#: Where the moves of each position begin, and the end of the last; the position after each move;
#: whether it is the last component of the move; and the position with the turn passed.
MoveLists: TypeAlias = tuple[Int64Array, Int64Array, BoolArray, Int64Array]


@light_inlined
def _at_most(s: FormArrays, a: Any, b: Any) -> int:
    """Return 1 if a <= b, 0 if not, or FULL. Options are compared before their games."""
    if a == b:
        return 1
    answer = remembered_order(s, a, b)
    if answer != UNKNOWN:
        return answer
    rows, options, pairs = s.forms, s.options, s.pairs
    pairs[0], pairs[1], pairs[2] = a, b, 0
    height = 1
    while height:
        frame = 3 * (height - 1)
        a, b = pairs[frame], pairs[frame + 1]
        lefts = rows[a, MIDDLE] - rows[a, BEGIN]
        count = lefts + rows[b, END] - rows[b, MIDDLE]
        answer, unknown = 1, count
        first, second = a, b
        for i in range(pairs[frame + 2], count):
            if i < lefts:
                lower, upper = b, np.int64(options[rows[a, BEGIN] + i])
            else:
                lower, upper = np.int64(options[rows[b, MIDDLE] + i - lefts]), a
            known = 1 if lower == upper else remembered_order(s, lower, upper)
            if known == 1:
                answer = 0
                break
            if known == UNKNOWN and unknown == count:
                unknown, first, second = i, lower, upper
        if answer == 1 and unknown < count:
            if frame + 6 > pairs.size:
                return needs(s, PAIR_STACK)
            pairs[frame + 2] = unknown
            pairs[frame + 3], pairs[frame + 4], pairs[frame + 5] = first, second, 0
            height += 1
            continue
        if remember_order(s, a, b, answer) < 0:
            return FULL
        height -= 1
    return answer


@light_inlined
def _is_worse(
    s: FormArrays, a: Integer, b: Integer, is_left: bool
) -> int:  # kernels take no keywords
    """Return 1 if a is at most b, for Left, or at least b, for Right; 0 if not, or FULL."""
    return _at_most(s, a, b) if is_left else _at_most(s, b, a)


@light_inlined
def _reply_of(s: FormArrays, option: Integer, game: Integer, is_left: bool) -> np.int64:
    """Return the first reply that reverses an option of a game, -1 if there is none, or FULL - 1.

    A reply to a left option reverses it if the reply is at most the game.
    """
    begin = s.forms[option, MIDDLE] if is_left else s.forms[option, BEGIN]
    end = s.forms[option, END] if is_left else s.forms[option, MIDDLE]
    for j in range(begin, end):
        reply = np.int64(s.options[j])
        reverses = _is_worse(s, reply, game, is_left)
        if reverses < 0:
            return np.int64(FULL - 1)
        if reverses:
            return reply
    return np.int64(-1)


@light_inlined
def _read_form(s: FormArrays, form: Integer, lists: FormLists) -> int:
    """Append a form of a table, WRONG if it is not canonical or occurred before; or FULL."""
    left_starts, left, right_starts, right = lists
    rows = s.forms
    lefts = left_starts[form + 1] - left_starts[form]
    rights = right_starts[form + 1] - right_starts[form]
    if lefts > s.left.size:
        return needs(s, LEFT)
    if rights > s.right.size:
        return needs(s, RIGHT)
    for i in range(lefts):
        s.left[i] = left[left_starts[form] + i]
    for i in range(rights):
        s.right[i] = right[right_starts[form] + i]
    for i in range(lefts):
        if not 0 <= s.left[i] < form or (i > 0 and s.left[i] <= s.left[i - 1]):
            return WRONG
    for i in range(rights):
        if not 0 <= s.right[i] < form or (i > 0 and s.right[i] <= s.right[i - 1]):
            return WRONG
    slot = slot_of(s, s.left, lefts, s.right, rights)
    if s.interned[slot] != 0:
        return WRONG
    if write_options(s, form, s.left, lefts, s.right, rights) < 0:
        return FULL
    for side in range(2):
        begin, end = (
            (rows[form, BEGIN], rows[form, MIDDLE])
            if side == 0
            else (rows[form, MIDDLE], rows[form, END])
        )
        for i in range(begin, end):
            option = np.int64(s.options[i])
            reply = _reply_of(s, option, form, side == 0)
            if reply != -1:
                return FULL if reply < 0 else WRONG
            for j in range(begin, end):
                if i != j:
                    worse = _is_worse(s, option, np.int64(s.options[j]), side == 0)
                    if worse != 0:
                        return FULL if worse < 0 else WRONG
    if insert(s, slot, form) < 0:
        return FULL
    s.counts[FORMS], s.counts[OPTIONS] = form + 1, rows[form, END]
    return 0


@light_inlined
def _negate(s: FormArrays, form: Integer) -> int:
    """Find the negative of a form of the table, after those of its options; or FULL."""
    rows, counts = s.forms, s.counts
    begin, middle, end = rows[form, BEGIN], rows[form, MIDDLE], rows[form, END]
    if rows[form, NEGATIVE] >= 0:
        return 0
    if end - middle > s.left.size:
        return needs(s, LEFT)
    if middle - begin > s.right.size:
        return needs(s, RIGHT)
    for i in range(middle, end):
        s.left[i - middle] = rows[s.options[i], NEGATIVE]
    for i in range(begin, middle):
        s.right[i - begin] = rows[s.options[i], NEGATIVE]
    lefts, rights = end - middle, middle - begin
    sort_first(s.left, lefts)
    sort_first(s.right, rights)
    slot = slot_of(s, s.left, lefts, s.right, rights)
    if s.interned[slot] == 0:
        image = counts[FORMS]
        if (
            write_options(s, image, s.left, lefts, s.right, rights) < 0
            or insert(s, slot, image) < 0
        ):
            return FULL
        counts[FORMS], counts[OPTIONS] = image + 1, rows[image, END]
    image = np.int64(s.interned[slot]) - 1
    rows[form, NEGATIVE], rows[image, NEGATIVE] = image, form
    return 0


@light_inlined
def _reduce(
    s: FormArrays, game: Integer, numbers: Int64Array, count: Integer, is_left: bool
) -> np.int64:
    """Replace reversible options of one player, and leave out dominated ones; return their number.

    Args:
        s: the games.
        game: the row of the game.
        numbers: the options; receives those that are left.
        count: the number of options.
        is_left: whether they are Left's.
    """
    rows = s.forms
    # The second stamp is for dominated options.
    s.counts[STAMPS] += 2
    stamp, kept, waiting, i = s.counts[STAMPS] - 1, 0, count, 0
    for n in range(count):
        rows[numbers[n], STAMP] = stamp
    while i < waiting:
        option = numbers[i]
        i += 1
        reply = _reply_of(s, option, game, is_left)
        if reply < -1:
            return np.int64(FULL)
        if reply == -1:
            numbers[kept] = option
            kept += 1
            continue
        begin = rows[reply, BEGIN] if is_left else rows[reply, MIDDLE]
        end = rows[reply, MIDDLE] if is_left else rows[reply, END]
        if waiting + end - begin > numbers.size:
            return np.int64(needs(s, LEFT if is_left else RIGHT))
        for j in range(begin, end):
            if rows[s.options[j], STAMP] != stamp:
                rows[s.options[j], STAMP] = stamp
                numbers[waiting] = s.options[j]
                waiting += 1
    # Each remaining option that another dominates is dropped. No two are equal.
    best = 0
    for n in range(kept):
        is_dominated = False
        for m in range(kept):
            if m != n and not is_dominated:
                worse = _is_worse(s, numbers[n], numbers[m], is_left)
                if worse < 0:
                    return np.int64(FULL)
                is_dominated = worse == 1
        # Dominated options stay in the array until all have been compared.
        rows[numbers[n], STAMP] = stamp + 1 if is_dominated else stamp
    for n in range(kept):
        if rows[numbers[n], STAMP] == stamp:
            numbers[best] = numbers[n]
            best += 1
    return np.int64(best)


@light_inlined
def _game_of_options(s: FormArrays, lefts: Integer, rights: Integer) -> Any:
    """Return the row of the game whose options are in ``s.left`` and ``s.right``; or FULL.

    Equal games have equal rows: without reversible and dominated options, their options are equal.
    """
    rows, counts, left, right = s.forms, s.counts, s.left, s.right
    lefts, rights = without_repeats(s, left, lefts), without_repeats(s, right, rights)
    sort_first(left, lefts)
    sort_first(right, rights)
    slot = slot_of(s, left, lefts, right, rights)
    if s.interned[slot] != 0:
        return form_in(s, slot)
    game = counts[FORMS]
    if game + 2 > len(rows):
        return np.int64(needs(s, FORM_ROWS))
    if 2 * (counts[INTERNED] + 2) > s.interned.size:
        return np.int64(needs(s, INTERNED_TABLE))
    if write_options(s, game, left, lefts, right, rights) < 0:
        return np.int64(FULL)
    counts[FORMS], counts[OPTIONS] = game + 1, rows[game, END]
    lefts = _reduce(s, game, left, lefts, True)  # noqa: FBT003
    if lefts >= 0:
        rights = _reduce(s, game, right, rights, False)  # noqa: FBT003
    if lefts < 0 or rights < 0:
        rows[game, BEGIN] = rows[game, MIDDLE] = rows[game, END] = -1
        return np.int64(FULL)
    sort_first(left, lefts)
    sort_first(right, rights)
    slot = slot_of(s, left, lefts, right, rights)
    if s.interned[slot] != 0:
        form = form_in(s, slot)
    else:
        form = counts[FORMS]
        if write_options(s, form, left, lefts, right, rights) < 0:
            rows[game, BEGIN] = rows[game, MIDDLE] = rows[game, END] = -1
            return np.int64(FULL)
        insert(s, slot, form)
        counts[FORMS], counts[OPTIONS] = form + 1, rows[form, END]
    game_slot = slot_of_row(s, game)
    if s.interned[game_slot] == 0:
        rows[game, ALIAS] = form + 1
        insert(s, game_slot, game)
    else:
        rows[game, BEGIN] = rows[game, MIDDLE] = rows[game, END] = -1
    return form


@light_inlined
def _sum(s: FormArrays, first: Any, second: Any) -> Any:
    """Return the row of a sum; or FULL."""
    rows, options, stack, counts = s.forms, s.options, s.stack, s.counts
    if first == 0 or second == 0:
        return first + second
    known = remembered_sum(s, first, second)
    if known != UNKNOWN:
        return known
    stack[0], stack[1], counts[TOP] = first, second, 2
    while counts[TOP]:
        top = counts[TOP]
        a, b = stack[top - 2], stack[top - 1]
        if remembered_sum(s, a, b) != UNKNOWN:
            counts[TOP] -= 2
            continue
        count = rows[a, END] - rows[a, BEGIN] + rows[b, END] - rows[b, BEGIN]
        if top + 2 * count > stack.size:
            return np.int64(needs(s, STACK))
        if count > min(s.left.size, s.right.size):
            return np.int64(needs(s, LEFT if s.left.size < s.right.size else RIGHT))
        lefts = rights = 0
        for part in range(2):
            moved, other = (a, b) if part == 0 else (b, a)
            for i in range(rows[moved, BEGIN], rows[moved, END]):
                option = np.int64(options[i])
                if option == 0 or other == 0:
                    total = option + other
                else:
                    total = remembered_sum(s, option, other)
                if total == UNKNOWN:
                    stack[counts[TOP]], stack[counts[TOP] + 1] = option, other
                    counts[TOP] += 2
                elif i < rows[moved, MIDDLE]:
                    s.left[lefts] = total
                    lefts += 1
                else:
                    s.right[rights] = total
                    rights += 1
        if counts[TOP] > top:
            continue
        total = _game_of_options(s, lefts, rights)
        if total < 0 or remember_sum(s, a, b, total) < 0:
            return np.int64(FULL)
        counts[TOP] -= 2
    return remembered_sum(s, first, second)


@light_inlined
def _after_moves(
    s: FormArrays,
    lists: MoveLists,
    number: Integer,
    codes: Int64Array,
    out: Int64Array,
    negates: bool,
) -> Any:
    """Write the game after each move of a position; return the number of moves, or FULL.

    Args:
        s: the games.
        lists: the options of positions; see ``check``.
        number: the position.
        codes: the value of each position.
        out: receives the games.
        negates: whether their negatives are written.
    """
    first, children, is_last, _ = lists
    begin, end = first[number], first[number + 1]
    if end - begin > out.size:
        return np.int64(needs(s, MOVES))
    count, total = np.int64(0), np.int64(0)
    for i in range(begin, end):
        part = np.int64(codes[children[i]])
        if negates:
            part = s.forms[part, NEGATIVE]
        total = _sum(s, total, part)
        if total < 0:
            return total
        if is_last.size == 0 or is_last[i]:
            out[count] = total
            count += 1
            total = np.int64(0)
    return count


@light_inlined
def _is_game_of(
    s: FormArrays,
    form: Integer,
    numbers: Int64Array,
    count: Integer,
    is_left: bool,
) -> int:
    """Return 1 if a form may be the game with these options of a player, 0 if not, or FULL.

    No left option may be at least the form, and each left option of the form must be at most one of
    the options; and the same for Right, with the order reversed.
    """
    for i in range(count):
        excludes = _is_worse(s, form, numbers[i], is_left)
        if excludes != 0:
            return FULL if excludes < 0 else 0
    begin = s.forms[form, BEGIN] if is_left else s.forms[form, MIDDLE]
    end = s.forms[form, MIDDLE] if is_left else s.forms[form, END]
    for j in range(begin, end):
        option, is_matched = np.int64(s.options[j]), False
        for i in range(count):
            is_matched = is_matched or numbers[i] == option
        for i in range(count):
            if not is_matched:
                worse = _is_worse(s, option, numbers[i], is_left)
                if worse < 0:
                    return FULL
                is_matched = worse == 1
        if not is_matched:
            return 0
    return 1


@light_inlined
def _check_position(
    s: FormArrays,
    lists: MoveLists,
    number: Integer,
    codes: Int64Array,
    left: Int64Array,
    right: Int64Array,
) -> int:
    """Return 0 if the value of a position is right, WRONG if not, or FULL."""
    form, passed = np.int64(codes[number]), lists[3][number]
    if s.forms[form, NEGATIVE] != codes[passed]:
        return WRONG
    if passed < number:
        return 0
    lefts = _after_moves(s, lists, number, codes, left, True)  # noqa: FBT003
    if lefts < 0:
        return FULL
    rights = _after_moves(s, lists, passed, codes, right, False)  # noqa: FBT003
    if rights < 0:
        return FULL
    lefts, rights = without_repeats(s, left, lefts), without_repeats(s, right, rights)
    fits = _is_game_of(s, form, left, lefts, True)  # noqa: FBT003
    if fits > 0:
        fits = _is_game_of(s, form, right, rights, False)  # noqa: FBT003
    return FULL if fits < 0 else 0 if fits else WRONG


@light_inlined
def _refill(s: FormArrays) -> int:
    """Fill the table of rows, which is empty; return FULL if there is no space."""
    s.counts[INTERNED] = 0
    s.interned[:] = 0
    for row in range(s.counts[FORMS]):
        if s.forms[row, BEGIN] >= 0 and insert(s, slot_of_row(s, row), row) < 0:
            return FULL
    return 0


@light_kernel
def is_ordered(
    first: Int64Array,
    children: Int64Array,
    passed: Int64Array,
    starts: Int64Array,
    queue: Int64Array,
    waiting: Int64Array,
) -> bool:
    """Return whether the starts lead to all positions, and moves form no cycle.

    Two positions that differ only in the player to move count as one in a cycle. Such a pair is
    removed once all pairs with moves to it are removed, which never happens in a cycle.

    Args:
        first: the beginning of each position's moves in ``children``, and the end of the last.
        children: the positions after them.
        passed: the positions with the turn passed.
        starts: the starts.
        queue: space for all positions.
        waiting: zeros for all positions.
    """
    count, tail = passed.size, 0
    for start in starts:
        if waiting[start] == 0:
            waiting[start] = 1
            queue[tail] = start
            tail += 1
    head = 0
    while head < tail:
        number = queue[head]
        head += 1
        for i in range(first[number] - 1, first[number + 1]):
            child = passed[number] if i < first[number] else children[i]
            if waiting[child] == 0:
                waiting[child] = 1
                queue[tail] = child
                tail += 1
    if tail < count:
        return False
    waiting[:] = 0
    for child in children:
        waiting[min(child, passed[child])] += 1
    head = tail = pairs = 0
    for number in range(count):
        if passed[number] >= number:
            pairs += 1
            if waiting[number] == 0:
                queue[tail] = number
                tail += 1
    while head < tail:
        pair = queue[head]
        head += 1
        for turn in range(1 if passed[pair] == pair else 2):
            number = pair if turn == 0 else passed[pair]
            for i in range(first[number], first[number + 1]):
                child = min(children[i], passed[children[i]])
                waiting[child] -= 1
                if waiting[child] == 0:
                    queue[tail] = child
                    tail += 1
    return tail == pairs


@light_kernel
def check(
    s: FormArrays,
    stage: int,
    forms: Any,
    lists: MoveLists,
    codes: Int64Array,
    left: Int64Array,
    right: Int64Array,
    begin: int,
    end: int,
) -> int:
    """Check forms or positions; return the index where it stops, with the reason in ``counts``.

    Args:
        s: the games; the forms of the table have their numbers there.
        stage: READING, NEGATING or CHECKING.
        forms: the forms of the table; see ``CanonicalForms.arrays``.
        lists: the beginning of each position's moves among all, and the end of the last; the
            positions after them; whether each is the last of a move; and the positions with the
            turn passed.
        codes: the value of each position.
        left: scratch space for the options of a position.
        right: scratch space for the options of the other player.
        begin: the first form or position.
        end: the one after the last.
    """
    s.counts[STATUS] = 0
    if s.counts[REINDEX]:
        s.counts[STATUS] = _refill(s)
        if s.counts[STATUS] < 0:
            return begin
        s.counts[REINDEX] = 0
    for n in range(begin, end):
        if stage == READING:
            status = _read_form(s, np.int64(n), forms)
        elif stage == NEGATING:
            status = _negate(s, np.int64(n))
        else:
            status = _check_position(s, lists, np.int64(n), codes, left, right)
        if status < 0:
            s.counts[STATUS] = status
            return n
    return end
