"""Ranges of numbered positions that a worker decides, round by round, for any sort of moves.

The driver records decided positions in columns, and the worker reads what has been added to these
since its last round. For its ranges the worker has the transposed moves and the status array. Both
can be rebuilt, so any worker can do any range.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._cluster.file_job import FileJob
from zermelo._cluster.shared_files import SharedFile, SharedFileWriter
from zermelo._engine.backward.propagate import LevelCodes, Spreading
from zermelo._engine.backward.status import StatusArray
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo.errors import BudgetError

#: The numbers of a row of ``rows``: what a round was, and where the positions that it decided end.
ROW = 4
#: Elements of a column that are read in one batch.
_ELEMENTS_PER_BATCH = 1 << 18
#: The alternative to allowing a worker more memory.
REMEDY = "start more workers, fewer of them on each machine"

Numbers: TypeAlias = npt.NDArray[np.uint32]
#: Beginnings and ends of ranges.
Spans: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RoundUnit:
    """Ranges of positions in which a round decides positions.

    Attributes:
        level: the remoteness that it decides.
        tie: whether it decides ties, and which player prefers them; see ``tie_preference``.
        spans: the ranges of numbers, ascending: beginnings and ends.
        rounds: the number of recorded rounds.
        positions: the number of all positions.
        lengths: the lengths of the columns that say where moves are, if there are such columns.
    """

    level: int
    tie: int
    spans: Spans
    rounds: int
    positions: int
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundResult:
    """A worker's result of a round.

    Attributes:
        part: the file of the positions decided, won before lost; it may end with other data.
        won: the number of won, or tied, positions.
        lost: the number of lost positions.
    """

    part: SharedFile
    won: int
    lost: int


class Readable(Protocol):
    """A column of this process or of another."""

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the elements from ``at`` on, and return it."""


@dataclass
class KnownRange:
    """The state of a range, with what is known of other positions.

    Attributes:
        status: the status of all positions; for other ranges only what known rounds decided.
        spreading: the moves of the range, transposed; and the player to move in each position, for
            other ranges once the first round is known.
        bytes: the bytes of all of it.
        rounds: the number of known rounds, which are followed.
        ends: where the positions that these rounds decided end.
    """

    status: StatusArray
    spreading: Spreading
    bytes: int
    rounds: int = 0
    ends: Sequence[int] = (0, 0)


