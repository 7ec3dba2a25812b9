"""Dense spaces in rounds: what is open is expanded again, once for each ply.

Nothing is held but the directory and the values. What the rounds share with solving level by level
is here too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import LAST, TIES, UNKNOWN
from zermelo._engine.core.checkpoint import Checkpoint
from zermelo._engine.core.jit import inlined, kernel
from zermelo._engine.index.directory import find, slots_of
from zermelo._methods.dense.checkpoint import ROUNDS, TIERS, keep_decided, kept_decided
from zermelo._methods.dense.discovery import Found
from zermelo._methods.dense.marks import DenseMarks
from zermelo._methods.dense.workspace import CHUNK, DenseWorkspace
from zermelo.progress import Reporter

#: Positions that a thread takes at once.
SPAN = 1 << 14


class LevelLoweredError(Exception):
    """A move lowers the level.

    Attributes:
        packed: the position that it leads from.
    """

    def __init__(self, packed: npt.NDArray[np.uint64]) -> None:
        """Keep the position."""
        super().__init__(packed)
        self.packed = packed


class MemoryLimit(Protocol):
    """What memory there is."""

    allowed: int
    fixed: int
    position: int
    edge: int
    turn: int

    def take(self, needed: int, positions: int) -> None:
        """Note that this many bytes are needed; raises BudgetError where they are too many."""


@dataclass
class DenseWork:
    """Everything that levels and rounds share.

    ``tier`` says, to whoever goes on, which level rounds are in and what came before it; ``rounds``
    says where in its rounds an earlier process was. ``held`` is what all of it takes in bytes, but
    for the values.
    """

    found: Found
    memory: MemoryLimit
    threads: int
    pool: ThreadPoolExecutor
    report: Reporter
    marks: DenseMarks
    owners: npt.NDArray[np.uint8]
    levels: npt.NDArray[Any]
    places: npt.NDArray[np.uint32]
    held: int
    remotest: int = 0
    done: int = 0
    stages: Checkpoint | None = None
    tier: tuple[int, ...] = ()
    rounds: list[int] = field(default_factory=list)

    @property
    def taken(self) -> int:
        """What all of it takes in bytes."""
        return self.held + self.marks.state.nbytes

    def keep(self, *numbers: int) -> None:
        """Keep what has been decided, and where rounds are: how many there were is the last."""
        name = TIERS if self.tier else ROUNDS
        here = [*self.tier, *numbers, self.done]
        keep_decided(self.stages, name, self.marks, self.owners, here)

    def restore(self, tier: int) -> list[int]:
        """Resume from what was kept, if anything was; return the first numbers of ``tier``."""
        name = TIERS if tier else ROUNDS
        *kept, self.done = kept_decided(self.stages, name, self.marks, self.owners) or [0]
        self.rounds = kept[tier:] if kept and kept[-1] else []
        return kept[:tier]

    def begun(self) -> list[int]:
        """Return where rounds resume, or nothing where they begin."""
        begun, self.rounds = self.rounds, []
        if begun:
            self.report.resume(f"{self.done:,} positions were decided")
        return begun

    def spans(self, work: Callable[[DenseWorkspace, int, int], Any]) -> list[Any]:
        """Have the threads go through all positions, some at a time."""
        begins = deque(range(0, self.found.positions, SPAN))

        def each(workspace: DenseWorkspace) -> list[Any]:
            results = []
            while begins:
                try:
                    begin = begins.popleft()
                except IndexError:
                    break
                results.append(work(workspace, begin, min(begin + SPAN, self.found.positions)))
            return results

        return [result for some in self.pool.map(each, self.found.workspaces) for result in some]


@kernel
def open_of(levels: Any, level: int, state: Any, begin: int, end: int, out: Any) -> int:
    """List the positions of a level that have no value yet."""
    count = 0
    for i in range(begin, end):
        out[count] = i
        count += state[i] == 0 and (levels.size == 0 or levels[i] == level)
    return count


@inlined
def _apart(code: Any, last: Any, ties: Any, tie: Any) -> Any:
    """Return the remoteness of a code, of a tie or of others, or -1."""
    if tie:
        return ties - code if 0 < code <= ties else np.int64(-1)
    return last - abs(code) if abs(code) > ties else np.int64(-1)


@kernel
def round_of(
    ids: Any,
    at: int,
    done: int,
    ends: Any,
    values: Any,
    turns: Any,
    numbers: Any,
    state: Any,
    owners: Any,
    level: int,
    last: int,
    ties: int,
    tie: bool,  # noqa: FBT001  # a kernel takes no keywords
) -> tuple[Any, Any]:
    """Decide what follows from values of less remoteness than ``level``; at 0, what has ended.

    Returns:
        How many were decided, and the least remoteness that may decide another, or -1.
    """
    decided: Any = 0
    later: Any = np.int64(-1)
    edge = 0
    for i in range(done):
        me = ids[at + i]
        end = ends[i]
        value = np.int64(values[i])
        if level == 0:
            if owners.size > 0:
                owners[me] = turns[i]
            if value != UNKNOWN:
                state[me] = last if value == LAST else (ties if value == TIES else -last)
                decided += 1
            edge = end
            continue
        if value != UNKNOWN:
            edge = end
            continue
        wins = False
        loses = not tie
        while edge < end:
            child = numbers[edge]
            edge += 1
            code = np.int64(state[child])
            remoteness = _apart(code, last, ties, tie)
            if remoteness < 0 or remoteness >= level:
                loses = False
                if remoteness >= 0 and (later < 0 or remoteness < later):
                    later = remoteness
                continue
            same = owners.size > 0 and owners[child] == turns[i]
            if tie or (code < 0) != same:
                wins = True
        if wins or loses:
            state[me] = (ties - level if tie else last - level) if wins else level - last
            decided += 1
    return decided, later


def children(
    work: DenseWork, workspace: DenseWorkspace, ids: npt.NDArray[Any]
) -> Iterator[tuple[int, int, int, npt.NDArray[np.int64]]]:
    """Expand positions; yields parts as ``expanded`` does, with the children's numbers."""
    slots = np.empty(len(ids), np.int64)
    slots_of(work.found.directory, ids, len(ids), slots)
    for begin, done, made, children in workspace.expanded(slots):
        find(work.found.directory, children, made, children)
        yield begin, done, made, children


