"""Games of OpenSpiel, explored state by state."""

from __future__ import annotations

import difflib
from array import array
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from math import lcm
from typing import TYPE_CHECKING, Any

from zermelo.adapters.finding.states import CHANCE, Facts, StateFunctions
from zermelo.adapters.imported_game import check_legal, import_game, import_library
from zermelo.errors import ParameterError, PositionError
from zermelo.forms.quantities import count_phrase
from zermelo.game.chance import MOST_WEIGHT

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

#: Descriptions of keys, and of the details that keys have beside the printed state.
_PRINTED_STATE = "the printed state"
_TURN, _CHOICES = "the player to move", "the legal actions"
_TENSORS = "the observations of both players"
_MOVE_COUNT, _CHANCE_COUNT = "the number of moves made", "the number of results of chance"
_MOST_PLAYERS = 2
#: The largest difference of a probability from its fraction, which rounding in OpenSpiel makes. Two
#: fractions with a denominator of at most 65,536 differ by more.
_ROUNDING = 1e-12


def openspiel(
    game: Any,
    *,
    start: str | None = None,
    opening: Sequence[int] = (),
    max_positions: int = 5_000_000,
    progress: Listener | None = None,
) -> ImportedGame:
    """Return a game of OpenSpiel as a game that Zermelo solves.

    First all positions are found, through OpenSpiel's states. Two states are one position if they
    agree in the coarsest key that proves faithful; ``key`` of the game describes it.

    Args:
        game: a name with its parameters, such as ``"tic_tac_toe"`` or
            ``"connect_four(rows=4,columns=4)"``, a game of pyspiel, or a state to begin in.
        start: the position to begin in, in the notation that the game reads, such as a FEN of
            chess.
        opening: actions that are played before the game begins, by their numbers; results of
            chance are among them.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Returns:
        The game. If all returns are 1, 0 or -1 it is won, drawn or lost; else it has scores. With
        chance, its values are expectations.

    Raises:
        MissingExtraError: OpenSpiel is not installed.
        ParameterError: there is no such game; it has hidden information, moves at the same time,
            more than two players, returns that do not sum to zero, or chance without probabilities
            that are fractions; an action is not legal; or no key distinguishes its positions.
        BudgetError: the game has more positions than ``max_positions``.
    """
    return import_game(OpenSpielSource(game, start, opening), max_positions, progress)


