"""Every position the start can reach, with the moves between them: the method for any game.

``retrograde`` for win, draw and loss; ``horizon`` for the same by the bounded-turn dynamic
programme; ``score`` for margins. Each keeps the moves if they have room, and runs the rules again
if not.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine import horizon as horizon_engine
from zermelo._engine import retrograde as retrograde_engine
from zermelo._engine import score as score_engine
from zermelo._engine.budget import Budget, readable
from zermelo._engine.explore import (
    AbandonedError,
    Buffers,
    Graph,
    explore,
    run_expand,
)
from zermelo._engine.growing import NoRoomError
from zermelo._engine.keeping import text, words
from zermelo._engine.kept_graph import EXPLORED, keep_graph, keep_values, kept_graph, kept_values
from zermelo._engine.table import HashedTable
from zermelo._methods.task import Result, Task
from zermelo.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from zermelo._engine.rerun import Rerun
    from zermelo.rules import Rules

#: So many positions, found so far, are enough to go over to levels if they are still growing and
#: as wide as this on average: what is found by then costs less to find again than levels save.
_MANY, _WIDE = 1 << 21, 1 << 14
#: The stage that says why a game was handed over to levels.
HANDED = "handed"


class Retrograde:
    """Win, draw or loss and remoteness of every reachable position."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits every game that has no scores."""
        return "which is a score game" if rules.scored else None

    def run(self, task: Task) -> Result:
        """Solve by a sweep where moves only lead forward, and by retrograde analysis elsewhere.

        Games with levels are left to them where these are wide, or moves have no room.
        """
        if not task.compiled.rules.has("level"):
            return graph_result(task)
        budget, stages = _budget(task), task.stages
        if stages is not None and stages.has(HANDED):
            return self._by_levels(task, words(stages.read(HANDED)["reason"]), budget)
        try:
            graph = _explored(task, budget, may_drop=False, abandon=None if task.asked else _wide)
            if graph.forward or _room(graph, budget) is not None:
                return _solved(task, graph, budget)
            reason = f"{_allowed(task)} do not hold the moves turned round besides"
            del graph
        except AbandonedError:
            reason = "levels are wide"
        except NoRoomError:
            reason = f"{_allowed(task)} do not hold the moves"
        if stages is not None:
            stages.drop(EXPLORED)
            stages.keep(HANDED, reason=text(reason))
        return self._by_levels(task, reason, budget)

    def _by_levels(self, task: Task, reason: str, budget: Budget) -> Result:
        """Hand the game over, and say why."""
        from zermelo._methods.levels import Levels

        result = Levels().run(task, reason)
        return replace(result, peak_bytes=max(result.peak_bytes, budget.peak))


class Horizon:
    """The bounded-turn dynamic programme, for comparison."""

    def unsuited(self, rules: Rules) -> str | None:
        """Suits every game that has no scores."""
        return "which is a score game" if rules.scored else None

    def run(self, task: Task) -> Result:
        """Decide what is decided within the horizon."""
        budget = _budget(task)
        graph = _explored(task, budget)
        bound = graph.positions if task.horizon is None else task.horizon
        if graph.whole:
            rounds = _decided(
                task,
                graph,
                lambda: horizon_engine.solve(graph, bound, task.threads, task.report, task.stages),
            )
            choice = f"the bounded-turn programme: {rounds} rounds of at most {bound}"
            return Result(_table(graph), choice, budget.peak)
        again = _rerun(task, graph, budget)
        rounds = _decided(task, graph, lambda: _run_again(task, again, bound))
        choice = f"the bounded-turn programme: {rounds} rounds of at most {2 * bound}, "
        return Result(_table(graph), choice + _running(task), budget.peak)


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
        budget = _budget(task)
        graph = _explored(task, budget)
        try:
            return _scored(task, graph, budget)
        except score_engine.CircleError as error:
            rules = task.compiled.rules
            at = error.number * graph.words
            position = rules.layout.unpack(graph.keys[at : at + graph.words])
            message = (
                f"{rules.name}: the moves from {position!r} can lead in a circle, and a score "
                "game must end; count the moves in the position, or drop gain() and score()"
            )
            raise RulesError(message) from None


def graph_result(task: Task) -> Result:
    """Solve a game for win, draw or loss without regard to levels."""
    budget = _budget(task)
    return _solved(task, _explored(task, budget), budget)


def _solved(task: Task, graph: Graph, budget: Budget) -> Result:
    """Decide the positions of a graph in the quickest way there is memory for."""
    if not graph.whole:
        again = _rerun(task, graph, budget)
        rounds = _decided(task, graph, lambda: _run_again(task, again))
        if graph.forward:
            choice = "one backward sweep, as every move leads to a later position, "
        else:
            choice = f"{rounds} rounds over the positions not decided, "
        return Result(_table(graph), choice + _running(task), budget.peak)
    moves = len(graph.edges)
    room = None if graph.forward else _room(graph, budget)
    rounds = _decided(
        task,
        graph,
        lambda: retrograde_engine.solve(graph, task.threads, task.report, room, task.stages),
    )
    if graph.forward:
        choice = "one backward sweep, as every move leads to a later position"
    elif room is None:
        choice = f"{rounds} rounds over the moves, as {_allowed(task)} do not hold them turned "
        choice += "round besides"
    else:
        choice = "retrograde analysis with a queue, as moves may lead back"
        if room < moves:
            choice += f"; they were turned round in {-(-moves // room)} parts or so, as "
            choice += f"{_allowed(task)} do not hold all at once"
    return Result(_table(graph), choice, budget.peak)


