"""Counts of positions from a table that stores one position of each symmetry class.

If every symmetry preserves the set of starts, a class is reached as a whole or not at all, and only
its size matters. If some do not, as when a symmetry exchanges the players and only one of them
begins, a class may be reached in part. Its parts are the orbits of the subgroup that preserves the
starts, each reached as a whole or not; a walk from the starts over classes and parts finds which.
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
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, run_expand
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter

_CAPACITY = 12


class Folded(Expand, Protocol):
    """Compiled rules with canonical positions."""

    def canonical(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.uint64]:
        """Return the canonical forms of packed positions."""

    def orbits(self, packed: npt.NDArray[np.uint64], count: int) -> npt.NDArray[np.int64]:
        """Return the size of each canonical position's class."""


@dataclass
class OrbitParts:
    """The division of classes into parts.

    Attributes:
        whole: the rules that canonicalise by all symmetries.
        part: the rules that canonicalise by those that preserve the starts.
        plain: the rules without symmetries.
        steps: for each part a symmetry that leads into it, the first one the identity.
        core: the rules that canonicalise by the symmetries that never change the part a move leads
            into.
        ways: representatives of the symmetries modulo the core, the first one the identity.
        after: for each part and each of ``ways``, the part reached by the symmetry followed by the
            part's step.
    """

    whole: Folded
    part: Folded
    plain: Expand
    steps: Sequence[Folded]
    core: Folded
    ways: Sequence[Folded]
    after: npt.NDArray[np.int64]


