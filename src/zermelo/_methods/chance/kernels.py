"""Kernels for the bounds of expectations: passes over the positions of one component.

``docs/explanation/chance.md`` explains the method. Bounds are whole numbers of units. Position i
has its lower bound at 2i, and its upper bound, negated, at 2i + 1: these are the lower bounds of
the player for whom its value is, and of the other player. So an edge has the code 2j if the value
of its successor j is for the same player, and otherwise 2j + 1; the bounds of the successor, for
the player of the position, are those at the code and, negated, at ``code ^ 1``. Narrowing only ever
raises the numbers.

A position of chance has the weights of its results where others have points, with the flags of
``zermelo.values.expectations``.
"""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.array_types import Integer
from zermelo._engine.core.jit import light_kernel, spliced
from zermelo.values.expectations import CONTINUES, KEEPS, OPPOSED, PASSED, WEIGHT

#: Kinds of positions: a player is to move, chance decides, or the game is over.
PLAYED, BY_CHANCE, OVER = range(3)
#: A number beyond all bounds.
_BEYOND = 1 << 62
#: The passes over a component after which its bounds are taken not to meet. A game that lasts for
#: as many rolls as a table has room for units between bounds takes about half as many.
MOST_PASSES = 1 << 23


@spliced
def follow(i: Integer, graph: Any, bounds: Any, points: int, is_worst: bool) -> tuple[int, int]:
    """Return the two bounds that follow from those of a position's successors, rounded down.

    A result of chance that is not kept has the best of the bounds of its moves, for the player to
    move there.

    Args:
        i: the position.
        graph: ``first``, ``codes``, ``labels`` and ``kinds``.
        bounds: two bounds of each position.
        points: the units of a point; 0 if moves make no points.
        is_worst: whether chance takes the worst result for each player, instead of the mean.
    """
    first, codes, labels, kinds = graph
    e, end = first[i], first[i + 1]
    if kinds[i] == BY_CHANCE:
        own, other, total = 0, 0, 0
        least_own, least_other = _BEYOND, _BEYOND
        while e < end:
            label = labels[e]
            result_own, result_other = bounds[codes[e]], bounds[codes[e] ^ 1]
            e += 1
            while e < end and labels[e] & CONTINUES != 0:
                next_own, next_other = bounds[codes[e]], bounds[codes[e] ^ 1]
                if label & OPPOSED != 0:
                    result_own = min(result_own, next_own)
                    result_other = max(result_other, next_other)
                else:
                    result_own = max(result_own, next_own)
                    result_other = min(result_other, next_other)
                e += 1
            if is_worst:
                least_own = min(least_own, result_own)
                least_other = min(least_other, result_other)
            weight = label & WEIGHT
            own += weight * result_own
            other += weight * result_other
            total += weight
        if is_worst:
            return least_own, least_other
        return own // total, other // total
    own, other = -_BEYOND, _BEYOND
    if points == 0:
        while e < end:
            own, other = max(own, bounds[codes[e]]), min(other, bounds[codes[e] ^ 1])
            e += 1
    while e < end:
        own = max(own, bounds[codes[e]] + labels[e] * points)
        other = min(other, bounds[codes[e] ^ 1] - labels[e] * points)
        e += 1
    return own, other


@spliced
def is_alone(begin: Integer, end: Integer, graph: Any) -> bool:
    """Return whether a component is one position without a move to itself."""
    first, codes, _, _ = graph
    if end - begin > 1:
        return False
    for e in range(first[begin], first[end]):
        if codes[e] >> 1 == begin:
            return False
    return True


@spliced
def outside_bound(begin: Integer, end: Integer, graph: Any, points: int, bounds: Any) -> int:
    """Return the greatest absolute value of what leads out of a component."""
    first, codes, labels, kinds = graph
    most = 0
    for i in range(begin, end):
        for e in range(first[i], first[i + 1]):
            if codes[e] >> 1 < begin:
                gain = 0 if kinds[i] == BY_CHANCE else abs(labels[e] * points)
                most = max(most, gain + abs(bounds[codes[e]]), gain + abs(bounds[codes[e] ^ 1]))
    return most


