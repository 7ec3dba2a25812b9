"""The index from packed positions to numbers: a hash table or an array.

The hash table: open addressing, in all places of the slot's cache line first, then in those of the
next. An entry is 64 bits: a tag, and the position's number plus one (0 is an empty entry).
Positions themselves are in ``keys`` in the order of their numbers. The highest bits of a position's
hash give its slot.

If the words of positions have few bits that are not 0, the hash maps the bits of a position one to
one. The tag then has the bits of the hash that the slot leaves open, and how far the entry is
displaced from its slot. So an entry says which position it names, and a look-up is one access. An
entry whose displacement does not fit in the tag is compared with the position that it names. How
many bits of each word count is not known beforehand: the table is rebuilt when a position has more,
which is early and rare. If there are too many, the tag is the upper half of the hash, and a look-up
is one access to the table and one to the position. Accesses are prefetched, a batch at a time,
which hides most of the latency.

A table that grows needs few positions for that: its entries are read and written sequentially.

The array (``direct``) has an entry for every position of a space that is small enough. A look-up is
one access, and similar positions are near each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Integer, Uint32Array, Uint64Array
from zermelo._engine.core.hashing import hash_of, one_to_one_hash, same_key
from zermelo._engine.core.jit import inlined, kernel, light_inlined, light_kernel
from zermelo._engine.core.kernel import interpreted_if_few
from zermelo._engine.core.memory import LARGE, MAPPED, forget, on_stack, peek, prefetch, zeros
from zermelo._engine.index.direct import fill_direct, find_direct, find_one_direct, insert_direct

#: Positions that are prefetched together, while those before are looked up; and the size of a ring
#: of both, and its last index.
BATCH, RING, LAST = 64, 128, 127
#: The last place of a cache line, within the line.
_IN_LINE = 7  # of eight entries
#: Entries of a table moved in one step.
_MOVED_ENTRIES = 1 << 10
_STACK_ENTRIES = _MOVED_ENTRIES + 1
#: The most memory of an array, as a multiple of a hash table's, and the entries that it may always
#: have: its look-up compiles faster.
_DIRECT_FACTOR, _DIRECT_ENTRIES = 4, 1 << 17
#: Entries moved to a larger table by one task; and for a table in huge pages, the entries of a
#: page.
_PART_ENTRIES, _HUGE_PAGE_ENTRIES = 1 << 13, 1 << 18
#: A larger table is rebuilt, as an entry has too few bits of its hash to give its slot.
_MOST_MOVED = 1 << 32
#: The most positions: numbers have 32 bits, one value being reserved for "none".
MOST_POSITIONS = (1 << 32) - 2
#: The most bits of positions that entries identify: displacements need the rest.
_MOST_BITS = 60

#: Calls a function with each of several numbers, in any order.
ForEach = Callable[[Callable[[int], None], Iterable[int]], None]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_WORD = np.uint64(64)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


#: The layout of the entries of a hash table; see ``entry_layout``.
EntryLayout: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@inlined
def entry_layout(
    table: Uint64Array, form: Uint64Array
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the layout of a table's entries.

    Args:
        table: the entries.
        form: the words of a position; the bits of a position if entries identify it, else 0; and
            how many of these bits are in each word.

    Returns:
        The shift that turns a hash into a slot; how many of its highest bits a tag leaves out; the
        bits of a number; and the greatest displacement that a tag has, which stands for greater
        ones too.
    """
    shift = 64
    while table.size >> (64 - shift) > 1:
        shift -= 1
    if form[1] == _ZERO:
        return np.uint64(shift), _ZERO, _HALF, _ZERO
    slot_bits = _WORD - np.uint64(shift)
    most = (_ONE << (_WORD - _ONE - form[1])) - _ONE
    return np.uint64(shift), slot_bits, slot_bits + _ONE, most


