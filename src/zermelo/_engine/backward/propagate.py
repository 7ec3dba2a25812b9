"""Propagation: decided positions decide their predecessors, one level of remoteness after another.

One status number for each position holds its whole state (``numbers``). The numbers have 16 bits if
remoteness and moves allow it, so that those of 16 million positions stay in a processor's last
cache.

The positions decided at one level are the frontier of the next. A small frontier is a list; a large
one is found again by scanning all the status numbers in order, so that the reversed moves are read
in order too, which is faster than any list. The results of a level do not depend on the order of
its frontier, nor on the threads that share it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.tie_preference import LIKED, NO_TIES, PREFERRED_BY
from zermelo._engine.column.codes import Scale
from zermelo._engine.core.array_types import IntArray, Uint32Array
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.core.memory import exchange, peek, prefetch, zeros

#: Positions of the frontier that are prefetched ahead.
_AHEAD = 20
#: Reversed moves in a batch, and reversed moves prefetched ahead.
_WAITING = 1 << 12
_EDGES_AHEAD = 64
_LOW = np.uint64((1 << 32) - 1)
#: Positions scanned in one batch for those of the frontier.
_BLOCK = 1 << 13
#: Positions handled between checks of the clock and for Ctrl-C.
_BATCH = 1 << 19
#: A frontier of more than one position in this many is not listed, unless there are few positions.
_LISTED, _FEW = 16, 1 << 10
#: A frontier of fewer positions is handled by one thread.
_WORTH_SHARING = 1 << 14


class TransposedMoves(NamedTuple):
    """The moves of a graph, by the position that they lead to.

    Attributes:
        into: index in ``parents`` of each position's first parent; one entry more is the end.
        parents: the predecessors of each position.
        owners: the player to move, or empty if the players strictly alternate.
    """

    into: IntArray
    parents: npt.NDArray[np.uint32]
    owners: npt.NDArray[np.uint8]


class LevelCodes(NamedTuple):
    """The codes with which a level is decided.

    Attributes:
        ties: the code of a terminal tie; status numbers of undecided positions are above ``-ties``.
        win: the code of a win, or a tie, that is decided now.
        tie: whether these are ties, and who prefers them; see ``tie_preference``.
    """

    ties: int
    win: int
    tie: int


@inlined
def _decide(
    moves: TransposedMoves,
    state: IntArray,
    frontier: IntArray,
    begin: int,
    end: int,
    codes: tuple[int, int, int],
    shared: bool,  # a kernel takes no keywords
    found: Uint32Array,
    count: int,
) -> int:
    """Decide parents of the positions ``frontier[begin:end]``, which are of one level.

    Args:
        moves: the moves, as ``TransposedMoves``.
        state: the status numbers.
        frontier: positions.
        begin: the index of the first position.
        end: the index after the last position.
        codes: the codes of the level of the parents, as ``LevelCodes``.
        shared: whether other threads write status numbers too.
        found: receives decided positions from index ``count`` on, up to its capacity.
        count: the number of positions in ``found`` before.

    Returns:
        ``count`` plus the number of positions decided.
    """
    into, parents, owners = moves
    ties, win, tie = codes
    alternate = owners.size == 0
    always = tie == LIKED
    lost = win if tie else -win  # the code of a position decided by all its moves
    capacity = found.size - 1
    waiting = np.zeros(_WAITING + _EDGES_AHEAD, np.uint64)
    k = np.int64(begin)
    taken: Any = np.int64(0)
    while k < end:
        # First the reversed moves of a batch of positions are listed: so the loop that decides has
        # no short rows, whose ends the processor mispredicts.
        size = 0
        while k < end and size < _WAITING:
            if k + _AHEAD < end:
                prefetch(into, np.int64(frontier[k + _AHEAD]))
            if k + _AHEAD // 2 < end:
                ahead = np.int64(frontier[k + _AHEAD // 2])
                prefetch(parents, np.int64(into[ahead]))
                prefetch(parents, np.int64(into[ahead + 1]) - 1)
            i = np.int64(frontier[k])
            flag = np.uint64(state[i] < 0)
            if tie >= PREFERRED_BY:
                flag = np.uint64(tie - PREFERRED_BY)
            elif not alternate:  # the player who wins; else whether the parent does
                flag ^= np.uint64(owners[i])
            flag <<= np.uint64(32)
            low, high = np.int64(into[i]) + taken, np.int64(into[i + 1])
            stop = min(high, low + _WAITING - size)
            for e in range(low, stop):
                waiting[size] = np.uint64(parents[e]) | flag
                size += 1
            if stop < high:
                taken += stop - low
            else:
                taken = 0
                k += 1
        for j in range(size):
            ahead = np.int64(waiting[j + _EDGES_AHEAD] & _LOW)
            prefetch(state, ahead)
            if not alternate:
                prefetch(owners, ahead)
            parent = np.int64(waiting[j] & _LOW)
            flag = waiting[j] >> np.uint64(32)
            wins = always | (flag != 0 if alternate else flag == owners[parent])
            if shared:
                left = np.int64(peek(state, parent))
                while -ties < left < 0:
                    new = win if wins else (lost if left == -1 else left + 1)
                    before = np.int64(exchange(state, parent, left, new))
                    if before == left:
                        if wins or left == -1:
                            found[min(count, capacity)] = parent
                            count += 1
                        break
                    left = before
            else:  # the same without a branch, as nobody could foresee that either
                left = np.int64(state[parent])
                undecided = (left < 0) & (left > -ties)
                new = win if wins else (lost if left == -1 else left + 1)
                state[parent] = new if undecided else left
                found[min(count, capacity)] = parent
                count += undecided & (wins | (left == -1))
    return count


@kernel
def from_list(
    moves: TransposedMoves,
    state: IntArray,
    frontier: IntArray,
    begin: int,
    end: int,
    codes: LevelCodes,
    shared: bool,  # a kernel takes no keywords
    found: Uint32Array,
    count: int,
) -> int:
    """Decide parents of a listed frontier, or of part of it."""
    return _decide(moves, state, frontier, begin, end, codes, shared, found, count)


@kernel
def _from_all(
    moves: TransposedMoves,
    state: IntArray,
    begin: int,
    end: int,
    codes: LevelCodes,
    shared: bool,  # a kernel takes no keywords
    found: Uint32Array,
    count: int,
) -> int:
    """Decide parents of the positions from ``begin`` to ``end`` that are of the level."""
    frontier = np.empty(_BLOCK, np.uint32)
    one = codes.win + 1
    other = one if codes.tie else -one
    for low in range(begin, end, _BLOCK):
        size = 0
        for i in range(low, min(low + _BLOCK, end)):
            frontier[size] = i
            size += (state[i] == one) | (state[i] == other)
        count = _decide(moves, state, frontier, 0, size, codes, shared, found, count)
    return count


@kernel
def _small_levels(
    moves: TransposedMoves,
    state: IntArray,
    here: Uint32Array,
    there: Uint32Array,
    count: int,
    most: int,
    codes: LevelCodes,
    least: int,
) -> tuple[int, int, int]:
    """Decide level after level while each has at most ``most`` positions.

    Returns:
        The number of levels scanned, the number of their positions, and the number of positions
        that the last level decided, which are in ``here`` after an even number of levels, else in
        ``there``.
    """
    ties, win, tie = codes
    levels = 0
    done = 0
    alone = False
    while 0 < count <= most and win >= least and done < _BATCH:
        level = ties, win, tie
        if levels % 2 == 0:
            found = _decide(moves, state, here, 0, count, level, alone, there, 0)
        else:
            found = _decide(moves, state, there, 0, count, level, alone, here, 0)
        done += count
        count = found
        levels += 1
        win -= 1
    return levels, done, count


class Spreading:
    """The propagation method that follows reversed moves from level to level.

    Attributes:
        owners: the player to move in each position, or empty if the players strictly alternate.
    """

    def __init__(
        self,
        into: IntArray,
        parents: npt.NDArray[np.uint32],
        owners: npt.NDArray[np.uint8],
        threads: int,
    ) -> None:
        """Store the reversed graph and allocate the lists of the frontier.

        Args:
            into: index in ``parents`` of each position's first parent; one entry more is the end.
            parents: the predecessors of each position.
            owners: the player to move, or empty if the players strictly alternate.
            threads: threads to use at most.
        """
        self.moves, self.owners = TransposedMoves(into, parents, owners), owners
        self.positions = len(into) - 1
        self.threads = threads
        self.rounds = 0
        self.capacity = self._capacity(self.positions)
        self.here: npt.NDArray[Any] = zeros(self.capacity, np.uint32)
        self.there: npt.NDArray[Any] = zeros(self.capacity, np.uint32)

    @staticmethod
    def needed_bytes(positions: int) -> int:
        """Return the bytes that propagation takes, without status array and graph."""
        return 8 * Spreading._capacity(positions)

    @staticmethod
    def _capacity(positions: int) -> int:
        """Return the capacity of a list of the frontier, in positions."""
        return limits.current().batch(max(positions // _LISTED, min(positions, _FEW))) + 2

    def run(
        self, state: IntArray, scale: Scale, level: int, count: int, *, tie: int = NO_TIES
    ) -> Iterator[tuple[int, int, int]]:
        """Propagate wins and losses, or ties, to the last level or to the end of their codes.

        Args:
            state: the status numbers, which are changed.
            scale: the scale of their codes.
            level: the level to begin from.
            count: the number of positions of this level.
            tie: whether to propagate ties, and who prefers them; see ``tie_preference``.

        Yields:
            Positions decided since the last time, the level reached, and the number of its
            positions: 0 at the end.
        """
        best = scale.ties if tie else scale.last
        least = 1 if tie else scale.ties + 1
        listed = False
        with self._pool() as pool:
            while count and best - level - 1 >= least:
                codes, before = LevelCodes(scale.ties, best - level - 1, tie), count
                most = (
                    self.capacity if self.threads == 1 else limits.current().shared(_WORTH_SHARING)
                )
                if listed and count <= most:
                    most = min(most, self.capacity - 1)
                    levels, done, count = _small_levels(
                        self.moves, state, self.here, self.there, count, most, codes, least
                    )
                    if levels % 2:
                        self.here, self.there = self.there, self.here
                    done += count - before
                    level += levels
                    listed = count < self.capacity
                else:
                    count, listed = self.one_level(pool, state, codes, count if listed else None)
                    done = count
                    level += 1
                yield done, level, count

    def _pool(self) -> AbstractContextManager[ThreadPoolExecutor | None]:
        """Return the pool of threads that share a level; None if no level is large enough."""
        if self.threads == 1 or self.positions < limits.current().shared(_WORTH_SHARING):
            return nullcontext()
        return ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-spread")

    def one_level(
        self,
        pool: ThreadPoolExecutor | None,
        state: IntArray,
        codes: LevelCodes,
        count: int | None,
    ) -> tuple[int, bool]:
        """Decide one level in all threads, from a list of ``count`` positions or by a scan.

        Args:
            pool: the threads, or None for this thread alone.
            state: the status numbers, which are changed.
            codes: the codes of the level.
            count: the number of positions of the previous level, listed in ``here``; None if they
                are found by scanning the status numbers.

        Returns:
            The number of positions decided, and whether they are all listed.
        """
        end, size = (self.positions, _BATCH) if count is None else (count, 1 << 12)
        threads = 1 if pool is None else min(self.threads, -(-end // size))
        chunks = deque(range(0, end, size))
        share = self.capacity // threads

        def work(which: int) -> int:
            found = self.there[which * share : (which + 1) * share]
            listed = 0
            while chunks:
                try:
                    begin = chunks.popleft()
                except IndexError:
                    break
                stop, shared = min(begin + size, end), threads > 1
                if count is None:
                    listed = _from_all(self.moves, state, begin, stop, codes, shared, found, listed)
                else:
                    listed = from_list(
                        self.moves, state, self.here, begin, stop, codes, shared, found, listed
                    )
            return listed

        if pool is None:
            counts = [work(0)]
        else:
            others = [pool.submit(work, which) for which in range(1, threads)]
            counts = [work(0), *(job.result() for job in others)]
        total = sum(counts)
        if max(counts) >= share:
            return total, False
        at = counts[0]
        for which, found in enumerate(counts[1:], 1):
            self.there[at : at + found] = self.there[which * share : which * share + found]
            at += found
        self.here, self.there = self.there, self.here
        return total, True
