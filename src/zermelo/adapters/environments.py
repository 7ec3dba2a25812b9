"""Environments for two players, copied to play every move in every state.

An environment holds one state, which each step changes. Python's own copies may lose part of that
state, and an environment may draw random numbers without declaring it. So both are tested: games
are replayed under several seeds, and copies are played on next to their originals.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import deepcopy
from random import Random
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from zermelo.adapters.finding.states import Facts, refusal_text
from zermelo.adapters.imported_game import check_legal
from zermelo.errors import ParameterError, PositionError

#: The number of games that are replayed, the seeds of each, and the most moves of one.
_GAMES, _SEEDS, _LONG = 12, (0, 1, 2), 300
_DIGEST = 16
_ROUNDING = 1e-9

#: A record of a game: its actions, and what was observable before each of them and at the end.
_Record = tuple[list[int], list[Hashable]]


class EnvironmentPlay(ABC):
    """An environment in the middle of a game.

    Attributes:
        env: the environment.
        paid: the sum of each player's rewards so far.
        views: descriptions of the keys, the coarsest first; the last two are the attributes of the
            environment, without and with the number of moves made.
    """

    views: Sequence[str]

    def __init__(self, env: Any, paid: tuple[float, float] = (0.0, 0.0), plies: int = 0) -> None:
        """Store an environment."""
        self.env, self.paid, self.plies = env, paid, plies

    @abstractmethod
    def player(self) -> int:
        """Return the player to move, 0 or 1, or -1 if the game is over."""

    @abstractmethod
    def legal(self) -> list[int]:
        """Return the legal actions in a state in which the game goes on."""

    @abstractmethod
    def step(self, action: int) -> None:
        """Play an action."""

    @abstractmethod
    def observation(self, player: int) -> Any:
        """Return a player's observation."""

    @abstractmethod
    def spaces(self, player: int) -> tuple[Any, Any]:
        """Return the spaces of a player's actions and observations."""

    @abstractmethod
    def copy(self) -> EnvironmentPlay:
        """Return an independent copy."""

    def view(self, key: int) -> Hashable:
        """Return the key with this number among ``views``."""
        player = self.player()
        if key >= len(self.views) - 2:
            plies = self.plies if key == len(self.views) - 1 else 0
            return digest((player, plies, _attributes(self.env)))
        players = (max(player, 0),) if key == 0 else (0, 1)
        return digest((player, *map(self.observation, players)))

    def observation_text(self) -> str:
        """Return the observation of the player to move, as text."""
        return observation_text(self.observation(max(self.player(), 0)))


class ObservedPlay:
    """An observation in place of an environment, which has only the coarsest key."""

    paid = (0.0, 0.0)

    def __init__(self, observation: Any, player: int) -> None:
        """Store an observation, and the player to move."""
        self._observation, self._player = observation, player

    def player(self) -> int:
        """Return the player to move."""
        return self._player

    def view(self, key: int) -> Hashable:
        """Return the key of the observation.

        Raises:
            PositionError: a finer key is needed.
        """
        if key:
            message = (
                "what a player observes does not tell the position of this game, see its key; "
                "give an environment, or the number of the position"
            )
            raise PositionError(message)
        return digest((self._player, self._observation))


