"""The units of a game with cycles, and the results of workers.

Positions belong to *owners*, by the last bits of their hashes; an owner numbers its positions in
the order of discovery. A layer of positions is cut into ranges, and each range is expanded as a
unit. The result is a file of lists: for each owner, the distinct children in ascending order, each
with the positions of the range that lead there. Each owner adds the new positions of its lists, and
writes the numbers of all. Together that is every move, transposed.

Then there are rounds. An owner receives which of its positions have a move to one that was just
decided; it decides what follows, and sends messages to the owners of the predecessors.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo._cluster.sections import Rows, Sections
from zermelo._cluster.shared_files import SharedFile

#: Bits of a position's owner and of its number within the owner, together.
ID_BITS = 32
#: The first number of an owner's positions; smaller numbers stand for decided positions of others.
FIRST_NUMBER = 2


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
class OwnerMessages:
    """Messages that an owner received.

    Attributes:
        win: the code of a win, or of a tie, that follows from the messages.
        tie: whether the messages are of ties, and who prefers these; see ``tie_preference``.
        messages: the messages.
    """

    win: int
    tie: int
    messages: Sections


@dataclass(frozen=True)
class OwnerInputs:
    """The inputs that rebuild an owner's state.

    Attributes:
        sizes: the number of positions of each owner in each layer.
        lists: the lists that the owner received.
        ranges: for each list, the range of positions that lead to its children.
        each: the number of lists for each section of ``numbers``.
        numbers: the numbers of the children of lists.
        told: the messages that the owner received before.
    """

    sizes: Rows
    lists: Sections
    ranges: Rows
    each: tuple[int, ...]
    numbers: Sections
    told: tuple[OwnerMessages, ...]


@dataclass(frozen=True)
class RoundUnit:
    """The work of an owner in a round.

    Attributes:
        level: the remoteness of the positions decided before.
        owner: the owner.
        bits: the logarithm of the number of owners.
        step: the number of messages that the owner received before.
        told: the messages of this round; None if the owner sends messages from its terminal
            positions.
        code: the code of those terminal positions.
        basis: the inputs of the owner's state, for a worker that does not have it.
    """

    level: int
    owner: int
    bits: int
    step: int
    told: OwnerMessages | None
    code: int = 0
    basis: OwnerInputs | None = None


@dataclass(frozen=True)
class ValuesUnit:
    """The request for an owner's values after the last round.

    Attributes:
        level: the last round.
        owner: the owner.
        bits: the logarithm of the number of owners.
        step: the number of messages that the owner received before.
        favours: the player for whom endless play is a win, or NOBODY.
        basis: the inputs of the owner's state, for a worker that does not have it.
    """

    level: int
    owner: int
    bits: int
    step: int
    favours: int
    basis: OwnerInputs | None = None


@dataclass(frozen=True)
class StepResult:
    """A worker's result of a unit.

    Attributes:
        part: the file that the worker wrote, or None.
        rows: the sections of the file, with file number 0.
        begun: for an expanded range, the number of terminal positions that are wins or losses, and
            ties.
        back: whether a child was known before the layer was expanded.
        decided: the number of positions decided in a round.
        missing: whether the worker lacks the owner's state and needs ``basis``.
    """

    part: SharedFile | None = None
    rows: Rows | None = None
    begun: tuple[int, int] = (0, 0)
    back: bool = False
    decided: int = 0
    missing: bool = False


def ids_of(sizes: Rows, begin: int, end: int) -> npt.NDArray[np.uint32]:
    """Return the owner and the number within the owner of each position of a range.

    Args:
        sizes: the number of positions of each owner in each layer; positions are in this order.
        begin: the place of the first position.
        end: the place after the last position.
    """
    owners = sizes.shape[1]
    shift = ID_BITS - (owners.bit_length() - 1)
    flat = sizes.reshape(-1)
    ends = np.cumsum(flat)
    firsts = (np.cumsum(sizes, axis=0) - sizes).reshape(-1)
    found = []
    at = int(np.searchsorted(ends, begin, side="right"))
    while begin < end:
        stop = min(end, int(ends[at]))
        number = int(firsts[at]) + begin - int(ends[at] - flat[at]) + FIRST_NUMBER
        base = (at % owners << shift) + number
        found.append(np.arange(base, base + stop - begin, dtype=np.uint32))
        begin = stop
        at += 1
    return np.concatenate([np.empty(0, np.uint32), *found])


def spans_of(sizes: Rows, owner: int) -> Rows:
    """Return an owner's positions: a row for each layer, with the place and the count."""
    ends = np.cumsum(sizes.reshape(-1)).reshape(sizes.shape)
    return np.stack([ends[:, owner] - sizes[:, owner], sizes[:, owner]], axis=1)