@spliced
def narrow(begin: Integer, end: Integer, graph: Any, points: int, bounds: Any) -> int:
    """Narrow the bounds of a component once, in order; return the number of bounds changed."""
    changed = 0
    for i in range(begin, end):
        own, other = follow(i, graph, bounds, points, False)  # noqa: FBT003
        if own > bounds[2 * i]:
            bounds[2 * i] = own
            changed += 1
        if other > bounds[2 * i + 1]:
            bounds[2 * i + 1] = other
            changed += 1
    return changed


@spliced
def mark_endless(begin: Integer, end: Integer, graph: Any, marks: Any) -> int:
    """Mark the positions of a component from which play may be endless; return their number.

    These are the greatest set in which each position of a player has a move into the set, and all
    results of chance stay in the set.
    """
    first, codes, labels, kinds = graph
    left = end - begin
    for i in range(begin, end):
        marks[i] = 1
    changed, backward = True, False
    while changed and left > 0:
        changed = False
        for step in range(end - begin):
            i = end - 1 - step if backward else begin + step
            if marks[i] == 0:
                continue
            by_chance = kinds[i] == BY_CHANCE
            is_result_inside, has_outside, has_inside = True, False, False
            for e in range(first[i], first[i + 1]):
                child = codes[e] >> 1
                is_inside = child >= begin and marks[child] == 1
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


@spliced
def narrow_endless(
    begin: Integer,
    end: Integer,
    graph: Any,
    marks: Any,
    owners: Any,
    worth: Integer,
    points: int,
    bounds: Any,
    raised: Any,
) -> int:
    """Narrow the bounds of positions from which play may be endless, by what that is worth.

    The bounds become the greatest X with X <= max(bounds, min(worth, W(X))), where W takes the best
    move, and the result of chance that is the worst for each player.

    Args:
        begin: the first position of the component.
        end: the position after the last.
        graph: see ``follow``.
        marks: 1 for positions from which play may be endless.
        owners: the player for whom the value of each position is; empty if endless play is worth 0.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: the bounds.
        raised: working memory, as large as ``bounds``.

    Returns:
        The number of bounds that are narrower.
    """
    first, codes, _, _ = graph
    waiting = 0
    for i in range(begin, end):
        own = own_worth(owners, i, worth)
        if marks[i] == 1 and (bounds[2 * i] < own or bounds[2 * i + 1] < -own):
            waiting += 1
    if waiting == 0:
        return 0
    for i in range(begin, end):
        own = own_worth(owners, i, worth)
        raised[2 * i] = max(bounds[2 * i], own) if marks[i] == 1 else bounds[2 * i]
        raised[2 * i + 1] = max(bounds[2 * i + 1], -own) if marks[i] == 1 else bounds[2 * i + 1]
        for e in range(first[i], first[i + 1]):
            # A successor outside has its final bounds, which may be narrower than those that it had
            # when endless play was looked at in its component for the last time.
            if codes[e] < 2 * begin:
                raised[codes[e]], raised[codes[e] ^ 1] = bounds[codes[e]], bounds[codes[e] ^ 1]
    changed, backward = True, False
    while changed:
        changed = False
        for step in range(end - begin):
            i = end - 1 - step if backward else begin + step
            a, b = 2 * i, 2 * i + 1
            if marks[i] == 0 or (raised[a] == bounds[a] and raised[b] == bounds[b]):
                continue
            own, other = follow(i, graph, raised, points, True)  # noqa: FBT003
            own = max(bounds[a], min(raised[a], own))
            other = max(bounds[b], min(raised[b], other))
            if own < raised[a] or other < raised[b]:
                raised[a], raised[b] = own, other
                changed = True
        backward = not backward
    narrower = 0
    for k in range(2 * begin, 2 * end):
        if raised[k] > bounds[k]:
            bounds[k] = raised[k]
            narrower += 1
    return narrower


