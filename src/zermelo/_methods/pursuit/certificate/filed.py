"""Certifying a pursuit's table that stays in its file: some columns at a time are read of it.

A file has the placements by the evader's node, and for each by the pursuer's. Where the pursuer
moves, columns are the evader's nodes, so that some of them are a stretch of either half of the
file, which is read once. Where the evader moves they are the pursuer's, and each row has a few of
them: the blocks that have some are read again for every so many columns, as many as there is
memory for. All threads share them.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.threads import taken
from zermelo._methods.pursuit.certificate.kernels import NOWHERE, Chase, Chased, Side, compared
from zermelo._methods.pursuit.certificate.matrix import Matrix, Numbers

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes that a thread reads at once, if a row has no more, and how many times those are taken.
_READ, _TIMES = 1 << 18, 4
#: Bytes that each node takes.
_NODE = 256
#: Columns at the least, and of how many there is a multiple.
_LEAST = 64


class Filed(Protocol):
    """A table of a pursuit in a file, the values of which are numbers.

    Attributes:
        per_block: values in a block.
        meaning: the marks that numbers stand for.
        kind: what numbers are.
    """

    per_block: int

    @property
    def meaning(self) -> npt.NDArray[np.int32]:
        """See the class."""

    @property
    def kind(self) -> np.dtype[Any]:
        """See the class."""

    def __len__(self) -> int:
        """Return how many placements there are."""

    def read_blocks(self, blocks: Numbers, first: int, out: npt.NDArray[Any]) -> None:
        """Write what some blocks hold; ``out`` begins with what stands in the first."""


class Columns:
    """A table of a pursuit as it is examined some columns at a time."""

    def __init__(self, table: Filed, chase: Chase, threads: int, room: int) -> None:
        """Share out the memory.

        Args:
            table: the values.
            chase: what they are to be.
            threads: threads to use.
            room: bytes that there are.
        """
        self.table = table
        self.chase = chase
        most = int(np.abs(table.meaning.astype(np.int64)).max(initial=0))
        self.understood = most <= (1 << 31) - 2
        self.kind: type[np.uint8 | np.uint32] = np.uint8 if most <= (1 << 7) - 2 else np.uint32
        evading, _ = chase.sides
        self.size, self.within = len(evading.own.rows), len(evading.own.columns)
        item, wide = table.kind.itemsize, np.dtype(self.kind).itemsize
        #: Rows of the file that a thread reads at once, and elements that are read then.
        self.rows = max(1, _READ // (item * self.within))
        self.length = self.rows * self.within + 2 * table.per_block
        #: Bytes of a column: where the evader moves, and where the pursuer does.
        self._each = wide * self.size, (wide + item) * self.within
        many = self.rows + _LEAST
        self._fixed = _NODE * self.size + sum(side.moves.bytes for side in chase.sides)
        self._thread = _TIMES * item * self.length + wide * many * max(self.size, self.within)
        self.threads = threads
        left = room - self._fixed
        while self.threads > 1 and self.threads * self._thread > left // 2:
            self.threads -= 1
        left -= self.threads * self._thread
        self.widths = [
            min(columns, max(_LEAST, left // each // _LEAST * _LEAST))
            for columns, each in zip((self.within, self.size), self._each, strict=True)
        ]

    @property
    def needed(self) -> int:
        """Bytes that it takes."""
        most = max(width * each for width, each in zip(self.widths, self._each, strict=True))
        return self._fixed + self.threads * self._thread + most

    def examined(self, except_for: tuple[int, int], report: Reporter) -> Chased | None:
        """Compare all values with what follows; see ``Chase.examined``."""
        if not self.understood:
            return None
        skipped = np.array(except_for, np.int64)
        wrong = [int(NOWHERE)]
        done = 0
        raw: SimpleQueue[npt.NDArray[Any]] = SimpleQueue()
        for _ in range(self.threads):
            raw.put(np.empty(self.length, self.table.kind))
        with ThreadPoolExecutor(self.threads, thread_name_prefix="zermelo-verify") as pool:
            for way, (side, width) in enumerate(zip(self.chase.sides, self.widths, strict=True)):
                many, columns = len(side.own.rows), len(side.own.columns)
                after = np.empty(many * width, self.kind)
                piece = np.empty(width * self.within if way else 0, self.table.kind)
                for begin in range(0, columns, width):
                    end = min(begin + width, columns)
                    tile = _Tile(self, side, begin, end, after, pool)
                    if way:
                        wrong += tile.along(piece, raw, skipped)
                    else:
                        wrong += tile.across(raw, skipped)
                    done += many * (end - begin)
                    report.advance(done)
        least = min(wrong)
        return Chased(self.chase.moves, least if least < NOWHERE else None)


class _Tile:
    """Some columns of one turn."""

    def __init__(
        self,
        columns: Columns,
        side: Side,
        begin: int,
        end: int,
        after: npt.NDArray[Any],
        pool: ThreadPoolExecutor,
    ) -> None:
        self.columns = columns
        self.table = columns.table
        self.side = side
        self.begin, self.end = begin, end
        many, width = len(side.own.rows), end - begin
        self.after = after[: many * width].reshape(many, width)
        self.half = columns.kind(1 << (8 * after.itemsize - 1))
        self.pool = pool
        self.wrong: list[int] = []
        low, high = np.searchsorted(side.lost, (begin, end))
        self.lost = side.lost[low:high]

    def across(self, raw: SimpleQueue[Any], skipped: Numbers) -> list[int]:
        """Compare columns that are the pursuer's nodes: a part of each row of the file."""
        columns, within = self.columns, self.columns.within
        starts = np.arange(columns.rows) * within
        every = np.arange(self.end - self.begin)

        def read(turn: int, low: int, high: int, out: npt.NDArray[Any]) -> None:
            buffer = raw.get()
            try:
                first = turn * (len(self.table) // 2) + low * within + self.begin
                where = self._read(first + starts[: high - low], len(every), buffer)
                matrix = Matrix(buffer, self.table.meaning, where, every)
                matrix.read(slice(None), slice(None), self.half, out)
            finally:
                raw.put(buffer)

        def lay_out(low: int, high: int) -> None:
            read(1, low, high, self.after[low:high])

        def compare(low: int, high: int) -> None:
            own = np.empty((high - low, len(every)), columns.kind)
            read(0, low, high, own)
            self._compare(low, own, skipped)

        for work in (lay_out, compare):
            self._shared(columns.size, columns.rows, work)
        return self.wrong

    def along(self, piece: npt.NDArray[Any], raw: SimpleQueue[Any], skipped: Numbers) -> list[int]:
        """Compare columns that are the evader's nodes: whole rows of the file."""
        columns, within = self.columns, self.columns.within
        count = self.end - self.begin
        rows, every = np.arange(within), np.arange(count) * within
        matrix = Matrix(piece, self.table.meaning, rows, every)

        def fetch(turn: int) -> Callable[[int, int], None]:
            def read(low: int, high: int) -> None:
                buffer = raw.get()
                try:
                    first = turn * (len(self.table) // 2) + (self.begin + low) * within
                    where = self._read(np.array([first]), (high - low) * within, buffer).item()
                    length = (high - low) * within
                    piece[low * within : high * within] = buffer[where : where + length]
                finally:
                    raw.put(buffer)

            return read

        def lay_out(low: int, high: int) -> None:
            matrix.read(slice(low, high), slice(None), self.half, self.after[low:high])

        def compare(low: int, high: int) -> None:
            own = np.empty((high - low, count), columns.kind)
            matrix.read(slice(low, high), slice(None), self.half, own)
            self._compare(low, own, skipped)

        self._shared(count, columns.rows, fetch(0))
        self._shared(within, columns.rows + _LEAST, lay_out)
        self._shared(count, columns.rows, fetch(1))
        self._shared(within, columns.rows + _LEAST, compare)
        return self.wrong

    def _read(self, begins: Numbers, length: int, buffer: npt.NDArray[Any]) -> Numbers:
        """Read stretches of the file that are so long; return where they begin in what is read."""
        per_block = self.table.per_block
        low, high = begins // per_block, (begins + length - 1) // per_block
        first, last = low.item(0), high.item(-1)
        wanted = np.zeros(last - first + 2, np.int64)
        np.add.at(wanted, low - first, 1)
        np.add.at(wanted, high - first + 1, -1)
        blocks = np.flatnonzero(np.cumsum(wanted)[:-1]) + first
        end = min((last + 1) * per_block, len(self.table)) - first * per_block
        self.table.read_blocks(blocks, first, buffer[:end])
        where: Numbers = begins - first * per_block
        return where

    def _compare(self, low: int, own: npt.NDArray[Any], skipped: Numbers) -> None:
        """Compare rows from one on with what follows for them."""
        side = self.side
        found = compared(
            side.moves.indptr,
            side.moves.indices,
            low,
            side.won,
            side.numbers,
            self.columns.chase.nodes,
            self.columns.chase.pursuers,
            side.caught,
            self.lost,
            self.after,
            own,
            self.half,
            self.begin,
            np.array(side.key, np.int64),
            skipped,
        )
        self.wrong.append(int(found))

    def _shared(self, count: int, step: int, work: Callable[[int, int], None]) -> None:
        """Do some work on so many things, some at a time."""
        some = [(low, min(low + step, count)) for low in range(0, count, step)]
        taken(self.pool, self.columns.threads - 1, lambda each: work(*each), some)
