"""``check``: what conformance finds in a sample of a game, and its certificate where that is soon.

The layer of conformance looks at a class before anything is solved, and ``solve`` needs it. What
looks at a solution stands above both, and so here.
"""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING, Any

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
    positions: int = 10_000,
    seconds: float = 10.0,
    seed: int = 0,
) -> Report:
    """Test whether a game's class keeps the contract; report how and where it does not.

    The rules run as plain Python on positions found breadth first, then at random. If there is no
    error, they are also compiled and compared with Python on the same positions. Where a game says
    which positions are legal or count as one, it is then solved and verified, if that is done
    within a third of the seconds, of computing, and has at most 200 times as many positions.

    Args:
        game: a game, or a class that can be made without parameters.
        misere: check it as ``solve(game, misere=True)`` plays it: a player who cannot move wins.
        positions: the most positions to look at in Python.
        seconds: the most wall seconds to take, not counting compilation.
        seed: the seed of the random games.

    Returns:
        The report, which is true if there is no error. Mistakes in the rules are reported, never
        raised.

    Raises:
        RulesError: it is not a game, nor a class that can be made without parameters.
        ParameterError: ``positions`` is below 1, or misère play does not suit this game.
    """
    return examine(game, _declared, misere=misere, positions=positions, seconds=seconds, seed=seed)


class _EnoughError(Exception):
    """A game is larger than is looked at here."""


def _declared(
    game: Game, positions: int, seconds: float, *, misere: bool
) -> tuple[str, Any, Any] | None:
    """Solve a game and return what is wrong with what it declares; see ``certificate.declared``.

    Where it has more positions or that takes longer, that is what was found until then.
    """
    from zermelo._engine.core.jit import compile_seconds
    from zermelo.solution.certificate import declared
    from zermelo.solution.game import SolvedGame

    begun = process_time() - compile_seconds()

    def look(event: Event) -> None:
        larger = event.phase != "images" and event.total is None and event.done > positions
        if larger or (not event.compiling and process_time() - compile_seconds() - begun > seconds):
            raise _EnoughError

    try:
        solved = solve(game, misere=misere, threads=1, progress=look)._solved  # noqa: SLF001
        return declared(solved, Reporter(look)) if isinstance(solved, SolvedGame) else None
    except (_EnoughError, BudgetError):
        return None
