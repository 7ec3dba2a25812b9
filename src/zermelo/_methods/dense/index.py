"""The positions of a dense space in memory: slots in closed form, and two bits per slot."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.core.jit import light_kernel
from zermelo._engine.core.scratch import memory_of
from zermelo._engine.index.directory import find, slots_of
from zermelo._engine.index.index import Index
from zermelo._engine.index.ranks import Ranking, rank

Places = npt.NDArray[np.int64]


@light_kernel
def _place_of(
    packed: Uint64Array,
    programme: Int64Array,
    numbers: Int64Array,
    tables: Int64Array,
    directory: Uint64Array,
    place: Int64Array,
) -> Any:
    """Return the place of one packed position; a single kernel call, as calls cost the most."""
    rank(packed, 1, packed.size, programme, numbers, tables, place)
    find(directory, place, 1, place)
    return place[0]


class DenseIndex(Index):
    """Positions in the order of their slots.

    Attributes:
        ranking: the slots of positions.
        directory: the bits of the slots that hold a position.
    """

    saved_as = "slots"

    def __init__(self, ranking: Ranking, directory: npt.NDArray[np.uint64], count: int) -> None:
        """Store the arrays; ``count`` slots hold a position."""
        self.words = ranking.words
        self.span = count
        self.ranking = ranking
        self.directory = directory

    @property
    def bytes(self) -> int:
        """The bytes of memory of its arrays."""
        return memory_of(self.directory)

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Look up packed positions; see ``Index``."""
        slots = np.empty(count, np.int64)
        self.ranking.rank(packed, count, slots)
        return int(find(self.directory, slots, count, out))

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one packed position; see ``Index``."""
        held = (self.directory, np.empty(1, np.int64))
        return partial(_place_of, packed, *self.ranking.arrays, *held)

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the packed positions at places."""
        slots = np.empty(len(places), np.int64)
        slots_of(self.directory, places, len(places), slots)
        return self.ranking.unranked(slots)
