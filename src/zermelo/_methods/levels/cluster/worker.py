"""The units of a worker in a game with levels: expand a range, merge lists, decide a range."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedColumn, SharedFileWriter, damage_error
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import map_ordered, map_unordered
from zermelo._engine.sort.position_lists import PART_BITS, PARTS, SLACK, read_heads
from zermelo._methods.levels.bucket_storage import Window
from zermelo._methods.levels.cluster.higher_levels import ValuesAbove, fits_layout, levels_bytes
from zermelo._methods.levels.cluster.units import (
    DecideUnit,
    ExpandUnit,
    MergeUnit,
    UnitResult,
)
from zermelo._methods.levels.file_storage import FileStorage
from zermelo._methods.levels.queued_lists import QueuedLists
from zermelo._methods.levels.storage import Level, LevelNotRaisedError, MemoryColumn
from zermelo._methods.levels.values import WideValueError

if TYPE_CHECKING:
    from zermelo._methods.levels.workspace import LevelledRules
    from zermelo._methods.pickled_game import PickledGame

#: The least positions of a range that is halved.
_LEAST = 1 << 8


class TooLargeError(Exception):
    """The children of a range do not fit in memory."""


class LevelUnits:
    """The job of a worker: units of levels; a unit has all facts that the worker needs."""

    def __init__(
        self, folder: str, paths: dict[str, str], game: PickledGame, allowed: int, threads: int
    ) -> None:
        """Compile the rules.

        Args:
            folder: the shared folder.
            paths: the file of each column in the folder.
            game: the game.
            allowed: bytes of memory.
            threads: threads to use.
        """
        self._folder = Path(folder)
        self._scratch = Scratch(self._folder)
        columns = {
            name: SharedColumn(self._scratch, self._folder / path) for name, path in paths.items()
        }
        expand = game.compiled()
        self._storage = _UnitStorage(expand, Ledger(allowed), threads, self._scratch, columns)
        self._words = expand.words
        self._turned = not expand.alternate
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")

    def do_unit(self, unit: Any, name: str) -> UnitResult:
        """Do a unit; see ``worker.Job``."""
        method: Any = {
            ExpandUnit: self._expand,
            MergeUnit: self._merge,
            DecideUnit: self._decide,
        }[type(unit)]
        self._read = self._scratch.read
        if not isinstance(unit, DecideUnit):
            self._storage.above = None
        try:
            with SharedFileWriter(self._folder, name) as part:
                result: UnitResult = method(unit, part)
                return result
        except LevelNotRaisedError as error:
            return UnitResult(not_raised=error.packed, lowered=error.lowered)
        except WideValueError:
            return UnitResult(wide=True)
        except TooLargeError:
            return UnitResult(large=True)
        finally:
            self._storage.end_unit()

    # -- up -------------------------------------------------------------------------------------

    def _expand(self, unit: ExpandUnit, part: SharedFileWriter) -> UnitResult:
        """Write lists of the children of a range of positions, by level and owner."""
        storage, level = self._storage, unit.level
        storage.begin_unit(Level(unit.begin, unit.end, unit.end - unit.begin, 0, 0), level)
        storage.begin_lists(unit, halves=unit.end - unit.begin > _LEAST)
        top = level
        spans = storage.chunks(level)
        for _, highest in map_unordered(
            self._pool, storage.workspaces, storage.scatter_unit, spans
        ):
            top = max(top, highest)
        turns = None
        if self._turned:
            turns = np.array(
                [self._write_section(part, storage.turned, level, 0, len(storage.turned))]
            )
        items = [
            (child_level, owner)
            for child_level in sorted({n for w in storage.workspaces for n in w.partitions})
            for owner in range(1 << storage.bits_of(child_level))
        ]
        rows = []
        for (child_level, owner), packed in map_ordered(
            self._pool, storage.workspaces, self._packed, items
        ):
            if packed is not None:
                rows.append(self._write_section(part, packed[1], child_level, owner, packed[0]))
        return self._unit_result(part, rows, top=top, turns=turns)

    def _packed(
        self, workspace: Any, item: tuple[int, int]
    ) -> tuple[int, npt.NDArray[np.uint8]] | None:
        """Return the number and a list of a level's positions for an owner; None if empty."""
        level, owner = item
        words = self._words
        parts = [w.partitions[level] for w in self._storage.workspaces if level in w.partitions]
        size = sum(partitions.size(owner) for partitions in parts)
        if not size:
            return None
        raw = workspace.raw_for(size)
        count = 0
        for partitions in parts:
            count = partitions.gather(owner, raw, count)
        bits = self._storage.bits_of(level) + PART_BITS
        found: tuple[int, Any] = workspace.coder.list_parts(raw[: count * words], bits)
        return found

    def _merge(self, unit: MergeUnit, part: SharedFileWriter) -> UnitResult:
        """Write an owner's part of a level: its positions, and the ends of its buckets."""
        storage, level = self._storage, unit.level
        partition_bits = unit.owner_bits + PART_BITS
        storage.begin_merge(level, partition_bits)
        starts = unit.starts
        if len(starts):
            count = len(starts) // self._words
            levels = np.full(count, level)
            storage.add(storage.workspaces[0], level, 0, starts, levels, count)
        lists = self._queued(unit)
        storage.check_merge(level, lists, unit)
        waiting = [w.partitions[level] for w in storage.workspaces if level in w.partitions]
        partitions = range(unit.owner << PART_BITS, (unit.owner + 1) << PART_BITS)
        arguments = self._pool, [lists, *waiting], partitions, partition_bits, unit.bits
        total, ends = 0, []
        for count, bucket_ends, keys in storage.made(*arguments):
            part.write(keys)
            ends.append(bucket_ends + np.uint32(total))
            total += count
        part.write(np.concatenate(ends))
        return self._unit_result(part, [], total)

    # -- down -----------------------------------------------------------------------------------

    def _decide(self, unit: DecideUnit, part: SharedFileWriter) -> UnitResult:
        """Write the values of a range, found in the files of the levels above."""
        storage, level = self._storage, unit.level
        count = unit.end - unit.begin
        storage.begin_unit(Level(unit.begin, unit.end, count, 0, 0), level, unit.dtype)
        values = storage.begin_deciding(unit.begin, count)
        for window in storage.windows_on(self._pool, level, unit.above):

            def decide(workspace: Any, span: tuple[int, int], window: Any = window) -> int:
                return storage.decide(window, workspace, level, span)

            for _ in map_unordered(self._pool, storage.workspaces, decide, storage.chunks(level)):
                pass
            del decide, window  # so that the next window can reuse the memory
        part.write(values)
        return self._unit_result(part, [], count)

    # -- files ----------------------------------------------------------------------------------

    def _queued(self, unit: MergeUnit) -> QueuedLists:
        """Read the lists of a unit, all of which are of one owner."""
        lists, begins = unit.lists, unit.lists.offsets()
        column = MemoryColumn(np.uint8, self._storage.allowed)
        column.allocate(int(begins[-1]) + SLACK)

        def read(_: Any, n: int) -> None:
            lists.read_into(self._folder, n, column.array[begins[n] : begins[n + 1]])

        items = range(len(lists.rows))
        for _ in map_unordered(self._pool, self._storage.workspaces, read, items):
            pass
        self._scratch.read += int(begins[-1])
        path = self._folder / lists.names[0] if lists.names else self._folder
        queued = QueuedLists(column, self._words, damage_error(path), unit.owner << PART_BITS)
        for part_begins, counts in zip(*read_heads(column.array, begins), strict=True):
            queued.add(part_begins, counts)
        return queued

    def _write_section(
        self,
        part: SharedFileWriter,
        data: npt.NDArray[np.uint8],
        level: int,
        owner: int,
        count: int,
    ) -> list[int]:
        """Write a section; return the row that describes it."""
        return [level, owner, 0, part.size, len(data), count, part.write_section(data)]

    def _unit_result(
        self, part: SharedFileWriter, rows: list[list[int]], count: int = 0, **fields: Any
    ) -> UnitResult:
        """Return the result of a unit whose file is complete."""
        read = self._scratch.read - self._read
        array = np.array(rows, np.int64).reshape(-1, 7)
        return UnitResult(part.finish(count, read, lasting=False), array, **fields)


