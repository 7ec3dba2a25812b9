"""Kernels for the bounds of expectations: passes over the positions of one component.

``docs/explanation/chance.md`` explains the method. Bounds are whole numbers of units for the player
to move. The two bounds of a position are those of one player, and, negated and exchanged, those of
the other. A position of chance has the weights of its results where others have points, with the
flags of ``zermelo.values.expectations``.
"""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.jit import inlined, light_kernel
from zermelo.values.expectations import CONTINUES, KEEPS, OPPOSED, PASSED, WEIGHT

#: Kinds of positions: a player is to move, chance decides, or the game is over.
PLAYED, BY_CHANCE, OVER = range(3)
#: Marks a bound that is not copied; and a number beyond all bounds.
UNSET, _BEYOND = -(1 << 63), 1 << 62


@inlined
def is_same_side(i: Any, e: Any, graph: Any, points: Any) -> bool:
    """Whether the value of a successor is for the player for whom that of position ``i`` is."""
    _, edges, labels, owners, kinds = graph
    if len(owners) > 0:
        return bool(owners[i] == owners[edges[e]])
    if kinds[i] == BY_CHANCE:
        return bool(labels[e] & PASSED == 0)
    return bool(points == 0 and labels[e] & KEEPS != 0)


@inlined
def successor_bounds(
    i: Any, e: Any, graph: Any, low: Any, high: Any, points: Any
) -> tuple[Any, Any]:
    """Return the bounds of a successor, for the player for whom the value of ``i`` is."""
    child = graph[1][e]
    if is_same_side(i, e, graph, points):
        return low[child], high[child]
    return -high[child], -low[child]


@inlined
def result_bounds(
    i: Any, e: Any, end: Any, graph: Any, low: Any, high: Any, points: Any
) -> tuple[Any, Any, Any]:
    """Return the end of the edges of a result of chance, and its bounds.

    A result that is not kept has the best of the bounds of its moves, for who is to move there.

    Args:
        i: the position of chance.
        e: the first edge of the result.
        end: the end of the edges of the position.
        graph: see ``follow``.
        low: the lower bounds.
        high: the upper bounds.
        points: the units of a point.
    """
    labels = graph[2]
    is_opposed = labels[e] & OPPOSED != 0
    lower, upper = successor_bounds(i, e, graph, low, high, points)
    e += 1
    while e < end and labels[e] & CONTINUES != 0:
        next_lower, next_upper = successor_bounds(i, e, graph, low, high, points)
        if is_opposed:
            lower, upper = min(lower, next_lower), min(upper, next_upper)
        else:
            lower, upper = max(lower, next_lower), max(upper, next_upper)
        e += 1
    return e, lower, upper


@inlined
def follow(i: Any, graph: Any, low: Any, high: Any, points: Any) -> tuple[Any, Any]:
    """Return the bounds that follow from those of a position's successors, rounded outwards.

    Args:
        i: the position.
        graph: ``first``, ``edges``, ``labels``, ``owners`` and ``kinds``.
        low: the lower bounds.
        high: the upper bounds.
        points: the units of a point; 0 if moves make no points.
    """
    first, _, labels, _, kinds = graph
    e, end = first[i], first[i + 1]
    if kinds[i] == BY_CHANCE:
        lower, upper, total = 0, 0, 0
        while e < end:
            weight = labels[e] & WEIGHT
            e, result_lower, result_upper = result_bounds(i, e, end, graph, low, high, points)
            lower += weight * result_lower
            upper += weight * result_upper
            total += weight
        return lower // total, -((-upper) // total)
    lower, upper = -_BEYOND, -_BEYOND
    while e < end:
        next_lower, next_upper = successor_bounds(i, e, graph, low, high, points)
        gain = labels[e] * points
        lower, upper = max(lower, gain + next_lower), max(upper, gain + next_upper)
        e += 1
    return lower, upper


