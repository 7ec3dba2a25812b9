"""The solution table: positions with their values, in any storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.core.array_types import Int64Array, Uint8Array, Uint64Array
from zermelo._engine.index.discovery_index import FoundIndex
from zermelo.values.expectations import ALGEBRA as EXPECTATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from zermelo._engine.column.column import Column
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.index.index import Index
    from zermelo.values.results import Counts

#: Packed positions, their values, the player to move, and their places.
Scanned: TypeAlias = tuple[Uint64Array, npt.NDArray[Any], Uint8Array, Int64Array]


class Table:
    """Positions and their values: an index, and a column of values by place.

    A place is the number of a position, from 0. Places ascend along ``pages``, and a table may skip
    some. Values are the codes of their kind.

    Attributes:
        index: the positions and their places.
        column: their values.
        words: 64-bit words of a packed position.
        kind: the kind of the values.
        starts: the places of the starts, the game's own first.
        reachability_evidence: why the table may contain a position: ``"places"`` if a move from a
            smaller place leads to it, ``"any"`` if it is reachable but places say nothing about
            that, and ``"legal"`` if the table contains all legal positions.
        file: the arrays of the file that it is opened from, or None.
    """

    def __init__(
        self,
        index: Index,
        column: Column,
        starts: Int64Array,
        reachability_evidence: str,
        file: TableArrays | None = None,
    ) -> None:
        """Combine an index and a column; the arguments are the attributes."""
        self.index = index
        self.column = column
        self.words = index.words
        self.kind = column.kind
        self.starts = starts
        self.reachability_evidence = reachability_evidence
        self.file = file

    def __len__(self) -> int:
        """Return the number of positions."""
        return self.column.count

    @property
    def span(self) -> int:
        """A number greater than every place."""
        return self.index.span

    @property
    def saved_as(self) -> str:
        """The kind of file in which the table is saved; see ``Index``."""
        return self.index.saved_as

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes before any look-up, files excluded."""
        return self.index.bytes + self.column.bytes

    def places(self, packed: Uint64Array, count: int, out: Int64Array) -> int:
        """Find packed positions; see ``Index``."""
        return self.index.places(packed, count, out)

    def prober(self, packed: Uint64Array) -> Callable[[], int]:
        """Return a function that gives the value of the packed position in ``packed``.

        See ``Column``.
        """
        return self.column.prober(self.index.finder(packed), packed)

    def values(self, places: Int64Array) -> npt.NDArray[Any]:
        """Return the values at places; see ``Column``."""
        return self.column.values(places)

    def value(self, place: int) -> int:
        """Return the value at one place."""
        return self.column.value(place)

    def owners(self, places: Int64Array) -> Uint8Array:
        """Return the player to move at places.

        The numbers are arbitrary if the players strictly alternate.
        """
        return self.column.owners(places)

    def packed(self, places: Int64Array) -> Uint64Array:
        """Return the packed positions at places, ``words`` words each."""
        return self.index.packed(places)

    def pages(self) -> Iterator[Int64Array]:
        """Yield all places in ascending order, in batches."""
        return self.index.pages()

    def scan(self, size: int) -> Iterator[Scanned]:
        """Yield all positions in batches of about ``size``.

        Each batch is overwritten by the next.
        """
        for packed, places in self.index.scan(size):
            yield packed, self.values(places), self.owners(places), places
            self.column.release_pages()

    def potential(self, places: Int64Array) -> Int64Array:
        """Return numbers that decrease along the moves that prove values; see ``Kind``."""
        return self.index.potential(places)

    def steps(self, places: Int64Array) -> Int64Array:
        """Return the potential of ascending places in the coarsest known form."""
        return self.index.steps(places)

    def tally(self) -> dict[int, int]:
        """Return the number of positions of each code."""
        return self.column.tally()

    def counts(self) -> Counts:
        """Return the number of positions of each value."""
        if self.kind.algebra != EXPECTATION:
            return self.kind.counts(self.tally())
        tally = self.kind.new_tally()  # a dictionary of all codes could take more than the table
        for places in self.pages():
            tally.add(*np.unique(self.values(places), return_counts=True))
            self.column.release_pages()
        return tally.counts()

    # -- the file of the table --------------------------------------------------------------------

    @property
    def reader(self) -> Reader | None:
        """The reader of the file that the table is opened from, or None."""
        return None if self.file is None else self.file.reader

    @property
    def decompressed_bytes(self) -> int:
        """The bytes of the whole file once it is decompressed."""
        return 0 if self.file is None else limits.current().held(self.file.bytes)

    def decompressed(self) -> Self:
        """Decompress the whole file, and return the table.

        Raises:
            CorruptTableError: a block is damaged.
        """
        if self.file is not None:
            self.file.fill()
        return self

    @property
    def loaded_bytes(self) -> int:
        """The bytes that the table takes when it is loaded."""
        return limits.current().held(self.index.loaded_bytes) or self.decompressed_bytes

    def loaded(self) -> Table:
        """Return the table in memory, with an index that finds any position without decompressing.

        Raises:
            CorruptTableError: a block is damaged.
        """
        index = self.index.loaded()
        if index is self.index:
            return self.decompressed()
        # If every move lowers the rank, ranks prove that positions are reachable, in any order.
        ranked = isinstance(index, FoundIndex) and index.ranks is not None and self.kind.descends
        evidence = "places" if ranked else self.reachability_evidence
        return Table(index, self.column.loaded(), self.starts, evidence)

    def limit_cache(self, capacity: int) -> None:
        """Limit the block cache of the one thread that reads to ``capacity`` bytes."""
        if self.file is not None:
            self.file.limit_cache(capacity)

    def close(self) -> None:
        """Close the file, if there is one."""
        if self.file is not None:
            self.file.reader.close()
