"""Whether declared symmetries are symmetries: images of a position have images of its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.expand.expander import CHUNK, Buffers, run_expand
from zermelo._engine.expand.unfold import Folded
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter

_CAPACITY = 12


def first_unlike(
    folded: Folded,
    steps: Sequence[Folded],
    table: Table,
    most: int,
    sort: Callable[..., None] | None = None,
    report: Reporter | None = None,
) -> tuple[int, int] | None:
    """Look at images of positions, and see that they end alike or have moves to the same classes.

    Args:
        folded: the rules, giving canonical positions.
        steps: for each symmetry something whose ``canonical`` gives images under it.
        table: the positions.
        most: images to look at. Where there are more, positions are left out at regular distances.
        sort: what puts moves in order; by default something that is compiled first.
        report: told how many images have been looked at.

    Returns:
        The place of the first position that has an image unlike itself and the number of the
        symmetry, or None.
    """
    apart = max(1, -(-len(table) * len(steps) // most))
    sort = sort or _sort
    chunk = min(limits.current().batch(CHUNK), max(1, len(table)))
    here, there = (Buffers.for_rules(folded, chunk, _CAPACITY * chunk) for _ in range(2))
    words, looked = folded.words, 0
    for places in thinned(table, apart):
        keys, at = table.packed(places), 0
        while at < len(places):
            done, _ = run_expand(folded, keys, at, min(at + chunk, len(places)), here)
            sort(here.ends, done, words, here.children, here.gains)
            some = keys[at * words : (at + done) * words]
            for n, step in enumerate(steps):
                images = step.canonical(some, done)
                unlike = _differing(folded, here, images, done, there, sort)
                if unlike is None:
                    unlike = _worth_else(folded, here, some, images, done)
                if unlike is not None:
                    return int(places[at + unlike]), n
                looked += done
                if report is not None:
                    report.advance(looked)
            at += done
    return None


def thinned(table: Table, apart: int) -> Iterator[npt.NDArray[np.int64]]:
    """Scan places at regular distances, as many together as a page has."""
    passed = held = 0
    some: list[npt.NDArray[np.int64]] = []
    for page in table.pages():
        some.append(page[-passed % apart :: apart])
        passed += len(page)
        held += len(some[-1])
        if held >= PAGE:
            yield np.concatenate(some)
            some, held = [], 0
    if held:
        yield np.concatenate(some)


def _differing(
    folded: Folded,
    here: Buffers,
    images: npt.NDArray[np.uint64],
    count: int,
    there: Buffers,
    sort: Callable[..., None],
) -> int | None:
    """Return the first of some positions that is unlike its image, or None.

    Args:
        folded: the rules.
        here: the positions' ends, and their moves in order.
        images: the images, packed.
        count: how many there are.
        there: room for the same of these.
        sort: what puts moves in order.
    """
    width = folded.words
    begin = first = 0
    while begin < count:
        done, made = run_expand(folded, images, begin, count, there)
        sort(there.ends, done, width, there.children, there.gains)
        end = begin + done
        same = here.values[begin:end] == there.values[:done]
        same &= here.ends[begin:end] - first == there.ends[:done]
        if not folded.alternate:
            same &= here.owners[begin:end] == there.owners[:done]
        last = int(here.ends[end - 1])
        if last - first == made and same.all():
            unlike = here.children[first * width : last * width] != there.children[: made * width]
            move = int(np.argmax(unlike)) // width if unlike.any() else made
            gains = here.gains[first:last] != there.gains[:made]
            move = min(move, int(np.argmax(gains)) if gains.any() else made)
            if move < made:
                same[int(np.searchsorted(there.ends[:done], move, side="right"))] = False
        if not same.all():
            return begin + int(np.argmin(same))
        begin, first = end, last
    return None


def _worth_else(
    folded: Folded,
    here: Buffers,
    some: npt.NDArray[np.uint64],
    images: npt.NDArray[np.uint64],
    count: int,
) -> int | None:
    """Return the first of some positions where endless play is worth else than in its image."""
    if not folded.kind.stages:
        return None
    worth, other = (folded.endless(each, count, here.owners) for each in (some, images))
    goes_on = here.values[: len(worth)] == folded.kind.unknown
    unlike = np.flatnonzero(goes_on & (worth != other))
    return int(unlike[0]) if len(unlike) else None


def sort_by_numpy(
    ends: npt.NDArray[np.int32],
    count: int,
    width: int,
    children: npt.NDArray[np.uint64],
    gains: npt.NDArray[np.int64],
) -> None:
    """Do what ``_sort`` does, for little data: slower, but nothing has to be compiled for it."""
    if not count:
        return
    made = int(ends[count - 1])
    parents = np.repeat(np.arange(count), np.diff(ends[:count], prepend=0))
    rows = children[: made * width].reshape(-1, width)
    order = np.lexsort((*([gains[:made]] if gains.size else []), *rows.T[::-1], parents))
    rows[:] = rows[order]
    if gains.size:
        gains[:made] = gains[:made][order]


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