@light_inlined
def place_of(slot: Integer, displacement: Integer, mask: Integer) -> Any:
    """Return the place for an entry displaced from its slot: in turn all of a cache line's."""
    line = (slot & ~_IN_LINE) + (displacement & ~_IN_LINE)
    return (line & mask) | ((slot + displacement) & _IN_LINE)


@light_inlined
def prepare_batch(
    rows: Uint64Array,
    begin: int,
    end: int,
    table: Uint64Array,
    form: Uint64Array,
    layout: EntryLayout,
    keys: Uint64Array,
    hashes: Uint64Array,
    displacements: Int64Array,
) -> bool:
    """Prefetch all that looking up some packed positions takes.

    Args:
        rows: packed positions.
        begin: the first position to look up.
        end: the position after the last.
        table: the entries.
        form: the form of positions.
        layout: the layout of entries; see ``entry_layout``.
        keys: packed positions by number.
        hashes: receives the hashes of the positions, in a ring.
        displacements: receives how far from its slot ``seek`` begins to look for each, in a ring.

    Returns:
        Whether no position has bits beyond those of the form.
    """
    shift = layout[0]
    words: Any = np.int64(form[0])
    if form[1] != _ZERO:
        beyond = _ZERO
        for i in range(begin, end):
            mixed, more = one_to_one_hash(rows, i * words, form)
            beyond |= more
            hashes[i & LAST] = mixed
            displacements[i & LAST] = 0
            prefetch(table, np.int64(mixed >> shift))
        return bool(beyond == _ZERO)
    for i in range(begin, end):
        hashes[i & LAST] = hash_of(rows, i * words, words)
        prefetch(table, np.int64(hashes[i & LAST] >> shift))
    mask = table.size - 1
    for i in range(begin, end):
        slot = np.int64(hashes[i & LAST] >> shift)
        tag = hashes[i & LAST] >> _HALF
        displacement = np.int64(0)
        entry = peek(table, slot)
        # A displaced entry is as far from the caches as any other: its position is prefetched too.
        while entry != _ZERO and entry >> _HALF != tag:
            displacement += 1
            entry = peek(table, place_of(slot, displacement, mask))
        displacements[i & LAST] = displacement
        if entry != _ZERO:
            number = np.int64(entry & _LOW) - 1
            prefetch(keys, number * words)
            if words > 1:
                prefetch(keys, number * words + words - 1)
    return True


@light_inlined
def named_near(table: Uint64Array, slot: Integer, tag: np.uint64, layout: EntryLayout) -> np.int64:
    """Return the number of the position with a tag if the first or second place names it, else -1.

    Both are compared at once, as a branch for each would be mispredicted.
    """
    _, _, number_bits, most = layout
    entry = peek(table, slot)
    next_entry = peek(table, (slot & ~_IN_LINE) | ((slot + 1) & _IN_LINE))
    is_here = entry >> number_bits == tag
    is_next = next_entry >> number_bits == tag + _ONE
    if (is_here | is_next) & (most > _ONE):
        chosen = entry if is_here else next_entry
        return np.int64(chosen & ((_ONE << number_bits) - _ONE)) - 1
    return np.int64(-1)


@light_inlined
def seek(
    position_hash: np.uint64,
    displacement: Integer,
    rows: Uint64Array,
    at: int,
    table: Uint64Array,
    form: Uint64Array,
    layout: EntryLayout,
    keys: Uint64Array,
) -> Any:
    """Find the entry of a packed position, or the place where it belongs.

    Args:
        position_hash: its hash.
        displacement: how far from its slot it is at least.
        rows: packed positions.
        at: the index of the position in ``rows``.
        table: the entries.
        form: the form of positions.
        layout: the layout of entries; see ``entry_layout``.
        keys: packed positions by number.

    Returns:
        The place and -1, and what an entry there has but for the number; or any place, the
        position's number and 0.
    """
    shift, left_out, number_bits, most = layout
    mask = table.size - 1
    words: Any = np.int64(form[0])
    slot = np.int64(position_hash >> shift)
    slot_tag = position_hash << left_out >> number_bits
    number = named_near(table, slot, slot_tag, layout)
    if number >= 0:
        return slot, number, _ZERO
    while True:
        place = place_of(slot, displacement, mask)
        tag = slot_tag + min(np.uint64(displacement), most)
        entry = table[place]
        if entry == _ZERO:
            return place, np.int64(-1), tag << number_bits
        if entry >> number_bits == tag:
            number = np.int64(entry & ((_ONE << number_bits) - _ONE)) - 1
            is_identified = np.uint64(displacement) < most
            if is_identified or same_key(rows, at, keys, number * words, words):
                return place, number, _ZERO
        displacement += 1


