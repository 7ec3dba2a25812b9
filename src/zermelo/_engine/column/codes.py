"""Values as one 32-bit number, ordered as players prefer them.

=================  =====================================
LAST - r           win with remoteness r
TIES - r           tie with remoteness r
0                  endless draw
-(LAST - r)        loss with remoteness r
±(LAST - UNTIMED)  win or loss whose remoteness was not asked for
UNKNOWN            not decided yet
=================  =====================================

A greater code is better for the player to move: a quicker win, then a quicker tie, then an
endless draw, then a slower loss. So the value of a position is the greatest of its successors'
codes, each as its mover sees it one ply earlier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import inlined, light_kernel

LAST = (1 << 31) - 1
TIES = 1 << 30
ENDLESS = 0
UNKNOWN = -(1 << 31)
#: What stands for a margin, in a score game, that is not known yet.
UNKNOWN_SCORE = -(1 << 63)
#: Stands for the remoteness of a win or a loss where only that much was asked for.
UNTIMED = 1 << 29
#: So many values are counted by sorting them, and more by a kernel of their own.
_FEW = 1 << 17


@dataclass(frozen=True)
class Scale:
    """Codes of some width.

    Attributes:
        last: the code of a win with remoteness 0.
        ties: the code of a tie with remoteness 0.
        dtype: the type that holds them.
    """

    last: int
    ties: int
    dtype: type[np.int8 | np.int16 | np.int32]

    @property
    def longest(self) -> int:
        """The greatest remoteness of a win or a loss."""
        return self.last - self.ties - 1


#: The codes of the table above, and codes for remoteness up to 16,382 alone.
WIDE = Scale(LAST, TIES, np.int32)
NARROW = Scale((1 << 15) - 1, 1 << 14, np.int16)

#: The code of a terminal position, by its outcome: LOSS, DRAW, WIN at -1, 0, 1.
TERMINAL = {-1: -LAST, 0: TIES, 1: LAST}


@inlined
def one_ply_earlier(code: Any, same_mover: bool) -> Any:  # noqa: FBT001  # a kernel takes no keywords
    """Return what a move is worth to the mover when the position it leads to has this code."""
    if code > TIES or code < -TIES:
        if not same_mover:
            code = -code
        return code - 1 if code > 0 else code + 1
    return code - 1 if code > 0 else 0  # 0 also for what is no code: no loop may vouch for it


@inlined
def widened(code: Any, last: int, ties: int) -> Any:
    """Return the code that one of another scale stands for."""
    if code > ties:
        return code + LAST - last
    if code < -ties:
        return code - LAST + last
    return code + TIES - ties if code > 0 else ENDLESS


def outcomes(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int8]:
    """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
    return (codes > TIES).astype(np.int8) - (codes < -TIES).astype(np.int8)


@light_kernel
def _remotenesses(codes: Any, out: Any) -> None:
    for i in range(codes.size):
        code = np.int64(codes[i])
        plies = TIES - code if code > 0 else np.int64(-1)
        if abs(code) > TIES:
            plies = LAST - abs(code)
            plies = np.int64(-1) if plies == UNTIMED else plies
        out[i] = plies


def remotenesses(codes: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Return the remoteness of each code, -1 for an endless draw, or where it was not asked for."""
    found = np.empty(len(codes), np.int64)
    _remotenesses(codes, found)
    return found


def decode(code: int) -> tuple[int, int | None]:
    """Return the outcome (1, 0, -1) and remoteness (None for an endless draw) of a code."""
    code = int(code)
    if abs(code) == LAST - UNTIMED:
        return (1 if code > 0 else -1), None
    if code > TIES:
        return 1, LAST - code
    if code < -TIES:
        return -1, LAST + code
    return 0, (TIES - code if code > 0 else None)


def encode(outcome: int, remoteness: int | None) -> int:
    """Return the code of a value."""
    if remoteness is None and outcome:
        return outcome * (LAST - UNTIMED)
    if remoteness is None:
        return ENDLESS
    return {1: LAST - remoteness, 0: TIES - remoteness, -1: remoteness - LAST}[outcome]


def seen_before(
    outcome: int, remoteness: int | None, *, same_mover: bool
) -> tuple[int, int | None]:
    """Return, in Python, what a move to a position of this value is worth to the mover."""
    return (
        outcome if same_mover else -outcome,
        None if remoteness is None else remoteness + 1,
    )


def tally(codes: npt.NDArray[np.int32]) -> list[tuple[int, int | None, int]]:
    """Return (outcome, remoteness, how many) for each value that occurs, best code first."""
    return tally_of(counted(codes))


def tally_of(found: dict[int, int]) -> list[tuple[int, int | None, int]]:
    """Do the same with codes that have been counted."""
    return [(*decode(code), found[code]) for code in sorted(found, reverse=True)]


def tally_scores(scores: npt.NDArray[np.int64]) -> list[tuple[int, int | None, int]]:
    """Return (score, None, how many) for each score that occurs, best first."""
    from zermelo._engine.column.scores import occurring  # as below

    found, often = occurring(scores)
    return [(s, None, n) for s, n in zip(found[::-1].tolist(), often[::-1].tolist(), strict=True)]


def counted(values: npt.NDArray[Any]) -> dict[int, int]:
    """Return how often each value occurs."""
    if len(values) > _FEW:
        from zermelo._engine.column import palette as filed  # small games start without this kernel

        return filed.counted(values)
    found, often = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), often.tolist(), strict=True))
