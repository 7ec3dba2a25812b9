"""Where the levels of a game are while it is solved, and what a solve asks of that."""

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
from zermelo._engine.expand.expander import CAPACITY, buffer_bytes, chunk_within
from zermelo._engine.expand.graph_memory import SMALLER, found, too_many
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
#: How many times a position waits, roughly: once for each move that leads to it.
_TIMES = 8
#: Bytes of every solve that no array says.
_SMALL = 1 << 16


class LevelNotRaisedError(Exception):
    """A move does not raise the level, so that levels cannot be solved one by one.

    Attributes:
        packed: the position from which it leads.
        lowered: whether the level even falls, which the contract does not allow.
    """

    def __init__(self, packed: npt.NDArray[np.uint64], *, lowered: bool) -> None:
        """Keep the position."""
        super().__init__(packed)
        self.packed = packed
        self.lowered = lowered


@dataclass(frozen=True)
class Level:
    """Where a level is.

    Attributes:
        begin: its first place.
        end: the place behind its last.
        count: how many positions it has.
        bits: the logarithm of the number of its buckets, or of its partitions.
        first: which of all buckets, or partitions, is its first.
    """

    begin: int
    end: int
    count: int
    bits: int
    first: int


class MemoryColumn(Arena):
    """A column in memory, asked as one in a file is (``scratch.ScratchColumn``)."""

    def __init__(self, dtype: npt.DTypeLike, limit: int, behind: int = 0) -> None:
        """Begin with nothing; ``behind`` elements more than there are may be read."""
        super().__init__(dtype, limit)
        self._behind = behind
        self._size = 0

    def __len__(self) -> int:
        """Return how many elements there are."""
        return self._size

    def reserve(self, size: int) -> npt.NDArray[Any]:
        """Have this many elements, and return the array they are in."""
        array = self.ensure(size + self._behind, self._size)
        self._size = size
        return array

    def make(self, size: int) -> None:
        """Have this many zeros, and no more later on."""
        self.array = zeros(size, self.dtype)
        self._size = size

    def append(self, array: npt.NDArray[Any]) -> None:
        """Write elements behind all others."""
        at = self._size
        self.reserve(at + len(array))[at : at + len(array)] = array

    def write(self, at: int, array: npt.NDArray[Any]) -> None:
        """Write some of the elements there are."""
        self.array[at : at + len(array)] = array

    def part(self, begin: int, end: int, buffer: npt.NDArray[Any]) -> npt.NDArray[Any]:  # noqa: ARG002  # for files
        """Return the elements between two places."""
        return self.array[begin:end]

    def mapped(self) -> npt.NDArray[Any]:
        """Return the array."""
        return self.array[: self._size + self._behind]


