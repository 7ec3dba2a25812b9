"""What every method leaves behind: positions with their values, however they are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.index.discovery_index import FoundIndex

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zermelo._engine.column.column import Column
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.index.index import Index

#: Packed positions, their values, whose turn it is, and their places.
Scanned: TypeAlias = tuple[
    npt.NDArray[np.uint64], npt.NDArray[Any], npt.NDArray[np.uint8], npt.NDArray[np.int64]
]


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
    """

    def __init__(
        self,
        index: Index,
        column: Column,
        starts: npt.NDArray[np.int64],
        reachability_evidence: str,
        file: TableArrays | None = None,
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
        return self.index.span

    @property
    def saved_as(self) -> str:
        """The kind of file that it is saved in; see ``Index``."""
        return self.index.saved_as

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes before anything is asked, files left out."""
        return self.index.bytes + self.column.bytes

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find packed positions; see ``Index``."""
        return self.index.places(packed, count, out)

    def prober(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the value of one packed position after another; see ``Column``."""
        return self.column.prober(self.index.finder(packed), packed)

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
        """Scan all places in ascending order, some at once."""
        return self.index.pages()

    def scan(self, size: int) -> Iterator[Scanned]:
        """Scan all positions, about ``size`` at once, each part overwritten by the next."""
        for packed, places in self.index.scan(size):
            yield packed, self.values(places), self.owners(places), places
            self.column.let_go()

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along the moves that prove values; see ``Kind``."""
        return self.index.potential(places)

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return such numbers of ascending places, as few different ones as are known."""
        return self.index.steps(places)

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return self.column.tally()

    # -- what is read of a file -------------------------------------------------------------------

    @property
    def reader(self) -> Reader | None:
        """What reads the file that this is opened from, or None."""
        return None if self.file is None else self.file.reader

    @property
    def decompressed_bytes(self) -> int:
        """The bytes that all of the file takes once it is decompressed."""
        return 0 if self.file is None else limits.current().held(self.file.bytes)

    def decompressed(self) -> Self:
        """Decompress all of the file, and return the table.

        Raises:
            CorruptTableError: a block is damaged.
        """
        if self.file is not None:
            self.file.fill()
        return self

    @property
    def loaded_bytes(self) -> int:
        """The bytes that it takes when it is loaded."""
        return limits.current().held(self.index.loaded_bytes) or self.decompressed_bytes

    def loaded(self) -> Table:
        """Return the same table in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block is damaged.
        """
        index = self.index.loaded()
        if index is self.index:
            return self.decompressed()
        # Where every move lowers the rank, ranks vouch that positions can be reached, in whatever
        # order.
        ranked = isinstance(index, FoundIndex) and index.ranks is not None and self.kind.descends
        evidence = "places" if ranked else self.reachability_evidence
        return Table(index, self.column.loaded(), self.starts, evidence)

    def cache_within(self, capacity: int) -> None:
        """Limit the block cache of the one thread that asks to this many bytes."""
        if self.file is not None:
            self.file.cache_within(capacity)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.file is not None:
            self.file.reader.close()
