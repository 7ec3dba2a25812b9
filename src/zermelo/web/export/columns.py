"""Tables of small numbers in few bytes, with dependent columns stored once.

A column is cut into bytes. A byte that never changes is stored once; one that is determined by an
earlier byte of the same rows is stored as a table of at most 256 entries; all others are stored row
after row, which gzip compresses well. ``columns.js`` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Bytes: TypeAlias = npt.NDArray[np.uint8]

#: The number of rows on which a column is first compared with others.
_SAMPLE = 256


class Packer:
    """A collector of columns, as a description for JSON and as separate bytes."""

    def __init__(self) -> None:
        """Create an empty collector."""
        self._parts: list[bytes] = []
        self._offset = 0

    @property
    def body(self) -> bytes:
        """The bytes of all columns so far."""
        return b"".join(self._parts)

    def columns(self, columns: Sequence[npt.NDArray[Any]]) -> list[list[Any]]:
        """Pack columns of the same rows; return a description of their storage.

        Args:
            columns: arrays of nonnegative integers, all of one length.

        Returns:
            For each column its bytes, the lowest first: ``["c", value]`` for one that is the same
            in every row, ``["f", place, table]`` for one determined by the bytes at ``place``, and
            otherwise ``["b", place]``.
        """
        stored: list[tuple[int, Bytes]] = []
        return [
            [self._plane(plane, stored) for plane in _planes(column)] if len(column) else []
            for column in columns
        ]

    def _plane(self, plane: Bytes, stored: list[tuple[int, Bytes]]) -> list[Any]:
        if (plane == plane[0]).all():
            return ["c", int(plane[0])]
        sample = np.linspace(0, len(plane) - 1, min(len(plane), _SAMPLE)).astype(np.int64)
        short = plane[sample]
        for place, stored_plane in stored:
            if _column_mapping(short, stored_plane[sample]) is None:
                continue
            table = _column_mapping(plane, stored_plane)
            if table is not None and len(table) < len(plane):
                return ["f", place, table]
        place = self._offset
        self._parts.append(plane.tobytes())
        self._offset += len(plane)
        stored.append((place, plane))
        return ["b", place]


def _planes(column: npt.NDArray[Any]) -> list[Bytes]:
    """Return the bytes of a column, the lowest first, as many as its greatest number needs."""
    wide = column.astype(np.uint64)
    count = max(1, (int(wide.max()).bit_length() + 7) // 8)
    return [(wide >> np.uint64(8 * k) & np.uint64(255)).astype(np.uint8) for k in range(count)]


def _column_mapping(column: Bytes, source: Bytes) -> list[int] | None:
    """Return the value of a column for each value of another, or None if it is not determined."""
    table = np.zeros(256, np.uint8)
    table[source] = column
    if (table[source] != column).any():
        return None
    mapping: list[int] = table[: int(source.max()) + 1].tolist()
    return mapping
