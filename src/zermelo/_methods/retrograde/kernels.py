"""Kernels that decide positions of a whole graph, or positions that have just been expanded."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, UNKNOWN, one_ply_earlier
from zermelo._engine.core.jit import kernel, light_kernel
from zermelo._engine.core.memory import prefetch

#: Distances of prefetching: children of expanded positions, and moves of a graph.
_AHEAD, _MOVES_AHEAD = 32, 64
#: The rank of an undecided position of a score game.
NEVER = (1 << 32) - 1


@kernel
def sweep(begin: int, done: int, ends: Any, numbers: Any, owners: Any, values: Any) -> None:
    """Decide expanded positions from last to first; their children are decided or among them."""
    alternate = owners.size == 0
    for i in range(done - 1, -1, -1):
        if values[begin + i] != UNKNOWN:
            continue
        best: Any = np.int64(-LAST)
        low = ends[i - 1] if i else 0
        for e in range(low, ends[i]):
            prefetch(values, numbers[max(e - _AHEAD, 0)])
            child = numbers[e]
            same = (not alternate) and owners[begin + i] == owners[child]
            best = max(best, one_ply_earlier(np.int64(values[child]), same))
        values[begin + i] = best


@kernel
def sweep_scores(
    begin: int, done: int, ends: Any, numbers: Any, owners: Any, gains: Any, values: Any, none: int
) -> None:
    """Find margins of expanded positions from last to first; children are done or among them."""
    alternate = owners.size == 0
    for i in range(done - 1, -1, -1):
        if values[begin + i] != none:
            continue
        best: Any = np.int64(none)
        low = ends[i - 1] if i else 0
        for e in range(low, ends[i]):
            child = numbers[e]
            margin = values[child]
            if alternate or owners[begin + i] != owners[child]:
                margin = -margin
            best = max(best, gains[e] + margin)
        values[begin + i] = best


@kernel
def gather_undecided(
    keys: Any, words: int, values: Any, none: int, begin: int, end: int, packed: Any, which: Any
) -> tuple[Any, Any]:
    """Gather undecided positions; return their count, and the position to continue from."""
    count = 0
    for i in range(begin, end):
        if count == which.size:
            return count, i
        if values[i] == none:
            for word in range(words):
                packed[count * words + word] = keys[np.int64(i) * words + word]
            which[count] = i
            count += 1
    return count, end


@kernel
def settle_scores(
    which: Any,
    done: int,
    ends: Any,
    numbers: Any,
    owners: Any,
    gains: Any,
    values: Any,
    ranks: Any,
    rank: int,
) -> int:
    """Decide positions, last first, if all children are decided; return the next rank."""
    alternate = owners.size == 0
    for i in range(done - 1, -1, -1):
        position = which[i]
        low = ends[i - 1] if i else 0
        best: Any = np.int64(values[position])
        ready = True
        for e in range(low, ends[i]):
            child = numbers[e]
            if ranks[child] == NEVER:
                ready = False
                break
            margin = values[child]
            if alternate or owners[position] != owners[child]:
                margin = -margin
            best = max(best, gains[e] + margin)
        if ready:
            values[position] = best
            ranks[position] = rank
            rank += 1
    return rank


@kernel
def begin_ranks(values: Any, none: int, ranks: Any) -> int:
    """Give terminal positions rank 0 and others ``NEVER``; return the number of others."""
    left = 0
    for i in range(values.size):
        ranks[i] = NEVER if values[i] == none else 0
        left += values[i] == none
    return left


@light_kernel
def sweep_graph(first: Any, edges: Any, owners: Any, values: Any, begin: int, end: int) -> None:
    """Decide positions ``end`` - 1 down to ``begin`` from their successors, which are decided."""
    alternate = owners.size == 0
    for i in range(end - 1, begin - 1, -1):
        if values[i] != UNKNOWN:
            continue
        best = -LAST
        for e in range(first[i], first[i + 1]):
            prefetch(values, np.int64(edges[max(e - _MOVES_AHEAD, 0)]))
            target = np.int64(edges[e])
            same = (not alternate) and owners[i] == owners[target]
            best = max(best, one_ply_earlier(np.int64(values[target]), same))
        values[i] = best
