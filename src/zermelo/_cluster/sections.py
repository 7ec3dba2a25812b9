"""Sections of files that workers exchange: arrays that are read one by one, with checksums."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFileWriter, damage_error
from zermelo._engine.core.scratch import read_all
from zermelo._engine.sort.position_lists import SLACK

#: The columns of the rows that describe sections of files. A list of positions has a level and an
#: owner.
LEVEL, OWNER, FILE, OFFSET, SIZE, COUNT, CHECKSUM = range(7)
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sections:
    """Some sections of files.

    Attributes:
        names: the names of the files.
        rows: a row for each section: its level and owner, the index of its file in ``names``, its
            first byte, its bytes, its positions, and its checksum.
    """

    names: tuple[str, ...]
    rows: Rows

    @classmethod
    def from_rows(cls, names: list[str], rows: Rows) -> Sections:
        """Return sections, with the names of the files that they are in."""
        which, numbers = np.unique(rows[:, FILE], return_inverse=True)
        rows = rows.copy()
        rows[:, FILE] = numbers
        return cls(tuple(names[n] for n in which.tolist()), rows)

    @classmethod
    def joined(cls, parts: Iterable[Sections]) -> Sections:
        """Return all sections of several objects."""
        names: list[str] = []
        rows = [np.empty((0, CHECKSUM + 1), np.int64)]
        for part in parts:
            rows.append(part.rows.copy())
            rows[-1][:, FILE] += len(names)
            names += part.names
        return cls(tuple(names), np.concatenate(rows))

    def select(self, which: Any) -> Sections:
        """Return some of the sections: a mask, a slice, or indices."""
        return self.from_rows(list(self.names), self.rows[which])

    def offsets(self) -> npt.NDArray[np.int64]:
        """Return the offset of each section in one array of all, and the end of the last."""
        return np.concatenate(([0], np.cumsum(self.rows[:, SIZE])))

    def read(self, folder: Path, n: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of a section, followed by ``SLACK`` zeros.

        Raises:
            ClusterError: the section is damaged.
        """
        data = np.zeros(int(self.rows[n, SIZE]) + SLACK, np.uint8)
        self.read_into(folder, n, data[:-SLACK])
        return data

    def read_into(self, folder: Path, n: int, out: npt.NDArray[np.uint8]) -> None:
        """Fill an array with the bytes of a section.

        Raises:
            ClusterError: the section is damaged.
        """
        _, _, which, offset, size, _, checksum = self.rows[n].tolist()
        path = folder / self.names[which]
        try:
            with path.open("rb", buffering=0) as file:
                file.seek(offset)
                is_whole = read_all(file, out.data[:size])
        except FileNotFoundError:
            raise damage_error(path) from None
        if not is_whole or zlib.crc32(out.data) != checksum:
            raise damage_error(path)


def write_section(
    part: SharedFileWriter, array: npt.NDArray[Any], level: int, owner: int, count: int
) -> list[int]:
    """Append a section to a file; return the row that describes it there."""
    return [level, owner, 0, part.size, array.nbytes, count, part.write_section(array)]
