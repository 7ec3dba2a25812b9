"""Expectations level by level, for a game with chance whose moves do not fit in memory.

No move lowers the level, and so the positions of a level depend on those of the same level and of
higher ones alone. The moves of one level at a time are found by running the rules again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import Arena, zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import thread_pool
from zermelo._engine.index.hash_index import HashIndex, entries_for
from zermelo._engine.store.arrays import FileArray
from zermelo._methods.chance.arrays import (
    EDGE_BYTES,
    POSITION_BYTES,
    Arcs,
    Outside,
    bounds_of_codes,
    codes_of,
    compiled_kernels,
    extremes,
    ordered_graph,
    with_outside,
)
from zermelo._methods.chance.solver import ChanceGraph, Units, decided, ranks_of
from zermelo._methods.graph_methods import rerun_of
from zermelo._methods.score.kernels_cycles import order_by_stage
from zermelo.errors import BudgetError, RulesError
from zermelo.progress import Reporter
from zermelo.values.expectations import CHANCE

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo._methods.rule_rounds import Rerun
    from zermelo._methods.task import Task

#: Bytes per position: of its level and its rank; and of its index, while positions are listed.
_LISTED_BYTES, _LISTING_BYTES = 2 + 4, 4
#: The most different levels; and positions or moves in a batch.
_MOST_LEVELS, _BATCH = 1 << 16, 1 << 16
#: Added to the number of a position within its level, until the number of positions of higher
#: levels, which come first, is known. No level that fits in memory has so large a number.
_WITHIN = 1 << 31


def solve_by_level(
    task: Task, graph: Graph, budget: GraphMemory
) -> tuple[int, npt.NDArray[np.uint32]]:
    """Find all expectations of a graph without moves, in place.

    Args:
        task: the game, which has ``level``.
        graph: its positions.
        budget: the memory of the graph.

    Returns:
        The exponent of the unit, and the ranks.

    Raises:
        BudgetError: the moves of one level do not fit in memory.
        PrecisionError: the bounds cannot be found as precisely as requested.
        RulesError: a move lowers the level.
    """
    rerun = rerun_of(task, graph, budget, (_LISTED_BYTES + _LISTING_BYTES) * graph.positions)
    with Scratch() as scratch:
        with task.report.phase("levels"):
            levels = _Levels(task, graph, rerun, budget, FileArray(scratch, np.uint32))
        return _decide(task, graph, levels)


def _decide(task: Task, graph: Graph, levels: _Levels) -> tuple[int, npt.NDArray[np.uint32]]:
    """Find all expectations with a unit that is fine enough; see ``solve_by_level``."""
    kind: Any = task.compiled.kind
    finals = graph.values[graph.values > CHANCE]
    worth = task.compiled.rules.worth_of_endless
    greatest = max(int(np.abs(finals).max(initial=0)), abs(worth))
    units, width = Units(kind, greatest, task.precision), 0
    for exponent in units.exponents():
        with task.report.phase("expectations", graph.positions):
            width = levels.decide(exponent)
        if units.suits(width, exponent):
            return exponent, levels.ranks
    raise units.refusal(width)


class _PreparedLevel(NamedTuple):
    """A level that is ready to be decided.

    Attributes:
        graph: its positions, after the positions of higher levels that their moves lead to.
        known: the positions of higher levels, in the order of the graph.
        ids: the positions of the level, in this order.
        bytes: the bytes of memory that it takes, at most.
    """

    graph: ChanceGraph
    known: npt.NDArray[np.int64]
    ids: npt.NDArray[np.uint32]
    bytes: int


class _Levels:
    """The positions of a graph by level.

    Attributes:
        ranks: the rank of each decided position. Until a level is decided, each of its positions
            has its number within the level instead.
    """

    def __init__(
        self, task: Task, graph: Graph, rerun: Rerun, budget: GraphMemory, listed: FileArray
    ) -> None:
        """List the positions of each level.

        Args:
            task: the game.
            graph: its positions.
            rerun: runs the rules again.
            budget: the memory of the graph.
            listed: an empty array, which receives the positions, the lowest level first.

        Raises:
            RulesError: there are too many levels.
        """
        self.task, self.graph, self.rerun, self.budget = task, graph, rerun, budget
        count = graph.positions
        spans = [(begin, min(begin + _BATCH, count)) for begin in range(0, count, _BATCH)]
        known = np.empty(0, np.int64)
        for span in spans:
            known = np.union1d(known, self._levels_of(*span))
            if len(known) > _MOST_LEVELS:
                message = (
                    f"{task.compiled.rules.name} has levels from {known[0]:,} to {known[-1]:,}; "
                    f"return at most {_MOST_LEVELS:,} different ones from level()"
                )
                raise RulesError(message)
        self.level = np.empty(count, np.min_scalar_type(len(known) - 1))
        for begin, end in spans:
            self.level[begin:end] = np.searchsorted(known, self._levels_of(begin, end))
        self.ends: list[int] = [0, *np.cumsum(np.bincount(self.level)).tolist()]
        order = np.empty(count, np.uint32)
        order_by_stage(self.level, np.array(self.ends[:-1], np.int64), order)
        listed.append(order)
        self.listed = listed
        del order
        self.ranks: npt.NDArray[np.uint32] = zeros(count, np.uint32)

    def _levels_of(self, begin: int, end: int) -> npt.NDArray[np.int64]:
        """Return the levels of a range of positions, as the game numbers them."""
        out, words = np.empty(end - begin, np.int64), self.graph.words
        self.task.compiled.levels(self.graph.keys[begin * words : end * words], end - begin, out)
        return out

    def decide(self, exponent: int) -> int:
        """Find the bounds of all positions, the highest level first; return the greatest width.

        If memory suffices, another thread prepares a level while the one before is decided.
        """
        width, levels = 0, range(len(self.ends) - 2, -1, -1)
        with thread_pool(1, "zermelo-level") as pool:
            prepared = None
            for level in levels:
                prepared = prepared or self._prepare(level)
                is_shared = self.task.threads > 1 and level > 0
                job = pool.submit(self._prepare_next, level - 1, prepared) if is_shared else None
                width = max(width, self._decide_level(prepared, exponent))
                self.task.report.advance(self.graph.positions - self.ends[level])
                prepared = None if job is None else job.result()
        return width

    def _decide_level(self, level: _PreparedLevel, exponent: int) -> int:
        """Find the bounds and ranks of one level; return the greatest width."""
        values, known = self.graph.values, level.known
        kind: Any = self.task.compiled.kind
        kind = kind.with_unit(exponent)
        outside = Outside(bounds_of_codes(values[known], kind), self.ranks[known])
        graph = with_outside(level.graph, outside)
        kernels = compiled_kernels(Reporter(None))  # levels are reported, not their parts
        bounds = decided(graph, exponent, kernels)
        ranks = ranks_of(graph, exponent, bounds, np.empty(0, np.int64), kernels)
        found = bounds[2 * len(known) :]
        values[level.ids] = codes_of(found, kind)
        self.ranks[level.ids] = ranks[len(known) :]
        return extremes(found)[1]

    def _prepare_next(self, level: int, other: _PreparedLevel) -> _PreparedLevel | None:
        """Prepare a level while another is decided; return None if memory does not suffice."""
        try:
            return self._prepare(level, other.bytes)
        except BudgetError:
            return None

    def _prepare(self, level: int, other_bytes: int = 0) -> _PreparedLevel:
        """Find and order the moves of a level.

        Args:
            level: the level.
            other_bytes: the bytes of memory that another level takes.

        Raises:
            BudgetError: the moves do not fit in memory.
            RulesError: a move lowers the level.
        """
        begin, end = self.ends[level], self.ends[level + 1]
        ids = self.listed.read(begin, np.empty(end - begin, np.uint32))
        known, moves, needed = self._moves(level, ids, other_bytes)
        task = self.task
        kind: Any = task.compiled.kind
        worth = task.compiled.rules.worth_of_endless
        graph, order = ordered_graph(moves, worth, kind, forward=False, known=len(known))
        return _PreparedLevel(graph, known, ids[order[len(known) :] - len(known)], needed)

    def _moves(
        self, level: int, ids: npt.NDArray[np.uint32], other_bytes: int
    ) -> tuple[npt.NDArray[np.int64], Arcs, int]:
        """Find the moves of a level.

        Args:
            level: the level.
            ids: its positions.
            other_bytes: the bytes of memory that another level takes.

        Returns:
            The positions of higher levels that moves lead to; the moves of all, which are numbered
            in this order, and then those of the level; and the bytes of memory to solve them.
        """
        self.ranks[ids] = np.arange(len(ids), dtype=np.uint32)
        rerun, limit, graph = self.rerun, self.task.ledger.allowed, self.graph
        workspace, chunk = rerun.workspaces[0], rerun.chunk
        edges, labels, higher = (
            Arena(np.uint32, limit),
            Arena(np.uint32, limit),
            _HigherPositions(limit),
        )
        ends, values = np.empty(len(ids), np.int64), np.empty(len(ids), np.int64)
        held_bytes = self.budget.held_bytes(graph.positions, graph.table.entries, None)
        held_bytes += _LISTED_BYTES * graph.positions + other_bytes
        count = needed = 0
        for begin in range(0, len(ids), chunk):
            batch = ids[begin : begin + chunk].astype(np.int64)
            for part in rerun.children(workspace, batch):
                total, numbers = count + part.moves, workspace.numbers[: part.moves]
                local = len(ids) + higher.count + part.moves
                needed = POSITION_BYTES * local + EDGE_BYTES * total
                self.budget.reserve(held_bytes + needed, graph.positions)
                levels = self.level[numbers]
                if (levels < level).any():
                    self._raise_lowered(batch[part.begin :], part.ends, int(np.argmin(levels)))
                into = edges.ensure(total, count)[count:total]
                np.add(self.ranks[numbers], np.uint32(_WITHIN), out=into)
                is_higher = levels > level
                into[is_higher] = higher.numbers(numbers[is_higher])
                labels.ensure(total, count)[count:total] = part.gains
                ends[begin + part.begin : begin + part.end] = part.ends + count
                values[begin + part.begin : begin + part.end] = part.values
                count = total
        known, owners = higher.positions(), graph.owners
        for begin in range(0, count, _BATCH):
            batch = edges.array[begin : min(begin + _BATCH, count)]
            batch[batch >= _WITHIN] -= np.uint32(_WITHIN - len(known))
        if len(owners):
            owners = np.concatenate([owners[known], owners[ids]])
        moves = Arcs(
            np.concatenate([np.zeros(len(known) + 1, np.int64), ends]),
            edges.array[:count],
            labels.array[:count],
            owners,
            np.concatenate([np.zeros(len(known), np.int64), values]),
        )
        return known, moves, needed

    def _raise_lowered(self, ids: npt.NDArray[np.int64], ends: npt.NDArray[Any], edge: int) -> None:
        """Raise the error that says that a move lowers the level.

        Args:
            ids: positions.
            ends: the end of the moves of each.
            edge: the index of the move.

        Raises:
            RulesError: always.
        """
        rules, words = self.task.compiled.rules, self.graph.words
        number = int(ids[np.searchsorted(ends, edge, side="right")])
        position = rules.layout.unpack(self.graph.keys[number * words : (number + 1) * words])
        message = (
            f"{rules.name}.level() is {rules.level(position)} at {position!r}, and less after a "
            "move; make sure that no move lowers it"
        )
        raise RulesError(message)


class _HigherPositions:
    """The positions of higher levels to which moves of a level lead, in the order of discovery.

    Attributes:
        count: the number of positions found.
    """

    def __init__(self, limit: int) -> None:
        """Create an empty list of at most ``limit`` bytes."""
        self.count = 0
        self._positions = Arena(np.uint64, limit)
        self._index = HashIndex(1)

    def numbers(self, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.uint32]:
        """Return the number of each position."""
        most = self.count + len(positions)
        found_positions = self._positions.ensure(most, self.count)
        if self._index.is_full(most):
            self._index.grow(entries_for(most), found_positions, self.count, direct=False)
        out = np.empty(len(positions), np.uint32)
        keys = positions.view(np.uint64)
        self.count = self._index.insert(keys, len(keys), found_positions, self.count, out, 0)
        return out

    def positions(self) -> npt.NDArray[np.int64]:
        """Return the positions in the order of their numbers."""
        return self._positions.array[: self.count].view(np.int64)
