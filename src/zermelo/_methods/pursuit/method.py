"""The method for games that declare a pursuit on a graph, by rows of bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo._engine.table import Table
from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.errors import ParameterError, RulesError
from zermelo.game.adjacency import Adjacency, adjacency
from zermelo.game.pursuit import PursuitRules
from zermelo.values.endless import REMOTENESS_ALGEBRAS

if TYPE_CHECKING:
    from zermelo._methods.pursuit.graphs import PursuitGraphs
    from zermelo.rules.hooks import Rules


class PursuitMethod(Method):
    """The method that finds win, draw or loss and remoteness of every position of a pursuit."""

    clusters = True
    declared = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs a ``pursuit`` that its other rules match."""
        if not rules.has_hook("pursuit"):
            return "which does not declare a pursuit"
        if rules.misere:
            return "under misère play, which pursuit() does not cover"
        hook = rules.changed_since_pursuit
        if hook is not None:
            return f"which changes {hook}() but inherits pursuit() from a base class"
        values_clause = foreign_values(rules, REMOTENESS_ALGEBRAS)
        if values_clause is not None:
            return values_clause
        if not rules.has_hook("starts"):
            return "which has no starts(), which gives every position of a pursuit"
        return None

    def run(self, task: Task) -> Result:
        """Solve in rounds, each over all positions.

        Raises:
            RulesError: ``pursuit`` returned no description of this game, or a description that its
                rules contradict in a sample of positions.
        """
        # Imported here, so that other games start without these kernels.
        from zermelo._methods.pursuit.driver import solve
        from zermelo._methods.pursuit.index import EveryStart, PursuitColumn, PursuitIndex
        from zermelo._methods.pursuit.rules_check import check_rules

        rules = task.compiled.rules
        description, board = board_of(rules)
        index = PursuitIndex.of_game(rules, description.fields, board)
        starts: Any = EveryStart(rules, index)
        check_rules(rules, board, index, description.fields)
        arguments = task.ledger, task.threads, task.report, task.checkpoint
        if task.workers is not None:
            from zermelo._methods.pursuit.cluster.driver import solve as solve_on_cluster

            chase = solve_on_cluster(board, task.workers, *arguments)
        else:
            chase = solve(board, *arguments)
        table = Table(index, PursuitColumn(index, chase.marks, rules.kind), starts, "places")
        choice = f"pursuit by rows of bits, as the game declares one: {chase.rounds} rounds"
        if chase.storage:
            choice += f", {chase.storage}"
        return Result(table, choice)


def board_of(rules: Rules) -> tuple[PursuitRules, PursuitGraphs]:
    """Return a game's description of its pursuit, and the pursuit in the engine's form.

    Raises:
        RulesError: ``pursuit`` returned no description of this game.
    """
    description = rules.written.pursuit()
    if not isinstance(description, PursuitRules):
        message = f"{rules.name}.pursuit() returned {description!r}; return a PursuitRules"
        raise RulesError(message)
    return description, _board(rules, description)


def _board(rules: Rules, description: PursuitRules) -> PursuitGraphs:
    from zermelo._methods.pursuit.graphs import PursuitGraphs, flags, moves

    try:
        evader = adjacency("graph", description.graph)
        size = len(evader[0]) - 1
        pursuer = evader
        if description.pursuer_graph is not None:
            pursuer = adjacency("pursuer_graph", description.pursuer_graph)
    except ParameterError as error:
        message = f"{rules.name}.pursuit() does not describe a pursuit: {error}"
        raise RulesError(message) from None
    _check(rules, description, size, pursuer)
    stays = description.stuck == "stay"
    safe, forbidden = flags(description.safe, size), flags(description.forbidden, size)
    return PursuitGraphs(
        moves(*evader, stays_if_stuck=stays),
        (moves(*pursuer, forbidden, stays_if_stuck=stays),),
        safe,
        forbidden,
    )


def _check(rules: Rules, description: PursuitRules, size: int, pursuer: Adjacency) -> None:
    """Raise RulesError if a description does not fit the game, or contradicts itself."""
    fault = ""
    if len(pursuer[0]) - 1 != size:
        fault = f"graphs of {size} and {len(pursuer[0]) - 1} nodes; give both the same nodes"
    for name in ("safe", "forbidden"):
        nodes = getattr(description, name)
        invalid_nodes = [node for node in nodes if not 0 <= node < size]
        if invalid_nodes:
            fault = f"a node {invalid_nodes[0]!r} in {name}; use 0 to {size - 1}"
    if description.stuck not in ("stay", "lose"):
        fault = f"stuck={description.stuck!r}; use 'stay' or 'lose'"
    fields = tuple(name for name, length in rules.layout.fields if length is None)
    if sorted(fields) != sorted(description.fields) or len(rules.layout.slots) != len(fields):
        fault = f"fields {description.fields!r}, and positions are {rules.layout.describe()}; name "
        fault += "evader, pursuer and turn"
    if fault:
        message = f"{rules.name}.pursuit() describes {fault}"
        raise RulesError(message)
