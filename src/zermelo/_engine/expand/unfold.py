"""Counting positions that a folded table holds one of each class of.

Where every symmetry leaves the set of starts as it is, a class is reached as a whole or not at all,
and its size is all there is to count. Where some do not, as when a symmetry exchanges the players
and only one of them begins, it may be reached in part. Its parts are the orbits of the smaller
group that does leave the starts alone, each reached as a whole or not; a walk from the starts over
classes and parts finds which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.hashing import same_key
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.threads import in_order
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, run_expand
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter

_CAPACITY = 12


class Folded(Expand, Protocol):
    """Compiled rules that know canonical positions."""

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the canonical ones of packed positions."""

    def orbits(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.int64]:
        """Return for canonical positions how many positions each stands for."""


@dataclass
class OrbitParts:
    """How classes fall into parts.

    Attributes:
        whole: the rules folded by all symmetries.
        part: the rules folded by those that leave the starts alone.
        plain: the rules not folded.
        steps: for each part a symmetry that leads into it, the first one "as it is".
    """

    whole: Folded
    part: Folded
    plain: Expand
    steps: Sequence[Folded]


def tally(folded: Folded, table: Table, threads: int, report: Reporter) -> dict[int, int]:
    """Return how many positions there are of each value, where classes are whole."""

    def sized(_: None, places: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        sizes = folded.orbits(table.packed(places), len(places))
        return _summed(table.values(places), sizes)

    counts: dict[int, int] = {}
    with _pool(threads) as pool:
        done = 0
        for places, sums in in_order(pool, [None] * 2 * threads, sized, table.pages()):
            _add(counts, sums)
            done += len(places)
            report.advance(done)
    return counts


def tally_parts(
    parts: OrbitParts,
    table: Table,
    starts: npt.NDArray[np.uint64],
    threads: int,
    report: Reporter,
) -> dict[int, int]:
    """Return how many positions there are of each value that the starts reach.

    Args:
        parts: how classes fall into parts.
        table: the classes.
        starts: the packed starts as the rules give them, not folded.
        threads: threads to use at most.
        report: is told how many parts of classes the walk has met.
    """

    def sized(_: None, places: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        keys, values = table.packed(places).reshape(-1, table.words), table.values(places)
        sums = []
        for n, step in enumerate(parts.steps):
            here = (seen[n, places >> 6] >> (places & 63).astype(np.uint64) & np.uint64(1)) != 0
            packed = step.canonical(keys[here].reshape(-1), int(here.sum()))
            packed = parts.part.canonical(packed, int(here.sum()))
            sums += _summed(values[here], parts.part.orbits(packed, int(here.sum())))
        return sums

    counts: dict[int, int] = {}
    with _pool(threads) as pool:
        seen = _walked(parts, table, starts, pool, threads, report)
        for _, sums in in_order(pool, [None] * 2 * threads, sized, table.pages()):
            _add(counts, sums)
    return counts


def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="zermelo-count")


def _walked(
    parts: OrbitParts,
    table: Table,
    starts: npt.NDArray[np.uint64],
    pool: ThreadPoolExecutor,
    threads: int,
    report: Reporter,
) -> npt.NDArray[np.uint64]:
    """Return for each part a bit a place: whether the starts reach it.

    Threads find out where moves lead; this one marks it.
    """
    seen = np.zeros((len(parts.steps), (table.span >> 6) + 1), np.uint64)
    first = np.ascontiguousarray(starts).reshape(-1)
    waiting = _marked(*_located(parts, table, first, len(starts)), seen)

    def followed(buffers: Buffers, item: _Item) -> list[_Located]:
        n, places = item
        keys = parts.steps[n].canonical(table.packed(places), len(places))
        found = []
        at = 0
        while at < len(places):
            done, made = run_expand(parts.plain, keys, at, len(places), buffers)
            at += done
            found.append(_located(parts, table, buffers.children, made))
        return found

    workspaces = [
        Buffers.for_rules(parts.plain, CHUNK, _CAPACITY * CHUNK) for _ in range(2 * threads)
    ]
    met, most = 0, len(table) * len(parts.steps)
    while any(len(places) for places in waiting):
        fresh: list[list[npt.NDArray[np.int64]]] = [[] for _ in parts.steps]
        items = ((n, some) for n, places in enumerate(waiting) for some in _chunks(places))
        for (_, places), found in in_order(pool, workspaces, followed, items):
            met += len(places)
            report.advance(met, most)
            for located in found:
                for new, fresher in zip(fresh, _marked(*located, seen), strict=True):
                    new.append(fresher)
        # In ascending order, in which a table finds their positions the quickest.
        waiting = [np.sort(np.concatenate(new)) if new else _NOWHERE for new in fresh]
    return seen


#: Places in a part to go on from; places that moves lead to, and the part each is in.
_Item = tuple[int, npt.NDArray[np.int64]]
_Located = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

_NOWHERE = np.empty(0, np.int64)


def _located(
    parts: OrbitParts, table: Table, packed: npt.NDArray[np.uint64], count: int
) -> _Located:
    """Return the places of positions, and the parts they are in."""
    width = table.words
    packed = packed[: count * width]
    classes = parts.whole.canonical(packed, count)
    places = np.empty(count, np.int64)
    table.places(classes, count, places)
    own = parts.part.canonical(packed, count)
    which = np.full(count, -1, np.int64)
    for n, step in enumerate(parts.steps):
        # The canonical position of a class is that of its first part too. What is in none of the
        # other parts is in the last.
        images = classes
        if 0 < n < len(parts.steps) - 1:
            images = parts.part.canonical(step.canonical(classes, count), count)
        _match(images, own, count, width, n, which, n == len(parts.steps) - 1)
    return places, which


def _marked(
    places: npt.NDArray[np.int64], which: npt.NDArray[np.int64], seen: npt.NDArray[np.uint64]
) -> list[npt.NDArray[np.int64]]:
    """Mark parts; return, for each, the places of those not marked before."""
    fresh = np.empty(len(places), np.int64)
    new = []
    for n in range(len(seen)):
        made = _mark(places, which, len(places), n, seen, fresh)
        new.append(fresh[:made].copy())
    return new


@kernel
def _match(images: Any, own: Any, count: int, width: int, part: int, which: Any, rest: Any) -> None:
    """Note the part of positions that are the image, or of all the rest."""
    for i in range(count):
        if which[i] < 0 and (rest or same_key(images, i * width, own, i * width, width)):
            which[i] = part


@kernel
def _mark(places: Any, which: Any, count: int, part: int, seen: Any, fresh: Any) -> int:
    """Mark places of one part; list those not marked before, and return how many they are."""
    made = 0
    for i in range(count):
        if which[i] == part:
            word = places[i] >> 6
            bit = np.uint64(1) << np.uint64(places[i] & 63)
            if seen[part, word] & bit == 0:
                seen[part, word] |= bit
                fresh[made] = places[i]
                made += 1
    return made


def _chunks(places: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
    return (places[at : at + PAGE] for at in range(0, len(places), PAGE))


def _summed(values: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return how many positions classes of some sizes have, by value."""
    found, which = np.unique(values, return_inverse=True)
    sums = np.zeros(len(found), np.int64)
    np.add.at(sums, which.reshape(-1), sizes)
    return list(zip(found.tolist(), sums.tolist(), strict=True))


def _add(counts: dict[int, int], sums: list[tuple[int, int]]) -> None:
    for value, count in sums:
        counts[value] = counts.get(value, 0) + count
