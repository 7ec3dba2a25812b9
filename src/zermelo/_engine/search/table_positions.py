"""Positions whose values are known from solved tables: leaves of a search.

They are in a hash table with linear probing. A search only checks whether a position is in it, so
it stores the positions themselves with a number each, and no list.
"""

from __future__ import annotations

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int32Array, Int64Array, Uint64Array
from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel, light_spliced
from zermelo._engine.core.memory import zeros

#: Slots for each position.
_SLOTS_PER_POSITION = 1.6

_HALF = np.uint64(32)
_ONE = np.uint64(1)


@light_spliced
def find_position(
    slots: Uint64Array, places: int, keys: Uint64Array, offset: int, words: int
) -> np.int64:
    """Return the slot of a position, or -1 if it is missing.

    A position is stored with its last word plus 1, so that an empty slot has a 0 there.
    """
    place = np.int64(((hash_of(keys, offset, words) >> _HALF) * np.uint64(places)) >> _HALF)
    last = keys[offset + words - 1] + _ONE
    while True:
        stored_word = slots[(place + 1) * words - 1]
        if stored_word == 0:
            return np.int64(-1)
        if stored_word == last:
            is_equal = True
            for word in range(words - 1):
                if slots[place * words + word] != keys[offset + word]:
                    is_equal = False
            if is_equal:
                return np.int64(place)
        place += 1
        if place == places:
            place = np.int64(0)


@kernel
def _add_positions(
    slots: Uint64Array, values: Int32Array, keys: Uint64Array, new_values: Int32Array, words: int
) -> int:
    """Enter positions with their values; return the number of new ones."""
    places = values.size
    entered = 0
    for row in range(new_values.size):
        last = keys[(row + 1) * words - 1] + _ONE
        if last == 0:  # it would look like an empty slot; the search then does not stop at it
            continue
        key_hash = hash_of(keys, row * words, words)
        place = np.int64(((key_hash >> _HALF) * np.uint64(places)) >> _HALF)
        while True:
            is_equal = slots[(place + 1) * words - 1] == last
            for word in range(words - 1):
                if slots[place * words + word] != keys[row * words + word]:
                    is_equal = False
            if is_equal:
                break
            if slots[(place + 1) * words - 1] == 0:
                for word in range(words - 1):
                    slots[place * words + word] = keys[row * words + word]
                slots[(place + 1) * words - 1] = last
                values[place] = new_values[row]
                entered += 1
                break
            place += 1
            if place == places:
                place = np.int64(0)
    return entered


@kernel
def _look_up(
    slots: Uint64Array,
    values: Int32Array,
    keys: Uint64Array,
    words: int,
    is_found: BoolArray,
    out: Int64Array,
) -> None:
    for row in range(is_found.size):
        place = find_position(slots, values.size, keys, row * words, words)
        is_found[row] = place >= 0
        out[row] = values[place] if place >= 0 else 0


class TablePositions:
    """Positions with their values for the player to move.

    Attributes:
        words: words of a packed position.
        slots: the positions by slot.
        values: their values: a score, or the distance of a win or a loss as in
            ``values.proof_values``.
        count: the number of positions.
    """

    def __init__(self, words: int, capacity: int) -> None:
        """Create an empty hash table.

        Args:
            words: words of a packed position.
            capacity: the capacity in positions.
        """
        self.words, self.count = words, 0
        places = int(_SLOTS_PER_POSITION * capacity) + 1 if capacity else 0
        self.slots: Uint64Array = zeros(places * words, np.uint64)
        self.values: Int32Array = zeros(places, np.int32)

    @staticmethod
    def bytes_for(words: int, capacity: int) -> int:
        """Return the bytes of a table for ``capacity`` positions."""
        return (int(_SLOTS_PER_POSITION * capacity) + 1) * (8 * words + 4)

    @property
    def nbytes(self) -> int:
        """The bytes of the hash table."""
        return self.slots.nbytes + self.values.nbytes

    def add_positions(self, rows: Uint64Array, values: Int64Array) -> None:
        """Enter positions, a row each; existing ones do not change."""
        keys = np.ascontiguousarray(rows).reshape(-1)
        new_values = values.astype(np.int32)
        self.count += _add_positions(self.slots, self.values, keys, new_values, self.words)

    def find(self, rows: Uint64Array) -> tuple[BoolArray, Int64Array]:
        """Return which of some positions, a row each, exist, and the values of those."""
        count = len(rows)
        is_found, out = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        if self.count:
            keys = np.ascontiguousarray(rows).reshape(-1)
            _look_up(self.slots, self.values, keys, self.words, is_found, out)
        return is_found, out


#: The empty set, for searches without tables.
NO_TABLES = TablePositions(1, 0)