@spliced
def own_worth(owners: Any, i: Any, worth: Any) -> Any:
    """Return what endless play is worth to the player for whom the value of a position is."""
    return -worth if len(owners) > 0 and owners[i] == 1 else worth


@light_kernel
def decide_acyclic(graph: Any, points: int, bounds: Any) -> None:
    """Find the bounds of all positions in turn; every move leads to an earlier one.

    Args:
        graph: see ``follow``.
        points: the units of a point.
        bounds: receives the bounds; those of ended games are given.
    """
    kinds = graph[3]
    for i in range(len(kinds)):
        if kinds[i] != OVER:
            bounds[2 * i], bounds[2 * i + 1] = follow(i, graph, bounds, points, False)  # noqa: FBT003


@light_kernel
def decide_components(
    state: Any,
    quota: int,
    starts: Any,
    graph: Any,
    owners: Any,
    worth: int,
    points: int,
    bounds: Any,
    marks: Any,
    raised: Any,
) -> bool:
    """Find the bounds of components in turn, successors first, until a quota of work is done.

    Args:
        state: the component, and within it the passes so far, the pass before which endless play is
            looked at next, and the number of positions from which play may be endless.
        quota: the number of positions after whose passes to pause.
        starts: the first position of each component, and the end; successors come first.
        graph: see ``follow``.
        owners: see ``narrow_endless``.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: receives the bounds; those of ended games are given.
        marks: working memory, an entry for each position.
        raised: see ``narrow_endless``.

    Returns:
        Whether all components are done, or one has taken ``MOST_PASSES``.
    """
    kinds = graph[3]
    while state[0] < len(starts) - 1:
        begin, end = starts[state[0]], starts[state[0] + 1]
        if quota <= 0:
            return False
        quota -= end - begin
        if is_alone(begin, end, graph):
            if kinds[begin] != OVER:
                own, other = follow(begin, graph, bounds, points, False)  # noqa: FBT003
                bounds[2 * begin], bounds[2 * begin + 1] = own, other
            state[0] += 1
            continue
        if state[1] == 0:
            most = max(outside_bound(begin, end, graph, points, bounds), abs(worth))
            for k in range(2 * begin, 2 * end):
                bounds[k] = -most
            state[3] = mark_endless(begin, end, graph, marks)
            state[2] = 0
        changed = 0
        if state[3] > 0 and state[1] == state[2]:
            given = (begin, end, graph, marks, owners, worth, points, bounds, raised)
            changed += narrow_endless(*given)
            state[2] = 2 * state[1] + 1
        changed += narrow(begin, end, graph, points, bounds)
        state[1] += 1
        if state[1] >= MOST_PASSES:
            return True
        if changed == 0:
            if state[3] == 0 or state[2] == 2 * state[1] - 1:  # endless play was looked at last
                state[0] += 1
                state[1] = 0
            else:
                state[2] = state[1]
    return True


