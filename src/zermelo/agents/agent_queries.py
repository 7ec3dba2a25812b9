"""Queries to an agent: from positions to the moves it makes there, with their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Float64Array
from zermelo.errors import MoveError, ParameterError
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from zermelo.rules.view import RulesView
    from zermelo.solution.dataset.moves import Keys, Numbers, PositionSource, ValuedMoves

#: The number of positions that an agent is asked about a second time: a share of each batch, at
#: least the second number, and at most the third in all.
_SHARE, _LEAST_AGAIN, _AGAIN = 20, 16, 500
#: Moves that a message lists before it only counts the rest.
_MOST_LISTED = 12
#: The largest allowed difference of 1 and the sum of an agent's probabilities.
_ROUNDING = 1e-6


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that answers batches of positions, such as a neural network.

    Any object that has a method ``batch`` is one; it need not be derived from this class.
    """

    def batch(self, positions: npt.NDArray[np.int64], /) -> Any:
        """Return a move for each position.

        Args:
            positions: an array of shape (n, numbers in a position), fields in their order and tuple
                fields item by item, as ``Solution.probe_many`` takes it. Of a graph, a pursuit or a
                sum it is a list of positions instead.

        Returns:
            An array with a move for each position, of shape (n,) or (n, numbers in a move); or a
            list of n moves, as the rules return them. Instead of a move there may be probabilities:
            a dictionary from moves to probabilities, or a list of floating-point numbers, one for
            each legal move in the order of the rules; or an array of such numbers with a row for
            each position, and zeros after the last legal move.
        """


#: An agent: ``agent(position)`` returns a move, or the probabilities of moves, as a dictionary or
#: as one floating-point number for each legal move; or an object that has ``batch``.
Agent: TypeAlias = Callable[[Any], Any] | BatchAgent


@dataclass(frozen=True)
class Choice:
    """The moves that an agent may make in some positions, in the order of the positions.

    Attributes:
        rows: for each move, the number of the position that it is made in; positions in which the
            game is over have none.
        moves: the number of each move among all moves.
        chances: the probability of each move; those of a position sum to 1.
    """

    rows: Numbers
    moves: Numbers
    chances: npt.NDArray[np.float64]

    @property
    def is_mixed(self) -> bool:
        """Whether some position has several moves."""
        return bool((self.rows[1:] == self.rows[:-1]).any())

    def draw(self, rows: Numbers, draws: npt.NDArray[np.float64]) -> Numbers:
        """Return a random index into ``moves`` per position of ``rows``, by numbers below 1."""
        ends = np.cumsum(self.chances)
        first = np.searchsorted(self.rows, rows)
        last = np.searchsorted(self.rows, rows, "right") - 1
        sums_before = ends[first] - self.chances[first]
        indices = np.searchsorted(ends, sums_before + draws * (ends[last] - sums_before), "right")
        return np.clip(indices, first, last)