@inlined
def follow_worst(i: Any, graph: Any, low: Any, high: Any, points: Any) -> tuple[Any, Any]:
    """Return the bounds that follow if chance is the worst for each: least lower, greatest upper.

    The arguments are those of ``follow``.
    """
    first, _, _, _, kinds = graph
    e, end = first[i], first[i + 1]
    if kinds[i] == BY_CHANCE:
        lower, upper = _BEYOND, -_BEYOND
        while e < end:
            e, result_lower, result_upper = result_bounds(i, e, end, graph, low, high, points)
            lower, upper = min(lower, result_lower), max(upper, result_upper)
        return lower, upper
    return follow(i, graph, low, high, points)


@inlined
def is_alone(begin: Any, end: Any, order: Any, graph: Any) -> bool:
    """Whether a component is one position without a move to itself."""
    first, edges = graph[0], graph[1]
    if end - begin > 1:
        return False
    i = order[begin]
    for e in range(first[i], first[i + 1]):
        if edges[e] == i:
            return False
    return True


@inlined
def outside_bound(
    begin: Any, end: Any, order: Any, component: Any, graph: Any, points: Any, bounds: Any
) -> Any:
    """Return the greatest absolute value of what leads out of a component."""
    first, edges, labels, _, kinds = graph
    low, high = bounds
    most = 0
    for k in range(begin, end):
        i = order[k]
        for e in range(first[i], first[i + 1]):
            child = edges[e]
            if component[child] != component[i]:
                gain = 0 if kinds[i] == BY_CHANCE else abs(labels[e]) * points
                most = max(most, gain + abs(low[child]), gain + abs(high[child]))
    return most


@inlined
def narrow(begin: Any, end: Any, order: Any, graph: Any, points: Any, bounds: Any) -> Any:
    """Narrow the bounds of a component once, in order; return the number of positions changed."""
    low, high = bounds
    changed = 0
    for k in range(begin, end):
        i = order[k]
        lower, upper = follow(i, graph, low, high, points)
        if lower > low[i] or upper < high[i]:
            low[i], high[i] = max(low[i], lower), min(high[i], upper)
            changed += 1
    return changed


@inlined
def mark_endless(begin: Any, end: Any, order: Any, component: Any, graph: Any, marks: Any) -> Any:
    """Mark the positions of a component from which play may be endless; return their number.

    These are the greatest set in which each position of a player has a move into the set, and all
    results of chance stay in the set.
    """
    first, edges, labels, _, kinds = graph
    left = end - begin
    for k in range(begin, end):
        marks[order[k]] = 1
    changed, backward = True, False
    while changed and left > 0:
        changed = False
        for step in range(end - begin):
            i = order[end - 1 - step if backward else begin + step]
            if marks[i] == 0:
                continue
            by_chance = kinds[i] == BY_CHANCE
            is_result_inside, has_outside, has_inside = True, False, False
            for e in range(first[i], first[i + 1]):
                child = edges[e]
                is_inside = component[child] == component[i] and marks[child] == 1
                has_inside |= is_inside
                if by_chance and labels[e] & CONTINUES != 0:
                    is_result_inside |= is_inside
                else:
                    has_outside |= not is_result_inside
                    is_result_inside = is_inside
            has_outside |= not is_result_inside
            if (by_chance and has_outside) or not has_inside:
                marks[i] = 0
                left -= 1
                changed = True
        backward = not backward
    return left


