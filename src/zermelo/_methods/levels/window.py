"""The levels that a level leads to, or a part of them, as its children are looked up in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

_PerLevel: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """Levels in memory, or a part of each; the last arrays have an entry a level.

    Attributes:
        keys: their positions.
        values: what is stored of their values.
        turns: whose turn it is, or empty where the players strictly alternate.
        offsets: where their buckets begin.
        lowest: the level of the first entry.
        bits: logarithm of the number of buckets of each, -1 where it is empty.
        starts: where each level's buckets begin in ``offsets``.
        lows: the first bucket that is here, of each; None where all are.
        highs: the first that is not any more.
        first: whether it is the first part.
    """

    keys: npt.NDArray[np.uint64]
    values: npt.NDArray[Any]
    turns: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.uint32]
    lowest: int
    bits: _PerLevel
    starts: _PerLevel
    lows: _PerLevel | None = None
    highs: _PerLevel | None = None
    first: bool = True

    @property
    def whole(self) -> bool:
        """Whether nothing of the levels is missing."""
        return self.lows is None

    @property
    def shape(self) -> tuple[Any, ...]:
        """What ``look_up`` is given of it."""
        return self.lowest, self.bits, self.starts, self.offsets, self.keys

    @property
    def cut(self) -> tuple[Any, ...]:
        """What ``leave_part`` is given of it."""
        return self.lowest, self.bits, self.lows, self.highs
