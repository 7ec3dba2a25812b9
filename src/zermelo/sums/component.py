"""A part of a sum: its positions with either player to move, and their moves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.expand.graph_memory import GraphMemory
from zermelo._methods.partizan.turn_graph import NONE, TurnGraph, explore_turns
from zermelo.errors import RulesError, ZermeloError
from zermelo.limits import current
from zermelo.plain.index import PackedNumbers
from zermelo.plain.rules import PlainRules
from zermelo.progress import Reporter

if TYPE_CHECKING:
    from zermelo._engine.core.ledger import Ledger
    from zermelo.rules.hooks import Rules


def component_of(
    rules: Rules, ledger: Ledger, threads: int = 1, report: Reporter | None = None
) -> TurnGraph:
    """Return all positions of a part of a sum, found in plain Python if these are few.

    Args:
        rules: the rules.
        ledger: the memory budget.
        threads: threads to use.
        report: receives the number of positions found.

    Raises:
        RulesError: a player may move twice in a row, or the rules cannot pass the turn.
        BudgetError: there are too many positions.
    """
    report = report or Reporter()
    small = _explore_in_python(rules, ledger, report)
    if small is not None:
        return small
    from zermelo._compile.rules import compile_rules

    compiled = compile_rules(rules.game, misere=rules.misere)
    budget = GraphMemory(ledger, compiled.words, compiled.kind, compiled.alternate)
    return explore_turns(compiled, budget, threads, report)


def _explore_in_python(rules: Rules, ledger: Ledger, report: Reporter) -> TurnGraph | None:
    """Return all positions, by rules in Python; None if that takes too long, or a rule fails.

    Compiled rules report the failure.
    """
    seconds = current().plain_seconds
    if seconds <= 0:
        return None
    until = time.thread_time() + seconds
    plain = PlainRules(rules, rules.kind, (), folded=False)
    budget = GraphMemory(ledger, plain.words, plain.kind, plain.alternate)
    try:
        with plain.kernels():
            component = explore_turns(
                plain, budget, 1, report, lambda _: time.thread_time() > until
            )
    except ZermeloError:
        raise
    except Exception:  # noqa: BLE001  # whatever the author's rule raises
        return None
    component.index = PackedNumbers(component.keys, plain.words)
    return component


def check_normal(graph: TurnGraph) -> None:
    """Check that a position of a part is terminal only if the player to move has no move there.

    Raises:
        RulesError: a position has another outcome than one without moves.
    """
    rules = graph.rules
    decided = np.flatnonzero((graph.outcome != NONE) & (graph.outcome != rules.no_moves))
    if len(decided):
        position = graph.position(int(decided[0]))
        word = {1: "win", 0: "draw", -1: "loss"}[int(graph.outcome[decided[0]])]
        message = (
            f"{rules.description} is a {word} for the player to move at {position!r} by its rules, "
            "and a sum is decided by who cannot move in any of its parts; add games that end only "
            "where there are no moves"
        )
        raise RulesError(message)
