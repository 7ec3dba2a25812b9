"""The units of a worker in a game with levels: expand a range, merge lists, decide a range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster.file_job import FileJob
from zermelo._cluster.sections import CHECKSUM, Sections, write_section
from zermelo._cluster.shared_files import SharedFile, SharedFileWriter, damage_error
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import map_ordered, map_unordered
from zermelo._engine.sort.buckets import Partitions
from zermelo._engine.sort.position_lists import PART_BITS, SLACK, read_heads
from zermelo._engine.store.arrays import MemoryArray, ReadableArray, SharedArray
from zermelo._methods.levels.bucket_storage import BucketStorage
from zermelo._methods.levels.cluster.units import DecideUnit, ExpandUnit, MergeUnit, UnitResult
from zermelo._methods.levels.file_storage import MISSING_POSITION, FileStorage
from zermelo._methods.levels.queue import FileQueue, QueuedLists
from zermelo._methods.levels.storage import Level, LevelNotRaisedError
from zermelo._methods.levels.values import WideValueError
from zermelo.errors import ClusterError

if TYPE_CHECKING:
    from zermelo._methods.levels.workspace import LevelledRules
    from zermelo._methods.pickled_game import PickledGame

#: The least positions of a range that is halved.
_LEAST = 1 << 8


class TooLargeError(Exception):
    """The children of a range do not fit in memory."""


class LevelUnits(FileJob):
    """The job of a worker: units of levels; a unit has all facts that the worker needs."""

    def __init__(
        self, folder: str, paths: dict[str, str], game: PickledGame, allowed: int, threads: int
    ) -> None:
        """Compile the rules.

        Args:
            folder: the shared folder.
            paths: the file of each array in the folder.
            game: the game.
            allowed: bytes of memory.
            threads: threads to use.
        """
        super().__init__(folder, paths)
        expand, ledger = game.compiled(), Ledger(allowed)
        self._storage = _UnitStorage(expand, ledger, threads, self._columns, self._scratch)
        self._pool = self._storage.pool
        self._words = expand.words
        self._turned = not expand.alternate

    def do_unit(self, unit: Any, name: str) -> UnitResult:
        """Do a unit, or return why the driver has to stop or to halve it; see ``worker.Job``."""
        try:
            result: UnitResult = super().do_unit(unit, name)
        except LevelNotRaisedError as error:
            return UnitResult(not_raised=error.packed, lowered=error.lowered)
        except WideValueError:
            return UnitResult(wide=True)
        except TooLargeError:
            return UnitResult(large=True)
        else:
            return result
        finally:
            self._storage.end_unit()

    def _write_unit(
        self, unit: ExpandUnit | MergeUnit | DecideUnit, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], UnitResult]]:
        """Write what a unit finds; see ``FileJob``."""
        if isinstance(unit, DecideUnit):
            return self._decide(unit, part), UnitResult
        self._storage.above = None  # the memory is for queued positions
        if isinstance(unit, MergeUnit):
            return self._merge(unit, part), UnitResult
        return 0, self._expand(unit, part)

    # -- up -------------------------------------------------------------------------------------

    def _expand(
        self, unit: ExpandUnit, part: SharedFileWriter
    ) -> Callable[[SharedFile], UnitResult]:
        """Write lists of the children of a range of positions, by level and owner."""
        storage, level, size = self._storage, unit.level, unit.end - unit.begin
        storage.begin_queue(unit.owner_bits, unit.default, halves=size > _LEAST)
        turns = storage.begin_range("turns", unit, np.dtype(np.uint8))
        top = max(storage.expand_level(level), default=level)
        section = [write_section(part, turns, level, 0, size)] if self._turned else []
        rows = []
        items = [
            (child_level, owner)
            for child_level in sorted(set(storage.queue.levels()))
            for owner in range(1 << storage.queue.bits[child_level])
        ]
        for (child_level, owner), (count, data) in map_ordered(
            self._pool, storage.workspaces, self._packed, items
        ):
            if count:
                rows.append(write_section(part, data, child_level, owner, count))

        def result(file: SharedFile) -> UnitResult:
            lists, told = (
                Sections.from_rows([file.name], np.array(each, np.int64).reshape(-1, CHECKSUM + 1))
                for each in (rows, section)
            )
            return UnitResult(file, lists, top, told if self._turned else None)

        return result

    def _packed(self, workspace: Any, item: tuple[int, int]) -> tuple[int, npt.NDArray[np.uint8]]:
        """Return the number and a list of a level's positions for an owner."""
        level, owner = item
        parts = self._storage.queue.of_level(level)
        size = sum(each.size(owner) for each in parts)
        if not size:
            return 0, np.empty(0, np.uint8)
        raw, count = workspace.raw_for(size), 0
        for partitions in parts:
            count = partitions.gather(owner, raw, count)
        bits = self._storage.queue.bits[level] + PART_BITS
        found: tuple[int, Any] = workspace.coder.list_parts(raw[: count * self._words], bits)
        return found

    def _merge(self, unit: MergeUnit, part: SharedFileWriter) -> int:
        """Write an owner's part of a level: its positions, and the ends of its buckets.

        Returns:
            The number of positions.
        """
        storage, level, starts = self._storage, unit.level, unit.starts
        partition_bits = unit.owner_bits + PART_BITS
        storage.begin_queue({level: partition_bits}, 0)
        storage.add_starts(level, starts)
        waiting = [self._lists(unit), *storage.queue.of_level(level)]
        partitions = range(unit.owner << PART_BITS, (unit.owner + 1) << PART_BITS)
        storage.check_merge(waiting, partitions)
        total, ends = 0, []
        arguments = waiting, partitions, partition_bits, unit.bits
        for size, bucket_ends, keys in storage.deduplicated(*arguments):
            part.write(keys)
            ends.append(bucket_ends + np.uint32(total))
            total += size
        part.write(np.concatenate(ends))
        return total

    # -- down -----------------------------------------------------------------------------------

    def _decide(self, unit: DecideUnit, part: SharedFileWriter) -> int:
        """Write the values of a range by the levels above; return their number."""
        storage, level = self._storage, unit.level
        values = storage.begin_range("values", unit, np.dtype(unit.dtype))
        storage.levels.update(unit.above)
        for _ in storage.decide_level(level, max(storage.levels)):
            pass
        part.write(values)
        return len(values)

    # -- files ----------------------------------------------------------------------------------

    def _lists(self, unit: MergeUnit) -> QueuedLists:
        """Read the lists of a unit, all of which are of one owner."""
        lists, begins = unit.lists, unit.lists.offsets()
        array = MemoryArray(np.uint8, self._storage.allowed)
        array.extend(int(begins[-1]))
        data = array.mapped(SLACK)  # in place, before threads read it

        def read(_: Any, n: int) -> None:
            lists.read_into(self._scratch.folder, n, data[begins[n] : begins[n + 1]])

        items = range(len(lists.rows))
        for _ in map_unordered(self._pool, self._storage.workspaces, read, items):
            pass
        self._scratch.read += int(begins[-1])
        folder = self._scratch.folder
        path = folder / lists.names[0] if lists.names else folder
        queued = QueuedLists(array, self._words, damage_error(path), unit.owner << PART_BITS)
        queued.add(*read_heads(data, begins))
        return queued


