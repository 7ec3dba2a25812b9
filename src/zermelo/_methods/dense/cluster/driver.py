"""The driver of a dense space on a cluster: workers find and decide positions, it records them.

Processes exchange numbers: the slots of new positions, and then the positions that a round has
decided. Each process has a directory of slots, and so finds the number of any position.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.ranges import even_ranges
from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.backward.tie_preference import apply_endless_wins
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand.graph_memory import describe_found, too_many_positions
from zermelo._engine.index.directory import count_before
from zermelo._engine.index.hash_index import MOST_POSITIONS
from zermelo._methods.cluster_rounds.driver import ClusterRounds
from zermelo._methods.cluster_rounds.ranges import RoundResult, RoundUnit, Spans
from zermelo._methods.dense.cluster.worker import DenseUnits, FindUnit, LegalUnit
from zermelo._methods.dense.driver import MissingStartError, solve_description, table_of
from zermelo._methods.dense.kernels import not_found
from zermelo._methods.pickled_game import PickledGame

if TYPE_CHECKING:
    from zermelo._engine.index.ranks import Ranking
    from zermelo._engine.table import Table
    from zermelo._methods.task import Task

#: The name of the checkpoint of positions and of their values.
_RECORD = "dense-on-cluster"
#: The least units of a layer per worker; the most positions that a unit expands, and the bytes of
#: their children; and the slots that a legal unit tests.
_EACH, _MOST, _A_POSITION, _LOOKED = 2, 1 << 22, 1 << 8, 1 << 22
#: With fewer positions, or slots, the driver does the units itself.
_WORTH, _WORTH_LOOKING = 1 << 16, 1 << 18
#: The least ranges of slots per worker, as the first number of a position is often the player to
#: move; and the ranges in all. And the most positions in the ranges of a worker, relative to the
#: average.
_LEAST_RANGES, _RANGES, _UNEVEN = 4, 64, 1.25
#: Elements of a column that are read in one batch.
_AT_ONCE = 1 << 18


def solve(task: Task, ranking: Ranking) -> tuple[Table, str]:
    """Find and decide every position of a dense space on a cluster.

    Args:
        task: the game, with the workers.
        ranking: the slots of positions.

    Returns:
        The table, and a description of the solve.

    Raises:
        MissingStartError: a start is not among the positions.
        RulesError: a move leads to a position that is not among them, or a rule broke the contract.
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


