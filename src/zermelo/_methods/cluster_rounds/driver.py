"""The driver's side of rounds: workers decide ranges of positions, and the driver records them.

To exchange a round that decides few positions takes longer than to compute it. So after many such
rounds the driver decides all remaining positions without workers, as one range, if its memory is
enough for that.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo import limits
from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.backward.status import SCALES, StatusArray, code_of
from zermelo._engine.backward.tie_preference import NO_TIES, tie_preference
from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.graph_memory import SMALLER
from zermelo._engine.store.store import Store
from zermelo._methods.cluster_rounds.ranges import (
    ROW,
    RangeUnits,
    RoundResult,
    RoundUnit,
    Spans,
    read_batches,
)
from zermelo.errors import BudgetError
from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._engine.column.codes import Scale
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.core.scratch import Scratch
    from zermelo._methods.pickled_game import PickledGame
    from zermelo.progress import Reporter

#: The columns of rounds, and the type of each: rows of ``ROW`` numbers, and positions.
_COLUMNS = {"rows": np.int64, "won": np.uint32, "lost": np.uint32}
#: The driver does the units of fewer positions itself, if it has the job.
_WORTH = 1 << 16
#: A round that decides fewer positions takes longer to exchange than to compute. After a number of
#: such rounds the driver computes the remaining rounds, for which it transposes the moves of all
#: remaining positions. This number is at least four, and one for each 100,000 positions.
_SMALL_ROUND, _LEAST_ROUNDS, _POSITIONS_PER_ROUND = 1 << 14, 4, 100_000


class ClusterRounds(ABC):
    """A solve by workers, which ends with rounds: the columns that it records, and its workers.

    Attributes:
        columns: what the driver records, for itself and for workers.
        workers: the workers.
        ledger: the memory of the driver: its share of its machine.
        positions: the number of positions that rounds decide, once it is known.
    """

    #: Whether this process decides what small rounds have left: a job's ranges leave out the moves
    #: of decided positions.
    _finishes = False

    def __init__(
        self,
        scratch: Scratch,
        record: str,
        kinds: dict[str, Any],
        workers: WorkerPool,
        ledger: Ledger,
        threads: int,
        report: Reporter,
    ) -> None:
        """Open the columns, with what an earlier process recorded.

        Args:
            scratch: the folder of the workers' files, whose checkpoint has the columns.
            record: the name of the columns in the checkpoint.
            kinds: the columns of the method, and the type of each.
            workers: the workers.
            ledger: the memory of the machine.
            threads: threads to use.
            report: receives the number of decided positions.
        """
        self.columns = Store(scratch, record, threads, {**kinds, **_COLUMNS})
        self.workers, self.report, self.threads = workers, report, threads
        self.folder, self.positions = scratch.folder, 0
        self.ledger, self._machine = workers.driver_memory(ledger), ledger
        #: The player who wins by endless play, and the lengths of a unit; see ``RoundUnit``.
        self._favours = NOBODY
        self._lengths: tuple[int, ...] = ()
        self._rows: list[list[int]] = []
        self._status: StatusArray | None = None

    @property
    @abstractmethod
    def _note(self) -> list[int]:
        """The numbers that are recorded with the columns."""

    def _begin_job(self, job: type[RangeUnits], game: PickledGame, allowed: int) -> Any:
        """Start the job of all workers; return that of this process.

        Args:
            job: the class of the job.
            game: the game.
            allowed: the bytes of memory of this process's job.
        """
        arguments = str(self.folder.absolute()), self.columns.paths, game
        create = self.workers.begin(self.folder, job, arguments, self.columns.publish)
        self._own: Any = create(allowed, self.threads)
        return self._own

    def _record(self) -> None:
        """Record what is finished, if there is enough of it."""
        self.columns.save(self._note)

    def reserve(self, needed: int, work: str) -> None:
        """Reserve ``needed`` bytes of the driver's memory for ``work``; see ``Ledger.reserve``."""
        self.ledger.reserve(needed, work, SMALLER)
        self._machine.fits(self.ledger.peak)

    @property
    def decided_count(self) -> int:
        """The number of positions that workers decided."""
        return len(self.columns["won"]) + len(self.columns["lost"])

    @abstractmethod
    def _spans(self) -> Sequence[Spans]:
        """Return the ranges of positions of each worker."""

    def decide_rounds(self) -> None:
        """Decide all positions: wins and losses first, then ties; record and report each round.

        This process does all units if there are few positions.
        """
        rows = self.columns["rows"]
        self._rows = rows.read(0, np.empty(len(rows), np.int64)).reshape(-1, ROW).tolist()
        spans: Sequence[Spans] = [((0, self.positions),)]
        patience, own = math.inf, self._own
        if self.positions >= limits.current().shared(_WORTH):
            own, spans = None, self._spans()
            patience = max(_LEAST_ROUNDS, self.positions // _POSITIONS_PER_ROUND)
        for tie in (NO_TIES, tie_preference(self._favours)):
            while self._has_round(tie):
                new_count = self._decide_round(tie, spans, own)
                patience -= new_count < limits.current().shared(_SMALL_ROUND)
                if patience <= 0 and new_count and self._finishes:
                    self._decide_remaining(tie)
                    if self._status is not None:
                        return
                    patience = math.inf

    def _has_round(self, tie: int) -> bool:
        """Return whether there is another round of wins and losses, or of ties."""
        if not self._rows or self._rows[-1][0] != tie:
            return not self._rows or self._rows[-1][0] < tie  # these come first
        earlier = self._rows[-2][2:] if len(self._rows) > 1 else [0, 0]
        return self._rows[-1][2:] != earlier

    def _unit(self, tie: int, spans: Spans) -> RoundUnit:
        """Return the unit of some ranges in the next round."""
        last = self._rows[-1] if self._rows else [NO_TIES, -1]
        level = last[1] + 1 if last[0] == tie else 0
        return RoundUnit(level, tie, spans, len(self._rows), self.positions, self._lengths)

    def _decide_round(self, tie: int, spans: Sequence[Spans], own: RangeUnits | None) -> int:
        """Record the positions that workers decide in a round; return their number."""
        columns, before = self.columns, self.decided_count
        units = [self._unit(tie, each) for each in spans]
        for place, found in self.workers.run(units, range(len(units)), own):
            with SharedFileReader(self.folder, found.part) as reader:
                self._read_result(reader, units[place], found)
                reader.end()
        self._rows.append([tie, units[0].level, len(columns["won"]), len(columns["lost"])])
        columns["rows"].append(np.array(self._rows[-1], np.int64))
        self.report.advance(self.decided_count)
        self._record()
        return self.decided_count - before

    def _read_result(self, reader: SharedFileReader, unit: RoundUnit, found: RoundResult) -> None:  # noqa: ARG002  # for methods whose files have more
        """Append the positions that a unit decided to the columns, from a worker's file."""
        for name, count in (("won", found.won), ("lost", found.lost)):
            for _, batch in reader.arrays(count, np.uint32):
                self.columns[name].append(batch)

    def _decide_remaining(self, tie: int) -> None:
        """Decide the remaining positions without workers, if they fit in memory."""
        unit = self._unit(tie, ((0, self.positions),))
        try:
            known, _ = self._own.replay_unit(unit)
            status = known.status
            status.tied = int(np.count_nonzero(status.state == status.scale.ties))
            begun = [tie != NO_TIES, unit.level, True, self.decided_count, unit.rounds]
            for count in status.spread(known.spreading, begun=begun):
                self.report.advance(count)
                self._record()
        except BudgetError:
            return
        finally:
            self._own.ranges.clear()
        self._status = status

    # -- the values -----------------------------------------------------------------------------

    def codes(self, beside: int, work: str) -> tuple[Any, Scale]:
        """Return the code of each position on the first scale that has all codes; and that scale.

        Undecided positions have the code of an endless draw.

        Args:
            beside: the bytes of the driver's other arrays.
            work: the work that needs the memory; see ``Ledger.reserve``.

        Raises:
            BudgetError: the codes do not fit in memory.
        """
        scale, status = self._scale(), self._status
        needed = beside + self.positions * np.dtype(scale.dtype).itemsize
        self.reserve(needed + (0 if status is None else status.state.nbytes), work)
        codes = zeros(self.positions, scale.dtype)
        if status is not None:
            status.write(codes, scale)
            return codes, scale
        for (_, _, *before), (tie, level, *ends) in pairwise([[0, 0, 0, 0], *self._rows]):
            code = code_of(scale, tie, level)
            parts = zip(("won", "lost"), before, ends, (code, -code), strict=True)
            for name, begin, end, worth in parts:
                for batch in read_batches(self.columns[name], begin, end, np.uint32):
                    codes[batch] = worth
        return codes, scale

    def _scale(self) -> Scale:
        """Return the first scale that has codes for all that was decided."""
        status = self._status
        if status is not None:
            return next(scale for scale in SCALES if scale.last >= status.scale.last)
        return next(
            scale
            for scale in SCALES
            if all(code_of(scale, tie, level) for tie, level, *_ in self._rows)
        )
