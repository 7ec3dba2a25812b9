"""A solution that remembers what there is to do in a position, for whoever asks about them all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.solution.solution import Solution

if TYPE_CHECKING:
    from zermelo.values.results import Options

#: The most moves that are remembered; after that, those of further positions are found each time.
_MOST = 200_000


class CachedMovesSolution(Solution):
    """The same solution, which works out the moves of a position only once.

    To explain every position is to ask for the moves of each some ten times, as a line of best play
    and the answers to its replies lead through it. Values have to be known: a proof, which may
    learn more of them, is asked itself.
    """

    def __init__(self, solution: Solution) -> None:
        """Answer from what another solution answers from."""
        vars(self).update(vars(solution))
        self._moves: dict[Any, Options] = {}
        self._remembered = 0

    def options(self, position: Any = None) -> Options:
        """Return every move in a position, best first; see ``Solution``."""
        position = self._checked(position)
        known = self._moves.get(position)
        if known is not None:
            return known
        found = super().options(position)
        if self._remembered < _MOST and not self.kind.partial:
            self._moves[position] = found
            self._remembered += len(found)
        return found

    def _checked(self, position: Any) -> Any:
        try:
            known = self._moves.get(position)
        except TypeError:  # a list, say, of which the error tells
            known = None
        return super()._checked(position) if known is None else known.position
