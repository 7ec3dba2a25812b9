"""Win, draw or loss without a transposed graph: rounds over positions that are not decided.

For graphs whose transposed moves, or whose moves at all, there is no memory for; and for looking
ahead a number of plies. Each round looks at every position that is not decided yet, so that it
costs moves times the greatest remoteness; and it finds the same. The moves are in memory, or come
from running the rules again (``rerun``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.tie_preference import LIKED, NO_TIES, PREFERRED_BY
from zermelo._engine.column.codes import Scale
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import prefetch

#: Positions looked at between looks at the clock and the keyboard.
BATCH = 1 << 18
#: Moves looked ahead to.
_AHEAD = 32


@kernel
def _round(
    first: Any,
    edges: Any,
    owners: Any,
    state: Any,
    begin: int,
    end: int,
    ties: int,
    win: int,
    tie: int,
) -> int:
    """Decide what follows from the levels before ``win``'s alone; return how many positions do.

    What other positions are given in this round is told apart by its level, so that it does not
    matter whether they come before or after, nor whether another thread has them.
    """
    alternate = owners.size == 0
    decided = 0
    for i in range(begin, end):
        if state[i] >= 0 or state[i] <= -ties:
            continue
        wins = False
        likes = tie == LIKED or (tie >= PREFERRED_BY and owners[i] == tie - PREFERRED_BY)
        all_lose = not likes
        for e in range(np.int64(first[i]), np.int64(first[i + 1])):
            target = np.int64(edges[e])
            code = np.int64(state[target])
            if tie:
                if likes and code == win + 1:
                    wins = True
                    break
                if not likes and abs(code) <= ties and code <= win:
                    all_lose = False
                    break
                continue
            if abs(code) <= max(win, ties):  # not decided, a tie, or decided in this round
                all_lose = False
                continue
            same = (not alternate) and owners[i] == owners[target]
            if (code < 0) != same:
                wins = True
                break
        if wins or all_lose:
            state[i] = win if wins or tie else -win
            decided += 1
    return decided


@kernel
def round_of(
    which: Any,
    done: int,
    ends: Any,
    numbers: Any,
    owners: Any,
    state: Any,
    ties: int,
    win: int,
    tie: int,
) -> tuple[Any, Any]:
    """Do the same for positions whose moves have just been found, and which may skip levels.

    Args:
        which: the positions.
        done: how many.
        ends: how many moves there are up to and with each.
        numbers: where they lead.
        owners: whose turn it is, or empty where the players strictly alternate.
        state: the numbers.
        ties: see ``Round``.
        win: see there.
        tie: see there.

    Returns:
        How many were decided, and the best code from which others may follow later, or 0.
    """
    alternate = owners.size == 0
    decided = 0
    later: Any = np.int64(0)
    low: Any = np.int64(0)
    for i in range(done):
        position = which[i]
        wins = False
        likes = tie == LIKED or (tie >= PREFERRED_BY and owners[position] == tie - PREFERRED_BY)
        all_lose = not likes
        high = np.int64(ends[i])
        for e in range(low, high):
            prefetch(state, numbers[min(e + _AHEAD, np.int64(ends[done - 1]) - 1)])
            child = numbers[e]
            code = np.int64(state[child])
            if tie:
                if likes and win < code <= ties:
                    wins = True
                    break
                if abs(code) <= ties and code <= win:
                    later = max(later, code)
                    all_lose = False
                continue
            if abs(code) <= max(win, ties):
                all_lose = False
                later = max(later, abs(code)) if abs(code) > ties else later
                continue
            same = (not alternate) and owners[position] == owners[child]
            if (code < 0) != same:
                wins = True
                break
        low = high
        if wins or all_lose:
            state[position] = win if wins or tie else -win
            decided += 1
    return decided, later


@dataclass(frozen=True)
class Round:
    """One level of remoteness that is to be decided.

    Attributes:
        state: the numbers, which are changed.
        scale: their codes.
        level: the level.
        tie: whether ties are decided, and who likes them; see ``tie_preference``.
    """

    state: npt.NDArray[Any]
    scale: Scale
    level: int
    tie: int

    @property
    def codes(self) -> tuple[int, int, int]:
        """What a kernel is told: the code of a tie at once, that of a win, or tie, now; ``tie``."""
        best = self.scale.ties if self.tie else self.scale.last
        return self.scale.ties, best - self.level, self.tie

    def level_of(self, code: int) -> int:
        """Return the level of a code that others follow from later, or -1 where there is none."""
        best = self.scale.ties if self.tie else self.scale.last
        return best - code if code else -1


class Rounds(ABC):
    """Goes from level to level, each time over every position that is not decided yet.

    Attributes:
        rounds: how many times that was done.
    """

    def __init__(self, threads: int, horizon: int | None = None) -> None:
        """Begin.

        Args:
            threads: threads to use at most.
            horizon: the last level to decide, or None for all there are.
        """
        self.threads = threads
        self.horizon = horizon
        self.rounds = 0

    def run(
        self, state: npt.NDArray[Any], scale: Scale, level: int, more: int, *, tie: int = NO_TIES
    ) -> Iterator[tuple[int, int, int]]:
        """Do what ``Spreading.run`` does; a level of -1 has what has ended decided, too."""
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
            How many positions it has; and the least level, this or a later one, from which others
            may follow, or -1.
        """


class MoveRounds(Rounds):
    """Rounds over moves in memory."""

    def __init__(
        self,
        first: npt.NDArray[Any],
        edges: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        threads: int,
        horizon: int | None = None,
    ) -> None:
        """Keep the graph.

        Args:
            first: place in ``edges`` of each position's first move, and one number more.
            edges: where each move leads.
            owners: whose turn it is, or empty where the players strictly alternate.
            threads: threads to use at most.
            horizon: the last level to decide, or None for all there are.
        """
        super().__init__(threads, horizon)
        self.graph = (first, edges, owners)
        self.positions = len(first) - 1

    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one level; see ``Rounds``. No later one follows where it has no positions."""
        batch = limits.current().batch(BATCH)

        def work(begin: int) -> int:
            end = min(begin + batch, self.positions)
            return int(_round(*self.graph, here.state, begin, end, *here.codes))

        starts = range(0, self.positions, batch)
        share = map if self.threads == 1 or len(starts) == 1 else pool.map
        return sum(share(work, starts)), -1
