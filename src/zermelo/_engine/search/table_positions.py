"""Positions whose values are known from solved tables: leaves of a search.

They are in a hash table with linear probing. A search only checks whether a position is in it, so
it stores the positions themselves with a number each, and no list.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.hashing import hash_of
from zermelo._engine.core.jit import kernel, spliced
from zermelo._engine.core.memory import zeros

#: Slots for each position.
_ROOM = 1.6

_HALF = np.uint64(32)
_ONE = np.uint64(1)


@spliced
def find_position(held: Any, places: int, keys: Any, at: int, words: int) -> Any:
    """Return the slot of a position, or -1 if it is missing.

    A position is stored with its last word plus 1, so that an empty slot has a 0 there.
    """
    place = np.int64(((hash_of(keys, at, words) >> _HALF) * np.uint64(places)) >> _HALF)
    last = keys[at + words - 1] + _ONE
    while True:
        here = held[(place + 1) * words - 1]
        if here == 0:
            return np.int64(-1)
        if here == last:
            same = True
            for word in range(words - 1):
                if held[place * words + word] != keys[at + word]:
                    same = False
            if same:
                return np.int64(place)
        place += 1
        if place == places:
            place = np.int64(0)


@kernel
def _add_positions(held: Any, worths: Any, keys: Any, given: Any, words: int) -> int:
    """Enter positions with their values; return the number of new ones."""
    places = worths.size
    entered = 0
    for row in range(given.size):
        last = keys[(row + 1) * words - 1] + _ONE
        if last == 0:  # it would look like an empty slot; the search then does not stop at it
            continue
        hashed = hash_of(keys, row * words, words)
        place = np.int64(((hashed >> _HALF) * np.uint64(places)) >> _HALF)
        while True:
            same = held[(place + 1) * words - 1] == last
            for word in range(words - 1):
                if held[place * words + word] != keys[row * words + word]:
                    same = False
            if same:
                break
            if held[(place + 1) * words - 1] == 0:
                for word in range(words - 1):
                    held[place * words + word] = keys[row * words + word]
                held[(place + 1) * words - 1] = last
                worths[place] = given[row]
                entered += 1
                break
            place += 1
            if place == places:
                place = np.int64(0)
    return entered


@kernel
def _look_up(held: Any, worths: Any, keys: Any, words: int, found: Any, out: Any) -> None:
    for row in range(found.size):
        place = find_position(held, worths.size, keys, row * words, words)
        found[row] = place >= 0
        out[row] = worths[place] if place >= 0 else 0


class TablePositions:
    """Positions with their values for the player to move.

    Attributes:
        words: words of a packed position.
        held: the positions by slot.
        worths: their values: a score, or the distance of a win or a loss as in ``values.proved``.
        count: the number of positions.
    """

    def __init__(self, words: int, room: int) -> None:
        """Create an empty hash table.

        Args:
            words: words of a packed position.
            room: the capacity in positions.
        """
        self.words, self.count = words, 0
        places = int(_ROOM * room) + 1 if room else 0
        self.held: npt.NDArray[np.uint64] = zeros(places * words, np.uint64)
        self.worths: npt.NDArray[np.int32] = zeros(places, np.int32)

    @staticmethod
    def bytes_for(words: int, room: int) -> int:
        """Return the bytes of a table for ``room`` positions."""
        return (int(_ROOM * room) + 1) * (8 * words + 4)

    @property
    def nbytes(self) -> int:
        """The bytes of the hash table."""
        return self.held.nbytes + self.worths.nbytes

    def add_positions(self, rows: npt.NDArray[np.uint64], worths: npt.NDArray[np.int64]) -> None:
        """Enter positions, a row each; existing ones do not change."""
        keys = np.ascontiguousarray(rows).reshape(-1)
        given = worths.astype(np.int32)
        self.count += _add_positions(self.held, self.worths, keys, given, self.words)

    def find(
        self, rows: npt.NDArray[np.uint64]
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        """Return which of some positions, a row each, exist, and the values of those."""
        count = len(rows)
        found, out = np.zeros(count, np.bool_), np.zeros(count, np.int64)
        if self.count:
            keys = np.ascontiguousarray(rows).reshape(-1)
            _look_up(self.held, self.worths, keys, self.words, found, out)
        return found, out


#: The empty set, for searches without tables.
NO_TABLES = TablePositions(1, 0)
