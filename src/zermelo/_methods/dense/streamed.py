"""Dense spaces in rounds, with their moves on disk: those still open are read once for each ply.

The rules run once on each position. The numbers of the positions that its moves lead to are written
down, and every round reads them from one end to the other; what has been decided meanwhile is left
out of them in time.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo._engine.column.codes import UNKNOWN
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.scratch import Scratch, ScratchColumn
from zermelo._methods.dense.rounds import (
    DenseWork,
    LevelLoweredError,
    children,
    every_round,
    first_lower,
    in_rounds,
    open_of,
    round_of,
)
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace
from zermelo.errors import BudgetError


@dataclass
class _Piece:
    """Some positions on disk: where they are, how many, and how many moves they have."""

    at: int
    count: int
    moves: int


@kernel
def _keep_open(ids: Any, ends: Any, numbers: Any, state: Any) -> tuple[Any, Any]:
    """Keep positions that have no value yet, and their moves; return how many of both are left."""
    kept = 0
    moves = 0
    begin: Any = np.int64(0)
    for i in range(ids.size):
        end = np.int64(ends[i])
        if state[ids[i]] == 0:
            for e in range(begin, end):
                numbers[moves] = numbers[e]
                moves += 1
            ids[kept] = ids[i]
            ends[kept] = moves
            kept += 1
        begin = end
    return kept, moves


def in_streamed_rounds(work: DenseWork, level: int, scratch: Scratch) -> int:
    """Solve a level, or everything, scanning open moves once a ply; return the rounds.

    Where the disk has no room for the moves, the rules run in each round instead.
    """
    try:
        return _streamed(work, level, scratch)
    except BudgetError:
        return in_rounds(work, level)


def _streamed(work: DenseWork, level: int, scratch: Scratch) -> int:
    column = ScratchColumn(scratch, np.uint32)
    pieces: list[_Piece] = []
    written = False

    def decide_ply(remoteness: int, tie: bool) -> tuple[int, int]:  # noqa: FBT001  # one caller
        nonlocal written
        if remoteness == 0:
            written = True
            return _first_round(work, level, column, pieces, decides=True)
        if not written:  # an earlier process has decided the first plies
            written = True
            _first_round(work, level, column, pieces, decides=False)
        return _next_round(work, remoteness, column, pieces, tie=tie)

    rounds = every_round(work, decide_ply)
    column.close()
    return rounds


def _first_round(
    work: DenseWork, level: int, column: ScratchColumn, pieces: list[_Piece], *, decides: bool
) -> tuple[int, int]:
    """Decide what has ended, unless that is known, and write the moves of the rest to disk.

    Returns:
        How many ended, and -1.
    """
    state, scale = work.marks.state, work.marks.scale

    def span(workspace: DenseWorkspace, begin: int, end: int) -> tuple[int, list[_Piece]]:
        page = np.empty(end - begin, np.int64)
        size = open_of(work.levels, level, state, begin, end, page)
        total = 0
        written = []
        for at in range(0, size, CHUNK):
            ids = page[at : min(at + CHUNK, size)]
            for first, done, made, numbers in children(work, workspace, ids):
                if len(work.levels) and made:
                    lower = first_lower(numbers, made, work.levels, level)
                    if lower >= 0:
                        raise LevelLoweredError(workspace.strange(first, done, lower).packed)
                buffers = workspace.buffers
                if decides:
                    arguments = (ids, first, done, buffers.ends, buffers.values, buffers.owners)
                    codes = (0, scale.last, scale.ties, False)
                    decided, _ = round_of(*arguments, numbers, state, work.owners, *codes)
                    total += int(decided)
                arrays = (ids[first : first + done], buffers.ends[:done], numbers[:made])
                kept, moves = _keep_open(*arrays, state)
                if kept:
                    parts = (arrays[0][:kept], arrays[1][:kept], arrays[2][:moves])
                    at_disk = column.append(
                        np.concatenate(parts, dtype=np.uint32, casting="unsafe")
                    )
                    written.append(_Piece(at_disk, int(kept), int(moves)))
        return total, written

    results = work.spans(span)
    for _, written in results:
        pieces += written
    pieces.sort(key=lambda piece: piece.at)
    return sum(decided for decided, _ in results), -1


def _next_round(
    work: DenseWork, remoteness: int, column: ScratchColumn, pieces: list[_Piece], *, tie: bool
) -> tuple[int, int]:
    """Decide what has this remoteness; return how many, and the next that may decide anything."""
    state, scale = work.marks.state, work.marks.scale
    waiting = deque(pieces)

    def some(workspace: DenseWorkspace) -> tuple[int, int]:
        total, soonest = 0, -1
        values = np.full(CHUNK, UNKNOWN, np.int32)
        room = np.empty(0, np.uint32)
        while waiting:
            try:
                piece = waiting.popleft()
            except IndexError:
                break
            count, moves = piece.count, piece.moves
            if len(room) < 2 * count + moves:
                room = np.empty(2 * count + moves, np.uint32)
            read = column.read(piece.at, room[: 2 * count + moves])
            ids, ends = read[:count].astype(np.int64), read[count : 2 * count].astype(np.int32)
            if len(workspace.slots) < moves:
                workspace.slots = np.empty(moves, np.int64)
            numbers = workspace.slots
            numbers[:moves] = read[2 * count :]
            count, moves = _keep_open(ids, ends, numbers[:moves], state)
            if not count:
                piece.count = piece.moves = 0
                continue
            if 4 * count < 3 * piece.count:  # worth writing down
                parts = (ids[:count], ends[:count], numbers[:moves])
                column.write(piece.at, np.concatenate(parts, dtype=np.uint32, casting="unsafe"))
                piece.count, piece.moves = int(count), int(moves)
            turns = work.owners[ids[:count]] if len(work.owners) else workspace.buffers.owners
            arguments = (ids, 0, count, ends, values, turns)
            codes = (remoteness, scale.last, scale.ties, tie)
            decided, later = round_of(*arguments, numbers, state, work.owners, *codes)
            total += int(decided)
            if later >= 0:
                soonest = int(later) if soonest < 0 else min(soonest, int(later))
        return total, soonest

    results = list(work.pool.map(some, work.found.workspaces))
    pieces[:] = [piece for piece in pieces if piece.count]
    soon = [later for _, later in results if later >= 0]
    return sum(decided for decided, _ in results), min(soon, default=-1)