class _SpaceSteps(ClusterRounds):
    """One solve on a cluster."""

    def __init__(self, task: Task, ranking: Ranking, scratch: Scratch) -> None:
        assert task.workers is not None  # noqa: S101  # the caller has checked
        self._kind = np.uint32 if ranking.slots <= 1 << 32 else np.int64
        kinds: dict[str, Any] = {"slots": self._kind, "turns": np.uint8}
        super().__init__(
            scratch, _RECORD, kinds, task.workers, task.ledger, task.threads, task.report
        )
        self._ranking, self._compiled = ranking, task.compiled
        self._favours = task.compiled.kind.favours
        self._legal = task.compiled.rules.has_hook("legal")
        game = PickledGame.from_rules(task.compiled)
        #: The driver does small steps itself, and its directory becomes the table's.
        self._own: DenseUnits = self._begin_job(DenseUnits, game, self.ledger.allowed)
        self.positions = len(self.columns["slots"])
        self._expanded, self.workers.sent = map(int, self.columns.note or (0, 0))
        #: The first slot of each range, which are dealt to workers in turn; and the places of the
        #: positions found last in each worker's ranges.
        size = task.workers.size
        self._cuts = ranking.evenly(size * max(_LEAST_RANGES, _RANGES // size))
        self._last: list[list[tuple[int, int]]] = [[] for _ in range(size)]

    @property
    def _note(self) -> list[int]:
        return [self._expanded, self.workers.sent]

    # -- positions ------------------------------------------------------------------------------

    def find(self) -> None:
        """Find all positions: layer by layer, or all legal ones."""
        starts = self._starts()
        if self.columns.note is not None:
            self._own.add_recorded_slots(self.positions)
            self.report.resume(f"{self.positions:,} positions were found")
        elif self._legal:
            self._add_legal()
            missing = not_found(self._own.directory, starts, len(starts))
            if missing >= 0:
                raise MissingStartError(int(missing), inside=True)
        else:
            self._add(np.unique(starts))
        layer = 0
        while self._expanded < self.positions:
            self._expand(layer)
            layer += 1
            self.report.advance(self._expanded)
            self._record()
        if self.positions > MOST_POSITIONS:
            raise too_many_positions(self.ledger)
        self._own.number(self.positions)

    def _starts(self) -> npt.NDArray[np.int64]:
        """Return the slots of the starts."""
        starts = np.ascontiguousarray(self._compiled.start_words())
        slots = np.empty(len(starts), np.int64)
        if self._ranking.rank(starts.reshape(-1), len(starts), slots) < len(starts):
            raise MissingStartError(int(np.argmin(slots)), inside=False)
        return slots

    def _add(self, slots: npt.NDArray[Any]) -> None:
        """Add ascending slots, and append those that held no position to the record."""
        fresh = self._own.add(slots)
        at = self.columns["slots"].append(fresh)
        self.positions += len(fresh)
        places = (np.searchsorted(fresh, self._cuts) + at).tolist()
        for last, spans in zip(self._last, self._ranges_by_worker(places), strict=True):
            last.extend(spans)

    def _ranges_by_worker(self, cuts: list[int]) -> list[list[tuple[int, int]]]:
        """Return each worker's ranges, of the ranges between these cuts."""
        size, every = len(self._last), list(pairwise(cuts))
        return [[span for span in every[n::size] if span[0] < span[1]] for n in range(size)]

    def _add_legal(self) -> None:
        """Add all legal positions, which need not be expanded before the rounds."""
        slots, size = self._ranking.slots, limits.current().batch(_LOOKED)
        units = [LegalUnit(0, at, min(at + size, slots)) for at in range(0, slots, size)]
        self._add_found(units, alone=slots < limits.current().shared(_WORTH_LOOKING))
        self._expanded = self.positions

    def _expand(self, layer: int) -> None:
        """Add the children of the last layer."""
        begin, end = self._expanded, self.positions
        alone = end - begin < limits.current().shared(_WORTH)
        size = min(_MOST, max(1, self.ledger.allowed // _A_POSITION))
        if not alone:
            size = min(size, -(-(end - begin) // (_EACH * self.workers.size)))
        size = limits.current().batch(size)
        last, self._last = self._last, [[] for _ in self._last]
        if alone or not _is_even(last, end - begin):
            spans = [((at, min(at + size, end)),) for at in range(begin, end, size)]
            self._add_found([FindUnit(layer, some, end, None) for some in spans], alone=alone)
        else:
            units = [
                FindUnit(layer, some, end, home)
                for home, spans in enumerate(last)
                for some in _pieces(spans, size)
            ]
            self._add_found(units, [unit.home or 0 for unit in units])
        self._expanded = end

    def _add_found(
        self,
        units: Sequence[LegalUnit | FindUnit],
        homes: Sequence[int] | None = None,
        *,
        alone: bool = False,
    ) -> None:
        """Run units, and add the slots that they find."""
        for _, part in self.workers.run(units, homes, self._own if alone else None):
            with SharedFileReader(self.folder, part) as reader:
                for _, some in reader.arrays(part.count, self._kind):
                    self._add(some)
                reader.end()

    # -- rounds ---------------------------------------------------------------------------------

    def decide(self) -> None:
        """Decide all positions: wins and losses first, then ties."""
        self.reserve(self._held_bytes + self.positions, describe_found(self.positions))
        self.decide_rounds()

    def _read_result(self, reader: SharedFileReader, unit: RoundUnit, found: RoundResult) -> None:
        """Read the players to move, too, which the first round reports; see ``ClusterRounds``."""
        super()._read_result(reader, unit, found)
        for begin, end in () if unit.rounds or self._compiled.alternate else unit.spans:
            for at, some in reader.arrays(end - begin, np.uint8):
                self.columns["turns"].write(begin + at, some)

    def _spans(self) -> list[Spans]:
        """Return each worker's numbers: those of its ranges of slots, if these are balanced."""
        positions, size = self.positions, self.workers.size
        cuts = [count_before(self._own.directory, slot) for slot in self._cuts[:-1]] + [positions]
        own = self._ranges_by_worker(cuts)
        if not self._legal and _is_even(own, positions):
            return list(map(tuple, own))
        return [(span,) for span in even_ranges(positions, size)]

    @property
    def _held_bytes(self) -> int:
        """The bytes of the driver's job and of the player to move in each position."""
        return self._own.fixed + (0 if self._compiled.alternate else self.positions)

    def result(self) -> tuple[Table, str]:
        """Return the table, and report the work of the workers."""
        self.report.tell("cluster", self.workers.summary(self.positions))
        state, scale = self.codes(self._held_bytes, describe_found(self.positions))
        owners = self.columns["turns"].read(0, np.empty(len(self.columns["turns"]), np.uint8))
        apply_endless_wins(state, owners, self._favours, scale)
        directory = self._own.directory
        table = table_of(self._compiled, self._ranking, directory, state, owners, self._starts())
        return table, solve_description(self.positions, self._ranking, "along reversed moves")


def _is_even(each: list[list[tuple[int, int]]], count: int) -> bool:
    """Return whether the ranges have all positions, evenly distributed among workers."""
    sizes = [sum(end - begin for begin, end in spans) for spans in each]
    return sum(sizes) == count and min(sizes) > 0 and max(sizes) * len(each) <= _UNEVEN * count


def _pieces(spans: list[tuple[int, int]], size: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all ranges of ``spans``, in groups with ``size`` elements."""
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