class OpenSpielSource:
    """A game of OpenSpiel; a batch of states is a list of them. See ``StateSource``."""

    def __init__(self, game: Any, start: str | None = None, opening: Sequence[int] = (), /) -> None:
        """Load a game; the arguments are those of ``openspiel``."""
        pyspiel = import_library("pyspiel", "OpenSpiel", "openspiel")
        opening = list(opening)
        if isinstance(game, pyspiel.State):
            if start is not None:
                message = f"start={start!r} is for a game, and a state was given; leave it out"
                raise ParameterError(message)
            opening = [*game.history(), *opening]
            start, game = game.starting_state_str() or None, game.get_game()
        if isinstance(game, str):
            game = _load_game(pyspiel, game)
        if not isinstance(game, pyspiel.Game):
            message = f"{game!r} is neither a game of OpenSpiel nor a state; give its name"
            raise ParameterError(message)
        self.name = f"openspiel:{game}"
        _check_game(pyspiel, game, self.name)
        self.game = game
        self._state = _initial_state(pyspiel, game, self.name, start)
        for move in opening:
            is_over = self._state.is_terminal()
            check_legal(self.name, move, opening, [] if is_over else self._state.legal_actions())
            self._state.apply_action(move)
        if start is not None:
            self.name += f" from {start}"
        if opening:
            self.name += f"@{','.join(map(str, opening))}"
        kind = game.get_type()
        #: Results of chance are no part of the length of a game for OpenSpiel.
        self.longest: int | None = game.max_game_length() + game.max_chance_nodes_in_history()
        self._pays_during_play = kind.reward_model != pyspiel.GameType.RewardModel.TERMINAL
        self._details: list[Callable[[Any], Hashable]] = []
        self._choose_details(
            has_chance=game.max_chance_outcomes() > 0, has_tensors=kind.provides_observation_tensor
        )

    def _choose_details(self, *, has_chance: bool, has_tensors: bool) -> None:
        """Choose the details that keys have beside the printed state, the coarsest first."""
        details: dict[str, Callable[[Any], Hashable]] = {_TURN: _turn}
        if has_chance:
            details[_CHOICES] = _choices
        if has_tensors:
            details[_TENSORS] = _tensors
        self.complete_key = len(details) if has_tensors else None
        details[_MOVE_COUNT] = _move_count if has_chance else _move_number
        if has_chance:
            details[_CHANCE_COUNT] = _move_number  # OpenSpiel's number counts both
        names, self._details = list(details), list(details.values())
        self.keys: Sequence[str] = [_key_text(names[:key]) for key in range(len(names) + 1)]

    def start(self) -> list[Any]:
        """Return the start; see ``StateSource``."""
        return [self._state.clone()]

    def facts(self, states: list[Any]) -> list[Facts]:
        """Return the facts of states; see ``StateSource``."""
        return list(map(self._facts, states))

    def next_states(self, states: list[Any], indices: list[int], moves: list[int]) -> list[Any]:
        """Return the states after moves; see ``StateSource``."""
        return [states[i].child(move) for i, move in zip(indices, moves, strict=True)]

    def state_keys(self, states: list[Any], key: int) -> list[Hashable]:
        """Return the keys of states; see ``StateSource``."""
        return list(map(self.single_functions(key).key, states))

    def single_functions(self, key: int) -> StateFunctions:
        """Return the functions for one state at a time; see ``SingleSource``."""
        state = type(self._state)
        of_key = (
            partial(self._longer_key, key=key) if key or self._pays_during_play else state.to_string
        )
        mover, legal_actions, other_facts = state.current_player, state.legal_actions, self._facts

        def facts(state: Any) -> Facts:
            player = mover(state)
            return (player, legal_actions(state), None) if player >= 0 else other_facts(state)

        return StateFunctions(state.child, state.apply_action, of_key, facts)

    def _facts(self, state: Any) -> Facts:
        """Return the facts of a state.

        Raises:
            ParameterError: probabilities of chance are not fractions.
        """
        player = state.current_player()
        if player >= 0:
            return player, state.legal_actions(), None
        if state.is_terminal():
            return -1, [], state.returns()[0]
        outcomes = [pair for pair in state.chance_outcomes() if pair[1] > 0]
        weights = weights_of(tuple(probability for _, probability in outcomes))
        if weights is None:
            fault = f"chance whose probabilities have no common denominator up to {MOST_WEIGHT:,}"
            raise ParameterError(_refusal_text(self.name, fault))
        return CHANCE, [action for action, _ in outcomes], weights

    def _longer_key(self, state: Any, key: int) -> Hashable:
        """Return the key of a state that is more than the printed state."""
        parts: list[Hashable] = [state.to_string()]
        if self._pays_during_play:  # during the game, too
            parts += state.returns()
        parts += [detail(state) for detail in self._details[:key]]
        return tuple(parts)

    def observations(self, states: list[Any]) -> list[Hashable] | None:  # noqa: ARG002  # declared
        """Return None, as games declare whether they hide information; see ``StateSource``."""
        return None

    def select(self, states: list[Any], indices: Sequence[int]) -> list[Any]:
        """Return some states; see ``StateSource``."""
        return [states[i] for i in indices]

    def state_text(self, states: list[Any]) -> str:
        """Return a state as OpenSpiel prints it; see ``StateSource``."""
        return str(states[0])

    def move_text(self, state: Callable[[], list[Any]], move: int) -> str:
        """Return an action's name; see ``StateSource``."""
        (only_state,) = state()
        return str(only_state.action_to_string(only_state.current_player(), move))

    def to_library(self, states: list[Any]) -> Any:
        """Return a state of pyspiel; see ``StateSource``."""
        return states[0]

    def from_library(self, state: Any) -> list[Any]:
        """Return a batch of a state of pyspiel; see ``StateSource``."""
        if not hasattr(state, "get_game"):
            message = f"{state!r} is not a state of OpenSpiel; give one of {self.name}"
            raise PositionError(message)
        if str(state.get_game()) != str(self.game):
            message = (
                f"a state of {state.get_game()} is not a state of {self.game}; give a state of "
                "the game that was imported"
            )
            raise PositionError(message)
        return [state]


def _key_text(details: list[str]) -> str:
    """Return the description of the key that has some details beside the printed state."""
    if not details:
        return _PRINTED_STATE
    before = ", ".join(details[:-1])
    return f"{_PRINTED_STATE} with {before}{' and ' if before else ''}{details[-1]}"


