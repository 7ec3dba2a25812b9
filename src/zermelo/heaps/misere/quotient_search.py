"""Search for the quotient of heaps up to some size, heap by heap."""

from __future__ import annotations

from dataclasses import replace

from zermelo.heaps.game import HeapGame
from zermelo.heaps.misere.learner import Learner
from zermelo.heaps.misere.proof import Candidate, contradiction, images_of
from zermelo.heaps.misere.sums import Heaps, Options, SumSearch


def options_of(game: HeapGame, to: int) -> dict[int, list[Heaps]]:
    """Return the results of moves in each heap to ``to`` tokens, except heaps without moves."""
    found: dict[int, list[Heaps]] = {}
    for heap in range(1, to + 1):
        moves = {tuple(each for each in left if found[each]) for left in game.options(heap)}
        found[heap] = sorted(moves)
    return found


def quotient_of(options: Options, elements: int, sums: int) -> Candidate | None:
    """Return the misère quotient of all sums of heaps, proved; None if no heap has moves.

    A heap whose moves lead to the same elements as those of a smaller heap has its element. Any
    other heap has the element with the same row of outcomes, if the proof agrees; if not, there are
    new elements.

    Args:
        options: the results of moves in each heap, omitting heaps without moves.
        elements: the most elements.
        sums: the most sums to cache in one search.

    Raises:
        BudgetError: there are more elements, or the search is too large.
    """
    search = SumSearch(options, sums)
    learner = Learner(options, search, elements)
    found: Candidate | None = None
    heaps: list[int] = []
    for heap, moves in options.items():
        if not moves:
            continue
        heaps.append(heap)
        search.admit(heap)
        found = (found and _extend(found, learner, options, heap)) or learner.learn(heaps)
        search.add_answers(heap, found.says_lost)
    return found


def _extend(found: Candidate, learner: Learner, options: Options, heap: int) -> Candidate | None:
    """Return the same quotient with one more heap, or None if that needs other elements."""
    elements = found.elements
    images = images_of(options[heap], elements, found.products)
    both = {**found.images, heap: images}
    for smaller, its_images in found.images.items():
        if images.keys() == its_images.keys():
            return replace(found, elements={**elements, heap: elements[smaller]}, images=both)
    likely = learner.likely_element(heap)
    if likely is None:
        return None
    candidate = replace(found, elements={**elements, heap: likely}, images=both)
    return candidate if contradiction(candidate) is None else None