class _UnitQueue(FileQueue):
    """The queued positions of a unit, with one partition for each owner.

    Attributes:
        default: the logarithm of the number of owners of a level that ``bits`` does not have.
    """

    default = 0

    def bits_for(self, _expected: int) -> int:
        """Return the logarithm of the number of owners, which the driver has set."""
        return self.default


class _UnitStorage(FileStorage):
    """The storage of levels in the driver's files, for one unit at a time.

    Attributes:
        above: a key, which is a level and the type of its values; and the loaded levels that moves
            from this level reach. The first unit of a level loads them for the units that follow.
    """

    queue: _UnitQueue
    above: tuple[tuple[int, str], Any] | None = None

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        arrays: dict[str, SharedArray],
        scratch: Scratch,
    ) -> None:
        self._range_size = 0
        self._halves = False
        super().__init__(expand, ledger, threads, arrays, scratch)
        self._shared = arrays

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the array of values."""
        return self.arrays["values"].dtype  # type: ignore[no-any-return]

    @property
    def value_bytes(self) -> int:
        """The bytes of a value."""
        return self.value_kind.itemsize

    def begin_range(
        self, name: str, unit: ExpandUnit | DecideUnit, dtype: np.dtype[Any]
    ) -> npt.NDArray[Any]:
        """Set the range of a level that the unit handles; return an array for data of it."""
        size = unit.end - unit.begin
        self.levels = {unit.level: Level(unit.begin, unit.end, size, 0, 0)}
        out = np.zeros(size, dtype)
        self.arrays = {**self._shared, name: _UnitArray(unit.begin, out, self._shared[name])}
        self._range_size = out.nbytes
        return out

    def begin_queue(self, bits: dict[int, int], default: int, *, halves: bool = False) -> None:
        """Set the number of partitions of levels.

        Args:
            bits: the logarithm of the number of partitions of some levels.
            default: that of the other levels.
            halves: whether the unit is halved if queued positions do not fit in memory.
        """
        self.queue.bits, self.queue.default, self._halves = dict(bits), default, halves

    def end_unit(self) -> None:
        """Release the memory of the unit, except buffers that the next unit reuses."""
        for workspace in self.workspaces:
            largest = max(workspace.partitions.values(), key=lambda p: p.bytes, default=None)
            workspace.partitions.clear()
            workspace.spare[:] = [largest] if largest is not None else []
        self.arrays, self._range_size = self._shared, 0

    # -- up -------------------------------------------------------------------------------------

    def _new_queue(self) -> _UnitQueue:
        """Return an empty queue."""
        make = partial(Partitions, self.words, self.allowed)
        return _UnitQueue(self.workspaces, 0, make, self.scratch, self.allowed)

    def begin_turns(self, level: int) -> None:
        """Do nothing: ``begin_range`` has allocated them."""

    def check_queue(self, workspace: Any) -> None:
        """Check that queued positions fit in memory."""
        BucketStorage.check_queue(self, workspace)

    def check(self) -> None:
        """Check that queued positions fit in memory."""
        self._fit(self.held_bytes() + self.queue.bytes)

    def _fit(self, needed: int) -> None:
        if self._halves and needed > self.allowed:
            raise TooLargeError
        self.reserve(needed)

    def check_merge(self, waiting: list[Any], partitions: range) -> None:
        """Check that an owner's positions fit in memory, and that they can be deduplicated."""
        lists, *_ = waiting
        largest = max(sum(each.size(n) for each in waiting) for n in partitions)
        each = self.workspaces[0].deduplication_bytes(largest)
        held = self.held_bytes() + self.queue.bytes + lists.bytes
        self.reserve(held + len(self.workspaces) * each)

    # -- down -----------------------------------------------------------------------------------

    def resident(self) -> int:
        """Return the bytes of loaded levels, and of the range's values."""
        return self._range_size + (self.above[1].bytes if self.above is not None else 0)

    def windows(self, level: int, top: int) -> Iterator[tuple[Any, bool]]:
        """Yield the levels above a level: those of the last unit, if they fitted in memory."""
        key = level, self.value_kind.str
        if self.above is not None and self.above[0] == key:
            yield self.above[1], True
            return
        self.above = None
        for window, last in super().windows(level, top):
            if window.is_whole:
                self.above = key, window
            yield window, last

    def missing_error(self) -> ClusterError:
        """Return the error for a move to a position that the shared files do not have."""
        return ClusterError(MISSING_POSITION.format(folder=self.scratch.folder))


class _UnitArray(ReadableArray):
    """An array during a unit: the unit's range in memory, other elements in the driver's file."""

    def __init__(self, begin: int, array: npt.NDArray[Any], others: SharedArray) -> None:
        self.dtype = array.dtype
        self._begin, self._array, self._others = begin, array, others

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write elements of the range, from index ``at`` on."""
        self._array[at - self._begin : at - self._begin + len(array)] = array

    def elements(self, begin: int, end: int, _buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return elements of the range."""
        return self._array[begin - self._begin : end - self._begin]

    def read(self, at: int, out: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Fill an array with elements of other levels, from index ``at`` on, and return it."""
        return self._others.read(at, out)