def _turn(state: Any) -> Hashable:
    """Return the player to move, or a negative number."""
    player: int = state.current_player()
    return player


def _choices(state: Any) -> Hashable:
    """Return the legal actions; if chance decides, those after each result, and whose they are.

    Some games print neither what was rolled nor the player to move after chance.
    """
    actions: list[int] = state.legal_actions()
    if not state.is_chance_node():
        return tuple(actions)
    children = map(state.child, actions)
    return tuple((child.current_player(), *child.legal_actions()) for child in children)


def _tensors(state: Any) -> Hashable:
    """Return the observations of all players."""
    players = range(state.num_players())
    return tuple(array("f", state.observation_tensor(p)).tobytes() for p in players)


def _move_number(state: Any) -> Hashable:
    """Return the number of moves and of results of chance so far."""
    number: int = state.move_number()
    return number


def _move_count(state: Any) -> Hashable:
    """Return the number of moves that players made."""
    count: int = sum(each.player >= 0 for each in state.full_history())
    return count


@lru_cache(maxsize=1024)
def weights_of(probabilities: tuple[float, ...]) -> tuple[int, ...] | None:
    """Return the least whole numbers in proportion to probabilities.

    They are None unless the probabilities are fractions, up to rounding, which sum to 1 and have a
    common denominator of at most ``MOST_WEIGHT``.
    """
    fractions = [Fraction(each).limit_denominator(MOST_WEIGHT) for each in probabilities]
    denominator = lcm(*(each.denominator for each in fractions))
    is_exact = all(
        abs(float(fraction) - probability) <= _ROUNDING
        for fraction, probability in zip(fractions, probabilities, strict=True)
    )
    if not is_exact or sum(fractions) != 1 or denominator > MOST_WEIGHT:
        return None
    return tuple(int(each * denominator) for each in fractions)


def _load_game(pyspiel: Any, name: str) -> Any:
    """Return the game of a name.

    Raises:
        ParameterError: there is no such game, or it does not take the parameters.
    """
    short_name, names = name.partition("(")[0].strip(), pyspiel.registered_names()
    if short_name not in names:
        similar = difflib.get_close_matches(short_name, names, 1)
        hint = f"did you mean {similar[0]}?" if similar else "pyspiel.registered_names() lists them"
        message = f"OpenSpiel has no game {short_name!r}; {hint}"
        raise ParameterError(message)
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        reason = " ".join(str(error).split()).removesuffix(" with")  # an empty text followed
        message = f"OpenSpiel cannot make {name!r}: {reason}; change its parameters"
        raise ParameterError(message) from None


def _initial_state(pyspiel: Any, game: Any, name: str, start: str | None) -> Any:
    """Return the state that a text describes, or the usual start.

    Raises:
        ParameterError: the game cannot read the text.
    """
    try:
        return game.new_initial_state() if start is None else game.new_initial_state(start)
    except pyspiel.SpielError as error:
        reason = str(error).splitlines()[0] if str(error) else "OpenSpiel does not say why"
        message = f"{name} cannot begin with start={start!r}: {reason}; give a state instead"
        raise ParameterError(message) from None


def _check_game(pyspiel: Any, game: Any, name: str) -> None:
    """Check that a game is of a kind that can be solved.

    Raises:
        ParameterError: it is not; the message names the property.
    """
    kind, types = game.get_type(), pyspiel.GameType
    fault = ""
    if game.num_players() > _MOST_PLAYERS:
        fault = count_phrase(game.num_players(), "players")
    elif kind.dynamics != types.Dynamics.SEQUENTIAL:
        fault = "moves that both players make at the same time"
    elif kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC and game.max_chance_outcomes():
        fault = "chance whose probabilities are not stated"
    elif kind.information != types.Information.PERFECT_INFORMATION:
        fault = "hidden information"
    elif game.num_players() == _MOST_PLAYERS and kind.utility != types.Utility.ZERO_SUM:
        fault = "returns that do not sum to zero"
    if fault:
        raise ParameterError(_refusal_text(name, fault))


def _refusal_text(name: str, fault: str) -> str:
    """Return the message that a game cannot be solved because of one of its properties.

    Args:
        name: the game's name.
        fault: the property, a noun phrase.
    """
    return (
        f"{name} has {fault}, and cannot be solved; give a game with perfect information for one "
        "player, or for two of whom one wins what the other loses"
    )
