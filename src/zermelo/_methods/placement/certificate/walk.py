"""Certifying a placement game's table level by level: what is asked of each, and what is found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.threads import taken
from zermelo._methods.placement.certificate.arrive import enter
from zermelo._methods.placement.certificate.follow import follow
from zermelo._methods.placement.certificate.levels import InFile, InMemory, Words
from zermelo._methods.placement.certificate.plan import Part, Parts, Tiers
from zermelo._methods.placement.certificate.tiers import (
    ENTERED_BY_NONE,
    LACKING,
    MISCOUNTED,
    STRANGE,
    VALUE,
)

if TYPE_CHECKING:
    from zermelo.progress import Reporter

Some = TypeVar("Some")

#: Nothing that is asked, or that is written.
NOTHING = np.empty(0, np.uint64)


@dataclass
class Examined:
    """What was found.

    Attributes:
        moves: moves followed.
        suspect: places of which one has a wrong value, or a move out of the table; or None.
        unreached: where there is no such place, the first that no move leads to, or None.
        samples: of each tier the first place from which the game goes on.
    """

    moves: int = 0
    suspect: tuple[int, int] | None = None
    unreached: int | None = None
    samples: list[npt.NDArray[np.int64]] = field(default_factory=list)


@dataclass
class Level:
    """A level that is looked at.

    Attributes:
        number: how many cells are filled.
        first: its first stretch.
        wrong: by stretch: what is wrong with it.
        ones: by stretch: which of its positions is the first that nothing leads to, and the first
            that goes on; -1 for none.
        moves: how many there are, by part.
        strange: whether there is a value that planes cannot say, by part.
    """

    number: int
    first: int
    wrong: npt.NDArray[np.uint8]
    ones: npt.NDArray[np.int64]
    moves: list[int] = field(default_factory=list)
    strange: list[bool] = field(default_factory=list)


@dataclass(frozen=True)
class Rows:
    """Where words of a part are written.

    Attributes:
        of: the row of each of the part's tiers.
        words: how many words a row has.
        cut: which of a tier's it begins with.
        live: receives what goes on, or is nothing.
        planes: receives the planes.
    """

    of: npt.NDArray[np.int32]
    words: int
    cut: int
    live: Words
    planes: Words


class Walk(ABC):
    """One pass over all levels."""

    def __init__(
        self,
        table: Tiers,
        parts: Parts,
        kept: InFile | InMemory,
        pool: ThreadPoolExecutor,
        threads: int,
        room: int,
    ) -> None:
        """Make room.

        Args:
            table: positions and values.
            parts: how levels are cut.
            kept: reads the table.
            pool: threads that help.
            threads: how many there are in all.
            room: bytes that may be taken.
        """
        self.table = table
        self.plan = plan = parts.plan
        self.room = room
        self.parts = parts
        self.kept = kept
        self.pool = pool
        self.threads = threads
        self.shape = plan.board.shape()
        self.found = Examined()
        self._desks: SimpleQueue[Any] = SimpleQueue()
        for _ in range(threads):
            self._desks.put(self.desk())

    def desk(self) -> Any:
        """Return what a thread works with."""
        return self.kept.desk(self.parts)

    @contextmanager
    def at_desk(self) -> Iterator[Any]:
        """Work with what a thread has, which no other uses meanwhile."""
        desk = self._desks.get()
        try:
            yield desk
        finally:
            self._desks.put(desk)

    def run(self, report: Reporter) -> Examined | None:
        """Go through the levels from the start on."""
        place, found = self.table.directory.place, self.found
        first = 0
        before: Level | None = None
        for n in range(self.plan.size + 1):
            stretches = self.plan.stretches[n]
            wrong, ones = np.zeros(stretches, np.uint8), np.empty((stretches, 2), np.int64)
            level = Level(n, first, wrong, ones)
            self.look_at(level)
            if (level.wrong & MISCOUNTED).any():
                return None
            self._noted(level)
            if before is not None:
                self.look_back(before)
                if self._suspected(before, level):
                    return found
            elif (level.wrong & (LACKING | ENTERED_BY_NONE)).any():
                return None
            first += stretches
            before = level
            report.advance(int(place[first]))
        if before is not None:
            self._suspected(before, None)
        return found

    @abstractmethod
    def look_at(self, level: Level) -> None:
        """Take up a level, and compare who is there with what the level before leads to."""

    @abstractmethod
    def look_back(self, level: Level) -> None:
        """Compare the values of a level with what follows from the next, unless that is done."""

    def enter(
        self,
        n: int,
        part: Part,
        desk: Any,
        rows: Rows,
        before: tuple[npt.NDArray[np.int32], Words],
        level: Level | None,
    ) -> None:
        """Read a part of a level, and lay it out.

        Args:
            n: the level.
            part: the part.
            desk: what to read with.
            rows: where to write it; without room for planes, values are not read.
            before: what goes on of the level before; see ``enter``.
            level: receives what is found; None where nobody asks.
        """
        plan, directory = self.plan, self.table.directory
        in_tier = plan.in_tier[n]
        first = int(directory.level_section[n]) + part.slot * in_tier
        stretches = slice(first, first + part.tiers * in_tier + 1)
        blocks = plan.blocks[n] // len(plan.tiers[n])
        block = int(directory.level_block[n]) + part.slot * blocks
        by_block = slice(block, block + part.tiers * blocks)
        planes = plan.planes[n] if len(rows.planes) else []
        read = self.kept.some(
            n, first + part.begin, first + part.end, desk, values=len(rows.planes) > 0
        )
        kept = (
            directory.present[by_block],
            directory.first[by_block],
            directory.rank[by_block],
            directory.word[stretches],
            directory.place[stretches],
            read.words,
            read.values,
        )
        count = part.tiers * in_tier
        if level is None:
            wrong, ones = np.empty(count, np.uint8), np.empty((count, 2), np.int64)
        else:
            of_level = slice(first - level.first, first - level.first + count)
            wrong, ones = level.wrong[of_level], level.ones[of_level]
        moves = enter(
            n,
            plan.tiers[n][part.slot : part.slot + part.tiers],
            part.begin,
            part.end,
            self.shape,
            *before,
            kept,
            (read.less, read.bases, read.later),
            np.array([who for who, _ in planes], np.int64),
            plan.maker(n),
            np.array([(who, by) == (plan.board.full, plan.size) for who, by in planes], np.bool_),
            (rows.of, rows.words, rows.cut),
            rows.live,
            rows.planes,
            wrong,
            ones,
        )
        if level is not None:
            level.moves.append(moves)
            level.strange.append(read.strange)

    def follow(
        self,
        level: Level,
        part: Part,
        rows: Rows,
        after: tuple[npt.NDArray[np.int32], Words],
    ) -> None:
        """Compare the values of a part with what follows from the next level; see ``follow``."""
        plan, n = self.plan, level.number
        same = {plane: number for number, plane in enumerate(plan.planes[n + 1])}
        in_tier = plan.in_tier[n]
        follow(
            n,
            plan.tiers[n][part.slot : part.slot + part.tiers],
            part.begin,
            part.end,
            self.shape,
            (rows.of, rows.words, rows.cut),
            rows.live,
            rows.planes,
            np.array([who for who, _ in plan.planes[n]], np.int64),
            np.array([same.get(plane, -1) for plane in plan.planes[n]], np.int64),
            *after,
            len(plan.planes[n + 1]),
            level.wrong[part.slot * in_tier : (part.slot + part.tiers) * in_tier],
        )

    def shared(self, parts: list[Some], work: Callable[[Some], None]) -> None:
        """Do some work on all parts, or the like, on all threads."""
        taken(self.pool, self.threads - 1, work, parts)

    def _noted(self, level: Level) -> None:
        """Note what was found of a level."""
        self.found.moves += sum(level.moves)
        if any(level.strange):
            level.wrong |= STRANGE
        places = self.table.directory.place[level.first : level.first + len(level.wrong)]
        if self.found.unreached is None and (level.wrong & ENTERED_BY_NONE).any():
            stretch = int(np.argmax((level.wrong & ENTERED_BY_NONE) != 0))
            self.found.unreached = int(places[stretch] + level.ones[stretch, 0])
        with_moves = np.flatnonzero(level.ones[:, 1] >= 0)
        tiers = with_moves // self.plan.in_tier[level.number]
        _, each = np.unique(tiers, return_index=True)
        chosen = with_moves[each]
        self.found.samples.append(places[chosen] + level.ones[chosen, 1])

    def _suspected(self, level: Level, after: Level | None) -> bool:
        """Note where a level has a fault; return whether it has any.

        What is wrong with the next level may be a fault of any position of this one: a move to a
        position that is not there, or to one of a value that planes cannot say.
        """
        place = self.table.directory.place
        first, end = level.first, level.first + len(level.wrong)
        wrong = np.flatnonzero(level.wrong & (VALUE | STRANGE))
        if after is not None and (after.wrong & (LACKING | STRANGE)).any():
            end += len(after.wrong)
        elif len(wrong):
            first += int(wrong[0])
        else:
            return False
        self.found.suspect = int(place[first]), int(place[end])
        return True
