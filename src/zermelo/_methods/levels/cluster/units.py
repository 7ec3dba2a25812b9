"""The units of a game with levels, and what a worker says of each.

A level is cut into ranges, each of which is expanded as a unit; what comes of it is a file of
lists: for each level above and each *owner* there, the children, each once. An
owner is what the first bits of a hash say. To make a level, each owner's lists are merged. To
decide one, the ranges are expanded once more. Where the levels above fit a worker's memory, it
reads them and looks the children up; where they do not, their owners write an answer for each child
of a list.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFile, damaged
from zermelo._methods.levels.cluster.position_lists import SLACK

if TYPE_CHECKING:
    from zermelo._methods.levels.storage import Level

#: The columns of the rows that describe sections of files: a list is of a level and an owner.
LEVEL, OWNER, FILE, OFFSET, SIZE, COUNT, CHECKSUM = range(7)
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Sections:
    """Some sections of files.

    Attributes:
        names: the files.
        rows: a row for each section: its level and owner, the number of its file among
            ``names``, where it begins, its bytes, its positions, and its checksum.
    """

    names: tuple[str, ...]
    rows: Rows

    @classmethod
    def of(cls, names: list[str], rows: Rows) -> Sections:
        """Return sections without the names of files that they are not in."""
        which, numbers = np.unique(rows[:, FILE], return_inverse=True)
        rows = rows.copy()
        rows[:, FILE] = numbers
        return cls(tuple(names[n] for n in which.tolist()), rows)

    def begins(self) -> npt.NDArray[np.int64]:
        """Return where each section begins, and the last one ends, if all stand together."""
        return np.concatenate(([0], np.cumsum(self.rows[:, SIZE])))

    def read(self, folder: Path, n: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of a section, and as many zeros behind them as ``SLACK``.

        Raises:
            ClusterError: they are not as they were written.
        """
        data = np.zeros(int(self.rows[n, SIZE]) + SLACK, np.uint8)
        self.read_into(folder, n, data[:-SLACK])
        return data

    def read_into(self, folder: Path, n: int, out: npt.NDArray[np.uint8]) -> None:
        """Fill an array with the bytes of a section.

        Raises:
            ClusterError: they are not as they were written.
        """
        _, _, which, offset, size, _, checksum = self.rows[n].tolist()
        path = folder / self.names[which]
        view, done = out.data, 0
        try:
            file = os.open(path, os.O_RDONLY)
        except FileNotFoundError:
            raise damaged(path) from None
        try:
            while done < size:
                got = os.preadv(file, [view[done:]], offset + done)
                if not got:
                    break
                done += got
        finally:
            os.close(file)
        if done < size or zlib.crc32(view) != checksum:
            raise damaged(path)


@dataclass(frozen=True)
class ExpandUnit:
    """A range of a level whose children are wanted.

    Attributes:
        level: the level.
        begin: the first place.
        end: the place behind the last.
        owner_bits: of levels above, the logarithm of the number of owners.
        default: the same of all others.
    """

    level: int
    begin: int
    end: int
    owner_bits: dict[int, int]
    default: int


@dataclass(frozen=True)
class MergeUnit:
    """An owner's part of a level that is to be made.

    Attributes:
        level: the level.
        owner: the owner.
        owner_bits: logarithm of the number of owners.
        bits: logarithm of the number of buckets of the level.
        lists: what leads there.
        starts: packed positions that are there in any case, perhaps some of other owners.
    """

    level: int
    owner: int
    owner_bits: int
    bits: int
    lists: Sections
    starts: npt.NDArray[np.uint64]


@dataclass(frozen=True)
class AnswerUnit:
    """An owner's lists whose values are wanted.

    Attributes:
        level: the level that the positions of the lists are of.
        here: where it is.
        owner: the owner.
        owner_bits: logarithm of the number of owners.
        dtype: the type of the column of values.
        lists: the lists.
    """

    level: int
    here: Level
    owner: int
    owner_bits: int
    dtype: str
    lists: Sections


@dataclass(frozen=True)
class LookUpUnit:
    """A range of a level that is to be decided by the levels above, as they are.

    Attributes:
        level: the level.
        begin: the first place.
        end: the place behind the last.
        dtype: the type of the column of values.
        above: the levels that moves from there lead to, and where each is.
    """

    level: int
    begin: int
    end: int
    dtype: str
    above: dict[int, Level]


@dataclass(frozen=True)
class DecideUnit:
    """A range of a level that is to be decided by answers.

    Attributes:
        level: the level.
        begin: the first place.
        end: the place behind the last.
        owner_bits: of each level above, the logarithm of the number of owners.
        dtype: the type of the column of values.
        lists: the lists of its children.
        answers: for each list, the values, and behind them whose turn it is, if that is needed.
    """

    level: int
    begin: int
    end: int
    owner_bits: dict[int, int]
    dtype: str
    lists: Sections
    answers: Sections


@dataclass(frozen=True)
class UnitResult:
    """What a worker says of a unit.

    Attributes:
        part: the file that it wrote; None where it has none to show.
        rows: the sections of the file, with file number 0.
        top: of an expanded range, the highest level that a move leads to.
        turns: the section that says whose turn it is, as a row; none where players alternate.
        not_raised: a packed position with a move that does not raise the level.
        lowered: whether the move lowers it.
        large: whether the unit takes more memory than there is, and is to be halved.
        wide: whether a value does not fit the type that values have.
    """

    part: SharedFile | None = None
    rows: Rows | None = None
    top: int = 0
    turns: Rows | None = None
    not_raised: npt.NDArray[np.uint64] | None = None
    lowered: bool = False
    large: bool = False
    wide: bool = False