@light_inlined
def fits(rows: Uint64Array, at: int, form: Uint64Array) -> bool:
    """Whether a packed position has no bits beyond those of its form."""
    beyond = _ZERO
    if form[1] != _ZERO:
        for word in range(np.int64(form[0])):
            beyond |= rows[at + word] >> form[2 + word]
    return bool(beyond == _ZERO)


@light_kernel
def insert(
    positions: Uint64Array,
    count: int,
    table: Uint64Array,
    form: Uint64Array,
    keys: Uint64Array,
    known: int,
    numbers: Uint32Array,
    offset: int,
) -> int:
    """Number ``count`` packed positions; new ones are appended in order.

    Args:
        positions: the packed positions.
        count: the number of positions.
        table: the entries; their number is a power of two, with space for all of ``positions``.
        form: the form of positions; see ``entry_layout``.
        keys: packed positions by number, with space for all of ``positions``.
        known: positions numbered so far.
        numbers: receives the number of each, from index ``offset``.
        offset: the first index in ``numbers``.

    Returns:
        The number of positions numbered now; -1 if one has bits beyond those of the form, after
        which the table must be rebuilt.
    """
    words: Any = np.int64(form[0])
    layout = entry_layout(table, form)
    hashes = on_stack(RING, np.uint64)
    displacements = on_stack(RING, np.int64)
    ready = 0
    for begin in range(0, count, BATCH):
        later = min(begin + 2 * BATCH, count)
        rows = (positions, ready, later)
        if not prepare_batch(*rows, table, form, layout, keys, hashes, displacements):
            return -1
        ready = later
        for i in range(begin, min(begin + BATCH, count)):
            at = i * words
            wanted = (hashes[i & LAST], displacements[i & LAST], positions, at)
            place, number, tag = seek(*wanted, table, form, layout, keys)
            if number < 0:
                for word in range(words):
                    keys[known * words + word] = positions[at + word]
                number = np.int64(known)
                known += 1
                table[place] = tag | np.uint64(known)
            numbers[offset + i] = number
    return known


@light_kernel
def find(
    positions: Uint64Array,
    count: int,
    table: Uint64Array,
    form: Uint64Array,
    keys: Uint64Array,
    numbers: Int64Array,
) -> int:
    """Look up ``count`` packed positions; ``numbers`` receives -1 for a missing one.

    Returns:
        The number of positions found.
    """
    words: Any = np.int64(form[0])
    layout = entry_layout(table, form)
    hashes = on_stack(RING, np.uint64)
    displacements = on_stack(RING, np.int64)
    found_count = ready = 0
    for begin in range(0, count, BATCH):
        later = min(begin + 2 * BATCH, count)
        rows = (positions, ready, later)
        prepare_batch(*rows, table, form, layout, keys, hashes, displacements)
        ready = later
        for i in range(begin, min(begin + BATCH, count)):
            at = i * words
            wanted = (hashes[i & LAST], displacements[i & LAST], positions, at)
            _, number, _ = seek(*wanted, table, form, layout, keys)
            numbers[i] = number if fits(positions, at, form) else -1
            found_count += numbers[i] >= 0
    return found_count


