"""The values of a graph's vertices, by number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.index.index import PAGE
from zermelo._methods.explicit import driver as explicit
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._methods.explicit.parts import GraphSource


class VertexValues:
    """The values of vertices by number; see ``Values``."""

    kind = WIN_DRAW_LOSS

    def __init__(self, source: GraphSource, start: int | None) -> None:
        """Read the values of a solved graph."""
        self.source = source
        self.starts = np.array([] if start is None else [start], np.int64)

    def __len__(self) -> int:
        """Return how many vertices there are."""
        return self.source.vertices

    def values(self, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int32]:
        """Return the codes of vertices."""
        stored, scale = self.source.stored[places].astype(np.int32), self.source.scale
        ends = np.abs(stored) > scale.ties
        tied = np.where(stored > 0, stored + (codes.TIES - scale.ties), stored)
        wide = np.where(ends, stored + np.sign(stored) * (codes.LAST - scale.last), tied)
        return wide.astype(np.int32)

    def value(self, place: int) -> int:
        """Return the code of one vertex."""
        return explicit.wide_code(self.source.code(place), self.source.scale)

    def pages(self) -> Iterator[npt.NDArray[np.int64]]:
        """Scan all vertices, some at once."""
        for begin in range(0, len(self), PAGE):
            yield np.arange(begin, min(begin + PAGE, len(self)))

    def tally(self) -> dict[int, int]:
        """Return how often each code occurs."""
        return explicit.tally(self.source.stored, self.source.scale)
