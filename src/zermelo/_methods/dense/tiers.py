"""Dense spaces whose moves do not fit in memory: level by level, or in rounds.

Positions of a level are solved along its transposed moves. A move to a higher level leads to a
known value; a vertex of a chain that has this value replaces its target, so that a level is a graph
like any other. If not even the moves of one level fit, its positions are expanded again in rounds,
one for each ply, and only values are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.status import SCALES, TINY, StatusArray
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.core.checkpoint import Checkpoint
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.scratch import Scratch
from zermelo._engine.index.directory import slots_of
from zermelo._methods.dense.discovery import FoundPositions
from zermelo._methods.dense.kernels import (
    LOST,
    TIED,
    WON,
    local_edges,
    remotest_of,
)
from zermelo._methods.dense.memory import EDGE, DenseMemory, stored_moves
from zermelo._methods.dense.rounds import SPAN, DenseWork, LevelLoweredError, solve_in_rounds
from zermelo._methods.dense.transpose import full_directory, transposed_moves
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace

if TYPE_CHECKING:
    from zermelo._methods.task import Task

#: The checkpoint's stages: what rounds, or levels, have decided. With another amount of memory
#: rounds may become levels. They restart then, because each would misread the other's numbers.
_ROUNDS, _TIERS = "rounds", "tiers"
#: The greatest difference of two levels.
MOST_LEVELS = 1 << 16
#: Bytes per value while values are widened. If these do not fit in addition to the levels, rounds
#: are used, which need less: whether values will be widened is not known in advance.
_WIDENED = 1 + 2


class _LevelTooLargeError(Exception):
    """The moves of a level do not fit in memory."""


def solve(
    task: Task,
    found: FoundPositions,
    memory: DenseMemory,
    pool: ThreadPoolExecutor,
    scratch: Scratch,
) -> tuple[StatusArray, npt.NDArray[np.uint8], str]:
    """Decide every position without all moves in memory.

    Args:
        task: the game.
        found: the positions.
        memory: the memory of the solve.
        pool: the threads.
        scratch: the folder for moves that rounds read.

    Returns:
        Their codes, the player to move in each, and a description of the solve.

    Raises:
        LevelLoweredError: a move lowers the level.
        BudgetError: even the values do not fit in memory.
    """
    positions, report, checkpoint = found.positions, task.report, task.checkpoint
    held = memory.fixed + positions * memory.turn
    memory.reserve(held + positions, positions)

    def check(more: int) -> None:
        memory.reserve(work.total_bytes + more, positions)

    marks = StatusArray.within(zeros(positions, np.int8), TINY, check)
    owners: npt.NDArray[np.uint8] = zeros(positions if memory.turn else 0, np.uint8)
    marks.unseen, marks.beside = True, {"owners": owners}
    marks.ties = tie_preference(task.compiled.kind.favours)
    work = DenseWork(task, found, memory, pool, marks, owners, held)
    if task.compiled.rules.has_hook("level"):
        _find_levels(work)
    if not len(work.levels):
        begun = marks.restore(checkpoint, _ROUNDS)
        with report.phase("rounds", positions):
            rounds = solve_in_rounds(work, 0, scratch, _ROUNDS, begun=begun)
        how = f"in {rounds} rounds, because the moves do not fit in memory"
        how += _disk_description(scratch, positions, checkpoint)
        return marks, owners, how
    sizes = _sizes(work.levels)
    tiers = np.flatnonzero(sizes).tolist()
    alone = 0
    begun = []
    if known := marks.restore(checkpoint, _TIERS):
        lowest, alone, work.remotest, *begun = known
        work.done = begun[3]
        begun = begun if begun[4] else []
        # During the rounds of a level, that level is undecided.
        left = [level for level in tiers if level < lowest + bool(begun)]
        report.resume(f"{len(tiers) - len(left)} levels were decided")
    else:
        left = tiers
    with report.phase("tiers", positions):
        for level in reversed(left):
            if begun or not _solve_tier(work, level, int(sizes[level])):
                solve_in_rounds(work, level, scratch, _TIERS, (level, alone, work.remotest), begun)
                alone += 1
                begun = []
            work.remotest = max(
                work.remotest, int(remotest_of(marks.state, marks.scale.last, marks.scale.ties))
            )
            marks.save(checkpoint, _TIERS, [level, alone, work.remotest, 0, 0, 0, work.done, 0])
    how = f"in {len(tiers)} tiers by level(), because the moves do not fit in memory"
    if alone:
        how += f", {alone} of them in rounds" + _disk_description(scratch, positions, checkpoint)
    return marks, owners, how


def _disk_description(scratch: Scratch, positions: int, checkpoint: Checkpoint) -> str:
    """Return the description of moves on disk, or an empty string.

    Empty with a checkpoint: a resumed solve has the description of an uninterrupted one.
    """
    is_described = scratch.written and not checkpoint.saves
    return f", with moves {scratch.io_summary(positions)}" if is_described else ""


def _find_levels(work: DenseWork) -> None:
    """Find the level of each position, unless all are equal or levels do not fit in memory."""

    def level_batches(
        workspace: DenseWorkspace, span: tuple[int, int]
    ) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
        begin, end = span
        for at in range(begin, end, CHUNK):
            numbers = np.arange(at, min(at + CHUNK, end))
            _unpacked(work, workspace, numbers)
            out = np.empty(len(numbers), np.int64)
            work.task.compiled.levels(workspace.keys, len(numbers), out)
            yield at, out

    def bounds(workspace: DenseWorkspace, span: tuple[int, int]) -> tuple[int, int]:
        ends = [(int(out.min()), int(out.max())) for _, out in level_batches(workspace, span)]
        return min(low for low, _ in ends), max(high for _, high in ends)

    ends = work.run_on_ranges(work.pool, bounds)
    least = min(low for low, _ in ends)
    width = max(high for _, high in ends) - least
    kind = np.dtype(np.uint8 if width < 1 << 8 else np.uint16)
    positions = work.found.positions
    held = work.held + (kind.itemsize + 4) * positions
    if width >= MOST_LEVELS or width == 0 or held + _WIDENED * positions > work.memory.allowed:
        return
    levels = zeros(positions, kind)

    def store_levels(workspace: DenseWorkspace, span: tuple[int, int]) -> None:
        for at, out in level_batches(workspace, span):
            levels[at : at + len(out)] = out - least

    work.run_on_ranges(work.pool, store_levels)
    work.levels, work.held = levels, held
    work.places = zeros(positions, np.uint32)


def _sizes(levels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Return the size of each level; counted by parts, as NumPy widens its input."""
    sizes = np.zeros(int(levels.max()) + 1, np.int64)
    for begin in range(0, len(levels), SPAN):
        sizes += np.bincount(levels[begin : begin + SPAN], minlength=len(sizes))
    return sizes


