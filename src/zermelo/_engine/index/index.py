"""Which positions there are, and the number of each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Packed positions, and their places.
Chunk: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64]]

#: Positions handed out at once when an index is scanned.
PAGE = 1 << 13


class Index(ABC):
    """Which positions there are, and the number of each: its *place*.

    Attributes:
        words: 64-bit words a packed position takes.
        span: a number greater than every place.
        saved_as: the kind of file that it is saved in: ``"listed"``, ``"slots"``, ``"tiers"`` or
            ``"pursuit"``.
    """

    words: int
    span: int
    saved_as = "listed"

    @property
    def bytes(self) -> int:
        """The bytes of memory that it takes before anything is asked, files left out."""
        return 0

    @abstractmethod
    def places(self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]) -> int:
        """Find ``count`` packed positions (``count * words`` words).

        ``out`` receives the place of each, -1 where it is not here. Returns how many are.
        """

    @abstractmethod
    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the place of one packed position, -1 where it is not here.

        Whoever asks writes the position into ``packed`` before. That is for one thread.
        """

    @abstractmethod
    def packed(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places, ``words`` words each."""

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all places in ascending order, at most ``PAGE`` at once."""
        for begin in range(0, self.span, PAGE):
            yield np.arange(begin, min(begin + PAGE, self.span))

    def scan(self, size: int) -> Iterator[Chunk]:
        """Scan all positions, about ``size`` at once, each part overwritten by the next."""
        for begin in range(0, self.span, size):
            places = np.arange(begin, min(begin + size, self.span))
            yield self.packed(places), places

    def potential(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return numbers that shrink along every move, where moves never lead in a circle."""
        return -places

    def steps(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return such numbers of ascending places, as few different ones as are known."""
        return self.potential(places)

    @property
    def loaded_bytes(self) -> int:
        """The bytes that it takes loaded; 0 where unpacking its file is all there is to do."""
        return 0

    def loaded(self) -> Index:
        """Return the same index in memory, where any position is found at once.

        Raises:
            CorruptTableError: a block of its file is damaged.
        """
        return self

    def starts(self, packed: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the places of packed starts, shape (k, words), each once."""
        places = np.empty(len(packed), np.int64)
        self.places(np.ascontiguousarray(packed).reshape(-1), len(packed), places)
        return each_once(places)


def each_once(places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return places without those that came before."""
    return np.array(list(dict.fromkeys(places.tolist())), np.int64)
