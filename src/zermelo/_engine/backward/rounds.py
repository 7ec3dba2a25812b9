"""Win, draw or loss without a transposed graph: each round scans all undecided positions.

This method serves graphs whose transposed moves, or whose moves, do not fit in memory, and searches
of a fixed number of plies. The rounds together cost moves times the greatest remoteness; the result
is that of propagation. The moves are in memory, or come from running the rules again (``rerun``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.propagate import LevelCodes, Spreading
from zermelo._engine.backward.status import PropagationMethod
from zermelo._engine.backward.tie_preference import LIKED, NO_TIES, PREFERRED_BY
from zermelo._engine.backward.transpose import reverse
from zermelo._engine.column.codes import Scale
from zermelo._engine.core.array_types import IntArray, Integer, Uint8Array
from zermelo._engine.core.jit import kernel, light_kernel, spliced
from zermelo._engine.core.memory import prefetch
from zermelo.progress import Reporter

#: Positions scanned between checks of the clock and for Ctrl-C.
BATCH = 1 << 18
#: Moves whose children are prefetched ahead.
_AHEAD = 32


@spliced
def _result_of_moves(
    position: Integer,
    children: Any,
    low: Integer,
    high: Integer,
    owners: Uint8Array,
    state: Any,
    codes: LevelCodes,
    skips: bool,  # a kernel takes no keywords
) -> tuple[Any, Any]:
    """Return the code that a position gets in this round, or 0; and what may follow later.

    A position decided in this round is recognised by its code, and nothing follows from it. So it
    does not matter in which order positions are scanned, nor which thread scans them.

    Args:
        position: an undecided position.
        children: the children of positions.
        low: the index of the position's first child.
        high: the index after its last child.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        codes: the codes of the level, as ``LevelCodes``.
        skips: whether levels may be skipped, as some positions were decided before the rounds.

    Returns:
        The code or 0; and if levels may be skipped, the best code from which the position may
        follow in a later round, or 0.
    """
    ties, win, tie = codes
    alternate = owners.size == 0
    likes = tie == LIKED or (tie >= PREFERRED_BY and owners[position] == tie - PREFERRED_BY)
    all_lose = not likes
    later: Any = np.int64(0)
    last = np.int64(children.size) - 1
    for e in range(low, high):
        prefetch(state, np.int64(children[min(e + _AHEAD, last)]))
        child = np.int64(children[e])
        code = np.int64(state[child])
        if tie:
            if likes and win < code <= ties:
                return win, later
            if abs(code) <= ties and code <= win:
                later = max(later, code) if skips else later
                all_lose = False
            continue
        if abs(code) <= max(win, ties):
            all_lose = False
            later = max(later, abs(code)) if skips and abs(code) > ties else later
            continue
        same = (not alternate) and owners[position] == owners[child]
        if (code < 0) != same:
            return win, later
    return ((win if tie else -win) if all_lose else 0), later


@light_kernel
def _decide_round(
    first: IntArray,
    edges: IntArray,
    owners: Uint8Array,
    state: IntArray,
    begin: int,
    end: int,
    codes: LevelCodes,
) -> int:
    """Decide positions of a level in a range, from moves in memory; return their number."""
    decided = 0
    for i in range(begin, end):
        if state[i] >= 0 or state[i] <= -codes.ties:
            continue
        low, high = np.int64(first[i]), np.int64(first[i + 1])
        code, _ = _result_of_moves(i, edges, low, high, owners, state, codes, False)  # noqa: FBT003
        if code != 0:
            state[i] = code
            decided += 1
    return decided


@kernel
def list_undecided(
    state: IntArray,
    undecided: int,
    levels: IntArray,
    level: int,
    begin: int,
    end: int,
    out: IntArray,
) -> tuple[int, int]:
    """List undecided positions of a level, or of all if ``levels`` is empty, up to a capacity.

    Returns:
        The number of listed positions, and the position to continue from.
    """
    count = 0
    for i in range(begin, end):
        if count == out.size:
            return count, i
        out[count] = i
        count += state[i] == undecided and (levels.size == 0 or levels[i] == level)
    return count, end


@light_kernel
def decide_expanded(
    which: IntArray,
    ends: IntArray,
    numbers: IntArray,
    owners: Uint8Array,
    state: IntArray,
    codes: LevelCodes,
    skips: bool,  # a kernel takes no keywords
) -> tuple[Any, Any]:
    """Decide positions of a level from moves just generated.

    Args:
        which: the positions.
        ends: the cumulative number of moves up to and with each position.
        numbers: the children.
        owners: the player to move, or empty if the players strictly alternate.
        state: the status numbers.
        codes: the codes of the level, as ``LevelCodes``.
        skips: whether levels may be skipped, as some positions were decided before the rounds.

    Returns:
        The number of positions decided; and if levels may be skipped, the best code from which
        others may follow later, or 0.
    """
    decided = 0
    later: Any = np.int64(0)
    low = np.int64(0)
    for i in range(which.size):
        position, high = which[i], np.int64(ends[i])
        code, follows = _result_of_moves(position, numbers, low, high, owners, state, codes, skips)
        later = max(later, follows)
        if code != 0:
            state[position] = code
            decided += 1
        low = high
    return decided, later


@dataclass(frozen=True)
class Round:
    """One level of remoteness that is to be decided.

    Attributes:
        state: the status numbers, which are changed.
        scale: the scale of their codes.
        level: the level.
        tie: whether ties are decided, and who prefers them; see ``tie_preference``.
    """

    state: npt.NDArray[Any]
    scale: Scale
    level: int
    tie: int

    @property
    def codes(self) -> LevelCodes:
        """The codes of the level."""
        best = self.scale.ties if self.tie else self.scale.last
        return LevelCodes(self.scale.ties, best - self.level, self.tie)

    def result(self, parts: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """Return the result of ``Rounds._decide`` from those of ``decide_expanded``."""
        decided = code = 0
        for count, later in parts:
            decided, code = decided + int(count), max(code, int(later))
        best = self.scale.ties if self.tie else self.scale.last
        return decided, best - code if code else -1


class Rounds(ABC):
    """The propagation method that scans all undecided positions for each level.

    Attributes:
        rounds: the number of scans.
    """

    def __init__(self, threads: int, horizon: int | None = None) -> None:
        """Store the number of threads and the horizon.

        Args:
            threads: threads to use at most.
            horizon: the last level to decide, or None for all levels.
        """
        self.threads = threads
        self.horizon = horizon
        self.rounds = 0

    def run(
        self, state: IntArray, scale: Scale, level: int, more: int, *, tie: int = NO_TIES
    ) -> Iterator[tuple[int, int, int]]:
        """Do what ``Spreading.run`` does; from level -1, terminal positions are decided, too."""
        best = scale.ties if tie else scale.last
        least = 1 if tie else scale.ties + 1
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-rounds") as pool:
            while more and best - level - 1 >= least:
                decided, later = 0, -1
                level += 1
                if self.horizon is None or level <= self.horizon:
                    decided, later = self._decide(pool, Round(state, scale, level, tie))
                    self.rounds += 1
                if level and not decided:
                    level = max(level, later)
                    more = later >= 0
                yield decided, level, more

    @abstractmethod
    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one level, in some threads.

        Returns:
            The number of its positions; and the least level, this or a later one, from which others
            may follow, or -1.
        """


