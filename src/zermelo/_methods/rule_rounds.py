"""Positions whose moves are not stored: the rules are run again for each pass over them.

Memory has the positions, the index that finds them and their values. If every move leads forward,
one pass is enough, from the last position to the first. Otherwise there are rounds: a position
decided in round r has remoteness r, which follows from positions decided in earlier rounds. So
neither the order of positions nor the number of threads matters. The cost is the number of
expansions times the greatest remoteness.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.folds import expanded_fold
from zermelo._engine.backward.rounds import (
    Round,
    Rounds,
    decide_expanded,
    list_undecided,
)
from zermelo._engine.column.value_operations import ValueOperations, operations_of
from zermelo._engine.core.threads import for_layers_reversed, map_unordered
from zermelo._engine.expand.expander import (
    CAPACITY,
    Buffers,
    Expand,
    ExpandedPart,
    buffer_bytes,
    chunk_size,
    expanded_parts,
)

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo.progress import Reporter

#: Positions of a graph that one thread scans in one batch.
_BATCH = 1 << 16
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
                    ids,
                    part.ends,
                    workspace.numbers,
                    moves.owners,
                    state,
                    here.codes,
                    len(moves.levels) > 0,
                )
                for ids, part in moves.undecided_parts(workspace, state, span, self.level)
            ]

        return here.result(chain.from_iterable(moves.run_on_ranges(pool, work)))


class Rerun(RuleMoves):
    """The moves of a graph whose positions are found by a hash index."""

    def __init__(self, expand: Expand, graph: Graph, budget: GraphMemory, threads: int) -> None:
        """Create a workspace for each thread, and add their bytes to the budget."""
        self.expand = expand
        self.graph = graph
        self.threads = threads
        self.positions, self.owners = graph.positions, graph.owners
        each = buffer_bytes(expand) + 8 * CAPACITY + 8 * expand.words + 8
        self.span = limits.current().batch(_BATCH)
        self.chunk = limits.current().batch(chunk_size(budget.ledger.allowed, each * threads))
        capacity = limits.current().batch(self.chunk * CAPACITY)
        self.workspaces = [RuleWorkspace(expand, self.chunk, capacity) for _ in range(threads)]
        budget.buffers = threads * self.chunk * each

    @property
    def operations(self) -> ValueOperations:
        """The operations on values."""
        return operations_of(self.expand.kind)

    def children(self, workspace: RuleWorkspace, ids: Ids) -> Iterator[ExpandedPart]:
        """Expand positions; see ``RuleMoves``."""
        graph, words = self.graph, self.graph.words
        keys = workspace.keys[: len(ids) * words].reshape(-1, words)
        graph.keys.reshape(-1, words).take(ids, axis=0, out=keys, mode="clip")
        for part in workspace.parts(len(ids)):
            graph.table.find(part.buffers.children, part.moves, graph.keys, workspace.numbers)
            yield part

    def sweep(self, report: Reporter) -> None:
        """Decide a graph whose moves lead forward, from the last position to the first."""
        graph, spare = self.graph, list(self.workspaces)
        threads = self.threads if graph.layered else 1
        layers = graph.layers if threads > 1 else [0, graph.positions]

        def work(begin: int, end: int) -> None:
            workspace = spare.pop()
            self._decide_back(workspace, begin, end)
            spare.append(workspace)

        with report.phase("sweep", graph.positions):
            for begin in for_layers_reversed(layers, threads, self.chunk, work):
                report.advance(graph.positions - begin)

    def rounds(self, horizon: int | None) -> RuleRounds:
        """Return rounds over the graph, up to a horizon if that is not None."""
        return RuleRounds(self, self.threads, horizon)

    def _decide_back(self, workspace: RuleWorkspace, begin: int, end: int) -> None:
        """Decide positions; if buffers are too small for all, the later ones first."""
        owners, values = self.owners, self.graph.values
        fold = expanded_fold(self.operations)
        while begin < end:
            part = next(self.children(workspace, np.arange(begin, end)))
            if begin + part.end == end:
                moves = part.ends, workspace.numbers, owners, part.gains
                fold(begin, part.end, *moves, values)
                return
            self._decide_back(workspace, begin + part.end, end)
            end = begin + part.end
