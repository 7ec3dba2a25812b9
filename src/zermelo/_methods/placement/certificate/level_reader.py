"""Readers of levels for the certificate, from memory or from a file."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from zermelo._engine.column import codes
from zermelo._engine.core.array_types import BoolArray, Int32Array, Int64Array, Uint64Array
from zermelo._engine.core.bits import gather
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.scratch import is_file, release_pages
from zermelo._methods.placement.certificate.plan import CertificatePlan, LevelParts
from zermelo._methods.placement.certificate.tiers import ALL, ONE, ZERO
from zermelo._methods.placement.layout import sums

#: The share of the memory for mapped parts of files, as a divisor.
_FILES = 16
#: Words of a plane that are decoded in one batch.
_WORDS_PER_BATCH = 64

Words: TypeAlias = Uint64Array


class LevelWords(NamedTuple):
    """The words and values of some stretches.

    Attributes:
        words: the words.
        first_word: the number of the first word.
        values: the planes.
        bases: the index of each stretch's first value among the planes.
        positions_before: the number of positions before its first in that word.
        has_impossible: whether there is an impossible value.
    """

    words: Words
    first_word: int
    values: Words
    bases: Int64Array
    positions_before: Int64Array
    has_impossible: bool = False


class InMemory:
    """The reader of a table in memory or in mapped files, whose arrays need no conversion."""

    def __init__(self, table: Any, plan: CertificatePlan, allowed: int) -> None:
        self.table = table
        #: Words of files that have been read, and the number after which they are released.
        self._words_read, self._most = 0, allowed // _FILES // 8
        self._on_disk = is_file(table.index.stored) or is_file(table.column.stored)
        table_planes = table.column.planes
        flat = [plane for planes in plan.planes for plane in planes]
        value_begins = sums(
            (np.diff(table.index.directory.place) + 63)
            // 64
            * np.repeat(list(map(len, plan.planes)), plan.stretches)
        )
        self.is_readable = (
            np.array_equal(table_planes.begin, sums(list(map(len, plan.planes))))
            and np.array_equal(table_planes.whose, [winner for winner, _ in flat])
            and np.array_equal(
                table_planes.ply, [ply if plan.timed else codes.UNTIMED for _, ply in flat]
            )
            and np.array_equal(table.index.directory.value, value_begins)
            and len(table.column.stored) == value_begins[-1]
            and len(table.index.stored) == table.index.directory.word[-1]
        )

    def buffers(self, _: LevelParts) -> None:
        """Return None: no buffers are needed."""

    def read_stretches(self, _: int, first: int, end: int, __: None) -> LevelWords:
        """Return some stretches of a level; see ``InFile``."""
        table = self.table
        bases = table.index.directory.value[first:end]
        if self._on_disk:
            word, value = table.index.directory.word, table.index.directory.value
            self._words_read += int(word[end] - word[first] + value[end] - value[first])
            if self._words_read > self._most:
                self._words_read = 0
                release_pages(table.index.stored, table.column.stored)
        return LevelWords(
            table.index.stored, 0, table.column.stored, bases, np.zeros(end - first, np.int64)
        )


class InFile:
    """The reader of a table in a file, whose values are converted to planes."""

    def __init__(self, table: Any, plan: CertificatePlan) -> None:
        self.table = table
        self.plan = plan
        self.is_readable = bool((table.column.palette[1:] > table.column.palette[:-1]).all())
        self._numberings: dict[int, tuple[Any, ...]] = {}
        #: How often each number occurs among the values of a level, for each part that was read.
        self._counts: list[tuple[int, Int64Array]] = []

    def buffers(self, parts: LevelParts) -> tuple[Words, Words]:
        """Return a thread's buffers: for a part's words, and for its planes."""
        words, values = parts.read_words(self.table.index.directory, self.table.column.per_block)
        return np.zeros(words, np.uint64), np.zeros(max(values, 1), np.uint64)

    def read_stretches(
        self, n: int, first: int, end: int, buffers: tuple[Words, Words]
    ) -> LevelWords:
        """Read some stretches of a level.

        Args:
            n: the level.
            first: the first stretch, as the table counts stretches.
            end: the stretch after the last.
            buffers: receives the words and planes.
        """
        table, directory = self.table, self.table.index.directory
        words, planes = buffers
        word = directory.word
        group, last, first_word, _ = table.index.groups_between(word.item(first), word.item(end))
        if last > group:
            table.index.write_words(group, last, first_word, words)
        if n not in self._numberings:
            self._numberings[n] = self._numbers(n)
        count, width, value_count, impossible, least, below = self._numberings[n]
        place = directory.place[first : end + 1] - directory.place[directory.level_section[n]]
        begin, place_end = place.item(0), place.item(-1)
        block, block_end = begin // table.column.per_block, -(-place_end // table.column.per_block)
        block_end = max(block_end, block)
        low, high = block * table.column.per_block, min(block_end * table.column.per_block, count)
        has_impossible = False
        if place_end > begin:
            packed = table.column.packed_values(n, block, block_end)
            counts = np.zeros(1 << width, np.int64)
            count_numbers(packed, width, begin - low, place_end - low, counts)
            self._counts.append((n, counts))
            has_impossible = bool(
                write_planes(
                    high - low, packed, width, value_count, impossible, least, below, planes
                )
            )
        offsets = place[:-1] - low
        return LevelWords(
            words, first_word, planes, offsets // 64 * len(least), offsets % 64, has_impossible
        )

    def remember_counts(self) -> None:
        """Pass the number of times each value occurs to the table, once each level was read."""
        column = self.table.column
        total = np.zeros(len(column.palette), np.int64)
        for n, counts in self._counts:
            listed = column.level_blocks.listed[n]
            total[listed] += counts[: len(listed)]
        column.remember_counts(total)

    def _numbers(self, n: int) -> tuple[Any, ...]:
        """Return the facts of a level's numbers, as ``write_planes`` takes them."""
        directory = self.table.index.directory
        first, end = directory.place[directory.level_section[n : n + 2]]
        _, width, values = self.table.column.level_layout(n)
        is_possible = [self._is_possible(code, n) for code in values.tolist()]
        impossible = np.flatnonzero(np.logical_not(is_possible))
        return int(end - first), width, len(values), impossible, *self._limits(values, n)

    def _is_possible(self, code: int, level: int) -> bool:
        """Return whether a position of a level can have a value."""
        plan = self.plan
        outcome, remoteness = codes.decode(code)
        if outcome == 0:
            return remoteness == plan.size - level
        winner = 1 - level % 2 if outcome > 0 else level % 2
        if plan.timed:
            return remoteness is not None and (winner, level + remoteness) in plan.planes[level]
        return remoteness is None and any(winner == plane[0] for plane in plan.planes[level])

    def _limits(self, values: Int32Array, level: int) -> tuple[Int64Array, BoolArray]:
        """Return, by plane, the index in the list where its values begin, or where they end."""
        least, below = [], []
        for winner, ply in self.plan.planes[level]:
            slowest = codes.LAST - (ply - level if self.plan.timed else codes.UNTIMED)
            is_own_win = winner == 1 - level % 2
            limit = np.searchsorted(values, slowest if is_own_win else 1 - slowest)
            least.append(int(limit))
            below.append(not is_own_win)
        return np.array(least, np.int64), np.array(below, np.bool_)


