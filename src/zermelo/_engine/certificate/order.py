"""The order in which the certificate visits the positions of a table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.index.index import PAGE

#: Batches of places in the queue at most; the mark of a place that waits outside the queue, and
#: places scanned for this mark in one step.
QUEUED, _MARKED, _SCAN_PLACES = 2, 2, 1 << 16
#: A batch of fewer than _NARROW places is narrow. After _PATIENCE narrow batches, each batch is
#: checked together with its neighbours: _NEARBY places on either side.
_NARROW, _PATIENCE, _NEARBY = 1 << 6, 1 << 8, 1 << 6


@kernel
def _list_unreached(places: Int64Array, reached: Uint8Array, out: Int64Array) -> int:
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
    places: Int64Array,
    was_reached: BoolArray,
    ends: Int64Array,
    children: Int64Array,
    reached: Uint8Array,
    stack: Int64Array,
    out: Int64Array,
) -> tuple[int, int, int]:
    """Follow moves from the reached places of a batch, through the others.

    Args:
        places: the places, ascending.
        was_reached: whether each place has been reached.
        ends: the cumulative number of moves up to and with each.
        children: the place that each move leads to.
        reached: receives marks at these places.
        stack: space for all places.
        out: receives the places outside the batch that had not been reached.

    Returns:
        The number of reached places of the batch, of their moves, and of places in ``out``.
    """
    size = positions = moves = outside_count = 0
    for row in range(places.size):
        if was_reached[row]:
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
            index = np.searchsorted(places, child)
            if index < places.size and places[index] == child:
                stack[size] = index
                size += 1
            else:
                out[outside_count] = child
                outside_count += 1
    return positions, moves, outside_count


class Order(Protocol):
    """The order of the places.

    Attributes:
        needs_targets: whether ``add_reached`` needs the unreached targets of moves.
        legal: whether each position must be checked to be legal.
        was_reached: whether each place of the last batch has been reached; None if all have.
    """

    needs_targets: bool
    legal: bool
    was_reached: BoolArray | None

    def next_batch(self) -> Int64Array | None:
        """Return the next batch of places, or None after the last."""

    def add_reached(self, places: Int64Array) -> None:
        """Receive the places that moves lead to."""


class PageOrder:
    """The places of a table in ascending order; a table of legal positions is checked to be one."""

    needs_targets = False
    was_reached: BoolArray | None = None

    def __init__(
        self, pages: Iterator[Int64Array], page: int = PAGE, *, legal: bool = False
    ) -> None:
        self._pages = pages
        self._page = page
        self._remaining = np.empty(0, np.int64)
        self.legal = legal

    def next_batch(self) -> Int64Array | None:
        """Return the next batch of places, or None after the last."""
        pages, count = [self._remaining], len(self._remaining)
        while count < self._page:
            places = next(self._pages, None)
            if places is None:
                break
            pages.append(places)
            count += len(places)
        places_read = np.concatenate(pages)
        self._remaining = places_read[self._page :]
        return places_read[: self._page] if count else None

    def add_reached(self, places: Int64Array) -> None:
        """Do nothing: a page order visits every place."""


class QueueOrder:
    """The places of a table approximately in the order in which they are reached.

    Places wait in a queue. If it becomes long, further places are only marked, and found later by a
    scan of all places. So the queue takes little memory. If batches are large, all places are
    marked instead: then a batch has adjacent places, in few blocks of a file.

    If few places wait again and again, as in a long chain, nearby places that have not been reached
    are checked with them. Places reached through these need not wait; the remaining ones are
    checked again later.
    """

    needs_targets = True
    legal = False

    def __init__(
        self,
        starts: Int64Array,
        reached: Uint8Array,
        page: int = PAGE,
        *,
        gapless: bool = False,
    ) -> None:
        """Create an order that begins with the starts.

        Args:
            starts: the places of the starts.
            reached: a byte for each place.
            page: places of a batch.
            gapless: whether the table has every place, so that any may be checked.
        """
        self._reached = reached
        self.was_reached: BoolArray | None = None
        #: Narrow batches until nearby places are checked, and their number on either side.
        self._patience = _PATIENCE if gapless else -1
        self._nearby = min(_NEARBY, page // 4)
        self._page = page
        self._waiting: deque[Int64Array] = deque()
        self._queued, self._most = 0, QUEUED * page if page <= PAGE else 0
        #: The number of marked places, and the position of the scan for them.
        self._marked = self._scan_place = 0
        self.add_reached(starts)

    def next_batch(self) -> Int64Array | None:
        """Return the next batch of places, or None if all known ones have been returned."""
        if self._marked and self._queued < self._page // 2:
            self._queue_marked()
        if not self._waiting:
            return None
        batches = [self._waiting.popleft()]
        count = len(batches[0])
        while self._waiting and count < self._page // 2:
            batches.append(self._waiting.popleft())
            count += len(batches[-1])
        places = np.concatenate(batches)
        if count > self._page:
            self._waiting.appendleft(places[self._page :])
        places = places[: self._page]
        self._queued -= len(places)
        return self._with_nearby(places)

    def _with_nearby(self, places: Int64Array) -> Int64Array:
        """Add unreached places nearby, after many narrow batches."""
        self.was_reached = None
        if len(places) >= min(_NARROW, self._page // 2) or self._patience < 0:
            return places
        if self._patience > 0:
            self._patience -= 1
            return places
        begin = max(int(places[-1]) - self._nearby, 0)
        near = np.flatnonzero(self._reached[begin : int(places[-1]) + self._nearby] == 0) + begin
        batch = np.sort(np.concatenate([places, near]))
        self.was_reached = self._reached[batch] != 0
        return batch

    def trace(
        self,
        places: Int64Array,
        was_reached: BoolArray,
        ends: Int64Array,
        children: Int64Array,
    ) -> tuple[int, int]:
        """Queue the places that moves lead to, from a batch some of which were reached.

        Args:
            places: the places of the batch.
            was_reached: whether each place had been reached.
            ends: the cumulative number of moves up to and with each.
            children: the place that each move leads to.

        Returns:
            The number of places of the batch that are reached now, and of their moves.
        """
        stack, new_places = np.empty(len(places), np.int64), np.empty(len(children), np.int64)
        arguments = (places, was_reached, ends, children, self._reached, stack, new_places)
        positions, moves, outside_count = map(int, _trace(*arguments))
        if outside_count:
            self._waiting.append(new_places[:outside_count].copy())
            self._queued += outside_count
        useful = 2 * (positions - int(was_reached.sum())) >= len(places) - int(was_reached.sum())
        self._nearby = min(2 * self._nearby if useful else _NEARBY, self._page // 4)
        return positions, moves

    def add_reached(self, places: Int64Array) -> None:
        """Queue or mark the new ones of the places that moves lead to."""
        fresh = np.empty(len(places), np.int64)
        count = _list_unreached(places, self._reached, fresh)
        if not count:
            return
        if self._queued >= self._most:
            self._reached[fresh[:count]] = _MARKED
            self._marked += count
        else:
            # A copy, as a view would keep the array of all targets alive.
            self._waiting.append(fresh[:count].copy())
            self._queued += count

    def _queue_marked(self) -> None:
        """Queue some of the marked places, in ascending order."""
        size = len(self._reached)
        while self._marked and self._queued < self._page:
            end = min(self._scan_place + _SCAN_PLACES, size)
            marked = (
                np.flatnonzero(self._reached[self._scan_place : end] == _MARKED) + self._scan_place
            )
            if len(marked):
                self._reached[marked] = 1
                self._waiting.append(marked)
                self._queued += len(marked)
                self._marked -= len(marked)
            self._scan_place = end if end < size else 0
