"""``check``: all checks in order, those of the compiled rules last."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from inspect import signature
from random import Random
from time import monotonic
from typing import Any

from zermelo.conformance.checks.compiled import check_compiled
from zermelo.conformance.checks.declarations import check_declared
from zermelo.conformance.checks.full_equivalence import (
    EquivalenceResult,
    check_full_equivalence,
    solve_error,
)
from zermelo.conformance.checks.methods import check_methods
from zermelo.conformance.examiner import SAMPLE, Examiner
from zermelo.conformance.hook_calls import CheckedHooks, describe_error
from zermelo.conformance.report import ContractError, Findings, ProblemKind, Report
from zermelo.conformance.shape import Shape
from zermelo.conformance.timeouts import TimedCalls
from zermelo.conformance.walk import Walk, WalkLimits
from zermelo.errors import ParameterError, RulesError, RulesWarning
from zermelo.game.contract import Game
from zermelo.rules.hooks import Rules

#: The share of the time limit that one call of a hook may take, and its bounds in seconds.
_SHARE, _SHORTEST, _LONGEST = 0.5, 0.5, 5.0
#: The ratio of positions solved to positions checked in Python, and the share of the time limit.
_POSITION_FACTOR, _SOLVE_SHARE = 1_000, 2 / 5


#: Solves a game and checks its declarations, with limits of positions and seconds.
Prover = Callable[..., EquivalenceResult]


def examine(
    game: Game | type[Game],
    prove: Prover,
    *,
    misere: bool,
    max_positions: int,
    time: float,
    seed: int,
) -> Report:
    """Check whether a game's class keeps the contract; see ``zermelo.check``.

    Args:
        game: a game, or a class that can be made without parameters.
        prove: takes a game, limits of positions and seconds, and ``misere``; see ``Prover``.
        misere: whether a player who cannot move wins.
        max_positions: the most positions to check in Python.
        time: the most wall-clock seconds, without compilation.
        seed: the random seed of the random games.

    Raises:
        RulesError: ``game`` is neither a game nor a class that can be created without parameters.
        ParameterError: ``max_positions`` is below 1, or misère play does not suit this game.
    """
    position_limit: Any = max_positions  # of any type, without a type checker
    if not isinstance(position_limit, int) or position_limit < 1:
        message = f"max_positions must be a whole number of at least 1, not {max_positions!r}"
        raise ParameterError(message)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RulesWarning)  # the report contains the same problems
        return _examine(game, prove, max_positions, time, seed, misere=misere)


def _examine(
    game: Any, prove: Prover, positions: int, seconds: float, seed: int, *, misere: bool
) -> Report:
    begin_time = monotonic()
    findings = Findings()
    created = _make_game(game, findings)
    name = type(created).__name__ if created is not None else getattr(game, "__name__", str(game))
    walk, compiled, result = Walk([]), False, EquivalenceResult()
    if created is not None and check_declared(created, findings):
        with TimedCalls(min(max(_SHARE * seconds, _SHORTEST), _LONGEST)) as timer:
            random = Random(seed)  # noqa: S311  # not for secrets
            examiner = Examiner(created, timer, findings, random, misere=misere)
            try:
                examiner.run_checks(WalkLimits(positions, seconds))
            except ContractError as fault:
                findings.add(fault)
            walk = examiner.walk
            patience = timer.patience
        if not findings.broken and walk.visits:
            visits = list(walk.visits.values())
            compiled = check_compiled(created, visits, patience, findings, misere=misere)
        if compiled and not findings.broken:
            rules = Rules(created, misere=misere)
            if check_methods(rules, findings) and _leaves_images(walk, rules):
                limits = positions * _POSITION_FACTOR, seconds * _SOLVE_SHARE
                prover = partial(prove, created, *limits, misere=misere)
                result = _check_all_positions(rules, prover, patience, findings)
    return Report(
        name,
        findings.problems,
        len(walk),
        walk.complete,
        compiled,
        result.images,
        result.complete,
        monotonic() - begin_time,
    )


def _leaves_images(walk: Walk, rules: Rules) -> bool:
    """Return whether some equivalent or legal positions were not checked in Python."""
    is_small = walk.complete and len(walk) <= SAMPLE
    return rules.has_hook("legal") or (rules.foldable and not is_small)


def _check_all_positions(
    rules: Rules, prove: Prover, patience: float, findings: Findings
) -> EquivalenceResult:
    """Solve a game, and check its declarations at all its positions."""
    with TimedCalls(patience) as timer:
        try:
            return check_full_equivalence(
                CheckedHooks(rules, Shape(rules.layout, None), timer), prove
            )
        except ContractError as fault:
            findings.add(fault)
        except RulesError as error:
            findings.add(solve_error(str(error), None, rules.game))
    return EquivalenceResult()


def _make_game(game: Any, findings: Findings) -> Game | None:
    """Return the game, created if it is a class, or None if that fails with a problem."""
    if isinstance(game, Game):
        return game
    if not (isinstance(game, type) and issubclass(game, Game)) or game is Game:
        message = f"expected a game or its class, not {game!r}; derive the class from zermelo.Game"
        raise RulesError(message)
    try:
        signature(game.__init__).bind(game)
    except TypeError as error:
        message = (
            f"{game.__name__} cannot be made without parameters: {error}; give check() a game, "
            f"such as {game.__name__}(...)"
        )
        raise RulesError(message) from None
    try:
        return game()
    except RulesError as error:
        name = game.__name__
        findings.error(ProblemKind.DATACLASS, f"the class {str(error).removeprefix(f'{name} ')}")
    except Exception as error:  # noqa: BLE001  # validate() may raise anything
        problem = describe_error(error, game, "validate")
        findings.error(ProblemKind.CONTRACT, f"making the game raised {problem}; correct it")
    return None