class Storage(ABC):
    """The levels of one solve: made of what moves lead to, expanded, and decided.

    Attributes:
        known: how many positions have been found.
        levels: where each level is.
        held_values: how their values are held.
        how: what to say of where levels were, if anything.
    """

    #: The types of the columns that levels are in.
    kinds: ClassVar[dict[str, npt.DTypeLike]]
    #: The table that comes of it.
    table: Table
    how = ""
    #: Whether levels are in memory, and not in files.
    in_memory = True
    #: In how many parts the levels above one were looked up in, at most.
    parts = 1

    def __init__(
        self, expand: LevelledRules, ledger: Ledger, threads: int, make: type[LevelWorkspace]
    ) -> None:
        """Begin with no levels.

        Args:
            expand: the compiled rules.
            ledger: the memory that arrays may take.
            threads: threads to use.
            make: what a thread works with.
        """
        self.expand = expand
        self.ledger, self.allowed = ledger, ledger.allowed
        self.words = expand.words
        each = buffer_bytes(expand) + 16 * CAPACITY + make.each(expand)
        self.chunk = chunk_within(self.allowed, each * threads)
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
        """Put those of ``count`` positions that are of a level where it will be made of them.

        Args:
            workspace: the thread's.
            level: the level.
            expected: about how many positions it will have.
            packed: the positions.
            levels: the level of each.
            count: see there.
        """
        if level not in workspace.partitions:
            partitions = workspace.spare.pop() if workspace.spare else self._new_partitions()
            partitions.begin(self._partition_bits.setdefault(level, self._bits_for(expected)))
            workspace.partitions[level] = partitions
        workspace.partitions[level].add(packed, levels, count, level)

    def expect(self, level: int, expected: int) -> None:
        """Note about how many positions a level will have, unless that is known."""
        self._partition_bits.setdefault(level, self._bits_for(expected))

    def waiting(self) -> Iterable[int]:
        """Return the levels that have positions and are not made yet."""
        return [level for workspace in self.workspaces for level in workspace.partitions]

    def scattered(self, workspace: Any) -> None:  # noqa: ARG002  # see files
        """Have the children of a chunk among those that wait: keep to the memory there is."""
        with self._checking:  # each thread for itself, as this one may be held up
            self.check()

    def expand_level(
        self, pool: ThreadPoolExecutor, level: int, beyond: int | None
    ) -> Iterator[int]:
        """Have the children of a level wait for theirs, or those of them beyond another.

        Yields the highest level of some of them, again and again.

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

        for _, top in map_unordered(pool, self.workspaces, scatter, self.spans(level)):
            yield top

    def scatter(
        self,
        workspace: Any,
        level: int,
        span: tuple[int, int],
        expected: int,
        beyond: int | None = None,
    ) -> int:
        """Have the children of some of a level wait; see ``expand_level`` and ``add``."""
        top = level
        for at, done, made in self.expanded(workspace, level, span):
            if not self.expand.alternate:
                self.note_turns(workspace, span, at, done)
            if not made:
                continue
            least, most = least_and_most(workspace.child_levels, made)
            if least <= level:
                raise self._not_raised(workspace, at, done, level, lowered=least < level)
            top = max(top, int(most))
            for above, *those in workspace.by_level(made, int(least), int(most)):
                if beyond is None or above > beyond:
                    self.add(workspace, above, expected, *those)
        return top

    def spans(self, level: int) -> Iterator[tuple[int, int]]:
        """Cut a level into chunks."""
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
        """Make a level of the positions that wait for it, each once."""

    @abstractmethod
    def begin_turns(self, level: int) -> None:
        """Make room for whose turn it is in the positions of a level."""

    @abstractmethod
    def note_turns(self, workspace: Any, span: tuple[int, int], at: int, done: int) -> None:
        """Write whose turn it is in positions that have just been expanded."""

    @abstractmethod
    def expanded(
        self, workspace: Any, level: int, span: tuple[int, int]
    ) -> Iterator[tuple[int, int, int]]:
        """Expand a part of a level; see ``LevelWorkspace.expanded``."""

    def climbed(self) -> None:
        """Free what only finding levels takes."""
        for workspace in self.workspaces:
            workspace.spare.clear()
            workspace.clear()

    def _new_partitions(self) -> Partitions:
        return Partitions(self.words, self.allowed)

    def _bits_for(self, expected: int) -> int:
        """Return the logarithm of the number of partitions for about this many positions."""
        return Partitions.bits_for(expected, self.partition_size)

    def _count(self, more: int) -> None:
        """Note that there are this many positions more."""
        if self.known + more > MOST_POSITIONS:
            raise too_many(self.ledger)
        self.known += more

    def _take_waiting(self, level: int) -> list[Any]:
        """Return the positions that wait for a level, which is going to be made."""
        self._collecting = [
            w.partitions.pop(level) for w in self.workspaces if level in w.partitions
        ]
        return self._collecting

    def _collected(self, level: int) -> None:  # noqa: ARG002  # see files
        """Keep the room of positions of a level that has been made, or free it."""
        # It is used again, since fresh memory costs time, and is no larger than it was for this
        # level: later on its memory would be more than is needed, just when the positions
        # themselves need the most.
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
        """Make room for values, or take the column that they are to be in."""

    def decide_level(self, pool: ThreadPoolExecutor, level: int, top: int) -> Iterator[int]:
        """Decide a level, whose moves lead to others up to ``top``.

        Yields of how many positions more the values are there, again and again.

        Raises:
            WideValueError: a value does not fit.
        """
        for window, last in self.windows(level, top):

            def decide(workspace: Any, span: tuple[int, int], window: Any = window) -> int:
                return self.decide(window, workspace, level, span)

            for _, count in map_unordered(pool, self.workspaces, decide, self.spans(level)):
                if last:
                    yield count
            del decide, window  # before there is another

    @abstractmethod
    def windows(self, level: int, top: int) -> Iterator[tuple[Any, bool]]:
        """Scan the levels above one, up to another, in parts that fit into memory.

        Yields each part, and whether it is the last one.
        """

    @abstractmethod
    def decide(self, window: Any, workspace: Any, level: int, span: tuple[int, int]) -> int:
        """Decide some of a level, as far as a part does; return how many positions that are."""

    @abstractmethod
    def finish(self) -> None:
        """Make the table, all being decided."""

    @property
    @abstractmethod
    def value_kind(self) -> np.dtype[Any]:
        """The type of the column of values."""

    @property
    def value_bytes(self) -> int:
        """Bytes a value takes."""
        return self.held_values.dtype(len(self.levels)).itemsize

    # -- memory ---------------------------------------------------------------------------------

    @abstractmethod
    def resident(self) -> int:
        """Return the bytes of memory that levels take."""

    def to_come(self) -> int:
        """Return the bytes of memory that values will take besides."""
        return 0

    def found(self) -> int:
        """Return about how many positions have been found, those that wait included."""
        waiting = [w.partitions.values() for w in self.workspaces]
        return self.known + sum(int(p.count) for each in waiting for p in list(each)) // _TIMES

    def most(self) -> int:
        """Return how many positions there is room for, at most."""
        return MOST_POSITIONS

    def held(self) -> int:
        """Return the bytes of memory that are taken, but for positions that wait."""
        return self.resident() + sum(int(w.bytes) for w in self.workspaces) + _SMALL

    def check(self) -> None:
        """Raise BudgetError where the memory so far is more than is allowed."""
        held = self.held()
        needed = held + self._waiting_bytes()
        if needed > self.allowed:
            for workspace in self.workspaces:
                workspace.spare.clear()
            needed = held + self._waiting_bytes()
        self.take(max(needed, held + resident(self.to_come(), self.allowed)))

    def take(self, needed: int) -> None:
        """Note that this many bytes are needed.

        Raises:
            BudgetError: they are too many.
        """
        self.ledger.take(needed, found(self.known), SMALLER)

    def _waiting_bytes(self) -> int:
        waiting = [*self._collecting]
        for workspace in self.workspaces:
            waiting += [*list(workspace.partitions.values()), *workspace.spare]
        return sum(int(partitions.bytes) for partitions in waiting)

    # -- checkpoints ----------------------------------------------------------------------------

    @abstractmethod
    def ends(self) -> dict[str, int]:
        """Return how many elements each column of levels has, but for whose turn it is."""

    @abstractmethod
    def column(self, name: str) -> Any:
        """Return one of the columns of levels, or ``values``, once there are some."""

    def put_back(self, ends: dict[str, int], checkpoint: Any) -> None:
        """Put columns of levels back; ``checkpoint`` has them by name."""
        for name, end in ends.items():
            column = self.column(name)
            checkpoint[name].read(0, column.reserve(end)[:end])
