"""Claims about components, and the claims that each claim requires.

A claim states the nimber of a component, or that the nimber differs from some small numbers. The
code of a claim is the nimber, or -1 minus the bits of the small numbers. A component has the nimber
n if no move reaches n, and some move reaches each number below n. A component does not have the
nimber n if some move reaches n.

To claim that a move reaches a number requires the nimbers of all components of the child. To claim
that a move does not reach a number requires the nimbers of all components but one, and the claim
that the last component does not have the remaining number.

Ranks decrease along the requirements of a claim, so that no claim proves itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.array_types import (
    BoolArray,
    Int32Array,
    Int64Array,
    Integer,
    Uint8Array,
    Uint32Array,
)
from zermelo._engine.core.jit import inlined, kernel, spliced

#: A claim that a component does not have a nimber is about a number below SMALL.
SMALL = 30
#: The requirement of the exact nimber; and the code if nothing is known or required.
EXACT, NOTHING = -1, -(1 << 40)
#: Results of checking a claim: the claim follows; a component of a child has no sufficient claim; a
#: move reaches the claimed nimber; no move reaches a number that some move must reach.
RIGHT, ABSENT, REACHED, UNREACHED = range(4)

_ONE = np.int64(1)


@spliced
def _lacks(low: int, mask: int, number: int) -> bool:
    """Return whether a component is known not to have ``number``."""
    return 0 <= number < SMALL and (number < low or (mask >> number) & 1 != 0)


@inlined
def _component_sum(
    low: Int64Array,
    high: Int64Array,
    has_no_moves: Uint8Array,
    gains: Int64Array,
    component: Integer,
) -> tuple[Any, Any, Any, Any]:
    """Return the end of a move's components, and the sum of their known nimbers.

    Two more results are the number of components with unknown nimbers, and the index of the last of
    these, or -1.
    """
    total, unknown, unknown_index = np.int64(0), np.int64(0), np.int64(-1)
    while True:
        if has_no_moves[component] == 0:
            if low[component] == high[component]:
                total ^= low[component]
            else:
                unknown += 1
                unknown_index = np.int64(component)
        component += 1
        if gains[component - 1] != 0:
            return component, total, unknown, unknown_index


@inlined
def _require_all(
    has_no_moves: Uint8Array,
    requirements: Int64Array,
    begin: Integer,
    end: int,
    exception: int,
    number: Integer,
) -> None:
    """Require the nimbers of all components of a move but ``exception``.

    Of ``exception``, require that its nimber is not ``number``.
    """
    for component in range(begin, end):
        if has_no_moves[component] != 0 or requirements[component] == EXACT:
            continue
        if component != exception:
            requirements[component] = EXACT
        else:
            requirements[component] = (_ONE << number) | max(requirements[component], 0)


@kernel
def choose_requirements(
    ends: Int32Array,
    gains: Int64Array,
    has_no_moves: Uint8Array,
    claims: Int64Array,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    requirements: Int64Array,
    failed: Uint8Array,
    requires_unknown: int,
) -> None:
    """Choose the claims that each wanted claim requires.

    Args:
        ends: the end of each component's moves in the arrays of components below.
        gains: 1 at the last component of each move.
        has_no_moves: whether each component has no moves, so that its nimber is 0.
        claims: the code of the wanted claim about each component.
        low: a lower bound, from a search, of the nimber of each component that moves lead to.
        high: an upper bound of these nimbers.
        mask: bits of the numbers that are excluded for these nimbers.
        requirements: receives the requirement for each component that moves lead to: EXACT, bits of
            numbers to exclude, or NOTHING.
        failed: receives 1 for each wanted claim that cannot follow, 0 for others.
        requires_unknown: 1 to require unknown nimbers, which are then searched for, else 0.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        end = np.int64(ends[i])
        for component in range(begin, end):
            requirements[component] = NOTHING
        follows = _require_one(
            begin,
            end,
            gains,
            has_no_moves,
            claims[i],
            low,
            high,
            mask,
            requirements,
            requires_unknown,
        )
        failed[i] = 0 if follows else 1
        if not follows:
            for component in range(begin, end):
                requirements[component] = NOTHING
        begin = end


@inlined
def _require_one(
    begin: Integer,
    end: Integer,
    gains: Int64Array,
    has_no_moves: Uint8Array,
    code: int,
    low: Int64Array,
    high: Int64Array,
    mask: Int64Array,
    requirements: Int64Array,
    requires_unknown: int,
) -> bool:
    """Choose the requirements of one claim; return whether the claim follows from them."""
    for reached in range(code if code >= 0 else SMALL):
        if code < 0 and ((-1 - code) >> reached) & 1 == 0:
            continue
        is_reached = False
        move_begin = begin
        while move_begin < end and not is_reached:
            move_end, total, unknown, _ = _component_sum(low, high, has_no_moves, gains, move_begin)
            if unknown == 0 and total == reached:
                _require_all(has_no_moves, requirements, move_begin, move_end, -1, 0)
                is_reached = True
            move_begin = move_end
        if not is_reached:
            return False
    move_begin = begin
    while move_begin < end and code >= 0:
        move_end, total, unknown, unknown_index = _component_sum(
            low, high, has_no_moves, gains, move_begin
        )
        if unknown == 0 and total == code:
            return False
        if unknown > 1 and requires_unknown == 0:
            return False
        exception: Any = np.int64(-1)
        number = np.int64(0)
        if unknown == 1:
            number = total ^ code
            if _lacks(low[unknown_index], mask[unknown_index], number):
                exception = unknown_index
            elif number <= high[unknown_index] and requires_unknown == 0:
                return False
        elif unknown == 0:
            for component in range(move_begin, move_end):
                remaining = total ^ low[component] ^ code
                if (
                    has_no_moves[component] == 0
                    and remaining < low[component]
                    and remaining < SMALL
                ):
                    exception, number = component, remaining
        _require_all(has_no_moves, requirements, move_begin, move_end, exception, number)
        move_begin = move_end
    return True


