"""Misère quotients of heap games, which give the outcomes of sums under misère play."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError
from zermelo.heaps.game import HeapGame, tokens
from zermelo.heaps.misere.monoid import Monoid, generator_name, name_elements
from zermelo.heaps.misere.proof import Candidate, class_count, contradiction, images_of
from zermelo.heaps.misere.quotient_search import options_of, quotient_of
from zermelo.heaps.misere.sums import heap_sizes
from zermelo.values.outcomes import LOSS, WIN, Outcome

#: The most heaps or relations that are written; the rest are only counted.
_MOST_WRITTEN = 60


@dataclass(frozen=True)
class MiserePeriod:
    """A period: from some heap on, each has the element of a smaller one.

    Attributes:
        period: the difference in tokens.
        preperiod: the first heap that repeats: a heap of ``preperiod + period`` tokens has the
            element of one of ``preperiod``, and so on for all larger heaps.
    """

    period: int
    preperiod: int


@dataclass(frozen=True)
class MisereCheck:
    """The result of the proof of a misère quotient; true if the quotient is right.

    Attributes:
        ok: whether it is right.
        problem: a sentence on the first fault, or None.
        seconds: its wall-clock seconds.
    """

    ok: bool
    problem: str | None
    seconds: float

    def __bool__(self) -> bool:
        """Return whether the quotient is right."""
        return self.ok


@dataclass(frozen=True, eq=False)
class MisereQuotient:
    """The misère quotient of a heap game: an element for each sum of heaps, and the lost elements.

    Two sums have the same element if and only if they have the same outcome beside every sum of
    heaps of the game (of up to ``heaps`` tokens). So outcomes of sums follow from the elements of
    heaps, as those of normal play follow from nimbers. (Plambeck 2005; Plambeck and Siegel 2008.)

    Attributes:
        game: the game.
        heaps: the tokens of the largest heap.
        elements: the elements of the monoid, each as the least product of generators that equals
            it.
        generators: the letters, each with the smallest heap that has this element.
        relations: equations between products of generators, from which all others follow.
        products: for each two elements, by number, the element of the sum; 0 is neutral.
        lost: the elements of sums that the player to move loses, by number.
        pretending: the element of each heap, by number, from heap 0 on: the pretending function.
    """

    game: HeapGame
    heaps: int
    elements: tuple[str, ...]
    generators: dict[str, int]
    relations: tuple[tuple[str, str], ...]
    products: npt.NDArray[np.int64]
    lost: tuple[int, ...]
    pretending: tuple[int, ...]

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.elements)

    def __len__(self) -> int:
        """Return the number of elements."""
        return self.order

    # -- sums of heaps ----------------------------------------------------------------------------

    def element(self, heaps: int | Iterable[int]) -> str:
        """Return the element of a sum of heaps.

        Args:
            heaps: the tokens of the heap, or of each heap.

        Raises:
            ParameterError: a heap is larger than ``self.heaps``, and there is no ``period``.
        """
        return self.elements[self._number(heaps)]

    def outcome(self, heaps: int | Iterable[int]) -> Outcome:
        """Return WIN or LOSS, for the player to move in a sum of heaps.

        Args:
            heaps: the tokens of the heap, or of each heap.

        Raises:
            ParameterError: a heap is larger than ``self.heaps``, and there is no ``period``.
        """
        return LOSS if self._number(heaps) in self._lost else WIN

    def winning_moves(self, heaps: int | Iterable[int]) -> list[tuple[int, tuple[int, ...]]]:
        """Return every winning move in a sum of heaps.

        Args:
            heaps: the tokens of the heap, or of each heap.

        Returns:
            For each move the heap that it changes, and the resulting heaps. The list is empty if
            the player to move loses, and if the game is over, which the player to move has won.

        Raises:
            ParameterError: a heap is larger than ``self.heaps``, and there is no ``period``.
        """
        sizes = heap_sizes(heaps)
        moves: list[tuple[int, tuple[int, ...]]] = []
        for heap in sorted(set(sizes), reverse=True):
            others = list(sizes)
            others.remove(heap)
            others_element = self._number(others)
            moves += [
                (heap, option)
                for option in self.game.options(heap)
                if int(self.products[others_element, self._number(option)]) in self._lost
            ]
        return moves

    @cached_property
    def _lost(self) -> frozenset[int]:
        return frozenset(self.lost)

    def _number(self, heaps: int | Iterable[int]) -> int:
        element = 0
        for heap in heap_sizes(heaps):
            element = int(self.products[element, self.pretending[self._equivalent_heap(heap)]])
        return element

    def _equivalent_heap(self, heap: int) -> int:
        """Return a heap of the quotient that has the same element."""
        if heap <= self.heaps:
            return heap
        period = self.period()
        if period is None:
            message = (
                f"a heap of {heap:,} is larger than the {self.heaps:,} of this quotient; find it "
                f"with zermelo.heaps.misere_quotient({self.game!r}, {heap})"
            )
            raise ParameterError(message)
        return period.preperiod + (heap - period.preperiod) % period.period

    # -- period -----------------------------------------------------------------------------------

    def period(self) -> MiserePeriod | None:
        """Return the proved period of the pretending function, or None if none is proved.

        Suppose that moves take up to t tokens and leave up to k heaps. If the elements of all heaps
        from n on repeat with period p, up to heaps of k(n + p) + t, they do so for ever: each move
        in a larger heap leaves a heap of more than n + p, which may be replaced by one p smaller,
        so the move has the same result as one in the heap that is p smaller. The quotient is then
        that of all heaps. (Plambeck and Siegel 2008, for k = 2.)
        """
        return self._period

    @cached_property
    def _period(self) -> MiserePeriod | None:
        code = self.game.code
        if code.rest or code.unequal:  # the theorem does not hold for these
            return None
        parts = max(1, code.most)
        for length in range(1, self.heaps + 1):
            start = self.heaps - length
            while start > 1 and self.pretending[start - 1] == self.pretending[start - 1 + length]:
                start -= 1
            start = max(start, 1)
            if parts * (start + length) + code.last <= self.heaps:
                return MiserePeriod(length, start)
        return None

    # -- proof ------------------------------------------------------------------------------------

    def verify(self) -> MisereCheck:
        """Check the quotient, independently of the search that found it.

        It is checked that elements and products are a commutative monoid; that by the rules of the
        game no move leads from a lost element to a lost element, and from each other sum that is
        not over some move does; and that every two elements differ beside a third one. The second
        is a finite check of all sums (see "Misère play" in the documentation).
        """
        began = time.perf_counter()
        problem = self._problem()
        return MisereCheck(problem is None, problem, time.perf_counter() - began)

    def _problem(self) -> str | None:
        products, order = self.products, self.order
        numbers = np.arange(order)
        if products.shape != (order, order) or len(self.pretending) != self.heaps + 1:
            return "the table of products or the pretending function has another size"
        inside = (products >= 0).all() and (products < order).all()
        heaps = [number for number in self.pretending if 0 <= number < order]
        if not inside or len(heaps) != len(self.pretending):
            return "some number does not stand for an element"
        if (products != products.T).any() or (products[0] != numbers).any():
            return "the monoid is not commutative, or element 0 is not neutral"
        for element in set(self.pretending):
            # Light's test: it is enough to check elements that generate all others.
            if (products[products[:, element]] != products[:, products[element]]).any():
                return f"the monoid is not associative at {self.elements[element]}"
        if len(_generated_elements(products, set(self.pretending))) != order:
            return "some element is that of no sum of heaps"
        options = options_of(self.game, self.heaps)
        elements = {heap: self.pretending[heap] for heap, moves in options.items() if moves}
        if any(self.pretending[heap] for heap in range(self.heaps + 1) if heap not in elements):
            return "a heap without moves has an element other than 1"
        lost = np.isin(numbers, self.lost)
        images = {heap: images_of(options[heap], elements, products) for heap in elements}
        against = contradiction(Candidate(products, lost, elements, images))
        if against is not None:
            return against.problem
        if class_count(products, lost) != order:
            return "two elements have the same outcome beside every sum"
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the contents in JSON's types, with elements by their names."""
        period = self.period()
        return {
            "game": repr(self.game),
            "heaps": self.heaps,
            "order": self.order,
            "elements": list(self.elements),
            "lost": [self.elements[n] for n in self.lost],
            "generators": dict(self.generators),
            "relations": [list(relation) for relation in self.relations],
            "pretending": [self.elements[n] for n in self.pretending],
            "period": None if period is None else asdict(period),
        }

    # -- words ------------------------------------------------------------------------------------

    @property
    def presentation(self) -> str:
        """The monoid by generators and relations, such as ``<a | a^2 = 1>``."""
        equations = [f"{left_side} = {right_side}" for left_side, right_side in self.relations]
        return f"<{', '.join(self.generators)} | {', '.join(equations)}>"

    def __repr__(self) -> str:
        """Return a short description."""
        return (
            f"<misère quotient of {self.game!r} to heaps of {self.heaps:,}: {self.order:,} "
            f"element{'' if self.order == 1 else 's'}, {len(self.lost):,} lost>"
        )

    def _repr_html_(self) -> str:
        """Return the quotient as a table, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.misere_quotient(self)

    def __str__(self) -> str:
        """Return the presentation, the lost elements, and the element of each heap."""
        listed_elements = self.pretending[1 : _MOST_WRITTEN + 1]
        ending = (
            [f"and {self.heaps - len(listed_elements):,} more"]
            if len(listed_elements) < self.heaps
            else []
        )
        rows = [
            f"{self.game.title}, heaps of up to {self.heaps:,} tokens",
            f"elements  {self.order:,}: {' '.join(self.elements)}",
            f"lost      {len(self.lost):,}: {' '.join(self.elements[n] for n in self.lost)}",
            f"monoid    {self.presentation}",
            f"heaps     {' '.join([self.elements[n] for n in listed_elements] + ending)}",
        ]
        period = self.period()
        if period is not None:
            first = f"{period.preperiod} on"
            rows.append(f"period    {period.period:,} from a heap of {first}, for all heaps")
        return "\n".join(rows)


def _generated_elements(products: npt.NDArray[np.int64], generators: set[int]) -> set[int]:
    """Return the elements that are products of some elements."""
    products_made, queue = {0}, [0]
    while queue:
        for element in products[queue.pop(), list(generators)].tolist():
            if element not in products_made:
                products_made.add(element)
                queue.append(element)
    return products_made


def misere_quotient(
    game: HeapGame, largest: int, *, max_elements: int = 1000, max_sums: int = 2_000_000
) -> MisereQuotient:
    """Return the misère quotient of a heap game, proved for all sums of heaps up to some size.

    It is found heap by heap: elements are sums that differ beside some other sum, learned from
    outcomes that a search finds, until a finite check proves that no outcome is wrong.

    Args:
        game: the game, such as ``TakeAndBreak("0.123")``.
        largest: the size of the largest heap.
        max_elements: the most elements; a quotient may be infinite.
        max_sums: the most sums that one search may cache, about 200 bytes each.

    Raises:
        ParameterError: an argument is invalid.
        BudgetError: there are more elements than ``max_elements``, or more sums to search
            than ``max_sums``.
    """
    if not isinstance(game, HeapGame):
        hint = f"TakeAndBreak({game!r})" if isinstance(game, str) else "one such as KAYLES"
        message = f"{game!r} is not a heap game; give {hint}"
        raise ParameterError(message)
    heap_limit = tokens(largest)
    for name, limit in (("max_elements", max_elements), ("max_sums", max_sums)):
        untyped: Any = limit
        if isinstance(untyped, bool) or not isinstance(untyped, int) or untyped < 1:
            message = f"{name} must be a whole number of at least 1, not {limit!r}"
            raise ParameterError(message)
    candidate = quotient_of(options_of(game, heap_limit), max_elements, max_sums)
    if candidate is None:
        monoid = Monoid(np.zeros((1, 1), np.int64), (), ("1",), (), np.zeros(1, np.int64))
        return MisereQuotient(
            game, heap_limit, ("1",), {}, (), monoid.products, (), (0,) * (heap_limit + 1)
        )
    monoid = name_elements(candidate.products, list(candidate.elements.values()))
    pretending = [0] * (heap_limit + 1)
    for heap, element in candidate.elements.items():
        pretending[heap] = int(monoid.order[element])
    lost = sorted(int(monoid.order[n]) for n in np.flatnonzero(candidate.lost))
    return MisereQuotient(
        game,
        heap_limit,
        monoid.names,
        {
            generator_name(n): pretending.index(generator)
            for n, generator in enumerate(monoid.generators)
        },
        monoid.relations,
        monoid.products,
        tuple(lost),
        tuple(pretending),
    )
