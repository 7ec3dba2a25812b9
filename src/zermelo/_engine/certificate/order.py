"""In which order the certificate comes to the positions of a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import kernel
from zermelo._engine.index.index import PAGE

#: Batches of places that wait in a queue at most; how a place is marked that waits, and places
#: looked at for the mark at once.
QUEUED, _MARKED, _LOOKED = 2, 2, 1 << 16


@kernel
def _enter(places: Any, reached: Any, out: Any) -> int:
    """List the places that have not been reached before, each once, and mark them."""
    count = 0
    for place in places:
        if reached[place] == 0:
            reached[place] = 1
            out[count] = place
            count += 1
    return count


class Order(Protocol):
    """In which order places come.

    Attributes:
        walking: whether it is to be told where moves lead that has not been reached.
        legal: whether each position is to be seen to be legal.
    """

    walking: bool
    legal: bool

    def next(self) -> npt.NDArray[np.int64] | None:
        """Return some places, or None where there are no more."""

    def enter(self, places: npt.NDArray[np.int64]) -> None:
        """Take note of places that moves lead to."""


class PageOrder:
    """The places of a table in ascending order; for a table of legal positions, also seen to be."""

    walking = False

    def __init__(
        self, pages: Iterator[npt.NDArray[np.int64]], page: int = PAGE, *, legal: bool = False
    ) -> None:
        self._pages = pages
        self._page = page
        self._rest = np.empty(0, np.int64)
        self.legal = legal

    def next(self) -> npt.NDArray[np.int64] | None:
        """Return some places, or None where there are no more."""
        some, count = [self._rest], len(self._rest)
        while count < self._page:
            places = next(self._pages, None)
            if places is None:
                break
            some.append(places)
            count += len(places)
        every = np.concatenate(some)
        self._rest = every[self._page :]
        return every[: self._page] if count else None

    def enter(self, places: npt.NDArray[np.int64]) -> None:
        """Take no notice of what moves lead to; the places come anyway."""


class QueueOrder:
    """The places of a table in the order in which they are reached, or nearly.

    Places wait in a queue, and where that becomes long only by a mark, which a pass over all
    places finds. So the queue takes little memory. Where batches are large they all wait by marks:
    then a batch has places next to each other, and few blocks of a file.
    """

    walking = True
    legal = False

    def __init__(
        self, starts: npt.NDArray[np.int64], reached: npt.NDArray[np.uint8], page: int = PAGE
    ) -> None:
        self._reached = reached
        self._page = page
        self._waiting: deque[npt.NDArray[np.int64]] = deque()
        self._queued, self._most = 0, QUEUED * page if page <= PAGE else 0
        #: Places that are marked, and where the pass that looks for them is.
        self._marked = self._at = 0
        self.enter(starts)

    def next(self) -> npt.NDArray[np.int64] | None:
        """Return some places, or None where none are known that have not been returned."""
        if self._marked and self._queued < self._page // 2:
            self._find()
        if not self._waiting:
            return None
        some = [self._waiting.popleft()]
        count = len(some[0])
        while self._waiting and count < self._page // 2:
            some.append(self._waiting.popleft())
            count += len(some[-1])
        places = np.concatenate(some)
        if count > self._page:
            self._waiting.appendleft(places[self._page :])
        places = places[: self._page]
        self._queued -= len(places)
        return places

    def enter(self, places: npt.NDArray[np.int64]) -> None:
        """Take up places that moves lead to."""
        fresh = np.empty(len(places), np.int64)
        count = _enter(places, self._reached, fresh)
        if not count:
            return
        if self._queued >= self._most:
            self._reached[fresh[:count]] = _MARKED
            self._marked += count
        else:
            # Not as a part of what all moves lead to, most of which has been there.
            self._waiting.append(fresh[:count].copy())
            self._queued += count

    def _find(self) -> None:
        """Queue some of the places that are marked, in ascending order."""
        size = len(self._reached)
        while self._marked and self._queued < self._page:
            end = min(self._at + _LOOKED, size)
            found = np.flatnonzero(self._reached[self._at : end] == _MARKED) + self._at
            if len(found):
                self._reached[found] = 1
                self._waiting.append(found)
                self._queued += len(found)
                self._marked -= len(found)
            self._at = end if end < size else 0
