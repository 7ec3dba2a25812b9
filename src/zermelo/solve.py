"""Solving: choose a method, run it, return what it found."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import ParameterError, RulesError
from zermelo.progress import Listener, Reporter

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.explore import Graph
    from zermelo.game import Game
    from zermelo.solution import Solution

#: What ``method`` may be, with what each is for.
METHODS = {
    "retrograde": "win, draw or loss and remoteness of every reachable position",
    "horizon": "the same by the bounded-turn dynamic programme, for comparison",
    "score": "the margin under best play, for score games without circles",
}

_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?\s*", re.IGNORECASE)


def solve(
    game: Game,
    *,
    method: str | None = None,
    horizon: int | None = None,
    memory: int | str | None = None,
    threads: int | None = None,
    progress: Listener | None = None,
) -> Solution:
    """Solve a game exactly: every position that can be reached from its start.

    Args:
        game: the game, an instance of the author's class.
        method: one of ``METHODS``; by default ``"score"`` for score games and ``"retrograde"``
            for all others.
        horizon: for ``method="horizon"``, the plies to look ahead; by default as many as there
            are positions, which is always enough.
        memory: what the solve may take, in bytes or as ``"2GB"`` or ``"500MiB"``; by default
            most of what the system has left.
        threads: threads to use; by default as many as there are cores. The answer does not
            depend on it.
        progress: called with an ``Event`` now and then, from this thread.

    Returns:
        The solution, which can be asked about any position.

    Raises:
        RulesError: the class breaks the contract; ``zermelo.check`` says how, without raising.
        CompileError: a rule uses what cannot be compiled.
        ParameterError: an argument makes no sense.
        BudgetError: the game needs more memory than is allowed.
    """
    # Numba is imported with the engine, and so not before somebody solves.
    from zermelo._compile.rules import compile_rules
    from zermelo._engine.budget import Budget, allowed_bytes
    from zermelo._engine.explore import explore
    from zermelo._engine.table import Table
    from zermelo.solution import Solution

    allowed = allowed_bytes(memory_bytes(memory))
    workers = _threads(threads)
    compiled = compile_rules(game)
    chosen = _method(compiled, method, horizon)
    report = Reporter(progress)
    budget = Budget(allowed, compiled.words, compiled.scored)
    with report.phase("explore"):
        graph = explore(compiled, compiled.rules.start_words(), budget, workers, report)
    choice, rank = _decide(compiled, graph, chosen, horizon, workers, report)
    table = Table(
        graph.words, graph.keys, graph.table, graph.values, graph.owners, graph.starts, rank
    )
    return Solution(
        compiled,
        table,
        method=chosen,
        choice=choice,
        phases=report.phases,
        peak_bytes=budget.peak,
        threads=workers,
    )


def memory_bytes(memory: int | str | None) -> int | None:
    """Return an amount of memory in bytes.

    Args:
        memory: bytes, or text such as ``"2GB"``, ``"500M"`` or ``"1.5GiB"``; None stays None.

    Raises:
        ParameterError: it is not an amount.
    """
    if memory is None:
        return None
    match = _AMOUNT.fullmatch(str(memory))
    if match is None or isinstance(memory, bool):
        message = f"memory={memory!r} is not an amount; write bytes, or text such as '2GB'"
        raise ParameterError(message)
    number, unit, binary = match.groups()
    base = 1024 if binary else 1000
    power = "KMGT".find(unit.upper()) + 1 if unit else 0
    return int(float(number) * base**power)


def _threads(threads: int | None) -> int:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1
    given: Any = threads  # whatever a caller without types gave
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        message = f"threads={threads!r} is not a number of threads; use 1 or more"
        raise ParameterError(message)
    return threads


def _method(compiled: CompiledRules, method: str | None, horizon: int | None) -> str:
    chosen = method if method is not None else ("score" if compiled.scored else "retrograde")
    name = compiled.rules.name
    if chosen not in METHODS:
        message = f"method={method!r} is not known; use one of {', '.join(METHODS)}"
        raise ParameterError(message)
    if horizon is not None and chosen != "horizon":
        message = f"horizon={horizon!r} needs method='horizon'"
        raise ParameterError(message)
    if horizon is not None and (isinstance(horizon, bool) or horizon < 0):
        message = f"horizon={horizon!r} is not a number of plies; use 0 or more"
        raise ParameterError(message)
    if (chosen == "score") != compiled.scored:
        kind = "a score game" if compiled.scored else "not a score game"
        use = "score" if compiled.scored else "retrograde"
        message = f"method={chosen!r} does not suit {name}, which is {kind}; use method={use!r}"
        raise ParameterError(message)
    return chosen


def _decide(  # what every method is handed
    compiled: CompiledRules,
    graph: Graph,
    method: str,
    horizon: int | None,
    threads: int,
    report: Reporter,
) -> tuple[str, np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    """Run the method; return why it went as it did, and the ranks of a score game."""
    from zermelo._engine import horizon as horizon_method
    from zermelo._engine import retrograde, score

    rank = np.empty(0, np.uint32)
    if method == "horizon":
        bound = graph.positions if horizon is None else horizon
        rounds = horizon_method.solve(graph, bound, report)
        return f"the bounded-turn programme: {rounds} rounds of at most {bound}", rank
    if method == "score":
        try:
            order = score.solve(graph, report)
        except score.CircleError as error:
            at = error.number * graph.words
            position = compiled.rules.layout.unpack(graph.keys[at : at + graph.words])
            message = (
                f"{compiled.rules.name}: the moves from {position!r} can lead in a circle, and a "
                "score game must end; count the moves in the position, or drop gain() and score()"
            )
            raise RulesError(message) from None
        if order is None:
            return "scores in one sweep, as every move leads to a later position", rank
        rank = np.empty(graph.positions, np.uint32)
        rank[order] = np.arange(graph.positions, dtype=np.uint32)
        return "scores in an order in which successors come first", rank
    retrograde.solve(graph, threads, report)
    if graph.forward:
        return "one backward sweep, as every move leads to a later position", rank
    return "retrograde analysis with a queue, as moves may lead back", rank
