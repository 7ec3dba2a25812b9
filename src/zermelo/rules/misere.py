"""Misère play: checks on whether a game allows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zermelo.errors import ParameterError
from zermelo.game.contract import Game
from zermelo.game.placement import PlacementGame, own_rule_clause
from zermelo.values.kind import Kind
from zermelo.values.outcomes import DRAW, WIN, Outcome


def check_misere(game: Game, no_moves: Outcome, *, scored: bool, chance: bool) -> None:
    """Check that in a game as written, a player who cannot move loses.

    Args:
        game: the game.
        no_moves: the outcome of a player who cannot move, as written.
        scored: whether it is a score game.
        chance: whether chance decides at some positions.

    Raises:
        ParameterError: it has another outcome, or no position is without moves.
    """
    reason, alternative = "", ""
    if scored:
        reason = "is a score game, where a position without moves is worth its score()"
    elif chance:
        reason = "has chance(), and is solved as its class is written"
        alternative = ", or set no_moves = WIN in the class"
    elif isinstance(game, PlacementGame) and own_rule_clause(game) is None:
        reason = "ends only by lines and full boards"
        alternative = ", or set line_loses = True for a game in which a line loses"
    elif no_moves == WIN:
        reason = "is a misère game already, as its no_moves is WIN"
    elif no_moves == DRAW:
        reason = "is drawn where a player cannot move, as its no_moves is DRAW"
    if reason:
        name = type(game).__name__
        message = f"misere=True does not suit {name}, which {reason}; leave misere out{alternative}"
        raise ParameterError(message)


def describe_misere(kind: Kind, tally: Callable[[], Mapping[int, int]], *, misere: bool) -> str:
    """Return a clause on misère play, to follow the sentence on the method of a solve; or "".

    Args:
        kind: the kind of value.
        tally: returns the number of each code.
        misere: whether it was misère play.
    """
    if not misere:
        return ""
    # A player who cannot move has won in 0 plies; if that never occurs, all ends are by rule.
    ends = tally().get(kind.terminal(WIN), 0)
    clause = "" if ends else ", which changes nothing, as the rules say how each game ends"
    return f"; misère play: a player who cannot move wins{clause}"
