"""Nimbers of every reachable position of an impartial game under normal play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.expand.graph_memory import SMALLER, found
from zermelo._methods.nimber import driver
from zermelo._methods.reachable import budget_of, explored, table_of, transposing_capacity
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError
from zermelo.values.outcomes import LOSS

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


class NimberMethod:
    """Nimbers."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits games of alternating moves in which who cannot move has lost."""
        if rules.kind.gains:
            return "which is a score game"
        if not rules.alternate:
            return "in which moves depend on whose turn() it is"
        return None if rules.no_moves == LOSS else "in which a player who cannot move has not lost"

    def run(self, task: Task) -> Result:
        """Find every nimber.

        Raises:
            RulesError: the moves lead in a circle.
            BudgetError: there is too little memory for the moves.
        """
        budget = budget_of(task)
        graph = explored(task, budget)
        capacity = (
            0 if graph.forward else transposing_capacity(graph, budget) if graph.whole else None
        )
        if not graph.whole or capacity is None:
            needed = task.ledger.allowed + 1
            raise task.ledger.refusal(needed, found(graph.positions), SMALLER)
        with task.report.phase("nimbers", graph.positions):
            ranks = driver.solve(graph, task.threads, capacity)
        unknown = np.flatnonzero(graph.values == driver.UNKNOWN)
        if len(unknown):
            rules, at = task.compiled.rules, int(unknown[0]) * graph.words
            position = rules.layout.unpack(graph.keys[at : at + graph.words])
            message = (
                f"{rules.name}: the moves from {position!r} can lead in a circle, and nimbers are "
                "of games that must end; solve it without value='nimber'"
            )
            raise RulesError(message)
        choice = "nimbers in an order in which successors come first"
        if ranks is None:
            choice = "nimbers in one sweep, as every move leads to a later position"
        return Result(table_of(task, graph, ranks), choice)
