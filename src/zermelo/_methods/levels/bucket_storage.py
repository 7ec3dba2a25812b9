"""Levels in buckets, in memory: eight bytes a word of a position, one for its value, and few more.

A level's positions stand in the order of their hashes, so that a table of where buckets begin is
all that it takes to find one.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.column.column import ArrayColumn
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.core.threads import in_order
from zermelo._engine.sort.buckets import WIDE, bucket_bits, look_up
from zermelo._engine.table import Table
from zermelo._methods.levels.index import BucketIndex
from zermelo._methods.levels.kernels import leave_part
from zermelo._methods.levels.storage import BUCKET_KINDS, Level, MemoryColumn, Storage
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace

_PerLevel: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Window:
    """Levels in memory, or a part of each; the last arrays have an entry a level.

    Attributes:
        keys: their positions.
        values: what is stored of their values.
        turns: whose turn it is, or empty where the players strictly alternate.
        offsets: where their buckets begin.
        lowest: the level of the first entry.
        bits: logarithm of the number of buckets of each, -1 where it is empty.
        starts: where each level's buckets begin in ``offsets``.
        lows: the first bucket that is here, of each; None where all are.
        highs: the first that is not any more.
        first: whether it is the first part.
    """

    keys: npt.NDArray[np.uint64]
    values: npt.NDArray[Any]
    turns: npt.NDArray[np.uint8]
    offsets: npt.NDArray[np.uint32]
    lowest: int
    bits: _PerLevel
    starts: _PerLevel
    lows: _PerLevel | None = None
    highs: _PerLevel | None = None
    first: bool = True

    @property
    def whole(self) -> bool:
        """Whether nothing of the levels is missing."""
        return self.lows is None

    @property
    def bytes(self) -> int:
        """Bytes it takes."""
        return sum(each.nbytes for each in (self.keys, self.values, self.turns, self.offsets))

    @property
    def shape(self) -> tuple[Any, ...]:
        """What ``look_up`` is given of it."""
        return self.lowest, self.bits, self.starts, self.offsets, self.keys

    def known(self, workspace: Any, made: int) -> tuple[Any, Any, Any]:
        """Look up the children that a workspace has; return what ``settle`` is given of them.

        Args:
            workspace: the thread's, which has just expanded something.
            made: how many children there are.

        Returns:
            Where each child is, -1 for one that is not here; whose turn it is by place, or empty;
            and values by place.
        """
        children, levels = workspace.buffers.children, workspace.child_levels
        words = workspace.words
        if not self.whole:
            cut = self.lowest, self.bits, self.lows, self.highs
            leave_part(children, levels, made, words, *cut)
        look_up(children, levels, made, words, *self.shape, workspace.numbers)  # type: ignore[call-arg]  # a kernel
        return workspace.numbers, self.turns, self.values


class BucketStorage(Storage):
    """Levels in buckets, in memory."""

    kinds = BUCKET_KINDS

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        make: type[LevelWorkspace] = LevelWorkspace,
    ) -> None:
        """Begin with no levels; see ``Storage``."""
        super().__init__(expand, ledger, threads, make)
        behind = WIDE * self.words  # which look-ups may read
        self.columns: dict[str, Any] = {
            name: MemoryColumn(kind, self.allowed, behind if name == "keys" else 0)
            for name, kind in self.kinds.items()
        }

    def most(self) -> int:
        """Return how many positions there is room for, at most."""
        return self.allowed // (8 * self.words) if self.in_memory else super().most()

    # -- up -------------------------------------------------------------------------------------

    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Make a level of the positions that wait for it, each once."""
        waiting = self._take_waiting(level)
        raw = sum(partitions.count for partitions in waiting)
        partition_bits = self._partition_bits[level]
        bits = max(bucket_bits(raw), partition_bits)
        begin, first = self.known, len(self.columns["offsets"])
        keys, offsets = self.columns["keys"], self.columns["offsets"]
        partitions = range(1 << partition_bits)
        for count, ends, out in self.made(pool, waiting, partitions, partition_bits, bits):
            before = np.uint32(self.known)
            self._count(count)
            if len(offsets) == first:
                offsets.append(np.array([begin], np.uint32))
            keys.append(out)
            offsets.append(ends + before)
            self.check()
        self.levels[level] = Level(begin, self.known, self.known - begin, bits, first)
        self._collected(level)

    def made(
        self,
        pool: ThreadPoolExecutor,
        waiting: list[Any],
        partitions: range,
        partition_bits: int,
        bits: int,
    ) -> Iterator[tuple[int, npt.NDArray[np.uint32], npt.NDArray[np.uint64]]]:
        """Deduplicate positions that wait, partition by partition.

        Args:
            pool: the threads.
            waiting: what holds them.
            partitions: which partitions.
            partition_bits: logarithm of the number of partitions that the level has.
            bits: logarithm of the number of buckets that it is to have.

        Yields:
            Of each partition how many positions it has, where its buckets end, counted from its
            beginning, and the positions, which the next one may overwrite.
        """
        buckets = 1 << (bits - partition_bits)

        def made(workspace: Any, partition: int) -> tuple[int, npt.NDArray[np.uint32], Any]:
            raw = workspace.raw_for(max(1, sum(each.size(partition) for each in waiting)))
            count = 0
            for each in waiting:
                count = self._gather(each, partition, raw, count, workspace)
            ends = np.empty(buckets, np.uint32)
            count = workspace.deduplicated(count, partition_bits, bits, ends)
            return count, ends, workspace.out[: count * self.words]

        for _, made_of in in_order(pool, self.workspaces, made, partitions):
            yield made_of

    def _gather(
        self,
        partitions: Any,
        partition: int,
        raw: npt.NDArray[np.uint64],
        count: int,
        _workspace: Any,
    ) -> int:
        """Copy a partition behind the first ``count`` positions of ``raw``; return the new end."""
        return int(partitions.gather(partition, raw, count))

    def begin_turns(self, level: int) -> None:
        """Make room for whose turn it is in the positions of a level."""
        self.columns["turns"].reserve(self.levels[level].end)

    def note_turns(self, workspace: Any, span: tuple[int, int], at: int, done: int) -> None:
        """Write whose turn it is in positions that have just been expanded."""
        self.columns["turns"].write(span[0] + at, workspace.buffers.owners[:done])

    def expanded(
        self,
        workspace: Any,
        level: int,  # noqa: ARG002  # see slots
        span: tuple[int, int],
    ) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expanded``."""
        begin, end = span
        here = self.columns["keys"].part(begin * self.words, end * self.words, workspace.keys)
        return workspace.expanded(here, end - begin)  # type: ignore[no-any-return]

    # -- down -----------------------------------------------------------------------------------

    @property
    def value_kind(self) -> np.dtype[Any]:
        """The type of the column of values."""
        return self.held_values.dtype(len(self.levels))

    def begin_values(self, checkpoint: ColumnCheckpoint) -> None:  # noqa: ARG002  # see files
        """Make room for values."""
        self._shape = self._by_level()
        self.columns["values"] = MemoryColumn(self.value_kind, self.allowed)
        self.columns["values"].make(self.known)

    def windows(self, level: int, top: int) -> Iterator[tuple[Window, bool]]:  # noqa: ARG002  # see files
        """Give everything at once; see ``Storage``."""
        keys, values = self.columns["keys"].mapped(), self.columns["values"].mapped()
        turns, offsets = self.columns["turns"].mapped(), self.columns["offsets"].mapped()
        yield Window(keys, values, turns, offsets, *self._shape), True

    def decide(self, window: Window, workspace: Any, level: int, span: tuple[int, int]) -> int:
        """Decide some of a level, as far as a part of the levels above does."""
        values = self._values_of(span, begun=not window.first)
        for at, done, made in self.expanded(workspace, level, span):
            known = window.known(workspace, made)
            given = done, workspace.buffers, *known
            self.held_values.settle(*given, values[at:], first=window.first)
        self.columns["values"].write(span[0], values)
        return span[1] - span[0]

    def _values_of(self, span: tuple[int, int], *, begun: bool) -> npt.NDArray[Any]:  # noqa: ARG002  # see files
        """Return the values of positions, or room for them where they have none yet."""
        return self.columns["values"].array[slice(*span)]  # type: ignore[no-any-return]

    def finish(self) -> None:
        """Make the table, all being decided."""
        keys, offsets = self.columns["keys"].mapped(), self.columns["offsets"].mapped()
        turns, values = self.columns["turns"].mapped(), self.columns["values"].mapped()
        index = BucketIndex(self.expand, len(values), keys, offsets, *self._by_level())
        column = ArrayColumn(
            self.expand.kind, values, turns, self.held_values.meaning(values.dtype)
        )
        self.table = Table(index, column, np.empty(0, np.int64), "places")

    def _by_level(self) -> tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return the lowest level, and of each from there its bits and its first bucket."""
        lowest, highest = min(self.levels), max(self.levels)
        bits = np.full(highest - lowest + 1, -1, np.int64)
        starts = np.zeros(highest - lowest + 1, np.int64)
        for level, here in self.levels.items():
            bits[level - lowest], starts[level - lowest] = here.bits, here.first
        return lowest, bits, starts

    # -- memory and checkpoints -----------------------------------------------------------------

    def resident(self) -> int:
        """Return the bytes of memory that levels take."""
        sizes = [8 * self.words * self.known, 4 * len(self.columns["offsets"])]
        if not self.expand.alternate:
            sizes.append(self.known)
        return sum(resident(size, self.allowed) for size in sizes)

    def to_come(self) -> int:
        """Return the bytes of memory that values will take besides."""
        return self.known * self.value_bytes

    def ends(self) -> dict[str, int]:
        """Return how many elements each column of levels has, but for whose turn it is."""
        return {"keys": self.known * self.words, "offsets": len(self.columns["offsets"])}

    def column(self, name: str) -> Any:
        """Return one of the columns of levels, or ``values``, once there are some."""
        return self.columns[name]
