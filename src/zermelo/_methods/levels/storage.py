"""The storage of levels during a solve: what all storages share, and their interface."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import resident
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.expand.expander import CAPACITY, buffer_bytes, chunk_size
from zermelo._engine.expand.graph_memory import SMALLER, describe_found, too_many_positions
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._engine.sort.buckets import Partitions, partition_within
from zermelo._engine.store.arrays import MemoryArray, StoredArray
from zermelo._engine.table import Table
from zermelo._methods.levels.kernels import least_and_most
from zermelo._methods.levels.queue import LevelQueue
from zermelo._methods.levels.values import held_values
from zermelo._methods.levels.workspace import LevelledRules, LevelWorkspace

#: The arrays of levels in buckets, and of levels in slots.
BUCKET_KINDS: dict[str, npt.DTypeLike] = {
    "keys": np.uint64,
    "offsets": np.uint32,
    "turns": np.uint8,
}
SLOT_KINDS: dict[str, npt.DTypeLike] = {
    "slots": np.uint64,
    "directory": np.int64,
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


class Span(NamedTuple):
    """A chunk of a level.

    Attributes:
        level: the level.
        begin: its first place.
        end: the place after its last.
    """

    level: int
    begin: int
    end: int


class Storage(ABC):
    """The levels of one solve: created from queued positions, expanded, and decided.

    Attributes:
        known: the number of positions found.
        levels: the place of each level.
        held_values: the stored form of values.
        pool: the threads.
        queue: positions that wait for their levels.
        arrays: the arrays of levels by name, and ``values`` once they exist.
        description: a description of where levels were, or empty.
    """

    #: The resulting table.
    table: Table
    description = ""
    #: Whether levels are in memory, and not in files.
    in_memory = True
    #: The most parts in which higher levels were loaded.
    parts = 1

    def __init__(
        self,
        expand: LevelledRules,
        ledger: Ledger,
        threads: int,
        arrays: Mapping[str, Any],
        make: type[LevelWorkspace],
    ) -> None:
        """Create a storage without levels.

        Args:
            expand: the compiled rules.
            ledger: the memory that arrays may take.
            threads: threads to use.
            arrays: the arrays of levels by name, in memory or in files.
            make: the class of threads' workspaces.
        """
        self.expand = expand
        self.ledger, self.allowed = ledger, ledger.allowed
        self.words = expand.words
        each = buffer_bytes(expand) + 16 * CAPACITY + 8 * expand.words
        self.chunk = chunk_size(self.allowed, each * threads)
        self.workspaces: list[Any] = [make(expand, self.chunk) for _ in range(threads)]
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="zermelo-levels")
        self.held_values = held_values(expand.kind)
        self.known = 0
        self.levels: dict[int, Level] = {}
        self.arrays = dict(arrays)
        self._checking = Lock()
        self.queue = self._new_queue()

    # -- up -------------------------------------------------------------------------------------

    def add_starts(self, level: int, packed: npt.NDArray[np.uint64]) -> None:
        """Queue starts, all of which are on a level."""
        count = len(packed) // self.words
        levels = np.full(count, level)
        self.queue.add(self.workspaces[0], level, count, packed, levels, count)

    def waiting_levels(self) -> Iterable[int]:
        """Return the levels that have queued positions."""
        return self.queue.levels()

    def check_queue(self, workspace: Any) -> None:  # noqa: ARG002  # all threads share the memory
        """Check that queued positions fit in memory, after a thread has added those of a chunk."""
        with self._checking:  # one thread at a time
            self.check()

    def expand_level(self, level: int, beyond: int | None = None) -> Iterator[int]:
        """Expand a level; queue its children, or those of them above ``beyond``.

        Yields the highest level of some of the children, repeatedly.

        Raises:
            LevelNotRaisedError: a move does not raise the level.
        """
        here = self.levels[level]
        expected = 3 * here.count
        self.queue.expect(level + 1, expected)
        if not self.expand.alternate:
            self.begin_turns(level)

        def scatter(workspace: Any, span: Span) -> int:
            top = self._scatter(workspace, span, expected, beyond)
            self.check_queue(workspace)
            return top

        for _, top in map_unordered(self.pool, self.workspaces, scatter, self.chunks(level)):
            yield top

    def _scatter(self, workspace: Any, span: Span, expected: int, beyond: int | None) -> int:
        """Queue the children of a part of a level; see ``expand_level`` and ``queue.add``."""
        top = level = span.level
        for at, done, made in self.expand_parts(workspace, span):
            if not self.expand.alternate:
                self.note_turns(workspace, at, done)
            if not made:
                continue
            least, most = least_and_most(workspace.child_levels, made)
            if least <= level:
                raise self._not_raised(workspace, at, done, level, lowered=least < level)
            top = max(top, int(most))
            for above, *those in workspace.children_by_level(made, int(least), int(most)):
                if beyond is None or above > beyond:
                    self.queue.add(workspace, above, expected, *those)
        return top

    def chunks(self, level: int) -> Iterator[Span]:
        """Yield the chunks of a level."""
        here, chunk = self.levels[level], self.chunk
        for at in range(here.begin, here.end, chunk):
            yield Span(level, at, min(at + chunk, here.end))

    def _not_raised(
        self, workspace: Any, at: int, done: int, level: int, *, lowered: bool
    ) -> LevelNotRaisedError:
        edge = int(np.argmax(workspace.child_levels <= level))
        i = int(np.searchsorted(workspace.buffers.ends[:done], edge, side="right"))
        words = self.words
        packed = workspace.here[(at + i) * words : (at + i + 1) * words].copy()
        return LevelNotRaisedError(packed, lowered=lowered)

    @abstractmethod
    def collect(self, level: int) -> None:
        """Create a level from its queued positions, without duplicates."""

    def begin_turns(self, level: int) -> None:
        """Extend the array of players to move by the positions of a level."""
        self.arrays["turns"].extend(self.levels[level].end)

    @abstractmethod
    def note_turns(self, workspace: Any, at: int, done: int) -> None:
        """Write the players to move in ``done`` positions of a chunk, which were just expanded."""

    @abstractmethod
    def expand_parts(self, workspace: Any, span: Span) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expand_parts``."""

    def release_climb_memory(self) -> None:
        """Release the memory that only finding levels takes."""
        self.queue.release_spare()
        for workspace in self.workspaces:
            workspace.clear()

    def _new_queue(self) -> LevelQueue:
        """Return an empty queue."""
        size = partition_within(self.allowed, self.words, len(self.workspaces))
        return LevelQueue(self.workspaces, size, partial(Partitions, self.words, self.allowed))

    def _count(self, more: int) -> None:
        """Add ``more`` to the number of known positions, and check the total."""
        if self.known + more > MOST_POSITIONS:
            raise too_many_positions(self.ledger)
        self.known += more

    # -- down -----------------------------------------------------------------------------------

    def new_values(self) -> npt.DTypeLike | MemoryArray:
        """Return an array for values in memory, or the type of values in a file."""
        return MemoryArray(self.value_kind, self.allowed) if self.in_memory else self.value_kind

    @abstractmethod
    def begin_values(self, values: StoredArray) -> None:
        """Extend the array of values, which may have values of the highest levels."""

    @abstractmethod
    def decide_level(self, level: int, top: int) -> Iterator[int]:
        """Decide a level, whose moves lead to levels up to ``top``.

        Yields numbers of newly decided positions, repeatedly.

        Raises:
            WideValueError: a value does not fit.
        """

    @abstractmethod
    def finish(self) -> None:
        """Create the table, after all positions are decided."""

    @property
    @abstractmethod
    def value_kind(self) -> np.dtype[Any]:
        """The type of the array of values."""

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
        return self.known + self.queue.count // _TIMES

    def most_positions(self) -> int:
        """Return the greatest number of positions that fit."""
        return MOST_POSITIONS

    def held_bytes(self) -> int:
        """Return the bytes of memory in use, without queued positions."""
        return self.resident() + sum(int(w.bytes) for w in self.workspaces) + _SMALL

    def check(self) -> None:
        """Raise BudgetError if the memory in use exceeds the budget."""
        held = self.held_bytes()
        needed = held + self.queue.bytes
        if needed > self.allowed:
            self.queue.release_spare()
            needed = held + self.queue.bytes
        self.reserve(max(needed, held + resident(self.additional_value_bytes(), self.allowed)))

    def reserve(self, needed: int) -> None:
        """Reserve ``needed`` bytes.

        Raises:
            BudgetError: they exceed the budget.
        """
        self.ledger.reserve(needed, describe_found(self.known), SMALLER)
