"""Search for a misère quotient by learning from outcomes of sums, until the proof succeeds.

Elements are sums of heaps that differ beside some other sum. As in Angluin's method of learning a
finite automaton (Information and Computation 75, 1987), there is a row of answers for each sum:
whether it is lost beside each of a few test sums. Sums with equal rows are assumed to be one
element. If the proof finds a contradiction, there is a sum with a wrongly guessed outcome, and a
wrong guess gives one more test (Rivest and Schapire 1993). So each round has more elements, and the
last is right.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.errors import BudgetError
from zermelo.heaps.misere.proof import Candidate, contradiction, images_of
from zermelo.heaps.misere.sums import Heaps, Options, SumSearch


@dataclass(frozen=True)
class Guess:
    """A guess of the elements.

    Attributes:
        heaps: the heaps that have moves, in order.
        sums: a sum of heaps for each element, the smallest first; the first is empty.
        steps: for each element, the element that results from the addition of each heap.
        lost: whether each element is lost.
    """

    heaps: Sequence[int]
    sums: list[Heaps]
    steps: list[dict[int, int]]
    lost: list[bool]

    def run(self, heaps: Iterable[int], element: int = 0) -> int:
        """Return the element of a sum of heaps, added to an element in this order."""
        for heap in heaps:
            element = self.steps[element][heap]
        return element


class Learner:
    """A learner of the quotients of a heap game, heap by heap."""

    def __init__(self, options: Options, search: SumSearch, max_elements: int) -> None:
        """Store the moves and the search.

        Args:
            options: the results of moves in each heap, omitting heaps without moves.
            search: determines which sums are lost.
            max_elements: the most elements.
        """
        self._options = options
        self._search = search
        self._max_elements = max_elements
        self._tests: list[Heaps] = [()]
        self._rows: dict[Heaps, tuple[bool, ...]] = {}
        self._sums: list[Heaps] = []

    def learn(self, heaps: Sequence[int]) -> Candidate:
        """Return the quotient of all sums of these heaps, proved.

        Args:
            heaps: the heaps with moves; for each heap also all that moves leave of it.

        Raises:
            BudgetError: it has too many elements, or the search for outcomes is too large.
        """
        self._rows.clear()
        while True:
            guess = self._guess(heaps)
            result = self._check_guess(guess)
            if isinstance(result, Candidate):
                self._sums = guess.sums
                return result
            self._tests.append(self._new_test(guess, result))

    def likely_element(self, heap: int) -> int | None:
        """Return the learned element with the row of a new heap, or None without one."""
        row = self._row((heap,))
        return next((n for n, heaps in enumerate(self._sums) if self._row(heaps) == row), None)

    def _row(self, heaps: Heaps) -> tuple[bool, ...]:
        key = tuple(sorted(heaps))
        row = self._rows.get(key, ())
        new_tests = self._tests[len(row) :]
        if new_tests:
            row = self._rows[key] = row + tuple(self._search.is_lost(heaps + t) for t in new_tests)
        return row

    def _guess(self, heaps: Sequence[int]) -> Guess:
        """Return the elements that the tests distinguish, each given by the least of its sums."""
        queue: list[tuple[int, Heaps]] = [(0, ())]
        element_of_row: dict[tuple[bool, ...], int] = {}
        sums: list[Heaps] = []
        while queue:
            tokens, total = heapq.heappop(queue)
            row = self._row(total)
            if row in element_of_row:
                continue
            element_of_row[row] = len(sums)
            sums.append(total)
            if len(sums) > self._max_elements:
                message = (
                    f"the misère quotient of heaps of up to {heaps[-1]} has more than "
                    f"{self._max_elements:,} elements; ask for smaller heaps, or allow more with "
                    "max_elements="
                )
                raise BudgetError(message, len(sums), self._max_elements)
            for heap in heaps:
                # The new heap comes last: the heaps before it are the sum of an element, too.
                heapq.heappush(queue, (tokens + heap, (*total, heap)))
        steps = [{heap: element_of_row[self._row((*s, heap))] for heap in heaps} for s in sums]
        return Guess(heaps, sums, steps, [self._search.is_lost(s) for s in sums])

    def _check_guess(self, guess: Guess) -> Candidate | Heaps:
        """Return the candidate of a guess, or a sum that shows the guess to be wrong."""
        wrong_sum = self._order_conflict(guess)
        if wrong_sum is not None:
            return wrong_sum
        order = len(guess.sums)
        products = np.array(
            [[guess.run(guess.sums[b], a) for b in range(order)] for a in range(order)], np.int64
        )
        elements = {heap: guess.steps[0][heap] for heap in guess.heaps}
        lost = np.array(guess.lost, np.bool_)
        images = {h: images_of(self._options[h], elements, products) for h in guess.heaps}
        candidate = Candidate(products, lost, elements, images)
        fault = contradiction(candidate)
        if fault is None:
            return candidate
        sums: list[Heaps]
        if fault.heap:
            others = guess.sums[fault.element]
            sums = [(*others, fault.heap), others + fault.left]
        else:
            total = fault.left
            sums = [total]
            for place, heap in enumerate(total):
                others = total[:place] + total[place + 1 :]
                sums += [others + option for option in self._options[heap]]
        return next(s for s in sums if self._is_wrong(guess, s))

    def _order_conflict(self, guess: Guess) -> Heaps | None:
        """Return a sum on which a guess is wrong, as its element depends on the order of heaps."""
        for element, step in enumerate(guess.steps):
            for place, first in enumerate(guess.heaps):
                for second in guess.heaps[:place]:
                    ends = guess.steps[step[first]][second], guess.steps[step[second]][first]
                    if ends[0] == ends[1]:
                        continue
                    rows = [self._row(guess.sums[end]) for end in ends]
                    column = next(i for i, (a, b) in enumerate(zip(*rows, strict=True)) if a != b)
                    total, test = guess.sums[element], self._tests[column]
                    sums = (
                        (*total, first, second, *test),
                        (*total, second, first, *test),
                        guess.sums[ends[0]] + test,
                        guess.sums[ends[1]] + test,
                    )
                    return next(s for s in sums if self._is_wrong(guess, s))
        return None

    def _is_wrong(self, guess: Guess, heaps: Heaps) -> bool:
        return guess.lost[guess.run(heaps)] != self._search.is_lost(heaps)

    def _new_test(self, guess: Guess, heaps: Heaps) -> Heaps:
        """Return a new test from a sum with a wrongly guessed outcome.

        Heap by heap, the sum so far is replaced by that of its element. At one heap the outcome
        changes: the heaps that follow distinguish two sums that were assumed to be one element.
        """
        element, outcome = 0, self._search.is_lost(heaps)
        for place, heap in enumerate(heaps):
            element = guess.steps[element][heap]
            suffix = heaps[place + 1 :]
            if self._search.is_lost(guess.sums[element] + suffix) != outcome:
                return suffix
        raise AssertionError(heaps)
