"""Outcomes of sums of heaps under misère play, by search through all that can follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from zermelo.errors import BudgetError, ParameterError
from zermelo.heaps.game import tokens

#: The sizes of heaps, and the results of moves in each heap.
Heaps: TypeAlias = tuple[int, ...]
Options: TypeAlias = Mapping[int, Sequence[Heaps]]

#: A heap with one move, which ends it. Two of them cancel.
_ONE = 0


def heap_sizes(heaps: int | Iterable[int]) -> list[int]:
    """Return the tokens of each heap of a sum; a number stands for one heap.

    Raises:
        ParameterError: these are not heaps.
    """
    if isinstance(heaps, int) and not isinstance(heaps, bool):
        return [tokens(heaps)]
    given: Any = heaps  # an untyped caller may pass anything
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        message = f"{heaps!r} is not a sum of heaps; give the heaps in a list, such as [5, 3]"
        raise ParameterError(message)
    return [tokens(heap) for heap in given]


class SumSearch:
    """A memoised search that determines whether sums of heaps are lost for the player to move.

    Sums are first simplified, in ways that change no outcome of any sum of which they are a part
    (Conway, On Numbers and Games, chapter 12):

    * two heaps with only a last move cancel;
    * one game is equivalent to another if it has all the options of the other, and from each of
      its further options a move leads to the other one. If the other one has no moves, the player
      to move in the first must also win.

    So a heap may be replaced by nothing, by a smaller one, or by a smaller one beside a heap of one
    move.
    """

    def __init__(self, options: Options, most: int) -> None:
        """Store the moves.

        Args:
            options: the results of moves in each heap, omitting heaps without moves.
            most: the most sums to cache.
        """
        self._options = options
        self._most = most
        self._memo: dict[Heaps, bool] = {}
        self._as: dict[int, Heaps] = {}
        self._left: dict[int, list[Heaps]] = {}
        self._one = 0
        self._solved = 0
        self._known: Callable[[Heaps], bool] | None = None

    def admit(self, heap: int) -> None:
        """Prepare a heap for sums with it; smaller heaps come first."""
        left = {self._join((), each) for each in self._options[heap]}
        kinds = [(), (_ONE,), *((each,) for each in self._left)]
        kinds += [(each, _ONE) for each in self._left]
        for kind in kinds:
            if self._is_equivalent(left, kind):
                self._as[heap] = kind
                if kind == (_ONE,) and not self._one:
                    self._one = heap
                return
        self._as[heap] = (heap,)
        self._left[heap] = sorted(left)

    def _is_equivalent(self, left: set[Heaps], kind: Heaps) -> bool:
        """Return whether a heap with these results of moves is equivalent to a simplified sum."""
        its_own = set(self._children(kind))
        if not its_own <= left:
            return False
        if not all(kind in self._children(each) for each in left - its_own):
            return False
        return bool(kind) or any(map(self._is_lost, left))

    def add_answers(self, most: int, lost: Callable[[Heaps], bool]) -> None:
        """Store a function that answers for every sum of heaps of up to ``most`` tokens."""
        self._solved = most
        self._known = lost
        self._memo.clear()

    def is_lost(self, heaps: Iterable[int]) -> bool:
        """Return whether the player to move in a sum of heaps loses.

        Raises:
            BudgetError: there are too many sums to cache, or a line of moves is too long.
        """
        try:
            return self._is_lost(self._join((), heaps))
        except RecursionError:
            self._memo.clear()
            why = "play may last for too many moves to be searched"
            raise self._refusal(why) from None

    def _is_lost(self, heaps: Heaps) -> bool:
        if not heaps:
            return False  # a player who cannot move wins
        if self._known is not None and heaps[0] <= self._solved:
            if heaps[-1] != _ONE:
                return self._known(heaps)
            if self._one <= self._solved:
                return self._known((*heaps[:-1], self._one))
        found = self._memo.get(heaps)
        if found is None:
            found = not any(map(self._is_lost, self._children(heaps)))
            if len(self._memo) >= self._most:
                why = f"more than {self._most:,} sums are to be searched"
                raise self._refusal(why, ", or allow more with max_sums=")
            self._memo[heaps] = found
        return found

    def _children(self, heaps: Heaps) -> Iterable[Heaps]:
        before = -1
        for place, heap in enumerate(heaps):
            if heap != before:
                rest = heaps[:place] + heaps[place + 1 :]
                if heap == _ONE:
                    yield rest
                else:
                    for left in self._left[heap]:
                        yield _sum(rest, left)
            before = heap

    def _join(self, heaps: Heaps, more: Iterable[int]) -> Heaps:
        """Return a simplified sum with further heaps, simplified."""
        for heap in more:
            heaps = _sum(heaps, self._as[heap])
        return heaps

    def _refusal(self, why: str, more: str = "") -> BudgetError:
        message = f"the misère quotient is not found, as {why}; ask for smaller heaps{more}"
        return BudgetError(message, len(self._memo) + 1, self._most)


def _sum(heaps: Heaps, more: Heaps) -> Heaps:
    """Return the sum of two simplified sums: the largest heap first, and that of one move last."""
    ones = (heaps[-1:] == (_ONE,)) != (more[-1:] == (_ONE,))
    rest = sorted(filter(None, heaps + more), reverse=True)
    return (*rest, _ONE) if ones else tuple(rest)
