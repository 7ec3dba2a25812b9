"""A game that is known state by state, and the graph of its positions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

#: What is known of a state: whose turn it is, 0 or 1, or -1 where the game is over; the legal moves
#: in their order; and what the first player has got in all where the game is over, else None.
Facts: TypeAlias = tuple[int, list[int], float | None]


class StateSource(Protocol):
    """A game that is asked about states, many at once; ``states`` is some batch of its own.

    Attributes:
        name: what the game is called, such as ``openspiel:tic_tac_toe``.
        keys: what each key is made of, in words; the first is the coarsest, that merges the most.
        told: the key, of ``keys``, that holds all the game tells of a state; what the game tells
            of states that are merged has to be the same, too. None where no key is known to.
        longest: the most moves that a game has, or None where nobody says.
    """

    name: str
    keys: Sequence[str]
    told: int | None
    longest: int | None

    def start(self) -> Any:
        """Return a batch of the start alone."""

    def facts(self, states: Any) -> list[Facts]:
        """Return what is known of each."""

    def after(self, states: Any, which: list[int], moves: list[int]) -> Any:
        """Return the states after moves: ``moves[i]`` in the state with the number ``which[i]``."""

    def of_key(self, states: Any, key: int) -> list[Hashable]:
        """Return the key of each state, by one of ``keys``."""

    def seen(self, states: Any) -> list[Hashable] | None:
        """Return what the player to move sees of each; None where nothing is known to be hidden."""

    def chosen(self, states: Any, which: Sequence[int]) -> Any:
        """Return some of the states, by their numbers."""

    def shown(self, states: Any) -> str:
        """Return the text that the game prints for the first of the states."""

    def moved(self, state: Callable[[], Any], move: int) -> str:
        """Return what the game calls a move; ``state`` returns a batch of where it is made."""

    def outside(self, states: Any) -> Any:
        """Return the first of the states in the form in which the other library has it."""

    def inside(self, state: Any) -> Any:
        """Return a batch of one state that the other library has, in all forms it may have here.

        Raises:
            PositionError: it is no state of this game.
        """


class StepByStep(NamedTuple):
    """How a game is asked about one state.

    Attributes:
        child: returns the state after a move, and leaves the state itself as it is.
        play: plays a move in a state that is not needed any more; the state itself changes.
        key: returns the key of a state.
        facts: returns what is known of a state.
    """

    child: Callable[[Any, int], Any]
    play: Callable[[Any, int], object]
    key: Callable[[Any], Hashable]
    facts: Callable[[Any], Facts]


@runtime_checkable
class SingleSource(StateSource, Protocol):
    """A game whose states are objects, each asked by itself; a batch is a list of them."""

    def one_by_one(self, key: int) -> StepByStep:
        """Return how it is asked about one state, by one of ``keys``."""


@dataclass(frozen=True)
class StateGraph:
    """The positions of a game, numbered in the order in which they are found, from the start.

    Attributes:
        source: the game.
        key: which of its keys tells positions apart.
        numbers: the number of the position of each key.
        first: the place in ``moves`` and ``targets`` of each position's first move, and one more.
        moves: the move of each edge.
        targets: the position that each edge leads to.
        players: whose turn it is, 0 or 1; where the game is over, the player who did not move last.
        payoffs: what the first player gets where the game is over, else not a number.
        parents: the edge by which each position was found; -1 for the start.
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

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.players)

    def path(self, position: int) -> list[int]:
        """Return moves that lead from the start to a position."""
        moves: list[int] = []
        while (edge := int(self.parents[position])) >= 0:
            moves.append(int(self.moves[edge]))
            position = int(np.searchsorted(self.first, edge, "right")) - 1
        return moves[::-1]

    def state(self, position: int) -> Any:
        """Return a batch of one state of the game, which is in this position."""
        states = self.source.start()
        for move in self.path(position):
            states = self.source.after(states, [0], [move])
        return states

    def places(self, states: Any) -> list[int]:
        """Return the number of the position of each state, -1 for what is none of these."""
        return [self.numbers.get(key, -1) for key in self.source.of_key(states, self.key)]


def refusal(name: str, why: str) -> str:
    """Return the sentence that a game cannot be solved, with the property that stands against it.

    Args:
        name: the game.
        why: what it has.
    """
    return (
        f"{name} has {why}, and cannot be solved; give a game for two players with perfect "
        "information, without chance, in which one wins what the other loses"
    )
