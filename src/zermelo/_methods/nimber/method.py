"""Nimbers of every reachable position of an impartial game under normal play."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zermelo._engine.expand.checkpoint import checkpoint_values, resumed_values
from zermelo._engine.expand.graph_memory import found
from zermelo._methods.graph_methods import budget_of, explored, table_of, transposing_capacity
from zermelo._methods.nimber import driver
from zermelo._methods.nimber.components import Components, first_wrong_split, split_error
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError
from zermelo.rules.impartiality import taken_for_impartial
from zermelo.values.nimbers import IN_SETS
from zermelo.values.outcomes import LOSS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from zermelo._engine.expand.discovery import Graph
    from zermelo._engine.table import Table
    from zermelo.rules.hooks import Rules


#: What else than allowing more memory helps, as nimbers need all moves in memory.
_INSTEAD = "ask who wins, without value='nimber', which takes less"


#: Whole positions that are compared with their components.
_WHOLE = 300


class NimberMethod:
    """Nimbers."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits games where a player who cannot move has lost, and no turn keeps players apart."""
        if rules.kind.gains:
            return "which is a score game"
        if not rules.alternate and not rules.passes:
            return (
                "whose turn() is not a field of the position, so that it takes pass_turn() to see "
                "whether both players have the same moves"
            )
        return None if rules.no_moves == LOSS else "in which a player who cannot move has not lost"

    def run(self, task: Task) -> Result:
        """Find every nimber.

        Raises:
            RulesError: a position is worth infinity with a nimber that no set may have.
            BudgetError: there is too little memory for the moves.
        """
        given, split = task, task.compiled.rules.has("split")
        parts: Any = Components(task.compiled)
        if split:
            task = replace(task, compiled=parts)
        budget = budget_of(task)
        graph = explored(task, budget)
        capacity = (
            0 if graph.forward else transposing_capacity(graph, budget) if graph.whole else None
        )
        if not graph.whole or capacity is None:
            needed = task.ledger.allowed + 1
            raise task.ledger.refusal(needed, found(graph.positions), _INSTEAD)
        known = resumed_values(task.checkpoint, graph)
        if known is not None:
            task.report.resume("all values were known")
            looping, ranks = known
        else:
            ranks, looping = self._found(task, graph, capacity)
            checkpoint_values(task.checkpoint, graph, looping, ranks)
        choice = "nimbers in an order in which successors come first"
        if ranks is None:
            choice = "nimbers in one sweep, as every move leads to a later position"
        elif looping:
            choice += f", but for the {looping:,} positions from which play need not end"
        table = table_of(given, graph, ranks)
        if split:
            choice = f"components alone, as split() gives them: {choice}"
            self._check_split(parts, table)
        return Result(table, choice + taken_for_impartial(given.compiled.rules))

    def _found(
        self, task: Task, graph: Graph, capacity: int
    ) -> tuple[npt.NDArray[np.uint32] | None, int]:
        """Find the nimbers of a graph; see ``driver.solve``.

        Raises:
            RulesError: a position is worth infinity with a nimber that no set may have.
        """
        with task.report.phase("nimbers", graph.positions):
            try:
                return driver.solve(graph, task.threads, capacity)
            except driver.BeyondError as error:
                rules, at = task.compiled.rules, error.number * graph.words
                position = rules.layout.unpack(graph.keys[at : at + graph.words])
                message = (
                    f"{rules.name}: play from {position!r} need not end, and its moves lead to "
                    f"nimbers of {IN_SETS} and more; make the game smaller, as what such a "
                    f"position is worth is a set of nimbers below {IN_SETS}"
                )
                raise RulesError(message) from None

    def _check_split(self, components: Components, table: Table) -> None:
        """See that some positions are worth what their components are.

        Raises:
            RulesError: one is not.
        """
        found = first_wrong_split(components, table, _WHOLE)
        if found is not None:
            raise RulesError(split_error(components.rules, table.kind, *found))
