"""The arrays of a search by components, made for a root and enlarged when they are full."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.search import component_search
from zermelo._engine.search.alpha_beta import ENTER, PLY, RESULT, STEP, TOP
from zermelo._engine.search.arrays import SearchArrays
from zermelo._engine.search.component_search import UNBOUNDED, look_up_components
from zermelo._engine.search.transposition_entries import form_of


class ComponentArrays(SearchArrays):
    """The arrays of a search by components; see ``components``.

    A position is lost together with a heap of n where its nimber is n.
    """

    kernel: ClassVar[str] = "part"
    frame: ClassVar[int] = component_search.FRAME

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:  # noqa: ARG002
        return form_of(self.words, spare, narrow=False)

    def _make(self, room: int) -> None:
        self.keys = np.zeros(room * self.words, np.uint64)
        self._low, self._high, self._mask, self._size = np.zeros((4, room), np.int64)
        self._last = np.zeros(room, np.uint8)
        self._order, self._worth, self._number = np.zeros((3, room), np.int64)
        #: Whole positions that moves lead to, before they are split.
        self._whole = np.zeros(room * self.words, np.uint64)
        self._promise = np.zeros(room, np.int64)

    @property
    def _positions(self) -> list[npt.NDArray[Any]]:
        known = (self.keys, self._low, self._high, self._mask, self._size, self._last)
        return [*known, self._order, self._worth, self._number, self._whole, self._promise]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """What the kernel is called with, but for the quota."""
        return (self.state, self._frames, *self._positions, self.table.array, self._path)

    def ask(self, packed: npt.NDArray[np.uint64], nimber: int) -> None:
        """Begin to ask whether a position has a nimber; of -1, which it has."""
        self._path[:] = 0
        self.keys[: self.words] = packed
        self._low[0], self._high[0], self._mask[0] = 0, UNBOUNDED, 0
        self._frames[component_search.AT], self._frames[component_search.WANT] = 0, nimber
        self._frames[component_search.MOVE] = -1
        self.state[PLY], self.state[STEP], self.state[TOP] = 0, ENTER, 1
        self.state[RESULT] = 0

    @property
    def bounds(self) -> tuple[int, int]:
        """Between which numbers the nimber of the first position is, by what was found."""
        return int(self._low[0]), int(self._high[0])

    @property
    def move(self) -> int:
        """The number of the first position's move to the nimber that was asked for; or -1."""
        return int(self._frames[component_search.MOVE])

    def look_up(self, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return what the table says of packed components, in three rows.

        They are the least and the most that the nimber of each can be, and bits of small numbers
        that it is not.

        Args:
            rows: the components, a row each.
        """
        found = np.zeros((3, len(rows)), np.int64)
        found[1] = UNBOUNDED
        flat = np.ascontiguousarray(rows).reshape(-1)
        look_up_components(self.table.array, flat, self.words, self._whole_form, found)
        return found
