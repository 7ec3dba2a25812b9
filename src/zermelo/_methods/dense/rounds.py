"""Dense spaces in rounds: undecided positions are expanded once per ply, or their moves read.

Only the directory and the values are in memory. If the disk has space, the rules run once on each
position: the numbers of its children are written to disk, and every round reads them in order.
Moves of positions decided in the meantime are removed from the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.rounds import Round, Rounds, decide_expanded
from zermelo._engine.backward.status import StatusArray
from zermelo._engine.backward.tie_preference import NO_TIES
from zermelo._engine.core.checkpoint import Checkpoint
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.core.threads import map_unordered
from zermelo._engine.index.directory import find, slots_of
from zermelo._engine.store.arrays import FileArray
from zermelo._methods.dense.discovery import FoundPositions
from zermelo._methods.dense.kernels import (
    decide_terminals,
    first_lower,
    keep_undecided,
    undecided_members,
)
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace
from zermelo.errors import BudgetError
from zermelo.progress import Reporter

#: Positions in a thread's batch.
SPAN = 1 << 14


class LevelLoweredError(Exception):
    """A move lowers the level.

    Attributes:
        packed: the position before the move.
    """

    def __init__(self, packed: npt.NDArray[np.uint64]) -> None:
        """Store the position."""
        super().__init__(packed)
        self.packed = packed


class MemoryLimit(Protocol):
    """The memory of a solve."""

    @property
    def allowed(self) -> int:
        """The number of bytes that may be allocated."""

    fixed: int
    position: int
    edge: int
    turn: int

    def reserve(self, needed: int, positions: int) -> None:
        """Reserve ``needed`` bytes; see ``Ledger.reserve``."""


@dataclass
class DenseWork:
    """The data that levels and rounds share; ``held`` is the bytes of all except values."""

    found: FoundPositions
    memory: MemoryLimit
    threads: int
    pool: ThreadPoolExecutor
    report: Reporter
    checkpoint: Checkpoint
    marks: StatusArray
    owners: npt.NDArray[np.uint8]
    levels: npt.NDArray[Any]
    places: npt.NDArray[np.uint32]
    held: int
    remotest: int = 0
    done: int = 0

    @property
    def total_bytes(self) -> int:
        """The bytes of all of it."""
        return self.held + self.marks.state.nbytes

    def run_on_spans(self, work: Callable[[DenseWorkspace, int, int], Any]) -> list[Any]:
        """Apply ``work`` to ranges of all positions in threads; return the results."""
        positions = self.found.positions

        def span(workspace: DenseWorkspace, begin: int) -> Any:
            return work(workspace, begin, min(begin + SPAN, positions))

        return self.run_on_items(span, range(0, positions, SPAN))

    def run_on_items(
        self, work: Callable[[DenseWorkspace, Any], Any], items: Iterable[Any]
    ) -> list[Any]:
        """Apply ``work`` to each item in threads; return the results."""
        return [made for _, made in map_unordered(self.pool, self.found.workspaces, work, items)]

    def children(
        self, workspace: DenseWorkspace, ids: npt.NDArray[Any]
    ) -> Iterator[tuple[int, int, int, npt.NDArray[np.int64]]]:
        """Expand positions; yields parts as ``expand_parts`` does, with the children's numbers."""
        directory = self.found.directory
        slots = np.empty(len(ids), np.int64)
        slots_of(directory, ids, len(ids), slots)
        for begin, done, made, children in workspace.expand_parts(slots):
            find(directory, children, made, children)
            yield begin, done, made, children


@dataclass
class _Piece:
    """Some positions on disk: where they are, how many, and the number of their moves."""

    at: int
    count: int
    moves: int


