"""Ranges of numbered positions that a worker decides, round by round, whatever their moves are of.

It knows what was decided from columns that the driver has recorded, and reads what has been added
to these since its last round. Of its ranges it holds the moves, transposed, and how many moves do
not lose yet. Both can be made again, so that any worker can have any range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.propagate import Spreading
from zermelo._methods.dense.cluster.units import SpaceRoundUnit, Spans
from zermelo._methods.dense.status import DenseStatus
from zermelo.errors import BudgetError

#: Numbers of a row that says of a round what it was and where what it decided ends.
ROW = 4
#: Elements of a column that are read at once.
_AT_ONCE = 1 << 18

Numbers: TypeAlias = npt.NDArray[np.uint32]


class ReadableColumns(Protocol):
    """Columns by name."""

    def __getitem__(self, name: str, /) -> Readable:
        """Return one."""


class Readable(Protocol):
    """A column, be it another process's or one's own."""

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the elements from a place on, and return it."""


@dataclass
class KnownRange:
    """What is known of positions while those of a range are decided.

    Attributes:
        marks: the numbers of all; of the others only what was decided in rounds that are known.
        owners: whose turn it is in each, or empty; of the others once the first round is known.
        way: the moves of the range, transposed.
        bytes: the bytes that all of it takes.
        rounds: how many rounds are known, and followed.
        ends: where what these decided ends.
    """

    marks: DenseStatus
    owners: npt.NDArray[np.uint8]
    way: Spreading
    bytes: int
    rounds: int = 0
    ends: Sequence[int] = (0, 0)


class RangeRounds:
    """The ranges that a worker has to do with.

    Attributes:
        ranges: what is known of each.
    """

    def __init__(
        self,
        columns: ReadableColumns,
        made: Callable[[SpaceRoundUnit, int], KnownRange],
        pool: ThreadPoolExecutor | None,
    ) -> None:
        """Begin with none.

        Args:
            columns: those of the driver: ``rows``, ``won``, ``lost`` and ``turns``.
            made: returns what is known of the range of a unit before the first round, beside what
                takes this many bytes.
            pool: the threads that share a round, if there are any.
        """
        self.ranges: dict[Spans, KnownRange] = {}
        self._columns, self._makes, self._pool = columns, made, pool

    def decided(self, unit: SpaceRoundUnit) -> tuple[Numbers, Numbers, KnownRange]:
        """Return which positions of a unit a round decides: the won, the lost; and its range."""
        here, fresh = self.known(unit)
        state, code = here.marks.state, here.marks.reach(unit.tie, unit.level)
        if fresh is not None and unit.level:
            codes = state[fresh]
            return fresh[codes == code], fresh[codes != code], here
        won = _having(state, unit.spans, code)
        return won, _having(state, () if unit.tie else unit.spans, -code), here

    def known(self, unit: SpaceRoundUnit) -> tuple[KnownRange, Numbers | None]:
        """Return the range of a unit once what is recorded is followed; and what that has decided.

        The latter is None where it is not listed, or nothing was followed.
        """
        here, fresh = self._range_of(unit), None
        while here.rounds < unit.rounds:
            fresh = self._follow(here)
        return here, fresh

    def _range_of(self, unit: SpaceRoundUnit) -> KnownRange:
        if unit.spans not in self.ranges:
            try:
                made = self._makes(unit, sum(each.bytes for each in self.ranges.values()))
            except BudgetError:
                if not self.ranges:
                    raise
                self.ranges.clear()  # those that another is lost or late with
                made = self._makes(unit, 0)
            self.ranges[unit.spans] = made
        return self.ranges[unit.spans]

    def _follow(self, here: KnownRange) -> Numbers | None:
        """Decide what follows from the next round that is recorded; return it, if it is listed."""
        at = ROW * here.rounds
        tie, level, *ends = self._columns["rows"].read(at, np.empty(ROW, np.int64)).tolist()
        if not here.rounds:
            self._columns["turns"].read(0, here.owners)
        marks, way = here.marks, here.way
        marks.reach(tie, level + 1)
        code = marks.reach(tie, level)
        total = sum(ends) - sum(here.ends)
        listed, count = total <= way.capacity, 0
        parts = zip(("won", "lost"), here.ends, ends, (code, -code), strict=True)
        for name, begin, end, worth in parts:
            for some in read_on(self._columns[name], begin, end, np.uint32):
                marks.state[some] = worth
                if listed:
                    way.here[count : count + len(some)] = some
                    count += len(some)
        here.rounds, here.ends = here.rounds + 1, ends
        if not total:
            return way.here[:0]
        given = marks.state, marks.scale.ties, code - 1, tie
        decided, listed = way.one_level(self._pool, *given, count if listed else None)
        return np.sort(way.here[:decided]) if listed else None


def read_on(column: Readable, begin: int, end: int, kind: Any) -> Iterator[npt.NDArray[Any]]:
    """Read part of a column, some at a time; what is yielded is overwritten by what follows."""
    buffer = np.empty(min(_AT_ONCE, end - begin), kind)
    for at in range(begin, end, _AT_ONCE):
        yield column.read(at, buffer[: min(_AT_ONCE, end - at)])


def _having(state: npt.NDArray[Any], spans: Spans, code: int) -> Numbers:
    """Return which positions of some ranges have a code, ascending."""
    found = [np.empty(0, np.uint32)]
    for begin, end in spans:
        for at in range(begin, end, _AT_ONCE):
            here = state[at : min(at + _AT_ONCE, end)]
            found.append((np.flatnonzero(here == code) + at).astype(np.uint32))
    return np.concatenate(found)
