"""The driver of a placement game on a cluster, whose large levels workers solve.

The driver's files are those of a solve on disk. A level is added to them, and to the record of the
complete part of them, when all its parts are there: workers read the levels that are recorded, and
no others.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.pool import WorkerPool
from zermelo._cluster.ranges import cost_ranges, in_order
from zermelo._cluster.shared_files import SharedFile, SharedFileReader
from zermelo._engine.core.scratch import Scratch
from zermelo._methods.placement.cluster.units import TierUnit
from zermelo._methods.placement.cluster.worker import PlacementUnits, span_of
from zermelo._methods.placement.disk.solver import DiskSolver
from zermelo._methods.placement.solver import DIRECTORY, PlacementSolver

#: The least patterns of a level that is shared, and of a unit.
_LEVEL, _UNIT = 1 << 25, 1 << 22
#: Units of a level per worker: more balance the load better, fewer unpack less data twice.
_EACH = 3


class ClusterWork(DiskSolver):
    """The driver's side of a solve on a cluster."""

    def __init__(
        self,
        work: PlacementSolver,
        scratch: Scratch,
        paths: dict[str, str],
        workers: WorkerPool,
    ) -> None:
        """Start the job of the workers, which find arrays by ``paths``.

        Raises:
            BudgetError: there is too little memory.
            ClusterError: the workers cannot be used.
        """
        folder = scratch.folder
        workers.begin(
            folder, PlacementUnits, (str(folder.absolute()), paths, work.board, work.timed)
        )
        work.ledger = workers.driver_memory(work.ledger)
        work.allowed = work.ledger.allowed
        super().__init__(work, scratch)
        self.workers = workers

    def end_values(self) -> None:
        """Prepare everything for the table, and report the work of the workers."""
        super().end_values()
        self.report.tell("cluster", self.workers.summary(int(self.places[-1])))

    def description(self) -> str:
        """Return an empty description: the table is that of a solve in memory."""
        return ""

    def shares(self, level: int) -> bool:
        """Return whether workers solve a level; after the last, whether they solve any values."""
        if level > self.size:
            return any(map(self.shares, range(self.size + 1)))
        least = limits.current().shared(_LEVEL)
        return level >= 0 and self.patterns_of([level]) >= least and self.slices(level) > 1

    def reach(self, level: int) -> None:
        """Find the reachable patterns of a level."""
        if not self.shares(level):
            super().reach(level)
            return
        units = self._units(level, np.ones(self.slices(level)), values=False)
        before = self.report.done
        for place, part in in_order(self.workers.run(units)):  # words are appended in order
            self._take_words(units[place], part)
            self.report.advance(before + self.patterns_of([level]) * (place + 1) // len(units))

    def sweep(self, level: int) -> None:
        """Find the values of a level."""
        if not self.shares(level):
            super().sweep(level)
            return
        units = self._units(level, 1.0 + self.stored_words(level, values=True), values=True)
        before = self.report.done
        for done, (place, part) in enumerate(self.workers.run(units), 1):
            self._take_values(units[place], part)
            self.report.advance(before + self.patterns_of([level]) * done // len(units))

    def _units(self, level: int, costs: npt.NDArray[Any], *, values: bool) -> list[TierUnit]:
        """Return ranges of slices of a level that take about equally long."""
        each = self.patterns_of([level]) // len(costs)
        most = len(costs) * each // min(limits.current().shared(_UNIT), each * len(costs))
        count = max(min(_EACH * self.workers.size, most), 1)
        return [TierUnit(values, level, *span) for span in cost_ranges(costs, count)]

    def _take_words(self, unit: TierUnit, part: SharedFile) -> None:
        """Append the words of a part, and store their directory entries."""
        slices = self.slices(unit.level)
        section, last_section = span_of(self.level_section, unit, slices)
        with SharedFileReader(self.scratch.folder, part) as reader:
            for _, words in reader.arrays(part.count, np.uint64):
                self.arrays["words"].append(words)
            for name, begins in self.directory_begins().items():
                begin, end = span_of(begins, unit, slices)
                for at, entries in reader.arrays(end - begin, DIRECTORY[name]):
                    self.arrays[name].write(begin + at, entries)
            reader.end()
            self.place_words(section, last_section)
            found = int(self.words[last_section] - self.words[section])
            reader.check(holds=found == part.count)

    def _take_values(self, unit: TierUnit, part: SharedFile) -> None:
        """Write the values of a part into their file."""
        section, last = span_of(self.level_section, unit, self.slices(unit.level))
        begin, end = int(self.value[section]), int(self.value[last])
        with SharedFileReader(self.scratch.folder, part) as reader:
            reader.check(holds=part.count == end - begin)
            for at, values in reader.arrays(part.count, np.uint64):
                self.arrays["values"].write(begin + at, values)
            reader.end()
