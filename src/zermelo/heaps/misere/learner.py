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

    def __init__(self, options: Options, search: SumSearch, most: int) -> None:
        """Store the moves and the search.

        Args:
            options: the results of moves in each heap, omitting heaps without moves.
            search: determines which sums are lost.
            most: the most elements.
        """
        self._options = options
        self._search = search
        self._most = most
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
            found = self._check_guess(guess)
            if isinstance(found, Candidate):
                self._sums = guess.sums
                return found
            self._tests.append(self._new_test(guess, found))

    def likely_element(self, heap: int) -> int | None:
        """Return the learned element with the row of a new heap, or None without one."""
        row = self._row((heap,))
        return next((n for n, heaps in enumerate(self._sums) if self._row(heaps) == row), None)

    def _row(self, heaps: Heaps) -> tuple[bool, ...]:
        key = tuple(sorted(heaps))
        row = self._rows.get(key, ())
        more = self._tests[len(row) :]
        if more:
            row = self._rows[key] = row + tuple(self._search.is_lost(heaps + t) for t in more)
        return row

    def _guess(self, heaps: Sequence[int]) -> Guess:
        """Return the elements that the tests distinguish, each given by the least of its sums."""
        waiting: list[tuple[int, Heaps]] = [(0, ())]
        known: dict[tuple[bool, ...], int] = {}
        sums: list[Heaps] = []
        while waiting:
            tokens, here = heapq.heappop(waiting)
            row = self._row(here)
            if row in known:
                continue
            known[row] = len(sums)
            sums.append(here)
            if len(sums) > self._most:
                message = (
                    f"the misère quotient of heaps of up to {heaps[-1]} has more than "
                    f"{self._most:,} elements; ask for smaller heaps, or allow more with "
                    "max_elements="
                )
                raise BudgetError(message, len(sums), self._most)
            for heap in heaps:
                # The new heap comes last: the heaps before it are the sum of an element, too.
                heapq.heappush(waiting, (tokens + heap, (*here, heap)))
        steps = [{heap: known[self._row((*s, heap))] for heap in heaps} for s in sums]
        return Guess(heaps, sums, steps, [self._search.is_lost(s) for s in sums])

    def _check_guess(self, guess: Guess) -> Candidate | Heaps:
        """Return the candidate of a guess, or a sum that shows the guess to be wrong."""
        wrong = self._order_conflict(guess)
        if wrong is not None:
            return wrong
        order = len(guess.sums)
        products = np.array(
            [[guess.run(guess.sums[b], a) for b in range(order)] for a in range(order)], np.int64
        )
        elements = {heap: guess.steps[0][heap] for heap in guess.heaps}
        lost = np.array(guess.lost, np.bool_)
        images = {h: images_of(self._options[h], elements, products) for h in guess.heaps}
        candidate = Candidate(products, lost, elements, images)
        against = contradiction(candidate)
        if against is None:
            return candidate
        sums: list[Heaps]
        if against.heap:
            beside = guess.sums[against.element]
            sums = [(*beside, against.heap), beside + against.left]
        else:
            here = against.left
            sums = [here]
            for place, heap in enumerate(here):
                rest = here[:place] + here[place + 1 :]
                sums += [rest + left for left in self._options[heap]]
        return next(s for s in sums if self._is_wrong(guess, s))

    def _order_conflict(self, guess: Guess) -> Heaps | None:
        """Return a sum on which a guess is wrong, as its element depends on the order of heaps."""
        for element, step in enumerate(guess.steps):
            for place, one in enumerate(guess.heaps):
                for other in guess.heaps[:place]:
                    ends = guess.steps[step[one]][other], guess.steps[step[other]][one]
                    if ends[0] == ends[1]:
                        continue
                    rows = [self._row(guess.sums[end]) for end in ends]
                    at = next(i for i, (a, b) in enumerate(zip(*rows, strict=True)) if a != b)
                    here, test = guess.sums[element], self._tests[at]
                    sums = (
                        (*here, one, other, *test),
                        (*here, other, one, *test),
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
        element, before = 0, self._search.is_lost(heaps)
        for place, heap in enumerate(heaps):
            element = guess.steps[element][heap]
            rest = heaps[place + 1 :]
            if self._search.is_lost(guess.sums[element] + rest) != before:
                return rest
        raise AssertionError(heaps)
