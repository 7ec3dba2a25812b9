"""Whether declared symmetries are symmetries: images of a position have images of its moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.explore import CHUNK, Buffers, run_expand
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
            rows = [_sorted(folded, b, done, made, width) for b in (here, there)]
            unlike = (rows[0] != rows[1]).any(axis=1)
            if unlike.any():
                same[int(rows[0][np.argmax(unlike), 0])] = False
        if not same.all():
            return at + int(np.argmin(same))
        at += done
    return None


def _sorted(folded: Folded, buffers: Buffers, done: int, made: int, width: int) -> Any:
    """Return a row for each move, with its position's number first, in an order of its own."""
    numbers = np.repeat(np.arange(done), np.diff(buffers.ends[:done], prepend=0))
    columns = [numbers.astype(np.uint64), *buffers.children[: made * width].reshape(-1, width).T]
    if folded.scored:
        columns.append(buffers.gains[:made].view(np.uint64))
    order = np.lexsort(columns[::-1])
    return np.stack(columns, axis=1)[order]
