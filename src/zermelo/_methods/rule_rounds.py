"""Positions whose moves are not stored: the rules are run again for each pass over them.

Memory has the positions and their values. A position decided in round r has remoteness r, which
follows from positions decided in earlier rounds. So neither the order of positions nor the number
of threads matters. The cost is the number of expansions times the greatest remoteness.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.rounds import (
    Round,
    Rounds,
    decide_expanded,
    list_undecided,
)
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.expand.expander import Buffers, Expand, ExpandedPart, expanded_parts

Ids = npt.NDArray[np.int64]


class RuleWorkspace:
    """The buffers in which one thread expands positions, and numbers their children.

    Attributes:
        expand: the compiled rules.
        keys: the packed positions that are expanded.
        buffers: the moves of a part of them.
        numbers: the number, or the slot, of the child of each move.
    """

    def __init__(self, expand: Expand, chunk: int, capacity: int) -> None:
        """Create buffers for ``chunk`` positions, and at first for ``capacity`` moves."""
        self.expand = expand
        self.keys = np.empty(chunk * expand.words, np.uint64)
        self.buffers = Buffers.for_rules(expand, chunk, capacity)
        self.numbers = np.empty(capacity, np.int64)

    def parts(self, count: int) -> Iterator[ExpandedPart]:
        """Expand the first ``count`` positions of ``keys``; ``numbers`` has space for each part."""
        for part in expanded_parts(self.expand, self.keys, count, self.buffers):
            if len(self.numbers) < part.moves:
                self.numbers = np.empty(len(self.buffers.children) // self.expand.words, np.int64)
            yield part


class RuleMoves(ABC):
    """The moves of numbered positions, by running the rules.

    Attributes:
        positions: the number of positions.
        owners: the player to move in each, or empty if the players strictly alternate.
        levels: the level of each, if positions are decided level by level; else empty.
        workspaces: the workspace of each thread.
        chunk: the most positions that a workspace expands at once.
        span: the positions of a range that one thread handles.
    """

    positions: int
    owners: npt.NDArray[np.uint8]
    levels: npt.NDArray[Any] = np.empty(0, np.uint8)
    workspaces: list[Any]
    chunk: int
    span: int

    @abstractmethod
    def children(self, workspace: Any, ids: Ids) -> Iterator[ExpandedPart]:
        """Expand at most ``chunk`` positions; the workspace has the numbers of a part's children.

        Args:
            workspace: a workspace.
            ids: the numbers of the positions.
        """

    def undecided_parts(
        self,
        workspace: Any,
        state: npt.NDArray[Any],
        span: tuple[int, int],
        level: int = 0,
        undecided: int = 0,
    ) -> Iterator[tuple[Ids, ExpandedPart]]:
        """Expand the undecided positions of a range; yields the numbers of each part's positions.

        Args:
            workspace: a workspace.
            state: the number of each position, which says whether it is decided.
            span: the first position, and the end of the range.
            level: the level of the positions, if positions have levels.
            undecided: the number of an undecided position.
        """
        begin, end = span
        page = np.empty(min(self.chunk, end - begin), np.int64)
        while begin < end:
            count, begin = list_undecided(state, undecided, self.levels, level, begin, end, page)
            for part in self.children(workspace, page[:count]) if count else ():
                yield page[part.begin : part.end], part

    def run_on_ranges(
        self, pool: ThreadPoolExecutor, work: Callable[[Any, tuple[int, int]], Any]
    ) -> list[Any]:
        """Apply ``work`` to ranges of all positions in threads; return the results."""
        spans = (
            (begin, min(begin + self.span, self.positions))
            for begin in range(0, self.positions, self.span)
        )
        return self.run_on_items(pool, work, spans)

    def run_on_items(
        self, pool: ThreadPoolExecutor, work: Callable[[Any, Any], Any], items: Iterable[Any]
    ) -> list[Any]:
        """Apply ``work`` to each item in threads; return the results."""
        return [made for _, made in map_unordered(pool, self.workspaces, work, items)]


class RuleRounds(Rounds):
    """Rounds that run the rules again on the undecided positions of a level, or on all."""

    def __init__(
        self, moves: RuleMoves, threads: int, horizon: int | None = None, level: int = 0
    ) -> None:
        """Store the moves.

        Args:
            moves: the moves.
            threads: threads to use at most.
            horizon: the last remoteness to decide, or None for all there are.
            level: the level of the positions, if positions have levels.
        """
        super().__init__(threads, horizon)
        self.moves = moves
        self.level = level

    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one remoteness; see ``Rounds``."""
        moves, state = self.moves, here.state

        def work(workspace: Any, span: tuple[int, int]) -> list[tuple[int, int]]:
            return [
                decide_expanded(
                    ids, len(ids), part.ends, workspace.numbers, moves.owners, state, *here.codes
                )
                for ids, part in moves.undecided_parts(workspace, state, span, self.level)
            ]

        return here.result(chain.from_iterable(moves.run_on_ranges(pool, work)))