def tally(folded: Folded, table: Table, threads: int, report: Reporter) -> dict[int, int]:
    """Return the number of positions of each value, if classes are reached as a whole."""

    def sized(_: None, places: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        sizes = folded.orbits(table.packed(places), len(places))
        return _summed(table.values(places), sizes)

    counts: dict[int, int] = {}
    with _pool(threads) as pool:
        done = 0
        for places, sums in map_ordered(pool, [None] * 2 * threads, sized, table.pages()):
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
    """Return the number of positions of each value that the starts reach.

    Args:
        parts: the division of classes into parts.
        table: the classes.
        starts: the packed starts as the rules give them, not canonicalised.
        threads: threads to use at most.
        report: receives the number of parts of classes reached.
    """

    def sized(_: None, places: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
        keys, values = table.packed(places).reshape(-1, table.words), table.values(places)
        sums = []
        known: list[npt.NDArray[np.uint64]] = []
        for n, step in enumerate(parts.steps):
            packed = step.canonical(keys.reshape(-1), len(keys))
            packed = parts.part.canonical(packed, len(keys))
            own = packed.reshape(keys.shape)
            here = (seen[n, places >> 6] >> (places & 63).astype(np.uint64) & np.uint64(1)) != 0
            for other in known:  # if a symmetry fixes a position, its parts coincide
                here &= (other != own).any(axis=1)
            known.append(np.where(here[:, None], own, ~own))
            chosen = np.ascontiguousarray(own[here]).reshape(-1)
            sums += _summed(values[here], parts.part.orbits(chosen, int(here.sum())))
        return sums

    counts: dict[int, int] = {}
    with _pool(threads) as pool:
        seen = _reached_bits(parts, table, starts, pool, threads, report)
        for _, sums in map_ordered(pool, [None] * 2 * threads, sized, table.pages()):
            _add(counts, sums)
    return counts


def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="zermelo-count")


def _reached_bits(
    parts: OrbitParts,
    table: Table,
    starts: npt.NDArray[np.uint64],
    pool: ThreadPoolExecutor,
    threads: int,
    report: Reporter,
) -> npt.NDArray[np.uint64]:
    """Return for each part a bit for each place: whether the starts reach it.

    Symmetries map moves to moves, so the moves from one position of a class determine those of all
    its parts. A class is expanded once for all parts that were reached together. Threads find the
    targets of moves; this thread marks them.
    """
    words = (table.span >> 6) + 1
    seen, fresh, following = (np.zeros((len(parts.steps), words), np.uint64) for _ in range(3))
    listed = np.zeros(words, np.uint64)
    first = np.ascontiguousarray(starts).reshape(-1)
    places, ways = _locate(parts, table, first, len(starts))
    waiting = np.unique(places)
    _mark_starts(places, ways, parts.after, seen, fresh)

    def followed(buffers: Buffers, origins: npt.NDArray[np.int64]) -> list[_Moves]:
        keys = table.packed(origins)
        found = []
        at = 0
        while at < len(origins):
            done, made = run_expand(parts.plain, keys, at, len(origins), buffers)
            many = np.diff(buffers.ends[:done], prepend=0)
            targets, ways = _locate(parts, table, buffers.children, made)
            found.append((np.repeat(origins[at : at + done], many), targets, ways))
            at += done
        return found

    workspaces = [
        Buffers.for_rules(parts.plain, CHUNK, _CAPACITY * CHUNK) for _ in range(2 * threads)
    ]
    met, most = 0, len(table) * len(parts.steps)
    while len(waiting):
        new: list[npt.NDArray[np.int64]] = []
        for origins, found in map_ordered(pool, workspaces, followed, _chunks(waiting)):
            for moves in found:
                more = np.empty(len(moves[0]), np.int64)
                made, marked = _mark(*moves, parts.after, fresh, seen, following, listed, more)
                met += marked
                new.append(more[:made].copy())
            report.advance(min(met, most), most)
            _clear(origins, fresh)
        # In ascending order, in which a table reads positions fastest.
        waiting = np.sort(np.concatenate(new))
        listed[waiting >> 6] = 0
        fresh, following = following, fresh
    return seen


#: For moves, the places of their parents, of their children, and the symmetry that maps the stored
#: child to the actual one.
_Moves = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def _locate(
    parts: OrbitParts, table: Table, packed: npt.NDArray[np.uint64], count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the places of positions, and the symmetry from each stored position to it."""
    width = table.words
    packed = packed[: count * width]
    classes = parts.whole.canonical(packed, count)
    places = np.empty(count, np.int64)
    table.places(classes, count, places)
    ways = np.zeros(count, np.int64)
    left, own = np.arange(count), parts.core.canonical(packed, count)
    # The stored position is canonical in its class, and so under the core. Positions that no
    # other symmetry leads to are images under the last one.
    count = _write_matching_symmetry(classes, classes, own, left, count, width, 0, ways)
    for n, way in enumerate(parts.ways[1:-1], 1):
        images = parts.core.canonical(way.canonical(classes, count), count)
        count = _write_matching_symmetry(images, classes, own, left, count, width, n, ways)
    ways[left[:count]] = len(parts.ways) - 1
    return places, ways


@kernel
def _write_matching_symmetry(
    images: Any, classes: Any, own: Any, left: Any, count: int, width: int, way: int, ways: Any
) -> int:
    """Write the symmetry of positions that are the images of their classes; move the others up.

    Returns:
        The number of the others.
    """
    kept = 0
    for i in range(count):
        if same_key(images, i * width, own, i * width, width):
            ways[left[i]] = way
        else:
            left[kept] = left[i]
            for word in range(width):
                own[kept * width + word] = own[i * width + word]
                classes[kept * width + word] = classes[i * width + word]
            kept += 1
    return kept


@kernel
def _mark_starts(places: Any, ways: Any, after: Any, seen: Any, fresh: Any) -> None:
    """Mark the starts."""
    for i in range(len(places)):
        part = after[0, ways[i]]
        bit = np.uint64(1) << np.uint64(places[i] & 63)
        seen[part, places[i] >> 6] |= bit
        fresh[part, places[i] >> 6] |= bit


@kernel
def _mark(
    origins: Any,
    targets: Any,
    ways: Any,
    after: Any,
    fresh: Any,
    seen: Any,
    following: Any,
    listed: Any,
    more: Any,
) -> tuple[int, int]:
    """Mark the parts that moves lead to from newly reached ones, and list their places once.

    Returns:
        The number of places listed, and of parts marked.
    """
    made = marked = 0
    for i in range(len(origins)):
        from_word, to_word = origins[i] >> 6, targets[i] >> 6
        from_bit = np.uint64(1) << np.uint64(origins[i] & 63)
        to_bit = np.uint64(1) << np.uint64(targets[i] & 63)
        for part in range(len(fresh)):
            if fresh[part, from_word] & from_bit:
                into = after[part, ways[i]]
                if seen[into, to_word] & to_bit == 0:
                    seen[into, to_word] |= to_bit
                    following[into, to_word] |= to_bit
                    marked += 1
                    if listed[to_word] & to_bit == 0:
                        listed[to_word] |= to_bit
                        more[made] = targets[i]
                        made += 1
    return made, marked


@kernel
def _clear(places: Any, fresh: Any) -> None:
    """Remove places from all parts."""
    for place in places:
        for part in range(len(fresh)):
            fresh[part, place >> 6] &= ~(np.uint64(1) << np.uint64(place & 63))


def _chunks(places: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
    return (places[at : at + PAGE] for at in range(0, len(places), PAGE))


def _summed(values: npt.NDArray[Any], sizes: npt.NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the number of positions of each value, from values and class sizes."""
    found, which = np.unique(values, return_inverse=True)
    sums = np.zeros(len(found), np.int64)
    np.add.at(sums, which.reshape(-1), sizes)
    return list(zip(found.tolist(), sums.tolist(), strict=True))


def _add(counts: dict[int, int], sums: list[tuple[int, int]]) -> None:
    for value, count in sums:
        counts[value] = counts.get(value, 0) + count