@light_kernel
def number_ranks(
    state: Any,
    quota: int,
    starts: Any,
    graph: Any,
    owners: Any,
    worth: int,
    points: int,
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
        starts: the first position of each component, and the end; successors come first.
        graph: see ``follow``.
        owners: see ``narrow_endless``.
        worth: what endless play is worth to the first player, in units.
        points: the units of a point.
        bounds: the bounds.
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
            i = end - 1 - step if state[1] % 2 else begin + step
            if ranks[i] == 0 and graph[3][i] != OVER:
                own = own_worth(owners, i, worth)
                rank = rank_of(i, graph, own, points, bounds, stages, ranks)
                if rank > 0:
                    ranks[i] = rank
                    changed = True
        state[1] += 1
        if not changed or end - begin == 1:
            state[0] += 1
            state[1] = 0
    return True


@spliced
def rank_of(
    i: Integer, graph: Any, own: Integer, points: int, bounds: Any, stages: Any, ranks: Any
) -> int:
    """Return the rank of a position by those of its successors; 0 if there is none, as yet.

    The arguments are those of ``number_ranks``, and ``own`` is what endless play is worth to the
    player for whom the value of the position is.
    """
    first, codes, labels, kinds = graph
    side = 0 if bounds[2 * i] > own else 1  # the player for whom endless play is worse
    if side == 1 and bounds[2 * i + 1] <= -own:
        return 0
    level = bounds[2 * i + side]
    by_chance = kinds[i] == BY_CHANCE
    # Of moves: the least rank of one that is good enough, the greatest one, and whether all are.
    some, most, every = _BEYOND, 0, True
    # Of results of chance: the least rank of one that is good enough; and whether the other player
    # is to move after it.
    least, is_opposed = _BEYOND, False
    for e in range(first[i], first[i + 1]):
        if by_chance and labels[e] & CONTINUES == 0:
            some, most, every = _BEYOND, 0, True
            is_opposed = labels[e] & OPPOSED != 0
        child, value = codes[e] >> 1, bounds[codes[e] ^ side]
        if not by_chance and points:
            value += labels[e] * points if side == 0 else -labels[e] * points
        ends_stage = len(stages) > 0 and stages[child] < stages[i]
        if value > level or (value == level and ends_stage):
            some = 0
        elif value == level and (ranks[child] != 0 or kinds[child] == OVER):
            some, most = min(some, ranks[child]), max(most, ranks[child])
        else:
            every = False
        if by_chance and (e + 1 == first[i + 1] or labels[e + 1] & CONTINUES == 0):
            if is_opposed == (side == 1):
                least = min(least, some)
            elif every:
                least = min(least, most)
    if by_chance:
        return 0 if least == _BEYOND else least + 1
    if side == 0:
        return 0 if some == _BEYOND else some + 1
    return most + 1 if every else 0


@light_kernel
def number_stages(starts: Any, graph: Any, stages: Any) -> int:
    """Number the stages of positions: the most moves with points that can follow.

    Args:
        starts: the first position of each component, and the end; successors come first.
        graph: see ``follow``.
        stages: receives the stages; 0 before.

    Returns:
        A position with a move that makes points within a cycle; -1 if there is none.
    """
    first, codes, labels, kinds = graph
    for c in range(len(starts) - 1):
        most = 0
        for i in range(starts[c], starts[c + 1]):
            for e in range(first[i], first[i + 1]):
                child = codes[e] >> 1
                counts = kinds[i] != BY_CHANCE and labels[e] != 0
                if child < starts[c]:
                    most = max(most, stages[child] + counts)
                elif counts:
                    return int(i)
        for i in range(starts[c], starts[c + 1]):
            stages[i] = most
    return -1


@light_kernel
def renumber(order: Any, places: Any, graph: Any, points: bool, numbered: Any) -> None:
    """Number the positions of a graph in another order, and code its edges.

    Args:
        order: the positions in their new order.
        places: the new number of each position.
        graph: ``first``, ``edges``, ``labels``, ``owners`` and ``kinds``; without owners, the
            labels say who is to move.
        points: whether moves make points.
        numbered: receives ``codes``, ``labels`` and ``kinds``; ``first`` is given.
    """
    first, edges, labels, owners, kinds = graph
    new_first, codes, new_labels, new_kinds = numbered
    for k in range(len(order)):
        i = order[k]
        new_kinds[k] = kinds[i]
        begin = first[i]
        for e in range(begin, first[i + 1]):
            if len(owners) > 0:
                is_same = owners[i] == owners[edges[e]]
            elif kinds[i] == BY_CHANCE:
                is_same = labels[e] & PASSED == 0
            else:
                is_same = not points and labels[e] & KEEPS != 0
            new_e = new_first[k] + e - begin
            codes[new_e] = 2 * places[edges[e]] + (0 if is_same else 1)
            new_labels[new_e] = labels[e]
