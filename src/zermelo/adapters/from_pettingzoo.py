"""Environments of PettingZoo for two players who move in turn, explored state by state."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.adapters.environments import (
    EnvironmentPlay,
    EnvironmentSource,
    ObservedPlay,
    copy_environment,
)
from zermelo.adapters.finding.states import refusal_text
from zermelo.adapters.imported_game import import_game, import_library, split_parameters
from zermelo.errors import ParameterError, PositionError
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

_PLAYERS = 2
#: The prefix of the names of classic environments, which may be left out.
_CLASSIC = "classic/"


def pettingzoo(
    game: Any,
    *,
    opening: Sequence[int] = (),
    max_positions: int = 5_000_000,
    progress: Listener | None = None,
) -> ImportedGame:
    """Return an environment of PettingZoo as a game that Zermelo solves.

    First all positions are found, by playing every action in a copy of the environment. Replayed
    games test that copies play on like the environment and that nothing in it is random. Two states
    are one position if they agree in the coarsest key that proves faithful; ``key`` of the game
    describes it.

    Args:
        game: a registered environment's name with its parameters, such as ``"tictactoe_v3"``; a
            module that has a function ``env``, such as ``"mypackage.mygame"``; or an environment
            (``AECEnv``), which is copied, not changed.
        opening: actions that are played before the game begins, by their numbers.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Returns:
        The game. If all rewards are 1, 0 or -1 it is won, drawn or lost; else it has scores. Its
        ``position`` takes an environment, or a pair: the observation of the agent to move, and that
        agent.

    Raises:
        MissingExtraError: PettingZoo is not installed, and a name was given.
        ParameterError: there is no such environment; it has chance, hidden information, moves at
            the same time, other than two players, actions that are not numbered, or rewards that do
            not sum to zero; it cannot be copied; an action is not legal; or no key distinguishes
            its positions.
        BudgetError: the game has more positions than ``max_positions``.
    """
    if isinstance(game, str):
        name, environment = f"pettingzoo:{game}", _make_environment(game)
    elif hasattr(game, "possible_agents"):
        name, environment = f"pettingzoo:object of {type(_unwrapped(game)).__name__}", game
    else:
        message = f"{game!r} is neither an environment of PettingZoo nor its name; give one of them"
        raise ParameterError(message)
    _check_environment(environment, name)

    def begin(seed: int) -> AecPlay:
        return AecPlay(reset_copy(environment, seed))

    def forms_of(env: Any) -> list[Any]:
        if (
            isinstance(env, tuple)
            and len(env) == _PLAYERS
            and env[1] in environment.possible_agents
        ):
            return [ObservedPlay(env[0], environment.possible_agents.index(env[1]))]
        if type(_unwrapped(env)) is not type(_unwrapped(environment)):
            message = (
                f"{env!r} is not an environment of {name}; give one of that, or a pair of what was "
                "observed and the agent"
            )
            raise PositionError(message)
        if source.pays_on_the_way:
            message = (
                f"an environment of {name} keeps no earlier rewards; give the position's number"
            )
            raise PositionError(message)
        play = AecPlay(env)
        if play.player() < 0:
            play.paid = play.rewards()
        return [play]

    source = EnvironmentSource(name, begin, forms_of, opening)
    return import_game(source, max_positions, progress)


class AecPlay(EnvironmentPlay):
    """An environment of PettingZoo in the middle of a game; the first agent is the first player."""

    views: Sequence[str] = (
        "what the player to move observes",
        "what both players observe",
        "the attributes of the environment",
        "the attributes of the environment and the number of moves made",
    )

    def player(self) -> int:
        """Return the player to move, or -1; see ``EnvironmentPlay``.

        Raises:
            ParameterError: one player is out, and the other plays on.
        """
        over_flags = {
            not self.env.agents
            or self.env.terminations.get(agent, True)
            or self.env.truncations.get(agent, True)
            for agent in self.env.possible_agents
        }
        if len(over_flags) > 1:
            name = f"pettingzoo:{self.env}"
            raise ParameterError(refusal_text(name, "a player who plays on when the other is out"))
        if over_flags.pop():
            return -1
        index: int = self.env.possible_agents.index(self.env.agent_selection)
        return index

    def legal(self) -> list[int]:
        """Return the legal actions, by the mask in the observation or the info."""
        agent = self.env.agent_selection
        observation, space = self.env.observe(agent), self.env.action_space(agent)
        return legal_actions(observation, self.env.infos.get(agent, {}), space)

    def step(self, action: int) -> None:
        """Play an action; see ``EnvironmentPlay``."""
        self.env.step(action)
        first, second = self.rewards()
        self.paid = (self.paid[0] + first, self.paid[1] + second)
        self.plies += 1

    def rewards(self) -> tuple[float, float]:
        """Return the players' rewards for the last action."""
        first, second = (float(self.env.rewards.get(a, 0)) for a in self.env.possible_agents)
        return first, second

    def observation(self, player: int) -> Any:
        """Return a player's observation; see ``EnvironmentPlay``."""
        return self.env.observe(self.env.possible_agents[player])

    def spaces(self, player: int) -> tuple[Any, Any]:
        """Return the spaces of a player; see ``EnvironmentPlay``."""
        agent = self.env.possible_agents[player]
        return self.env.action_space(agent), self.env.observation_space(agent)

    def copy(self) -> AecPlay:
        """Return a copy; see ``EnvironmentPlay``."""
        return AecPlay(copy_environment(self.env), self.paid, self.plies)


