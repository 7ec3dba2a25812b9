"""What every method leaves behind: positions with their values, however they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo.values.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zermelo._engine.index.hashed import Index

#: Positions handed out at once when a table is gone through.
PAGE = 1 << 13


class Table(Protocol):
    """Positions and their values.

    A position is known by its place, a whole number from 0; places ascend along ``pages``, and a
    table may leave some out. Values are the codes of their kind.

    A table may have ``asker``, for questions about one position after another: it is given an array
    for a packed position, and returns what tells the value of the one that stands there, or the
    value that stands for none (``kind.unknown``). That is for one thread.

    Attributes:
        words: 64-bit words a packed position takes.
        kind: the kind of value that positions have.
        starts: the places of the starts, the game's own first.
        reach: why a position may be here: ``"places"`` where each is entered by a move from a
            smaller place, ``"any"`` where each can be reached but places say nothing of how, and
            ``"legal"`` where all legal positions are here.
    """

    words: int
    kind: Kind
    starts: npt.NDArray[np.int64]
    reach: str

    def __len__(self) -> int:
        """Return how many positions there are."""

    @property
    def span(self) -> int:
        """A number greater than every place."""

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find ``count`` packed positions (``count * words`` words).

        ``out`` receives the place of each, -1 where it is not here. Returns how many are.
        """

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at places, of the type that their kind has."""

    def value(self, place: int) -> int:
        """Return the value at one place."""

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places; anything where the players strictly alternate."""

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places, ``words`` words each."""

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Go through all places in ascending order, at most ``PAGE`` at once."""

    def rank(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, in a score game, numbers that shrink along every move: it has no circle."""

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""


class HashedTable:
    """Positions in the order they were found, and an index to find them by."""

    def __init__(
        self,
        kind: Kind,
        words: int,
        keys: npt.NDArray[np.uint64],
        index: Index,
        stored: npt.NDArray[Any],
        turns: npt.NDArray[np.uint8],
        starts: int,
        ranks: npt.NDArray[np.uint32] | None = None,
        layers: list[int] | None = None,
    ) -> None:
        """Keep the arrays.

        Args:
            kind: the kind of value that positions have.
            words: 64-bit words a packed position takes.
            keys: packed positions by number.
            index: from packed positions to numbers.
            stored: codes by number.
            turns: whose turn it is by number, or empty where the players strictly alternate.
            starts: how many positions, from number 0, are starts.
            ranks: in a score game, numbers that shrink along every move; without them the
                numbers themselves must grow along every move.
            layers: where layers begin, if there are some that every move leads to the next of, and
                the end of the last.
        """
        self.words = words
        self.kind = kind
        self.keys = keys
        self.index = index
        self.stored = stored
        self.turns = turns
        self.starts = np.arange(starts)
        self.ranks = ranks
        self.layers = layers
        self.reach = "places"

    def __len__(self) -> int:
        """Return how many positions there are."""
        return len(self.stored)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        arrays = (self.stored, self.turns, self.index.entered)
        ranks = 0 if self.ranks is None else self.ranks.nbytes
        return 8 * self.words * len(self) + ranks + sum(array.nbytes for array in arrays)

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return len(self.stored)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        return self.index.find(packed, count, self.keys, out)

    def asker(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the value of one packed position; see ``Table``."""
        place = np.empty(1, np.int64)
        here, place_of, stored_at = (
            self.index.finder(packed, self.keys, place),
            place.item,
            self.stored.item,
        )
        unknown = self.kind.unknown

        def ask() -> int:
            return stored_at(place_of()) if here() else unknown

        return ask

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at places."""
        return self.stored[places]

    def value(self, place: int) -> int:
        """Return the value at one place."""
        stored: int = self.stored.item(place)
        return stored

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places."""
        return self.turns[places] if len(self.turns) else np.zeros(len(places), np.uint8)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        return self.keys.reshape(-1, self.words)[places].reshape(-1)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Go through all places."""
        for begin in range(0, len(self), PAGE):
            yield np.arange(begin, min(begin + PAGE, len(self)))

    def rank(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places if self.ranks is None else self.ranks[places].astype(np.int64)

    def steps(self, places: npt.NDArray[np.int64] | None = None) -> npt.NDArray[Any]:
        """Return the least numbers from 0 on that are known to shrink along every move.

        Args:
            places: of what; by default of all positions.
        """
        if self.ranks is not None:
            return self.ranks if places is None else self.ranks[places]
        if self.layers is None:
            every = np.arange(len(self), dtype=np.uint32) if places is None else places
            return len(self) - 1 - every
        left = np.arange(len(self.layers) - 2, -1, -1, dtype=np.uint32)
        if places is None:
            return np.repeat(left, np.diff(self.layers))
        return left[np.searchsorted(self.layers, places, "right") - 1]

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return codes.counted(self.stored)