@kernel
def check_claims(
    ends: Int32Array,
    gains: Int64Array,
    codes: Int64Array,
    ranks: Int64Array,
    has_claim: BoolArray,
    child_codes: Int64Array,
    child_ranks: Int64Array,
) -> tuple[int, int]:
    """Check that claims about components follow from others.

    Args:
        ends: the end of each component's moves in the arrays of components below.
        gains: 1 at the last component of each move.
        codes: the code of each claim.
        ranks: the rank of each claim.
        has_claim: whether there is a claim about each component that moves lead to.
        child_codes: the codes of these claims.
        child_ranks: the ranks of these claims.

    Returns:
        The result, and the index of the claim.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        end, code = np.int64(ends[i]), codes[i]
        needed = np.int64(0)
        reached = np.int64(0)
        if code < 0:
            needed = -1 - code
        elif code < 62:
            needed = (_ONE << code) - 1
        component = begin
        while component < end:
            total, unknown, unknown_index = np.int64(0), np.int64(0), np.int64(-1)
            lacks_claim: Any = False
            while True:
                if not has_claim[component] or child_ranks[component] >= ranks[i]:
                    lacks_claim = True
                elif child_codes[component] >= 0:
                    total ^= child_codes[component]
                else:
                    unknown += 1
                    unknown_index = np.int64(component)
                component += 1
                if gains[component - 1] != 0:
                    break
            if not lacks_claim and unknown == 0 and total < 62:
                reached |= _ONE << total
            if code < 0:
                continue
            if lacks_claim or unknown > 1:
                return ABSENT, i
            remaining = total ^ code
            if unknown == 0 and remaining == 0:
                return REACHED, i
            if unknown == 1 and (
                remaining >= 62 or ((-1 - child_codes[unknown_index]) >> remaining) & 1 == 0
            ):
                return REACHED, i
        if needed & ~reached != 0:
            return UNREACHED, i
        for number in range(62, code):  # a word has bits for smaller numbers only
            is_reached: Any = False
            component = begin
            while component < end:
                total, is_exact = np.int64(0), True
                while True:
                    is_exact = is_exact and child_codes[component] >= 0
                    total ^= child_codes[component]
                    component += 1
                    if gains[component - 1] != 0:
                        break
                is_reached |= is_exact and total == number
            if not is_reached:
                return UNREACHED, i
        begin = end
    return RIGHT, -1


@kernel
def sums_of_claims(
    ends: Int64Array, has_claim: BoolArray, codes: Int64Array, out: Int64Array
) -> None:
    """Write the claim that follows about each sum of components, as a code.

    Args:
        ends: the end of each sum's components.
        has_claim: whether there is a claim about each component.
        codes: the codes of these claims.
        out: receives for each sum its nimber, -1 minus bits of excluded numbers, or NOTHING.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        total, unknown, bits = np.int64(0), np.int64(0), np.int64(0)
        for component in range(begin, ends[i]):
            if not has_claim[component]:
                unknown += 2
            elif codes[component] >= 0:
                total ^= codes[component]
            else:
                unknown += 1
                bits = -1 - codes[component]
        begin = np.int64(ends[i])
        out[i] = total
        if unknown > 1:
            out[i] = NOTHING
        elif unknown == 1:
            shifted_bits = np.int64(0)
            for number in range(62):
                if (bits >> number) & 1 != 0 and number ^ total < 62:
                    shifted_bits |= _ONE << (number ^ total)
            out[i] = -1 - shifted_bits


@kernel
def heights(begins: Int64Array, targets: Uint32Array, out: Int64Array) -> bool:
    """Write heights of nodes, which decrease along arcs; return False if arcs form a cycle.

    Args:
        begins: the begin of each node's arcs, and the end of the last node's.
        targets: the node that each arc leads to.
        out: receives the heights, from 1.
    """
    count = begins.size - 1
    stack = np.empty(count, np.int64)
    arc = np.empty(count, np.int64)
    out[:] = 0
    for root in range(count):
        if out[root] != 0:
            continue
        depth = 0
        stack[0], arc[0], out[root] = root, begins[root], -1
        while depth >= 0:
            node = stack[depth]
            if arc[depth] < begins[node + 1]:
                target = np.int64(targets[arc[depth]])
                arc[depth] += 1
                if out[target] == -1:
                    return False
                if out[target] == 0:
                    depth += 1
                    stack[depth], arc[depth], out[target] = target, begins[target], -1
                continue
            height = np.int64(1)
            for k in range(begins[node], begins[node + 1]):
                height = max(height, out[targets[k]] + 1)
            out[node] = height
            depth -= 1
    return True
