"""Counts of positions from a table that stores one position of each symmetry class.

If every symmetry preserves the set of starts, the starts reach all positions of a class or none,
and only the size of the class matters. A symmetry that exchanges the players need not preserve the
starts: then the starts may reach only some positions of a class. The parts of a class are the
    orbits
of the subgroup that preserves the starts, and the starts reach all positions of a part or none. A
breadth-first search from the starts over classes and parts finds the reached parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.hashing import same_key
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.threads import map_ordered
from zermelo._engine.expand.expander import CHUNK, Buffers, Expand, expanded_parts
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter
from zermelo.values.kind import ValueTally

_CAPACITY = 12


class Folded(Expand, Protocol):
    """Compiled rules with canonical positions."""

    def canonical(self, packed: Uint64Array, count: int) -> Uint64Array:
        """Return the canonical forms of packed positions."""

    def orbits(self, packed: Uint64Array, count: int) -> Int64Array:
        """Return the size of each canonical position's class."""


@dataclass
class OrbitParts:
    """The division of classes into parts.

    Attributes:
        whole: the rules that canonicalise by all symmetries.
        part: the rules that canonicalise by the symmetries that preserve the starts.
        plain: the rules without symmetries.
        steps: for each part a symmetry from the first part into it; the first is the identity.
        core: the rules that canonicalise by the symmetries that never change the part of a move's
            child.
        symmetries: representatives of the symmetries modulo the core; the first is the identity.
        part_after: for each part and each of ``symmetries``, the part of the position that the
            symmetry followed by the part's step leads to.
    """

    whole: Folded
    part: Folded
    plain: Expand
    steps: Sequence[Folded]
    core: Folded
    symmetries: Sequence[Folded]
    part_after: Int64Array


def tally(folded: Folded, table: Table, threads: int, report: Reporter) -> ValueTally:
    """Return the number of positions of each value, if the starts reach whole classes."""

    def page_sums(_: None, places: Int64Array) -> _Sums:
        sizes = folded.orbits(table.packed(places), len(places))
        return _value_sums(table.values(places), sizes)

    counts = table.kind.new_tally()
    with _pool(threads) as pool:
        positions_done = 0
        for places, sums in map_ordered(pool, [None] * 2 * threads, page_sums, table.pages()):
            counts.add(*sums)
            positions_done += len(places)
            report.advance(positions_done)
    return counts


def tally_parts(
    parts: OrbitParts,
    table: Table,
    starts: Uint64Array,
    threads: int,
    report: Reporter,
) -> ValueTally:
    """Return the number of positions of each value that the starts reach.

    Args:
        parts: the division of classes into parts.
        table: the classes.
        starts: the packed starts as the rules give them, not canonicalised.
        threads: threads to use at most.
        report: receives the number of parts of classes reached.
    """

    def page_sums(_: None, places: Int64Array) -> list[_Sums]:
        keys, values = table.packed(places).reshape(-1, table.words), table.values(places)
        sums = []
        earlier_parts: list[Uint64Array] = []
        for n, step in enumerate(parts.steps):
            packed = step.canonical(keys.reshape(-1), len(keys))
            packed = parts.part.canonical(packed, len(keys))
            forms = packed.reshape(keys.shape)
            is_reached = (
                reached_bits[n, places >> 6] >> (places & 63).astype(np.uint64) & np.uint64(1)
            ) != 0
            # If a symmetry fixes a position, its parts coincide.
            for earlier_forms in earlier_parts:
                is_reached &= (earlier_forms != forms).any(axis=1)
            earlier_parts.append(np.where(is_reached[:, None], forms, ~forms))
            reached = np.ascontiguousarray(forms[is_reached]).reshape(-1)
            sizes = parts.part.orbits(reached, int(is_reached.sum()))
            sums.append(_value_sums(values[is_reached], sizes))
        return sums

    counts = table.kind.new_tally()
    with _pool(threads) as pool:
        reached_bits = _reached_bits(parts, table, starts, pool, threads, report)
        for _, sums in map_ordered(pool, [None] * 2 * threads, page_sums, table.pages()):
            for pair in sums:
                counts.add(*pair)
    return counts


def _pool(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, thread_name_prefix="zermelo-count")


def _reached_bits(
    parts: OrbitParts,
    table: Table,
    starts: Uint64Array,
    pool: ThreadPoolExecutor,
    threads: int,
    report: Reporter,
) -> Uint64Array:
    """Return the reached positions: for each part, a bitmap by place.

    Symmetries map moves to moves, so the moves from one position of a class determine the moves
    from all its parts. A class is expanded once for all parts that the same round reached. Worker
    threads find the targets of moves; the calling thread marks them.
    """
    words = (table.span >> 6) + 1
    reached_bits, frontier, next_frontier = (
        np.zeros((len(parts.steps), words), np.uint64) for _ in range(3)
    )
    is_listed = np.zeros(words, np.uint64)
    first = np.ascontiguousarray(starts).reshape(-1)
    places, symmetries = _locate(parts, table, first, len(starts))
    frontier_places = np.unique(places)
    _mark_starts(places, symmetries, parts.part_after, reached_bits, frontier)

    def moves_from(buffers: Buffers, origins: Int64Array) -> list[_Moves]:
        keys = table.packed(origins)
        moves = []
        for part in expanded_parts(parts.plain, keys, len(origins), buffers):
            targets, symmetries = _locate(parts, table, buffers.children, part.moves)
            sources = np.repeat(origins[part.begin : part.end], part.degrees)
            moves.append((sources, targets, symmetries))
        return moves

    workspaces = [
        Buffers.for_rules(parts.plain, CHUNK, _CAPACITY * CHUNK) for _ in range(2 * threads)
    ]
    reached, total = 0, len(table) * len(parts.steps)
    while len(frontier_places):
        new_places: list[Int64Array] = []
        for origins, batches in map_ordered(pool, workspaces, moves_from, _chunks(frontier_places)):
            for moves in batches:
                marked_places = np.empty(len(moves[0]), np.int64)
                count, newly_reached = _mark(
                    *moves,
                    parts.part_after,
                    frontier,
                    reached_bits,
                    next_frontier,
                    is_listed,
                    marked_places,
                )
                reached += newly_reached
                new_places.append(marked_places[:count].copy())
            report.advance(min(reached, total), total)
            _clear(origins, frontier)
        # A table reads positions fastest in ascending order.
        frontier_places = np.sort(np.concatenate(new_places))
        is_listed[frontier_places >> 6] = 0
        frontier, next_frontier = next_frontier, frontier
    return reached_bits


