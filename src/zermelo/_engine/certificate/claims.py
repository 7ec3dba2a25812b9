"""Claims about components: which follow from which, and what each requires.

A claim states the nimber of a component, or that its nimber is none of some small numbers. The code
of a claim is the nimber, or -1 minus the bits of those numbers. A component has the nimber n if no
move reaches n, and for each lesser number some move does; it does not have n if some move reaches
n. That a move reaches a number requires the nimbers of all components of its child. That a move
does not reach a number requires the nimbers of all but one component, and the claim that this one
does not have the remaining number.

Ranks decrease along the requirements of a claim, so that no claim proves itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.core.jit import inlined, kernel, spliced

#: Claims that a component does not have a number are about numbers below SMALL.
SMALL = 30
#: The code of a requirement of the exact nimber, and the code for nothing known or required.
EXACT, NOTHING = -1, -(1 << 40)
#: Results of checking a claim: it follows; a component that a move leads to has no sufficient
#: claim; a move reaches the nimber itself; no move reaches a number that one must reach.
RIGHT, ABSENT, REACHED, UNREACHED = range(4)

_ONE = np.int64(1)


@spliced
def _lacks(low: Any, mask: Any, number: Any) -> Any:
    """Whether a component is known not to have ``number``."""
    return 0 <= number < SMALL and (number < low or (mask >> number) & 1 != 0)


@inlined
def _component_sum(
    low: Any, high: Any, gone: Any, gains: Any, at: Any
) -> tuple[Any, Any, Any, Any]:
    """Return the end of a move's components, the sum of known nimbers, the unknown ones, and one.

    The unknown ones are counted; the last result is the index of one of them, or -1.
    """
    total, unknown, which = np.int64(0), np.int64(0), np.int64(-1)
    while True:
        if gone[at] == 0:
            if low[at] == high[at]:
                total ^= low[at]
            else:
                unknown += 1
                which = at
        at += 1
        if gains[at - 1] != 0:
            return at, total, unknown, which


@inlined
def _require_all(gone: Any, needs: Any, begin: Any, end: Any, but: Any, number: Any) -> None:
    """Require the nimbers of a move's components.

    Of ``but`` only that it does not have ``number``.
    """
    for at in range(begin, end):
        if gone[at] != 0 or needs[at] == EXACT:
            continue
        if at != but:
            needs[at] = EXACT
        else:
            needs[at] = (_ONE << number) | max(needs[at], 0)


@kernel
def choose_requirements(
    ends: Any,
    gains: Any,
    gone: Any,
    wanted: Any,
    low: Any,
    high: Any,
    mask: Any,
    needs: Any,
    failed: Any,
    sure: int,
) -> None:
    """Choose the claims that each wanted claim requires.

    Args:
        ends: the end of each component's moves in the arrays of components below.
        gains: 1 at the last component of each move.
        gone: whether a component has no moves, so that its nimber is 0.
        wanted: the code of the claim about each component.
        low: a lower bound of the nimber of each component that moves lead to, from a search.
        high: an upper bound of these nimbers.
        mask: bits of the numbers that these nimbers are known not to be.
        needs: receives the requirement for each: EXACT, bits of numbers that it must not be, or
            NOTHING.
        failed: receives 1 for each wanted claim that does not follow, 0 for others.
        sure: 1 to require unknown nimbers, which are then searched for, else 0.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        end = np.int64(ends[i])
        for at in range(begin, end):
            needs[at] = NOTHING
        follows = _require_one(begin, end, gains, gone, wanted[i], low, high, mask, needs, sure)
        failed[i] = 0 if follows else 1
        if not follows:
            for at in range(begin, end):
                needs[at] = NOTHING
        begin = end


@inlined
def _require_one(
    begin: Any,
    end: Any,
    gains: Any,
    gone: Any,
    code: Any,
    low: Any,
    high: Any,
    mask: Any,
    needs: Any,
    sure: int,
) -> bool:
    """Choose the requirements of one claim; return whether it follows from them."""
    for small in range(code if code >= 0 else SMALL):
        if code < 0 and ((-1 - code) >> small) & 1 == 0:
            continue
        found = False
        at = begin
        while at < end and not found:
            after, total, unknown, _ = _component_sum(low, high, gone, gains, at)
            if unknown == 0 and total == small:
                _require_all(gone, needs, at, after, -1, 0)
                found = True
            at = after
        if not found:
            return False
    at = begin
    while at < end and code >= 0:
        after, total, unknown, which = _component_sum(low, high, gone, gains, at)
        if unknown == 0 and total == code:
            return False
        if unknown > 1 and sure == 0:
            return False
        but: Any = np.int64(-1)
        number = np.int64(0)
        if unknown == 1:
            number = total ^ code
            if _lacks(low[which], mask[which], number):
                but = which
            elif number <= high[which] and sure == 0:
                return False
        elif unknown == 0:
            for one in range(at, after):
                left = total ^ low[one] ^ code
                if gone[one] == 0 and left < low[one] and left < SMALL:
                    but, number = one, left
        _require_all(gone, needs, at, after, but, number)
        at = after
    return True


