"""Whether declared symmetries are symmetries: images of a position have images of its moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.explore import CHUNK, Buffers, run_expand
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.table import Table
from zermelo._engine.unfold import Folded

_ROOM = 12


def first_unlike(
    folded: Folded, steps: Sequence[Folded], table: Table, most: int
) -> tuple[int, int] | None:
    """Look at images of positions, and see that they end alike or have moves to the same classes.

    Args:
        folded: the rules, giving canonical positions.
        steps: for each symmetry something whose ``canonical`` gives images under it.
        table: the positions.
        most: images to look at. Where there are more, positions are left out at regular distances.

    Returns:
        The place of the first position that has an image unlike itself and the number of the
        symmetry, or None.
    """
    apart = max(1, -(-len(table) * len(steps) // most))
    buffers = [Buffers.for_rules(folded, CHUNK, _ROOM * CHUNK) for _ in range(2)]
    passed = 0
    for page in table.pages():
        places = page[-passed % apart :: apart]
        passed += len(page)
        keys = table.packed(places)
        for n, step in enumerate(steps):
            images = step.canonical(keys, len(places))
            at = _differing(folded, keys, images, len(places), buffers)
            if at is not None:
                return int(places[at]), n
    return None


def _differing(
    folded: Folded,
    keys: npt.NDArray[np.uint64],
    images: npt.NDArray[np.uint64],
    count: int,
    buffers: list[Buffers],
) -> int | None:
    """Return the first of some positions that is unlike its image, or None."""
    width = folded.words
    at = 0
    while at < count:
        here, there = buffers
        done, made = run_expand(folded, keys, at, count, here)
        others, made_there = run_expand(folded, images, at, at + done, there)
        done = min(done, others)
        made, made_there = (int(b.ends[done - 1]) for b in (here, there))
        same = here.values[:done] == there.values[:done]
        same &= np.diff(here.ends[:done], prepend=0) == np.diff(there.ends[:done], prepend=0)
        if not folded.alternate:
            same &= here.owners[:done] == there.owners[:done]
        if made == made_there and same.all():
            for b in (here, there):
                _sort(b.ends, done, width, b.children, b.gains)
            unlike = here.children[: made * width] != there.children[: made * width]
            move = int(np.argmax(unlike)) // width if unlike.any() else made
            gains = here.gains[:made] != there.gains[:made]
            move = min(move, int(np.argmax(gains)) if gains.any() else made)
            if move < made:
                same[int(np.searchsorted(here.ends[:done], move, side="right"))] = False
        if not same.all():
            return at + int(np.argmin(same))
        at += done
    return None


@kernel
def _sort(ends: Any, count: int, width: int, children: Any, gains: Any) -> None:
    """Put the moves of each position in order, by where they lead and then by what they gain.

    By D. L. Shell's method, with D. E. Knuth's steps: most positions have few moves, and most games
    one word to compare, which is then moved and not exchanged.
    """
    alone = width == 1 and gains.size == 0
    begin = 0
    for p in range(count):
        end = ends[p]
        step = 1
        while 3 * step + 1 < end - begin:
            step = 3 * step + 1
        while step > 0:
            for i in range(begin + step, end):
                j = i
                if alone:
                    moved = children[i]
                    while j - step >= begin and moved < children[j - step]:
                        children[j] = children[j - step]
                        j -= step
                    children[j] = moved
                    continue
                while j - step >= begin and _before(children, gains, width, j, j - step):
                    for word in range(width):
                        a, b = j * width + word, (j - step) * width + word
                        children[a], children[b] = children[b], children[a]
                    if gains.size > 0:
                        gains[j], gains[j - step] = gains[j - step], gains[j]
                    j -= step
            step //= 3
        begin = end


@inlined
def _before(children: Any, gains: Any, width: int, i: int, j: int) -> Any:
    """Whether one move comes before another."""
    for word in range(width):
        a, b = children[i * width + word], children[j * width + word]
        if a != b:
            return a < b
    return gains.size > 0 and gains[i] < gains[j]