#: Values, and the number of positions of each.
_Sums = tuple[npt.NDArray[Any], Int64Array]
#: Moves as three arrays: the places of parents, the places of children, and the symmetries that map
#: each stored child to the actual one.
_Moves = tuple[Int64Array, Int64Array, Int64Array]


def _locate(
    parts: OrbitParts, table: Table, packed: Uint64Array, count: int
) -> tuple[Int64Array, Int64Array]:
    """Return the place of each position, and the symmetry from the stored position to it."""
    width = table.words
    packed = packed[: count * width]
    classes = parts.whole.canonical(packed, count)
    places = np.empty(count, np.int64)
    table.places(classes, count, places)
    symmetries = np.zeros(count, np.int64)
    unmatched, core_forms = np.arange(count), parts.core.canonical(packed, count)
    # The stored position is canonical in its class, and so under the core. Positions that match no
    # other symmetry are images under the last one, which need not be tested.
    count = _write_matching_symmetry(
        classes, classes, core_forms, unmatched, count, width, 0, symmetries
    )
    for n, symmetry in enumerate(parts.symmetries[1:-1], 1):
        images = parts.core.canonical(symmetry.canonical(classes, count), count)
        count = _write_matching_symmetry(
            images, classes, core_forms, unmatched, count, width, n, symmetries
        )
    symmetries[unmatched[:count]] = len(parts.symmetries) - 1
    return places, symmetries


@kernel
def _write_matching_symmetry(
    images: Uint64Array,
    classes: Uint64Array,
    core_forms: Uint64Array,
    unmatched: Int64Array,
    count: int,
    width: int,
    symmetry: int,
    symmetries: Int64Array,
) -> int:
    """Write ``symmetry`` for positions that equal its images; move the others to the front.

    Returns:
        The number of the other positions.
    """
    unmatched_count = 0
    for i in range(count):
        if same_key(images, i * width, core_forms, i * width, width):
            symmetries[unmatched[i]] = symmetry
        else:
            unmatched[unmatched_count] = unmatched[i]
            for word in range(width):
                core_forms[unmatched_count * width + word] = core_forms[i * width + word]
                classes[unmatched_count * width + word] = classes[i * width + word]
            unmatched_count += 1
    return unmatched_count


@kernel
def _mark_starts(
    places: Int64Array,
    symmetries: Int64Array,
    part_after: Int64Array,
    reached_bits: Uint64Array,
    frontier: Uint64Array,
) -> None:
    """Mark the starts."""
    for i in range(len(places)):
        part = part_after[0, symmetries[i]]
        bit = np.uint64(1) << np.uint64(places[i] & 63)
        reached_bits[part, places[i] >> 6] |= bit
        frontier[part, places[i] >> 6] |= bit


@kernel
def _mark(
    origins: Int64Array,
    targets: Int64Array,
    symmetries: Int64Array,
    part_after: Int64Array,
    frontier: Uint64Array,
    reached_bits: Uint64Array,
    next_frontier: Uint64Array,
    is_listed: Uint64Array,
    marked_places: Int64Array,
) -> tuple[int, int]:
    """Mark the parts that moves from frontier parts reach, and list each place once.

    Returns:
        The number of places listed, and the number of parts marked.
    """
    count = marked = 0
    for i in range(len(origins)):
        from_word, to_word = origins[i] >> 6, targets[i] >> 6
        from_bit = np.uint64(1) << np.uint64(origins[i] & 63)
        to_bit = np.uint64(1) << np.uint64(targets[i] & 63)
        for part in range(len(frontier)):
            if frontier[part, from_word] & from_bit:
                target_part = part_after[part, symmetries[i]]
                if reached_bits[target_part, to_word] & to_bit == 0:
                    reached_bits[target_part, to_word] |= to_bit
                    next_frontier[target_part, to_word] |= to_bit
                    marked += 1
                    if is_listed[to_word] & to_bit == 0:
                        is_listed[to_word] |= to_bit
                        marked_places[count] = targets[i]
                        count += 1
    return count, marked


@kernel
def _clear(places: Int64Array, frontier: Uint64Array) -> None:
    """Remove places from all parts."""
    for place in places:
        for part in range(len(frontier)):
            frontier[part, place >> 6] &= ~(np.uint64(1) << np.uint64(place & 63))


def _chunks(places: Int64Array) -> Iterator[Int64Array]:
    return (places[begin : begin + PAGE] for begin in range(0, len(places), PAGE))


def _value_sums(values: npt.NDArray[Any], sizes: Int64Array) -> _Sums:
    """Return the number of positions of each value, from values and class sizes."""
    distinct, inverse = np.unique(values, return_inverse=True)
    sums = np.zeros(len(distinct), np.int64)
    np.add.at(sums, inverse.reshape(-1), sizes)
    return distinct, sums
