"""The transposed moves of a dense space, sorted by buckets of slots.

A move is in the bucket of its target's slot (``move_buckets``), and within each bucket moves are
counted by slot, in cache. The number of a target is never looked up, because the numbers of a
bucket are consecutive. The number of a source is looked up once for each position.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.status import StatusArray, scale_for
from zermelo._engine.backward.stored_rounds import decide_first_levels
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.backward.transpose import place_type
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import run_in_threads
from zermelo._engine.index.directory import entries_for, number_all
from zermelo._methods.dense.kernels import write_status
from zermelo._methods.dense.move_buckets import BucketRange, sort_bucket
from zermelo._methods.dense.workspace import DenseWorkspace

if TYPE_CHECKING:
    from zermelo.progress import Reporter

_LOW = np.uint64(0xFFFFFFFF)
#: Positions up to which moves are transposed so quickly that rounds save no time.
_MIN_POSITIONS = 1 << 15
#: Shares of the buckets per thread; and ranges of a workspace's buckets, between which the clock
#: and Ctrl-C are checked.
_SHARES, _RANGES = 4, 16


def transposed_moves(
    directory: npt.NDArray[np.uint64],
    workspaces: list[DenseWorkspace],
    positions: int,
    pool: ThreadPoolExecutor,
    check: Callable[[int], None],
    report: Reporter | None = None,
) -> tuple[StatusArray, Spreading]:
    """Return the status array before the first round, and the propagation along transposed moves.

    Args:
        directory: the bits of the slots that hold a position.
        workspaces: the positions and moves, which are released.
        positions: the number of positions.
        pool: the threads.
        check: raises BudgetError if the given number of bytes for a wider status array exceeds the
            budget.
        report: receives phases, and progress; if None, all levels are left to the propagation.
    """
    expand = workspaces[0].expand
    scale = scale_for(max(workspace.most for workspace in workspaces))
    state, ties = zeros(positions, scale.dtype), tie_preference(expand.kind.favours)
    status = StatusArray.within(state, scale, check, ties)
    owners: npt.NDArray[np.uint8] = zeros(0 if expand.alternate else positions, np.uint8)
    names: list[npt.NDArray[np.uint32]] = []
    jobs = []
    for workspace in workspaces:
        sources = workspace.sources.array
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
    for workspace in workspaces:
        workspace.drop_notes()
    moves = sum(workspace.moves for workspace in workspaces)
    if report is not None and _has_worthwhile_rounds(positions, moves, status.frontier):
        with report.phase("rounds", positions):
            parts = _bucket_ranges(workspaces, names, directory)
            decide_first_levels(parts, status, owners, len(workspaces), report)
    with nullcontext() if report is None else report.phase("reverse"):
        into, parents = _reverse(directory, workspaces, names, positions, pool)
    return status, Spreading(into, parents, owners, len(workspaces))


def _has_worthwhile_rounds(positions: int, moves: int, terminal: int) -> bool:
    """Return whether rounds may save time.

    Args:
        positions: the number of positions.
        moves: the number of moves.
        terminal: the number of terminal wins and losses. If moves led to all positions equally
            often, a first round would remove the moves of all predecessors of these; it pays if
            that is one move in four.
    """
    return (
        positions > limits.current().batch(_MIN_POSITIONS) and terminal * moves * 4 >= positions**2
    )


def _bucket_ranges(
    workspaces: Sequence[DenseWorkspace],
    names: Sequence[npt.NDArray[np.uint32]],
    directory: npt.NDArray[np.uint64],
) -> list[BucketRange]:
    """Return the moves of all workspaces in ranges of buckets, some for each thread."""
    ranges, shared = [], len(workspaces) > 1
    for workspace, numbers in zip(workspaces, names, strict=True):
        ends = np.cumsum(workspace.buckets.counts)
        for begin, end in _cuts(ends, _RANGES):
            moves = int(ends[end - 1]) - (int(ends[begin - 1]) if begin else 0)
            ranges.append(
                BucketRange(
                    workspace.buckets, numbers, directory, begin, end, shared=shared, moves=moves
                )
            )
    return ranges


def _cuts(ends: npt.NDArray[np.int64], shares: int) -> list[tuple[int, int]]:
    """Cut buckets into shares with about equally many moves; ``ends`` are their sums."""
    cuts = np.searchsorted(ends, np.linspace(0, ends[-1], shares + 1))
    cuts[0], cuts[-1] = 0, len(ends)
    return [(low, high) for low, high in pairwise(cuts.tolist()) if low < high]


def _reverse(
    directory: npt.NDArray[np.uint64],
    workspaces: Sequence[DenseWorkspace],
    names: Sequence[npt.NDArray[np.uint32]],
    positions: int,
    pool: ThreadPoolExecutor,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.uint32]]:
    """Return, for each position, the positions with a move to it.

    The moves of a bucket are released once they are sorted, so that moves and sorted moves together
    take hardly more memory than the moves.

    Args:
        directory: the bits of the slots that hold a position.
        workspaces: the moves, which are released.
        names: the number of each source.
        positions: the number of positions.
        pool: the threads.

    Returns:
        The index of each position's first parent, and one number more; the parents, each as many
        times as it has a move to the position.
    """
    stores = [workspace.buckets for workspace in workspaces]
    sizes = np.sum([store.counts for store in stores], axis=0)
    starts: list[int] = [0, *np.cumsum(sizes).tolist()]
    moves = starts[-1]
    into = zeros(positions + 1, place_type(moves))
    into[positions] = moves
    parents: npt.NDArray[np.uint32] = zeros(moves, np.uint32)

    def sort(begin: int, end: int) -> None:
        counts = np.empty(1 << stores[0].width, np.uint32)
        for bucket in range(begin, end):
            low, high = starts[bucket], starts[bucket + 1]
            sort_bucket(bucket, stores, names, directory, low, high, into, parents, counts)

    threads = len(workspaces)
    shares = _SHARES * threads if threads > 1 else 1
    jobs = [(sort, *cut) for cut in _cuts(np.cumsum(sizes), shares)]
    run_in_threads(pool, threads, jobs)
    for workspace in workspaces:
        workspace.drop()
    return into, parents


def full_directory(positions: int) -> npt.NDArray[np.uint64]:
    """Return the directory of positions whose slots are their numbers."""
    directory: npt.NDArray[np.uint64] = zeros(entries_for(positions), np.uint64)
    directory[:] = _LOW
    if positions % 32:
        directory[-1] = (1 << positions % 32) - 1
    number_all(directory)
    return directory
