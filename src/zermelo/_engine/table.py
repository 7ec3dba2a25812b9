"""What every method leaves behind: positions with their values, however they are kept."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Protocol, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.column import codes
from zermelo.values.kind import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zermelo._engine.file.pages import Pages
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.index import hashed

#: Positions handed out at once when a table is scanned.
PAGE = 1 << 13


#: Packed positions, their values, whose turn it is, and their places.
Scanned: TypeAlias = tuple[
    npt.NDArray[np.uint64], npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.int64]
]


class Index(Protocol):
    """Which positions there are, and the number of each: its *place*.

    Attributes:
        words: 64-bit words a packed position takes.
    """

    words: int

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find ``count`` packed positions (``count * words`` words).

        ``out`` receives the place of each, -1 where it is not here. Returns how many are.
        """

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the place of one packed position, -1 where it is not here.

        Whoever asks writes the position into ``packed`` before. That is for one thread.
        """

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places, ``words`` words each."""

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, in a score game, numbers that shrink along every move: it has no circle."""


class Column(Protocol):
    """Values by number.

    Attributes:
        count: how many there are.
        kind: the kind of value that they are.
    """

    count: int
    kind: Kind

    def values(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at numbers, of the type that their kind has."""

    def value(self, number: int) -> int:
        """Return the value at one number."""

    def owners(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at numbers; anything where the players strictly alternate."""

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""


class Table:
    """Positions and their values: an index, and a column of values by place.

    A position is known by its place, a whole number from 0; places ascend along ``pages``, and a
    table may leave some out. Values are the codes of their kind.

    Attributes:
        index: which positions there are.
        column: their values.
        words: 64-bit words a packed position takes.
        kind: the kind of value that positions have.
        starts: the places of the starts, the game's own first.
        reachability_evidence: why a position may be here: ``"places"`` where each is entered by a
            move from a smaller place, ``"any"`` where each can be reached but places say nothing
            of how, and ``"legal"`` where all legal positions are here.
        file: what is read of the file that it is opened from, or None.
        saved_as: the kind of file that it is saved as: ``"listed"``, ``"slots"``, ``"tiers"`` or
            ``"pursuit"``.
    """

    saved_as = "listed"
    index: Index
    column: Column
    words: int
    kind: Kind
    starts: npt.NDArray[np.int64]
    reachability_evidence: str
    file: Pages | None = None

    def __init__(
        self,
        index: Index,
        column: Column,
        starts: npt.NDArray[np.int64],
        reachability_evidence: str,
        file: Pages | None = None,
    ) -> None:
        """Put an index and a column together; see the attributes."""
        self.index = index
        self.column = column
        self.words = index.words
        self.kind = column.kind
        self.starts = starts
        self.reachability_evidence = reachability_evidence
        self.file = file

    def __len__(self) -> int:
        """Return how many positions there are."""
        return self.column.count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return len(self)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Index``."""
        return self.index.places(packed, count, out)

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the value of one packed position after another.

        Whoever asks writes the position into ``packed`` before. That is for one thread.

        Args:
            packed: an array for a packed position.

        Returns:
            What returns its value, or where it is not here what stands for none (``kind.unknown``).
        """
        unknown = self.kind.unknown
        find, value = self.index.finder(packed), self.column.value

        def ask() -> int:
            place = find()
            return value(place) if place >= 0 else unknown

        return ask

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """Return the values at places; see ``Column``."""
        return self.column.values(places)

    def value(self, place: int) -> int:
        """Return the value at one place."""
        return self.column.value(place)

    def owners(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Return whose turn it is at places; anything where the players strictly alternate."""
        return self.column.owners(places)

    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places, ``words`` words each."""
        return self.index.packed(places)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places in ascending order, at most ``PAGE`` at once."""
        for begin in range(0, self.span, PAGE):
            yield np.arange(begin, min(begin + PAGE, self.span))

    def scan(self, size: int) -> Iterator[Scanned]:
        """Scan all positions, about ``size`` at once, each part overwritten by the next."""
        for begin in range(0, self.span, size):
            places = np.arange(begin, min(begin + size, self.span))
            yield self.packed(places), self.values(places), self.owners(places), places

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return, in a score game, numbers that shrink along every move: it has no circle."""
        return self.index.potential(places)

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return such numbers of ascending places, as few different ones as are known."""
        return self.potential(places)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return self.column.tally()

    # -- what is read of a file -------------------------------------------------------------------

    @property
    def reader(self) -> Reader | None:
        """What reads the file that this is opened from, or None."""
        return None if self.file is None else self.file.reader

    @property
    def unpacked_bytes(self) -> int:
        """The bytes that all of the file takes once it is unpacked."""
        return 0 if self.file is None else limits.current().held(self.file.bytes)

    def unpacked(self) -> Self:
        """Unpack all of the file, and return the table.

        Raises:
            CorruptTableError: a block is damaged.
        """
        if self.file is not None:
            self.file.fill()
        return self

    @property
    def loaded_bytes(self) -> int:
        """The bytes that it takes when it is loaded."""
        return self.unpacked_bytes

    def loaded(self) -> Table:
        """Return the same table in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block is damaged.
        """
        return self.unpacked()

    def keep_within(self, room: int) -> None:
        """Limit what is kept of the file, in the one thread that asks, to this many bytes."""
        if self.file is not None:
            self.file.keep_within(room)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.file is not None:
            self.file.reader.close()


class HashedTable(Table):
    """Positions in the order they were found, and an index to find them by."""

    def __init__(
        self,
        kind: Kind,
        words: int,
        keys: npt.NDArray[np.uint64],
        index: hashed.HashIndex,
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
        self.hashes = index
        self.stored = stored
        self.turns = turns
        self.starts = np.arange(starts)
        self.ranks = ranks
        self.layers = layers
        self.reachability_evidence = "places"

    def __len__(self) -> int:
        """Return how many positions there are."""
        return len(self.stored)

    @property
    def bytes(self) -> int:
        """Bytes of its arrays."""
        arrays = (self.stored, self.turns, self.hashes.entered)
        ranks = 0 if self.ranks is None else self.ranks.nbytes
        return 8 * self.words * len(self) + ranks + sum(array.nbytes for array in arrays)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Table``."""
        return self.hashes.find(packed, count, self.keys, out)

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the value of one packed position; see ``Table``."""
        place = np.empty(1, np.int64)
        here, place_of, stored_at = (
            self.hashes.finder(packed, self.keys, place),
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
        return self.keys.reshape(-1, self.words).take(places, axis=0).reshape(-1)

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move."""
        return -places if self.ranks is None else self.ranks[places].astype(np.int64)

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move, one for all of a layer; see ``Table``."""
        if self.layers is None or self.ranks is not None:
            return self.potential(places)
        first, last = (bisect_right(self.layers, places.item(end)) for end in (0, -1))
        ends = np.searchsorted(places, self.layers[first:last])
        counts = np.diff(ends, prepend=0, append=len(places))
        return np.repeat(len(self.layers) - np.arange(first, last + 1), counts)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return codes.counted(self.stored)
