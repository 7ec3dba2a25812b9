"""Certifying a placement game's table level by level: the order of things, and what is found.

From the start on, each level is read from the table once. What it holds must be exactly what the
moves of the level before lead to; what is kept of the ends of games must be what a line, or a full
board, makes of them; and what is kept of the others must follow from the next level. Two levels are
held at a time. Where one has a fault, its positions are looked at one by one (``certify``), and
that says what is wrong and has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.certify_arrive import enter
from zermelo._engine.certify_follow import follow
from zermelo._engine.certify_kept import InFile, InMemory
from zermelo._engine.certify_plan import Plan, Tiers
from zermelo._engine.certify_tiers import ENTERED_BY_NONE, LACKING, MISCOUNTED, STRANGE, VALUE
from zermelo._engine.memory import zeros
from zermelo._engine.sharing import taken

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Blocks that are worth handing to another thread.
_WORTH_SHARING = 64


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
class _Level:
    """One level as it is held: its stretches, what goes on, the planes, and what is wrong."""

    tiers: npt.NDArray[np.int64]
    stretches: int
    first: int
    planes: list[tuple[int, int]]
    live: npt.NDArray[np.uint64]
    values: npt.NDArray[np.uint64]
    wrong: npt.NDArray[np.uint8]


def examined(table: Tiers, plan: Plan, threads: int, report: Reporter) -> Examined | None:
    """Look at all of a table, 64 positions at a time.

    Takes as many steps as there are words of patterns, times moves and planes.

    Args:
        table: positions and values.
        plan: where they must be; has seen that the table's directory fits.
        threads: threads to use.
        report: is told how many positions are checked.

    Returns:
        What was found; None where the table is not one that can be looked at so, and has to be
        looked at one by one.
    """
    kept = InFile(table, plan) if hasattr(table, "packed_values") else InMemory(table, plan)
    if not kept.understood:
        return None
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        return _Walk(table, plan, kept, pool, threads).run(report)


class _Walk:
    """One pass over all levels."""

    def __init__(
        self,
        table: Tiers,
        plan: Plan,
        kept: InFile | InMemory,
        pool: ThreadPoolExecutor,
        threads: int,
    ) -> None:
        self.table = table
        self.plan = plan
        self.kept = kept
        self.pool = pool
        self.threads = threads
        self.shape = plan.board.shape()
        rows, planes = plan.at_most()
        self.live = [zeros(max(size, 1), np.uint64) for size in rows]
        self.values = [zeros(max(size, 1), np.uint64) for size in planes]
        self.found = Examined()

    def run(self, report: Reporter) -> Examined | None:
        """Go through the levels from the start on."""
        place, found = self.table.directory.place, self.found
        first = 0
        before: _Level | None = None
        for n in range(self.plan.size + 1):
            level = self._entered(n, first, before)
            if (level.wrong & MISCOUNTED).any():
                return None
            if before is not None:
                self._followed(n - 1, before, level)
                if self._suspected(before, level):
                    return found
            elif (level.wrong & (LACKING | ENTERED_BY_NONE)).any():
                return None
            first += level.stretches
            before = level
            report.advance(int(place[first]))
        if before is not None:
            self._suspected(before, None)
        return found

    def _entered(self, n: int, first: int, before: _Level | None) -> _Level:
        """Take up a level, and compare who is there with what the level before leads to."""
        plan, directory = self.plan, self.table.directory
        planes = plan.planes[n]
        stretches = plan.stretches[n]
        level = _Level(
            plan.tiers[n],
            stretches,
            first,
            planes,
            self.live[n % 2],
            self.values[n % 2],
            np.zeros(stretches, np.uint8),
        )
        whose = np.array([who for who, _ in planes], np.int64)
        at_full = np.array([(who, by) == (plan.board.full, plan.size) for who, by in planes])
        block = int(directory.level_block[n])
        by_block = slice(block, block + plan.blocks[n])
        by_stretch = slice(first, first + stretches + 1)
        stored, less, values, bases, later, strange = self.kept.level(
            n, first, stretches, self._shared
        )
        kept = (
            directory.present[by_block],
            directory.first[by_block],
            directory.rank[by_block],
            directory.word[by_stretch],
            directory.place[by_stretch],
            stored,
            values,
        )
        ones = np.empty((stretches, 2), np.int64)
        moves = []

        def work(some: tuple[int, int]) -> None:
            moves.append(
                enter(
                    n,
                    level.tiers,
                    *some,
                    self.shape,
                    plan.slots,
                    before.live if before is not None else level.live,
                    kept,
                    (less, bases, later),
                    whose,
                    plan.maker(n),
                    at_full,
                    level.live,
                    level.values,
                    level.wrong,
                    ones,
                )
            )

        self._by_stretches(n, work)
        self.found.moves += sum(moves)
        if strange:
            level.wrong |= STRANGE
        places = directory.place[first : first + stretches]
        if self.found.unreached is None and (level.wrong & ENTERED_BY_NONE).any():
            stretch = int(np.argmax((level.wrong & ENTERED_BY_NONE) != 0))
            self.found.unreached = int(places[stretch] + ones[stretch, 0])
        with_moves = np.flatnonzero(ones[:, 1] >= 0)
        _, each = np.unique(with_moves // (stretches // len(level.tiers)), return_index=True)
        chosen = with_moves[each]
        self.found.samples.append(places[chosen] + ones[chosen, 1])
        return level

    def _followed(self, n: int, level: _Level, after: _Level) -> None:
        """Compare the values of a level with what follows from the next."""
        same = {plane: number for number, plane in enumerate(after.planes)}
        whose = np.array([who for who, _ in level.planes], np.int64)
        origin = np.array([same.get(plane, -1) for plane in level.planes], np.int64)

        def work(some: tuple[int, int]) -> None:
            follow(
                n,
                level.tiers,
                *some,
                self.shape,
                self.plan.slots,
                level.live,
                level.values,
                whose,
                origin,
                after.values,
                len(after.planes),
                level.wrong,
            )

        self._by_stretches(n, work)

    def _suspected(self, level: _Level, after: _Level | None) -> bool:
        """Note where a level has a fault; return whether it has any.

        What is wrong with the next level may be a fault of any position of this one: a move to a
        position that is not there, or to one of a value that planes cannot say.
        """
        place = self.table.directory.place
        first, end = level.first, level.first + level.stretches
        wrong = np.flatnonzero(level.wrong & (VALUE | STRANGE))
        if after is not None and (after.wrong & (LACKING | STRANGE)).any():
            end += after.stretches
        elif len(wrong):
            first += int(wrong[0])
        else:
            return False
        self.found.suspect = int(place[first]), int(place[end])
        return True

    def _shared(self, count: int, work: Callable[[tuple[int, int]], None], most: int) -> None:
        """Do some work on all of so many things, of which nobody is given more at once."""
        some = [(low, min(low + most, count)) for low in range(0, count, most)]
        taken(self.pool, self.threads - 1, work, some)

    def _by_stretches(self, n: int, work: Callable[[tuple[int, int]], None]) -> None:
        """Do some work on all stretches of a level."""
        most = stretches = self.plan.stretches[n]
        if self.threads > 1 and self.plan.blocks[n] >= _WORTH_SHARING:
            most = -(-stretches // (8 * self.threads))
        self._shared(stretches, work, most)
