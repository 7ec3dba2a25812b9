"""The units that explore a game with cycles, and the results of workers.

Positions belong to *owners*, by the last bits of their hashes; an owner numbers its positions in
the order of discovery. A layer of positions is cut into ranges, and each range is expanded as a
unit. The result is a file of lists: for each owner, the distinct children in ascending order, each
with the positions of the range that lead there. Each owner adds the new positions of its lists, and
writes the numbers of all, with what leads there. Together that is every move, transposed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo._cluster.sections import Rows, Sections
from zermelo._cluster.shared_files import SharedFile


@dataclass(frozen=True)
class ChildrenUnit:
    """A range of a layer whose children are to be listed.

    Attributes:
        level: the layer.
        begin: the place of the first position.
        end: the place after the last position.
        bits: the logarithm of the number of owners.
    """

    level: int
    begin: int
    end: int
    bits: int


@dataclass(frozen=True)
class NumberUnit:
    """The lists of the children of a layer that belong to one owner.

    Attributes:
        level: the layer that these children form.
        owner: the owner.
        spans: where the owner's known positions are, a row for each layer: the place, and the
            count.
        before: the number of the owner's positions in earlier layers.
        lists: the lists.
    """

    level: int
    owner: int
    spans: Rows
    before: int
    lists: Sections


@dataclass(frozen=True)
class ExploreResult:
    """A worker's result of a unit.

    Attributes:
        part: the file that the worker wrote.
        rows: the sections of the file, with file number 0. The level of moves is the place of the
            first position of the range that they lead from.
        back: whether a child was known before the layer was expanded.
    """

    part: SharedFile
    rows: Rows
    back: bool = False


def moves_file(keys: str, number: int) -> str:
    """Return the name of a file of moves; ``keys`` is that of the column of positions."""
    return keys.replace("-keys.", f"-{number}.")


def spans_of(sizes: Rows, owner: int) -> Rows:
    """Return an owner's positions: a row for each layer, with the place and the count."""
    ends = np.cumsum(sizes.reshape(-1)).reshape(sizes.shape)
    return np.stack([ends[:, owner] - sizes[:, owner], sizes[:, owner]], axis=1)
