"""The values of a pursuit as a matrix, from which a certificate reads some columns at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import (
    Int16Array,
    Int32Array,
    Int64Array,
    IntArray,
    Uint8Array,
)
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.scratch import is_file, release_pages

Numbers: TypeAlias = Int64Array

#: Rows that are read of a column before the next, if columns are contiguous.
_BLOCK = 32
#: Bytes of a file that are mapped at the same time, and that are mapped around a byte that is read.
_MAPPED_BYTES, _MAPPED_MARGIN = 1 << 19, 1 << 16


@dataclass(frozen=True)
class TurnValues:
    """The values of one turn: the index of a position's value is the sum of two offsets.

    Attributes:
        source: marks (see ``turns.Turn``), or numbers of marks.
        meaning: the marks of numbers; empty if the source has marks.
        evader: the offset of each of the evader's nodes.
        pursuer: the offset of each node that a pursuer may enter, or of each team of pursuers.
    """

    source: npt.NDArray[Any]
    meaning: Int32Array
    evader: Numbers
    pursuer: Numbers


@kernel
def _write_marks(
    source: Int16Array,
    fitting: Int16Array,
    rows: Int64Array,
    columns: Int64Array,
    turned: bool,
    half: int,
    out: IntArray,
) -> Any:
    """Write marks by row and column as numbers; return whether all fit. See ``Matrix.read``.

    Args:
        source: the marks.
        fitting: the least and the greatest mark that fit.
        rows: the offset of each row.
        columns: the offset of each column.
        turned: whether neighbours in the source are in one column.
        half: the number of a draw.
        out: receives the numbers.
    """
    height, width = out.shape
    low, high = fitting[1], fitting[0]
    if turned:
        for top in range(0, height, _BLOCK):
            foot = min(top + _BLOCK, height)
            is_contiguous = rows[foot - 1] - rows[top] == foot - 1 - top
            for j in range(width):
                begin = rows[top] + columns[j]
                marks = source[begin : begin + foot - top]
                for i in range(foot - top):
                    mark = marks[i] if is_contiguous else source[rows[top + i] + columns[j]]
                    low, high = min(low, mark), max(high, mark)
                    out[top + i, j] = half if mark == 0 else mark
        return low >= fitting[0] and high <= fitting[1]
    is_contiguous = columns[width - 1] - columns[0] == width - 1
    for i in range(height):
        begin = rows[i] + columns[0]
        marks, row = source[begin : begin + width], out[i]
        if is_contiguous:
            for j in range(width):
                mark = marks[j]
                low, high = min(low, mark), max(high, mark)
                row[j] = mark
                if mark == 0:
                    row[j] = half
        else:
            for j in range(width):
                mark = source[rows[i] + columns[j]]
                low, high = min(low, mark), max(high, mark)
                row[j] = half if mark == 0 else mark
    return low >= fitting[0] and high <= fitting[1]


@kernel
def _write_decoded(
    source: Uint8Array,
    meaning: IntArray,
    rows: Int64Array,
    columns: Int64Array,
    turned: bool,
    out: IntArray,
) -> None:
    """Write numbers of marks by row and column, decoded by ``meaning``; all fit.

    Neighbours are adjacent in the source: invalid positions have no number there.
    """
    height, width = out.shape
    if turned:
        for top in range(0, height, _BLOCK):
            foot = min(top + _BLOCK, height)
            for j in range(width):
                begin = rows[top] + columns[j]
                numbers = source[begin : begin + foot - top]
                for i in range(foot - top):
                    out[top + i, j] = meaning[numbers[i]]
        return
    for i in range(height):
        begin = rows[i] + columns[0]
        numbers, row = source[begin : begin + width], out[i]
        for j in range(width):
            row[j] = meaning[numbers[j]]


@dataclass(frozen=True)
class Matrix:
    """The values of one turn in a matrix, by row and column; see ``TurnValues``."""

    source: npt.NDArray[Any]
    meaning: Int32Array
    rows: Numbers
    columns: Numbers

    def read(self, rows: slice, columns: slice, half: Any, out: IntArray) -> bool:
        """Write a part of the matrix as unsigned numbers; return whether all values fit.

        Of two values the greater number is better for the player who moved there: a negative mark
        wraps round, and ``half`` in the middle is a draw.

        Args:
            rows: the rows.
            columns: the columns.
            half: half of the range of the numbers.
            out: receives the numbers.
        """
        source = self.source.base
        if not isinstance(source, np.ndarray) or not is_file(source):
            return self._read(rows, columns, half, out)
        # Little of a file is mapped at a time: few rows, or few columns if these are contiguous.
        height, width = out.shape
        item, fits = self.source.itemsize, True
        if self._is_transposed:
            step = max(1, _MAPPED_BYTES // (item * height))
            cuts = [(slice(None), slice(j, j + step)) for j in range(0, width, step)]
        else:
            step = max(1, _MAPPED_BYTES // max(item * width, _MAPPED_MARGIN))
            cuts = [(slice(i, i + step), slice(None)) for i in range(0, height, step)]
        numbers = np.arange(len(self.rows))[rows], np.arange(len(self.columns))[columns]
        for high, wide in cuts:
            part = np.empty(out[high, wide].shape, out.dtype)
            fits = fits and self._read(numbers[0][high], numbers[1][wide], half, part)
            out[high, wide] = part
            release_pages(source)
        return fits

    @property
    def _is_transposed(self) -> bool:
        """Whether neighbours in the source are in one column."""
        return bool(self.rows[-1] - self.rows[0] < self.columns[-1] - self.columns[0])

    def _read(self, rows: Any, columns: Any, half: Any, out: IntArray) -> bool:
        """Write a part of the matrix in one batch; see ``read``."""
        most = int(half) - 2
        where = (self.rows[rows], self.columns[columns], self._is_transposed)
        if not len(self.meaning):
            kind = np.iinfo(self.source.dtype)
            fitting = np.array([max(-most, kind.min), min(most, kind.max)], kind.dtype)
            return bool(_write_marks(self.source, fitting, *where, half, out))
        if (np.abs(self.meaning.astype(np.int64)) > most).any():
            return False
        meaning = np.where(self.meaning == 0, half, self.meaning.astype(out.dtype))
        _write_decoded(self.source, meaning.astype(out.dtype), *where, out)
        return True


def by_evader(half: TurnValues) -> Matrix:
    """Return the values of a turn with a row for each of the evader's nodes."""
    return Matrix(half.source, half.meaning, half.evader, half.pursuer)


def by_pursuers(half: TurnValues) -> Matrix:
    """Return the values of a turn with a row for each node, or team, of the pursuers."""
    return Matrix(half.source, half.meaning, half.pursuer, half.evader)