class EnvironmentSource:
    """A game of an environment; a batch of states is a list of plays. See ``StateSource``.

    Attributes:
        first_play: the start of the game, which is only copied.
        pays_on_the_way: whether a state was found in which the game is not over and a player has
            received rewards.
    """

    longest: int | None = None
    complete_key: int | None = None

    def __init__(
        self,
        name: str,
        begin: Callable[[int], EnvironmentPlay],
        forms_of: Callable[[Any], list[Any]],
        opening: Sequence[int],
    ) -> None:
        """Check that a game is deterministic and can be copied, and play its first moves.

        Args:
            name: the game's name.
            begin: resets an environment of the game with a seed.
            forms_of: returns a batch of a state of the library; see ``StateSource``.
            opening: actions that are played before the game begins.

        Raises:
            ParameterError: the game has chance, or cannot be copied; or an action is not legal.
        """
        self.name, self._forms_of = name, forms_of
        check_replayed(name, begin)
        play = begin(_SEEDS[0])
        self.keys: Sequence[str] = play.views
        for move in opening:
            check_legal(name, move, opening, play.legal() if play.player() >= 0 else [])
            play = play.copy()
            play.step(int(move))
        if opening:
            self.name += f"@{','.join(map(str, opening))}"
        self.first_play = play
        self.pays_on_the_way = False

    def start(self) -> list[EnvironmentPlay]:
        """Return the start; see ``StateSource``."""
        return [self.first_play]

    def facts(self, states: list[EnvironmentPlay]) -> list[Facts]:
        """Return the facts of states; see ``StateSource``.

        Raises:
            ParameterError: the players' rewards do not sum to zero, or no action is legal.
        """
        facts_of_states: list[Facts] = []
        for play in states:
            player = play.player()
            if player < 0:
                if abs(sum(play.paid)) > _ROUNDING:
                    raise ParameterError(refusal_text(self.name, "rewards that do not sum to zero"))
                facts_of_states.append((-1, [], play.paid[0] + 0.0))
                continue
            legal = play.legal()
            if not legal:
                message = (
                    f"{self.name} is not over in a state in which no action is legal:\n"
                    f"{play.observation_text()}\nlet the game end there, or add a pass action"
                )
                raise ParameterError(message)
            self.pays_on_the_way |= any(play.paid)
            facts_of_states.append((player, legal, None))
        return facts_of_states

    def next_states(
        self, states: list[EnvironmentPlay], indices: list[int], moves: list[int]
    ) -> list[EnvironmentPlay]:
        """Return the states after moves; see ``StateSource``."""
        plays = []
        for i, move in zip(indices, moves, strict=True):
            play = states[i].copy()
            play.step(move)
            plays.append(play)
        return plays

    def state_keys(self, states: list[EnvironmentPlay], key: int) -> list[Hashable]:
        """Return the keys of states; see ``StateSource``."""
        keys: list[Hashable] = []
        for play in states:
            view = play.view(key)
            # The winner need not be visible in the last observation.
            keys.append((view, play.paid) if any(play.paid) else view)
        return keys

    def observations(self, states: list[EnvironmentPlay]) -> list[Hashable] | None:
        """Return the observations of the players to move; see ``StateSource``."""
        return [play.view(0) for play in states]

    def select(
        self, states: list[EnvironmentPlay], indices: Sequence[int]
    ) -> list[EnvironmentPlay]:
        """Return some states, which only ``next_states`` steps, in copies; see ``StateSource``."""
        return [states[i] for i in indices]

    def state_text(self, states: list[EnvironmentPlay]) -> str:
        """Return the observation of the player to move; see ``StateSource``."""
        return states[0].observation_text()

    def move_text(self, state: Callable[[], list[EnvironmentPlay]], move: int) -> str:  # noqa: ARG002
        """Return the number of an action, as actions have no names; see ``StateSource``."""
        return str(move)

    def to_library(self, states: list[EnvironmentPlay]) -> Any:
        """Return an environment; see ``StateSource``."""
        return states[0].copy().env

    def from_library(self, state: Any) -> list[Any]:
        """Return a batch of a play, or of a state of the library; see ``StateSource``."""
        return [state] if isinstance(state, EnvironmentPlay) else self._forms_of(state)


def check_replayed(name: str, begin: Callable[[int], EnvironmentPlay]) -> None:
    """Play some games at random; replay each under other seeds, and in copies.

    Raises:
        ParameterError: a replayed game, or a game in copies, differs from the first.
    """
    chance = Random(0)  # noqa: S311  # not for secrets
    reason = "as copies do not play on like it"
    try:
        games = [_play_randomly(begin(_SEEDS[0]), chance) for _ in range(_GAMES)]
        for actions, observed_states in games:
            if any(_replay(begin(seed), actions) != observed_states for seed in _SEEDS[1:]):
                raise ParameterError(refusal_text(name, "chance"))
        if all(_copies_match(begin(_SEEDS[0]), game) for game in games):
            return
    except UncopiedError as error:
        reason = f"as {error.__cause__!r} says"
    message = (
        f"{name} cannot be copied, {reason}; make it without a render mode and with its whole "
        "state in its attributes, or write its rules as a zermelo.Game"
    )
    raise ParameterError(message)


class UncopiedError(Exception):
    """An attribute of an environment that Python cannot copy; the cause has the reason."""


def _observable_state(play: EnvironmentPlay) -> Hashable:
    """Return everything observable of a play."""
    player = play.player()
    legal = tuple(play.legal()) if player >= 0 else ()
    return (player, legal, play.paid, digest([play.observation(number) for number in (0, 1)]))


def _play_randomly(play: EnvironmentPlay, chance: Random) -> _Record:
    """Play a game at random, and return its record."""
    actions: list[int] = []
    observed_states = [_observable_state(play)]
    while play.player() >= 0 and len(actions) < _LONG:
        legal = play.legal()
        if not legal:
            break
        actions.append(chance.choice(legal))
        play.step(actions[-1])
        observed_states.append(_observable_state(play))
    return actions, observed_states


def _replay(play: EnvironmentPlay, actions: Sequence[int]) -> list[Hashable]:
    """Replay actions as long as they are legal, and return the observable states."""
    observed_states = [_observable_state(play)]
    for action in actions:
        if play.player() < 0 or action not in play.legal():
            break
        play.step(action)
        observed_states.append(_observable_state(play))
    return observed_states


