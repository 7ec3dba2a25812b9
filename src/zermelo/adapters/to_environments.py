"""Solutions as players of environments: a policy of PettingZoo, and an opponent in Gymnasium."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.adapters.environments import EnvironmentPlay, EnvironmentSource
from zermelo.adapters.from_pettingzoo import AecPlay, reset_copy
from zermelo.adapters.imported_game import ImportedGame, best_actions, import_library
from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution


class EnvironmentPolicy:
    """A player of best actions in an environment of PettingZoo; see ``pettingzoo_policy``."""

    def __init__(self, best: Callable[[Any], list[int]], chance: Random | None) -> None:
        """Store the function that returns the best actions, and the random numbers."""
        self._best, self._chance = best, chance

    def __call__(self, state: Any, agent: Any = None) -> int | None:
        """Return a best action.

        Args:
            state: an environment; or, together with ``agent``, that agent's observation.
            agent: the agent to move.

        Returns:
            The action, or None if the game of an environment is over, as its ``step`` expects then.

        Raises:
            PositionError: it is not a position of the game, or an observation does not determine
                it.
        """
        if agent is not None:
            return self._choose((state, agent))
        mover = state.agent_selection if state.agents else None
        is_over = mover is None or state.terminations[mover] or state.truncations[mover]
        return None if is_over else self._choose(state)

    def _choose(self, state: Any) -> int:
        actions = self._best(state)
        return actions[0] if self._chance is None else self._chance.choice(actions)


def pettingzoo_policy(
    solution: Solution,
    *,
    position_of: Callable[[Any], Any] | None = None,
    action_of: Callable[[Any], int] | None = None,
    seed: int | None = None,
) -> Callable[..., int | None]:
    """Return a perfect player as a policy for PettingZoo, which plays for the player to move.

    Args:
        solution: the solution of a game from PettingZoo, or of another with the next two.
        position_of: returns the position of what the policy is given; by default the game's method.
        action_of: returns the action of a move; by default its ``action``.
        seed: the seed of the choice among best moves; without it, the first of them is played.

    Returns:
        The policy. Call ``policy(env)``; or ``policy(observation, agent)``, if the observation of
        the player to move determines the position. It returns an action, or None if a game is over.

    Raises:
        ParameterError: the game is not from another library, and one of the functions is missing.
    """
    chance = None if seed is None else Random(seed)  # noqa: S311  # not for secrets
    return EnvironmentPolicy(best_actions(solution, "PettingZoo", position_of, action_of), chance)


def gymnasium_opponent(
    solution: Solution,
    env: Any = None,
    *,
    player: int = 0,
    position_of: Callable[[Any], Any] | None = None,
    action_of: Callable[[Any], int] | None = None,
    seed: int | None = None,
) -> Any:
    """Return an environment for one agent, in which a perfect player plays the other side.

    Args:
        solution: the solution of a game from PettingZoo or Gymnasium, or of another with ``env``,
            ``position_of`` and ``action_of``.
        env: an environment of PettingZoo, which is copied; by default that of the game.
        player: the agent's player number, 0 or 1.
        position_of: returns the position of an environment; by default the game's method.
        action_of: returns the action of a move; by default its ``action``.
        seed: the seed of the choice among best moves; without it, the first of them is played.
            ``reset`` may set another.

    Returns:
        A ``gymnasium.Env`` with the spaces of the agent. Rewards are the agent's, and
        ``info["action_mask"]`` marks the legal actions. The environment that is played decides what
        an illegal action leads to.

    Raises:
        MissingExtraError: Gymnasium is not installed.
        ParameterError: the environment to play is not known, or the position of an environment, or
            the action of a move.
    """
    base: Any = import_library("gymnasium", "Gymnasium", "gymnasium").Env
    if player not in (0, 1):
        message = f"player={player!r} is not a player; give 0 or 1"
        raise ParameterError(message)
    best = best_actions(solution, "Gymnasium or PettingZoo", position_of, action_of)
    begin = _game_starter(solution, env)

    class PerfectOpponent(base):  # type: ignore[misc]  # it comes without types
        """One player of a game; the other one is played perfectly."""

        def __init__(self) -> None:
            """Set up a game."""
            self._play = begin()
            self._chance = None if seed is None else Random(seed)  # noqa: S311  # not for secrets
            self.action_space, self.observation_space = self._play.spaces(player)

        def reset(
            self,
            *,
            seed: int | None = None,
            options: dict[str, Any] | None = None,
        ) -> tuple[Any, dict[str, Any]]:
            """Start a game, and play until it is the agent's turn."""
            super().reset(seed=seed, options=options)
            if seed is not None:
                self._chance = Random(seed)  # noqa: S311  # not for secrets
            self._play = begin()
            self._answer()
            return self._play.observation(player), self._info()

        def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
            """Play an action of the agent, and then the other player's."""
            paid_before = self._play.paid[player]
            self._play.step(int(action))
            self._answer()
            is_over, reward = self._play.player() < 0, self._play.paid[player] - paid_before
            return self._play.observation(player), reward, is_over, False, self._info()

        def _answer(self) -> None:
            while self._play.player() == 1 - player:
                actions = best(self._play if position_of is None else self._play.env)
                chance = self._chance
                self._play.step(actions[0] if chance is None else chance.choice(actions))

        def _info(self) -> dict[str, Any]:
            space = self.action_space
            mask = np.zeros(int(space.n), np.int8)
            if self._play.player() == player:
                mask[[action - int(space.start) for action in self._play.legal()]] = 1
            return {"action_mask": mask}

    return PerfectOpponent()


def _game_starter(solution: Solution, env: Any) -> Callable[[], EnvironmentPlay]:
    """Return the function that begins a game.

    Raises:
        ParameterError: the environment to play is not known.
    """
    if env is not None:
        return lambda: AecPlay(reset_copy(env, 0))
    game = getattr(solution.rules, "game", None)
    source = game.origin if isinstance(game, ImportedGame) else None
    if not isinstance(source, EnvironmentSource):
        message = (
            f"{solution.rules.description} is not played in an environment; give env=, an "
            "environment of PettingZoo, with position_of= and action_of="
        )
        raise ParameterError(message)
    return source.first_play.copy
