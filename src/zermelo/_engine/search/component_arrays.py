"""The arrays of a search by components, allocated for a root and enlarged when they are full."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int64Array, Uint64Array
from zermelo._engine.search import component_search
from zermelo._engine.search.alpha_beta import ENTER, PLY, RESULT, STEP, TOP
from zermelo._engine.search.arrays import SearchArrays
from zermelo._engine.search.component_search import (
    INFINITE,
    MOST_PARTS,
    PROOFS,
    SEEN,
    SPLITS,
    UNBOUNDED,
    look_up_components,
    spread_proofs,
)
from zermelo._engine.search.transposition_entries import form_of

#: The share of the memory for efforts, and the words of their array at first.
_PROOF_SHARE, _PROOFS = 1 / 4, 1 << 13


class ComponentArrays(SearchArrays):
    """The arrays of a search by components; see ``component_search``."""

    kernel: ClassVar[str] = "part"
    advance: ClassVar[Any] = component_search.advance_components
    frame: ClassVar[int] = component_search.FRAME
    #: A strategy needs almost all facts again, so that few may be replaced.
    full_share: ClassVar[float] = 0.5

    def __init__(self, words: int, spare: int, *, memory: int) -> None:
        """Create small arrays.

        Args:
            words: words of a packed component.
            spare: bits at the top of its last word that are always 0.
            memory: the most bytes of the table and of the efforts.
        """
        self._most_proofs = int(memory * _PROOF_SHARE) // 8
        super().__init__(
            words,
            spare,
            alternate=True,
            gains=False,
            counts_plies=False,
            win_value=1,
            memory=memory - 8 * self._most_proofs,
        )
        #: The efforts for components and numbers; see ``component_search.load_proof``.
        self._proofs = np.zeros(_PROOFS, np.uint64)
        #: The index of a move for each of a few hashes, to find equal moves.
        self._seen = np.zeros(SEEN, np.int64)

    def _form(self, spare: int, *, narrow: bool) -> tuple[int, int, int, int]:  # noqa: ARG002
        return form_of(self.words, spare, narrow=False)

    @cached_property
    def _splits(self) -> Uint64Array:
        """The remembered components of positions; see ``component_search.load_split``."""
        words = self.words + 1
        return np.zeros(SPLITS * (1 + MOST_PARTS) * words, np.uint64)

    def grow(self) -> bool:
        """Enlarge the table, and the array of efforts, if nearly full and if memory allows.

        Return whether the table was enlarged.
        """
        filled, size = int(self.state[PROOFS]), len(self._proofs)
        if 4 * filled > size and 2 * size <= self._most_proofs:
            larger = np.zeros(2 * size, np.uint64)
            self.state[PROOFS] = spread_proofs(self._proofs, larger)
            self._proofs = larger
        return super().grow()

    def _allocate(self, capacity: int) -> None:
        self.keys = np.zeros(capacity * self.words, np.uint64)
        self._low, self._high, self._mask, self._size = np.zeros((4, capacity), np.int64)
        self._last = np.zeros(capacity, np.uint8)
        self._order, self._number, self._phi, self._delta = np.zeros((4, capacity), np.int64)
        #: The children as whole positions, before they are split.
        self._whole = np.zeros(capacity * self.words, np.uint64)

    @property
    def _positions(self) -> list[npt.NDArray[Any]]:
        split_arrays = (self.keys, self._low, self._high, self._mask, self._size, self._last)
        return [
            *split_arrays,
            self._order,
            self._number,
            self._phi,
            self._delta,
            self._whole,
        ]

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arguments of the kernel, without the quota."""
        stacks = (self._loop_address, self.state, self._frames, *self._positions)
        return (*stacks, self._splits, self._seen, self._proofs, self.table.array, self._path)

    def start_test(self, packed: Uint64Array, nimber: int) -> None:
        """Start a test of whether a position has ``nimber``; with -1, find its nimber."""
        self._path[:] = 0
        self.keys[: self.words] = packed
        self._low[0], self._high[0], self._mask[0] = 0, UNBOUNDED, 0
        self._frames[component_search.AT], self._frames[component_search.NIMBER] = 0, nimber
        self._frames[component_search.MOVE] = -1
        self._frames[component_search.SHARED] = 0
        limits = [component_search.PHI_LIMIT, component_search.DELTA_LIMIT]
        self._frames[limits] = INFINITE
        self.state[PLY], self.state[STEP], self.state[TOP] = 0, ENTER, 1
        self.state[RESULT] = 0

    @property
    def bounds(self) -> tuple[int, int]:
        """The current bounds of the root's nimber."""
        return int(self._low[0]), int(self._high[0])

    @property
    def move(self) -> int:
        """The number of the root's move to the tested nimber; or -1."""
        return int(self._frames[component_search.MOVE])

    def look_up(self, rows: Uint64Array) -> Int64Array:
        """Return the table's bounds of the nimbers of packed components, as an array of three rows.

        The rows are the least possible nimbers, the greatest possible nimbers, and bits of small
        numbers that are excluded.

        Args:
            rows: the components, a row each.
        """
        facts = np.zeros((3, len(rows)), np.int64)
        facts[1] = UNBOUNDED
        flat = np.ascontiguousarray(rows).reshape(-1)
        look_up_components(self.table.array, flat, self.words, self._form_and_buckets, facts)
        return facts
