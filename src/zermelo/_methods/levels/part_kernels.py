"""Kernels that decide a level from a part of the levels above at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch
from zermelo._engine.sort.buckets import bucket_of

#: Children whose values are asked for ahead.
_AHEAD = 32


@kernel
def leave_part(
    children: Any,
    levels: Any,
    count: int,
    words: int,
    lowest: int,
    level_bits: Any,
    lows: Any,
    highs: Any,
) -> None:
    """Change the levels of positions whose bucket is not in the part, so that none has them."""
    for e in range(count):
        level = levels[e] - lowest
        if 0 <= level < level_bits.size and level_bits[level] >= 0:
            bucket = bucket_of(hash_of(children, e * words, words), level_bits[level])
            if not lows[level] <= bucket < highs[level]:
                levels[e] = lowest - 1


@kernel
def settle_part(
    done: int,
    ends: Any,
    terminal: Any,
    owners: Any,
    numbers: Any,
    turns: Any,
    above: Any,
    out: Any,
    first: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> None:
    """Raise the values of expanded positions to what their children of this part make them.

    Args:
        done: how many positions.
        ends: where the children of each end.
        terminal: the code of each whose game is over, UNKNOWN for the others.
        owners: whose turn it is in each.
        numbers: where each child is in ``above``, -1 for one that is not in this part.
        turns: whose turn it is there, or empty where the players strictly alternate.
        above: values of the levels above.
        out: the values, in a byte if ``above`` is.
        first: whether ``out`` is to be begun.
    """
    narrow = above.itemsize == 1
    alternate = turns.size == 0
    edge = 0
    last = np.int64(ends[done - 1]) - 1
    for i in range(done):
        if first:
            best = np.int64(terminal[i])
            if best == UNKNOWN:
                best = np.int64(-LAST)
        elif narrow:
            kept = np.int64(out[i])
            remoteness = kept >> 2
            best = remoteness - LAST
            if kept & 3 == 1:
                best = TIES - remoteness
            elif kept & 3 == 2:
                best = LAST - remoteness
        else:
            best = np.int64(out[i])
        while edge < ends[i]:
            prefetch(above, max(numbers[min(edge + _AHEAD, last)], 0))
            child = numbers[edge]
            edge += 1
            if child < 0:
                continue
            code = np.int64(above[child])
            if narrow:
                remoteness = code >> 2
                kind = code & 3
                code = remoteness - LAST
                if kind == 1:
                    code = TIES - remoteness
                elif kind == 2:
                    code = LAST - remoteness
            same = (not alternate) and turns[child] == owners[i]
            best = max(best, one_ply_earlier(code, same))
        if not narrow:
            out[i] = best
        elif best > TIES:
            out[i] = (LAST - best) * 4 + 2
        elif best > 0:
            out[i] = (TIES - best) * 4 + 1
        else:
            out[i] = (best + LAST) * 4