@inlined
def narrow_endless(
    begin: Any,
    end: Any,
    order: Any,
    graph: Any,
    marks: Any,
    worth: Any,
    points: Any,
    bounds: Any,
    raised: Any,
) -> Any:
    """Narrow the bounds of positions from which play may be endless, by what that is worth.

    The lower bounds become the greatest X with X <= max(lower, min(worth, W(X))), where W takes the
    best move, and the worst result of chance; and the upper bounds likewise.

    Args:
        begin: the index in ``order`` of the first position of the component.
        end: the index after the last position.
        order: positions by component.
        graph: see ``follow``.
        marks: 1 for positions from which play may be endless.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: the lower and the upper bounds.
        raised: working memory, two arrays with an entry for each position, ``UNSET`` before.

    Returns:
        The number of positions whose bounds are narrower.
    """
    first, edges, _, owners, _ = graph
    low, high = bounds
    lows, highs = raised
    waiting = 0
    for k in range(begin, end):
        i = order[k]
        own = own_worth(owners, i, worth)
        if marks[i] == 1 and (low[i] < own or high[i] > own):
            waiting += 1
    if waiting == 0:
        return 0
    for k in range(begin, end):
        i = order[k]
        own = own_worth(owners, i, worth)
        lows[i] = max(low[i], own) if marks[i] == 1 else low[i]
        highs[i] = min(high[i], own) if marks[i] == 1 else high[i]
        for e in range(first[i], first[i + 1]):  # successors outside have their final bounds
            if lows[edges[e]] == UNSET:
                lows[edges[e]], highs[edges[e]] = low[edges[e]], high[edges[e]]
    changed, backward = True, False
    while changed:
        changed = False
        for step in range(end - begin):
            i = order[end - 1 - step if backward else begin + step]
            if marks[i] == 0 or (lows[i] == low[i] and highs[i] == high[i]):
                continue
            lower, upper = follow_worst(i, graph, lows, highs, points)
            lower, upper = max(low[i], min(lows[i], lower)), min(high[i], max(highs[i], upper))
            if lower < lows[i] or upper > highs[i]:
                lows[i], highs[i] = lower, upper
                changed = True
        backward = not backward
    narrower = 0
    for k in range(begin, end):
        i = order[k]
        if lows[i] > low[i] or highs[i] < high[i]:
            low[i], high[i] = lows[i], highs[i]
            narrower += 1
    return narrower


@inlined
def own_worth(owners: Any, i: Any, worth: Any) -> Any:
    """Return what endless play is worth to the player for whom the value of a position is."""
    return -worth if len(owners) > 0 and owners[i] == 1 else worth


@light_kernel
def decide_components(
    state: Any,
    quota: Any,
    starts: Any,
    order: Any,
    component: Any,
    graph: Any,
    worth: Any,
    points: Any,
    bounds: Any,
    marks: Any,
    raised: Any,
) -> bool:
    """Find the bounds of components in turn, successors first, until a quota of work is done.

    Args:
        state: the component, and within it the passes so far, the pass before which endless play is
            looked at next, and the number of positions from which play may be endless.
        quota: the number of positions after whose passes to pause.
        starts: the index in ``order`` of the first position of each component, and the end.
        order: positions by component, successors first.
        component: the component of each position.
        graph: see ``follow``.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: receive the lower and the upper bounds; those of ended games are given.
        marks: working memory, an entry for each position.
        raised: see ``narrow_endless``.

    Returns:
        Whether all components are done.
    """
    kinds = graph[4]
    low, high = bounds
    while state[0] < len(starts) - 1:
        begin, end = starts[state[0]], starts[state[0] + 1]
        if quota <= 0:
            return False
        quota -= end - begin
        if is_alone(begin, end, order, graph):
            i = order[begin]
            if kinds[i] != OVER:
                low[i], high[i] = follow(i, graph, low, high, points)
            state[0] += 1
            continue
        if state[1] == 0:
            outside = outside_bound(begin, end, order, component, graph, points, bounds)
            most = max(outside, abs(worth))
            for k in range(begin, end):
                low[order[k]], high[order[k]] = -most, most
            state[3] = mark_endless(begin, end, order, component, graph, marks)
            state[2] = 0
        changed = 0
        if state[3] > 0 and state[1] == state[2]:
            changed += narrow_endless(
                begin, end, order, graph, marks, worth, points, bounds, raised
            )
            state[2] = 2 * state[1] + 1
        moved = narrow(begin, end, order, graph, points, bounds)
        state[1] += 1
        if moved + changed == 0:
            if state[3] == 0 or state[2] == 2 * state[1] - 1:  # endless play was looked at last
                state[0] += 1
                state[1] = 0
            else:
                state[2] = state[1]
    return True


