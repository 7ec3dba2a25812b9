"""The solved positions of a placement game: reachable patterns, and their values beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.bits import gather, lowest, ones, scatter
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.placement_kernels import (
    BLOCK,
    OWN,
    SECTION,
    blocks_of,
    occupied,
)
from zermelo._engine.table import PAGE

if TYPE_CHECKING:
    from collections.abc import Iterator

_0 = np.uint64(0)
_1 = np.uint64(1)
_LAST, _TIES, _UNTIMED = (np.int64(n) for n in (codes.LAST, codes.TIES, codes.UNTIMED))


@dataclass(frozen=True)
class Fields:
    """Where a packed position holds the two sets of marks.

    Attributes:
        words: 64-bit words a packed position takes.
        first: (word, shift, bits) of the first field.
        second: likewise of the second.
        bit: the bit of a field that stands for each cell.
    """

    words: int
    first: tuple[int, int, int]
    second: tuple[int, int, int]
    bit: npt.NDArray[np.int64]


@dataclass(frozen=True)
class Directory:
    """Where everything is.

    Attributes:
        tiers: all tiers, level by level.
        slots: the place of each tier in its level.
        level_tier: where each level begins in ``tiers``.
        level_block: and in the arrays by block.
        level_section: and in the arrays by section.
        present: by block: which words are not empty.
        first: by block: how many such words its section has before it.
        rank: by block: how many positions its section has before it.
        place: by section: the place of its first position, and at the end the number of all.
        word: by section: where its words are in ``stored``.
        value: by section: where its values are in ``values``.
    """

    tiers: npt.NDArray[np.int64]
    slots: npt.NDArray[np.int32]
    level_tier: npt.NDArray[np.int64]
    level_block: npt.NDArray[np.int64]
    level_section: npt.NDArray[np.int64]
    present: npt.NDArray[np.uint64]
    first: npt.NDArray[np.uint32]
    rank: npt.NDArray[np.uint32]
    place: npt.NDArray[np.int64]
    word: npt.NDArray[np.int64]
    value: npt.NDArray[np.int64]

    @property
    def searched(self) -> tuple[npt.NDArray[Any], ...]:
        """What a kernel needs to find a pattern, or the pattern of a place."""
        return (
            self.tiers,
            self.slots,
            self.level_tier,
            self.level_block,
            self.level_section,
            self.present,
            self.first,
            self.rank,
            self.place,
            self.word,
        )


@dataclass(frozen=True)
class Planes:
    """What the planes say, by level.

    Attributes:
        begin: where each level's planes begin in the arrays here, and their number at the end.
        whose: whose wins a plane holds: 1 for the first player's.
        ply: the ply by which they are won, or UNTIMED.
    """

    begin: npt.NDArray[np.int64]
    whose: npt.NDArray[np.int64]
    ply: npt.NDArray[np.int64]


@inlined
def _section_of(place: Any, places: Any, guess: int) -> int:
    """Return the section that holds a place, trying ``guess`` first."""
    if places[guess] <= place < places[guess + 1]:
        return guess
    low, high = 0, places.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if places[middle] <= place:
            low = middle
        else:
            high = middle
    return low


@inlined
def _level_of(section: int, level_section: Any) -> int:
    level = 0
    while level_section[level + 1] <= section:
        level += 1
    return level


@kernel
def _find(
    packed: Any,
    count: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    stored: Any,
    out: Any,
) -> int:
    """Write the place of each packed position, -1 where it is not here; return how many are."""
    heights, radices, cells, _, marks = shape
    tiers, slots, level_tier, level_block, level_section, present, first, rank, place, word = (
        directory
    )
    here = 0
    for i in range(count):
        out[i] = -1
        a = packed[i * words + first_field[0]] >> np.uint64(first_field[1])
        a &= (_1 << np.uint64(first_field[2])) - _1
        b = packed[i * words + second_field[0]] >> np.uint64(second_field[1])
        b &= (_1 << np.uint64(second_field[2])) - _1
        if a & b != _0:
            continue
        level = ones(a | b)
        if marks == OWN and level & 1:
            a, b = b, a
        both = a | b
        taken = _0
        owned = _0
        tier = np.int64(0)
        counted = 0
        for stack in range(heights.size):
            for row in range(heights[stack]):
                cell = np.uint64(cells[stack, row])
                at = np.uint64(bit[cell])
                if both >> at & _1 == _0:
                    break
                taken |= _1 << cell
                owned |= (a >> at & _1) << cell
                tier += radices[stack]
                counted += 1
        if counted != level:
            continue
        pattern = gather(owned, taken)
        blocks = blocks_of(level)
        slot = np.int64(slots[tier])
        block = np.int64(pattern >> np.uint64(12))
        w = np.int64(pattern >> np.uint64(6) & np.uint64(63))
        number = level_block[level] + slot * blocks + block
        mask = present[number]
        if mask >> np.uint64(w) & _1 == _0:
            continue
        section = level_section[level] + slot * max(1, blocks // SECTION) + block // SECTION
        at_word = word[section] + first[number]
        total = place[section] + rank[number]
        before = ones(mask & ((_1 << np.uint64(w)) - _1))
        for j in range(before):
            total += ones(stored[at_word + j])
        last = stored[at_word + before]
        one = _1 << (pattern & np.uint64(63))
        if last & one == _0:
            continue
        out[i] = total + ones(last & (one - _1))
        here += 1
    return here


@kernel
def _write(
    wanted: Any,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    stored: Any,
    out: Any,
) -> None:
    """Write the packed position at each place."""
    heights, radices, cells, _, marks = shape
    tiers, slots, level_tier, level_block, level_section, present, first, rank, place, word = (
        directory
    )
    section = 0
    for i in range(wanted.size):
        section = _section_of(wanted[i], place, section)
        level = _level_of(section, level_section)
        blocks = blocks_of(level)
        in_tier = max(1, blocks // SECTION)
        slot = (section - level_section[level]) // in_tier
        start = (section - level_section[level] - slot * in_tier) * SECTION
        base = level_block[level] + slot * blocks + start
        left = wanted[i] - place[section]
        low, high = 0, min(SECTION, blocks - start)
        while high - low > 1:
            middle = (low + high) // 2
            if rank[base + middle] <= left:
                low = middle
            else:
                high = middle
        left -= rank[base + low]
        mask = present[base + low]
        at_word = word[section] + first[base + low]
        while ones(stored[at_word]) <= left:
            left -= ones(stored[at_word])
            at_word += 1
            mask &= mask - _1
        inside = lowest(scatter(_1 << np.uint64(left), stored[at_word]))
        pattern = np.uint64((start + low) << 12 | lowest(mask) << 6 | inside)
        tier = tiers[level_tier[level] + slot]
        taken, _ = occupied(tier, heights, radices, cells)
        owned = scatter(pattern, taken)
        a = _0
        b = _0
        while taken != _0:
            cell = lowest(taken)
            taken &= taken - _1
            if owned >> np.uint64(cell) & _1:
                a |= _1 << np.uint64(bit[cell])
            else:
                b |= _1 << np.uint64(bit[cell])
        if marks == OWN and level & 1:
            a, b = b, a
        for w in range(words):
            out[i * words + w] = _0
        out[i * words + first_field[0]] |= a << np.uint64(first_field[1])
        out[i * words + second_field[0]] |= b << np.uint64(second_field[1])


@kernel
def _read(
    wanted: Any,
    level_section: Any,
    place: Any,
    value: Any,
    values: Any,
    begin: Any,
    whose: Any,
    ply: Any,
    out: Any,
) -> None:
    """Write the code at each place."""
    section = 0
    for i in range(wanted.size):
        section = _section_of(wanted[i], place, section)
        level = _level_of(section, level_section)
        rank = wanted[i] - place[section]
        planes = begin[level + 1] - begin[level]
        at = value[section] + (rank >> 6) * planes
        bit = np.uint64(rank & 63)
        code = _TIES - (level_section.size - 2 - level)
        for p in range(planes):
            if values[at + p] >> bit & _1:
                of = begin[level] + p
                code = _LAST - ply[of]
                if ply[of] != _UNTIMED:
                    code += level
                if whose[of] == level % 2:
                    code = -code
                break
        out[i] = code


@kernel
def _count(begin: int, end: int, value: Any, values: Any, planes: int, out: Any) -> None:
    """Add to ``out`` how many positions of these sections each plane has."""
    for at in range(value[begin], value[end], planes):
        for p in range(planes):
            out[p] += ones(values[at + p])


class PlacementTable:
    """Reachable positions level by level, tier by tier, in the order of their patterns."""

    scored = False

    def __init__(
        self,
        fields: Fields,
        shape: tuple[Any, ...],
        directory: Directory,
        stored: npt.NDArray[np.uint64],
        planes: Planes,
        values: npt.NDArray[np.uint64],
    ) -> None:
        """Keep the arrays.

        Args:
            fields: how a position is packed.
            shape: the board, as kernels know it.
            directory: where everything is.
            stored: the words of reachable patterns that are not empty.
            planes: what the planes say.
            values: for each 64 positions of a section, one word a plane.
        """
        self.words = fields.words
        self.starts = np.zeros(1, np.int64)
        self.fields = fields
        self.shape = shape
        self.directory = directory
        self.stored = stored
        self.planes = planes
        self.kept = values
        self._packing = (
            fields.words,
            np.array(fields.first),
            np.array(fields.second),
            fields.bit,
            shape,
            directory.searched,
            stored,
        )

    def __len__(self) -> int:
        """Return how many positions there are."""
        return int(self.directory.place[-1])

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return len(self)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        return int(_find(packed, count, *self._packing, out))

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes at places."""
        out = np.empty(len(places), np.int32)
        at, planes = self.directory, self.planes
        _read(
            np.ascontiguousarray(places),
            at.level_section,
            at.place,
            at.value,
            self.kept,
            planes.begin,
            planes.whose,
            planes.ply,
            out,
        )
        return out

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return anything: the players strictly alternate."""
        return np.zeros(len(places), np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        out = np.empty(len(places) * self.words, np.uint64)
        _write(np.ascontiguousarray(places), *self._packing, out)
        return out

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Go through all places."""
        for begin in range(0, len(self), PAGE):
            yield np.arange(begin, min(begin + PAGE, len(self)))

    def rank(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places

    def tally(self) -> list[tuple[int, int | None, int]]:
        """Return how many positions there are of each value, best code first."""
        at, planes = self.directory, self.planes
        found: dict[int, int] = {}
        full = len(at.level_section) - 2
        for level in range(full + 1):
            begin, end = int(at.level_section[level]), int(at.level_section[level + 1])
            first, last = int(planes.begin[level]), int(planes.begin[level + 1])
            held = np.zeros(last - first, np.int64)
            if last > first:
                _count(begin, end, at.value, self.kept, last - first, held)
            draws = int(at.place[end] - at.place[begin])
            for whose in (0, 1):
                sooner = 0
                for p in np.flatnonzero(planes.whose[first:last] == whose).tolist():
                    outcome = 1 if whose != level % 2 else -1
                    ply = int(planes.ply[first + p])
                    code = codes.encode(outcome, None if ply == codes.UNTIMED else ply - level)
                    exactly = int(held[p]) - sooner
                    found[code] = found.get(code, 0) + exactly
                    draws -= exactly
                    sooner = int(held[p])
            tie = codes.encode(0, full - level)
            found[tie] = found.get(tie, 0) + draws
        return [(*codes.decode(c), found[c]) for c in sorted(found, reverse=True) if found[c]]


__all__ = ["BLOCK", "Directory", "Fields", "PlacementTable", "Planes"]
