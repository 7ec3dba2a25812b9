"""The units of a game with levels, and the results of workers.

A level is cut into ranges, and each range is expanded as a unit. The result is a file of lists: for
each level above and each *owner* there, the distinct children. An owner is given by the first bits
of a hash. To create a level, each owner's lists are merged. To decide a level, its ranges are
expanded again, and the worker looks the children up in the levels above.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._cluster.sections import Sections
from zermelo._cluster.shared_files import SharedFile

if TYPE_CHECKING:
    from zermelo._methods.levels.storage import Level


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
        dtype: the type of the array of values.
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
        lists: for an expanded range, the lists of children in the file.
        top: the highest level that a move leads to.
        turns: the section of the players to move; None if players alternate.
        not_raised: a packed position with a move that does not raise the level.
        lowered: whether the move lowers it.
        large: whether the unit takes more memory than the worker has, and is to be halved.
        wide: whether a value does not fit in the type of values.
    """

    part: SharedFile | None = None
    lists: Sections | None = None
    top: int = 0
    turns: Sections | None = None
    not_raised: npt.NDArray[np.uint64] | None = None
    lowered: bool = False
    large: bool = False
    wide: bool = False
