"""Win, draw or loss without a reversed graph: rounds over the moves as they are.

For graphs whose reversed moves there is no memory for. Each round looks at every position that is
not decided yet, so that it costs moves times the greatest remoteness; and it finds the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import Scale
from zermelo._engine.core.jit import kernel

#: Positions looked at between looks at the clock and the keyboard.
_BATCH = 1 << 18


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
    tie: bool,  # noqa: FBT001  # a kernel takes no keywords
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
        all_lose = not tie
        for e in range(np.int64(first[i]), np.int64(first[i + 1])):
            target = np.int64(edges[e])
            code = np.int64(state[target])
            if tie:
                if code == win + 1:
                    wins = True
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
            state[i] = win if wins else -win
            decided += 1
    return decided


class Rounds:
    """Goes from level to level."""

    def __init__(
        self,
        first: npt.NDArray[Any],
        edges: npt.NDArray[Any],
        owners: npt.NDArray[np.uint8],
        threads: int,
    ) -> None:
        """Keep the graph.

        Args:
            first: place in ``edges`` of each position's first move, and one number more.
            edges: where each move leads.
            owners: whose turn it is, or empty where the players strictly alternate.
            threads: threads to use at the most.
        """
        self.graph = (first, edges, owners)
        self.positions = len(first) - 1
        self.threads = threads
        self.rounds = 0

    def run(
        self, state: npt.NDArray[Any], scale: Scale, level: int, count: int, *, tie: bool = False
    ) -> Iterator[tuple[int, int, int]]:
        """Do what ``Spreading.run`` does."""
        best = scale.ties if tie else scale.last
        least = 1 if tie else scale.ties + 1
        starts = range(0, self.positions, _BATCH)
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-rounds") as pool:
            while count and best - level - 1 >= least:
                done = count
                rest = (scale.ties, best - level - 1, tie)

                def work(begin: int, rest: tuple[Any, ...] = rest) -> int:
                    end = min(begin + _BATCH, self.positions)
                    return int(_round(*self.graph, state, begin, end, *rest))

                chosen = map if self.threads == 1 or len(starts) == 1 else pool.map
                count = sum(chosen(work, starts))
                level += 1
                self.rounds += 1
                yield done, level, count