class _UnitStorage(FileStorage):
    """The storage of levels in the driver's files, for one unit at a time.

    Attributes:
        above: a key, which is a level and the type of its values; and the loaded levels that moves
            from this level reach. The first unit of a level loads them for the units that follow.
    """

    above: tuple[tuple[int, str], Window | ValuesAbove] | None = None

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        scratch: Scratch,
        columns: dict[str, SharedColumn],
    ) -> None:
        self._values_size = 0
        super().__init__(expand, ledger, threads, scratch, columns)
        self._shared = columns
        self._dtype = np.dtype(np.uint8)
        self._default = 0
        self._halves = False
        self.turned = np.empty(0, np.uint8)

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the column of values."""
        return self._dtype

    def begin_unit(self, unit_range: Level, level: int, dtype: str = "u1") -> None:
        """Set the level of the unit, or the range of it that the unit handles."""
        self.levels = {level: unit_range}
        self.known = max(self.known, unit_range.end)
        self._dtype = np.dtype(dtype)
        self.columns = dict(self._shared)

    def end_unit(self) -> None:
        """Release the memory of the unit, except buffers that the next unit reuses."""
        for workspace in self.workspaces:
            largest = max(workspace.partitions.values(), key=lambda p: p.bytes, default=None)
            workspace.partitions.clear()
            workspace.spare[:] = [largest] if largest is not None else []
        self.columns, self._values_size = {}, 0
        self.turned = np.empty(0, np.uint8)

    # -- up -------------------------------------------------------------------------------------

    def begin_lists(self, unit: ExpandUnit, *, halves: bool) -> None:
        """Allocate the array of players to move, and set the number of owners of each level."""
        self._partition_bits = dict(unit.owner_bits)
        self._default, self._halves = unit.default, halves
        size = 0 if self.expand.alternate else unit.end - unit.begin
        self._begin, self.turned = unit.begin, np.zeros(size, np.uint8)

    def scatter_unit(self, workspace: Any, span: tuple[int, int]) -> int:
        """Queue the children of a chunk; return the highest level of a child."""
        (level,) = self.levels
        top = self.scatter(workspace, level, span, 0)
        self.scattered(workspace)
        return top

    def _bits_for(self, expected: int) -> int:  # noqa: ARG002  # the driver has set it
        return self._default

    def bits_of(self, level: int) -> int:
        """Return the logarithm of the number of partitions of a level."""
        return self._partition_bits[level]

    def note_turns(self, workspace: Any, span: tuple[int, int], at: int, done: int) -> None:
        """Write the players to move in the positions that the workspace has just expanded."""
        begin = span[0] + at - self._begin
        self.turned[begin : begin + done] = workspace.buffers.owners[:done]

    def scattered(self, workspace: Any) -> None:  # noqa: ARG002  # the queues of all threads count
        """Check that queued positions fit in memory."""
        with self._checking:
            self._fit(self.held_bytes() + self._waiting_bytes())

    def _fit(self, needed: int) -> None:
        if self._halves and needed > self.allowed:
            raise TooLargeError
        self.reserve(needed)

    def begin_merge(self, level: int, partition_bits: int) -> None:
        """Set the number of partitions of a level."""
        self._partition_bits = {level: partition_bits}

    def check_merge(self, level: int, lists: QueuedLists, unit: MergeUnit) -> None:
        """Check that an owner's lists fit in memory, and that they can be deduplicated."""
        queued = [w.partitions[level].count for w in self.workspaces if level in w.partitions]
        first = unit.owner << PART_BITS
        largest = max(lists.size(first + part) for part in range(PARTS)) + sum(queued)
        deduplication = len(self.workspaces) * self.workspaces[0].deduplication_bytes(largest)
        deduplication += len(self.workspaces) * lists.reading_bytes()
        size = int(unit.lists.offsets()[-1])
        self.reserve(self.held_bytes() + self._waiting_bytes() + size + deduplication)

    def resident(self) -> int:
        """Return the bytes of loaded levels, and of the values of the unit."""
        return self._values_size + (self.above[1].bytes if self.above is not None else 0)

    # -- down -----------------------------------------------------------------------------------

    @property
    def value_bytes(self) -> int:
        """The bytes of a value."""
        return self._dtype.itemsize

    def begin_deciding(self, begin: int, count: int) -> npt.NDArray[Any]:
        """Return an array that receives the values of a range."""
        values = np.empty(count, self._dtype)
        self._values_size = values.nbytes
        self.columns["values"] = _RangeValues(begin, values, self._shared["values"])
        return values

    def windows_on(
        self, pool: ThreadPoolExecutor, level: int, above: dict[int, Level]
    ) -> Iterator[Window | ValuesAbove]:
        """Yield the levels above a level: as one window if they fit in memory, or part by part."""
        key = level, self._dtype.str
        if self.above is None or self.above[0] != key:
            self.above = None
            held = self.held_bytes() + levels_bytes(above)
            if held <= self.allowed and fits_layout(above, self.words, self._dtype):
                self.reserve(held)
                turned = not self.expand.alternate
                values = ValuesAbove(above, self._shared, pool, self.workspaces, turned=turned)
                self.above = (key, values) if values.fits else None
        if self.above is not None:
            yield self.above[1]
            return
        self.levels = {**self.levels, **above}
        self.known = max(self.known, *(loaded.end for loaded in self.levels.values()))
        for window, _ in self.windows(level, max(self.levels)):
            if window.is_whole:
                self.above = key, window
            yield window


class _RangeValues:
    """The column of values during a unit: the unit's range in memory, other values in a file."""

    def __init__(self, begin: int, values: npt.NDArray[Any], others: SharedColumn) -> None:
        self._begin = begin
        self._values = values
        self._others = others

    def write(self, place: int, values: npt.NDArray[Any]) -> None:
        """Write values of positions of the range, from ``place`` on."""
        self._values[place - self._begin : place - self._begin + len(values)] = values

    def read(self, place: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with the values from ``place`` on, and return the array."""
        if 0 <= place - self._begin < len(self._values):
            out[:] = self._values[place - self._begin :][: len(out)]
            return out
        return self._others.read(place, out)