class AgentQueries:
    """An agent, and the number of positions it was asked about.

    Attributes:
        name: the agent's name.
        count: the number of positions in which the agent has chosen a move.
    """

    def __init__(
        self, agent: Agent, source: PositionSource, rules: RulesView, name: str | None
    ) -> None:
        """Store the agent.

        Raises:
            ParameterError: the object is not an agent.
        """
        checked = agent
        if not isinstance(checked, BatchAgent) and not callable(checked):
            message = (
                f"agent={agent!r} is not an agent; give a function of a position that returns a "
                "move, or an object with batch(positions)"
            )
            raise ParameterError(message)
        if isinstance(agent, type):
            message = f"agent={agent.__name__} is a class; give an object of it: {agent.__name__}()"
            raise ParameterError(message)
        self.agent = agent
        self.source = source
        self.rules = rules
        self.name = name or _name_of(agent)
        self.count = 0
        self._checks_left = _AGAIN

    def choose(self, keys: Keys, moves: ValuedMoves) -> Choice:
        """Return the agent's moves in each position, numbered among all moves.

        Raises:
            MoveError: the agent returns something that is not a move in the position, or invalid
                probabilities.
            ParameterError: the agent returns another move when it is asked again.
        """
        open_ = np.flatnonzero(moves.move_counts)
        if not len(open_):
            return _single_moves(open_)
        self.count += len(open_)
        first, counts = moves.first[open_], moves.move_counts[open_]
        choice = self._ask(keys[open_], counts)
        if self._checks_left:
            self._ask_again(keys[open_], counts, choice)
        return Choice(open_[choice.rows], first[choice.rows] + choice.moves, choice.chances)

    def _ask(self, keys: Keys, counts: Numbers) -> Choice:
        """Return the choice in positions in which the game is not over.

        Moves are numbered among those of their position.
        """
        if isinstance(self.agent, BatchAgent):
            return self._ask_in_batch(keys, counts)
        return self._ask_one_by_one(keys)

    def _ask_again(self, keys: Keys, counts: Numbers, choice: Choice) -> None:
        """Check that an agent chooses the same moves when it is asked about some positions again.

        Raises:
            ParameterError: it chooses other moves.
        """
        rows = np.flatnonzero(counts > 1)
        count = min(self._checks_left, max(_LEAST_AGAIN, len(rows) // _SHARE), len(rows))
        if not count:
            return
        self._checks_left -= count
        rows = rows[np.linspace(0, len(rows) - 1, count).astype(np.int64)]
        first_table = _probability_table(choice, len(keys), int(counts.max()))[rows]
        if isinstance(self.agent, BatchAgent):
            # Rounding in a network may depend on the size of a batch.
            first_table = _probability_table(
                self._ask(keys[rows], counts[rows]), *first_table.shape
            )
        second_table = _probability_table(self._ask(keys[rows], counts[rows]), *first_table.shape)
        differs = (np.abs(first_table - second_table) > _ROUNDING).any(axis=1)
        if not differs.any():
            return
        n = int(np.argmax(differs))
        position = self.source.positions(keys[rows[n : n + 1]])[0]
        moves = self.rules.moves(position)
        first_move, second_move = (
            moves[int(np.argmax(chances[n]))] for chances in (first_table, second_table)
        )
        reply = (
            "that move with another probability" if first_move == second_move else repr(second_move)
        )
        message = (
            f"the agent {self.name} plays {first_move!r} at {position!r}, and {reply} when asked "
            "again; let it make the same move each time, such as the one that it likes most, or "
            "return the probabilities of its moves, the same each time"
        )
        raise ParameterError(message)

    def _ask_one_by_one(self, keys: Keys) -> Choice:
        """Ask for the move in one position after another."""
        agent: Any = self.agent
        positions, answers = self.source.positions(keys), []
        for position in positions:
            try:
                answers.append(agent(position))
            except Exception as error:
                error.add_note(f"the agent {self.name} was asked for its move at {position!r}")
                raise
        return self._read_answers(positions, answers)

    def _read_answers(self, positions: Sequence[Any], answers: Sequence[object]) -> Choice:
        """Return an agent's answers for positions, moves or probabilities, as a choice."""
        rows, moves, chances = [], [], []
        for n, (position, answer) in enumerate(zip(positions, answers, strict=True)):
            for move, chance in self._possible_moves(position, answer):
                rows.append(n)
                moves.append(move)
                chances.append(chance)
        return Choice(np.array(rows, np.int64), np.array(moves, np.int64), np.array(chances))

    def _possible_moves(self, position: Any, answer: Any) -> list[tuple[int, float]]:
        """Return the numbers of the moves that an agent may make, each with its probability."""
        if hasattr(answer, "detach"):
            answer = answer.detach().cpu().numpy()
        if isinstance(answer, Mapping):
            pairs = [(self._find_move(position, move), chance) for move, chance in answer.items()]
        elif _is_fractional(answer):
            pairs = list(enumerate(answer))
            count = len(self.rules.moves(position))
            if len(pairs) != count:
                message = (
                    f"the agent {self.name} gives {len(pairs):,} probabilities at {position!r}, "
                    f"where there are {count:,} moves; give one for each legal move, in their "
                    "order, or a dictionary from moves to probabilities"
                )
                raise MoveError(message)
        else:
            return [(self._find_move(position, answer), 1.0)]
        return self._scaled_probabilities(position, pairs)

    def _scaled_probabilities(
        self, position: Any, pairs: Sequence[tuple[int, Any]]
    ) -> list[tuple[int, float]]:
        """Return the moves with probabilities above 0, scaled to sum to 1.

        Raises:
            MoveError: the numbers are not probabilities.
        """
        for move, chance in pairs:
            if not _is_probability(chance):
                name = self.rules.move_name(self.rules.moves(position)[move])
                message = (
                    f"the agent {self.name} gives {name} the probability {chance!r} at "
                    f"{position!r}; probabilities are numbers from 0 to 1"
                )
                raise MoveError(message)
        total = float(sum(chance for _, chance in pairs))
        if abs(total - 1) > _ROUNDING:
            message = (
                f"the agent {self.name} gives probabilities that sum to {total:.6g} at "
                f"{position!r}; divide them by their sum, so that they sum to 1"
            )
            raise MoveError(message)
        chances: dict[int, float] = {}
        for move, chance in pairs:
            chances[move] = chances.get(move, 0.0) + float(chance) / total
        return [(move, chance) for move, chance in sorted(chances.items()) if chance > 0]

    def _ask_in_batch(self, keys: Keys, counts: Numbers) -> Choice:
        """Ask for the moves in all positions in one call."""
        agent: Any = self.agent
        rows = self.source.rows(keys)
        answers = agent.batch(rows)
        if hasattr(answers, "detach"):  # a tensor, wherever it is
            answers = answers.detach().cpu().numpy()
        if not hasattr(answers, "__len__") or len(answers) != len(keys):
            returned = len(answers) if hasattr(answers, "__len__") else repr(answers)
            message = (
                f"the agent {self.name} returned {returned} for "
                f"{count_phrase(len(keys), 'positions')}; let batch(positions) return one move for "
                "each"
            )
            raise MoveError(message)
        if isinstance(answers, np.ndarray) and answers.ndim > 1 and _is_fractional(answers):
            return self._read_answers(
                self.source.positions(keys), _trim_probabilities(answers, counts)
            )
        numbers = None
        if isinstance(answers, np.ndarray) and answers.dtype.kind in "iu":
            numbers = self._match_moves(
                keys, counts, answers.reshape(len(keys), -1).astype(np.int64)
            )
        if numbers is None:
            answer_list = answers.tolist() if isinstance(answers, np.ndarray) else answers
            return self._read_answers(self.source.positions(keys), answer_list)
        if (numbers < 0).any():
            n = int(np.argmin(numbers))
            move = answers[n].tolist()
            self._find_move(self.source.positions(keys[n : n + 1])[0], _as_tuple(move))
        return _single_moves(numbers)

    def _match_moves(self, keys: Keys, counts: Numbers, chosen: Numbers) -> Numbers | None:
        """Return for each position the number of the move with the given numbers, else -1.

        Return None if the moves of the game cannot be written as rows of that length.
        """
        found_numbers = np.full(len(keys), -1, np.int64)
        for n in range(int(counts.max())):
            unmatched = np.flatnonzero((found_numbers < 0) & (counts > n))
            numbers = self.source.move_numbers(
                keys[unmatched], np.full(len(unmatched), n, np.int64)
            )
            if numbers is None or numbers.shape[1] != chosen.shape[1]:
                return None
            found_numbers[unmatched[(numbers == chosen[unmatched]).all(axis=1)]] = n
        return found_numbers

    def _find_move(self, position: Any, move: Any) -> int:
        """Return the number of a move, which is given as the rules return it or by its name.

        Raises:
            MoveError: it is not a move in the position.
        """
        moves = self.rules.moves(position)
        for n, legal_move in enumerate(moves):
            if _is_same_move(legal_move, move):
                return n
        names = [self.rules.move_name(legal_move) for legal_move in moves]
        if isinstance(move, str) and move in names:
            return names.index(move)
        message = (
            f"the agent {self.name} plays {move!r} at {position!r}, which is not a move there; "
            f"let it choose one of {_move_list(moves)}"
        )
        raise MoveError(message)


def _single_moves(moves: Numbers) -> Choice:
    """Return the choice of one move in each position."""
    return Choice(np.arange(len(moves)), moves, np.ones(len(moves)))


def _probability_table(choice: Choice, count: int, width: int) -> npt.NDArray[np.float64]:
    """Return a table of a choice's probabilities: a row per position, a column per move number."""
    table = np.zeros((count, width))
    table[choice.rows, choice.moves] = choice.chances
    return table


def _is_fractional(answer: object) -> bool:
    """Return whether an agent's answer holds floating-point numbers, which are never moves."""
    if isinstance(answer, np.ndarray):
        return answer.ndim > 0 and answer.dtype.kind == "f"
    return isinstance(answer, list | tuple) and any(
        isinstance(chance, float | np.floating) for chance in answer
    )


def _is_probability(chance: Any) -> bool:
    """Return whether this is a number from 0 to 1."""
    number = isinstance(chance, int | float | np.number) and not isinstance(chance, bool)
    return number and -_ROUNDING <= chance <= 1 + _ROUNDING


def _trim_probabilities(table: Float64Array, counts: Numbers) -> list[npt.NDArray[Any]]:
    """Return the probabilities of each row, without the zeros after the last legal move."""
    return [
        row[:count] if count <= len(row) and not row[count:].any() else row
        for row, count in zip(table, counts.tolist(), strict=True)
    ]


def _is_same_move(move: Any, answer: object) -> bool:
    """Return whether an agent's answer is this move, perhaps as NumPy numbers or as a list."""
    if isinstance(answer, list | np.ndarray):
        answer = _as_tuple(answer.tolist() if isinstance(answer, np.ndarray) else answer)
    if isinstance(answer, bool) and not isinstance(move, bool):
        return False
    return bool(move == answer)


def _as_tuple(move: Any) -> Any:
    return tuple(map(_as_tuple, move)) if isinstance(move, list) else move


def _move_list(moves: Sequence[Any]) -> str:
    listed = ", ".join(map(repr, moves[:_MOST_LISTED]))
    hidden = len(moves) - _MOST_LISTED
    return f"{listed} and {hidden:,} more" if hidden > 0 else listed


def _name_of(agent: object) -> str:
    name: str = getattr(agent, "__name__", "") or type(agent).__name__
    return "agent" if name == "<lambda>" else name
