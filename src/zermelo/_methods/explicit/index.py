"""The vertices of a graph, each of which is its own number, and their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import Scale
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.index.index import Index
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from collections.abc import Callable

Places = npt.NDArray[np.int64]


class VertexIndex(Index):
    """Numbers from 0: a packed vertex is its place."""

    words = 1
    saved_as = "graph"

    def __init__(self, vertices: int) -> None:
        """Number this many vertices."""
        self.span = vertices

    def places(self, packed: npt.NDArray[np.uint64], count: int, out: Places) -> int:
        """Find vertices; see ``Index``."""
        wanted = packed[:count].view(np.int64)
        there = (wanted >= 0) & (wanted < self.span)
        out[:count] = np.where(there, wanted, -1)
        return int(np.count_nonzero(there))

    def finder(self, packed: npt.NDArray[np.uint64]) -> Callable[[], int]:
        """Return what tells the place of one vertex; see ``Index``."""
        number, span = packed.item, self.span

        def find() -> int:
            found: int = number(0)
            return found if found < span else -1

        return find

    def packed(self, places: Places) -> npt.NDArray[np.uint64]:
        """Return the vertices at places."""
        return places.astype(np.uint64)


class VertexCodes(ArrayColumn):
    """The values of vertices as kernels read them: codes of few bits, in an array.

    Attributes:
        scale: the scale of the codes.
    """

    def __init__(
        self, stored: npt.NDArray[Any], owners: npt.NDArray[np.uint8], scale: Scale
    ) -> None:
        """Keep the arrays.

        Args:
            stored: the code of each vertex.
            owners: whose turn it is at each, or empty where the players strictly alternate.
            scale: see the attributes.
        """
        super().__init__(WIN_DRAW_LOSS, stored, owners, scale.meaning)
        self.scale = scale


def narrowed(wide: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Scale] | None:
    """Return codes of the wide scale on the narrowest that has all, or None if one is none."""
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
