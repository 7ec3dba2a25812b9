"""Values of all positions of a partizan game under normal play, with either player to move."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.expand.graph_memory import GraphMemory
from zermelo._engine.index.discovery_index import FoundIndex
from zermelo._engine.table import Table
from zermelo._methods.components import Components, first_wrong_split
from zermelo._methods.partizan.solver import RepeatedPositionError, find_values
from zermelo._methods.partizan.turn_graph import TurnGraph, explore_turns
from zermelo._methods.task import Method, Result, Task
from zermelo.errors import RulesError
from zermelo.rules.impartiality import taken_for_impartial, unsuited_to_partizan
from zermelo.values.partizan import PartizanValues

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo._methods.partizan.solver import FoundValues
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules

#: Whole positions to compare with their components.
_SAMPLE_SIZE = 300
#: The most positions of a cycle that a message shows.
_MOST_SHOWN = 4


class PartizanMethod(Method):
    """The method that finds values of partizan games."""

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs normal play, and passing the turn."""
        return unsuited_to_partizan(rules)

    def run(self, task: Task) -> Result:
        """Find every value.

        Raises:
            RulesError: a position can repeat, or a player may move twice in a row, or ``split``
                separates parts that one move can change together.
            BudgetError: the moves do not fit in memory.
        """
        expand = expansion_of(task.compiled)
        with task.report.phase("explore"):
            graph = explore_turns(
                expand, turn_memory(expand, task.ledger), task.threads, task.report
            )
        index = FoundIndex(graph.keys.reshape(-1), graph.index, len(graph), None, None)
        table, found = valued_table(graph, index, task.report, compiled=True)
        choice = solve_description(task.compiled.rules)
        if isinstance(expand, Components):
            choice = f"components alone, as split() gives them: {choice}"
            fault = first_wrong_split(expand, table, _SAMPLE_SIZE, found)
            if fault is not None:
                raise RulesError(fault)
        return Result(table, choice)


def solve_description(rules: Rules) -> str:
    """Return the description of a solve of a game."""
    choice = "canonical forms in an order in which options come first, for both players"
    return choice + taken_for_impartial(rules)


def expansion_of(rules: Any) -> Any:
    """Return the rules that expand positions, or components if the rules have ``split``.

    Args:
        rules: ``CompiledRules`` or ``PlainRules``, with values of partizan games.
    """
    return Components(rules, rules.kind) if rules.rules.has_hook("split") else rules


def turn_memory(expand: Any, ledger: Ledger) -> GraphMemory:
    """Return the memory of positions with either player to move, and their moves."""
    return GraphMemory(ledger, expand.words, expand.kind, expand.alternate)


def valued_table(
    graph: TurnGraph, index: Any, report: Reporter, *, compiled: bool
) -> tuple[Table, FoundValues]:
    """Return the positions with their values, and how these were found.

    Args:
        graph: the positions.
        index: their index.
        report: receives the number of positions decided.
        compiled: whether compiled code may be used.

    Raises:
        RulesError: a position can repeat.
    """
    with report.phase("values", len(graph)):
        try:
            found = find_values(graph, report, compiled=compiled)
        except RepeatedPositionError as error:
            raise RulesError(_cycle_fault(graph, error.numbers)) from None
    owners = np.empty(0, np.uint8) if graph.owner is None else graph.owner
    column = ArrayColumn(PartizanValues(found.forms), found.codes.astype(np.int32), owners)
    return Table(index, column, np.arange(graph.starts), "any"), found


def _cycle_fault(graph: TurnGraph, cycle: list[int]) -> str:
    """Return a sentence on moves that lead back to a position."""
    rules = graph.rules
    shown = [repr(graph.position(number)) for number in cycle[:_MOST_SHOWN]]
    hidden = len(cycle) - len(shown)
    path = " to ".join([*shown, *([f"{hidden:,} more"] if hidden else []), shown[0]])
    return (
        f"{rules.name}: moves lead in a cycle, with either player to move: from {path}; "
        "value='partizan' is for games whose play must end, so leave value out"
    )
