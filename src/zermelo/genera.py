"""The genus of a game's position, by search through all positions that can follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import BudgetError, ParameterError, PositionError, RulesError
from zermelo.game.parameters import position_of
from zermelo.rules.hooks import Rules
from zermelo.rules.layout import MisfitError
from zermelo.values.genus import EndlessPlayError, Genus, SearchLimitError, genus_of
from zermelo.values.outcomes import LOSS

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.solution.solution import Solution


def genus(game: Game | Solution, position: Any = None, *, max_positions: int = 1_000_000) -> Genus:
    """Return the genus of a position: its nimber, and its values under misère play.

    It is for impartial games under normal play: both players have the same moves, which is assumed,
    and a player who cannot move loses. Rules are run as Python, at about 100,000 moves a second.

    Args:
        game: the game, or a solution of it.
        position: the position; by default the start.
        max_positions: the most positions to search.

    Raises:
        ParameterError: the game is not impartial, or ``max_positions`` is below 1.
        PositionError: it is not a position of the game.
        RulesError: the moves lead in a cycle, or the rules give a reachable position an outcome,
            to which the genus does not apply.
        BudgetError: more than ``max_positions`` follow.
    """
    argument: Any = max_positions
    if isinstance(argument, bool) or not isinstance(argument, int) or argument < 1:
        message = f"max_positions must be a whole number of at least 1, not {max_positions!r}"
        raise ParameterError(message)
    from zermelo.solution.solution import Solution

    rules = Rules(game.game if isinstance(game, Solution) else game)
    name, reason = rules.name, _unsuited_reason(rules)
    if reason is not None:
        message = (
            f"a genus is of impartial games under normal play, and not of {name}, {reason}; solve "
            "it instead"
        )
        raise ParameterError(message)

    def successors(current: object) -> list[Any]:
        if rules.terminal(current) is not None:
            message = (
                f"{name} has no genus where {current!r} can arise, as the rules say who wins "
                "there; a genus is of games that end where no move is left"
            )
            raise RulesError(message)
        return [rules.play(current, move) for move in rules.listed_moves(current)]

    try:
        start = rules.game.start() if position is None else position
        start = position_of(rules.layout.kind, start, rules.layout.holds)
        start = rules.layout.unpack(rules.layout.pack(start))
    except MisfitError as error:
        message = rules.layout.refusal(position, name, error, reads=rules.has_hook("parse"))
        raise PositionError(message) from None
    try:
        return genus_of(start, successors, max_positions)
    except EndlessPlayError as error:
        message = f"{name}: {error}, and a genus is of games that must end; solve it instead"
        raise RulesError(message) from None
    except SearchLimitError:
        message = (
            f"more than {max_positions:,} positions of {name} follow {start!r}; ask for a smaller "
            "one, or allow more with max_positions="
        )
        raise BudgetError(message, max_positions + 1, max_positions) from None


def _unsuited_reason(rules: Rules) -> str | None:
    """Return why a game has no genera, or None if it may have."""
    if rules.has_chance:
        return rules.kind.clause
    if rules.kind.gains:
        return rules.kind.clause
    if not rules.alternate:
        return "in which moves depend on whose turn() it is"
    return None if rules.no_moves == LOSS else "in which a player who cannot move has not lost"
