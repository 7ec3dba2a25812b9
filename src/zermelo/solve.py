"""Solving: choose a method, run it, return what it found."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from zermelo.amounts import memory_bytes, thread_count
from zermelo.errors import ParameterError
from zermelo.progress import Listener, Reporter

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.task import Method
    from zermelo.game import Game
    from zermelo.rules import Rules
    from zermelo.solution import Solution

#: What ``method`` may be, with what each is for; where none is asked for, the first that suits.
METHODS = {
    "placement": "win, draw or loss and remoteness of games declared as cells and lines",
    "pursuit": "win, draw or loss and remoteness of every placement of a pursuit on a graph",
    "dense": "the same, of games whose space() numbers every position, none of which is stored",
    "retrograde": "win, draw or loss and remoteness of every reachable position",
    "horizon": "the same by the bounded-turn dynamic programme, for comparison",
    "score": "the margin under best play, for score games without circles",
    "levels": "the same without holding moves, for games whose moves all raise level()",
}

#: Where each is: its module in ``zermelo._methods``, and its class.
_ROOMS = {
    "placement": "placement:Placement",
    "pursuit": "pursuit:Pursuit",
    "levels": "levels:Levels",
    "dense": "dense:Dense",
    "retrograde": "reachable:Retrograde",
    "horizon": "reachable:Horizon",
    "score": "reachable:Score",
}

#: Methods that hold one position of each class where a game has symmetries.
_FOLDING = frozenset({"dense", "levels", "retrograde", "horizon", "score"})


def solve(
    game: Game,
    *,
    method: str | None = None,
    horizon: int | None = None,
    remoteness: bool = True,
    memory: int | str | None = None,
    threads: int | None = None,
    symmetry: bool = True,
    progress: Listener | None = None,
) -> Solution:
    """Solve a game exactly: every position that can be reached from its start.

    Args:
        game: the game, an instance of the author's class.
        method: one of ``METHODS``; by default the first of them that suits the game. The
            solution's ``choice`` says what was chosen and why.
        horizon: for ``method="horizon"``, the plies to look ahead; by default as many as there
            are positions, which is always enough.
        remoteness: False asks only who wins: several times quicker and smaller with
            ``method="placement"``, whose wins and losses then have no remoteness. Other methods
            find it all the same.
        memory: what the solve may take beyond what the process has, in bytes or as ``"2GB"`` or
            ``"500MiB"``; by default most of what the system has left. It is kept to within a
            twentieth (and half a megabyte). Where the quickest way does not fit, the solve does
            with less: moves are not turned round, or not even stored, or the game is solved
            level by level. The values are the same, and the ``choice`` says what was done.
        threads: threads to use; by default as many as there are cores. The answer does not
            depend on it.
        symmetry: False takes no notice of ``symmetries`` and ``canonical``, to compare.
        progress: called with an ``Event`` now and then, from this thread.

    Returns:
        The solution, which can be asked about any position.

    Raises:
        RulesError: the class breaks the contract; ``zermelo.check`` says how, without raising.
        CompileError: a rule uses what cannot be compiled.
        ParameterError: an argument makes no sense.
        BudgetError: the game needs more memory than is allowed, in every way there is.
    """
    # Numba is imported with the engine, and so not before somebody solves.
    from zermelo._compile.rules import TurnKeptError, compile_rules
    from zermelo._engine.budget import allowed_bytes
    from zermelo._methods.task import Task
    from zermelo.solution import Solution

    allowed = allowed_bytes(memory_bytes(memory))
    workers = thread_count(threads)
    compiled = compile_rules(game)
    chosen = _method(compiled.rules, method, horizon)
    report = Reporter(progress)
    solver = _load(chosen)
    if symmetry and chosen in _FOLDING and compiled.rules.foldable:
        compiled = compiled.folded()
    asked = method is not None
    try:
        result = solver.run(Task(compiled, allowed, workers, report, horizon, remoteness, asked))
    except TurnKeptError:
        rules, report = compiled.rules, Reporter(progress)
        compiled = compiled.folded(e for e in compiled.elements if not rules.turns_over(e))
        result = solver.run(Task(compiled, allowed, workers, report, horizon, remoteness, asked))
    return Solution(
        compiled,
        result.table,
        method=result.method or chosen,
        choice=result.choice + _folding(compiled),
        phases=report.phases,
        peak_bytes=result.peak_bytes,
        threads=workers,
    )


def _folding(compiled: CompiledRules) -> str:
    """Return what to say of symmetries after the sentence on how a method went about it."""
    if not compiled.is_folded:
        return ""
    if not compiled.elements:
        return "; positions that canonical() makes one are one"
    used, declared = len(compiled.elements), len(compiled.rules.group or ())
    if used < declared:
        those = f"the {used:,} that leave the players" if used > 1 else "none"
        return f"; of {declared:,} symmetries, {those} are used, as a player may move twice"
    return f"; positions are one that {used:,} symmetries make one" if used > 1 else ""


def _method(rules: Rules, method: str | None, horizon: int | None) -> str:
    """Return the method to use: the one asked for, or the first that suits.

    Raises:
        ParameterError: the one asked for is not known, or does not suit.
    """
    if method is not None and method not in METHODS:
        message = f"method={method!r} is not known; use one of {', '.join(METHODS)}"
        raise ParameterError(message)
    if horizon is not None and method != "horizon":
        message = f"horizon={horizon!r} needs method='horizon'"
        raise ParameterError(message)
    if horizon is not None and (isinstance(horizon, bool) or horizon < 0):
        message = f"horizon={horizon!r} is not a number of plies; use 0 or more"
        raise ParameterError(message)
    suited = next(name for name in METHODS if _suits(name, rules))
    if method is None:
        return suited
    why = _load(method).unsuited(rules)
    if why is not None:
        message = f"method={method!r} does not suit {rules.name}, {why}; use method={suited!r}"
        raise ParameterError(message)
    return method


def _suits(name: str, rules: Rules) -> bool:
    """Whether a method is to be chosen for a game unasked, if none before it is."""
    method = _load(name)
    if method.unsuited(rules) is not None:
        return False
    # What a method can do it need not be the best for, such as a small game.
    return not getattr(method, "passed_over", lambda _: False)(rules)


def _load(name: str) -> Method:
    """Import a method when it is first asked about."""
    module, _, kind = _ROOMS[name].partition(":")
    method: Method = getattr(import_module(f"zermelo._methods.{module}"), kind)()
    return method