@light_kernel
def find_one(
    position: Uint64Array, table: Uint64Array, form: Uint64Array, keys: Uint64Array
) -> Any:
    """Return the number of one packed position, -1 if it is missing."""
    layout = entry_layout(table, form)
    position_hash = hash_in_form(position, 0, form)
    _, number, _ = seek(position_hash, 0, position, 0, table, form, layout, keys)
    return number if fits(position, 0, form) else np.int64(-1)


@inlined
def hash_in_form(rows: Uint64Array, at: int, form: Uint64Array) -> np.uint64:
    """Return the hash of a packed position; see ``entry_layout``."""
    words: Any = np.int64(form[0])
    if form[1] == _ZERO:
        return hash_of(rows, at, words)
    return one_to_one_hash(rows, at, form)[0]


@light_kernel
def _move_entries(
    table: Uint64Array, begin: int, end: int, form: Uint64Array, larger: Uint64Array
) -> int:
    """Move part of a table to the corresponding part of a larger one of at most 2^32 entries.

    Entries stay behind without a free slot there, as the next part may be in use, and those whose
    tag does not say how far they are displaced.

    Returns:
        The number of entries that stay behind; the numbers in them are in the table from ``begin``
        on.
    """
    shift, left_out, number_bits, most = entry_layout(table, form)
    larger_shift, larger_left_out, larger_number_bits, _ = entry_layout(larger, form)
    growth, mask = larger.size // table.size, larger.size - 1
    low, high = begin * growth, end * growth
    entries = on_stack(_STACK_ENTRIES, np.uint64)
    places = on_stack(_STACK_ENTRIES, np.int64)
    remaining_end = begin
    for first in range(begin, end, _MOVED_ENTRIES):
        count = 0
        for i in range(first, min(first + _MOVED_ENTRIES, end)):  # without a branch to mispredict
            entries[count] = table[i]
            places[count] = i
            count += table[i] != 0
        for i in range(count):
            number = entries[i] & ((_ONE << number_bits) - _ONE)
            tag = entries[i] >> number_bits
            displacement = tag & most
            moved_hash = (tag - displacement) << number_bits >> left_out
            if most != _ZERO:
                moved = np.int64(displacement)
                line = (places[i] & ~_IN_LINE) - (moved & ~_IN_LINE)
                old_slot = (line & (table.size - 1)) | ((places[i] - moved) & _IN_LINE)
                moved_hash |= np.uint64(old_slot) << shift
            slot = np.int64(moved_hash >> larger_shift)
            if (most == _ZERO or displacement < most) and low <= slot < high:
                steps = np.int64(larger[slot] != 0)
                steps += larger[place_of(slot, steps, mask)] != 0
                place = place_of(slot, steps, mask)
                while low <= place < high and larger[place] != 0:
                    steps += 1
                    place = place_of(slot, steps, mask)
                if low <= place < high:
                    tag = moved_hash << larger_left_out >> larger_number_bits
                    tag += min(np.uint64(steps), most)
                    larger[place] = (tag << larger_number_bits) | number
                    continue
            table[remaining_end] = number
            remaining_end += 1
    return remaining_end - begin


@light_kernel
def _enter(numbers: Uint64Array, table: Uint64Array, form: Uint64Array, keys: Uint64Array) -> None:
    """Enter the positions that stayed behind, each by its number plus one."""
    layout = entry_layout(table, form)
    words: Any = np.int64(form[0])
    for number in numbers:
        at = (np.int64(number) - 1) * words
        position_hash = hash_in_form(keys, at, form)
        place, _, tag = seek(position_hash, 0, keys, at, table, form, layout, keys)
        table[place] = tag | number


@kernel
def all_bits(rows: Uint64Array, begin: int, end: int, words: int, out: Uint64Array) -> None:
    """Write which bits of each word are 1 in any of some packed positions."""
    for word in range(words):
        bits = _ZERO
        for i in range(begin * words + word, end * words, words):
            bits |= rows[i]
        out[word] = bits


