"""A solution that caches the moves of positions, for explanations of all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.solution.solution import Solution

if TYPE_CHECKING:
    from zermelo.values.results import Options

#: The most moves that are cached; those of further positions are computed each time.
_MOST = 200_000


class CachedMovesSolution(Solution):
    """The same solution, which computes the moves of a position only once.

    To explain every position takes the moves of each some ten times, as a line of best play and the
    answers to its replies lead through it. The values have to be known: a proof, which may learn
    more of them, does not use the cache.
    """

    def __init__(self, solution: Solution) -> None:
        """Store the contents of another solution."""
        vars(self).update(vars(solution))
        self._moves: dict[Any, Options] = {}
        self._cached_count = 0

    def options(self, position: Any = None) -> Options:
        """Return every move in a position, best first; see ``Solution``."""
        position = self._known_position(position)
        cached = self._moves.get(position)
        if cached is not None:
            return cached
        options = super().options(position)
        if self._cached_count < _MOST and not self.kind.partial:
            self._moves[position] = options
            self._cached_count += len(options)
        return options

    def _known_position(self, position: Any) -> Any:
        try:
            cached = self._moves.get(position)
        except TypeError:  # for example a list; the error says so
            cached = None
        return super()._known_position(position) if cached is None else cached.position
