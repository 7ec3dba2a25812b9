"""A solved pursuit as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo.errors import ParameterError
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.pursuits.definition import PursuitDefinition

#: The winner by the sign of a mark: 0 nobody, 1 the evader, and last -1 the pursuers.
_WINNERS = np.array([NOBODY, 0, 1], np.int8)


class PursuitArrays:
    """A solved pursuit as arrays: one axis for the evader's node and one for each pursuer's.

    ``solution.arrays`` of a pursuit. A turn is 0 if the evader moves next, 1 if the pursuers do; if
    they move one after another, 1 is the first pursuer's turn, 2 and 3 are the others'.

    Attributes:
        nodes: nodes of the graph.
        pursuers: the number of pursuers.
        turns: the number of turns: 2 if all pursuers move together.
        forbidden: whether each node is one that no pursuer may enter; nobody wins at a position
            with a pursuer on one, as it does not exist.
        rounds: plies of the longest pursuit that is decided.
    """

    def __init__(
        self, definition: PursuitDefinition, marks: Callable[[int], npt.NDArray[Any]], rounds: int
    ) -> None:
        """Store a solved pursuit; arrays are created when they are requested.

        Args:
            definition: the pursuit.
            marks: returns the marks of a turn.
            rounds: plies of the longest pursuit that is decided.
        """
        self._marks = marks
        self.nodes = definition.nodes
        self.pursuers = definition.pursuers
        self.turns = definition.turns
        self.forbidden = definition.forbidden
        self.rounds = rounds
        self._endless = definition.endless

    def winner(self, turn: int = 0) -> npt.NDArray[np.int8]:
        """Return the winner from every position: 0 the evader, 1 the pursuers, NOBODY (-1) neither.

        If endless play is a win, nobody wins only at positions that do not exist.

        Args:
            turn: the turn; see the class.

        Raises:
            ParameterError: there is no such turn.
        """
        signs: npt.NDArray[np.int8] = np.sign(self._marks_by_evader(turn)).astype(np.int8)
        signs = signs if turn == 0 else -signs
        if self._endless != NOBODY:
            free = ~self.forbidden
            exists = np.ones((self.nodes,) * (1 + self.pursuers), np.bool_)
            for axis in range(1, 1 + self.pursuers):
                exists &= np.expand_dims(free, [i for i in range(exists.ndim) if i != axis])
            signs[exists & (signs == 0)] = 1 - 2 * self._endless
        return _WINNERS[signs]

    def remoteness(self, turn: int = 0) -> npt.NDArray[np.int32]:
        """Return the remoteness of every position in plies, -1 for an endless draw.

        Args:
            turn: the turn; see the class.

        Raises:
            ParameterError: there is no such turn.
        """
        return np.abs(self._marks_by_evader(turn).astype(np.int32)) - 1

    def _marks_by_evader(self, turn: int) -> IntArray:
        """Return the marks of a turn with the evader's axis first."""
        if not 0 <= turn < self.turns:
            message = f"turn={turn!r} is not a turn of this pursuit; use 0 to {self.turns - 1}"
            raise ParameterError(message)
        marks = self._marks(turn).reshape((self.nodes,) * (1 + self.pursuers))
        return marks if turn == 0 else np.moveaxis(marks, -1, 0)
