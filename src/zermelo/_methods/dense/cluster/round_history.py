"""The rounds that workers do and the driver records, with the positions that each decided."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._cluster.shared_files import SharedFileReader
from zermelo._engine.backward.tie_preference import NO_TIES, tie_preference
from zermelo._engine.core.memory import zeros
from zermelo._methods.dense.cluster.ranges import ROW
from zermelo._methods.dense.cluster.units import DenseResult, SpaceRoundUnit, Spans
from zermelo._methods.dense.status import code_of

if TYPE_CHECKING:
    from pathlib import Path

    from zermelo._engine.checkpoint.columns import ColumnCheckpoint
    from zermelo._engine.column.codes import Scale

#: The columns of rounds, and the type of each: rows of ``ROW`` numbers, and positions.
COLUMNS = {"rows": np.int64, "won": np.uint32, "lost": np.uint32}
#: Elements of a column that are read in one batch.
_AT_ONCE = 1 << 18

#: Runs units; yields the number and the result of each.
Done = Callable[[Sequence[SpaceRoundUnit]], Iterator[tuple[int, DenseResult]]]


class RoundHistory:
    """The rounds of one solve."""

    def __init__(self, folder: Path, columns: ColumnCheckpoint, positions: int) -> None:
        """Read the recorded rounds.

        Args:
            folder: the folder of the workers' files.
            columns: the columns of the solve, ``COLUMNS`` among them.
            positions: the number of positions.
        """
        self._folder, self._columns, self._positions = folder, columns, positions
        rows = columns["rows"]
        held = rows.read(0, np.empty(len(rows), np.int64))
        self._rows: list[list[int]] = held.reshape(-1, ROW).tolist()

    @property
    def decided_count(self) -> int:
        """The number of decided positions."""
        return len(self._columns["won"]) + len(self._columns["lost"])

    @property
    def new_count(self) -> int:
        """The number of positions that the last round decided."""
        *_, earlier, last = ([0, 0], [0, 0], *(row[2:] for row in self._rows[-2:]))
        return sum(last) - sum(earlier)

    def next_round(self, tie: int) -> tuple[int, int]:
        """Return the remoteness that the next round decides, and the number of recorded rounds."""
        last = self._rows[-1] if self._rows else [NO_TIES, -1]
        return last[1] + 1 if last[0] == tie else 0, len(self._rows)

    def run(
        self,
        favours: int,
        spans: Sequence[Spans],
        done: Done,
        rest: Callable[[SharedFileReader, SpaceRoundUnit], None] = lambda _, __: None,
    ) -> Iterator[int]:
        """Decide all positions: wins and losses first, then ties.

        Yields after each round whether it was of ties, and which player prefers ties; see
        ``tie_preference``.

        Args:
            favours: the player who wins by endless play, or NOBODY.
            spans: the ranges of each unit of a round.
            done: runs units.
            rest: reads the data that follows a unit's decided positions in a worker's file.
        """
        for tie in (NO_TIES, tie_preference(favours)):
            while self._has_round(tie):
                self._decide_round(tie, spans, done, rest)
                yield tie

    def _has_round(self, tie: int) -> bool:
        """Return whether there is another round of wins and losses, or of ties."""
        if not self._rows or self._rows[-1][0] != tie:
            return not self._rows or self._rows[-1][0] < tie  # these come first
        earlier = self._rows[-2][2:] if len(self._rows) > 1 else [0, 0]
        return self._rows[-1][2:] != earlier

    def _decide_round(self, tie: int, spans: Sequence[Spans], done: Done, rest: Any) -> None:
        """Decide the positions of the next remoteness, and record the round."""
        columns = self._columns
        level, rounds = self.next_round(tie)
        units = [SpaceRoundUnit(level, tie, own, rounds, self._positions) for own in spans]
        for place, found in done(units):
            with SharedFileReader(self._folder, found.part) as reader:
                for name, count in (("won", found.won), ("lost", found.lost)):
                    for _, some in reader.arrays(count, np.uint32):
                        columns[name].append(some)
                rest(reader, units[place])
                reader.end()
        self._rows.append([tie, level, len(columns["won"]), len(columns["lost"])])
        columns["rows"].append(np.array(self._rows[-1], np.int64))

    # -- the values -----------------------------------------------------------------------------

    def scale(self, scales: Sequence[Scale]) -> Scale:
        """Return the first scale that has codes for all that was decided."""
        return next(
            scale
            for scale in scales
            if all(code_of(scale, tie, level) for tie, level, *_ in self._rows)
        )

    def state(self, scale: Scale) -> npt.NDArray[Any]:
        """Return the code of each position; undecided ones have the code of an endless draw."""
        state = zeros(self._positions, scale.dtype)
        buffer = np.empty(_AT_ONCE, np.uint32)
        for (_, _, *before), (tie, level, *ends) in pairwise([[0, 0, 0, 0], *self._rows]):
            code = code_of(scale, tie, level)
            parts = zip(("won", "lost"), before, ends, (code, -code), strict=True)
            for name, begin, end, worth in parts:
                for at in range(begin, end, _AT_ONCE):
                    some = buffer[: min(_AT_ONCE, end - at)]
                    state[self._columns[name].read(at, some)] = worth
        return state
