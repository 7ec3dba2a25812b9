"""A worker's part in a dense space: finding positions, and deciding those of some ranges.

The driver records slots and decided positions in columns, and the worker reads what has been added
to these since its last unit. For its ranges of positions the worker has the transposed moves and
the status array. Both follow from the rules and from what is recorded, so any worker can have them.
A unit is a function of what is recorded. Moves seen while positions were found are cached, and the
rules do not run on them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFile, SharedFileWriter
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.index.directory import (
    find,
    mark,
    new_directory,
    number_all,
    slots_of,
    unmark,
)
from zermelo._methods.cluster_rounds.ranges import (
    REMEDY,
    KnownRange,
    RangeUnits,
    RoundUnit,
    Spans,
    read_batches,
)
from zermelo._methods.dense.discovery import legal_slots
from zermelo._methods.dense.kernels import not_found
from zermelo._methods.dense.memory import DenseMemory
from zermelo._methods.dense.ranking import outside_error, ranking_of
from zermelo._methods.dense.transpose import transposed_moves
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace, OutsideSpaceError

if TYPE_CHECKING:
    from zermelo._methods.pickled_game import PickledGame

#: Positions with cached moves that are looked up in one batch.
_AT_ONCE = 1 << 18

Slots = npt.NDArray[np.int64]


@dataclass(frozen=True)
class LegalUnit:
    """A range of slots whose legal positions are to be found.

    Attributes:
        level: 0, as there is only one step of these units.
        begin: the first slot.
        end: the slot after the last.
    """

    level: int
    begin: int
    end: int


@dataclass(frozen=True)
class FindUnit:
    """Positions whose children in new slots are to be found.

    Attributes:
        level: the number of layers before theirs.
        spans: their ranges of places among the recorded positions: beginnings and ends.
        known: the number of recorded positions.
        home: the worker whose ranges of slots contain all of them, and which caches their moves; or
            None.
    """

    level: int
    spans: Spans
    known: int
    home: int | None


class DenseUnits(RangeUnits):
    """The job of a worker: units of a dense space.

    Attributes:
        directory: the bits of the slots that hold a position.
    """

    def __init__(
        self, folder: str, paths: dict[str, str], game: PickledGame, allowed: int, threads: int
    ) -> None:
        """Compile the rules; see ``RangeUnits``.

        Raises:
            BudgetError: the directory alone exceeds the allowed bytes.
        """
        super().__init__(folder, paths, allowed, threads)
        self._expand = expand = game.compiled()
        self._rules = expand.rules
        self._legal = self._rules.has_hook("legal")
        self._ranking = ranking = ranking_of(self._rules, expand.elements)
        self._memory = DenseMemory.estimate(
            expand, ranking, self._ledger, threads, legal=self._legal
        )
        self._reserve(self._memory.fixed, 0)
        self._workspaces = [DenseWorkspace(expand, ranking, allowed) for _ in range(threads)]
        self.directory = new_directory(ranking.slots)
        self._kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        self._known, self._numbered = 0, False
        #: The worker whose ranges of slots contain the positions with cached moves, and their
        #: units.
        self._home: int | None = None
        self._remembered: set[Spans] = set()
        self._remembers = True

    @property
    def fixed(self) -> int:
        """The bytes that it takes without positions."""
        return self._memory.fixed

    def _write_unit(
        self, unit: LegalUnit | FindUnit | RoundUnit, part: SharedFileWriter
    ) -> tuple[int, Callable[[SharedFile], Any]]:
        """Write what a unit finds; see ``RangeUnits``. The first round reports the turns, too."""
        try:
            if not isinstance(unit, RoundUnit):
                slots = self._find(unit)
                part.write(slots)
                return len(slots), lambda file: file
            result = super()._write_unit(unit, part)
        except OutsideSpaceError as error:
            raise outside_error(self._rules, self._ranking, error) from None
        for begin, end in () if unit.rounds else unit.spans:
            part.write(self.ranges[unit.spans].spreading.owners[begin:end])
        return result

    def _reserve(self, needed: int, positions: int) -> None:
        """Reserve ``needed`` bytes.

        Raises:
            BudgetError: they exceed the budget.
        """
        known = f" with {positions:,} positions" if positions else ""
        self._ledger.reserve(needed, f"a worker's part of a dense space{known}", REMEDY)

    # -- positions ------------------------------------------------------------------------------

    def add(self, slots: npt.NDArray[Any]) -> Slots:
        """Add slots to the directory; return those that held no position."""
        fresh = np.empty(len(slots), np.int64)
        count = int(mark(self.directory, slots.astype(np.int64), len(slots), fresh, 0))
        self._known += count
        return fresh[:count]

    def add_recorded_slots(self, known: int) -> None:
        """Add the recorded slots, up to number ``known``, to the directory."""
        if known > self._known:
            for some in read_batches(self._columns["slots"], self._known, known, self._kind):
                self.add(some)

    def number(self, positions: int) -> None:
        """Number all positions, after the last one has been found."""
        if not self._numbered:
            self.add_recorded_slots(positions)
            number_all(self.directory)
            self._numbered = True

    def _find(self, unit: LegalUnit | FindUnit) -> npt.NDArray[Any]:
        """Return the slots that a unit finds, ascending."""
        found = list(self._legal_of(unit) if isinstance(unit, LegalUnit) else self._fresh_of(unit))
        slots = np.concatenate([np.empty(0, self._kind), *found])
        slots.sort()
        if isinstance(unit, FindUnit):
            # The driver decides what is recorded: the unit is a function of that alone.
            unmark(self.directory, slots)
        return slots

    def _legal_of(self, unit: LegalUnit) -> Iterator[npt.NDArray[Any]]:
        spans = [
            (max(begin, unit.begin), min(end, unit.end))
            for begin, end in self._ranking.spans
            if begin < unit.end and unit.begin < end
        ]
        return self._fitting(
            legal_slots(self._expand, self._ranking, spans, self._threads, self._pool, self._kept)
        )

    def _fresh_of(self, unit: FindUnit) -> Iterator[npt.NDArray[Any]]:
        self.add_recorded_slots(unit.known)
        slots = np.empty(sum(end - begin for begin, end in unit.spans), self._kind)
        at = 0
        for begin, end in unit.spans:
            self._columns["slots"].read(begin, slots[at : at + end - begin])
            at += end - begin
        if self._home is None:
            self._home = unit.home
        own = unit.home is not None and unit.home == self._home
        own = own and unit.spans not in self._remembered  # else its moves would be cached twice
        if own:
            self._remembered.add(unit.spans)

        def work(workspace: DenseWorkspace, begin: int) -> npt.NDArray[Any]:
            some = []
            here = slots[begin : begin + CHUNK].astype(np.int64)
            for part in workspace.expand_slots(here):
                if own and self._remembers:
                    workspace.record(here, part)
                fresh = np.empty(part.moves, np.int64)
                count = mark(self.directory, workspace.numbers, part.moves, fresh, 0)
                some.append(self._kept(fresh[:count]))
            return np.concatenate(some)

        chunks = range(0, len(slots), CHUNK)
        every = map_unordered(self._pool, self._workspaces, work, chunks)
        yield from self._fitting(found for _, found in every)
        if not self._remembers and any(workspace.known for workspace in self._workspaces):
            self._clear_cache()

    def _kept(self, slots: Slots) -> npt.NDArray[Any]:
        return slots.astype(self._kind)

    def _fitting(self, every: Iterator[npt.NDArray[Any]]) -> Iterator[npt.NDArray[Any]]:
        """Yield found slots while they fit in memory twice, as they are concatenated."""
        size = 0
        for found in every:
            size += 2 * found.nbytes
            self._remembers = self._remembers and self._has_room(size)
            if not self._remembers:
                self._reserve(self._memory.fixed + size, self._known)
            yield found

    def _has_room(self, beside: int) -> bool:
        """Return whether the cached moves and ``beside`` more bytes fit in memory."""
        return self._ledger.fits(self._memory.exploring_bytes(self._workspaces) + beside)

    def _clear_cache(self) -> None:
        """Clear the cache of moves."""
        for workspace in self._workspaces:
            workspace.renew(self._ranking.slots)

    # -- rounds ---------------------------------------------------------------------------------

    def _create_range(self, unit: RoundUnit, others: int) -> KnownRange:
        """Return the initial state of a range; see ``RangeUnits``."""
        self.number(unit.positions)
        positions, workspaces = unit.positions, self._workspaces
        size = sum(end - begin for begin, end in unit.spans)
        memory = replace(self._memory, ledger=Ledger(max(0, self._ledger.allowed - others)))

        def work(workspace: DenseWorkspace, numbers: npt.NDArray[np.int64]) -> None:
            slots = np.empty(len(numbers), np.int64)
            slots_of(self.directory, numbers, len(numbers), slots)
            for part in workspace.expand_slots(slots):
                missing = -1
                if self._legal:
                    missing = not_found(self.directory, workspace.numbers, part.moves)
                if missing >= 0:
                    raise workspace.move_error(part, missing)
                workspace.record(slots, part)

        for _ in map_unordered(self._pool, workspaces, work, self._uncached(unit)):
            self._reserve(others + memory.exploring_bytes(workspaces) + positions, positions)
        plan = memory.plan(workspaces, positions, size)
        self._reserve(others + plan.needed, positions)
        status, spreading = transposed_moves(
            self.directory,
            workspaces,
            positions,
            self._pool,
            lambda more: self._reserve(others + plan.spreading + more, positions),
        )
        return KnownRange(status, spreading, plan.spreading - memory.fixed)

    def _uncached(self, unit: RoundUnit) -> Iterator[npt.NDArray[np.int64]]:
        """Yield the positions of a unit's ranges whose moves are not cached, in batches."""
        seen = zeros(unit.positions, np.bool_)
        count = 0
        for workspace in self._workspaces:
            for at in range(0, workspace.known, _AT_ONCE):
                end = min(at + _AT_ONCE, workspace.known)
                slots = workspace.sources.array[at:end].astype(np.int64)
                find(self.directory, slots, len(slots), slots)
                seen[slots] = True
                count += len(slots)
        within = sum(np.count_nonzero(seen[begin:end]) for begin, end in unit.spans)
        if within != count or not self._remembers:
            self._clear_cache()
            seen[:] = False
        self._remembers = False  # the cache is used up by these ranges
        for begin, end in unit.spans:
            for at in range(begin, end, CHUNK):
                numbers = np.flatnonzero(~seen[at : min(at + CHUNK, end)]) + at
                if len(numbers):
                    yield numbers
