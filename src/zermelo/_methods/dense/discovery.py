"""Discovery in a dense space: one bit for each slot found, and one for each slot to expand.

Each thread runs the rules on a batch of positions and sets the bits of their children. A few newly
set slots go into a queue as a list; if there are more, a scan of the directory finds them again.
Positions are numbered by their slots, so the numbers do not depend on the order of discovery.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Condition
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.threads import map_unordered, raise_alone
from zermelo._engine.index.directory import hand_out, mark, new_directory
from zermelo._engine.index.ranks import Ranking
from zermelo._methods.dense.kernels import keep_answered, keep_canonical, not_found
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace, SpaceRules
from zermelo.progress import Reporter

#: Slots that may be queued in lists; a scan of the directory finds further ones.
_LISTED = 1 << 16
#: A batch with fewer positions is not shared with other threads.
_ALONE = 1 << 8
#: Slots that a thread tests for legal positions in one batch.
_SPAN = 1 << 14


#: Positions of a range of slots, packed; their slots; the answers of ``legal``.
_Look = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int64], npt.NDArray[np.uint8]]
Made = TypeVar("Made")


@dataclass
class FoundPositions:
    """The positions found in a dense space.

    Attributes:
        directory: the bits of the slots that hold a position.
        positions: the number of positions.
        moves: the number of their moves.
        with_moves: whether the workspaces store the moves.
        workspaces: the positions and moves of each thread.
    """

    directory: npt.NDArray[np.uint64]
    workspaces: list[DenseWorkspace]
    positions: int = 0
    moves: int = 0
    with_moves: bool = True
    waiting: deque[npt.NDArray[np.int64]] = field(default_factory=deque)
    scanning: bool = False
    behind: bool = False
    entry: int = 0

    def next_chunk(self) -> npt.NDArray[np.int64] | None:
        """Return slots to expand, or None if none are known at the moment."""
        if self.waiting:
            parts = [self.waiting.popleft()]
            size = len(parts[0])
            while self.waiting and size + len(self.waiting[0]) <= CHUNK:
                parts.append(self.waiting.popleft())
                size += len(parts[-1])
            return np.concatenate(parts) if len(parts) > 1 else parts[0]
        while self.scanning or self.behind:
            if not self.scanning:
                self.scanning, self.behind, self.entry = True, False, 0
            out = np.empty(CHUNK, np.int64)
            count, self.entry = hand_out(self.directory, self.entry, out)
            if count:
                return out[:count]
            self.scanning = False
        return None

    def drop_moves(self) -> None:
        """Release the stored moves, and store no more."""
        self.with_moves = False
        for workspace in self.workspaces:
            workspace.drop()

    def capacity(self) -> int:
        """Return how many more slots may be queued in lists."""
        return max(0, _LISTED - sum(map(len, self.waiting)))


class Discovery:
    """The search for reachable positions, or for legal ones."""

    def __init__(
        self, expand: SpaceRules, ranking: Ranking, limit: int, threads: int, report: Reporter
    ) -> None:
        """Create the directory and a workspace for each thread.

        Args:
            expand: the compiled rules.
            ranking: the slots of positions.
            limit: the most bytes of any array.
            threads: threads to use.
            report: receives the number of expanded positions.
        """
        self.ranking = ranking
        self.threads = threads
        self.report = report
        self.expanded = 0
        workspaces = [DenseWorkspace(expand, ranking, limit) for _ in range(threads)]
        self.found = FoundPositions(new_directory(ranking.slots), workspaces)

    def begin(self, starts: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Add the starts; return their slots, or -1 for starts outside the space."""
        packed = np.ascontiguousarray(starts).reshape(-1)
        slots = np.empty(len(starts), np.int64)
        if self.ranking.rank(packed, len(starts), slots) == len(starts):
            nothing = np.empty(0, np.int64)
            self.found.positions += mark(self.found.directory, slots, len(slots), nothing, 0)
            self.found.behind = True
        return slots

    def add_legal(self, expand: SpaceRules, pool: ThreadPoolExecutor) -> None:
        """Add every legal position."""
        found = self.found
        nothing = np.empty(0, np.int64)

        def enter(slots: npt.NDArray[np.int64]) -> int:
            return int(mark(found.directory, slots, len(slots), nothing, 0))

        spans = list(self.ranking.spans)
        slots = sum(end - begin for begin, end in spans)
        with self.report.phase("legal", slots):
            parts = legal_slots(expand, self.ranking, spans, self.threads, pool, enter)
            for looked, entered in enumerate(parts, 1):
                found.positions += entered
                self.report.advance(min(looked * _SPAN, slots))
        found.behind = True

    def run(self, pool: ThreadPoolExecutor, *, closed: bool, over: Any) -> None:
        """Expand every position once.

        Args:
            pool: the threads.
            closed: whether every move must lead to a position that is already found.
            over: a function that is called after each batch; returns whether to stop storing moves.

        Raises:
            OutsideSpaceError: a move leads out of the space, or with ``closed`` to a position that
                is not found.
        """
        found = self.found
        changed = Condition()
        failed: list[BaseException] = []

        def work(
            workspace: DenseWorkspace,
            slots: npt.NDArray[np.int64],
            capacity: int,
            *,
            with_moves: bool,
        ) -> Any:
            count = moves = 0
            fresh = workspace.fresh[:capacity]
            for part in workspace.expand_slots(slots):
                if closed:
                    missing = not_found(found.directory, workspace.numbers, part.moves)
                    if missing >= 0:
                        raise workspace.move_error(part, missing)
                else:
                    count = mark(found.directory, workspace.numbers, part.moves, fresh, count)
                if with_moves:
                    workspace.record(slots, part)
                moves += part.moves
            return moves, count, fresh[:count].copy()

        def one(workspace: DenseWorkspace, slots: npt.NDArray[np.int64]) -> None:
            with changed:
                capacity, with_moves = (
                    min(CHUNK, found.capacity() // self.threads),
                    found.with_moves,
                )
            moves, count, fresh = work(workspace, slots, capacity, with_moves=with_moves)
            with changed:
                self.expanded += len(slots)
                found.moves += moves
                found.positions += count
                found.behind |= count > len(fresh)
                if len(fresh):
                    found.waiting.append(fresh)
                if found.with_moves and over(found):
                    found.with_moves = False
                if not found.with_moves:
                    workspace.drop()

        def some(workspace: DenseWorkspace) -> None:
            """Expand batches in a helper thread while there are slots to expand."""
            try:
                while (slots := following()) is not None:
                    one(workspace, slots)
            except BaseException as error:  # noqa: BLE001  # raised again by the main thread
                failed.append(error)
            with changed:
                spare.append(workspace)
                changed.notify()

        def following() -> npt.NDArray[np.int64] | None:
            with changed:
                return None if failed else found.next_chunk()

        own, *spare = found.workspaces
        helpers = len(spare)
        jobs: list[Future[None]] = []
        try:
            while not failed:
                with changed:
                    while (slots := found.next_chunk()) is None and len(spare) < helpers:
                        changed.wait()
                    if slots is None:
                        break
                    idle = [spare.pop() for _ in spare[:]] if len(slots) >= _ALONE else []
                jobs = [job for job in jobs if not job.done()]
                jobs += [pool.submit(some, workspace) for workspace in idle]
                one(own, slots)
                self.report.advance(self.expanded)
        except BaseException as error:  # noqa: BLE001  # raised again once the helpers have stopped
            failed.append(error)
        wait(jobs)
        if failed:
            raise_alone(failed, failed[0])
        if not found.with_moves:
            found.drop_moves()


def legal_slots(
    expand: SpaceRules,
    ranking: Ranking,
    spans: Iterable[tuple[int, int]],
    threads: int,
    pool: ThreadPoolExecutor,
    enter: Callable[[npt.NDArray[np.int64]], Made],
) -> Iterator[Made]:
    """Find the legal positions in ranges of slots: canonical ones only if positions are canonical.

    Args:
        expand: the compiled rules.
        ranking: the slots of positions.
        spans: the ranges.
        threads: threads to use.
        pool: the threads.
        enter: is called with batches of legal slots, in an array that is overwritten later.

    Yields:
        The results of ``enter``.
    """

    def work(look: _Look, span: tuple[int, int]) -> Made:
        keys, here, answers = look
        begin, end = span
        count = end - begin
        here[:count] = np.arange(begin, end)
        ranking.unrank(here, count, keys)
        if expand.is_folded:
            images = expand.canonical(keys, count)
            count = keep_canonical(here, keys, images, count, expand.words)
        expand.legal(keys, count, answers)
        return enter(here[: keep_answered(here, answers, count)])

    parts = (
        (start, min(start + _SPAN, end))
        for begin, end in spans
        for start in range(begin, end, _SPAN)
    )
    looks = [
        (np.empty(_SPAN * expand.words, np.uint64), np.empty(_SPAN, np.int64), answers)
        for answers in np.empty((threads, _SPAN), np.uint8)
    ]
    for _, made in map_unordered(pool, looks, work, parts):
        yield made


def search_bytes(words: int) -> int:
    """Return the bytes that a thread takes while it searches for legal positions."""
    return _SPAN * (2 * 8 * words + 8 + 1)