def entries_for(positions: int) -> int:
    """Return the entries of a table for ``positions``: at most 5/8 of them are used."""
    size = 1 << 6
    while 8 * positions > 5 * size:
        size *= 2
    return size


def for_each_in_order(work: Callable[[int], None], items: Iterable[int]) -> None:
    """Call ``work`` with each item in order."""
    for item in items:
        work(item)


def _larger_table(
    table: Uint64Array, size: int, form: Uint64Array, keys: Uint64Array, for_each: ForEach
) -> Uint64Array:
    """Return a larger table with these entries; memory of the old table is freed progressively."""
    larger = zeros(size, np.uint64)
    part = _HUGE_PAGE_ENTRIES if table.nbytes >= LARGE else _PART_ENTRIES
    left_numbers: list[npt.NDArray[Any]] = []

    def move(begin: int) -> None:
        end = min(begin + part, len(table))
        left_count = _move_entries(table, begin, end, form, larger)
        left_numbers.append(table[begin : begin + left_count].copy())
        forget(table, begin, end)

    for_each(move, range(0, len(table), part))
    _enter(np.concatenate(left_numbers), larger, form, keys)
    return larger


class HashIndex:
    """An index from packed positions to numbers.

    Attributes:
        words: 64-bit words of a packed position.
        used: the bits of a one-word position that may differ from 0.
        direct_entries: the memory of an array with an entry for every position, in units of 8
            bytes.
        form: the form of positions in the hash table; see ``entry_layout``.
    """

    def __init__(self, words: int, used: int = (1 << 64) - 1) -> None:
        """Create an empty index.

        Args:
            words: 64-bit words of a packed position.
            used: the bits of a one-word position that may differ from 0.
        """
        self.words = words
        self.direct_entries = ((1 << used.bit_count()) + 1) // 2
        self.used = np.uint64(used)
        self.form: Uint64Array = np.zeros(2 + words, np.uint64)
        is_known = words == 1 and used.bit_length() <= _MOST_BITS
        self._set_form([used if is_known else 0] * words)
        self._direct: Uint32Array | None = None
        self._table: npt.NDArray[Any] = np.empty(0, np.uint64)
        empty = np.empty(0, np.uint64)
        self.grow(1 << 10, empty, 0, direct=self.suits_direct(1 << 10))

    def _set_form(self, bits: list[int]) -> None:
        """Extend the form by these bits of each word."""
        widths = [max(word.bit_length(), int(self.form[2 + n])) for n, word in enumerate(bits)]
        identified = max(2, sum(widths))
        self.form = np.array(
            [self.words, identified if identified <= _MOST_BITS else 0, *widths], np.uint64
        )

    @property
    def entered(self) -> npt.NDArray[Any]:
        """The hash table, or the array: numbers plus one with a tag, or without."""
        return self._table if self._direct is None else self._direct

    @property
    def is_direct(self) -> bool:
        """Whether the index is an array with an entry for every position."""
        return self._direct is not None

    @property
    def entries(self) -> int:
        """The memory of the index, in units of 8 bytes."""
        return self.direct_entries if self._direct is not None else len(self._table)

    def is_full(self, positions: int) -> bool:
        """Whether the index must grow before it can hold ``positions``."""
        return self._direct is None and 8 * positions > 5 * len(self._table)

    def suits_direct(self, size: int) -> bool:
        """Whether an array is small, or not much larger than a hash table of ``size`` entries."""
        return self.words == 1 and self.direct_entries <= max(
            _DIRECT_FACTOR * size, _DIRECT_ENTRIES
        )

    def grow(
        self,
        size: int,
        keys: Uint64Array,
        known: int,
        *,
        direct: bool,
        for_each: ForEach = for_each_in_order,
    ) -> None:
        """Rebuild the index as a hash table of ``size`` entries, or as an array.

        Args:
            size: a power of two.
            keys: packed positions by number.
            known: the number of positions, all entered in the index.
            direct: whether to build an array.
            for_each: calls a function with each of several numbers, in any order.
        """
        if self._table.nbytes >= MAPPED and len(self._table) < size <= _MOST_MOVED and not direct:
            self._table = _larger_table(self._table, size, self.form, keys, for_each)
            return
        self._table = np.empty(0, np.uint64)
        if direct:
            self._direct = zeros(2 * self.direct_entries, np.uint32)
            if known:
                fill_direct(self._direct, self.used, keys, known)
            return
        self._direct = None
        self._table = zeros(size, np.uint64)
        if known:
            self._set_form(self._bits_of(keys, known).tolist())
        numbers = np.empty(min(known, _PART_ENTRIES), np.uint32)
        for begin in range(0, known, _PART_ENTRIES):  # in order, so that the numbers do not change
            count = min(_PART_ENTRIES, known - begin)
            positions = keys[begin * self.words :]
            insert(positions, count, self._table, self.form, keys, begin, numbers, 0)

    def widen(self, bits: Uint64Array, keys: Uint64Array, known: int) -> None:
        """Rebuild the hash table if some positions have bits that are not in its form yet.

        Args:
            bits: the bits of each word that are 1 in any of the positions.
            keys: packed positions by number.
            known: the number of positions, all entered in the index.
        """
        if self.form[1] and np.any(bits >> self.form[2:]):
            self._set_form(bits.tolist())
            self.grow(len(self._table), keys, known, direct=False)

    def _bits_of(self, positions: Uint64Array, count: int) -> Uint64Array:
        """Return the bits of each word that are 1 in any of ``count`` packed positions."""
        bits: Uint64Array = np.zeros(self.words, np.uint64)
        all_bits(positions, 0, count, self.words, bits)
        return bits

    @property
    def arrays(self) -> tuple[npt.NDArray[Any], Uint64Array, Uint32Array, np.uint64]:
        """The hash table and its form; the array, or an empty one, and its ``used`` bits."""
        direct = np.empty(0, np.uint32) if self._direct is None else self._direct
        return self._table, self.form, direct, self.used

    def insert(
        self,
        positions: Uint64Array,
        count: int,
        keys: Uint64Array,
        known: int,
        numbers: Uint32Array,
        offset: int,
    ) -> int:
        """Number ``count`` packed positions; arguments as for the kernel ``insert``.

        There must be space for them. Returns the number of positions numbered now.
        """
        if self._direct is not None:
            new_count = insert_direct(
                positions, count, self._direct, self.used, keys, known, numbers, offset
            )
            if new_count >= 0:
                return int(new_count)
            # A position is outside the declared space, though its fields fit their bits.
            self.grow(entries_for(known + count), keys, known, direct=False)
        given = (keys, known, numbers, offset)
        new_count = int(insert(positions, count, self._table, self.form, *given))
        if new_count < 0:
            self.widen(self._bits_of(positions, count), keys, known)
            new_count = int(insert(positions, count, self._table, self.form, *given))
        return new_count

    def find(
        self,
        positions: Uint64Array,
        count: int,
        keys: Uint64Array,
        numbers: Int64Array,
    ) -> int:
        """Look up ``count`` packed positions; arguments as for the kernel ``find``."""
        if self._direct is not None:
            look_up = interpreted_if_few(find_direct, count)
            return int(look_up(positions, count, self._direct, self.used, numbers))
        look_up = interpreted_if_few(find, count)
        return int(look_up(positions, count, self._table, self.form, keys, numbers))

    def finder(
        self,
        position: Uint64Array,
        keys: Uint64Array,
    ) -> Callable[[], int]:
        """Return a function that gives the number of the position in ``position``, or -1.

        The function refers to the current arrays, so the index must not grow afterwards.
        """
        if self._direct is not None:
            return partial(find_one_direct, position, self._direct, self.used)
        return partial(find_one, position, self._table, self.form, keys)