def _decided(task: Task, graph: Graph, decide: Callable[[], int]) -> int:
    """Decide a graph, unless its values were kept; return how many rounds that took."""
    stages = task.stages
    if stages is None:
        return decide()
    found = kept_values(stages, graph)
    if found is not None:
        task.report.resume("all values were known")
        return found[0]
    rounds = decide()
    keep_values(stages, graph, rounds)
    return rounds


def _run_again(task: Task, again: Rerun, horizon: int | None = None) -> int:
    """Decide a graph without its moves; return how many rounds that took."""
    from zermelo._engine import rerun

    rerun.solve(again, task.report, horizon, task.stages)
    return again.rounds


def _scored(task: Task, graph: Graph, budget: Budget) -> Result:
    """Find every margin in the quickest way there is memory for."""
    positions, stages = graph.positions, task.stages
    room = _room(graph, budget) if graph.whole and not graph.forward else 0
    known = kept_values(stages, graph) if stages is not None else None
    if known is not None:
        task.report.resume("all values were known")
    if graph.whole and room is not None:
        if known is not None:
            ranks = known[1]
        else:
            ranks = score_engine.solve(graph, task.threads, room, task.report)
            if stages is not None:
                keep_values(stages, graph, 1, ranks)
        if ranks is None:
            choice = "scores in one sweep, as every move leads to a later position"
            return Result(_table(graph), choice, budget.peak)
        choice = "scores in an order in which successors come first"
        return Result(_table(graph, ranks), choice, budget.peak)
    from zermelo._engine import rerun

    again = _rerun(task, graph, budget, 0 if graph.forward else 4 * positions)
    # Another name, as ranks are None where the numbers of the positions serve for them.
    if known is not None:
        again.rounds, found = known
    else:
        found = rerun.solve_scores(again, task.report)
        if stages is not None:
            keep_values(stages, graph, again.rounds, found)
    passes = "one sweep" if found is None else f"{again.rounds} rounds"
    return Result(_table(graph, found), f"scores in {passes}, {_running(task)}", budget.peak)


def _room(graph: Graph, budget: Budget) -> int | None:
    """Return how many moves may wait while they are turned round; see ``Budget``."""
    return budget.room_to_reverse(graph.positions, graph.table.entries, len(graph.edges))


def _rerun(task: Task, graph: Graph, budget: Budget, more: int = 0) -> Rerun:
    """Return what runs the rules again; ``more`` is bytes of arrays it needs.

    Raises:
        BudgetError: there is no room for what it needs.
    """
    from zermelo._engine.rerun import Rerun

    graph.first, graph.edges, graph.gains = graph.first[:0].copy(), graph.edges[:0].copy(), _NONE
    again = Rerun(task.compiled, graph, budget, task.threads)
    needed = budget.held(graph.positions, graph.table.entries, None) + more
    if not budget.fits(needed):
        raise budget.refusal(needed, graph.positions)
    return again


_NONE = np.empty(0, np.int64)


def _allowed(task: Task) -> str:
    return readable(task.allowed)


def _running(task: Task) -> str:
    return f"running the rules again each time, as {_allowed(task)} do not hold the moves"


def _wide(layers: list[int]) -> bool:
    """Whether a game explored so far is large enough to be solved by levels."""
    found = layers[-1]
    if found < _MANY or found < _WIDE * len(layers):
        return False
    return found - layers[-2] > layers[-2] - layers[-3]  # growing


def _budget(task: Task) -> Budget:
    compiled = task.compiled
    return Budget(task.allowed, compiled.words, compiled.scored, compiled.alternate)


def _explored(
    task: Task,
    budget: Budget,
    *,
    may_drop: bool = True,
    abandon: Callable[[list[int]], bool] | None = None,
) -> Graph:
    compiled = task.compiled
    with task.report.phase("compile"):
        run_expand(compiled, np.empty(0, np.uint64), 0, 0, Buffers.for_rules(compiled, 1, 1))
    stages = task.stages
    if stages is not None and stages.has(EXPLORED):
        with task.report.phase("resume"):
            graph = kept_graph(stages, compiled)
        if graph is not None:
            task.report.resume(f"{graph.positions:,} positions were explored")
            budget.peak = budget.held(graph.positions, graph.table.entries, len(graph.edges))
            return graph
    left: Exception | None = None
    graph = None
    with task.report.phase("explore"):
        starts = compiled.start_words()
        try:
            graph = explore(
                compiled,
                starts,
                budget,
                task.threads,
                task.report,
                may_drop=may_drop,
                abandon=abandon,
            )
        except (AbandonedError, NoRoomError) as error:
            left = error.with_traceback(None)  # which would keep the arrays
    if graph is None:
        raise left or NoRoomError
    if stages is not None:
        keep_graph(stages, graph)
    return graph


def _table(graph: Graph, ranks: npt.NDArray[np.uint32] | None = None) -> HashedTable:
    layers = graph.layers if graph.layered else None
    given = (graph.keys, graph.table, graph.values, graph.owners, graph.starts)
    return HashedTable(graph.words, *given, ranks, layers)
