"""Codes of win, draw and loss in kernels, and counts of codes.

``zermelo.values.win_draw_loss`` defines the codes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import Int32Array, Integer
from zermelo._engine.core.jit import inlined
from zermelo.values.endless import ENDLESS_WIN
from zermelo.values.win_draw_loss import (
    ENDLESS,
    GLAD,
    LAST,
    TERMINAL,
    TIES,
    UNKNOWN,
    UNTIMED,
    decode,
    encode,
    outcomes,
)

__all__ = [
    "ENDLESS",
    "ENDLESS_WIN",
    "GLAD",
    "LAST",
    "NARROW",
    "TERMINAL",
    "TIES",
    "UNKNOWN",
    "UNTIMED",
    "WIDE",
    "Scale",
    "decode",
    "encode",
    "outcomes",
    "value_counts",
    "widened",
]

#: The most values that are counted by sorting; more are counted by a kernel.
_MOST_SORTED = 1 << 17


@dataclass(frozen=True)
class Scale:
    """Codes of some width.

    Attributes:
        last: the code of a win with remoteness 0.
        ties: the code of a tie with remoteness 0.
        dtype: the type of the codes.
    """

    last: int
    ties: int
    dtype: type[np.int8 | np.int16 | np.int32]

    @cached_property
    def meaning(self) -> Int32Array | None:
        """The 32-bit code of each narrower code, negative ones last; None if the scale is wide."""
        if self.dtype is np.int32:
            return None
        unsigned = np.arange(1 << 8 * np.dtype(self.dtype).itemsize)
        return self.wide(unsigned.astype(self.dtype))

    def wide(self, stored: npt.NDArray[Any]) -> Int32Array:
        """Return the 32-bit codes that codes of this scale stand for."""
        code = stored.astype(np.int32)
        ends = np.where(code > 0, LAST - self.last, self.last - LAST)
        ties = np.where(code > 0, TIES - self.ties, 0)
        return code + np.where(np.abs(code) > self.ties, ends, ties).astype(np.int32)

    @property
    def longest(self) -> int:
        """The greatest remoteness of a win or a loss."""
        return self.last - self.ties - 1


#: The codes of ``zermelo.values.win_draw_loss``, and 16-bit codes for remoteness up to 16,382.
WIDE = Scale(LAST, TIES, np.int32)
NARROW = Scale((1 << 15) - 1, 1 << 14, np.int16)


@inlined
def widened(code: Integer, last: int, ties: int) -> int:
    """Return the 32-bit code that a code of another scale stands for."""
    if code > ties:
        return code + LAST - last
    if code < -ties:
        return code - LAST + last
    return code + TIES - ties if code > 0 else ENDLESS


def value_counts(values: npt.NDArray[Any]) -> dict[int, int]:
    """Return the number of times each value occurs."""
    if values.dtype == np.int64:
        from zermelo._engine.column.scores import margin_counts

        distinct, counts = margin_counts(values)
    elif len(values) > _MOST_SORTED:
        from zermelo._engine.column import palette  # imported late: small games need no kernel

        return palette.value_counts(values)
    else:
        distinct, counts = np.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))
