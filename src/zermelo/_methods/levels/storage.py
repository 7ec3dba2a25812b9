"""The storage of levels during a solve: what all storages share, and their interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import Arena, resident, zeros
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.expand.expander import CAPACITY, buffer_bytes, chunk_size
from zermelo._engine.expand.graph_memory import SMALLER, describe_found, too_many_positions
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.sort.buckets import Partitions, partition_within
from zermelo._engine.table import Table
from zermelo._methods.levels.kernels import least_and_most
from zermelo._methods.levels.values import held_values
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace

#: The columns of levels in buckets.
BUCKET_KINDS: dict[str, npt.DTypeLike] = {
    "keys": np.uint64,
    "offsets": np.uint32,
    "turns": np.uint8,
}
#: The approximate number of times that a position is queued: once for each move to it.
_TIMES = 8
#: Bytes of every solve that no array accounts for.
_SMALL = 1 << 16


class LevelNotRaisedError(Exception):
    """A move does not raise the level, so that levels cannot be solved one by one.

    Attributes:
        packed: the position before the move.
        lowered: whether the level falls, which the contract forbids.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], *, lowered: bool) -> None:
        """Store the position, and whether the level falls."""
        super().__init__(packed)
        self.packed = packed
        self.lowered = lowered


@dataclass(frozen=True)
class Level:
    """The place of a level in the storage.

    Attributes:
        begin: its first place.
        end: the place after its last.
        count: the number of its positions.
        bits: the logarithm of the number of its buckets, or of its partitions.
        first: the number of its first bucket or partition among those of all levels.
    """

    begin: int
    end: int
    count: int
    bits: int
    first: int


