"""A dense space whose positions workers find and decide, and the driver records.

What is exchanged are numbers: the slots of positions that are new, and then the positions that a
round has decided. Each process has a directory of slots, and so knows which number a position has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count as numbers_from
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.checkpoint.columns import ColumnCheckpoint
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand import graph_memory
from zermelo._engine.index.directory import before
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._methods.dense.cluster.round_history import COLUMNS, RoundHistory
from zermelo._methods.dense.cluster.units import (
    DenseResult,
    FindUnit,
    LegalUnit,
    SpaceRoundUnit,
    Spans,
    Unit,
)
from zermelo._methods.dense.cluster.worker import DenseUnits
from zermelo._methods.dense.driver import MissingStartError, sentence_of, table_of
from zermelo._methods.dense.kernels import not_found
from zermelo._methods.dense.status import SCALES
from zermelo._methods.pickled_game import PickledGame

if TYPE_CHECKING:
    from zermelo._engine.index.ranks import Ranking
    from zermelo._engine.table import Table
    from zermelo._methods.task import Task

#: The record of positions, and of what is decided.
_RECORD = "dense-on-cluster"
#: Units of a layer for each worker at least; positions that a unit expands at most, and bytes of
#: what they lead to; and slots that a unit looks through for legal positions.
_EACH, _MOST, _A_POSITION, _LOOKED = 2, 1 << 22, 1 << 8, 1 << 22
#: Positions, and slots, that are worth asking others.
_WORTH, _WORTH_LOOKING = 1 << 16, 1 << 18
#: Ranges of slots for each worker at least, as the first number of a position often says whose turn
#: it is; and ranges in all. And how much a worker may have in them, the average being 1.
_LEAST_RANGES, _RANGES, _UNEVEN = 4, 64, 1.25
#: Elements of a column that are read at once.
_AT_ONCE = 1 << 18


def solve(task: Task, ranking: Ranking) -> tuple[Table, str]:
    """Find and decide every position of a dense space on a cluster.

    Args:
        task: the game, and the workers.
        ranking: the slots of its positions.

    Returns:
        The table, and a sentence on how it was made.

    Raises:
        MissingStartError: a start is not among the positions.
        RulesError: a move leads to a position that is not, or a rule broke the contract.
        BudgetError: the driver or a worker has too little memory.
        ClusterError: the workers cannot be used.
    """
    with Scratch(task.checkpoint.directory, checkpoint=task.checkpoint) as scratch:
        solving = _SpaceSteps(task, ranking, scratch)
        with task.report.phase("explore"):
            solving.find()
        with task.report.phase("retrograde", solving.positions):
            solving.decide()
        return solving.result()


class _SpaceSteps:
    """One solve."""

    def __init__(self, task: Task, ranking: Ranking, scratch: Scratch) -> None:
        assert task.workers is not None  # noqa: S101  # whoever calls has looked
        self._task, self._workers, self._report = task, task.workers, task.report
        self._scratch, self._ranking, compiled = scratch, ranking, task.compiled
        self._legal = compiled.rules.has("legal")
        self._kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        kinds: dict[str, Any] = {"slots": self._kind, "turns": np.uint8, **COLUMNS}
        self._columns = ColumnCheckpoint(scratch, _RECORD, task.threads, None, **kinds)
        paths = {name: scratch.checkpoint.file(self._columns.file(name)).name for name in kinds}
        given = str(scratch.folder.absolute()), paths, PickledGame.of(compiled)
        make = f"{DenseUnits.__module__}:{DenseUnits.__name__}"
        task.workers.begin(scratch.folder, make, given)
        self._ledger = task.workers.own(task.ledger)
        #: Small steps are the driver's, and its directory is the table's.
        self._own = DenseUnits(*given, self._ledger.allowed, task.threads)
        self._attempts = numbers_from()
        self._expanded, self._sent = map(int, self._columns.note or (0, 0))
        #: Where ranges of slots begin, which workers have in turn; and where those positions stand
        #: among all that are in each worker's ranges, and were found last.
        size = task.workers.size
        self._cuts = ranking.evenly(size * max(_LEAST_RANGES, _RANGES // size))
        self._last: list[list[tuple[int, int]]] = [[] for _ in range(size)]

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self._columns["slots"])

    # -- positions ------------------------------------------------------------------------------

    def find(self) -> None:
        """Find all positions: layer by layer, or all that are legal."""
        starts = self._starts()
        if self._columns.note is not None:
            self._own.know(self.positions)
            self._report.resume(f"{self.positions:,} positions were found")
        elif self._legal:
            self._look()
            missing = not_found(self._own.directory, starts, len(starts))
            if missing >= 0:
                raise MissingStartError(int(missing), inside=True)
        else:
            self._add(np.unique(starts))
        layer = 0
        while self._expanded < self.positions:
            self._expand(layer)
            layer += 1
            self._report.advance(self._expanded)
            self._record()
        if self.positions > MOST_POSITIONS:
            raise graph_memory.too_many(self._task.ledger)
        self._own.number(self.positions)

    def _starts(self) -> npt.NDArray[np.int64]:
        """Return the slots of the starts."""
        starts = np.ascontiguousarray(self._task.compiled.start_words())
        slots = np.empty(len(starts), np.int64)
        if self._ranking.rank(starts.reshape(-1), len(starts), slots) < len(starts):
            raise MissingStartError(int(np.argmin(slots)), inside=False)
        return slots

    def _add(self, slots: npt.NDArray[Any]) -> None:
        """Have ascending slots hold positions, if they did not."""
        fresh = self._own.add(slots)
        at = self._columns["slots"].append(fresh)
        places = (np.searchsorted(fresh, self._cuts) + at).tolist()
        for last, spans in zip(self._last, self._in_turn(places), strict=True):
            last.extend(spans)

    def _in_turn(self, cuts: list[int]) -> list[list[tuple[int, int]]]:
        """Return each worker's ranges, of those that these cuts make."""
        size, every = len(self._last), list(pairwise(cuts))
        return [[span for span in every[n::size] if span[0] < span[1]] for n in range(size)]

    def _look(self) -> None:
        """Have all legal positions entered, which need not be expanded until there are rounds."""
        slots, size = self._ranking.slots, limits.current().batch(_LOOKED)
        units = [LegalUnit(0, at, min(at + size, slots)) for at in range(0, slots, size)]
        self._found(units, alone=slots < limits.current().shared(_WORTH_LOOKING))
        self._expanded = self.positions

    def _expand(self, layer: int) -> None:
        """Add what the moves of the last layer lead to."""
        begin, end = self._expanded, self.positions
        alone = end - begin < limits.current().shared(_WORTH)
        size = min(_MOST, max(1, self._ledger.allowed // _A_POSITION))
        if not alone:
            size = min(size, -(-(end - begin) // (_EACH * self._workers.size)))
        size = limits.current().batch(size)
        last, self._last = self._last, [[] for _ in self._last]
        if alone or not _even(last, end - begin):
            spans = [((at, min(at + size, end)),) for at in range(begin, end, size)]
            self._found([FindUnit(layer, some, end, None) for some in spans], alone=alone)
        else:
            units = [
                FindUnit(layer, some, end, home)
                for home, spans in enumerate(last)
                for some in _pieces(spans, size)
            ]
            self._found(units, [unit.home or 0 for unit in units])
        self._expanded = end

    def _found(
        self, units: Sequence[Unit], homes: Sequence[int] | None = None, *, alone: bool = False
    ) -> None:
        """Have units done, and add what they find."""
        for _, found in self._done(units, homes, alone=alone):
            with SharedFileReader(self._scratch.folder, found.part) as reader:
                for _, some in reader.arrays(found.part.count, self._kind):
                    self._add(some)
                reader.end()

    # -- rounds ---------------------------------------------------------------------------------

    def decide(self) -> None:
        """Decide all positions: wins and losses, and then ties."""
        positions = self.positions
        self._fit(1)
        alone = positions < limits.current().shared(_WORTH)
        spans: list[Spans] = [((0, positions),)] if alone else list(map(tuple, self._spans()))

        def done(units: Sequence[Unit]) -> Iterator[tuple[int, DenseResult]]:
            return self._done(units, range(len(units)), alone=alone)

        self._rounds = RoundHistory(self._scratch.folder, self._columns, positions)
        favours = self._task.compiled.kind.favours
        for _ in self._rounds.go_on(favours, spans, done, self._read_turns):
            self._report.advance(self._rounds.decided)
            self._record()

    def _read_turns(self, reader: SharedFileReader, unit: SpaceRoundUnit) -> None:
        """Read whose turn it is, where the first round says it."""
        for begin, end in () if unit.rounds or self._task.compiled.alternate else unit.spans:
            for at, some in reader.arrays(end - begin, np.uint8):
                self._columns["turns"].write(begin + at, some)

    def _spans(self) -> list[list[tuple[int, int]]]:
        """Return the numbers of each worker: those of its ranges of slots, if that is even."""
        positions, size = self.positions, self._workers.size
        cuts = [before(self._own.directory, slot) for slot in self._cuts[:-1]] + [positions]
        own = self._in_turn(cuts)
        if not self._legal and _even(own, positions):
            return own
        cuts = [positions * n // size for n in range(size + 1)]
        return [[span] for span in pairwise(cuts) if span[0] < span[1]]

    # -- both -----------------------------------------------------------------------------------

    def _done(
        self, units: Sequence[Unit], homes: Sequence[int] | None, *, alone: bool
    ) -> Iterator[tuple[int, DenseResult]]:
        """Have units done; yields each place and result."""
        if alone:
            for place, unit in enumerate(units):
                yield place, self._own.do(unit, f"own-{next(self._attempts)}")
            return
        self._columns.publish()
        for place, found in self._workers.run(units, homes):
            self._sent += found.part.read + found.part.size
            yield place, found

    def _record(self) -> None:
        """Record what is found and decided, if that is worth it."""
        self._columns.save_grown([self._expanded, self._sent])

    def _fit(self, width: int) -> None:
        """Take what the values take, of this many bytes each."""
        positions, alternate = self.positions, self._task.compiled.alternate
        needed = self._own.fixed + positions * (width + (0 if alternate else 1))
        self._ledger.take(needed, graph_memory.found(positions), graph_memory.SMALLER)
        self._task.ledger.fits(self._ledger.peak)

    def result(self) -> tuple[Table, str]:
        """Return the table, and tell what the workers have done."""
        self._report.tell("cluster", self._workers.summary(self._sent, self.positions))
        compiled, columns, positions = self._task.compiled, self._columns, self.positions
        scale = self._rounds.scale(SCALES)
        self._fit(np.dtype(scale.dtype).itemsize)
        state = self._rounds.state(scale)
        owners = columns["turns"].read(0, np.empty(len(columns["turns"]), np.uint8))
        apply_endless_wins(state, owners, compiled.kind.favours, scale)
        arrays = self._own.directory, state, scale, owners, self._starts()
        del self._own
        table = table_of(compiled.kind, self._ranking, *arrays, legal=self._legal)
        return table, sentence_of(positions, self._ranking, "along reversed moves")


def _even(each: list[list[tuple[int, int]]], count: int) -> bool:
    """Whether ranges have all that there is, and those of each worker about as much."""
    sizes = [sum(end - begin for begin, end in spans) for spans in each]
    return sum(sizes) == count and min(sizes) > 0 and max(sizes) * len(each) <= _UNEVEN * count


def _pieces(spans: list[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all that spans have, this much at a time."""
    some: list[tuple[int, int]] = []
    left = size
    for begin, end in spans:
        at = begin
        while at < end:
            stop = min(end, at + left)
            some.append((at, stop))
            left -= stop - at
            at = stop
            if not left:
                yield tuple(some)
                some, left = [], size
    if some:
        yield tuple(some)
