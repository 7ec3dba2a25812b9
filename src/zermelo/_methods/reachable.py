"""Every position the start can reach, with the moves between them: the method for any game.

``retrograde`` for win, draw and loss; ``horizon`` for the same by the bounded-turn dynamic
programme; ``score`` for margins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine import horizon as horizon_engine
from zermelo._engine import retrograde as retrograde_engine
from zermelo._engine import score as score_engine
from zermelo._engine.budget import Budget
from zermelo._engine.explore import Buffers, Graph, explore, run_expand
from zermelo._engine.table import HashedTable
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError

if TYPE_CHECKING:
    import numpy.typing as npt

    from zermelo.rules import Rules


class Retrograde:
    """Win, draw or loss and remoteness of every reachable position."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits every game that has no scores."""
        return "which is a score game" if rules.scored else None

    def run(self, task: Task) -> Result:
        """Solve by a sweep where moves only lead forward, and by retrograde analysis elsewhere."""
        graph, budget = _explored(task)
        retrograde_engine.solve(graph, task.threads, task.report)
        choice = "retrograde analysis with a queue, as moves may lead back"
        if graph.forward:
            choice = "one backward sweep, as every move leads to a later position"
        return Result(_table(graph), choice, budget.peak)


class Horizon:
    """The bounded-turn dynamic programme, for comparison."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits every game that has no scores."""
        return "which is a score game" if rules.scored else None

    def run(self, task: Task) -> Result:
        """Decide what is decided within the horizon."""
        graph, budget = _explored(task)
        bound = graph.positions if task.horizon is None else task.horizon
        rounds = horizon_engine.solve(graph, bound, task.report)
        choice = f"the bounded-turn programme: {rounds} rounds of at most {bound}"
        return Result(_table(graph), choice, budget.peak)


class Score:
    """Margins under best play."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits score games."""
        return None if rules.scored else "which is not a score game"

    def run(self, task: Task) -> Result:
        """Find every margin.

        Raises:
            RulesError: the moves lead in a circle.
        """
        graph, budget = _explored(task)
        rules = task.compiled.rules
        try:
            order = score_engine.solve(graph, task.report)
        except score_engine.CircleError as error:
            at = error.number * graph.words
            position = rules.layout.unpack(graph.keys[at : at + graph.words])
            message = (
                f"{rules.name}: the moves from {position!r} can lead in a circle, and a score "
                "game must end; count the moves in the position, or drop gain() and score()"
            )
            raise RulesError(message) from None
        if order is None:
            choice = "scores in one sweep, as every move leads to a later position"
            return Result(_table(graph), choice, budget.peak)
        ranks = np.empty(graph.positions, np.uint32)
        ranks[order] = np.arange(graph.positions, dtype=np.uint32)
        choice = "scores in an order in which successors come first"
        return Result(_table(graph, ranks), choice, budget.peak)


def _explored(task: Task) -> tuple[Graph, Budget]:
    compiled = task.compiled
    budget = Budget(task.allowed, compiled.words, compiled.scored, compiled.alternate)
    with task.report.phase("compile"):
        run_expand(compiled, np.empty(0, np.uint64), 0, 0, Buffers.for_rules(compiled, 1, 1))
    with task.report.phase("explore"):
        starts = compiled.start_words()
        graph = explore(compiled, starts, budget, task.threads, task.report)
    return graph, budget


def _table(graph: Graph, ranks: npt.NDArray[np.uint32] | None = None) -> HashedTable:
    return HashedTable(
        graph.words, graph.keys, graph.table, graph.values, graph.owners, graph.starts, ranks
    )