def _unpacked(
    work: DenseWork, workspace: DenseWorkspace, numbers: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    """Unpack positions into the workspace's keys; return their slots."""
    slots = np.empty(len(numbers), np.int64)
    slots_of(work.found.directory, numbers, len(numbers), slots)
    workspace.ranking.unrank(slots, len(numbers), workspace.keys)
    return slots


# -- a level along transposed moves ----------------------------------------------------------------


def _solve_tier(work: DenseWork, level: int, count: int) -> bool:
    """Solve a level along its transposed moves; return False if they do not fit in memory."""
    found, memory, levels, scale = work.found, work.memory, work.levels, work.marks.scale
    length = work.remotest + 1
    chains = length * (6 if memory.turn else 3)
    vertices = count + 1 + chains
    base = work.total_bytes + 4 * count + vertices * (memory.position + 6 + memory.turn)

    def needed(moves: int) -> int:
        return base + 2 * EDGE * moves  # as they may be in few buckets

    if needed(count) > memory.allowed:
        return False
    members = _list_level(work, level, count)
    for workspace in found.workspaces:
        workspace.renew(vertices)

    def expand(workspace: DenseWorkspace, begin: int) -> None:
        own = np.arange(begin, min(begin + CHUNK, count))
        for part in work.children(workspace, members[own]):
            arguments = (levels, level, work.places, work.marks.state, work.owners)
            codes = (count, length, scale.last, scale.ties)
            lower = local_edges(workspace.numbers, part.moves, *arguments, *codes)
            if lower >= 0:
                raise LevelLoweredError(workspace.move_error(part, lower).packed)
            workspace.record(own, part)
        if needed(stored_moves(found.workspaces)) > memory.allowed:
            raise _LevelTooLargeError

    try:
        work.run_on_items(work.pool, expand, range(0, count, CHUNK))
    except _LevelTooLargeError:
        memory.reserve(memory.allowed, found.positions)
        for workspace in found.workspaces:
            workspace.drop()
        return False
    moves = stored_moves(found.workspaces)
    memory.reserve(needed(moves), found.positions)
    _add_chains(found.workspaces[0], count, length, chains // length)

    def check(more: int) -> None:
        memory.reserve(base + EDGE * moves + more, found.positions)

    own_marks, spreading = transposed_moves(
        full_directory(vertices), found.workspaces, vertices, work.pool, check
    )
    for _ in own_marks.spread(spreading):
        work.task.report.advance(work.done)
    while SCALES.index(own_marks.scale) > SCALES.index(work.marks.scale):
        work.marks.widen()
    scale = work.marks.scale
    values = zeros(vertices, scale.dtype)
    own_marks.write(values, scale)
    work.marks.state[members] = values[:count]
    if memory.turn:
        work.owners[members] = spreading.owners[:count]
    work.done += count
    return True


def _list_level(work: DenseWork, level: int, count: int) -> npt.NDArray[np.uint32]:
    """Return the positions of a level, and store the index of each in ``work.places``."""
    members: npt.NDArray[np.uint32] = zeros(count, np.uint32)
    at = 0
    for begin in range(0, work.positions, SPAN):
        page = np.flatnonzero(work.levels[begin : begin + SPAN] == level) + begin
        members[at : at + len(page)] = page
        work.places[page] = np.arange(at, at + len(page))
        at += len(page)
    return members


def _add_chains(workspace: DenseWorkspace, count: int, length: int, chains: int) -> None:
    """Add a vertex for each value that higher levels may have, and one for the endless draw.

    A vertex of a chain has one move, to the vertex before it, so its index in the chain is its
    remoteness. The first vertices of the chains are a loss, a win and a tie, each for one or for
    both players.
    """
    sources = np.arange(count, count + 1 + chains * length)
    notes = np.ones(len(sources), np.int32)
    heads = 1 + length * np.arange(chains)
    notes[heads] = np.repeat([LOST, WON, TIED], chains // 3)
    edges = sources - 1
    edges[0] = count
    place = np.arange(chains * length) % length
    turns = np.zeros(len(sources), np.uint8)
    turns[1:] = (place + np.repeat(np.arange(chains) % 2, length)) & 1
    workspace.append(sources, notes, turns, edges[notes > 0])
