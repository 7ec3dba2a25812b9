"""The transposed moves of a dense space, sorted by buckets of slots.

A move is put into the bucket of its target's slot, and within each bucket moves are counted by
slot. Both fit in cache. The number of a target is never looked up, because the numbers of a bucket
are consecutive. The number of a source is looked up once for each position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.status import StatusArray, scale_for
from zermelo._engine.backward.stored_rounds import (
    MoveRows,
    decide_first_levels,
    is_worthwhile,
    joined_moves,
    row_spans,
)
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.backward.transpose import place_type, slices
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import run_in_threads
from zermelo._engine.index.directory import entries_for, number_all
from zermelo._methods.dense.kernels import (
    BUCKET,
    count_buckets,
    keep_left,
    move_edges,
    scatter_edges,
    spread_edges,
    to_numbers,
    write_status,
)
from zermelo._methods.dense.workspace import DenseWorkspace

if TYPE_CHECKING:
    from zermelo.progress import Reporter

_LOW = np.uint64(0xFFFFFFFF)
#: Elements between the dummy indices of two threads, so that they are on different cache lines.
_APART = 64
#: Shares of the buckets per thread.
_SHARES = 4
#: With more buckets than this, slots are replaced by numbers first, which have fewer buckets.
MOST_BUCKETS = 1 << 13


def transposed_moves(
    directory: npt.NDArray[np.uint64],
    workspaces: list[DenseWorkspace],
    positions: int,
    pool: ThreadPoolExecutor,
    capacity: int | None,
    check: Callable[[int], None],
    report: Reporter | None = None,
) -> tuple[StatusArray, Spreading]:
    """Return the status array before the first round, and the propagation along transposed moves.

    Args:
        directory: the bits of the slots that hold a position.
        workspaces: the positions and moves, which are released.
        positions: the number of positions.
        pool: the threads.
        capacity: the buckets' capacity in moves; None for all of them.
        check: raises BudgetError if the given number of bytes for a wider status array exceeds the
            budget.
        report: receives phases, and progress; if None, all levels are left to the propagation.
    """
    expand, threads = workspaces[0].expand, len(workspaces)
    scale = scale_for(max(workspace.most for workspace in workspaces))
    state, ties = zeros(positions, scale.dtype), tie_preference(expand.kind.favours)
    status = StatusArray.within(state, scale, check, ties)
    owners: npt.NDArray[np.uint8] = zeros(0 if expand.alternate else positions, np.uint8)
    names: list[npt.NDArray[np.uint32]] = []
    jobs = []
    for workspace in workspaces:
        sources: Any = workspace.sources.array
        named = sources if sources.dtype == np.uint32 else zeros(workspace.known, np.uint32)
        names.append(named)
        arrays = (
            directory,
            sources,
            workspace.notes.array,
            workspace.turns.array,
            workspace.known,
            named,
        )
        jobs.append((write_status, *arrays, status.state, owners, scale.last, scale.ties))
    ended = run_in_threads(pool, len(workspaces), jobs)
    status.decided = status.frontier = sum(int(decided) for decided, _ in ended)
    status.tied = sum(int(tied) for _, tied in ended)
    has_rounds = report is not None and is_worthwhile(
        chain.from_iterable(
            _row_parts(workspace, named, workspace.edges.array)
            for workspace, named in zip(workspaces, names, strict=True)
        ),
        directory,
        status,
        owners,
    )
    if has_rounds or len(directory) * 32 >> BUCKET > MOST_BUCKETS:
        arguments = [(directory, *_edges(b), _numbers(b, b.moves)) for b in workspaces]
        run_in_threads(pool, threads, [(to_numbers, *given) for given in arguments])
        if report is not None and has_rounds:
            with report.phase("rounds", positions):
                _decide_first_levels(workspaces, names, status, owners, report)
        directory = full_directory(positions)
        _count_buckets(workspaces, positions, pool)
    with nullcontext() if report is None else report.phase("reverse"):
        into, parents = _reverse(directory, workspaces, names, positions, pool, capacity)
    return status, Spreading(into, parents, owners, threads)


def _decide_first_levels(
    workspaces: Sequence[DenseWorkspace],
    names: Sequence[npt.NDArray[np.uint32]],
    status: StatusArray,
    owners: npt.NDArray[np.uint8],
    report: Reporter,
) -> None:
    """Decide levels in rounds over the moves; the workspaces keep the moves that are left.

    Args:
        workspaces: the moves, to numbers of positions.
        names: the number of each source.
        status: the status array before the first level.
        owners: the player to move, or empty if the players strictly alternate.
        report: receives the number of decided positions.
    """
    parts = [
        list(_row_parts(workspace, named, _numbers(workspace, workspace.moves)))
        for workspace, named in zip(workspaces, names, strict=True)
    ]
    decide_first_levels(list(chain(*parts)), status, owners, len(workspaces), report)
    for workspace, own, named in zip(workspaces, parts, names, strict=True):
        known = workspace.known
        keep_left(named, known, status.state, status.scale.ties, workspace.notes.array)
        workspace.moves = len(joined_moves(own)) if own else 0


def _row_parts(
    workspace: DenseWorkspace, named: npt.NDArray[np.uint32], edges: npt.NDArray[Any]
) -> Iterator[MoveRows]:
    """Cut the moves of a workspace, which are in ``edges``, into parts."""
    notes, at = workspace.notes.array, 0
    for begin, end in row_spans(workspace.known):
        moves = int(np.maximum(notes[begin:end], 0).sum())
        yield MoveRows(named, begin, end, edges, at, moves)
        at += moves


def _count_buckets(
    workspaces: Sequence[DenseWorkspace], positions: int, pool: ThreadPoolExecutor
) -> None:
    """Count the moves into each bucket of positions."""
    jobs = []
    for workspace in workspaces:
        workspace.counts = np.zeros((positions >> BUCKET) + 1, np.int64)
        edges = _numbers(workspace, workspace.moves)
        jobs.append((count_buckets, edges, workspace.moves, workspace.counts))
    run_in_threads(pool, len(workspaces), jobs)


def _reverse(
    directory: npt.NDArray[np.uint64],
    workspaces: Sequence[DenseWorkspace],
    names: Sequence[npt.NDArray[np.uint32]],
    positions: int,
    pool: ThreadPoolExecutor,
    capacity: int | None,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Return, for each position, the positions with a move to it.

    The arrays are reused: the moves into the last buckets are taken out first and the other moves
    are compacted, which frees the end of the array for the transposed moves; and so on to the first
    buckets.

    Args:
        directory: the bits of the slots that hold a position.
        workspaces: the moves, which are released.
        names: the number of each source.
        positions: the number of positions.
        pool: the threads.
        capacity: the buckets' capacity in moves; None for all of them.

    Returns:
        The index of each position's first parent, and one number more; the parents, each as many
        times as it has a move to the position.
    """
    counts = [workspace.counts for workspace in workspaces]
    held = [workspace.moves for workspace in workspaces]
    moves = sum(held)
    sizes = np.sum(counts, axis=0)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    into: npt.NDArray[Any] = zeros(positions + 1, place_type(moves))
    into[positions] = moves
    # The index of each workspace's first move in each bucket: after those of earlier workspaces.
    at = starts[:-1] + np.cumsum(counts, axis=0) - counts
    runs = slices(sizes, moves if capacity is None else capacity)
    most = max(int(starts[high] - starts[low]) for low, high in runs)
    sources: npt.NDArray[Any] = zeros(most + _APART * len(workspaces), np.uint32)
    places: npt.NDArray[Any] = zeros(most + _APART * len(workspaces), np.uint16)
    arrays = (starts, at, sources, places)
    if len(runs) == 1:
        _scatter_run(workspaces, names, None, held, runs[0], *arrays, pool)
        edges = _reuse_memory(workspaces, moves)
        _spread_run(directory, starts, runs[0], sources, places, into, edges, pool, len(workspaces))
    else:
        edges = _concatenate_moves(workspaces, held)
        for run in reversed(runs):
            begins = np.cumsum([0, *held]).tolist()
            held = _scatter_run(workspaces, names, edges, held, run, *arrays, pool)
            ends = np.cumsum([0, *held]).tolist()
            for begin, count, to in zip(begins, held, ends, strict=False):
                if begin != to:
                    move_edges(edges, begin, count, to)
            _spread_run(directory, starts, run, sources, places, into, edges, pool, len(workspaces))
    for workspace in workspaces:
        workspace.drop()
    return into, edges