@kernel
def check_claims(
    ends: Any, gains: Any, codes: Any, ranks: Any, there: Any, known: Any, lower: Any
) -> tuple[Any, Any]:
    """Check that claims about components follow from others.

    Args:
        ends: the end of each component's moves in the arrays of components below.
        gains: 1 at the last component of each move.
        codes: the code of each claim.
        ranks: the rank of each claim.
        there: whether there is a claim about each component that moves lead to.
        known: the codes of these claims.
        lower: the ranks of these claims.

    Returns:
        The result, and the index of the claim.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        end, code = np.int64(ends[i]), codes[i]
        need = np.int64(0)
        reached = np.int64(0)
        if code < 0:
            need = -1 - code
        elif code < 62:
            need = (_ONE << code) - 1
        at = begin
        while at < end:
            total, unknown, which = np.int64(0), np.int64(0), np.int64(-1)
            absent: Any = False
            while True:
                if not there[at] or lower[at] >= ranks[i]:
                    absent = True
                elif known[at] >= 0:
                    total ^= known[at]
                else:
                    unknown += 1
                    which = at
                at += 1
                if gains[at - 1] != 0:
                    break
            if not absent and unknown == 0 and total < 62:
                reached |= _ONE << total
            if code < 0:
                continue
            if absent or unknown > 1:
                return ABSENT, i
            left = total ^ code
            if unknown == 0 and left == 0:
                return REACHED, i
            if unknown == 1 and (left >= 62 or ((-1 - known[which]) >> left) & 1 == 0):
                return REACHED, i
        if need & ~reached != 0:
            return UNREACHED, i
        for number in range(62, code):  # great nimbers are rare
            found: Any = False
            at = begin
            while at < end:
                total, sure = np.int64(0), True
                while True:
                    sure = sure and known[at] >= 0
                    total ^= known[at]
                    at += 1
                    if gains[at - 1] != 0:
                        break
                found |= sure and total == number
            if not found:
                return UNREACHED, i
        begin = end
    return RIGHT, -1


@kernel
def sums_of_claims(ends: Any, there: Any, known: Any, out: Any) -> None:
    """Write what follows for sums of components: the nimber, -1 minus bits, or NOTHING.

    Args:
        ends: the end of each sum's components.
        there: whether there is a claim about each component.
        known: the codes of these claims.
        out: receives a code for each sum; bits are of numbers that the sum is not.
    """
    begin = np.int64(0)
    for i in range(ends.size):
        total, unknown, bits = np.int64(0), np.int64(0), np.int64(0)
        for at in range(begin, ends[i]):
            if not there[at]:
                unknown += 2
            elif known[at] >= 0:
                total ^= known[at]
            else:
                unknown += 1
                bits = -1 - known[at]
        begin = np.int64(ends[i])
        out[i] = total
        if unknown > 1:
            out[i] = NOTHING
        elif unknown == 1:
            moved = np.int64(0)
            for number in range(62):
                if (bits >> number) & 1 != 0 and number ^ total < 62:
                    moved |= _ONE << (number ^ total)
            out[i] = -1 - moved


@kernel
def heights(begins: Any, targets: Any, found: Any) -> bool:
    """Write numbers that decrease along arcs; return whether there are any.

    Args:
        begins: the begin of each node's arcs, and the end of the last node's.
        targets: the node that each arc leads to.
        found: receives the numbers, from 1; there are none if arcs form a cycle.
    """
    count = begins.size - 1
    stack = np.empty(count, np.int64)
    arc = np.empty(count, np.int64)
    found[:] = 0
    for root in range(count):
        if found[root] != 0:
            continue
        depth = 0
        stack[0], arc[0], found[root] = root, begins[root], -1
        while depth >= 0:
            here = stack[depth]
            if arc[depth] < begins[here + 1]:
                to = np.int64(targets[arc[depth]])
                arc[depth] += 1
                if found[to] == -1:
                    return False
                if found[to] == 0:
                    depth += 1
                    stack[depth], arc[depth], found[to] = to, begins[to], -1
                continue
            height = np.int64(1)
            for k in range(begins[here], begins[here + 1]):
                height = max(height, found[targets[k]] + 1)
            found[here] = height
            depth -= 1
    return True
