"""Asking an agent: from positions to the moves it makes there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from zermelo.errors import MoveError, ParameterError

if TYPE_CHECKING:
    from zermelo.rules.view import RulesView
    from zermelo.solution.dataset.moves import Keys, Numbers, PositionSource, WorthMoves

#: Positions that an agent is asked about again: of those asked at once a share, but no fewer
#: than the second number, and of all positions no more than the third.
_SHARE, _LEAST_AGAIN, _AGAIN = 20, 16, 500
#: Moves that a message lists before it only counts the rest.
_MOST_LISTED = 12


@runtime_checkable
class BatchAgent(Protocol):
    """An agent that takes many positions at once, as a neural network does.

    Anything that has a method ``batch`` is one; it need not be derived from this class.
    """

    def batch(self, positions: npt.NDArray[np.int64], /) -> Any:
        """Return a move for each position.

        Args:
            positions: an array of shape (n, numbers in a position), fields in their order and tuple
                fields item by item, as ``Solution.probe_many`` takes it. Of a graph, a pursuit or a
                sum it is a list of positions instead.

        Returns:
            An array with a move for each, of shape (n,) or (n, numbers in a move); or n moves in
            a list, each as the rules have it.
        """


#: An agent: ``agent(position)`` returns a move; or an object that has ``batch``.
Agent: TypeAlias = Callable[[Any], Any] | BatchAgent


class AskedAgent:
    """An agent, and how many positions it was asked about.

    Attributes:
        name: what it is called.
        count: for how many positions it has chosen a move.
    """

    def __init__(
        self, agent: Agent, source: PositionSource, rules: RulesView, name: str | None
    ) -> None:
        """Take an agent.

        Raises:
            ParameterError: it is not one.
        """
        given: Any = agent
        if not isinstance(given, BatchAgent) and not callable(given):
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
        self._again = _AGAIN

    def choose(self, keys: Keys, moves: WorthMoves) -> Numbers:
        """Return which of all moves the agent makes in each position; -1 where the game is over.

        Raises:
            MoveError: it gives something that is not a move in the position.
            ParameterError: it gives another move when it is asked again.
        """
        chosen = np.full(len(keys), -1, np.int64)
        open_ = np.flatnonzero(moves.many)
        if not len(open_):
            return chosen
        self.count += len(open_)
        first, many = moves.first[open_], moves.many[open_]
        which = self._asked(keys[open_], many)
        if self._again:
            self._ask_again(keys[open_], many, which)
        chosen[open_] = first + which
        return chosen

    def _asked(self, keys: Keys, many: Numbers) -> Numbers:
        if isinstance(self.agent, BatchAgent):
            return self._batch(keys, many)
        return self._each(keys)

    def _ask_again(self, keys: Keys, many: Numbers, which: Numbers) -> None:
        """See that an agent makes the same moves when it is asked about some positions again.

        Raises:
            ParameterError: it does not.
        """
        some = np.flatnonzero(many > 1)
        count = min(self._again, max(_LEAST_AGAIN, len(some) // _SHARE), len(some))
        if not count:
            return
        self._again -= count
        some = some[np.linspace(0, len(some) - 1, count).astype(np.int64)]
        once = which[some]
        if isinstance(self.agent, BatchAgent):
            # Rounding in a network may depend on how many positions it is given at once.
            once = self._asked(keys[some], many[some])
        again = self._asked(keys[some], many[some])
        if (once == again).all():
            return
        n = int(np.argmax(once != again))
        position = self.source.positions(keys[some[n : n + 1]])[0]
        moves = self.rules.moves(position)
        message = (
            f"the agent {self.name} plays {moves[once[n]]!r} at {position!r}, and "
            f"{moves[again[n]]!r} when asked again; let it make the same move each time, such as "
            "the one that it likes most, or draw it with a seed made of the position"
        )
        raise ParameterError(message)

    def _each(self, keys: Keys) -> Numbers:
        """Ask for one move after another."""
        which = np.empty(len(keys), np.int64)
        agent: Any = self.agent
        for n, position in enumerate(self.source.positions(keys)):
            try:
                move = agent(position)
            except Exception as error:
                error.add_note(f"the agent {self.name} was asked for its move at {position!r}")
                raise
            which[n] = self._find(position, move)
        return which

    def _batch(self, keys: Keys, many: Numbers) -> Numbers:
        """Ask for all moves at once."""
        agent: Any = self.agent
        rows = self.source.rows(keys)
        made = agent.batch(rows)
        if hasattr(made, "detach"):  # a tensor, wherever it is
            made = made.detach().cpu().numpy()
        if not hasattr(made, "__len__") or len(made) != len(keys):
            what = len(made) if hasattr(made, "__len__") else repr(made)
            message = (
                f"the agent {self.name} returned {what} for {len(keys):,} positions; let "
                "batch(positions) return one move for each"
            )
            raise MoveError(message)
        which = None
        if isinstance(made, np.ndarray) and made.dtype.kind in "iu":
            which = self._matched(keys, many, made.reshape(len(keys), -1).astype(np.int64))
        if which is None:
            listed = made.tolist() if isinstance(made, np.ndarray) else made
            pairs = zip(self.source.positions(keys), listed, strict=True)
            return np.array([self._find(*pair) for pair in pairs], np.int64)
        if (which < 0).any():
            n = int(np.argmin(which))
            move = made[n].tolist()
            self._find(self.source.positions(keys[n : n + 1])[0], _tupled(move))
        return which

    def _matched(self, keys: Keys, many: Numbers, made: Numbers) -> Numbers | None:
        """Return the number of each position's move whose numbers are given; None if it has none.

        It is -1 where no move has them.
        """
        which = np.full(len(keys), -1, np.int64)
        for n in range(int(many.max())):
            left = np.flatnonzero((which < 0) & (many > n))
            numbers = self.source.chosen(keys[left], np.full(len(left), n, np.int64))
            if numbers is None or numbers.shape[1] != made.shape[1]:
                return None
            which[left[(numbers == made[left]).all(axis=1)]] = n
        return which

    def _find(self, position: Any, move: Any) -> int:
        """Return the number of a move, given as the rules have it or by its name.

        Raises:
            MoveError: it is not a move in the position.
        """
        moves = self.rules.moves(position)
        for n, each in enumerate(moves):
            if _same(each, move):
                return n
        names = [self.rules.move_name(each) for each in moves]
        if isinstance(move, str) and move in names:
            return names.index(move)
        message = (
            f"the agent {self.name} plays {move!r} at {position!r}, which is not a move there; "
            f"let it choose one of {_listed(moves)}"
        )
        raise MoveError(message)


def _same(move: Any, given: Any) -> bool:
    """Whether an agent gives this move, perhaps as NumPy's numbers or as a list."""
    if isinstance(given, list | np.ndarray):
        given = _tupled(given.tolist() if isinstance(given, np.ndarray) else given)
    if isinstance(given, bool) and not isinstance(move, bool):
        return False
    return bool(move == given)


def _tupled(move: Any) -> Any:
    return tuple(map(_tupled, move)) if isinstance(move, list) else move


def _listed(moves: Sequence[Any]) -> str:
    listed = ", ".join(map(repr, moves[:_MOST_LISTED]))
    more = len(moves) - _MOST_LISTED
    return f"{listed} and {more:,} more" if more > 0 else listed


def _name_of(agent: Any) -> str:
    name: str = getattr(agent, "__name__", "") or type(agent).__name__
    return "agent" if name == "<lambda>" else name
