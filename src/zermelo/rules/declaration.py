"""Comparison of rules in plain Python with a game's declaration of them.

Some methods solve a game from its declaration, and never run its rules. So the rules are first run
at some positions: their turn, end and moves must be those of the declaration.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.errors import RulesError

if TYPE_CHECKING:
    from zermelo.rules.hooks import Rules


@dataclass(frozen=True)
class DeclaredPosition:
    """The declaration of a position.

    Attributes:
        owner: the player to move; always 0 if the players strictly alternate.
        outcome: the outcome for the player to move, or None while the game goes on.
        children: the successors; empty if the game is over.
    """

    owner: int
    outcome: int | None
    children: frozenset[Any]


def check_declaration(
    rules: Rules, hook: str, positions: Iterable[tuple[Any, DeclaredPosition]]
) -> None:
    """Check that rules agree with a declaration at some positions.

    Args:
        rules: the rules.
        hook: the hook that declares it, for messages.
        positions: the positions, each with its declaration.

    Raises:
        RulesError: they differ, or the rules raise an error.
    """
    for position, declared in positions:
        try:
            difference = _difference(rules, position, declared)
        except RulesError:
            raise
        except Exception as error:  # noqa: BLE001  # a rule may raise anything
            difference = f"the rules raise {type(error).__name__}: {error}"
        if difference is not None:
            message = (
                f"{rules.name}.{hook}() does not describe the rules: at {position!r}, "
                f"{difference}; correct one of them"
            )
            raise RulesError(message)


def _difference(rules: Rules, position: Any, declared: DeclaredPosition) -> str | None:
    """Return a difference between rules and the declaration of a position, or None."""
    owner = rules.owner(position)
    if owner != declared.owner:
        return f"turn() returns {owner}, but it is declared as the turn of player {declared.owner}"
    outcome = rules.terminal(position)
    moves = [] if outcome is not None else rules.listed_moves(position)
    if outcome is None and not moves:
        outcome = rules.no_moves
    if outcome != declared.outcome:
        return f"{_end(outcome)} by the rules, but {_end(declared.outcome)} as declared"
    children = {rules.play(position, move): move for move in moves}
    for child, move in children.items():
        if child not in declared.children:
            return f"the move {rules.move_name(move)} leads to {child!r}, which is not declared"
    for child in sorted(declared.children, key=rules.layout.flatten):
        if child not in children:
            return f"no move leads to {child!r}, where a declared one does"
    return None


def _end(outcome: Any) -> str:
    """Return a clause on whether and how the game ends in a position."""
    if outcome is None:
        return "the game goes on"
    endings = "the game is a draw", "the player to move wins", "the player to move loses"
    return endings[outcome]
