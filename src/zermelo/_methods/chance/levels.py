"""Expectations level by level, for a game with chance whose moves do not fit in memory.

No move lowers the level, and so the positions of a level depend on those of the same level and of
higher ones alone. The moves of one level at a time are found by running the rules again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import Arena, zeros
from zermelo._methods.chance.arrays import (
    POSITION_BYTES,
    Arcs,
    Outside,
    bounds_of_codes,
    codes_of,
    compiled_kernels,
    extremes,
    ordered_graph,
)
from zermelo._methods.chance.solver import Units, decided, ranks_of
from zermelo._methods.graph_methods import rerun_of
from zermelo._methods.score.kernels_cycles import order_by_stage
from zermelo.errors import RulesError
from zermelo.progress import Reporter
from zermelo.values.expectations import CHANCE

if TYPE_CHECKING:
    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo._methods.rule_rounds import Rerun
    from zermelo._methods.task import Task

#: Bytes of a position: its level, its place in the order of levels, its number in its level, and
#: its rank.
_LISTED_BYTES = 2 + 4 + 4 + 4
#: The most different levels; positions whose levels are computed at once.
_MOST_LEVELS, _BATCH = 1 << 16, 1 << 16


def by_level(task: Task, graph: Graph, budget: GraphMemory) -> tuple[int, npt.NDArray[np.uint32]]:
    """Find all expectations of a graph without moves, in place.

    Args:
        task: the game, which has ``level``.
        graph: its positions.
        budget: the memory of the graph.

    Returns:
        The exponent of the unit, and the ranks.

    Raises:
        BudgetError: the moves of one level do not fit in memory.
        PrecisionError: the bounds cannot be found as precisely as was asked.
        RulesError: a move lowers the level.
    """
    kind: Any = task.compiled.kind
    rerun = rerun_of(task, graph, budget, _LISTED_BYTES * graph.positions)
    with task.report.phase("levels"):
        levels = _Levels(task, graph, rerun, budget)
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


class _Levels:
    """The positions of a graph by level.

    Attributes:
        ranks: the rank of each position that is decided.
    """

    def __init__(self, task: Task, graph: Graph, rerun: Rerun, budget: GraphMemory) -> None:
        """List the positions of each level.

        Raises:
            RulesError: there are too many levels.
        """
        self.task, self.graph, self.rerun, self.budget = task, graph, rerun, budget
        compiled, count, words = task.compiled, graph.positions, graph.words
        least, greatest = 1 << 62, -(1 << 62)
        batch = np.empty(_BATCH, np.int64)
        spans = [(begin, min(begin + _BATCH, count)) for begin in range(0, count, _BATCH)]
        for begin, end in spans:
            compiled.levels(graph.keys[begin * words : end * words], end - begin, batch)
            least = min(least, int(batch[: end - begin].min()))
            greatest = max(greatest, int(batch[: end - begin].max()))
        if greatest - least >= _MOST_LEVELS:
            message = (
                f"{compiled.rules.name} has levels from {least:,} to {greatest:,}; return fewer "
                f"than {_MOST_LEVELS:,} different ones from level()"
            )
            raise RulesError(message)
        self.level = np.empty(count, np.uint16)
        for begin, end in spans:
            compiled.levels(graph.keys[begin * words : end * words], end - begin, batch)
            self.level[begin:end] = batch[: end - begin] - least
        ends = np.cumsum(np.bincount(self.level, minlength=greatest - least + 1))
        self.ends: list[int] = [0, *ends.tolist()]
        self.order = np.empty(count, np.uint32)
        order_by_stage(self.level, np.array(self.ends[:-1], np.int64), self.order)
        self.places: npt.NDArray[np.uint32] = zeros(count, np.uint32)
        self.ranks: npt.NDArray[np.uint32] = zeros(count, np.uint32)

    def decide(self, exponent: int) -> int:
        """Find the bounds of all positions, the highest level first; return the greatest width."""
        width = done = 0
        for level in reversed(range(len(self.ends) - 1)):
            ids = self.order[self.ends[level] : self.ends[level + 1]]
            if len(ids):
                width = max(width, self._decide_level(level, ids, exponent))
                done += len(ids)
                self.task.report.advance(done)
        return width

    def _decide_level(self, level: int, ids: npt.NDArray[np.uint32], exponent: int) -> int:
        """Find the bounds and ranks of one level; return the greatest width."""
        task, graph = self.task, self.graph
        kind: Any = task.compiled.kind
        unit_kind = kind.with_unit(exponent)
        ends, edges, labels, values = self._moves(ids)
        edge_levels = self.level[edges]
        if (edge_levels < level).any():
            self._raise_lowered(ids, ends, int(np.argmax(edge_levels < level)))
        known = np.unique(edges[edge_levels > level])
        del edge_levels
        self.places[known] = np.arange(len(known), dtype=np.uint32)
        self.places[ids] = len(known) + np.arange(len(ids), dtype=np.uint32)
        first = np.concatenate([np.zeros(len(known) + 1, np.int64), ends])
        owners = graph.owners
        if len(owners):
            owners = np.concatenate([owners[known], owners[ids]])
        np.take(self.places, edges, out=edges)
        arcs = Arcs(
            first,
            edges,
            labels,
            owners,
            np.concatenate([np.zeros(len(known), np.int64), values]),
        )
        outside = Outside(bounds_of_codes(graph.values[known], unit_kind), self.ranks[known])
        worth = task.compiled.rules.worth_of_endless
        ordered, order = ordered_graph(arcs, worth, kind, forward=False, outside=outside)
        del arcs, edges, labels, first, owners, values
        kernels = compiled_kernels(Reporter(None))  # levels are reported, not their parts
        bounds = decided(ordered, exponent, kernels)
        ranks = ranks_of(ordered, exponent, bounds, np.empty(0, np.int64), kernels)
        numbers = ids[order[len(known) :] - len(known)]
        found = bounds[2 * len(known) :]
        graph.values[numbers] = codes_of(found, unit_kind)
        self.ranks[numbers] = ranks[len(known) :]
        return extremes(found)[1]

    def _moves(
        self, ids: npt.NDArray[np.uint32]
    ) -> tuple[
        npt.NDArray[np.int64],
        npt.NDArray[np.uint32],
        npt.NDArray[np.uint32],
        npt.NDArray[np.int64],
    ]:
        """Return the moves of positions: ends, successors and labels; and the rules' values.

        Raises:
            BudgetError: they do not fit in memory.
        """
        rerun, limit = self.rerun, self.task.ledger.allowed
        workspace, chunk = rerun.workspaces[0], rerun.chunk
        edges, labels = Arena(np.uint32, limit), Arena(np.uint32, limit)
        ends, values = np.empty(len(ids), np.int64), np.empty(len(ids), np.int64)
        held = self.budget.held_bytes(self.graph.positions, self.graph.table.entries, None)
        held += _LISTED_BYTES * self.graph.positions + POSITION_BYTES * len(ids)
        count = 0
        for begin in range(0, len(ids), chunk):
            batch = ids[begin : begin + chunk].astype(np.int64)
            for part in rerun.children(workspace, batch):
                self.budget.reserve(held + 4 * 4 * (count + part.moves), self.graph.positions)
                into = edges.ensure(count + part.moves, count)
                into[count : count + part.moves] = workspace.numbers[: part.moves]
                into = labels.ensure(count + part.moves, count)
                into[count : count + part.moves] = part.gains
                ends[begin + part.begin : begin + part.end] = part.ends + count
                values[begin + part.begin : begin + part.end] = part.values
                count += part.moves
        return ends, edges.array[:count], labels.array[:count], values

    def _raise_lowered(
        self, ids: npt.NDArray[np.uint32], ends: npt.NDArray[np.int64], edge: int
    ) -> None:
        """Raise the error that says that a move lowers the level.

        Raises:
            RulesError: always.
        """
        rules, words = self.task.compiled.rules, self.graph.words
        number = int(ids[np.searchsorted(ends, edge, side="right")])
        position = rules.layout.unpack(self.graph.keys[number * words : (number + 1) * words])
        message = (
            f"{rules.name}.level() is {rules.level(position)} at {position!r}, and less after a "
            "move; let it never be lowered"
        )
        raise RulesError(message)