@light_kernel
def number_ranks(
    state: Any,
    quota: Any,
    starts: Any,
    order: Any,
    graph: Any,
    worth: Any,
    points: Any,
    bounds: Any,
    stages: Any,
    ranks: Any,
) -> bool:
    """Number the ranks of components in turn, successors first, until a quota of work is done.

    A position that is better for one of the players than endless play has a rank, so that this
    player can come to a better position, or to one with a lesser rank, whatever the other does.

    Args:
        state: the component, and the passes within it so far.
        quota: the number of positions after whose passes to pause.
        starts: the index in ``order`` of the first position of each component, and the end.
        order: positions by component, successors first.
        graph: see ``follow``.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: the lower and the upper bounds.
        stages: the stage of each position; empty if moves make no points.
        ranks: receives the ranks; 0 before, and in the end for positions that need none.

    Returns:
        Whether all components are done.
    """
    while state[0] < len(starts) - 1:
        begin, end = starts[state[0]], starts[state[0] + 1]
        if quota <= 0:
            return False
        quota -= end - begin
        changed = False
        for step in range(end - begin):
            i = order[end - 1 - step if state[1] % 2 else begin + step]
            if ranks[i] == 0 and graph[4][i] != OVER:
                rank = rank_of(i, graph, worth, points, bounds, stages, ranks)
                if rank > 0:
                    ranks[i] = rank
                    changed = True
        state[1] += 1
        if not changed or end - begin == 1:
            state[0] += 1
            state[1] = 0
    return True


@inlined
def rank_of(
    i: Any, graph: Any, worth: Any, points: Any, bounds: Any, stages: Any, ranks: Any
) -> Any:
    """Return the rank of a position by those of its successors; 0 if there is none, as yet."""
    first, edges, labels, owners, kinds = graph
    low, high = bounds
    own = own_worth(owners, i, worth)
    for_mover = low[i] > own
    if not for_mover and high[i] >= own:
        return 0
    level = low[i] if for_mover else -high[i]
    by_chance = kinds[i] == BY_CHANCE
    # Of moves: the least rank of one that is good enough, the greatest one, and whether all are.
    some, most, every = _BEYOND, 0, True
    # Of results of chance: the least rank of one that is good enough.
    least = _BEYOND
    for e in range(first[i], first[i + 1]):
        if by_chance and labels[e] & CONTINUES == 0:
            some, most, every = _BEYOND, 0, True
        child = edges[e]
        value = low[child] if is_same_side(i, e, graph, points) == for_mover else -high[child]
        if not by_chance:
            value += labels[e] * points if for_mover else -labels[e] * points
        ends_stage = len(stages) > 0 and stages[child] < stages[i]
        if value > level or (value == level and ends_stage):
            some = 0
        elif value == level and (ranks[child] != 0 or kinds[child] == OVER):
            some, most = min(some, ranks[child]), max(most, ranks[child])
        else:
            every = False
        if by_chance and (e + 1 == first[i + 1] or labels[e + 1] & CONTINUES == 0):
            # Who is to move after this result: the player who is better off here, or the other?
            if for_mover == (result_flags(labels, e) & OPPOSED == 0):
                least = min(least, some)
            elif every:
                least = min(least, most)
    if by_chance:
        return 0 if least == _BEYOND else least + 1
    if for_mover:
        return 0 if some == _BEYOND else some + 1
    return most + 1 if every else 0


@inlined
def result_flags(labels: Any, e: Any) -> Any:
    """Return the label of the first edge of the result of chance that an edge belongs to."""
    while labels[e] & CONTINUES != 0:
        e -= 1
    return labels[e]


@light_kernel
def number_stages(starts: Any, order: Any, component: Any, graph: Any, stages: Any) -> int:
    """Number the stages of positions: the most moves with points that can follow.

    Args:
        starts: the index in ``order`` of the first position of each component, and the end.
        order: positions by component, successors first.
        component: the component of each position.
        graph: see ``follow``.
        stages: receives the stages; 0 before.

    Returns:
        A position with a move that makes points within a cycle; -1 if there is none.
    """
    first, edges, labels, _, kinds = graph
    for c in range(len(starts) - 1):
        most = 0
        for k in range(starts[c], starts[c + 1]):
            i = order[k]
            for e in range(first[i], first[i + 1]):
                child = edges[e]
                counts = kinds[i] != BY_CHANCE and labels[e] != 0
                if component[child] != component[i]:
                    most = max(most, stages[child] + counts)
                elif counts:
                    return int(i)
        for k in range(starts[c], starts[c + 1]):
            stages[order[k]] = most
    return -1
