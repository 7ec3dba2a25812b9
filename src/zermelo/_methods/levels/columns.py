"""Columns of levels in memory, with the methods of columns in files."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from zermelo._engine.core.memory import Arena, zeros


class MemoryColumn(Arena):
    """A column in memory, with the methods of a column in a file (``scratch.ScratchColumn``)."""

    def __init__(self, dtype: npt.DTypeLike, limit: int, behind: int = 0) -> None:
        """Create an empty column; look-ups may read ``behind`` elements past its end."""
        super().__init__(dtype, limit)
        self._behind = behind
        self._size = 0

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._size

    def reserve(self, size: int) -> npt.NDArray[Any]:
        """Resize the column to ``size`` elements, and return its array."""
        array = self.ensure(size + self._behind, self._size)
        self._size = size
        return array

    def allocate(self, size: int) -> None:
        """Fill the column with ``size`` zeros; its size is final."""
        self.array = zeros(size, self.dtype)
        self._size = size

    def append(self, array: npt.NDArray[Any]) -> None:
        """Append elements."""
        at = self._size
        self.reserve(at + len(array))[at : at + len(array)] = array

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Overwrite elements from index ``at`` on."""
        self.array[at : at + len(array)] = array

    def elements(self, begin: int, end: int, _buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the elements between two indices."""
        return self.array[begin:end]

    def mapped(self) -> npt.NDArray[Any]:
        """Return the array, with the elements past the end."""
        return self.array[: self._size + self._behind]
