"""What a placement table needs to be found again in a file: where things are, from the board alone.

Of each block of 64 words it has to be known which of its words are not empty and how many positions
they hold. Everything else in a table's directory follows from that, and from the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.bits import scatter
from zermelo._engine.core.jit import kernel
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.index import Directory
from zermelo._methods.placement.lookup import sought
from zermelo._methods.placement.tiers import IN_BLOCK, OWN, SECTION
from zermelo._methods.placement.work import levels_of, sums

_0 = np.uint64(0)
_1 = np.uint64(1)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


class Skeleton:
    """Where the tiers, blocks and sections of a board are.

    Attributes:
        sections: how many blocks each section has.
        blocks: how many blocks there are.
    """

    def __init__(self, board: PlacementBoard) -> None:
        """Work it out."""
        levels = levels_of(board)
        counts = board.by_level()
        self._tiers = np.argsort(levels, kind="stable")
        self._slots = np.empty(board.tiers, np.int32)
        self._level_tier = sums(counts)
        each = []
        for level, tiers in enumerate(counts):
            here = self._tiers[self._level_tier[level] : self._level_tier[level + 1]]
            self._slots[here] = np.arange(tiers, dtype=np.int32)
            bits = max(level - 1, 0) if board.marks == OWN else level
            each.append(1 << max(0, bits - IN_BLOCK))
        self._level_block = sums([c * b for c, b in zip(counts, each, strict=True)])
        in_tier = [max(1, b // SECTION) for b in each]
        sections = [c * s for c, s in zip(counts, in_tier, strict=True)]
        self._level_section = sums(sections)
        self.sections = np.repeat([min(b, SECTION) for b in each], sections).astype(np.int64)
        self.blocks = int(self._level_block[-1])

    def directory(
        self, present: npt.NDArray[np.uint64], held: npt.NDArray[np.int64]
    ) -> tuple[Directory, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the directory of a table.

        Args:
            present: by block: which words are not empty.
            held: by block: how many positions it has.

        Returns:
            It, and by block how many words, and how many positions, stand before it; and at the
            end how many there are.
        """
        words = sums(np.bitwise_count(present))
        places = sums(held)
        begins = sums(self.sections)
        word, place = words[begins], places[begins]
        first = words[:-1] - np.repeat(word[:-1], self.sections)
        rank = places[:-1] - np.repeat(place[:-1], self.sections)
        made = Directory(
            self._tiers,
            self._slots,
            self._level_tier,
            self._level_block,
            self._level_section,
            present,
            first.astype(np.uint32),
            rank.astype(np.uint32),
            place,
            word,
            np.zeros(len(place), np.int64),
        )
        return made, words, places

    def held(self, directory: Directory) -> npt.NDArray[np.int64]:
        """Return how many positions each block of a table has."""
        before = np.repeat(directory.place[:-1], self.sections) + directory.rank
        return np.diff(before, append=directory.place[-1])


@kernel
def blocks_of(
    packed: Any,
    count: int,
    words: int,
    first_field: Any,
    second_field: Any,
    bit: Any,
    shape: Any,
    directory: Any,
    out: Any,
) -> None:
    """Write the block in which each packed position would be, -1 where it cannot be anywhere."""
    for i in range(count):
        found = sought(packed, i, words, first_field, second_field, bit, shape, directory)
        out[i] = found[0]


@kernel
def pack(
    begin: int,
    end: int,
    section: int,
    place: Any,
    value: Any,
    values: Any,
    numbers: Any,
    tie: int,
    width: int,
    out: Any,
) -> bool:
    """Write values that are kept in planes as numbers of few bits, side by side, the first lowest.

    Args:
        begin: the first place.
        end: the place after the last of the same level.
        section: the section of the first.
        place: by section: its first place.
        value: by section: where its values begin.
        values: for each 64 positions of a section, one word a plane.
        numbers: what to write for a position that each plane is the first to have, -1 if there
            is none.
        tie: what to write for one that none has, or -1.
        width: the bits of a number: 1, 2, 4 or 8.
        out: receives the bytes.

    Returns:
        Whether there is a number for each value.
    """
    planes = numbers.size
    bits = np.empty(8, np.uint64)
    each = 64 // width
    lowest_bits = _ALL // ((_1 << np.uint64(width)) - _1)
    lacking = _0
    to = 0
    at = begin
    while at < end:
        for bit in range(width):
            bits[bit] = _0
        filled = 0
        while filled < 64 and at < end:
            while place[section + 1] <= at:
                section += 1
            rank = at - place[section]
            shift = np.uint64(rank & 63)
            base = value[section] + (rank >> 6) * planes
            count = min(64 - (rank & 63), 64 - filled, place[section + 1] - at, end - at)
            left = _ALL >> np.uint64(64 - count)
            for p in range(planes + 1):
                number = numbers[p] if p < planes else tie
                these = values[base + p] >> shift & left if p < planes else left
                left &= ~these
                if number < 0:
                    lacking |= these
                for bit in range(width):
                    if number >> bit & 1:
                        bits[bit] |= these << np.uint64(filled)
            filled += count
            at += count
        for k in range(0, filled, each):
            word = _0
            for bit in range(width):
                word |= scatter(bits[bit] >> np.uint64(k), lowest_bits << np.uint64(bit))
            for _ in range(min(8, (filled - k) * width + 7 >> 3)):
                out[to] = word & np.uint64(255)
                word >>= np.uint64(8)
                to += 1
    return bool(lacking == _0)


@kernel
def unpack(data: Any, width: int, meant: Any, out: Any) -> bool:
    """Read numbers that lie side by side, the first lowest.

    Args:
        data: the bytes.
        width: the bits of a number: 1, 2, 4 or 8.
        meant: what each number stands for.
        out: receives that.

    Returns:
        Whether there are as many bytes as the numbers take, and each stands for something.
    """
    each = 8 // width
    if data.size != (out.size + each - 1) // each:
        return False
    mask = (1 << width) - 1
    for i in range(data.size):
        byte = np.int64(data[i])
        some = out[i * each : (i + 1) * each]
        for k in range(some.size):
            number = byte >> (k * width) & mask
            if number >= meant.size:
                return False
            some[k] = meant[number]
    return True


@kernel
def unpack_blocks(
    data: Any, ends: Any, blocks: Any, bounds: Any, levels: Any, widths: Any, meant: Any, out: Any
) -> int:
    """Do that for several blocks.

    Args:
        data: the bytes of all blocks.
        ends: where those of each end.
        blocks: the number of each.
        bounds: where the numbers of each block of the table begin, and where the last end.
        levels: the level of each block of the table.
        widths: of each level the bits of a number.
        meant: of each level what a number stands for, -1 for nothing.
        out: receives that where it belongs.

    Returns:
        Which block is not as it is said to be, -1 for none.
    """
    begin = 0
    for n in range(blocks.size):
        block = blocks[n]
        level = levels[block]
        known = 0
        while known < meant.shape[1] and meant[level, known] >= 0:
            known += 1
        here = out[bounds[block] : bounds[block + 1]]
        if not unpack(data[begin : ends[n]], widths[level], meant[level, :known], here):
            return n
        begin = ends[n]
    return -1