class MemoryColumn(Arena):
    """A column in memory, with the methods of a column in a file (``scratch.ScratchColumn``)."""

    def __init__(self, dtype: npt.DTypeLike, limit: int, behind: int = 0) -> None:
        """Create an empty column; look-ups may read ``behind`` elements past its end."""
        super().__init__(dtype, limit)
        self._behind = behind
        self._size = 0

    def __len__(self) -> int:
        """Return the number of elements."""
        return self._size

    def reserve(self, size: int) -> npt.NDArray[Any]:
        """Resize the column to ``size`` elements, and return its array."""
        array = self.ensure(size + self._behind, self._size)
        self._size = size
        return array

    def allocate(self, size: int) -> None:
        """Fill the column with ``size`` zeros; its size is final."""
        self.array = zeros(size, self.dtype)
        self._size = size

    def append(self, array: npt.NDArray[Any]) -> None:
        """Append elements."""
        at = self._size
        self.reserve(at + len(array))[at : at + len(array)] = array

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Overwrite elements from index ``at`` on."""
        self.array[at : at + len(array)] = array

    def elements(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: ARG002  # for files
        """Return the elements between two indices."""
        return self.array[begin:end]

    def mapped(self) -> npt.NDArray[Any]:
        """Return the array, with the elements past the end."""
        return self.array[: self._size + self._behind]


class Storage(ABC):
    """The levels of one solve: created from queued positions, expanded, and decided.

    Attributes:
        known: the number of positions found.
        levels: the place of each level.
        held_values: the stored form of values.
        how: a description of where levels were, or empty.
    """

    #: The types of the columns of levels.
    kinds: ClassVar[dict[str, npt.DTypeLike]]
    #: The resulting table.
    table: Table
    description = ""
    #: Whether levels are in memory, and not in files.
    in_memory = True
    #: The most parts in which higher levels were loaded.
    parts = 1

    def __init__(
        self, expand: LevelledRules, ledger: Ledger, threads: int, make: type[LevelWorkspace]
    ) -> None:
        """Create a storage without levels.

        Args:
            expand: the compiled rules.
            ledger: the memory that arrays may take.
            threads: threads to use.
            make: the class of threads' workspaces.
        """
        self.expand = expand
        self.ledger, self.allowed = ledger, ledger.allowed
        self.words = expand.words
        each = buffer_bytes(expand) + 16 * CAPACITY + make.position_bytes(expand)
        self.chunk = chunk_size(self.allowed, each * threads)
        self.partition_size = partition_within(self.allowed, expand.words, threads)
        self.workspaces: list[Any] = [make(expand, self.chunk) for _ in range(threads)]
        self.held_values = held_values(expand.kind)
        self.known = 0
        self.levels: dict[int, Level] = {}
        self._partition_bits: dict[int, int] = {}
        self._collecting: list[Any] = []
        self._checking = Lock()

    # -- up -------------------------------------------------------------------------------------

    def add(
        self,
        workspace: Any,
        level: int,
        expected: int,
        packed: npt.NDArray[np.uint64],
        levels: npt.NDArray[np.int64],
        count: int,
    ) -> None:
        """Queue those of ``count`` positions that are on a level.

        Args:
            workspace: the workspace of the thread.
            level: the level.
            expected: the approximate number of positions of the level.
            packed: the positions.
            levels: the level of each.
            count: the number of positions.
        """
        if level not in workspace.partitions:
            partitions = workspace.spare.pop() if workspace.spare else self._new_partitions()
            partitions.begin(self._partition_bits.setdefault(level, self._bits_for(expected)))
            workspace.partitions[level] = partitions
        workspace.partitions[level].add(packed, levels, count, level)

    def expect(self, level: int, expected: int) -> None:
        """Store the approximate number of positions of a level, unless it has one already."""
        self._partition_bits.setdefault(level, self._bits_for(expected))

    def waiting_levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return [level for workspace in self.workspaces for level in workspace.partitions]

    def scattered(self, workspace: Any) -> None:  # noqa: ARG002  # see files
        """Check that queued positions fit in memory, after those of a chunk were added."""
        with self._checking:  # one thread at a time
            self.check()

    def expand_level(
        self, pool: ThreadPoolExecutor, level: int, beyond: int | None
    ) -> Iterator[int]:
        """Expand a level; queue its children, or those of them above ``beyond``.

        Yields the highest level of some of the children, repeatedly.

        Raises:
            LevelNotRaisedError: a move does not raise the level.
        """
        here = self.levels[level]
        expected = 3 * here.count
        self.expect(level + 1, expected)
        if not self.expand.alternate:
            self.begin_turns(level)

        def scatter(workspace: Any, span: tuple[int, int]) -> int:
            top = self.scatter(workspace, level, span, expected, beyond)
            self.scattered(workspace)
            return top

        for _, top in map_unordered(pool, self.workspaces, scatter, self.chunks(level)):
            yield top

    def scatter(
        self,
        workspace: Any,
        level: int,
        span: tuple[int, int],
        expected: int,
        beyond: int | None = None,
    ) -> int:
        """Queue the children of a part of a level; see ``expand_level`` and ``add``."""
        top = level
        for at, done, made in self.expand_parts(workspace, level, span):
            if not self.expand.alternate:
                self.note_turns(workspace, span, at, done)
            if not made:
                continue
            least, most = least_and_most(workspace.child_levels, made)
            if least <= level:
                raise self._not_raised(workspace, at, done, level, lowered=least < level)
            top = max(top, int(most))
            for above, *those in workspace.children_by_level(made, int(least), int(most)):
                if beyond is None or above > beyond:
                    self.add(workspace, above, expected, *those)
        return top

    def chunks(self, level: int) -> Iterator[tuple[int, int]]:
        """Yield the chunks of a level."""
        here, chunk = self.levels[level], self.chunk
        return ((at, min(at + chunk, here.end)) for at in range(here.begin, here.end, chunk))

    def _not_raised(
        self, workspace: Any, at: int, done: int, level: int, *, lowered: bool
    ) -> LevelNotRaisedError:
        edge = int(np.argmax(workspace.child_levels <= level))
        i = int(np.searchsorted(workspace.buffers.ends[:done], edge, side="right"))
        words = self.words
        packed = workspace.here[(at + i) * words : (at + i + 1) * words].copy()
        return LevelNotRaisedError(packed, lowered=lowered)

    @abstractmethod
    def collect(self, pool: ThreadPoolExecutor, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""

    @abstractmethod
    def begin_turns(self, level: int) -> None:
        """Allocate the players to move for the positions of a level."""

    @abstractmethod
    def note_turns(self, workspace: Any, span: tuple[int, int], at: int, done: int) -> None:
        """Write the players to move in positions that were just expanded."""

    @abstractmethod
    def expand_parts(
        self, workspace: Any, level: int, span: tuple[int, int]
    ) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expand_parts``."""

    def release_climb_memory(self) -> None:
        """Release the memory that only finding levels takes."""
        for workspace in self.workspaces:
            workspace.spare.clear()
            workspace.clear()

    def _new_partitions(self) -> Partitions:
        return Partitions(self.words, self.allowed)

    def _bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of partitions for about ``expected`` positions."""
        return Partitions.bits_for(expected, self.partition_size)

    def _count(self, more: int) -> None:
        """Add ``more`` to the number of known positions, and check the total."""
        if self.known + more > MOST_POSITIONS:
            raise too_many_positions(self.ledger)
        self.known += more

    def _take_waiting(self, level: int) -> list[Any]:
        """Return the queued positions of a level, which is about to be created."""
        self._collecting = [
            w.partitions.pop(level) for w in self.workspaces if level in w.partitions
        ]
        return self._collecting

    def _recycle_queued(self, level: int) -> None:  # noqa: ARG002  # see files
        """Recycle the memory of a level's queued positions, or release it."""
        # It is recycled, as fresh memory costs time, but trimmed to what this level needed:
        # otherwise it would be too large later, when the positions themselves need the most memory.
        for workspace in self.workspaces:
            workspace.spare.clear()
        for partitions, workspace in zip(self._collecting, self.workspaces, strict=False):
            partitions.trim()
            workspace.spare.append(partitions)
        self._collecting = []
        self.check()

    # -- down -----------------------------------------------------------------------------------

    @abstractmethod
    def begin_values(self, checkpoint: ColumnCheckpoint) -> None:
        """Allocate the values, or open their column."""

    def decide_level(self, pool: ThreadPoolExecutor, level: int, top: int) -> Iterator[int]:
        """Decide a level, whose moves lead to levels up to ``top``.

        Yields numbers of newly decided positions, repeatedly.

        Raises:
            WideValueError: a value does not fit.
        """
        for window, last in self.windows(level, top):

            def decide(workspace: Any, span: tuple[int, int], window: Any = window) -> int:
                return self.decide(window, workspace, level, span)

            for _, count in map_unordered(pool, self.workspaces, decide, self.chunks(level)):
                if last:
                    yield count
            del decide, window  # before there is another

    @abstractmethod
    def windows(self, level: int, top: int) -> Iterator[tuple[Any, bool]]:
        """Yield the levels from one up to another, in parts that fit in memory.

        Yields each part, and whether it is the last one.
        """

    @abstractmethod
    def decide(self, window: Any, workspace: Any, level: int, span: tuple[int, int]) -> int:
        """Decide positions of a level as far as a part allows; return their number."""

    @abstractmethod
    def finish(self) -> None:
        """Create the table, after all positions are decided."""

    @property
    @abstractmethod
    def value_kind(self) -> np.dtype[Any]:
        """The type of the column of values."""

    @property
    def value_bytes(self) -> int:
        """The bytes of a value."""
        return self.held_values.dtype(len(self.levels)).itemsize

    # -- memory ---------------------------------------------------------------------------------

    @abstractmethod
    def resident(self) -> int:
        """Return the bytes of memory that levels take."""

    def additional_value_bytes(self) -> int:
        """Return the bytes of memory that values will take in addition."""
        return 0

    def found_count(self) -> int:
        """Return the approximate number of positions found, queued ones included."""
        waiting = [w.partitions.values() for w in self.workspaces]
        return self.known + sum(int(p.count) for each in waiting for p in list(each)) // _TIMES

    def most_positions(self) -> int:
        """Return the greatest number of positions that fit."""
        return MOST_POSITIONS

    def held_bytes(self) -> int:
        """Return the bytes of memory in use, without queued positions."""
        return self.resident() + sum(int(w.bytes) for w in self.workspaces) + _SMALL

    def check(self) -> None:
        """Raise BudgetError if the memory in use exceeds the budget."""
        held = self.held_bytes()
        needed = held + self._waiting_bytes()
        if needed > self.allowed:
            for workspace in self.workspaces:
                workspace.spare.clear()
            needed = held + self._waiting_bytes()
        self.reserve(max(needed, held + resident(self.additional_value_bytes(), self.allowed)))

    def reserve(self, needed: int) -> None:
        """Reserve ``needed`` bytes.

        Raises:
            BudgetError: they exceed the budget.
        """
        self.ledger.reserve(needed, describe_found(self.known), SMALLER)

    def _waiting_bytes(self) -> int:
        waiting = [*self._collecting]
        for workspace in self.workspaces:
            waiting += [*list(workspace.partitions.values()), *workspace.spare]
        return sum(int(partitions.bytes) for partitions in waiting)

    # -- checkpoints ----------------------------------------------------------------------------

    @abstractmethod
    def ends(self) -> dict[str, int]:
        """Return the number of elements of each column of levels, except ``turns``."""

    @abstractmethod
    def column(self, name: str) -> Any:
        """Return a column of levels, or ``values`` once it exists."""

    def restore_columns(self, ends: dict[str, int], checkpoint: Any) -> None:
        """Restore the columns of levels from ``checkpoint``, which has them by name."""
        for name, end in ends.items():
            column = self.column(name)
            checkpoint[name].read(0, column.reserve(end)[:end])
