"""Games that can only be asked state by state, as other libraries have them; random ones, too."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from zermelo.adapters.finding.states import StateFunctions
from zermelo.errors import PositionError


class StateMachine:
    """A game given by its states, which are numbers; a ``StateSource``, and a game for the oracle.

    Attributes:
        rows: the states that the moves of each state lead to.
        players: whose turn it is in each.
        payoffs: what the first player gets in the states without moves.
        labels: what each key says of a state, the coarsest first.
    """

    longest: int | None = None
    complete_key: int | None = None

    def __init__(
        self,
        rows: Sequence[Sequence[int]],
        players: Sequence[int],
        payoffs: Sequence[float],
        labels: Sequence[Callable[[int], Hashable]],
    ) -> None:
        """Store the states; the start is 0."""
        self.rows, self.players, self.payoffs, self.labels = rows, players, payoffs, labels
        self.name = "machine:test"
        self.keys = [f"key {i}" for i in range(len(labels))]

    # -- a source of states -----------------------------------------------------------------------

    def start(self) -> Any:
        """Return 0, for the oracle."""
        return [0]

    def facts(self, states: list[int]) -> list[Any]:
        """Return the facts of states."""
        return [
            (self.players[s], list(range(len(self.rows[s]))), None)
            if self.rows[s]
            else (-1, [], self.payoffs[s])
            for s in states
        ]

    def next_states(self, states: list[int], indices: list[int], moves: list[int]) -> list[int]:
        """Return the states after moves."""
        return [self.rows[states[i]][move] for i, move in zip(indices, moves, strict=True)]

    def state_keys(self, states: list[int], key: int) -> list[Hashable]:
        """Return the keys of states."""
        return [self.labels[key](s) for s in states]

    def observations(self, states: list[int]) -> list[Hashable] | None:
        """Return None: nothing is hidden."""
        return None

    def select(self, states: list[int], indices: Sequence[int]) -> list[int]:
        """Return some states."""
        return [states[i] for i in indices]

    def state_text(self, states: list[int]) -> str:
        """Return a state."""
        return f"state {states[0]}"

    def move_text(self, state: Callable[[], list[int]], move: int) -> str:
        """Return the state after a move, as text."""
        return f"to {self.rows[state()[0]][move]}"

    def to_library(self, states: list[int]) -> int:
        """Return a state."""
        return states[0]

    def from_library(self, state: Any) -> list[int]:
        """Return a batch of one."""
        if state not in range(len(self.rows)):
            message = f"{state!r} is no state; give a number"
            raise PositionError(message)
        return [state]


class Machine(StateMachine):
    """A machine with states as objects, rows of one number, which are asked one by one."""

    def start(self) -> Any:
        """Return the start."""
        return [[0]]

    def facts(self, states: list[Any]) -> list[Any]:
        """Return the facts of states."""
        return super().facts([s[0] for s in states])

    def next_states(self, states: list[Any], indices: list[int], moves: list[int]) -> list[Any]:
        """Return the states after moves."""
        return [[self.rows[states[i][0]][move]] for i, move in zip(indices, moves, strict=True)]

    def state_keys(self, states: list[Any], key: int) -> list[Hashable]:
        """Return the keys of states."""
        return super().state_keys([s[0] for s in states], key)

    def single_functions(self, key: int) -> StateFunctions:
        """Return how it is asked about one state."""

        def play(state: list[int], move: int) -> None:
            state[0] = self.rows[state[0]][move]

        return StateFunctions(
            lambda state, move: [self.rows[state[0]][move]],
            play,
            lambda state: self.labels[key](state[0]),
            lambda state: self.facts([state])[0],
        )

    def to_library(self, states: list[Any]) -> int:
        """Return a state."""
        return int(states[0][0])

    def from_library(self, state: Any) -> list[Any]:
        """Return a batch of one."""
        return [super().from_library(state)]


class PlainMachine:
    """A machine's game in the form of the oracle."""

    def __init__(self, machine: StateMachine) -> None:
        """Read a machine."""
        self.machine = machine

    def start(self) -> int:
        """Return the start."""
        return 0

    def turn(self, s: int) -> int:
        """Return the player to move."""
        return self.machine.players[s]

    def moves(self, s: int) -> range:
        """Return the moves."""
        return range(len(self.machine.rows[s]))

    def play(self, s: int, move: int) -> int:
        """Return the state after a move."""
        return self.machine.rows[s][move]


class PlainOutcomes(PlainMachine):
    """A machine's game with outcomes."""

    def outcome(self, s: int) -> int | None:
        """Return the outcome for the player to move."""
        payoff = int(self.machine.payoffs[s]) * (1 - 2 * self.machine.players[s])
        return None if self.machine.rows[s] else payoff


class PlainScores(PlainMachine):
    """A machine's game with scores, in whole numbers."""

    def gain(self, _state: int, _move: int) -> int:
        """Return 0."""
        return 0

    def score(self, s: int) -> int:
        """Return the score of the player to move."""
        return int(self.machine.payoffs[s]) * (1 - 2 * self.machine.players[s])


def random_machine(
    random: Random,
    *,
    scores: bool = False,
    loops: bool = True,
    hides: str = "",
    kind: type[StateMachine] = StateMachine,
) -> StateMachine:
    """Return a random game: its positions in several copies that look alike by the first key.

    Copies of a position are copies in all they lead to, unless something is hidden in them.

    Args:
        random: where chance comes from.
        scores: whether payoffs are from -5 to 5.
        loops: whether moves may lead back; with self-loops and moves that lead to the same.
        hides: ``"count"``: the game is drawn after some moves; ``"end"``: some ends pay otherwise
            in some copies. The first key does not tell which copy it is, and the second one does.
        kind: whether states are asked many at once, or one by one.
    """
    size, copies = random.randint(2, 9), random.randint(2, 5)
    base = [
        [
            random.randrange(0 if loops else v + 1, size)
            for _ in range(random.randint(0 if v else 1, 3))
            if loops or v + 1 < size
        ]
        for v in range(size)
    ]
    turns = [random.randint(0, 1) for _ in range(size)]
    pays = [random.randint(-5, 5) if scores else random.randint(-1, 1) for _ in range(size)]
    rows: list[list[int]] = []
    payoffs: list[float] = []
    for c in range(copies):
        for v in range(size):
            # A copy counts moves, up to the last; else where it leads does not matter.
            next_copies = [
                min(c + 1, copies - 1) if hides == "count" else random.randrange(copies)
                for _ in base[v]
            ]
            row = [f * size + target for f, target in zip(next_copies, base[v], strict=True)]
            pay = pays[v]
            if hides == "count" and c == copies - 1:
                row, pay = [], 0 if base[v] else pay
            if hides == "end" and not base[v] and c:
                pay = -pay or 1
            rows.append(row)
            payoffs.append(pay)
    fine = (lambda s: s) if hides else (lambda s: s % size)
    return kind(rows, turns * copies, payoffs, [lambda s: s % size, fine])
