"""Dense spaces in rounds: undecided positions are expanded once per ply, or their moves read.

Only the directory and the values are in memory. If the disk has space, the rules run once on each
position: the numbers of its children are written to disk, and every round reads them in order.
Moves of positions decided in the meantime are removed from the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.rounds import Round, decide_expanded
from zermelo._engine.backward.status import StatusArray, begin
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.expand.expander import ExpandedPart
from zermelo._engine.index.directory import find, slots_of
from zermelo._engine.store.arrays import FileArray
from zermelo._methods.dense.discovery import FoundPositions
from zermelo._methods.dense.kernels import first_lower, keep_undecided
from zermelo._methods.dense.memory import DenseMemory
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace
from zermelo._methods.graph_methods import CODES
from zermelo._methods.rule_rounds import RuleMoves, RuleRounds
from zermelo.errors import BudgetError

if TYPE_CHECKING:
    from zermelo._methods.task import Task

#: Positions in a thread's batch.
SPAN = 1 << 14
_NOT_COUNTED = np.empty(0, np.int64)


class LevelLoweredError(Exception):
    """A move lowers the level.

    Attributes:
        packed: the position before the move.
    """

    def __init__(self, packed: npt.NDArray[np.uint64]) -> None:
        """Store the position."""
        super().__init__(packed)
        self.packed = packed


@dataclass
class DenseWork(RuleMoves):
    """The data that levels and rounds share; ``held`` is the bytes of all except values."""

    task: Task
    found: FoundPositions
    memory: DenseMemory
    pool: ThreadPoolExecutor
    marks: StatusArray
    owners: npt.NDArray[np.uint8]
    held: int
    levels: npt.NDArray[Any] = field(default_factory=lambda: np.empty(0, np.uint8))
    places: npt.NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    remotest: int = 0
    done: int = 0
    chunk = CHUNK
    span = SPAN

    def __post_init__(self) -> None:
        """Store what ``RuleMoves`` has of the positions found."""
        self.positions, self.workspaces = self.found.positions, self.found.workspaces

    @property
    def total_bytes(self) -> int:
        """The bytes of all of it."""
        return self.held + self.marks.state.nbytes

    def children(self, workspace: DenseWorkspace, ids: npt.NDArray[Any]) -> Iterator[ExpandedPart]:
        """Expand positions; see ``RuleMoves``."""
        directory, slots = self.found.directory, np.empty(len(ids), np.int64)
        slots_of(directory, ids, len(ids), slots)
        for part in workspace.expand_slots(slots):
            find(directory, workspace.numbers, part.moves, workspace.numbers)
            yield part


@dataclass
class _Piece:
    """Some positions on disk: where they are, how many, and the number of their moves."""

    at: int
    count: int
    moves: int


class MoveFile:
    """The moves of undecided positions on disk, in pieces."""

    def __init__(self, scratch: Scratch) -> None:
        """Create an empty file."""
        self._column = FileArray(scratch, np.uint32)
        self._pieces: list[_Piece] = []

    def close(self) -> None:
        """Delete the file."""
        self._column.close()

    def append(
        self,
        ids: npt.NDArray[np.int64],
        ends: npt.NDArray[np.int32],
        children: npt.NDArray[np.int64],
        state: npt.NDArray[Any],
    ) -> None:
        """Append the moves of the undecided ones of some positions; the arrays are overwritten.

        Args:
            ids: the positions.
            ends: the cumulative number of moves of each.
            children: the number of the child of each move.
            state: the status numbers.
        """
        count, moves = keep_undecided(ids, ends, children, state)
        if count:
            parts = (ids[:count], ends[:count], children[:moves])
            at = self._column.append(np.concatenate(parts, dtype=np.uint32, casting="unsafe"))
            self._pieces.append(_Piece(at, int(count), int(moves)))

    def pieces(self) -> list[_Piece]:
        """Return the pieces that have undecided positions, in the order of the file."""
        self._pieces = sorted((p for p in self._pieces if p.count), key=lambda piece: piece.at)
        return self._pieces

    def decide(
        self, piece: _Piece, work: DenseWork, workspace: DenseWorkspace, here: Round
    ) -> tuple[int, int]:
        """Decide the positions of a piece; write the rest again if it is much smaller."""
        count, moves, state = piece.count, piece.moves, here.state
        owners, skips = work.owners, len(work.levels) > 0
        read = self._column.read(piece.at, np.empty(2 * count + moves, np.uint32))
        ids, ends = read[:count].astype(np.int64), read[count : 2 * count].astype(np.int32)
        if len(workspace.numbers) < moves:
            workspace.numbers = np.empty(moves, np.int64)
        children = workspace.numbers
        children[:moves] = read[2 * count :]
        count, moves = keep_undecided(ids, ends, children[:moves], state)
        if not count:
            piece.count = piece.moves = 0
            return 0, 0
        if 4 * count < 3 * piece.count:  # enough are decided
            parts = (ids[:count], ends[:count], children[:moves])
            self._column.write(piece.at, np.concatenate(parts, dtype=np.uint32, casting="unsafe"))
            piece.count, piece.moves = int(count), int(moves)
        return decide_expanded(ids[:count], ends, children, owners, state, here.codes, skips)


class DenseRounds(RuleRounds):
    """Rounds over a level, or over all positions, of which even the terminal ones are undecided.

    The first round writes the moves of positions that stay undecided to disk, if there is space.
    Later rounds then read these moves, and do not run the rules.
    """

    def __init__(self, work: DenseWork, level: int, scratch: Scratch) -> None:
        """Store the work; ``scratch`` is the folder for moves."""
        super().__init__(work, work.task.threads, level=level)
        self.work = work
        self._file: MoveFile | None = MoveFile(scratch)
        self._is_begun = False

    def close(self) -> None:
        """Delete the moves on disk."""
        if self._file is not None:
            self._file.close()
        self._file = None

    def _decide(self, pool: ThreadPoolExecutor, here: Round) -> tuple[int, int]:
        """Decide one remoteness; see ``Rounds``."""
        if not self._is_begun:
            decided = self._begin(pool, here)
            if not here.level:
                return decided, -1
            # An earlier process has decided the first plies.
        if self._file is None:
            return super()._decide(pool, here)

        def one(workspace: DenseWorkspace, piece: _Piece) -> tuple[int, int]:
            assert self._file is not None  # noqa: S101  # it stays during a round
            return self._file.decide(piece, self.work, workspace, here)

        return here.result(self.work.run_on_items(pool, one, self._file.pieces()))

    def _begin(self, pool: ThreadPoolExecutor, here: Round) -> int:
        """Decide terminal positions, and write the moves of others if there is space on disk."""
        self._is_begun = True
        try:
            return self._decide_terminals(pool, here)
        except BudgetError:
            self.close()
            return self._decide_terminals(pool, here)

    def _decide_terminals(self, pool: ThreadPoolExecutor, here: Round) -> int:
        """Decide terminal positions, and write the moves of others; return the number decided."""
        work, state, scale = self.work, here.state, here.scale

        def one(workspace: DenseWorkspace, span: tuple[int, int]) -> int:
            decided = 0
            for ids, part in work.undecided_parts(workspace, state, span, self.level):
                children = workspace.numbers[: part.moves]
                if len(work.levels) and part.moves:
                    lower = first_lower(children, part.moves, work.levels, self.level)
                    if lower >= 0:
                        raise LevelLoweredError(workspace.move_error(part, lower).packed)
                codes = np.empty(len(ids), state.dtype)
                _, ended, tied, _ = begin(_NOT_COUNTED, part.values, CODES, codes, scale)
                state[ids] = codes
                decided += ended + tied
                if len(work.owners):
                    work.owners[ids] = part.owners
                if self._file is not None:
                    self._file.append(ids, part.ends, children, state)
            return decided

        return sum(work.run_on_ranges(pool, one))


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
        work.task.report.resume(f"{begun[3]:,} positions were decided")
    at = begun or (0, -1, 1, work.done, 0)
    for done in work.marks.spread(way, work.task.checkpoint, stage, said=said, begun=at):
        work.done = done
        work.task.report.advance(done)
    way.close()
    return way.rounds
