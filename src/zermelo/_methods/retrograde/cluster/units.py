"""The units of a game with circles, and what a worker says of each.

Positions belong to *owners*, by the last bits of their hashes; an owner numbers its own in the
order in which it comes to know them. A layer of positions is cut into ranges, each of which is
expanded as a unit; what comes of it is a file of lists: for each owner, the children in ascending
order, each once, with those of the range that lead there. Each owner adds to its positions what is
new in its lists, and writes down the numbers of all. Together that is every move, transposed.

Then there are rounds. An owner is told which of its positions have a move to one that was just
decided; it decides what follows, and tells the owners of what leads there.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFile
from zermelo._methods.levels.cluster.units import Rows, Sections

#: Bits of a position's owner and of its number there, together.
ID_BITS = 32
#: An owner's numbers begin here: those before stand for whoever was decided elsewhere.
FIRST_NUMBER = 2


@dataclass(frozen=True)
class ChildrenUnit:
    """A range of a layer whose children are wanted.

    Attributes:
        level: the layer.
        begin: the place of its first position.
        end: the place behind the last.
        bits: the logarithm of the number of owners.
    """

    level: int
    begin: int
    end: int
    bits: int


@dataclass(frozen=True)
class NumberUnit:
    """An owner's lists of the children of a layer.

    Attributes:
        level: the layer that is to be found.
        owner: the owner.
        spans: where its positions are that were known, a row for each layer: the place, and how
            many.
        before: how many of them are of earlier layers.
        lists: the lists.
    """

    level: int
    owner: int
    spans: Rows
    before: int
    lists: Sections


@dataclass(frozen=True)
class OwnerMessages:
    """Messages that an owner was sent.

    Attributes:
        win: the code of a win, or of a tie, that follows from them.
        tie: whether they are of ties, and who likes these; see ``tie_preference``.
        messages: the messages.
    """

    win: int
    tie: int
    messages: Sections


@dataclass(frozen=True)
class OwnerInputs:
    """All that an owner's state follows from.

    Attributes:
        sizes: how many positions each owner has of each layer.
        lists: the lists that the owner was given.
        ranges: of each list, from which place to which the positions are that lead there.
        each: how many lists there are for each of ``numbers``.
        numbers: the numbers of the children of lists.
        told: the messages that it was sent before.
    """

    sizes: Rows
    lists: Sections
    ranges: Rows
    each: tuple[int, ...]
    numbers: Sections
    told: tuple[OwnerMessages, ...]


@dataclass(frozen=True)
class RoundUnit:
    """What an owner has to do in a round.

    Attributes:
        level: the remoteness of what was decided before.
        owner: the owner.
        bits: the logarithm of the number of owners.
        step: how often it was told something before.
        told: what it is told now; None where it is to tell others of what has ended.
        code: the code of what has ended, then.
        basis: what its state follows from, for a worker that does not have it.
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
    """An owner's values, when there are no more rounds.

    Attributes:
        level: the last round.
        owner: the owner.
        bits: see ``RoundUnit``.
        step: see there.
        favours: the player for whom endless play is a win, or NOBODY.
        basis: see there.
    """

    level: int
    owner: int
    bits: int
    step: int
    favours: int
    basis: OwnerInputs | None = None


@dataclass(frozen=True)
class StepResult:
    """What a worker says of a unit.

    Attributes:
        part: the file that it wrote; None where it has none to show.
        rows: the sections of the file, with file number 0.
        begun: of an expanded range, how many positions have ended in a win or a loss, and in a tie.
        back: whether some child was known before the layer was expanded.
        decided: how many positions a round has decided.
        missing: whether the worker needs the basis.
    """

    part: SharedFile | None = None
    rows: Rows | None = None
    begun: tuple[int, int] = (0, 0)
    back: bool = False
    decided: int = 0
    missing: bool = False


def ids_of(sizes: Rows, begin: int, end: int) -> npt.NDArray[np.uint32]:
    """Return the owner and the number there of each of some positions that follow each other.

    Args:
        sizes: how many positions each owner has of each layer; positions are in this order.
        begin: the place of the first.
        end: the place behind the last.
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
    """Return where an owner's positions are: a row for each layer, the place and how many."""
    ends = np.cumsum(sizes.reshape(-1)).reshape(sizes.shape)
    return np.stack([ends[:, owner] - sizes[:, owner], sizes[:, owner]], axis=1)
