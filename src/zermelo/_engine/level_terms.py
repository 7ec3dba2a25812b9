"""What solving by levels asks of rules, and what it says where they do not keep to it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.explore import Expand


class Levelled(Expand, Protocol):
    """Compiled rules that know levels."""

    def levels(
        self, packed: npt.NDArray[np.uint64], count: int, out: npt.NDArray[np.int64]
    ) -> None:
        """Write the levels of ``count`` packed positions."""


class FlatMoveError(Exception):
    """A move does not raise the level, so that levels cannot be solved one by one.

    Attributes:
        packed: the position from which it leads.
        lowered: whether the level even falls, which the contract does not allow.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], *, lowered: bool) -> None:
        """Keep the position."""
        super().__init__(packed)
        self.packed = packed
        self.lowered = lowered