def in_rounds(work: DenseWork, level: int) -> int:
    """Solve a level, or everything, by expanding what is open once a ply; return the rounds."""
    return every_round(work, lambda ply, tie: _one_round(work, level, ply, tie=tie))


def every_round(work: DenseWork, decide_ply: Callable[[int, bool], tuple[int, int]]) -> int:
    """Go from ply to ply, wins and losses first and then ties, as long as that decides anything.

    Args:
        work: what is solved; rounds that an earlier process has kept are not done again.
        decide_ply: decides what has this remoteness, ties or not; returns how many positions, and
            the next remoteness that may decide any, or -1.

    Returns:
        The rounds.
    """
    ties, remoteness, rounds = work.begun() or (0, 0, 0)
    for tie in (False, True)[ties:]:
        if tie and not ties:
            remoteness = 1
        while remoteness >= 0:
            scale = work.marks.scale
            if remoteness > (scale.ties - 1 if tie else scale.longest):
                work.marks.widen()
                continue
            decided, later = decide_ply(remoteness, tie)
            rounds += 1
            work.done += decided
            work.report.advance(work.done)
            if decided or remoteness == 0:
                remoteness += 1
            else:
                remoteness = later + 1 if later >= 0 else -1
            work.keep(tie, remoteness, rounds)
    return rounds


def _one_round(work: DenseWork, level: int, remoteness: int, *, tie: bool) -> tuple[int, int]:
    """Decide what has this remoteness; return how many, and the next that may decide anything."""

    def span(workspace: DenseWorkspace, begin: int, end: int) -> tuple[int, int]:
        page = np.empty(end - begin, np.int64)
        size = open_of(work.levels, level, work.marks.state, begin, end, page)
        return decide(work, workspace, page[:size], level, remoteness, tie=tie)

    results = work.spans(span)
    soon = [later for _, later in results if later >= 0]
    return sum(decided for decided, _ in results), min(soon, default=-1)


def decide(
    work: DenseWork,
    workspace: DenseWorkspace,
    page: npt.NDArray[np.int64],
    level: int,
    remoteness: int,
    *,
    tie: bool,
) -> tuple[int, int]:
    """Decide those of some open positions that have this remoteness.

    Returns:
        How many have, and the least remoteness that may decide another, or -1.
    """
    state, scale = work.marks.state, work.marks.scale
    total, soonest = 0, -1
    for at in range(0, len(page), CHUNK):
        ids = page[at : min(at + CHUNK, len(page))]
        for first, done, made, numbers in children(work, workspace, ids):
            if remoteness == 0 and len(work.levels) and made:
                lower = first_lower(numbers, made, work.levels, level)
                if lower >= 0:
                    raise LevelLoweredError(workspace.strange(first, done, lower).packed)
            buffers = workspace.buffers
            arguments = (ids, first, done, buffers.ends, buffers.values, buffers.owners)
            codes = (remoteness, scale.last, scale.ties, tie)
            decided, later = round_of(*arguments, numbers, state, work.owners, *codes)
            total += int(decided)
            if later >= 0:
                soonest = int(later) if soonest < 0 else min(soonest, int(later))
    return total, soonest


@kernel
def first_lower(numbers: Any, count: int, levels: Any, level: int) -> int:
    """Return which of some positions is of a lower level, or -1."""
    for e in range(count):
        if levels[numbers[e]] < level:
            return e
    return -1
