"""The units of a worker in a placement game: slices of a level, solved from recorded levels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo._cluster.file_job import FileJob
from zermelo._cluster.shared_files import SharedFile, SharedFileWriter
from zermelo._engine.core.ledger import Ledger
from zermelo._methods.placement.board import PlacementBoard
from zermelo._methods.placement.cluster.units import TierUnit
from zermelo._methods.placement.disk.solver import DiskSolver, LevelPlan
from zermelo._methods.placement.solver import MemorySolver, Words, directory_arrays
from zermelo.progress import Reporter


class PlacementUnits(FileJob):
    """The job of a worker: units that solve slices of a level."""

    lasting = True

    def __init__(
        self,
        folder: str,
        paths: dict[str, str],
        board: PlacementBoard,
        remoteness: bool,
        allowed: int,
        threads: int,
    ) -> None:
        """Prepare a solver that has read no level.

        Args:
            folder: the shared folder.
            paths: the file of each array in the folder.
            board: the game.
            remoteness: whether remoteness is computed.
            allowed: bytes of memory.
            threads: threads to use.
        """
        super().__init__(folder, paths)
        arrays: dict[str, Any] = {**self._columns, **directory_arrays(allowed)}
        solver = MemorySolver(board, Ledger(allowed), threads, Reporter(), arrays, timed=remoteness)
        self._work = _UnitSolver(solver, self._scratch)
        self._known = 0
        self._planned: tuple[bool, int] | None = None
        self._plan: LevelPlan | None = None

    def _write_unit(
        self, unit: TierUnit, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], SharedFile]]:
        """Solve some slices of a level; see ``FileJob``."""
        solver = self._work
        self._follow(solver.size + 1 if unit.values else unit.level)
        if self._planned != (unit.values, unit.level):
            self._plan = None  # its memory may be reused
            plan_level = solver.plan_with_next if unit.values else solver.plan_with_previous
            self._plan = plan_level(unit.level)
            self._planned = unit.values, unit.level
        assert self._plan is not None  # noqa: S101  # assigned above
        solver.part, solver.written = part, 0
        for group in self._plan.groups(unit.begin, unit.end):
            step = solver.sweep_group if unit.values else solver.reach_group
            step(unit.level, group)
        if not unit.values:
            for key, begins in solver.directory_begins().items():
                begin, end = span_of(begins, unit, solver.slices(unit.level))
                part.write(solver.arrays[key].array[begin:end])
        return solver.written, lambda file: file

    def _follow(self, level: int) -> None:
        """Read the directory entries of the levels before ``level`` that are not read yet."""
        solver = self._work
        if self._known < level:
            for key, begins in solver.directory_begins().items():
                begin, end = int(begins[self._known]), int(begins[level])
                self._columns[key].read(begin, solver.arrays[key].array[begin:end])
            solver.place_words(*solver.level_section[[self._known, level]].tolist())
            self._known = level
            if level > solver.size:
                solver.number()


class _UnitSolver(DiskSolver):
    """A solver that reads the levels of the driver, and writes a part of one level."""

    part: SharedFileWriter
    written: int

    def put_words(self, words: Words) -> None:
        """Write words of a group to the part."""
        self.part.write(words)
        self.written += len(words)

    def put_values(self, begin: int, values: Words) -> None:  # noqa: ARG002  # groups are in order
        """Write values of a group to the part."""
        self.part.write(values)
        self.written += len(values)


def span_of(level_begin: Any, unit: TierUnit, slices: int) -> tuple[int, int]:
    """Return the begin and the end of the blocks, or of the sections, of a unit.

    Args:
        level_begin: the offset of the blocks, or sections, of each level.
        unit: the unit.
        slices: the number of slices of the unit's level.
    """
    first, last = int(level_begin[unit.level]), int(level_begin[unit.level + 1])
    items_per_slice = (last - first) // slices
    return first + unit.begin * items_per_slice, first + unit.end * items_per_slice
