"""``check``: one look after another, the compiled rules last."""

from __future__ import annotations

from inspect import signature
from random import Random
from time import monotonic
from typing import Any

from zermelo.conformance.asked import described
from zermelo.conformance.checks.compiled import check_compiled
from zermelo.conformance.checks.declared import check_declared
from zermelo.conformance.examiner import Examiner
from zermelo.conformance.report import Fault, Findings, ProblemKind, Report
from zermelo.conformance.walk import Walk, WalkLimits
from zermelo.conformance.watch import TimedCalls
from zermelo.errors import ParameterError, RulesError
from zermelo.game.contract import Game

#: The share of the seconds that one call of a rule may take, and its bounds.
_SHARE, _SHORTEST, _LONGEST = 0.5, 0.5, 5.0


def check(
    game: Game | type[Game],
    *,
    misere: bool = False,
    positions: int = 10_000,
    seconds: float = 10.0,
    seed: int = 0,
) -> Report:
    """Test whether a game's class keeps the contract; report how and where it does not.

    The rules run as plain Python on positions found breadth first, then at random. If there is no
    error, they are also compiled and compared with Python on the same positions.

    Args:
        game: a game, or a class that can be made without parameters.
        misere: check it as ``solve(game, misere=True)`` plays it: a player who cannot move wins.
        positions: the most positions to look at.
        seconds: the most wall seconds to take, not counting compilation.
        seed: the seed of the random games.

    Returns:
        The report, which is true if there is no error. Mistakes in the rules are reported, never
        raised.

    Raises:
        RulesError: it is not a game, nor a class that can be made without parameters.
        ParameterError: ``positions`` is below 1, or misère play does not suit this game.
    """
    given: Any = positions  # whatever a caller without types gave
    if not isinstance(given, int) or given < 1:
        message = f"positions must be a whole number of at least 1, not {positions!r}"
        raise ParameterError(message)
    begun = monotonic()
    findings = Findings()
    made = _made(game, findings)
    name = type(made).__name__ if made is not None else getattr(game, "__name__", str(game))
    looked, compiled = Walk([]), False
    if made is not None and check_declared(made, findings):
        with TimedCalls(min(max(_SHARE * seconds, _SHORTEST), _LONGEST)) as watch:
            random = Random(seed)  # noqa: S311  # not for secrets
            examiner = Examiner(made, watch, findings, random, misere=misere)
            try:
                examiner.look(WalkLimits(positions, seconds))
            except Fault as fault:
                findings.add(fault)
            looked = examiner.walk
            patience = watch.patience
        if not findings.broken and looked.places:
            places = list(looked.places.values())
            compiled = check_compiled(made, places, patience, findings, misere=misere)
    taken = monotonic() - begun
    return Report(name, findings.problems, len(looked), looked.complete, compiled, taken)


def _made(game: Any, findings: Findings) -> Game | None:
    """Return the game, made if need be, or None where that shows a problem."""
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
    except Exception as error:  # noqa: BLE001  # whatever an author's validate() raises
        what = described(error, game, "validate")
        findings.error(ProblemKind.CONTRACT, f"making the game raised {what}; correct it")
    return None
