"""The interface to a game that is explored state by state, and the graph of its positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

#: The player to move in the facts of a state at which chance decides.
CHANCE = -2
#: The facts of a state: the player to move, 0 or 1, CHANCE if chance decides, or -1 if the game is
#: over; the legal moves, or the results of chance, in their order; and the first player's total
#: payoff if the game is over, the weights of the results if chance decides, else None.
Facts: TypeAlias = tuple[int, list[int], float | tuple[int, ...] | None]


class StateSource(Protocol):
    """A game that is queried many states at a time; ``states`` is a batch of its own type.

    Attributes:
        name: the game's name, such as ``openspiel:tic_tac_toe``.
        keys: descriptions of the keys; the first is the coarsest, which merges the most states.
        complete_key: the number of the key in ``keys`` that holds all information of the game on a
            state, which must be equal for merged states; None if there is no such key.
        longest: the most moves of a game, or None if it is not known.
    """

    name: str
    keys: Sequence[str]
    complete_key: int | None
    longest: int | None

    def start(self) -> Any:
        """Return a batch of the start alone."""

    def facts(self, states: Any) -> list[Facts]:
        """Return the facts of each state."""

    def next_states(self, states: Any, indices: list[int], moves: list[int]) -> Any:
        """Return the states after moves: ``moves[i]`` in the state numbered ``indices[i]``."""

    def state_keys(self, states: Any, key: int) -> list[Hashable]:
        """Return the key of each state, by one of ``keys``."""

    def observations(self, states: Any) -> list[Hashable] | None:
        """Return the observation of each state's player to move; None if nothing is hidden."""

    def select(self, states: Any, indices: Sequence[int]) -> Any:
        """Return the states with the numbers ``indices``."""

    def state_text(self, states: Any) -> str:
        """Return the first of the states as the game prints it."""

    def move_text(self, state: Callable[[], Any], move: int) -> str:
        """Return the game's name of a move; ``state`` returns a batch of the state before it."""

    def to_library(self, states: Any) -> Any:
        """Return the first of the states as an object of the other library."""

    def from_library(self, state: Any) -> Any:
        """Return a batch of all forms in which a state of the other library can arise here.

        Raises:
            PositionError: it is not a state of this game.
        """


class StateFunctions(NamedTuple):
    """The functions by which a game is queried one state at a time.

    Attributes:
        child: returns the state after a move, and does not change the state.
        play: plays a move in a state that is no longer needed, and changes it.
        key: returns the key of a state.
        facts: returns the facts of a state.
    """

    child: Callable[[Any, int], Any]
    play: Callable[[Any, int], object]
    key: Callable[[Any], Hashable]
    facts: Callable[[Any], Facts]


@runtime_checkable
class SingleSource(StateSource, Protocol):
    """A game whose states are objects, each queried separately; a batch is a list of them."""

    def single_functions(self, key: int) -> StateFunctions:
        """Return the functions for one state at a time, by the key with this number in ``keys``."""


def states_after(
    source: StateSource, states: Any, indices: list[int], moves: list[int], *, are_shared: bool
) -> Any:
    """Return the states after moves, as ``next_states`` does; ``states`` is not needed any more.

    If states are objects, moves change them, which takes less time than new states.

    Args:
        source: the game.
        states: the states.
        indices: the numbers of different states.
        moves: a move in each of these.
        are_shared: whether some states are one object, which must not be changed.
    """
    if are_shared or not isinstance(source, SingleSource):
        return source.next_states(states, indices, moves)
    play = source.single_functions(0).play
    next_states = [states[i] for i in indices]
    for state, move in zip(next_states, moves, strict=True):
        play(state, move)
    return next_states


@dataclass(frozen=True)
class StateGraph:
    """The positions of a game, numbered in the order in which they are found, from the start.

    Attributes:
        source: the game.
        key: the number of the key by which positions are distinguished.
        numbers: the number of each key's position.
        first: the index of each position's first move in ``moves`` and ``targets``, then their
            length.
        moves: the action of each edge.
        targets: the position that each edge leads to.
        players: the player to move, 0 or 1; if the game is over, the player who did not move last;
            if chance decides, the player who moved last, or the first player at the start.
        payoffs: the first player's payoff if the game is over, else NaN.
        parents: the edge by which each position was found; -1 for the start.
        weights: the weight of each edge that is a result of chance, 0 for a move; empty if chance
            decides at no position.
    """

    source: StateSource
    key: int
    numbers: dict[Hashable, int]
    first: npt.NDArray[np.int64]
    moves: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int64]
    players: npt.NDArray[np.int64]
    payoffs: npt.NDArray[np.float64]
    parents: npt.NDArray[np.int64]
    weights: npt.NDArray[np.int64]

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.players)

    def facts(self, position: int) -> Facts:
        """Return the facts of a position, as they were found."""
        edges = slice(*self.first[position : position + 2].tolist())
        moves = self.moves[edges].tolist()
        if not moves:
            return -1, moves, float(self.payoffs[position])
        if len(self.weights):
            weights = tuple(self.weights[edges].tolist())
            if any(weights):
                return CHANCE, moves, weights
        return int(self.players[position]), moves, None

    def path(self, position: int) -> list[int]:
        """Return moves and results of chance that lead from the start to a position."""
        moves: list[int] = []
        while (edge := int(self.parents[position])) >= 0:
            moves.append(int(self.moves[edge]))
            position = int(np.searchsorted(self.first, edge, "right")) - 1
        return moves[::-1]

    def state(self, position: int) -> Any:
        """Return a batch of one state of the game in this position."""
        states = self.source.start()
        for move in self.path(position):
            states = self.source.next_states(states, [0], [move])
        return states

    def places(self, states: Any) -> list[int]:
        """Return the position of each state, -1 for a state in no known position."""
        return [self.numbers.get(key, -1) for key in self.source.state_keys(states, self.key)]


def refusal_text(name: str, fault: str) -> str:
    """Return the message that a game cannot be solved because of one of its properties.

    Args:
        name: the game's name.
        fault: the property, a noun phrase.
    """
    return (
        f"{name} has {fault}, and cannot be solved; give a game for two players with perfect "
        "information, without chance, in which one wins what the other loses"
    )