def reset_copy(env: Any, seed: int) -> Any:
    """Return a copy of an environment, reset with a seed."""
    copy = copy_environment(env)
    copy.reset(seed=seed)
    return copy


def legal_actions(observation: Any, info: Any, space: Any) -> list[int]:
    """Return the actions that a mask allows; all actions if there is no mask.

    Args:
        observation: an observation, which may have the mask as ``action_mask``.
        info: an info, which may have the mask instead.
        space: the space of actions: ``n`` numbers, from ``start`` on.
    """
    start = int(getattr(space, "start", 0))
    for holder in (observation, info):
        if isinstance(holder, Mapping) and "action_mask" in holder:
            actions: list[int] = (np.flatnonzero(holder["action_mask"]) + start).tolist()
            return actions
    return list(range(start, start + int(space.n)))


def _unwrapped(env: Any) -> Any:
    """Return an environment without its wrappers."""
    return getattr(env, "unwrapped", env)


def _check_environment(env: Any, name: str) -> None:
    """Check that an environment is of a kind that can be solved.

    Raises:
        ParameterError: it is of another kind; the message names the property.
    """
    agents = list(env.possible_agents)
    fault = ""
    if len(agents) != _PLAYERS:
        fault = count_phrase(len(agents), "players")
    elif not hasattr(env, "observe") or getattr(env, "metadata", {}).get("is_parallelizable"):
        fault = "moves that both players make at the same time"
    elif not all(hasattr(env.action_space(agent), "n") for agent in agents):
        fault = f"actions that are not numbered ({env.action_space(agents[0])})"
    if fault:
        raise ParameterError(refusal_text(name, fault))


def _make_environment(text: str) -> Any:
    """Return the environment of a name.

    Raises:
        ParameterError: there is no such environment, or it does not take the parameters.
    """
    library = import_library("pettingzoo", "PettingZoo", "pettingzoo")
    base, parameters = split_parameters(text)
    if "." in base:
        if find_spec(base.partition(".")[0]) is None:
            message = f"there is no module {base!r}; give one that has a function env"
            raise ParameterError(message)
    else:
        # They are registered as tictactoe-v3, but used as tictactoe_v3.
        names = {
            re.sub(r"-(v\d+)$", r"_\1", name.removeprefix(_CLASSIC)): name
            for name in library.aec_registry
        }
        base = re.sub(r"-(v\d+)$", r"_\1", base.removeprefix(_CLASSIC))
        if base not in names:
            similar = difflib.get_close_matches(base, names, 1, 0.5)
            hint = (
                f"did you mean {similar[0]}?" if similar else "pettingzoo.aec_registry lists them"
            )
            message = f"PettingZoo has no environment {base!r}; {hint}"
            raise ParameterError(message)
        base = names[base]
    try:
        if "." in base:
            return import_module(base).env(**parameters)
        return library.make("aec", base, **parameters)
    except Exception as error:  # an environment may raise anything
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        message = f"PettingZoo cannot make {text!r} ({reason}); see what it needs"
        raise ParameterError(message) from error
