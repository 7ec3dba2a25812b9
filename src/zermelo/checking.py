"""``check``: conformance on a sample of a game's positions, and its certificate if that is quick.

The conformance layer checks a class before any solve, and ``solve`` needs it. A check of a solution
needs both, and so is here.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from time import process_time
from typing import TYPE_CHECKING

from zermelo.conformance.checks.full_equivalence import EquivalenceResult
from zermelo.conformance.run import examine
from zermelo.errors import BudgetError
from zermelo.progress import Reporter
from zermelo.solving import solve

if TYPE_CHECKING:
    from zermelo.conformance.report import Report
    from zermelo.game.contract import Game
    from zermelo.progress import Event


def check(
    game: Game | type[Game],
    *,
    misere: bool = False,
    max_positions: int = 10_000,
    time: float = 10.0,
    seed: int = 0,
) -> Report:
    """Test whether a game's class keeps the contract; report how and where it does not.

    The rules run as plain Python on positions found breadth first, then at random. If there is no
    error, they are also compiled and compared with Python on the same positions. If a game declares
    which positions are legal or equivalent, it is then solved, and the declaration is checked at
    all positions, if there are at most 1,000 times ``max_positions`` and two fifths of ``time``, as
    computing time, are enough; otherwise at as many as the time allows.

    Args:
        game: a game, or a class that can be instantiated without parameters.
        misere: check it for ``solve(game, misere=True)``: a player who cannot move wins.
        max_positions: the most positions to check in Python.
        time: the most wall-clock seconds, not counting compilation.
        seed: the seed of the random games.

    Returns:
        The report, which is true if there is no error. Mistakes in the rules are reported, never
        raised.

    Raises:
        RulesError: it is neither a game, nor a class that can be instantiated without parameters.
        ParameterError: ``max_positions`` is below 1, or the game has no misère play.
    """
    return examine(
        game, _declared, misere=misere, max_positions=max_positions, time=time, seed=seed
    )


#: The fraction of the seconds for declarations that a solve may take.
_SOLVING = 0.6


class _EnoughError(Exception):
    """The game is too large for this check."""


def _declared(game: Game, positions: int, seconds: float, *, misere: bool) -> EquivalenceResult:
    """Check the declarations of a game; see ``certificate.check_declarations``.

    It is solved for that. If it has more positions or a solve takes most of the seconds, positions
    that random games reach are checked instead.
    """
    from zermelo._compile.rules import TurnKeptError, compile_rules
    from zermelo._engine.core.kernel import compile_seconds
    from zermelo.solution.certificate import check_declarations, check_declarations_in_play
    from zermelo.solution.game import SolvedGame

    def spent() -> float:
        return process_time() - compile_seconds()

    most, until = positions, spent() + _SOLVING * seconds
    images, complete, wrong = 0, False, None

    def look(event: Event) -> None:
        nonlocal images, complete
        if event.phase == "images" and event.total is not None:  # it is None with canonical()
            images, complete = event.done, event.finished
        larger = event.total is None and event.done > most
        if larger or (not event.compiling and spent() > until):
            raise _EnoughError

    with suppress(_EnoughError):
        try:
            solution = solve(game, misere=misere, threads=1, progress=look)
        except (_EnoughError, BudgetError):
            most, until = sys.maxsize, spent() + (1 - _SOLVING) * seconds
            compiled = compile_rules(game, misere=misere).with_symmetries()
            if compiled.rules.favours_a_player:
                compiled = compiled.keeping_players()
            try:
                wrong = check_declarations_in_play(compiled, Reporter(look))
            except TurnKeptError:  # a solve would restart, too
                wrong = check_declarations_in_play(compiled.keeping_players(), Reporter(look))
            return EquivalenceResult(wrong, images)
        most, until = sys.maxsize, until + (1 - _SOLVING) * seconds
        solved = solution._solved  # noqa: SLF001  # it is of this package
        if isinstance(solved, SolvedGame):
            wrong = check_declarations(solved, solved.compiled, Reporter(look))
    return EquivalenceResult(wrong, images, complete)