@kernel
def count_numbers(
    packed: Uint64Array, width: int, begin: int, end: int, counts: Int64Array
) -> None:
    """Add to ``counts`` the number of times each number occurs.

    Args:
        packed: the numbers, side by side, the first lowest.
        width: the bits of a number: 1, 2, 4 or 8.
        begin: the first number that counts.
        end: the number after the last.
        counts: by number.
    """
    per_word = 64 // width
    first, last = (begin + per_word - 1) // per_word, end // per_word
    mask = (ONE << np.uint64(width)) - ONE
    for ends in ((begin, min(end, first * per_word)), (max(begin, last * per_word), end)):
        for i in range(ends[0], ends[1]):
            shift = np.uint64(i % per_word * width)
            counts[np.int64(packed[i // per_word] >> shift & mask)] += 1
        if first > last:
            return
    # A row for each byte of a word, as each addition waits for the one before in its place.
    bytes_counted = np.zeros((8, 256), np.int64)
    for i in range(first, last):
        word = packed[i]
        for k in range(8):
            bytes_counted[k, np.int64(word & np.uint64(255))] += 1
            word >>= np.uint64(8)
    for byte in range(256):
        count = np.int64(0)
        for k in range(8):
            count += bytes_counted[k, byte]
        for low in range(0, 8, width):
            counts[byte >> low & np.int64(mask)] += count


@kernel
def write_planes(
    count: int,
    packed: Uint64Array,
    width: int,
    value_count: int,
    impossible: Int64Array,
    least: Int64Array,
    below: BoolArray,
    out: Uint64Array,
) -> bool:
    """Convert numbers to planes, 64 to a word.

    Args:
        count: the number of numbers.
        packed: the numbers, side by side, the first lowest.
        width: the bits of a number: 1, 2, 4 or 8.
        value_count: the number of valid numbers, which are less than it.
        impossible: the numbers of values that no position here can have.
        least: for each plane the least number in it, unless ``below``;
        below: then it is the least number that is not in the plane.
        out: receives the planes.

    Returns:
        Whether there is an invalid or impossible number.
    """
    planes = least.size
    bits = np.zeros((8, _WORDS_PER_BATCH), np.uint64)
    at_least = np.empty(_WORDS_PER_BATCH, np.uint64)
    above = np.empty(_WORDS_PER_BATCH, np.uint64)
    wrong = np.empty(_WORDS_PER_BATCH, np.uint64)
    per_word = np.uint64(64 // width)
    lowest = ALL // ((ONE << np.uint64(width)) - ONE)
    invalid_bits = ZERO
    all_groups = (count + 63) // 64
    for first in range(0, all_groups, _WORDS_PER_BATCH):
        groups = min(_WORDS_PER_BATCH, all_groups - first)
        for g in range(groups):
            numbers = packed[(first + g) * width : (first + g + 1) * width]
            for bit in range(width):
                word = ZERO
                for k in range(width):
                    mask = lowest << np.uint64(bit)
                    word |= gather(numbers[k], mask) << (np.uint64(k) * per_word)
                bits[bit, g] = word
        target = out[first * planes : (first + groups) * planes]
        for p in range(planes):
            _not_below(bits, width, least[p], at_least)
            flip = ALL if below[p] else ZERO
            for g in range(groups):
                target[g * planes + p] = at_least[g] ^ flip
        _not_below(bits, width, value_count, wrong)
        for k in range(impossible.size):
            _not_below(bits, width, impossible[k], at_least)
            _not_below(bits, width, impossible[k] + 1, above)
            for g in range(groups):
                wrong[g] |= at_least[g] & ~above[g]
        for g in range(groups):
            valid_count = min(count - 64 * (first + g), 64)
            invalid_bits |= wrong[g] << np.uint64(64 - valid_count)
    return bool(invalid_bits != ZERO)


@inlined
def _not_below(bits: Uint64Array, width: int, limit: int, out: Uint64Array) -> None:
    """Write the mask of the numbers, stored bit by bit, that are at least a limit."""
    if limit >> width:
        for g in range(out.size):
            out[g] = ZERO
        return
    # From the lowest bit on: a number equal to the limit has a 1 wherever the limit has.
    for g in range(out.size):
        out[g] = ALL
    for bit in range(width):
        row = bits[bit]
        if limit >> bit & 1:
            for g in range(out.size):
                out[g] &= row[g]
        else:
            for g in range(out.size):
                out[g] |= row[g]
