"""The parts of a declared space, and the tables from which ranks are computed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb

RANGE, FREE_SETS, SIZED_SETS, DIFFERENT = range(4)
#: The most combinations of digits that one table decodes.
_MOST_DECODED = 2200
#: The largest size of sets that are listed, and the most listed sets of each size.
_LISTED_SIZE, _MOST_LISTED = 8, 1 << 14


@dataclass(frozen=True)
class Number:
    """The location of an integer in a packed position.

    Attributes:
        word: the index of its word.
        shift: the lowest bit of the integer in the word.
        bits: the number of its bits.
        low: the offset added to the bits to give the integer.
    """

    word: int
    shift: int
    bits: int
    low: int


@dataclass(frozen=True)
class RankedPart:
    """A part of a space.

    Attributes:
        kind: RANGE, FREE_SETS, SIZED_SETS or DIFFERENT.
        numbers: the integers of the part.
        size: the number of combinations of their values.
        low: for RANGE the least number.
        cells: for sets the bits that are cells, ascending; for DIFFERENT one for each possible
            number.
        sizes: for SIZED_SETS the allowed sizes of each set.
    """

    kind: int
    numbers: tuple[Number, ...]
    size: int
    low: int = 0
    cells: tuple[int, ...] = ()
    sizes: tuple[range, ...] = ()


def free_tables(part: RankedPart, stride: int, chunks: int) -> list[int]:
    """Return the slot of each byte of each set, then tables that decode groups of digits."""
    base = len(part.numbers) + 1
    weight = {cell: base**place for place, cell in enumerate(part.cells)}
    tables = [
        stride * (n + 1) * sum(weight.get(8 * chunk + b, 0) for b in range(8) if byte >> b & 1)
        for n in range(len(part.numbers))
        for chunk in range(chunks)
        for byte in range(256)
    ]
    group_size = 1
    while base ** (group_size + 1) <= _MOST_DECODED and group_size < len(part.cells):
        group_size += 1
    step = base**group_size
    groups = [part.cells[k : k + group_size] for k in range(0, len(part.cells), group_size)]
    tables += [step, len(groups)]
    for group in groups:
        for n in range(len(part.numbers)):
            tables += [
                sum(1 << cell for k, cell in enumerate(group) if d // base**k % base == n + 1)
                for d in range(step)
            ]
    return tables


def sized_tables(part: RankedPart) -> list[int]:
    """Return the first rank of each size of each set, then tables for later sets, then binomials.

    For each set, for the cells left and its size: the first rank, -1 if the size is not allowed.
    Then for each set and the cells left after it: the number of ways to choose the other sets. Then
    C(place, c). Then the least and the greatest size of each set. Then for each size the offset of
    its list of first sets, and its length; and these lists, each set as bits.
    """
    side = len(part.cells) + 1
    choices_after = [[1] * side]
    for sizes in reversed(part.sizes):
        row = [
            sum(
                comb(cells_left, c) * choices_after[0][cells_left - c]
                for c in sizes
                if c <= cells_left
            )
            for cells_left in range(side)
        ]
        choices_after.insert(0, row)
    bases = []
    for n, sizes in enumerate(part.sizes):
        for cells_left in range(side):
            offset = 0
            for c in range(side):
                bases.append(offset if c in sizes and c <= cells_left else -1)
                if c in sizes and c <= cells_left:
                    offset += comb(cells_left, c) * choices_after[n + 1][cells_left - c]
    choice_counts = [
        choices_after[n + 1][cells_left]
        for n in range(len(part.sizes))
        for cells_left in range(side)
    ]
    binomials = [comb(place, c) for c in range(side) for place in range(side)]
    tables = bases + choice_counts + binomials
    ends = [(min(sizes, default=0), max(sizes, default=0)) for sizes in part.sizes]
    tables += [size for pair in ends for size in pair]
    lists = [_first_sets(size, side - 1) for size in range(max(most for _, most in ends) + 1)]
    offset = len(tables) + 2 * len(lists)
    for sets in lists:
        tables += [offset, len(sets)]
        offset += len(sets)
    return tables + [cells for sets in lists for cells in sets]


def _first_sets(size: int, places: int) -> list[int]:
    """Return the first sets of a size as bits, in the order of their ranks."""
    if size > _LISTED_SIZE:
        return []
    cell_count = max(n for n in range(places + 1) if comb(n, size) <= _MOST_LISTED)
    return sorted(sum(1 << n for n in members) for members in combinations(range(cell_count), size))
