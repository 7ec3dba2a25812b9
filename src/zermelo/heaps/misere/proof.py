"""The proof of a misère quotient: a finite check that covers every sum of heaps.

A quotient assigns to each heap an element of a finite commutative monoid, and so to each sum of
heaps the product of its heaps' elements. Some elements are called lost. This gives the outcome of
every sum if (and only if), for all sums that are not over,

* no move leads from a sum with a lost element to another such sum, and
* some move leads from every other sum to one with a lost element,

and if a sum that is over has no lost element; the rest follows by induction over the length of
play. The first condition is about a heap, the result of a move in it, and the element of all other
heaps: a finite check. For the second, a sum is represented by its element and by the set of
elements that, added to the sum, give some move of the sum a lost result. Sums are extended heap by
heap until there is no new one. A sum with a smaller such set is the harder one; others with its
element are omitted.

This is the transition algebra of Plambeck and Siegel, "Misère quotients for impartial games", J.
Combin. Theory Ser. A 115 (2008), with sets of moves represented by these elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo.heaps.misere.sums import Heaps


@dataclass(frozen=True)
class Candidate:
    """A candidate for a misère quotient.

    Attributes:
        products: the product of each two elements, shape (order, order); 0 is neutral.
        lost: whether each element is lost for the player to move.
        elements: the element of each heap that has moves.
        images: for each such heap the elements of the results of its moves, each with one such
            move.
    """

    products: npt.NDArray[np.int64]
    lost: npt.NDArray[np.bool_]
    elements: Mapping[int, int]
    images: Mapping[int, Mapping[int, Heaps]]

    def element(self, heaps: Iterable[int]) -> int:
        """Return the element of a sum of heaps that have moves."""
        element = 0
        for heap in heaps:
            element = int(self.products[element, self.elements[heap]])
        return element

    def says_lost(self, heaps: Iterable[int]) -> bool:
        """Return whether a sum of heaps that have moves is lost according to this."""
        return bool(self.lost[self.element(heaps)])


@dataclass(frozen=True)
class Contradiction:
    """Two sums of heaps, or a sum and all its moves, whose claimed outcomes are impossible.

    Attributes:
        problem: a sentence on the contradiction.
        element: the element of the other heaps, in a sum with a move to another.
        heap: the heap that is changed; 0 if a sum has no winning move.
        left: the result of the move in it, or the sum without a winning move.
    """

    problem: str
    element: int
    heap: int
    left: Heaps


def images_of(
    moves: Iterable[Heaps], elements: Mapping[int, int], products: npt.NDArray[np.int64]
) -> dict[int, Heaps]:
    """Return the elements of the results of moves in a heap, each with one such move."""
    images: dict[int, Heaps] = {}
    for option in moves:
        element = 0
        for heap in option:
            element = int(products[element, elements[heap]])
        images.setdefault(element, option)
    return images


def contradiction(candidate: Candidate) -> Contradiction | None:
    """Return a contradiction in a candidate; None proves that all its outcomes are right."""
    if candidate.lost[0]:
        return Contradiction("a sum that is over is said to be lost", 0, 0, ())
    return _lost_to_lost(candidate) or _without_win(candidate)


def _lost_to_lost(candidate: Candidate) -> Contradiction | None:
    """Return a move from a lost element to a lost element."""
    products, lost = candidate.products, candidate.lost
    done = set()
    for heap, images in candidate.images.items():
        element = candidate.elements[heap]
        others = lost[products[element]]
        for image, option in images.items():
            if (element, image) in done:
                continue
            done.add((element, image))
            elements = np.flatnonzero(others & lost[products[image]])
            if len(elements):
                problem = f"a move in a heap of {heap} leads from a lost sum to a lost sum"
                return Contradiction(problem, int(elements[0]), heap, option)
    return None


def _without_win(candidate: Candidate) -> Contradiction | None:
    """Return a sum that is not lost according to a candidate, but has no move to a lost element."""
    products, lost = candidate.products, candidate.lost
    # Row e marks the elements whose product with e is lost.
    lost_rows = lost[products]
    heaps: dict[tuple[int, bytes], int] = {}
    for heap, images in candidate.images.items():
        helpers = np.zeros(len(products), np.bool_)
        for image in images:
            helpers |= lost_rows[image]
        heaps.setdefault((candidate.elements[heap], helpers.tobytes()), heap)
    kinds = [
        (element, np.frombuffer(helpers, np.bool_), heap)
        for (element, helpers), heap in heaps.items()
    ]
    hardest: dict[int, list[tuple[npt.NDArray[np.bool_], Heaps]]] = {}
    queue: list[tuple[int, npt.NDArray[np.bool_], Heaps]] = []

    def meet(element: int, helpers: npt.NDArray[np.bool_], heaps: Heaps) -> None:
        sums = hardest.setdefault(element, [])
        if any(not (other & ~helpers).any() for other, _ in sums):
            return
        sums[:] = [(other, other_heaps) for other, other_heaps in sums if (helpers & ~other).any()]
        sums.append((helpers, heaps))
        queue.append((element, helpers, heaps))

    for element, helpers, heap in kinds:
        meet(element, helpers, (heap,))
    while queue:
        element, helpers, total = queue.pop()
        if all(known_helpers is not helpers for known_helpers, _ in hardest[element]):
            continue  # a harder one has been found since
        if not lost[element] and not helpers[0]:
            problem = f"no move leads from {list(total)} to a lost sum"
            return Contradiction(problem, element, 0, total)
        for other_element, heap_helpers, heap in kinds:
            # With an element added to both, one part has a move to a lost sum if the product of the
            # element and the other part is a helper of the first part alone.
            joint = helpers[products[other_element]] | heap_helpers[products[element]]
            meet(int(products[element, other_element]), joint, (*total, heap))
    return None


def class_count(products: npt.NDArray[np.int64], lost: npt.NDArray[np.bool_]) -> int:
    """Return the number of classes of elements that differ beside some element."""
    return len(np.unique(lost[products], axis=0))