class RangeUnits(FileJob):
    """The job of a worker: rounds in its ranges of positions, and a method's other units.

    Attributes:
        ranges: the state of each range.
    """

    def __init__(self, folder: str, paths: Mapping[str, str], allowed: int, threads: int) -> None:
        """Create a job without ranges.

        Args:
            folder: the shared folder.
            paths: the file of each column of the driver in the folder: ``rows``, ``won``, ``lost``,
                ``turns``, and those of the method.
            allowed: bytes of memory.
            threads: threads to use.
        """
        super().__init__(folder, paths)
        self._ledger = Ledger(allowed)
        self.ranges: dict[Spans, KnownRange] = {}
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")

    @abstractmethod
    def _create_range(self, unit: RoundUnit, others: int) -> KnownRange:
        """Return the state of a unit's range before the first round.

        Args:
            unit: the unit.
            others: the bytes that other ranges take.

        Raises:
            BudgetError: the range does not fit in memory beside the others.
        """

    def _write_unit(
        self, unit: Any, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], Any]]:
        """Write what a round finds; a method that has other units, too, overrides this."""
        won, lost = self._decide_unit(unit)
        part.write(won)
        part.write(lost)
        return len(won), partial(RoundResult, won=len(won), lost=len(lost))

    def _decide_unit(self, unit: RoundUnit) -> tuple[Numbers, Numbers]:
        """Return the positions that a round decides in a unit: wins, and losses."""
        known, decided = self.replay_unit(unit)
        code, state = known.status.code_for(unit.tie, unit.level), known.status.state
        if decided is not None and unit.level:
            codes = state[decided]
            return decided[codes == code], decided[codes != code]
        won = _with_code(state, unit.spans, code)
        return won, _with_code(state, () if unit.tie else unit.spans, -code)

    def replay_unit(self, unit: RoundUnit) -> tuple[KnownRange, Numbers | None]:
        """Return a unit's range after all recorded rounds; and the positions that the last decided.

        The latter is None if they are not listed, or no round was followed.
        """
        known, decided = self._range_of(unit), None
        while known.rounds < unit.rounds:
            decided = self._follow_round(known)
        return known, decided

    def _range_of(self, unit: RoundUnit) -> KnownRange:
        """Return the range of a unit; create it if the worker does not have it."""
        if unit.spans not in self.ranges:
            try:
                known = self._create_range(unit, sum(each.bytes for each in self.ranges.values()))
            except BudgetError:
                if not self.ranges:
                    raise
                self.ranges.clear()  # ranges taken over from a lost or late worker
                known = self._create_range(unit, 0)
            self.ranges[unit.spans] = known
        return self.ranges[unit.spans]

    def _follow_round(self, known: KnownRange) -> Numbers | None:
        """Decide what follows from the next recorded round; return it, or None if not listed."""
        at = ROW * known.rounds
        tie, level, *ends = self._columns["rows"].read(at, np.empty(ROW, np.int64)).tolist()
        if not known.rounds:
            self._columns["turns"].read(0, known.spreading.owners)
        status, spreading = known.status, known.spreading
        status.code_for(tie, level + 1)
        code = status.code_for(tie, level)
        total = sum(ends) - sum(known.ends)
        is_listed, count = total <= spreading.capacity, 0
        parts = zip(("won", "lost"), known.ends, ends, (code, -code), strict=True)
        for name, begin, end, new_code in parts:
            for batch in read_batches(self._columns[name], begin, end, np.uint32):
                status.state[batch] = new_code
                if is_listed:
                    spreading.here[count : count + len(batch)] = batch
                    count += len(batch)
        known.rounds, known.ends = known.rounds + 1, ends
        if not total:
            return spreading.here[:0]
        size, is_listed = spreading.one_level(
            self._pool if self._threads > 1 else None,
            status.state,
            LevelCodes(status.scale.ties, code - 1, tie),
            count if is_listed else None,
        )
        return np.sort(spreading.here[:size]) if is_listed else None


def read_decided(columns: Mapping[str, Readable], unit: RoundUnit) -> npt.NDArray[np.bool_]:
    """Return a mask of the positions that recorded rounds decided; empty before the first round.

    A range that is made later needs no moves of these, as nothing follows there any more.
    """
    decided: npt.NDArray[np.bool_] = zeros(unit.positions if unit.rounds else 0, np.bool_)
    if unit.rounds:
        row = columns["rows"].read(ROW * (unit.rounds - 1), np.empty(ROW, np.int64))
        for name, end in zip(("won", "lost"), row[2:].tolist(), strict=True):
            for batch in read_batches(columns[name], 0, end, np.uint32):
                decided[batch] = True
    return decided


def read_batches(column: Readable, begin: int, end: int, kind: Any) -> Iterator[npt.NDArray[Any]]:
    """Yield part of a column in batches; each overwrites the batch before."""
    buffer = np.empty(min(_ELEMENTS_PER_BATCH, end - begin), kind)
    for at in range(begin, end, _ELEMENTS_PER_BATCH):
        yield column.read(at, buffer[: min(_ELEMENTS_PER_BATCH, end - at)])


def _with_code(state: npt.NDArray[Any], spans: Spans, code: int) -> Numbers:
    """Return the positions of some ranges that have a code, ascending."""
    found = [np.empty(0, np.uint32)]
    for begin, end in spans:
        for at in range(begin, end, _ELEMENTS_PER_BATCH):
            batch = state[at : min(at + _ELEMENTS_PER_BATCH, end)]
            found.append((np.flatnonzero(batch == code) + at).astype(np.uint32))
    return np.concatenate(found)
