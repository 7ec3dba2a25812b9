"""A table of levels: positions sorted by level and hash, and no index but buckets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.core.scratch import is_file, let_go
from zermelo._engine.sort.buckets import look_up
from zermelo._engine.table import Scanned, Table
from zermelo.values.kind import Kind
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._methods.levels.workspace import LevelledRules


class LevelTable(Table):
    """Positions and values of a game with levels; a ``Table``."""

    kind: Kind = WIN_DRAW_LOSS
    reachability_evidence = "places"

    def __init__(
        self,
        expand: LevelledRules,
        keys: npt.NDArray[np.uint64],
        offsets: npt.NDArray[np.uint32],
        turns: npt.NDArray[np.uint8],
        stored: npt.NDArray[Any],
        lowest: int,
        level_bits: npt.NDArray[np.int64],
        level_starts: npt.NDArray[np.int64],
    ) -> None:
        """Keep the arrays; see ``buckets.look_up`` for what they hold."""
        self.words = expand.words
        self.keys = keys
        self.turns = turns
        self.stored = stored
        self.starts = np.empty(0, np.int64)
        self._expand = expand
        self._offsets = offsets
        self._lowest = lowest
        self._level_bits = level_bits
        self._level_starts = level_starts

    def set_starts(self, starts: npt.NDArray[np.uint64]) -> None:
        """Note where the starts are, the game's own first, each once."""
        places = np.empty(len(starts), np.int64)
        self.places(np.ascontiguousarray(starts).reshape(-1), len(starts), places)
        self.starts = np.array(list(dict.fromkeys(places.tolist())), np.int64)

    def look(
        self,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
        out: npt.NDArray[np.int64],
    ) -> int:
        """Find packed positions whose levels are known; ``out`` receives -1 for one not here."""
        return int(
            look_up(
                packed,
                levels,
                count,
                self.words,
                self._lowest,
                self._level_bits,
                self._level_starts,
                self._offsets,
                self.keys,
                out,
            )
        )

    def __len__(self) -> int:
        """Return how many positions there are."""
        return len(self.stored)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        levels = np.empty(count, np.int64)
        self._expand.levels(packed, count, levels)
        return self.look(packed, levels, count, out)

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the code of one packed position; see ``Table``."""
        level, place = np.empty(1, np.int64), np.empty(1, np.int64)
        tell_level = self._expand.level_of(packed, level)
        shape = (self._lowest, self._level_bits, self._level_starts, self._offsets, self.keys)
        here = partial(look_up, packed, level, 1, self.words, *shape, place)
        place_of, value = place.item, self.value

        def ask() -> int:
            tell_level()
            return value(place_of()) if here() else codes.UNKNOWN

        return ask

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes at places."""
        return self.wide(self.stored[places])

    def value(self, place: int) -> int:
        """Return the code at one place."""
        stored: int = self.stored.item(place)
        return _ONE_BY_ONE[stored] if self.stored.itemsize == 1 else stored

    @property
    def wide_values(self) -> bool:
        """Whether values are stored as codes, and not as a byte each; see ``wide``."""
        return self.stored.itemsize > 1

    @property
    def bytes(self) -> int:
        """Bytes of its arrays, but for those that are files."""
        keys = 0 if is_file(self.keys) else 8 * self.words * len(self)
        others = (self._offsets, self.turns, self.stored)
        return keys + sum(array.nbytes for array in others if not is_file(array))

    def scan(self, size: int) -> Iterator[Scanned]:
        """Scan all positions; see ``Table``."""
        for part in super().scan(size):
            yield part
            self.let_go()

    def let_go(self) -> None:
        """Let the system have the memory of what has been looked at, where it is in files."""
        let_go(self.keys, self._offsets, self.turns, self.stored)

    @staticmethod
    def wide(stored: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        """Return the codes of values as they are stored here."""
        return _unfolded(stored) if stored.itemsize == 1 else stored

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        return self.turns[places] if len(self.turns) else np.zeros(len(places), np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        words = self.words
        return self.keys[: len(self) * words].reshape(-1, words).take(places, axis=0).reshape(-1)

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        if self.stored.itemsize > 1:
            return codes.counted(self.stored)
        counts = np.zeros(256, np.int64)
        for begin in range(0, len(self), 1 << 18):  # in parts, as NumPy widens what it counts
            counts += np.bincount(self.stored[begin : begin + (1 << 18)], minlength=256)
            self.let_go()
        occurring = np.flatnonzero(counts).astype(np.uint8)
        return dict(zip(_unfolded(occurring).tolist(), counts[occurring].tolist(), strict=True))


def _unfolded(stored: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """Return the codes of values kept in a byte: remoteness times four and 0, 1 or 2."""
    return _UNFOLDED[stored]


_UNFOLDED = np.array(
    [codes.encode((kind & 3) - 1, kind >> 2) if kind & 3 < 3 else 0 for kind in range(256)],
    np.int32,
)
_ONE_BY_ONE: list[int] = _UNFOLDED.tolist()
