"""Checkpoints of placement games: found and decided levels, saved on disk and restored.

The compressed part of a level is saved: the words of reachable patterns, their values, and the
directory entries of each block and section. The planes that lead to the next level are unpacked
from these. A solve whose levels are on disk has written its words and values already, and keeps
these files.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.core.array_types import Int64Array
from zermelo.errors import TableWriteError

if TYPE_CHECKING:
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.placement.solver import PlacementSolver

#: The name of the checkpoint.
RECORD = "placement"
#: The saved data of a block and of a section.
_OF_BLOCK = {"present": np.uint64, "first": np.uint32, "rank": np.uint32}
BLOCKS = np.dtype(list(_OF_BLOCK.items()))
SECTIONS = np.dtype([("words", np.int64), ("places", np.int64)])
#: Blocks and sections that are read and written in one batch.
_SOME = 1 << 14


class LevelColumn(Protocol):
    """A readable column, whichever process writes it."""

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the elements from ``at`` on, and return it."""


class LevelColumns(Protocol):
    """The columns of a solve, by name."""

    def __getitem__(self, name: str) -> LevelColumn:
        """Return one column."""


class PlacementCheckpoint:
    """A checkpoint that saves levels as they are found, and their values as they are decided.

    Attributes:
        columns: ``words`` and ``values``, and the tables of blocks and sections.
        found: the number of saved levels.
        decided: the lowest level whose values are saved, or the number of levels.
        on_disk: whether levels were on disk while they were found.
    """

    def __init__(self, scratch: Scratch, size: int, threads: int) -> None:
        """Open the files of an earlier process, for a board of this many cells."""
        u64 = np.uint64
        self.columns = ColumnCheckpoint(
            scratch, RECORD, threads, words=u64, blocks=BLOCKS, sections=SECTIONS, values=u64
        )
        self._scratch = scratch
        self._size = size
        self._begin(*(self.columns.note or [0, 0, size + 1, 0, 0]))

    def _begin(self, on_disk: int, found: int, decided: int, *moved: int) -> None:
        self.on_disk = bool(on_disk)
        self.found, self.decided = found, decided
        self._moved = moved

    def begin_on_disk(self) -> None:
        """Discard levels that were found in memory; those to come are on disk."""
        if not self.on_disk:
            self.columns.drop()
            self._begin(1, 0, self._size + 1, 0, 0)

    # -- saving ----------------------------------------------------------------------------------

    def save(
        self, work: PlacementSolver, found: int, decided: int, *, needed: bool = False
    ) -> None:
        """Save what was found and decided since the last save, if there is enough of it.

        Args:
            work: the solve.
            found: the number of levels found.
            decided: the lowest decided level, or the number of levels.
            needed: whether other processes will read the levels, so that they must be saved.

        Raises:
            TableWriteError: a save was needed, and failed.
        """
        if not self.columns.saves:
            return
        sections = _span(work.level_section, self.found, found)
        spans = {
            "words": _span(work.words, *sections),
            "blocks": _span(work.level_block, self.found, found),
            "sections": sections,
        }
        if decided < self.decided:
            below = _span(work.level_section, decided, self.decided)
            spans["values"] = _span(work.value, *below)
        if not self.columns.should_save(self.columns.size(spans)) and not needed:
            return
        note = [self.on_disk, found, decided, self._scratch.written, self._scratch.read]
        new, copies = self._new(work, spans), not work.on_disk
        if self.columns.save(spans, note, None, new, copies=copies):
            self.found, self.decided = found, decided
        elif needed:
            message = (
                f"levels cannot be written to {str(self._scratch.folder)!r}, where the workers "
                "read them; free some space there, and run the same command again to resume"
            )
            raise TableWriteError(message)

    def _new(
        self, work: PlacementSolver, spans: dict[str, tuple[int, int]]
    ) -> Iterator[tuple[str, int, npt.NDArray[Any]]]:
        """Yield the data that is not in the columns yet."""
        for begin, end in _parts(*spans["blocks"]):
            yield "blocks", begin, blocks_of(work, begin, end)
        for begin, end in _parts(*spans["sections"]):
            yield "sections", begin, sections_of(work, begin, end)
        if not work.on_disk:
            yield "words", spans["words"][0], work.stored[slice(*spans["words"])]
            if "values" in spans:
                begin, end = spans["values"]
                yield "values", begin, work.values[begin:end]

    # -- restoring -------------------------------------------------------------------------------

    def restore_levels(self, work: PlacementSolver) -> int:
        """Restore the levels that were found; return their number."""
        if self.found:
            work.report.resume(f"{self.found} of {self._size + 1} levels were found")
            restore_places(work, self.columns, 0, self.found)
            if work.on_disk:
                self._scratch.written, self._scratch.read = self._moved
                return self.found
            words = int(work.words[work.level_section[self.found]])
            self.columns["words"].read(0, work.stored[:words])
            if self.found <= self._size:
                self._unpack(work, self.found - 1, values=False)
        return self.found

    def restore_values(self, work: PlacementSolver) -> int:
        """Restore the values that were found; return the lowest level that has them."""
        if self.decided <= self._size:
            decided = self._size + 1 - self.decided
            work.report.resume(f"{decided} of {self._size + 1} levels were decided")
            if work.on_disk:
                self._scratch.written, self._scratch.read = self._moved
                return self.decided
            begin = int(work.value[work.level_section[self.decided]])
            self.columns["values"].read(begin, work.values[begin:])
            if self.decided:
                self._unpack(work, self.decided, values=True)
        return self.decided

    def _unpack(self, work: PlacementSolver, level: int, *, values: bool) -> None:
        """Unpack the planes of a level, or its patterns in which the game goes on."""
        # Imported here, so that solves that are not resumed start without these kernels.
        from zermelo._methods.placement.disk.kernels import unpack_live, unpack_values

        tiers = work.tiers_of(level)
        in_tier = work.sections[level] // len(tiers)
        section, block = int(work.level_section[level]), int(work.level_block[level])
        out = work.live[level % 2]

        def some(first: int) -> None:
            count = min(step, len(tiers) - first)
            begin, end = section + first * in_tier, section + (first + count) * in_tier
            where = np.arange(first, first + count, dtype=np.int32)
            slices = first, count, work.in_slice(level), where
            stored = work.stored[work.words[begin] : work.words[end]]
            if not values:
                shape = work.shapes[level % 2]
                unpack_live(level, tiers, *slices, shape, block, work.present, stored, out)
                return
            unpack_values(
                work.bits[level],
                *slices,
                block,
                work.present,
                section,
                stored,
                len(work.planes[level]),
                work.value,
                work.values[work.value[begin] : work.value[end]],
                out,
            )

        step = -(-len(tiers) // (8 * work.threads))
        list(work.pool.map(some, range(0, len(tiers), step)))


def restore_places(work: PlacementSolver, columns: LevelColumns, first: int, last: int) -> None:
    """Restore the directory entries of some levels, after those of the levels before.

    Args:
        work: receives the entries.
        columns: ``blocks`` and ``sections``.
        first: the first level.
        last: the level after the last.
    """
    for begin, end in _parts(*_span(work.level_block, first, last)):
        put_blocks(work, begin, columns["blocks"].read(begin, np.empty(end - begin, BLOCKS)))
    for begin, end in _parts(*_span(work.level_section, first, last)):
        put_sections(work, begin, columns["sections"].read(begin, np.empty(end - begin, SECTIONS)))


def put_blocks(work: PlacementSolver, begin: int, blocks: npt.NDArray[Any]) -> None:
    """Restore the directory entries of some blocks within their sections."""
    for name in _OF_BLOCK:
        getattr(work, name)[begin : begin + len(blocks)] = blocks[name]


def put_sections(work: PlacementSolver, begin: int, sections: npt.NDArray[Any]) -> None:
    """Restore the words and positions of some sections, after those of the sections before."""
    end = begin + len(sections)
    work.in_section[begin:end] = sections["words"]
    work.places[begin + 1 : end + 1] = sections["places"]
    np.cumsum(sections["words"], out=work.words[begin + 1 : end + 1])
    work.words[begin + 1 : end + 1] += work.words[begin]


def blocks_of(work: PlacementSolver, begin: int, end: int) -> npt.NDArray[Any]:
    """Return the entries of blocks that ``put_blocks`` restores."""
    blocks = np.empty(end - begin, BLOCKS)
    for name in _OF_BLOCK:
        blocks[name] = getattr(work, name)[begin:end]
    return blocks


def sections_of(work: PlacementSolver, begin: int, end: int) -> npt.NDArray[Any]:
    """Return the entries of sections that ``put_sections`` restores."""
    sections = np.empty(end - begin, SECTIONS)
    sections["words"] = work.in_section[begin:end]
    sections["places"] = work.counts(begin, end)
    return sections


def _span(array: Int64Array, begin: int, end: int) -> tuple[int, int]:
    return int(array[begin]), int(array[end])


def _parts(begin: int, end: int) -> Iterator[tuple[int, int]]:
    return ((at, min(at + _SOME, end)) for at in range(begin, end, _SOME))