def _scatter_run(
    workspaces: Sequence[DenseWorkspace],
    names: Sequence[npt.NDArray[np.uint32]],
    edges: npt.NDArray[np.uint32] | None,
    held: Sequence[int],
    run: tuple[int, int],
    starts: npt.NDArray[np.int64],
    at: npt.NDArray[np.int64],
    sources: npt.NDArray[np.uint32],
    places: npt.NDArray[np.uint16],
    pool: ThreadPoolExecutor,
) -> list[int]:
    """Scatter moves into a run of buckets; return how many moves each workspace has left.

    The moves of all workspaces are in ``edges``, or, if that is None, in each workspace.
    """
    low, high = run
    size = int(starts[high] - starts[low])
    begins = np.cumsum([0, *held]).tolist()
    jobs = []
    for k, workspace in enumerate(workspaces):
        own = np.full(high, size + _APART * k)
        own[low:] = at[k, low:high] - starts[low]
        moves = (_numbers(workspace, held[k]), 0) if edges is None else (edges, begins[k])
        there = (names[k], workspace.notes.array, workspace.known, *moves)
        jobs.append((scatter_edges, *there, low, own, sources, places))
    return run_in_threads(pool, len(workspaces), jobs)


def _spread_run(
    directory: npt.NDArray[np.uint64],
    starts: npt.NDArray[np.int64],
    run: tuple[int, int],
    sources: npt.NDArray[np.uint32],
    places: npt.NDArray[np.uint16],
    into: npt.NDArray[Any],
    edges: npt.NDArray[np.uint32],
    pool: ThreadPoolExecutor,
    threads: int,
) -> None:
    """Sort a run of buckets, in a few shares per thread with about equally many moves."""
    low, high = run
    shares = _SHARES * threads if threads > 1 else 1
    wanted = np.linspace(starts[low], starts[high], shares + 1)
    cuts = np.searchsorted(starts[low : high + 1], wanted) + low
    cuts[0], cuts[-1] = low, high
    rest = (sources, places, into, edges)
    run_in_threads(
        pool,
        threads,
        [
            (spread_edges, directory, starts, low, begin, end, *rest)
            for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)
        ],
    )


