"""Slots: a perfect numbering of a declared space, in closed form.

A space is a sequence of parts, and a slot is the parts' ranks in mixed radix. There are four kinds
of parts, each with a loop of its own over a block of positions, so that one set of kernels serves
all games and still takes a few nanoseconds a position:

* a number within a range;
* disjoint sets of cells of any size: each cell is a digit that identifies its set, and a table has
  the sum for each byte of each set;
* disjoint sets of given sizes: for each set its size, then its rank among the sets of that size
  within the cells that are left, in the combinatorial number system (Knuth, The Art of Computer
  Programming 4A, 7.2.1.3);
* different numbers below *n*, such as the squares of pieces, or all of them, a permutation: each is
  counted among the numbers not used yet (Lehmer's code).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.bits import gather, lowest, ones, scatter
from zermelo._engine.core.jit import inlined, kernel, light_kernel
from zermelo._engine.core.memory import on_stack
from zermelo._engine.index.rank_tables import (
    DIFFERENT,
    FREE_SETS,
    RANGE,
    SIZED_SETS,
    RankedPart,
    free_tables,
    sized_tables,
)

#: Positions of a block, which is processed part by part.
_BLOCK = 512
#: Columns of a programme: kind, first integer, integers, size, stride, then data of the kind.
_KIND, _FIRST, _COUNT, _SIZE, _STRIDE, _TABLE, _EXTRA, _CELLS = range(8)
_ZERO = np.uint64(0)
_ONE = np.uint64(1)
_BYTE = np.uint64(255)


@inlined
def _read(
    packed: Uint64Array, begin: int, size: int, words: int, number: Int64Array, column: Uint64Array
) -> None:
    """Write the bits of one integer of some positions; the loop is vectorised."""
    word, shift, mask = number[0], np.uint64(number[1]), np.uint64(number[2])
    if words == 1:
        for i in range(size):
            column[i] = (packed[begin + i] >> shift) & mask
    else:
        for i in range(size):
            column[i] = (packed[(begin + i) * words + word] >> shift) & mask


@inlined
def _write(
    packed: Uint64Array, begin: int, size: int, words: int, number: Int64Array, column: Uint64Array
) -> None:
    """Add the bits of one integer to some positions."""
    word, shift, mask = number[0], np.uint64(number[1]), np.uint64(number[2])
    if words == 1:
        for i in range(size):
            packed[begin + i] |= (column[i] & mask) << shift
    else:
        for i in range(size):
            packed[(begin + i) * words + word] |= (column[i] & mask) << shift


@inlined
def _split(numbers: Int64Array, size: int, divisor: int, digits: Int64Array) -> None:
    """Divide numbers below 2 to the 52nd in place; the remainders go to ``digits``.

    The quotient is computed with the floating-point inverse, and corrected by one if needed: that
    is vectorised, unlike integer division.
    """
    inverse = 1.0 / np.float64(divisor)
    for i in range(size):
        quotient = np.int64(np.float64(numbers[i]) * inverse)
        remainder = numbers[i] - quotient * divisor
        is_negative = np.int64(remainder < 0)
        quotient -= is_negative
        remainder += is_negative * divisor
        is_excess = np.int64(remainder >= divisor)
        numbers[i] = quotient + is_excess
        digits[i] = remainder - is_excess * divisor


@light_kernel
def rank(
    packed: Uint64Array,
    count: int,
    words: int,
    programme: Int64Array,
    numbers: Int64Array,
    tables: Int64Array,
    out: Int64Array,
) -> int:
    """Write the slots of packed positions, -1 outside the space; return the number inside."""
    invalid = on_stack(_BLOCK, np.uint64)
    used = on_stack(_BLOCK, np.uint64)
    column = on_stack(_BLOCK, np.uint64)
    slots = on_stack(_BLOCK, np.int64)
    valid_count = 0
    for begin in range(0, count, _BLOCK):
        size = min(_BLOCK, count - begin)
        invalid[:size] = _ZERO
        slots[:size] = 0
        for p in range(programme.shape[0]):
            kind = programme[p, _KIND]
            first = programme[p, _FIRST]
            if kind == RANGE and numbers[first, 2] == 0:
                continue  # a range of one number takes no bits
            number_count = programme[p, _COUNT]
            stride = programme[p, _STRIDE]
            table = programme[p, _TABLE]
            extra = programme[p, _EXTRA]
            cells = np.uint64(programme[p, _CELLS])
            if kind == RANGE:
                _read(packed, begin, size, words, numbers[first], column)
                low, most = np.uint64(numbers[first, 3]), np.uint64(programme[p, _SIZE])
                factor = np.uint64(stride)
                for i in range(size):
                    value = column[i] - low
                    invalid[i] |= np.uint64(value >= most)
                    slots[i] += np.int64(value * factor)
            elif kind == FREE_SETS:
                used[:size] = _ZERO
                for n in range(number_count):
                    _read(packed, begin, size, words, numbers[first + n], column)
                    for i in range(size):
                        invalid[i] |= (column[i] & ~cells) | (column[i] & used[i])
                        used[i] |= column[i]
                    offset = table + n * extra * 256
                    for chunk in range(extra):
                        for i in range(size):
                            byte = (column[i] >> np.uint64(8 * chunk)) & _BYTE
                            slots[i] += tables[offset + np.int64(byte)]
                        offset += 256
            elif kind == SIZED_SETS:
                side = extra + 1
                all_cells = (_ONE << np.uint64(extra)) - _ONE
                used[:size] = _ZERO
                for n in range(number_count):
                    _read(packed, begin, size, words, numbers[first + n], column)
                    for i in range(size):
                        members = gather(column[i], cells)
                        invalid[i] |= (column[i] & ~cells) | (members & used[i])
                        cells_left = extra - ones(used[i])
                        remaining = gather(members, all_cells & ~used[i])
                        used[i] |= members
                        set_size = ones(remaining)
                        # The first rank of this size, then the ways for the sets after this one.
                        base = tables[table + (n * side + cells_left) * side + set_size]
                        invalid[i] |= np.uint64(base < 0)
                        later_ways = tables[
                            table + (number_count * side + n) * side + cells_left - set_size
                        ]
                        order = np.int64(0)
                        binomials = table + (number_count * side + number_count) * side
                        while remaining != _ZERO:
                            binomials += side
                            order += tables[binomials + lowest(remaining)]
                            remaining &= remaining - _ONE
                        slots[i] += (base + order * later_ways) * stride
            else:
                used[:size] = _ZERO
                factor = np.uint64(stride)
                for n in range(number_count - 1, 0, -1):
                    factor *= np.uint64(extra - n)
                for n in range(number_count):
                    _read(packed, begin, size, words, numbers[first + n], column)
                    for i in range(size):
                        invalid[i] |= np.uint64(column[i] >= np.uint64(extra))
                        bit = _ONE << (column[i] & np.uint64(63))
                        invalid[i] |= used[i] & bit
                        inner = np.int64(column[i]) - ones(used[i] & (bit - _ONE))
                        slots[i] += inner * np.int64(factor)
                        used[i] |= bit
                    factor //= np.uint64(max(extra - n - 1, 1))
        for i in range(size):
            is_valid = invalid[i] == _ZERO
            out[begin + i] = slots[i] if is_valid else -1
            valid_count += is_valid
    return valid_count


@kernel
def _unrank(
    slots: Int64Array,
    count: int,
    words: int,
    programme: Int64Array,
    numbers: Int64Array,
    tables: Int64Array,
    packed: Uint64Array,
) -> None:
    """Write the packed positions in slots."""
    remaining = np.empty(_BLOCK, np.int64)
    digits = np.empty(_BLOCK, np.int64)
    group = np.empty(_BLOCK, np.int64)
    used = np.empty(_BLOCK, np.uint64)
    column = np.empty(_BLOCK, np.uint64)
    most = 0
    for p in range(programme.shape[0]):
        if programme[p, _KIND] == DIFFERENT:
            most = max(most, programme[p, _COUNT])
    columns = np.empty((most, _BLOCK), np.uint64)
    for begin in range(0, count, _BLOCK):
        size = min(_BLOCK, count - begin)
        packed[begin * words : (begin + size) * words] = _ZERO
        # In a loop: for a copy of slices, Numba compiles an error message for seconds.
        for i in range(size):
            remaining[i] = slots[begin + i]
        for p in range(programme.shape[0] - 1, -1, -1):
            kind = programme[p, _KIND]
            first = programme[p, _FIRST]
            if kind == RANGE and numbers[first, 2] == 0:
                continue
            number_count = programme[p, _COUNT]
            table = programme[p, _TABLE]
            extra = programme[p, _EXTRA]
            cells = np.uint64(programme[p, _CELLS])
            if p == 0:
                for i in range(size):
                    digits[i] = remaining[i]
            else:
                _split(remaining, size, programme[p, _SIZE], digits)
            if kind == RANGE:
                low = numbers[first, 3]
                for i in range(size):
                    column[i] = np.uint64(digits[i] + low)
                _write(packed, begin, size, words, numbers[first], column)
            elif kind == FREE_SETS:
                # The decoding tables follow the encoding ones: each decodes several cells.
                offset = table + number_count * extra * 256
                step = tables[offset]
                chunks = tables[offset + 1]
                offset += 2
                for _ in range(chunks):
                    _split(digits, size, step, group)
                    for n in range(number_count):
                        for i in range(size):
                            column[i] = np.uint64(tables[offset + n * step + group[i]])
                        _write(packed, begin, size, words, numbers[first + n], column)
                    offset += number_count * step
            elif kind == SIZED_SETS:
                side = extra + 1
                all_cells = (_ONE << np.uint64(extra)) - _ONE
                used[:] = _ZERO
                for n in range(number_count):
                    binomials = table + (number_count * side + number_count) * side
                    choices = binomials + side * side
                    least, most_chosen = tables[choices + 2 * n], tables[choices + 2 * n + 1]
                    size_lists = choices + 2 * number_count
                    for i in range(size):
                        cells_left = extra - ones(used[i])
                        bases = table + (n * side + cells_left) * side
                        set_size = least
                        for c in range(least + 1, min(most_chosen, cells_left) + 1):
                            if 0 <= tables[bases + c] <= digits[i]:
                                set_size = c
                        rank = digits[i] - tables[bases + set_size]
                        later_ways = tables[
                            table + (number_count * side + n) * side + cells_left - set_size
                        ]
                        order = rank // later_ways
                        digits[i] = rank - order * later_ways
                        members = _ZERO
                        place = cells_left - 1
                        c = set_size
                        # Small ranks are looked up; higher members are found by search.
                        while order >= tables[size_lists + 2 * c + 1]:
                            while tables[binomials + c * side + place] > order:
                                place -= 1
                            order -= tables[binomials + c * side + place]
                            members |= _ONE << np.uint64(place)
                            place -= 1
                            c -= 1
                        members |= np.uint64(tables[tables[size_lists + 2 * c] + table + order])
                        members = scatter(members, all_cells & ~used[i])
                        used[i] |= members
                        column[i] = scatter(members, cells)
                    _write(packed, begin, size, words, numbers[first + n], column)
            else:
                for n in range(number_count - 1, 0, -1):
                    _split(digits, size, extra - n, group)
                    for i in range(size):
                        columns[n, i] = np.uint64(group[i])
                used[:] = ~_ZERO
                for n in range(number_count):
                    for i in range(size):
                        number = np.uint64(digits[i]) if n == 0 else columns[n, i]
                        bit = scatter(_ONE << number, used[i])
                        used[i] &= ~bit
                        column[i] = np.uint64(lowest(bit))
                    _write(packed, begin, size, words, numbers[first + n], column)


class Ranking:
    """The bijection between packed positions and slots.

    Attributes:
        words: 64-bit words of a packed position.
        slots: the number of slots; they are numbered from 0.
        spans: ranges of slots, begin and end, outside of which there are no positions.
        arrays: the arguments of the kernels: the parts, their integers, and tables.
    """

    def __init__(
        self,
        words: int,
        parts: Sequence[RankedPart],
        spans: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        """Create the tables.

        Args:
            words: 64-bit words of a packed position.
            parts: the parts of the space, the most significant first; every integer is in one.
            spans: ranges of slots that may have positions; by default all.
        """
        self.words = words
        strides = [1]
        for part in reversed(parts):
            strides.insert(0, strides[0] * part.size)
        self.slots = strides[0]
        self.spans = [(0, self.slots)] if spans is None else list(spans)
        tables: list[int] = []
        rows = []
        numbers: list[tuple[int, ...]] = []
        for part, stride in zip(parts, strides[1:], strict=True):
            cells = sum(1 << cell for cell in part.cells) if part.kind != DIFFERENT else 0
            extra = len(part.cells)
            if part.kind == FREE_SETS:
                extra = part.cells[-1] // 8 + 1
            row = (part.kind, len(numbers), len(part.numbers), part.size, stride, len(tables))
            rows.append((*row, extra, cells))
            for number in part.numbers:
                mask = ((1 << number.bits) - 1 + (1 << 63)) % (1 << 64) - (1 << 63)
                offset = part.low - number.low if part.kind == RANGE else 0
                numbers.append((number.word, number.shift, mask, offset))
            if part.kind == FREE_SETS:
                tables += free_tables(part, stride, extra)
            elif part.kind == SIZED_SETS:
                tables += sized_tables(part)
        self.arrays = (
            np.array(rows, np.int64),
            np.array(numbers, np.int64),
            np.array(tables or [0], np.int64),
        )

    def rank(self, packed: Uint64Array, count: int, out: Int64Array) -> int:
        """Write the slots of ``count`` packed positions, -1 outside the space.

        Returns:
            The number of positions in the space.
        """
        return int(rank(packed, count, self.words, *self.arrays, out))

    def evenly(self, count: int) -> list[int]:
        """Return the begins of ``count`` ranges of slots with equally many slots in the spans.

        The last number is the end of all slots.
        """
        ends = np.cumsum([end - begin for begin, end in self.spans])
        cuts = [0]
        for n in range(1, count):
            target = int(ends[-1]) * n // count
            span = int(np.searchsorted(ends, target, side="right"))
            cuts.append(self.spans[span][1] - (int(ends[span]) - target))
        return [*cuts, self.slots]

    def unranked(self, slots: Int64Array) -> Uint64Array:
        """Return the packed positions of slots."""
        packed = np.empty(len(slots) * self.words, np.uint64)
        self.unrank(slots, len(slots), packed)
        return packed

    def unrank(self, slots: Int64Array, count: int, packed: Uint64Array) -> None:
        """Write the packed positions in ``count`` slots."""
        _unrank(slots, count, self.words, *self.arrays, packed)