def _copies_match(play: EnvironmentPlay, record: _Record) -> bool:
    """Return whether a game played in copies matches its record, and originals do not change.

    Each state is copied twice, the second time after the game was played to its end.
    """
    actions, observed_states = record
    plays = [play]
    for action in actions:
        plays.append(plays[-1].copy())
        plays[-1].step(action)
    if list(map(_observable_state, plays)) != observed_states:
        return False
    for i, action in enumerate(actions):
        second_copy = plays[i].copy()
        second_copy.step(action)
        if (
            _observable_state(second_copy) != observed_states[i + 1]
            or _observable_state(plays[i]) != observed_states[i]
        ):
            return False
        if second_copy.view(len(second_copy.views) - 1) != plays[i + 1].view(
            len(second_copy.views) - 1
        ):
            return False
    return True


# -- copies and checksums -------------------------------------------------------------------------


def copy_environment(env: Any) -> Any:
    """Return a copy of an environment and of the environments that it wraps, by their attributes.

    An environment may define its own way of copying, such as making it anew, so Python's protocol
    is not used for it. The spaces of actions and observations are shared.

    Raises:
        UncopiedError: an attribute cannot be copied.
    """
    memo: dict[int, Any] = {}
    copy = env
    for link in reversed(_wrapper_chain(env)):
        copy = object.__new__(type(link))
        memo[id(link)] = copy
        for value in vars(link).values():
            items = value.values() if isinstance(value, dict) else (value,)
            memo.update({id(item): item for item in items if _is_shared(item)})
        try:
            vars(copy).update({name: deepcopy(value, memo) for name, value in vars(link).items()})
        except Exception as error:  # an attribute may raise anything
            raise UncopiedError from error
    return copy


def _wrapper_chain(env: Any) -> list[Any]:
    """Return an environment and the environments that it wraps, the outermost first."""
    chain = [env]
    while hasattr(inner := vars(chain[-1]).get("env"), "__dict__"):
        chain.append(inner)
    return chain


def _is_shared(value: object) -> bool:
    """Return whether a value is a space or a specification, which games do not change."""
    kind = type(value)
    return (hasattr(kind, "contains") and hasattr(kind, "sample")) or kind.__name__ == "EnvSpec"


def _attributes(env: Any) -> list[dict[str, Any]]:
    """Return the attributes of an environment and of those it wraps, without its links to them."""
    return [
        {name: value for name, value in vars(link).items() if name != "env"}
        for link in _wrapper_chain(env)
    ]


def digest(value: Any) -> bytes:
    """Return a checksum of a value and all its parts; it is equal for equal values."""
    text = repr(_as_plain_data(value, {})).encode()
    return hashlib.blake2b(text, digest_size=_DIGEST).digest()


def _as_plain_data(value: Any, seen_ids: dict[int, int]) -> Any:
    """Return a value with all its parts as tuples, numbers and strings.

    Functions, modules, spaces and sources of random numbers are left out.
    """
    if value is None or isinstance(value, bool | int | float | str | bytes | complex):
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray) and value.dtype != object:
        return (value.dtype.str, value.shape, value.tobytes())
    if id(value) in seen_ids:
        return ("met", seen_ids[id(value)])
    if isinstance(value, type | FunctionType | BuiltinFunctionType | MethodType | ModuleType):
        return None
    if isinstance(value, Random | np.random.Generator | np.random.RandomState) or _is_shared(value):
        return None
    seen_ids[id(value)] = len(seen_ids)
    try:
        if isinstance(value, Mapping):
            items = [
                (_as_plain_data(key, seen_ids), _as_plain_data(item, seen_ids))
                for key, item in value.items()
            ]
            return ("mapping", *sorted(items, key=repr))
        if isinstance(value, set | frozenset):
            return ("set", *sorted((_as_plain_data(item, seen_ids) for item in value), key=repr))
        if isinstance(value, np.ndarray | Sequence) or hasattr(value, "popleft"):
            return ("row", *(_as_plain_data(item, seen_ids) for item in value))
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        parts = {name: getattr(value, name) for name in slots if hasattr(value, name)}
        return (
            type(value).__name__,
            _as_plain_data({**parts, **getattr(value, "__dict__", {})}, seen_ids),
        )
    finally:
        # A value that occurs twice side by side is written both times; only a value that contains
        # itself is replaced by a reference.
        del seen_ids[id(value)]


def observation_text(value: Any) -> str:
    """Return an observation as text; planes of ones and zeros become one board."""
    if isinstance(value, Mapping) and "observation" in value:
        value = value["observation"]
    array = np.asarray(value)
    is_planes = array.ndim == 3 and array.size and set(np.unique(array).tolist()) <= {0, 1}  # noqa: PLR2004
    if is_planes and array.shape[2] == 2 and array.sum(2).max() <= 1:  # noqa: PLR2004
        marks = np.where(array[..., 0] > 0, "x", np.where(array[..., 1] > 0, "o", "."))
        return "\n".join(" ".join(row) for row in marks)
    return str(value)
