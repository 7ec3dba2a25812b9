"""Search for the quotient of heaps up to some size, heap by heap."""

from __future__ import annotations

from dataclasses import replace

from zermelo.heaps.game import HeapGame
from zermelo.heaps.misere.learner import Learner
from zermelo.heaps.misere.proof import Candidate, contradiction, images_of
from zermelo.heaps.misere.sums import Heaps, Options, SumSearch


def options_of(game: HeapGame, largest: int) -> dict[int, list[Heaps]]:
    """Return the results of moves in each heap of up to ``largest`` tokens.

    Heaps without moves are left out of the results.
    """
    options: dict[int, list[Heaps]] = {}
    for heap in range(1, largest + 1):
        moves = {tuple(part for part in result if options[part]) for result in game.options(heap)}
        options[heap] = sorted(moves)
    return options


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
    quotient: Candidate | None = None
    heaps: list[int] = []
    for heap, moves in options.items():
        if not moves:
            continue
        heaps.append(heap)
        search.admit(heap)
        quotient = (quotient and _extend(quotient, learner, options, heap)) or learner.learn(heaps)
        search.add_answers(heap, quotient.says_lost)
    return quotient


def _extend(quotient: Candidate, learner: Learner, options: Options, heap: int) -> Candidate | None:
    """Return the quotient extended by one heap, or None if the heap needs new elements."""
    elements = quotient.elements
    images = images_of(options[heap], elements, quotient.products)
    all_images = {**quotient.images, heap: images}
    for smaller, smaller_images in quotient.images.items():
        if images.keys() == smaller_images.keys():
            return replace(
                quotient, elements={**elements, heap: elements[smaller]}, images=all_images
            )
    likely = learner.likely_element(heap)
    if likely is None:
        return None
    candidate = replace(quotient, elements={**elements, heap: likely}, images=all_images)
    return candidate if contradiction(candidate) is None else None
