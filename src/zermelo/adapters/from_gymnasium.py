"""Environments of Gymnasium for two players who move in turn, explored state by state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.adapters.environments import (
    EnvironmentPlay,
    EnvironmentSource,
    ObservedPlay,
    copy_environment,
)
from zermelo.adapters.finding.states import refusal_text
from zermelo.adapters.from_pettingzoo import legal_actions
from zermelo.adapters.imported_game import import_game, import_library, split_parameters
from zermelo.errors import ParameterError, PositionError

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

#: The values of ``reward``: the player whose reward an environment returns.
_REWARDS = ("mover", "first")
_PAIR = 2


def gymnasium(
    game: Any,
    *,
    turn_of: Callable[[Any], int] | None = None,
    legal_moves_of: Callable[[Any], Iterable[int]] | None = None,
    reward: str = "mover",
    opening: Sequence[int] = (),
    max_positions: int = 5_000_000,
    progress: Listener | None = None,
) -> ImportedGame:
    """Return an environment of Gymnasium, in which two players move in turn, as a game.

    Gymnasium itself has only one player, so environments follow several conventions; the arguments
    say which. First all positions are found, by playing every action in a copy of the environment.
    Replayed games test that copies play on like the environment and that nothing in it is random.
    ``key`` of the game describes the key by which its positions are distinguished.

    Args:
        game: the name of a registered environment with its parameters, such as
            ``"mymodule:Nim-v0"`` or ``"mymodule:Nim-v0(heaps=3)"``; or an environment, which is
            copied, not changed.
        turn_of: returns the player to move in an environment, 0 or 1; by default they alternate.
        legal_moves_of: returns the legal actions in an environment; by default those of
            ``action_mask`` in the observation or the info, and all actions if there is none.
        reward: ``"mover"`` if rewards are those of the player who has just moved, ``"first"`` if
            they are the first player's.
        opening: actions that are played before the game begins, by their numbers.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Returns:
        The game. One player's gain is the other's loss. If all rewards are 1, 0 or -1 the game is
        won, drawn or lost; else it has scores. Its ``position`` takes a pair: an observation, and
        the player to move, 0 or 1.

    Raises:
        MissingExtraError: Gymnasium is not installed, and a name was given.
        ParameterError: there is no such environment; it has chance, hidden information, or actions
            that are not numbered; it cannot be copied; an action is not legal; or no key
            distinguishes its positions.
        BudgetError: the game has more positions than ``max_positions``.
    """
    if reward not in _REWARDS:
        message = f"reward={reward!r} is not known; use one of {', '.join(_REWARDS)}"
        raise ParameterError(message)
    if isinstance(game, str):
        name, environment = f"gymnasium:{game}", _make_environment(game)
    elif hasattr(game, "action_space") and hasattr(game, "step"):
        kind = type(getattr(game, "unwrapped", game)).__name__
        name, environment = f"gymnasium:object of {kind}", game
    else:
        message = f"{game!r} is neither an environment of Gymnasium nor its name; give one of them"
        raise ParameterError(message)
    if not hasattr(environment.action_space, "n"):
        raise ParameterError(
            refusal_text(name, f"actions that are not numbered ({environment.action_space})")
        )
    custom = _PlayerConventions(turn_of, legal_moves_of, reward == "mover")

    def forms_of(state: Any) -> list[Any]:
        if not isinstance(state, tuple) or len(state) != _PAIR or state[1] not in (0, 1):
            message = (
                f"{state!r} is not a position of {name}; give a pair: what was observed, and whose "
                "turn it is, 0 or 1"
            )
            raise PositionError(message)
        return [ObservedPlay(*state)]

    def begin(seed: int) -> GymPlay:
        return GymPlay.reset_play(copy_environment(environment), custom, seed)

    return import_game(EnvironmentSource(name, begin, forms_of, opening), max_positions, progress)


class _PlayerConventions:
    """The conventions by which an environment for one player has two."""

    def __init__(
        self,
        turn_of: Callable[[Any], int] | None,
        legal_moves_of: Callable[[Any], Iterable[int]] | None,
        to_mover: bool,  # noqa: FBT001  # passed on by one caller
    ) -> None:
        """Store the arguments of ``gymnasium``."""
        self.turn_of, self.legal_moves_of, self.to_mover = turn_of, legal_moves_of, to_mover


class GymPlay(EnvironmentPlay):
    """An environment of Gymnasium in the middle of a game."""

    views: Sequence[str] = (
        "what is observed, and whose turn it is",
        "the attributes of the environment, and whose turn it is",
        "the attributes of the environment, whose turn it is and the number of moves made",
    )

    def __init__(
        self, env: Any, custom: _PlayerConventions, last: tuple[Any, ...], paid: Any, plies: int
    ) -> None:
        """Store an environment, and the result of its last reset or step."""
        super().__init__(env, paid, plies)
        self._custom = custom
        self._observation, self._is_over, self._info = self._last_result = last

    @classmethod
    def reset_play(cls, env: Any, custom: _PlayerConventions, seed: int | None) -> GymPlay:
        """Reset an environment, and return it as a play."""
        observation, info = env.reset(seed=seed)
        return cls(env, custom, (observation, False, info), (0.0, 0.0), 0)

    def player(self) -> int:
        """Return the player to move, or -1; see ``EnvironmentPlay``."""
        return -1 if self._is_over else self._mover()

    def _mover(self) -> int:
        if self._custom.turn_of is None:
            return self.plies % _PAIR
        player = self._custom.turn_of(self.env)
        if player not in (0, 1):
            message = f"turn_of= has returned {player!r}; let it return 0 or 1"
            raise ParameterError(message)
        return int(player)

    def legal(self) -> list[int]:
        """Return the legal actions; see ``EnvironmentPlay``."""
        if self._custom.legal_moves_of is not None:
            return [int(action) for action in self._custom.legal_moves_of(self.env)]
        return legal_actions(self._observation, self._info, self.env.action_space)

    def step(self, action: int) -> None:
        """Play an action; see ``EnvironmentPlay``."""
        to_first = not self._custom.to_mover or self._mover() == 0
        observation, reward, terminated, truncated, info = self.env.step(action)
        gain = float(reward) if to_first else -float(reward)
        self._observation, self._is_over, self._info = self._last_result = (
            observation,
            bool(terminated or truncated),
            info,
        )
        self.paid = (self.paid[0] + gain, self.paid[1] - gain)
        self.plies += 1

    def observation(self, player: int) -> Any:  # noqa: ARG002  # both see the same
        """Return the last observation; see ``EnvironmentPlay``."""
        return self._observation

    def spaces(self, player: int) -> tuple[Any, Any]:  # noqa: ARG002  # both have the same
        """Return the spaces of a player; see ``EnvironmentPlay``."""
        return self.env.action_space, self.env.observation_space

    def copy(self) -> GymPlay:
        """Return a copy; see ``EnvironmentPlay``."""
        return GymPlay(
            copy_environment(self.env), self._custom, self._last_result, self.paid, self.plies
        )


def _make_environment(text: str) -> Any:
    """Return the environment of a name, without the wrapper by which Gymnasium checks it.

    Raises:
        ParameterError: there is no such environment, or it does not take the parameters.
    """
    library = import_library("gymnasium", "Gymnasium", "gymnasium")
    short_name, parameters = split_parameters(text)
    try:
        environment = library.make(short_name, disable_env_checker=True, **parameters)
    except Exception as error:  # an environment may raise anything
        reason = f"{type(error).__name__}: {' '.join(str(error).split())}"
        message = f"Gymnasium cannot make {text!r} ({reason}); give MODULE:NAME of a registered one"
        raise ParameterError(message) from error
    return environment
