"""The units of a worker in a game with levels: expand a range, merge lists, decide a range."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedColumn, SharedFileWriter, damage_error
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import map_ordered, map_unordered
from zermelo._engine.sort.buckets import WIDE, Partitions, bucket_bits, look_up
from zermelo._methods.levels.bucket_storage import Window
from zermelo._methods.levels.cluster.higher_levels import ValuesAbove, fits_layout, levels_bytes
from zermelo._methods.levels.cluster.position_lists import (
    HEAD,
    PART_BITS,
    PARTS,
    SLACK,
    ListRoom,
    put_in_buckets,
    unpack_part,
    unpack_parts,
)
from zermelo._methods.levels.cluster.units import (
    COUNT,
    LEVEL,
    OWNER,
    AnswerUnit,
    DecideUnit,
    ExpandUnit,
    LookUpUnit,
    MergeUnit,
    Sections,
    UnitResult,
)
from zermelo._methods.levels.file_storage import FileStorage
from zermelo._methods.levels.storage import Level, LevelNotRaisedError
from zermelo._methods.levels.values import WideValueError

if TYPE_CHECKING:
    from zermelo._methods.levels.workspace import LevelledRules
    from zermelo._methods.pickled_game import PickledGame
    from zermelo.errors import ClusterError

#: The bytes of several sections, and the index of the first byte of each.
Read: TypeAlias = tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]
#: The least positions of a range that is halved.
_LEAST = 1 << 8
#: All bits of a word.
_WORD = (1 << 64) - 1


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
        self._words, self._used = expand.words, np.uint64(expand.used & _WORD)
        self._turned = not expand.alternate
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-unit")

    def do_unit(self, unit: Any, name: str) -> UnitResult:
        """Do a unit; see ``worker.Job``."""
        method: Any = {
            ExpandUnit: self._expand,
            MergeUnit: self._merge,
            AnswerUnit: self._answer,
            LookUpUnit: self._look_up,
            DecideUnit: self._decide,
        }[type(unit)]
        self._read = self._scratch.read
        if not isinstance(unit, LookUpUnit):
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
        storage.check_lists(sum(row[COUNT] for row in rows))
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
        room = self._storage.rooms[id(workspace)]
        return room.list_positions(raw[: count * words], bits, self._used)

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
        lists = WaitingLists(
            self._sections(unit.lists), self._words, self._damage_error(unit.lists)
        )
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

    def _answer(self, unit: AnswerUnit, part: SharedFileWriter) -> UnitResult:
        """Write the values of the positions of lists, in the order of the lists."""
        storage = self._storage
        storage.begin_unit(unit.here, unit.level, unit.dtype)
        window = storage.owner_part(unit.level, unit.owner, unit.owner_bits)
        lists = self._sections(unit.lists)

        def answers_of(_: Any, n: int) -> tuple[npt.NDArray[np.uint8], int]:
            keys, count = self._list(unit.lists, lists, n)
            numbers, levels = np.empty(count, np.int64), np.full(count, unit.level)
            layout = window.shape
            if look_up(keys, levels, count, self._words, *layout, numbers) != count:  # type: ignore[call-arg]  # a kernel
                raise damage_error(self._folder / unit.lists.names[0])
            answers = [window.values[numbers].view(np.uint8)]
            if self._turned:
                answers.append(window.turns[numbers])
            return np.concatenate(answers), count

        rows = []
        items = range(len(unit.lists.rows))
        for _, (answers, count) in map_ordered(self._pool, storage.workspaces, answers_of, items):
            rows.append(self._write_section(part, answers, unit.level, unit.owner, count))
        return self._unit_result(part, rows)

    def _look_up(self, unit: LookUpUnit, part: SharedFileWriter) -> UnitResult:
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

    def _decide(self, unit: DecideUnit, part: SharedFileWriter) -> UnitResult:
        """Write the values of a range, found in the answers of owners."""
        storage, level = self._storage, unit.level
        count = unit.end - unit.begin
        storage.begin_unit(Level(unit.begin, unit.end, count, 0, 0), level, unit.dtype)
        window = self._window(unit)
        values = storage.begin_deciding(unit.begin, count)

        def decide(workspace: Any, span: tuple[int, int]) -> int:
            return storage.decide(window, workspace, level, span)

        for _ in map_unordered(self._pool, storage.workspaces, decide, storage.chunks(level)):
            pass
        part.write(values)
        return self._unit_result(part, [], count)

    def _window(self, unit: DecideUnit) -> Window:
        """Return the children of a range with their values, as a window for look-ups."""
        storage, words, rows = self._storage, self._words, unit.lists.rows
        dtype = np.dtype(unit.dtype)
        levels, firsts = np.unique(rows[:, LEVEL], return_index=True)
        lasts = [*firsts.tolist(), len(rows)][1:]
        lowest = int(levels[0]) if len(levels) else 0
        span = int(levels[-1]) - lowest + 1 if len(levels) else 0
        bits, starts = np.full(span, -1, np.int64), np.zeros(span, np.int64)
        size = 0
        for child_level, first, last in zip(levels.tolist(), firsts.tolist(), lasts, strict=True):
            count = int(rows[first:last, COUNT].sum())
            bits[child_level - lowest] = max(bucket_bits(2 * count), unit.owner_bits[child_level])
            starts[child_level - lowest] = size
            size += (1 << int(bits[child_level - lowest])) + 1
        total = int(rows[:, COUNT].sum())
        position_bytes = 8 * words + dtype.itemsize + self._turned
        storage.reserve(storage.held_bytes() + position_bytes * (total + WIDE) + 4 * size)
        lists, answers = self._sections(unit.lists), self._sections(unit.answers)
        keys = zeros((total + WIDE) * words, np.uint64)
        values = zeros(total, dtype)
        turns = zeros(total if self._turned else 0, np.uint8)
        offsets = zeros(size, np.uint32)
        places = np.cumsum(rows[:, COUNT]) - rows[:, COUNT]
        for child_level, first, last in zip(levels.tolist(), firsts.tolist(), lasts, strict=True):
            n = child_level - lowest
            inner = int(bits[n]) - unit.owner_bits[child_level]
            level_offsets = offsets[int(starts[n]) : int(starts[n]) + (1 << int(bits[n])) + 1]
            owner_rows = np.searchsorted(
                rows[first:last, OWNER], np.arange((1 << unit.owner_bits[child_level]) + 1)
            )
            begins = np.append(places[first:last], places[last - 1] + rows[last - 1, COUNT])
            # Owners without children have empty buckets.
            level_offsets[1:] = np.repeat(begins[owner_rows[1:]], 1 << inner)
            level_offsets[0] = begins[0]
            shape = int(bits[n]), inner, level_offsets

            def fill(workspace: Any, item: int, shape: tuple[int, int, Any] = shape) -> None:  # noqa: ARG001  # threads have one each
                positions = self._list(unit.lists, lists, item)
                answer = self._section(answers, item)
                self._fill(
                    unit, item, positions, answer, int(places[item]), shape, (keys, values, turns)
                )

            for _ in map_unordered(self._pool, storage.workspaces, fill, range(first, last)):
                pass
        return Window(keys, values, turns, offsets, lowest, bits, starts)

    def _fill(
        self,
        unit: DecideUnit,
        item: int,
        positions: tuple[npt.NDArray[np.uint64], int],
        answer: npt.NDArray[np.uint8],
        place: int,
        shape: tuple[int, int, npt.NDArray[np.uint32]],
        arrays: tuple[npt.NDArray[np.uint64], npt.NDArray[Any], npt.NDArray[np.uint8]],
    ) -> None:
        """Store the children of one list, with their values, in a window's arrays."""
        keys, values, turns = arrays
        keys_of_list, count = positions
        bits, inner, offsets = shape
        first = int(unit.lists.rows[item, OWNER]) << inner
        ends = offsets[first + 1 : first + 1 + (1 << inner)]
        order, words = np.empty(count, np.int32), self._words
        out = keys[place * words : (place + count) * words]
        put_in_buckets(
            keys_of_list,
            count,
            words,
            bits,
            first,
            place,
            ends,
            np.empty(count, np.int32),
            out,
            order,
        )
        size = count * values.itemsize
        if len(answer) != size + count * self._turned:
            raise self._damage_error(unit.answers)
        values[place : place + count] = answer[:size].view(values.dtype)[order]
        if self._turned:
            turns[place : place + count] = answer[size:][order]

    # -- files ----------------------------------------------------------------------------------

    def _sections(self, sections: Sections) -> Read:
        """Read sections into one array; return it, and the index of the first byte of each."""
        begins = sections.offsets()
        data = np.empty(int(begins[-1]) + SLACK, np.uint8)
        data[-SLACK:] = 0

        def read(_: Any, n: int) -> None:
            sections.read_into(self._folder, n, data[begins[n] : begins[n + 1]])

        items = range(len(sections.rows))
        for _ in map_unordered(self._pool, self._storage.workspaces, read, items):
            pass
        self._scratch.read += int(begins[-1])
        return data, begins

    @staticmethod
    def _section(read: Read, n: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of section ``n``."""
        data, begins = read
        return data[begins[n] : begins[n + 1]]

    def _list(self, lists: Sections, read: Read, n: int) -> tuple[npt.NDArray[np.uint64], int]:
        """Return the positions of list ``n``, and their number."""
        count, (data, begins) = int(lists.rows[n, COUNT]), read
        keys = np.empty(count * self._words, np.uint64)
        size = int(begins[n + 1] - begins[n])
        if unpack_parts(data, int(begins[n]), size, self._words, keys) != count:
            raise self._damage_error(lists)
        return keys, count

    def _damage_error(self, sections: Sections) -> ClusterError:
        """Return the error for sections whose contents differ from their description."""
        return damage_error(self._folder / sections.names[0] if sections.names else self._folder)

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


class WaitingLists:
    """The lists of an owner, with the interface of queued positions; see ``Partitions``."""

    def __init__(self, read: Read, words: int, error: ClusterError) -> None:
        """Read the number of positions of each part.

        Args:
            read: the bytes of the lists, and the first byte of each.
            words: words per position.
            error: the error to raise if a list is damaged.
        """
        self._data, self._begins = read
        self._words, self._error = words, error
        list_heads = [
            self._data[begin : begin + HEAD].view(np.uint64) for begin in self._begins[:-1].tolist()
        ]
        counts = [np.zeros(PARTS, np.uint64), *list_heads]
        self._counts = (np.array(counts) & np.uint64((1 << 32) - 1)).sum(axis=0).astype(np.int64)

    @property
    def count(self) -> int:
        """The number of positions, duplicates included."""
        return int(self._counts.sum())

    @property
    def bytes(self) -> int:
        """The bytes of the lists."""
        return self._data.nbytes

    def size(self, partition: int) -> int:
        """Return the number of positions in a partition."""
        return int(self._counts[partition & (PARTS - 1)])

    def gather(self, partition: int, into: npt.NDArray[np.uint64], count: int) -> int:
        """Append a partition to the first ``count`` positions of ``into``; return the new count."""
        part = partition & (PARTS - 1)
        end = int(unpack_part(self._data, self._begins, part, self._words, into, count))
        if end != count + self.size(partition):
            raise self._error
        return end


class _UnitStorage(FileStorage):
    """The storage of levels in the driver's files, for one unit at a time.

    Attributes:
        above: a key, which is a level and the type of its values; and the loaded levels that moves
            from this level reach. The first unit of a level loads them for the units that follow.
        rooms: each thread's buffers for lists, by the identity of its workspace.
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
        self.rooms: dict[int, ListRoom] = {}
        super().__init__(expand, ledger, threads, scratch, columns)
        self._shared = columns
        self.rooms |= {id(workspace): ListRoom(self.words) for workspace in self.workspaces}
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
        self.columns = {}
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

    def check_lists(self, count: int) -> None:
        """Check that ``count`` children fit in memory with their values, for later look-ups."""
        self._fit(self.held_bytes() + (8 * self.words + 4 + 1 + 4) * count)

    def _fit(self, needed: int) -> None:
        if self._halves and needed > self.allowed:
            raise TooLargeError
        self.reserve(needed)

    def begin_merge(self, level: int, partition_bits: int) -> None:
        """Set the number of partitions of a level."""
        self._partition_bits = {level: partition_bits}

    def check_merge(self, level: int, lists: WaitingLists, unit: MergeUnit) -> None:
        """Check that an owner's lists fit in memory, and that they can be deduplicated."""
        queued = [w.partitions[level].count for w in self.workspaces if level in w.partitions]
        first = unit.owner << PART_BITS
        largest = max(lists.size(first + part) for part in range(PARTS)) + sum(queued)
        deduplication = len(self.workspaces) * self.workspaces[0].deduplication_bytes(largest)
        self.reserve(self.held_bytes() + self._waiting_bytes() + lists.bytes + deduplication)

    def _gather(
        self,
        partitions: Partitions | WaitingLists,
        partition: int,
        raw: npt.NDArray[np.uint64],
        count: int,
        workspace: Any,  # noqa: ARG002  # lists are in memory
    ) -> int:
        """Append a partition to the first ``count`` positions of ``raw``; return the new count."""
        return partitions.gather(partition, raw, count)

    def resident(self) -> int:
        """Return the bytes that stay in memory between units, without the workspaces."""
        held = self.above[1].bytes if self.above is not None else 0
        return held + sum(room.bytes for room in self.rooms.values())

    # -- down -----------------------------------------------------------------------------------

    def owner_part(self, level: int, owner: int, owner_bits: int) -> Window:
        """Load an owner's part of a level."""
        inner = self.levels[level].bits - owner_bits
        low, high = owner << inner, (owner + 1) << inner
        begin, end = self._bounds(level, low, high)
        position_bytes = 8 * self.words + self.value_bytes + (not self.expand.alternate)
        size = (end - begin + WIDE) * position_bytes + 4 * (high - low + 1)
        self.reserve(self.held_bytes() + size)
        return self._read([level], [(low, high, size)], first=True, whole=False)

    @property
    def value_bytes(self) -> int:
        """The bytes of a value."""
        return self._dtype.itemsize

    def begin_deciding(self, begin: int, count: int) -> npt.NDArray[Any]:
        """Return an array that receives the values of a range."""
        values = np.empty(count, self._dtype)
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
