"""Solutions as players of OpenSpiel: a policy, and a bot."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

from zermelo.adapters.imported_game import best_actions, import_library

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution


def openspiel_policy(
    solution: Solution,
    *,
    position_of: Callable[[Any], Any] | None = None,
    action_of: Callable[[Any], int] | None = None,
) -> Any:
    """Return a perfect player as a policy of OpenSpiel.

    Args:
        solution: the solution of a game from OpenSpiel, or of another with the next two.
        position_of: returns the position of a state of pyspiel; by default the game's method.
        action_of: returns the action of OpenSpiel for a move; by default its ``action``.

    Returns:
        An ``open_spiel.python.policy.Policy``, which gives all best moves the same probability. If
        the game is over, or chance decides, it has no actions; a state that is not a position
        raises PositionError.

    Raises:
        MissingExtraError: OpenSpiel is not installed.
        ParameterError: the game is not from OpenSpiel, and one of the functions is missing.
    """
    base: Any = import_library("open_spiel.python.policy", "OpenSpiel", "openspiel").Policy
    best = best_actions(solution, "OpenSpiel", position_of, action_of)

    class PerfectPolicy(base):  # type: ignore[misc]  # it comes without types
        """A policy that plays all best moves with the same probability."""

        def action_probabilities(
            self,
            state: Any,
            player_id: int | None = None,  # noqa: ARG002  # a state has its player to move
        ) -> dict[int, float]:
            """Return the probability of each best action."""
            actions = best(state)
            return {action: 1 / len(actions) for action in actions}

    return PerfectPolicy(None, [0, 1])  # only policies by the number of a state need the game


def openspiel_bot(
    solution: Solution,
    *,
    position_of: Callable[[Any], Any] | None = None,
    action_of: Callable[[Any], int] | None = None,
    seed: int | None = None,
) -> Any:
    """Return a perfect player as a bot of OpenSpiel, for ``pyspiel.evaluate_bots`` and the like.

    Args:
        solution: the solution of a game from OpenSpiel, or of another with the next two.
        position_of: returns the position of a state of pyspiel; by default the game's method.
        action_of: returns the action of OpenSpiel for a move; by default its ``action``.
        seed: the seed of the choice among best moves; without it, the first of them is played.

    Returns:
        A ``pyspiel.Bot``, which plays for the player to move.

    Raises:
        MissingExtraError: OpenSpiel is not installed.
        ParameterError: the game is not from OpenSpiel, and one of the functions is missing.
    """
    base: Any = import_library("pyspiel", "OpenSpiel", "openspiel").Bot
    best = best_actions(solution, "OpenSpiel", position_of, action_of)
    chance = None if seed is None else Random(seed)  # noqa: S311  # not for secrets

    class PerfectBot(base):  # type: ignore[misc]  # it comes without types
        """A bot that plays a best move."""

        def step(self, state: Any) -> int:
            """Return a best action."""
            actions = best(state)
            return actions[0] if chance is None else chance.choice(actions)

    return PerfectBot()
