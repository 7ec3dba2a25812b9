"""The marks of a pursuit: what each position is worth, as one number.

A mark is remoteness + 1 where the mover wins, minus that where it loses, and 0 where nobody can
force an end. Those of a turn stand in rows: by the evader's node in its turn, by the pursuers' in
theirs; ``Given.number`` says where.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from zermelo._engine.file.reader import Reader


class PursuitMarks(Protocol):
    """The marks of all turns, wherever they are."""

    reader: Reader | None
    on_disk: bool

    @property
    def bytes(self) -> int:
        """Bytes that are taken for them when all are looked at, and not yet."""

    def __getitem__(self, turn: int) -> npt.NDArray[Any]:
        """Return those of a turn, which has as many elements as it has positions."""

    def at(self, turn: int, number: int) -> int:
        """Return one of a turn."""

    def coded(self, turn: int) -> tuple[npt.NDArray[Any], int]:
        """Return those of a turn as numbers, and how much greater than the marks these are."""

    def tally(self) -> Iterator[tuple[int, int]]:
        """Scan the marks that occur in any turn, with how often."""

    def close(self) -> None:
        """Close the file they are in, if they are in one."""


class Held:
    """Marks in memory, or in files that stand in for it."""

    reader: Reader | None = None
    bytes = 0

    def __init__(self, arrays: Sequence[npt.NDArray[Any]], *, on_disk: bool) -> None:
        """Keep them, the evader's turn first."""
        self._arrays = tuple(arrays)
        self.on_disk = on_disk

    def __getitem__(self, turn: int) -> npt.NDArray[Any]:
        """Return those of a turn; see ``PursuitMarks``."""
        return self._arrays[turn]

    def at(self, turn: int, number: int) -> int:
        """Return one of a turn."""
        return int(self._arrays[turn].item(number))

    def coded(self, turn: int) -> tuple[npt.NDArray[Any], int]:
        """Return those of a turn; see ``PursuitMarks``."""
        return self._arrays[turn].reshape(-1), 0

    def tally(self) -> Iterator[tuple[int, int]]:
        """Scan those that occur; see ``PursuitMarks``."""
        from zermelo._methods.pursuit.marks import tally

        for marks in self._arrays:
            counts, middle = tally(marks.reshape(-1))
            for found in np.flatnonzero(counts).tolist():
                yield found - middle, int(counts[found])

    def close(self) -> None:
        """Do nothing: what is in memory goes when it is collected."""


def greatest(numbers: npt.NDArray[Any], zero: int = 0) -> int:
    """Return the greatest of marks, whatever their signs; see ``PursuitMarks.coded``."""
    if not numbers.size:
        return 0
    return max(zero - int(numbers.min()), int(numbers.max()) - zero)
