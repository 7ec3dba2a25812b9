"""The vertices of a graph, each of which is its own number, and their values."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import Scale
from zermelo._engine.column.column import ArrayColumn, Column
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.index.index import PAGE, Index
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import check_known
from zermelo.values.outcomes import NOBODY
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

    from zermelo.values.kind import Kind

Places = npt.NDArray[np.int64]


class VertexIndex(Index):
    """An index of numbers from 0: a packed vertex is its place."""

    words = 1
    saved_as = "graph"

    def __init__(self, vertices: int) -> None:
        """Store the number of vertices."""
        self.span = vertices

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Look up vertices; see ``Index``."""
        wanted = packed[:count].view(np.int64)
        there = (wanted >= 0) & (wanted < self.span)
        out[:count] = np.where(there, wanted, -1)
        return int(np.count_nonzero(there))

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that looks up one vertex; see ``Index``."""
        number, span = packed.item, self.span

        def find() -> int:
            found: int = number(0)
            return found if found < span else -1

        return find

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the vertices at places."""
        return places.astype(np.uint64)


class VertexCodes(ArrayColumn):
    """The values of vertices in the form that kernels read: an array of codes with few bits.

    The stored codes are those of a game in which endless play is a draw; the kind and the player to
    move determine the value.

    Attributes:
        scale: the scale of the codes.
    """

    def __init__(
        self,
        stored: IntArray,
        owners: npt.NDArray[np.uint8],
        scale: Scale,
        kind: Kind = WIN_DRAW_LOSS,
    ) -> None:
        """Store the arrays.

        Args:
            stored: the code of each vertex.
            owners: the player to move at each vertex, or empty if the players strictly alternate.
            scale: the scale of the codes.
            kind: the kind of the values.
        """
        check_known(kind, REMOTENESS_ALGEBRAS, "the method of explicit graphs")
        super().__init__(kind, stored, owners, scale.meaning)
        self.scale = scale

    def values(self, numbers: Places) -> npt.NDArray[Any]:
        """Return the values at numbers."""
        return self.kind.at_turns(super().values(numbers), self.owners(numbers))

    def value(self, number: int) -> int:
        """Return the value at one number."""
        return self.kind.at_turn(super().value(number), self.owner_of(number))

    def prober(self, find: Callable[[], int], packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return a function that probes one vertex after another; see ``Column``."""
        usual = self.kind.favours == NOBODY
        return super().prober(find, packed) if usual else Column.prober(self, find, packed)

    def tally(self) -> dict[int, int]:
        """Return the number of occurrences of each code."""
        if self.kind.favours == NOBODY:
            return super().tally()
        return tally_of(self)

    def owner_of(self, number: int) -> int:
        """Return the player to move at one vertex; 0 if the players strictly alternate."""
        return int(self.owner[number]) if self.turns else 0


def tally_of(column: Column) -> dict[int, int]:
    """Return the number of occurrences of each code in a column, by reading all values."""
    found: Counter[int] = Counter()
    for begin in range(0, column.count, PAGE):
        some = column.values(np.arange(begin, min(begin + PAGE, column.count)))
        codes_there, often = np.unique(some, return_counts=True)
        found.update(dict(zip(codes_there.tolist(), often.tolist(), strict=True)))
    return dict(found)


def narrowed(wide: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Scale] | None:
    """Convert wide codes to the narrowest scale that has all; None if a code is invalid."""
    size = np.abs(wide.astype(np.int64))
    ends = size > codes.TIES
    if ((wide < 0) & ~ends).any() or (size > codes.LAST).any():
        return None
    scale = codes.NARROW
    plies = np.where(ends, codes.LAST - size, codes.TIES - size)
    if (ends & (plies > scale.longest)).any() or ((wide > 0) & ~ends & (plies >= scale.ties)).any():
        return wide, codes.WIDE
    narrow = np.where(ends, np.sign(wide) * (scale.last - plies), scale.ties - plies)
    return np.where(wide == 0, 0, narrow).astype(scale.dtype), scale