class DenseRounds(Rounds):
    """Rounds over the undecided positions of a level, or over all, by running the rules again.

    The first round writes the moves of positions that stay undecided to disk, if there is space.
    Later rounds then read these moves instead.
    """

    def __init__(self, work: DenseWork, level: int, scratch: Scratch) -> None:
        """Store the work; ``scratch`` is the folder for moves."""
        super().__init__(work.threads)
        self.work = work
        self.level = level
        self._moves: FileArray | None = FileArray(scratch, np.uint32)
        self._pieces: list[_Piece] | None = None

    def close(self) -> None:
        """Delete the moves on disk."""
        if self._moves is not None:
            self._moves.close()
        self._moves, self._pieces = None, None

    def _decide(
        self, pool: ThreadPoolExecutor, here: Round
    ) -> tuple[int, int]:  # ``work`` has its own threads
        """Decide one remoteness; see ``Rounds``."""
        if here.level and self._moves is not None and self._pieces is not None:
            decided, code = self._read(self._moves, self._pieces, here)
        elif here.level and self._moves is None:
            decided, code = self._expand(here)
        else:
            decided, code = self._begin(here)
            if here.level:  # an earlier process has decided the first plies
                return self._decide(pool, here)
        return decided, here.level_of(code)

    def _begin(self, here: Round) -> tuple[int, int]:
        """Decide terminal positions; write the moves of others if there is space on disk."""
        here = Round(here.state, here.scale, 0, tie=NO_TIES)
        if self._moves is not None:
            pieces: list[_Piece] = []
            try:
                found = self._expand(here, pieces)
                self._pieces = sorted(pieces, key=lambda piece: piece.at)
            except BudgetError:
                self.close()
            else:
                return found
        return self._expand(here)

    def _expand(self, here: Round, written: list[_Piece] | None = None) -> tuple[int, int]:
        """Decide positions by the rules; with a list ``written``, write the moves of others."""
        work, levels, state = self.work, self.work.levels, here.state

        def span(workspace: DenseWorkspace, begin: int, end: int) -> tuple[int, int]:
            page = np.empty(end - begin, np.int64)
            size = undecided_members(levels, self.level, state, begin, end, page)
            results = []
            for at in range(0, size, CHUNK):
                ids = page[at : min(at + CHUNK, size)]
                for first, done, made, children in work.children(workspace, ids):
                    own, buffers = ids[first : first + done], workspace.buffers
                    if here.level:
                        arrays = (buffers.ends, children, work.owners, state)
                        results.append(decide_expanded(own, done, *arrays, *here.codes))
                        continue
                    if len(levels) and made:
                        lower = first_lower(children, made, levels, self.level)
                        if lower >= 0:
                            raise LevelLoweredError(workspace.move_error(first, done, lower).packed)
                    given = (buffers.values, buffers.owners, state, work.owners)
                    decided = decide_terminals(own, *given, here.scale.last, here.scale.ties)
                    results.append((decided, 0))
                    if written is not None:
                        moves = (own, buffers.ends[:done], children[:made])
                        written.extend(self._write(*moves, state))
            return _together(results)

        return _together(work.run_on_spans(span))

    def _write(
        self,
        ids: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int32],
        children: npt.NDArray[np.int64],
        state: npt.NDArray[Any],
    ) -> list[_Piece]:
        """Write the moves of the undecided ones of some positions."""
        still, moves = keep_undecided(ids, ends, children, state)
        if not still or self._moves is None:
            return []
        parts = (ids[:still], ends[:still], children[:moves])
        at = self._moves.append(np.concatenate(parts, dtype=np.uint32, casting="unsafe"))
        return [_Piece(at, int(still), int(moves))]

    def _read(self, column: FileArray, pieces: list[_Piece], here: Round) -> tuple[int, int]:
        """Decide positions by the written moves."""
        owners, state = self.work.owners, here.state

        def one(workspace: DenseWorkspace, piece: _Piece) -> tuple[int, int]:
            count, moves = piece.count, piece.moves
            read = column.read(piece.at, np.empty(2 * count + moves, np.uint32))
            ids, ends = read[:count].astype(np.int64), read[count : 2 * count].astype(np.int32)
            if len(workspace.slots) < moves:
                workspace.slots = np.empty(moves, np.int64)
            children = workspace.slots
            children[:moves] = read[2 * count :]
            count, moves = keep_undecided(ids, ends, children[:moves], state)
            if not count:
                piece.count = piece.moves = 0
                return 0, 0
            if 4 * count < 3 * piece.count:  # enough are decided to write the rest again
                parts = (ids[:count], ends[:count], children[:moves])
                column.write(piece.at, np.concatenate(parts, dtype=np.uint32, casting="unsafe"))
                piece.count, piece.moves = int(count), int(moves)
            return decide_expanded(ids, count, ends, children, owners, state, *here.codes)

        found = _together(self.work.run_on_items(one, pieces))
        self._pieces = [piece for piece in pieces if piece.count]
        return found


def _together(results: Iterable[tuple[Any, Any]]) -> tuple[int, int]:
    """Return the number of decided positions, and the best code from which others may follow."""
    some = list(results)
    later = max((int(code) for _, code in some), default=0)
    return sum(int(decided) for decided, _ in some), later


def solve_in_rounds(
    work: DenseWork,
    level: int,
    scratch: Scratch,
    stage: str,
    said: Sequence[int] = (),
    begun: Sequence[int] = (),
) -> int:
    """Solve a level, or everything, ply by ply; return the number of rounds.

    Args:
        work: the data of the solve.
        level: the level.
        scratch: the folder for moves.
        stage: the stage of the checkpoint that records decided positions.
        said: the numbers of that stage's note that precede those of the rounds.
        begun: the numbers of the rounds where they resume, or empty.
    """
    way = DenseRounds(work, level, scratch)
    if begun:
        work.report.resume(f"{begun[3]:,} positions were decided")
    at = begun or (0, -1, 1, work.done, 0)
    for done in work.marks.spread(way, work.checkpoint, stage, said=said, begun=at):
        work.done = done
        work.report.advance(done)
    way.close()
    return way.rounds
