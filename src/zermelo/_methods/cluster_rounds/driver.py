"""The driver's side of rounds: workers decide ranges of positions, and the driver records them.

To exchange a round that decides few positions takes longer than to compute it. So after many such
rounds the driver decides all remaining positions without workers, as one range, if its memory is
enough for that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.backward.status import StatusArray, code_of
from zermelo._engine.backward.tie_preference import NO_TIES, tie_preference
from zermelo._engine.core.memory import zeros
from zermelo._methods.cluster_rounds.ranges import ROW, RangeRounds, read_batches
from zermelo._methods.cluster_rounds.units import RoundResult, RoundUnit, Spans
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._cluster.pool import WorkerPool
    from zermelo._cluster.worker import Job
    from zermelo._engine.column.codes import Scale
    from zermelo._engine.store.store import Store

#: The columns of rounds, and the type of each: rows of ``ROW`` numbers, and positions.
COLUMNS = {"rows": np.int64, "won": np.uint32, "lost": np.uint32}
#: A round that decides fewer positions takes longer to exchange than to compute. After a number of
#: such rounds the driver computes the remaining rounds, for which it transposes the moves of all
#: remaining positions. This number is at least four, and one for each 100,000 positions.
_SMALL_ROUND, _LEAST_ROUNDS, _POSITIONS_PER_ROUND = 1 << 14, 4, 100_000


class ClusterRounds:
    """The rounds of one solve, with the positions that each decided."""

    def __init__(
        self,
        folder: Path,
        columns: Store,
        positions: int,
        favours: int,
        lengths: tuple[int, ...] = (),
    ) -> None:
        """Read the recorded rounds.

        Args:
            folder: the folder of the workers' files.
            columns: the columns of the solve, ``COLUMNS`` among them.
            positions: the number of positions.
            favours: the player who wins by endless play, or NOBODY.
            lengths: the lengths of the columns that say where moves are; see ``RoundUnit``.
        """
        self._folder, self._columns, self._positions = folder, columns, positions
        self._favours, self._lengths = favours, lengths
        rows = columns["rows"]
        held = rows.read(0, np.empty(len(rows), np.int64))
        self._rows: list[list[int]] = held.reshape(-1, ROW).tolist()
        self._status: StatusArray | None = None

    @property
    def decided_count(self) -> int:
        """The number of positions that workers decided."""
        return len(self._columns["won"]) + len(self._columns["lost"])

    def run(
        self,
        workers: WorkerPool,
        spans: Sequence[Spans],
        own: Job | None = None,
        remaining: Callable[[], RangeRounds] | None = None,
        rest: Callable[[SharedFileReader, RoundUnit], None] = lambda _, __: None,
    ) -> Iterator[int]:
        """Decide all positions: wins and losses first, then ties.

        Yields the number of decided positions after each round.

        Args:
            workers: the workers.
            spans: the ranges of each worker.
            own: the job of this process if it does the units itself; see ``WorkerPool.run``.
            remaining: returns the ranges of this process, which decides the remaining positions;
                None if workers decide all of them.
            rest: reads the data that follows a unit's decided positions in a worker's file.
        """
        patience = math.inf
        if remaining is not None:
            patience = max(_LEAST_ROUNDS, self._positions // _POSITIONS_PER_ROUND)
        for tie in (NO_TIES, tie_preference(self._favours)):
            while self._has_round(tie):
                units = [self._unit(tie, each) for each in spans]
                done = workers.run(units, range(len(units)), own)
                new_count = self._record_round(units, done, rest)
                yield self.decided_count
                patience -= new_count < limits.current().shared(_SMALL_ROUND)
                if remaining is not None and patience <= 0 and new_count:
                    yield from self._decide_remaining(remaining(), tie)
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
        return RoundUnit(level, tie, spans, len(self._rows), self._positions, self._lengths)

    def _record_round(
        self, units: Sequence[RoundUnit], done: Iterator[tuple[int, RoundResult]], rest: Any
    ) -> int:
        """Record the positions that the units of a round decide; return their number."""
        columns, before = self._columns, self.decided_count
        for place, found in done:
            with SharedFileReader(self._folder, found.part) as reader:
                for name, count in (("won", found.won), ("lost", found.lost)):
                    for _, batch in reader.arrays(count, np.uint32):
                        columns[name].append(batch)
                rest(reader, units[place])
                reader.end()
        self._rows.append([units[0].tie, units[0].level, len(columns["won"]), len(columns["lost"])])
        columns["rows"].append(np.array(self._rows[-1], np.int64))
        return self.decided_count - before

    def _decide_remaining(self, ranges: RangeRounds, tie: int) -> Iterator[int]:
        """Decide the remaining positions without workers, if they fit in memory.

        Yields the number of decided positions.
        """
        unit = self._unit(tie, ((0, self._positions),))
        try:
            known, _ = ranges.replay_unit(unit)
            status = known.status
            status.tied = int(np.count_nonzero(status.state == status.scale.ties))
            begun = [tie != NO_TIES, unit.level, True, self.decided_count, unit.rounds]
            yield from status.spread(known.spreading, begun=begun)
        except BudgetError:
            return
        finally:
            ranges.ranges.clear()
        self._status = status

    # -- the values -----------------------------------------------------------------------------

    @property
    def held_bytes(self) -> int:
        """The bytes of memory that it takes until the codes are written."""
        return 0 if self._status is None else self._status.state.nbytes

    def scale(self, scales: Sequence[Scale]) -> Scale:
        """Return the first scale that has codes for all that was decided."""
        status = self._status
        if status is not None:
            return next(scale for scale in scales if scale.last >= status.scale.last)
        return next(
            scale
            for scale in scales
            if all(code_of(scale, tie, level) for tie, level, *_ in self._rows)
        )

    def codes(self, scale: Scale) -> npt.NDArray[Any]:
        """Return the code of each position; undecided ones have the code of an endless draw."""
        codes = zeros(self._positions, scale.dtype)
        if self._status is not None:
            self._status.write(codes, scale)
            return codes
        for (_, _, *before), (tie, level, *ends) in pairwise([[0, 0, 0, 0], *self._rows]):
            code = code_of(scale, tie, level)
            parts = zip(("won", "lost"), before, ends, (code, -code), strict=True)
            for name, begin, end, worth in parts:
                for batch in read_batches(self._columns[name], begin, end, np.uint32):
                    codes[batch] = worth
        return codes