def _reuse_memory(workspaces: Sequence[DenseWorkspace], moves: int) -> npt.NDArray[np.uint32]:
    """Return an array for all moves, which reuses the memory of the first workspace's moves."""
    for workspace in workspaces[1:]:
        workspace.edges.clear()
    workspaces[0].moves = 0
    return _numbers(workspaces[0], moves)


def _concatenate_moves(
    workspaces: Sequence[DenseWorkspace], held: Sequence[int]
) -> npt.NDArray[np.uint32]:
    """Return the moves of all workspaces, in the memory of the first workspace's moves."""
    edges = _numbers(workspaces[0], sum(held))
    at = held[0]
    for workspace in workspaces[1:]:
        edges[at : at + workspace.moves] = _numbers(workspace, workspace.moves)
        at += workspace.moves
        workspace.edges.clear()
    return edges


def _edges(workspace: DenseWorkspace) -> tuple[npt.NDArray[Any], int]:
    return workspace.edges.array, workspace.moves


def _numbers(workspace: DenseWorkspace, count: int) -> npt.NDArray[np.uint32]:
    """Return the memory of a workspace's moves as an array of ``count`` numbers."""
    edges: Any = workspace.edges.ensure(
        -(-4 * count // workspace.edges.dtype.itemsize), workspace.moves
    )
    numbers: npt.NDArray[np.uint32] = edges.view(np.uint32)[:count]
    return numbers


def full_directory(positions: int) -> npt.NDArray[np.uint64]:
    """Return the directory of positions whose slots are their numbers."""
    directory: npt.NDArray[np.uint64] = zeros(entries_for(positions), np.uint64)
    directory[:] = _LOW
    if positions % 32:
        directory[-1] = (1 << positions % 32) - 1
    number_all(directory)
    return directory
