"""Checks on whether a game is impartial, for rules that can pass the turn."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from zermelo.errors import ParameterError, RulesError
from zermelo.rules.hooks import Rules
from zermelo.values.outcomes import LOSS

#: The number of positions that are checked, from the starts on, and the time limit in seconds.
_POSITIONS, _SECONDS = 300, 0.1


def taken_for_impartial(*rules: Rules) -> str:
    """Return a clause for rules that cannot pass the turn, to follow a phrase.

    For these a comparison is impossible: a position with ``mine`` and ``theirs`` looks the same to
    both players, though they have different moves.
    """
    if all(game_rules.passes for game_rules in rules):
        return ""
    return "; assumed to be impartial, as the rules have neither turn() nor pass_turn()"


def unsuited_to_nimbers(rules: Rules) -> str | None:
    """Return why a game has no nimbers (``which is not …``), or None if it may have.

    Nimbers need a game in which a player who cannot move has lost, and both players have the same
    moves.
    """
    return _unsuited_to_sums(rules, "to see whether both players have the same moves")


def unsuited_to_partizan(rules: Rules) -> str | None:
    """Return why a game has no values of partizan games (``which is not …``), or None.

    Such values need a game in which a player who cannot move has lost, and the same position with
    the other player to move.
    """
    return _unsuited_to_sums(rules, "to give the turn to the other player")


def _unsuited_to_sums(rules: Rules, purpose: str) -> str | None:
    """Return why positions have no values that add up, or None if they may have.

    Args:
        rules: the rules.
        purpose: the purpose of passing the turn.
    """
    if rules.has_chance:
        return rules.kind.clause
    if rules.kind.gains:
        return "which is a score game"
    if not rules.alternate and not rules.passes:
        return (
            f"whose turn() is not a field of the position, so that it takes pass_turn() {purpose}"
        )
    return None if rules.no_moves == LOSS else "in which a player who cannot move has not lost"


def check_impartial(rules: Rules, positions: Iterable[Any] | None = None) -> None:
    """Check that both players have the same moves, if the rules can pass the turn.

    Args:
        rules: the rules.
        positions: the positions to check; by default those of ``reached_positions``.

    Raises:
        ParameterError: the players have different moves.
    """
    if not rules.passes:
        return
    difference = first_partizan(rules, reached_positions(rules) if positions is None else positions)
    if difference is not None:
        message = (
            f"value='nimber' is for impartial games, in which both players have the same moves, "
            f"and not for {rules.name}: {difference[1]}; leave value out"
        )
        raise ParameterError(message)


def first_partizan(
    rules: Rules, positions: Iterable[Any], seconds: float = _SECONDS
) -> tuple[Any, str] | None:
    """Return the first position that differs for the two players, and a clause on the difference.

    A position is compared with the result of ``pass_turn``: both must have the same moves, except
    for the turn after them.

    Args:
        rules: the rules, which must be able to pass the turn; see ``Rules.passes``.
        positions: the positions.
        seconds: the time limit.
    """
    deadline = time.monotonic() + seconds
    for position in positions:
        try:
            difference = _turn_difference(rules, position)
        except RulesError as error:
            difference = f"at {position!r} the other player cannot be to move: {error}"
        except Exception as error:  # noqa: BLE001  # rules may raise anything
            error_text = f"{type(error).__name__}: {error}"
            difference = (
                f"the rules raise {error_text} at {position!r} with the other player to move"
            )
        if difference is not None:
            return position, difference
        if time.monotonic() > deadline:
            return None
    return None


def reached_positions(rules: Rules) -> Iterator[Any]:
    """Yield some positions, breadth first from the starts."""

    def breadth_first() -> Iterator[Any]:
        queue = deque(rules.starts())
        known = set(queue)
        while queue:
            position = queue.popleft()
            yield position
            for move in rules.moves(position):
                child = rules.play(position, move)
                if child not in known:
                    known.add(child)
                    queue.append(child)

    return islice(breadth_first(), _POSITIONS)


def _turn_difference(rules: Rules, position: Any) -> str | None:
    """Return a difference between the moves of a position for the two players, or None."""
    image = rules.pass_turn(position)
    if not rules.alternate and rules.owner(image) == rules.owner(position):
        return f"pass_turn({position!r}) leaves the turn where it is"
    if rules.terminal(position) is not rules.terminal(image):
        return (
            f"{position!r} and {image!r}, where the other player is to move, have different "
            "values for the player to move"
        )
    for first, second in ((position, image), (image, position)):
        moves, other_moves = _moves_by_child(rules, first), _moves_by_child(rules, second)
        for child, move in moves.items():
            name = rules.move_name(move)
            if not rules.alternate and rules.owner(child) == rules.owner(first):
                return f"at {first!r} the move {name} keeps the turn"
            child_passed = rules.pass_turn(child)
            if child_passed not in other_moves:
                return (
                    f"at {first!r} the move {name} leads to {child!r}, and at {second!r}, where "
                    f"the other player is to move, no move leads to {child_passed!r}"
                )
    return None


def _moves_by_child(rules: Rules, position: Any) -> dict[Any, Any]:
    """Return the successors of a position, each with a move to it."""
    return {rules.play(position, move): move for move in rules.moves(position)}
