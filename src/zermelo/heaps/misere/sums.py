"""Outcomes of sums of heaps under misère play, by search through all sums that can follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

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
    items = heaps  # an untyped caller may pass anything
    if isinstance(items, str | bytes) or not isinstance(items, Iterable):
        message = f"{heaps!r} is not a sum of heaps; give the heaps in a list, such as [5, 3]"
        raise ParameterError(message)
    return [tokens(heap) for heap in items]


class SumSearch:
    """A memoised search that determines whether sums of heaps are lost for the player to move.

    Sums are first simplified, in ways that change no outcome of any sum of which they are a part
    (Conway, On Numbers and Games, chapter 12):

    * two heaps with only a last move cancel;
    * one game is equivalent to another if it has all the options of the other, and from each of
      its further options a move leads to the other one. If the other one has no moves, the player
      to move in the first must also win.

    So a heap may be replaced by no heap, by a smaller one, or by a smaller one beside a heap of one
    move.
    """

    def __init__(self, options: Options, max_sums: int) -> None:
        """Store the moves.

        Args:
            options: the results of moves in each heap, omitting heaps without moves.
            max_sums: the most sums to cache.
        """
        self._options = options
        self._max_sums = max_sums
        self._memo: dict[Heaps, bool] = {}
        self._equivalents: dict[int, Heaps] = {}
        self._options_by_heap: dict[int, list[Heaps]] = {}
        self._one = 0
        self._answered_size = 0
        self._answer: Callable[[Heaps], bool] | None = None

    def admit(self, heap: int) -> None:
        """Prepare a heap for sums with it; smaller heaps come first."""
        results = {self._join((), option) for option in self._options[heap]}
        kinds = [(), (_ONE,), *((option,) for option in self._options_by_heap)]
        kinds += [(option, _ONE) for option in self._options_by_heap]
        for kind in kinds:
            if self._is_equivalent(results, kind):
                self._equivalents[heap] = kind
                if kind == (_ONE,) and not self._one:
                    self._one = heap
                return
        self._equivalents[heap] = (heap,)
        self._options_by_heap[heap] = sorted(results)

    def _is_equivalent(self, results: set[Heaps], kind: Heaps) -> bool:
        """Return whether a heap with these results of moves is equivalent to a simplified sum."""
        children = set(self._children(kind))
        if not children <= results:
            return False
        if not all(kind in self._children(result) for result in results - children):
            return False
        return bool(kind) or any(map(self._is_lost, results))

    def add_answers(self, largest: int, is_lost: Callable[[Heaps], bool]) -> None:
        """Store a function that answers for every sum of heaps of up to ``largest`` tokens."""
        self._answered_size = largest
        self._answer = is_lost
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
            reason = "play may last for too many moves to be searched"
            raise self._refusal(reason) from None

    def _is_lost(self, heaps: Heaps) -> bool:
        if not heaps:
            return False  # a player who cannot move wins
        if self._answer is not None and heaps[0] <= self._answered_size:
            if heaps[-1] != _ONE:
                return self._answer(heaps)
            if self._one <= self._answered_size:
                return self._answer((*heaps[:-1], self._one))
        answer = self._memo.get(heaps)
        if answer is None:
            answer = not any(map(self._is_lost, self._children(heaps)))
            if len(self._memo) >= self._max_sums:
                reason = f"more than {self._max_sums:,} sums are to be searched"
                raise self._refusal(reason, ", or allow more with max_sums=")
            self._memo[heaps] = answer
        return answer

    def _children(self, heaps: Heaps) -> Iterable[Heaps]:
        last = -1
        for index, heap in enumerate(heaps):
            if heap != last:
                others = heaps[:index] + heaps[index + 1 :]
                if heap == _ONE:
                    yield others
                else:
                    for option in self._options_by_heap[heap]:
                        yield _sum(others, option)
            last = heap

    def _join(self, heaps: Heaps, added: Iterable[int]) -> Heaps:
        """Return a simplified sum with further heaps, simplified."""
        for heap in added:
            heaps = _sum(heaps, self._equivalents[heap])
        return heaps

    def _refusal(self, reason: str, advice: str = "") -> BudgetError:
        message = f"the misère quotient is not found, as {reason}; ask for smaller heaps{advice}"
        return BudgetError(message, len(self._memo) + 1, self._max_sums)


def _sum(heaps: Heaps, added: Heaps) -> Heaps:
    """Return the sum of two simplified sums: the largest heap first, and that of one move last."""
    has_one = (heaps[-1:] == (_ONE,)) != (added[-1:] == (_ONE,))
    large_heaps = sorted(filter(None, heaps + added), reverse=True)
    return (*large_heaps, _ONE) if has_one else tuple(large_heaps)
