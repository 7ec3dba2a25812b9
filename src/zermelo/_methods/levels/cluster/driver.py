"""The driver of levels on a cluster: workers create and decide levels, it records them.

The driver's files are those of a solve on disk. Workers exchange files of lists, which are not
recorded, and are made again if a solve is resumed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.pool import WorkerPool
from zermelo._cluster.ranges import in_order
from zermelo._cluster.sections import COUNT, LEVEL, OWNER, Sections
from zermelo._cluster.shared_files import SharedFile, SharedFileReader
from zermelo._compile.rules import CompiledRules
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.sort.buckets import bucket_bits
from zermelo._engine.sort.position_lists import PART_BITS
from zermelo._methods.levels.checkpoint import VALUES_FILE
from zermelo._methods.levels.cluster.units import DecideUnit, ExpandUnit, MergeUnit, UnitResult
from zermelo._methods.levels.cluster.worker import LevelUnits
from zermelo._methods.levels.file_storage import FileStorage
from zermelo._methods.levels.storage import Level, LevelNotRaisedError
from zermelo._methods.levels.values import WideValueError
from zermelo._methods.pickled_game import PickledGame
from zermelo.progress import Reporter

#: Positions per range, and the approximate number per owner's part of a level.
_RANGE, _OWNED = 1 << 19, 1 << 20
#: Bytes of memory for each of them, per word of a position: with less memory, they are smaller.
_EACH = 1 << 9
#: The driver does the units of a level with fewer positions itself.
_LEVEL = 1 << 16
#: The most bytes of higher levels that all workers together read for each position that they
#: decide, if fewer workers suffice for that.
_WORTH = 128
#: The share of a worker's memory that the values of a range may take, as a divisor.
_VALUES_SHARE = 8
#: The most owners of a level.
_MOST_OWNERS = 1 << 12
_NOTHING = np.empty(0, np.uint64)


class ClusterStorage(FileStorage):
    """The storage of levels in the driver of a solve on a cluster."""

    description = ""  # the table is that of a solve in memory

    def __init__(
        self,
        expand: CompiledRules,
        ledger: Ledger,
        threads: int,
        arrays: Mapping[str, Any],
        scratch: Scratch,
        paths: dict[str, str],
        workers: WorkerPool,
        report: Reporter,
    ) -> None:
        """Start the job of the workers, which find arrays by ``paths``; see ``FileStorage``.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: the workers cannot be used.
        """
        folder = scratch.folder
        paths = {**paths, "values": scratch.checkpoint.file(VALUES_FILE).name}
        arguments = str(folder.absolute()), paths, PickledGame.from_rules(expand)
        job = workers.begin(folder, LevelUnits, arguments, self._publish)
        allowed = workers.driver_memory(ledger).allowed
        ledger.fits(allowed)
        super().__init__(expand, Ledger(allowed // 2), 1, arrays, scratch)
        self._own = job(allowed // 2, threads)
        self._workers = workers
        self._report = report
        most = max(1, self.allowed // (_EACH * self.words))
        self._range, self._owned = min(_RANGE, most), min(_OWNED, most)
        self._lists: dict[int, list[Sections]] = {}
        self._uses: Counter[str] = Counter()
        self._starts: dict[int, npt.NDArray[np.uint64]] = {}

    # -- up -------------------------------------------------------------------------------------

    def add_starts(self, level: int, packed: npt.NDArray[np.uint64]) -> None:
        """Queue starts, all of which are on a level."""
        self._starts[level] = packed

    def waiting_levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return [*self._starts, *self._lists]

    def expand_level(self, level: int, beyond: int | None = None) -> Iterator[int]:
        """Run the units that list the children of a level, and queue the lists."""
        here = self.levels[level]
        default = self._bits_of(3 * here.count)
        bits = {n: self._owner_bits(n) for n in {*self.levels, *self.queue.bits} if n > level}
        ranges = self._ranges(level, self._range)
        units = [ExpandUnit(level, *each, bits, default) for each in ranges]
        while units:
            halves = []
            for place, found in self._run(units, here.count):
                unit = units[place]
                if found.not_raised is not None:
                    raise LevelNotRaisedError(found.not_raised, lowered=found.lowered)
                if found.large:
                    middle = (unit.begin + unit.end) // 2
                    both = (unit.begin, middle), (middle, unit.end)
                    halves += [ExpandUnit(level, *each, bits, default) for each in both]
                    continue
                if found.turns is not None:
                    turns = np.empty(unit.end - unit.begin, np.uint8)
                    found.turns.read_into(self.scratch.folder, 0, turns)
                    self.arrays["turns"].write(unit.begin, turns)
                self._queue_lists(found, default, beyond)
                yield found.top
            units = halves

    def _queue_lists(self, found: UnitResult, default: int, beyond: int | None) -> None:
        """Queue the lists of a unit, or those of levels above ``beyond``.

        Args:
            found: the result of the unit.
            default: the logarithm of the number of owners of levels that are new.
            beyond: the highest level that exists already, or None.
        """
        assert found.lists is not None  # noqa: S101  # the unit was not refused
        levels = found.lists.rows[:, LEVEL]
        for level in np.unique(levels).tolist():
            self.queue.bits.setdefault(level, default)
            if beyond is None or level > beyond:
                self._lists.setdefault(level, []).append(found.lists.select(levels == level))
                self._uses[_part_of(found).name] += 1
        self._delete_unused(_part_of(found).name)

    def _delete_unused(self, name: str) -> None:
        """Delete a file of lists, if no level is waiting for any of them."""
        if not self._uses[name]:
            del self._uses[name]
            (self.scratch.folder / name).unlink(missing_ok=True)

    def _ranges(self, level: int, size: int) -> list[tuple[int, int]]:
        """Return the ranges of a level, of at most ``size`` positions."""
        here, size = self.levels[level], limits.current().batch(size)
        return [(at, min(at + size, here.end)) for at in range(here.begin, here.end, size)]

    def _bits_of(self, expected: int) -> int:
        """Return the logarithm of the number of owners for about ``expected`` positions."""
        owned, bits = limits.current().batch(self._owned), 0
        while owned << bits < expected and 1 << bits < _MOST_OWNERS:
            bits += 1
        return bits

    def _owner_bits(self, level: int) -> int:
        """Return the logarithm of the number of a level's owners."""
        if level not in self.queue.bits:  # an earlier process has created it
            here = self.levels[level]
            self.queue.bits[level] = min(self._bits_of(here.count), here.bits)
        return self.queue.bits[level]

    def collect(self, level: int) -> None:
        """Create a level from the lists that lead to it."""
        starts = self._starts.pop(level, _NOTHING)
        lists = Sections.joined(self._lists.pop(level, []))
        lists = Sections(lists.names, lists.rows[np.argsort(lists.rows[:, OWNER], kind="stable")])
        raw = int(lists.rows[:, COUNT].sum()) + len(starts) // self.words
        owner_bits = self.queue.bits.setdefault(level, self._bits_of(raw))
        bits = max(bucket_bits(raw), owner_bits + PART_BITS)
        ends = np.searchsorted(lists.rows[:, OWNER], np.arange((1 << owner_bits) + 1)).tolist()
        units = [
            MergeUnit(level, owner, owner_bits, bits, lists.select(slice(*part)), starts)
            for owner, part in enumerate(pairwise(ends))
        ]
        keys, offsets = self.arrays["keys"], self.arrays["offsets"]
        begin, first = self.known, len(offsets)
        offsets.append(np.array([begin], np.uint32))
        # Positions of a level are in the order of their owners.
        for _, found in in_order(self._run(units, raw)):
            part = _part_of(found)
            with SharedFileReader(self.scratch.folder, part) as reader:
                for _, some in reader.arrays(part.count * self.words, np.uint64):
                    keys.append(some)
                for _, some in reader.arrays(1 << (bits - owner_bits), np.uint32):
                    offsets.append(some + np.uint32(self.known))
                reader.end()
            self._count(part.count)
        self.levels[level] = Level(begin, self.known, self.known - begin, bits, first)
        for name in lists.names:
            self._uses[name] -= 1
            self._delete_unused(name)

    # -- down -----------------------------------------------------------------------------------

    def decide_level(self, level: int, top: int) -> Iterator[int]:
        """Run the units that decide a level by the levels above; see ``Storage``."""
        above = {n: here for n, here in self.levels.items() if level < n <= top}
        dtype, count = self.value_kind.str, self.levels[level].count
        size = self._deciding_range(level, top)
        units = [DecideUnit(level, *each, dtype, above) for each in self._ranges(level, size)]
        for place, found in self._run(units, count):
            yield self._take_values(units[place], found)

    def _deciding_range(self, level: int, top: int) -> int:
        """Return the positions of a range that is to be decided by the levels above.

        A worker reads the levels above once and keeps them if they fit in its memory; otherwise it
        reads them for each range, so that ranges are as large as its memory allows.
        """
        count, workers = self.levels[level].count, self._workers.size
        size = self.reader(level, top).bytes(self.allowed)
        readers = min(workers, max(1, _WORTH * count // max(size, 1)))
        if size <= self.allowed and readers == workers:
            return self._range
        most = self.allowed // (_VALUES_SHARE * self.value_bytes)
        return max(self._range, min(-(-count // readers), most))

    def _take_values(self, unit: DecideUnit, found: UnitResult) -> int:
        """Write the values of a range into their array; return their number."""
        if found.wide:
            raise WideValueError
        part = _part_of(found)
        with SharedFileReader(self.scratch.folder, part) as reader:
            reader.check(holds=part.count == unit.end - unit.begin)
            for at, some in reader.arrays(part.count, self.value_kind):
                self.arrays["values"].write(unit.begin + at, some)
            reader.end()
        return part.count

    def finish(self) -> None:
        """Create the table, and report the work of the workers."""
        super().finish()
        self._report.tell("cluster", self._workers.summary(self.known))

    # -- both -----------------------------------------------------------------------------------

    def _publish(self) -> None:
        """Sync the files to the disk, for workers to read."""
        for array in self.arrays.values():
            array.sync()

    def _run(self, units: list[Any], count: int) -> Iterator[tuple[int, UnitResult]]:
        """Run units over ``count`` positions; yields the number and the result of each."""
        alone = count < limits.current().shared(_LEVEL)
        return self._workers.run(units, own=self._own if alone else None)


def _part_of(found: UnitResult) -> SharedFile:
    assert found.part is not None  # noqa: S101  # the unit was not refused
    return found.part
