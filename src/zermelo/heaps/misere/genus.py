"""The genus of a sum of heaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from zermelo.errors import BudgetError
from zermelo.heaps.game import HeapGame
from zermelo.heaps.misere.sums import Heaps, heap_sizes
from zermelo.values.genus import Genus, SearchLimitError, genus_of


def genus(game: HeapGame, heaps: int | Iterable[int], *, max_sums: int = 1_000_000) -> Genus:
    """Return the genus of a heap or of a sum of heaps, found by search.

    Args:
        game: the game, such as ``KAYLES``.
        heaps: the tokens of the heap, or of each heap.
        max_sums: the most sums of heaps to examine.

    Raises:
        ParameterError: these are not heaps.
        BudgetError: the search is larger.
    """
    options = cache(game.options)

    def after(position: Heaps) -> Iterator[Heaps]:
        for place, heap in enumerate(position):
            for option in options(heap):
                yield tuple(sorted(position[:place] + position[place + 1 :] + option))

    sizes = heap_sizes(heaps)
    try:
        return genus_of(tuple(sorted(sizes)), after, max_sums)
    except SearchLimitError:
        message = (
            f"more than {max_sums:,} sums follow {sizes!r}; ask for smaller heaps, or allow more "
            "with max_sums="
        )
        raise BudgetError(message, max_sums + 1, max_sums) from None
