"""The units of a game with levels, and the results of workers.

A level is cut into ranges, and each range is expanded as a unit. The result is a file of lists: for
each level above and each *owner* there, the distinct children. An owner is given by the first bits
of a hash. To create a level, each owner's lists are merged. To decide a level, its ranges are
expanded again, and the worker looks the children up in the levels above.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFile, damage_error
from zermelo._engine.sort.position_lists import SLACK

if TYPE_CHECKING:
    from zermelo._methods.levels.storage import Level

#: The columns of the rows that describe sections of files: a list has a level and an owner.
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
        view, done = out.data, 0
        try:
            file = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            raise damage_error(path) from None
        try:
            while done < size:
                got = os.preadv(file, [view[done:]], offset + done)
                if not got:
                    break
                done += got
        finally:
            os.close(file)
        if done < size or zlib.crc32(view) != checksum:
            raise damage_error(path)


@dataclass(frozen=True)
class ExpandUnit:
    """A range of a level whose children are to be listed.

    Attributes:
        level: the level.
        begin: the first place.
        end: the place after the last.
        owner_bits: for levels above, the logarithm of the number of owners.
        default: the logarithm of the number of owners of all other levels.
    """

    level: int
    begin: int
    end: int
    owner_bits: dict[int, int]
    default: int


@dataclass(frozen=True)
class MergeUnit:
    """An owner's part of a level that is to be created.

    Attributes:
        level: the level.
        owner: the owner.
        owner_bits: logarithm of the number of owners.
        bits: logarithm of the number of buckets of the level.
        lists: the lists of its positions.
        starts: packed starts on this level, perhaps some of other owners.
    """

    level: int
    owner: int
    owner_bits: int
    bits: int
    lists: Sections
    starts: npt.NDArray[np.uint64]


@dataclass(frozen=True)
class DecideUnit:
    """A range of a level that is to be decided by the levels above.

    Attributes:
        level: the level.
        begin: the first place.
        end: the place after the last.
        dtype: the type of the column of values.
        above: the levels that moves from there lead to, and the place of each.
    """

    level: int
    begin: int
    end: int
    dtype: str
    above: dict[int, Level]


@dataclass(frozen=True)
class UnitResult:
    """A worker's result of a unit.

    Attributes:
        part: the file that the worker wrote, or None.
        rows: the sections of the file, with file number 0.
        top: for an expanded range, the highest level that a move leads to.
        turns: the section of the players to move, as a row; None if players alternate.
        not_raised: a packed position with a move that does not raise the level.
        lowered: whether the move lowers it.
        large: whether the unit takes more memory than the worker has, and is to be halved.
        wide: whether a value does not fit in the type of values.
    """

    part: SharedFile | None = None
    rows: Rows | None = None
    top: int = 0
    turns: Rows | None = None
    not_raised: npt.NDArray[np.uint64] | None = None
    lowered: bool = False
    large: bool = False
    wide: bool = False
