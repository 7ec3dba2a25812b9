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
#: A batch of fewer places than the first number is narrow. After as many narrow batches as the
#: second, each batch is checked together with its neighbours: the third number on either side.
_NARROW, _PATIENCE, _NEARBY = 1 << 6, 1 << 8, 1 << 6


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


@kernel
def _trace(
    places: Any, own: Any, ends: Any, children: Any, reached: Any, stack: Any, out: Any
) -> Any:
    """Follow moves from the places of a batch that have been reached, through the others.

    Args:
        places: the places, ascending.
        own: which of them have been reached.
        ends: for each, how many moves there are up to and with it.
        children: the place that each move leads to.
        reached: is marked where they lead.
        stack: room for all places.
        out: receives the places outside the batch that had not been reached.

    Returns:
        How many places of the batch have been reached, their moves, and how many are in ``out``.
    """
    size = positions = moves = entered = 0
    for row in range(places.size):
        if own[row]:
            stack[size] = row
            size += 1
    while size > 0:
        size -= 1
        row = stack[size]
        begin = ends[row - 1] if row > 0 else 0
        positions += 1
        moves += ends[row] - begin
        for edge in range(begin, ends[row]):
            child = children[edge]
            if reached[child] != 0:
                continue
            reached[child] = 1
            at = np.searchsorted(places, child)
            if at < places.size and places[at] == child:
                stack[size] = at
                size += 1
            else:
                out[entered] = child
                entered += 1
    return positions, moves, entered


class Order(Protocol):
    """In which order places come.

    Attributes:
        walking: whether it is to be told where moves lead that has not been reached.
        legal: whether each position is to be seen to be legal.
        own: which of the places that were returned last have been reached; None for all.
    """

    walking: bool
    legal: bool
    own: npt.NDArray[np.bool_] | None

    def next(self) -> npt.NDArray[np.int64] | None:
        """Return some places, or None where there are no more."""

    def enter(self, places: npt.NDArray[np.int64]) -> None:
        """Take note of places that moves lead to."""


class PageOrder:
    """The places of a table in ascending order; for a table of legal positions, also seen to be."""

    walking = False
    own: npt.NDArray[np.bool_] | None = None

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

    Where few places wait again and again, as in a long chain, places nearby that have not been
    reached are checked with them. What is reached through these need not wait; the others come
    once more.
    """

    walking = True
    legal = False

    def __init__(
        self,
        starts: npt.NDArray[np.int64],
        reached: npt.NDArray[np.uint8],
        page: int = PAGE,
        *,
        gapless: bool = False,
    ) -> None:
        """Begin with the starts.

        Args:
            starts: their places.
            reached: a byte a place.
            page: places of a batch.
            gapless: whether the table has each place, so that any may be checked.
        """
        self._reached = reached
        self.own: npt.NDArray[np.bool_] | None = None
        #: Narrow batches until places nearby are checked, and how many of these on either side.
        self._patience = _PATIENCE if gapless else -1
        self._nearby = min(_NEARBY, page // 4)
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
        return self._with_nearby(places)

    def _with_nearby(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Add places nearby that have not been reached, if batches have been narrow."""
        self.own = None
        if len(places) >= min(_NARROW, self._page // 2) or self._patience < 0:
            return places
        if self._patience > 0:
            self._patience -= 1
            return places
        begin = max(int(places[-1]) - self._nearby, 0)
        near = np.flatnonzero(self._reached[begin : int(places[-1]) + self._nearby] == 0) + begin
        every = np.sort(np.concatenate([places, near]))
        self.own = self._reached[every] != 0
        return every

    def trace(
        self,
        places: npt.NDArray[np.int64],
        own: npt.NDArray[np.bool_],
        ends: npt.NDArray[np.int64],
        children: npt.NDArray[np.int64],
    ) -> tuple[int, int]:
        """Queue the places that moves lead to, from a batch of which some were reached.

        Args:
            places: the places of the batch.
            own: which of them had been reached.
            ends: for each, how many moves there are up to and with it.
            children: the place that each move leads to.

        Returns:
            How many places of the batch are reached now, and how many moves these have.
        """
        stack, out = np.empty(len(places), np.int64), np.empty(len(children), np.int64)
        given = (places, own, ends, children, self._reached, stack, out)
        positions, moves, entered = map(int, _trace(*given))
        if entered:
            self._waiting.append(out[:entered].copy())
            self._queued += entered
        useful = 2 * (positions - int(own.sum())) >= len(places) - int(own.sum())
        self._nearby = min(2 * self._nearby if useful else _NEARBY, self._page // 4)
        return positions, moves

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