class MoveRounds(Rounds):
    """Rounds over moves in memory."""

    def __init__(
        self,
        first: IntArray,
        edges: IntArray,
        owners: npt.NDArray[np.uint8],
        threads: int,
        horizon: int | None = None,
    ) -> None:
        """Store the graph.

        Args:
            first: index in ``edges`` of each position's first move; one entry more is the end.
            edges: the child of each move.
            owners: the player to move, or empty if the players strictly alternate.
            threads: threads to use at most.
            horizon: the last level to decide, or None for all there are.
        """
        super().__init__(threads, horizon)
        self.graph = (first, edges, owners)
        self.positions = len(first) - 1

    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one level; see ``Rounds``. If it has no positions, no later one follows."""
        batch = limits.current().batch(BATCH)

        def work(begin: int) -> int:
            end = min(begin + batch, self.positions)
            return int(_decide_round(*self.graph, here.state, begin, end, here.codes))

        starts = range(0, self.positions, batch)
        share = map if self.threads == 1 or len(starts) == 1 else pool.map
        return sum(share(work, starts)), -1


def stored_moves_method(
    first: IntArray,
    edges: IntArray,
    owners: npt.NDArray[np.uint8],
    threads: int,
    capacity: int | None,
    report: Reporter,
) -> PropagationMethod:
    """Return the propagation method for moves in memory: along transposed moves, or in rounds.

    Args:
        first: index in ``edges`` of each position's first move; one entry more is the end.
        edges: the child of each move.
        owners: the player to move, or empty if the players strictly alternate.
        threads: threads to use at most.
        capacity: how many moves may be buffered while they are transposed; None to not transpose
            them.
        report: receives the phase of the transposition.
    """
    if capacity is None:
        return MoveRounds(first, edges, owners, threads)
    with report.phase("reverse"):
        into, parents = reverse(first, edges, threads, capacity)
    return Spreading(into, parents, owners, threads)
