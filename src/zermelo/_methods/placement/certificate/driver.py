"""Certifying a placement game's table level by level: the order of things, and what is found.

From the start on, each level is read from the table once. What it holds must be exactly what the
moves of the level before lead to; what is kept of the ends of games must be what a line, or a full
board, makes of them; and what is kept of the others must follow from the next level. Two levels are
held at a time, or where they do not fit some of their tiers (``certify_frames``). Where one has a
fault, its positions are looked at one by one (``certify``), and that says what is wrong and has the
last word.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.core.memory import zeros
from zermelo._methods.placement.certificate.frames import InFrames
from zermelo._methods.placement.certificate.levels import InFile, InMemory
from zermelo._methods.placement.certificate.plan import Part, Parts, Plan, Tiers
from zermelo._methods.placement.certificate.walk import Examined, Level, Rows, Walk

if TYPE_CHECKING:
    from zermelo.progress import Reporter


def least(table: Tiers, plan: Plan) -> int:
    """Return the bytes that looking at a table takes at the least."""
    *_, smallest = Parts.sizes(plan, 1)
    return min(plan.needed + smallest.reading(table), InFrames.least(table, plan))


def examined(
    table: Tiers, plan: Plan, threads: int, room: int, report: Reporter
) -> Examined | None:
    """Look at all of a table, 64 positions at a time.

    Takes as many steps as there are words of patterns, times moves and planes.

    Args:
        table: positions and values.
        plan: where they must be; has seen that the table's directory fits.
        threads: threads to use.
        room: bytes that may be taken: ``least`` at the least.
        report: is told how many positions are checked.

    Returns:
        What was found; None where the table is not one that can be looked at so, and has to be
        looked at one by one.
    """
    filed = hasattr(table, "packed_values")
    kept = InFile(table, plan) if filed else InMemory(table, plan, room)
    if not kept.understood:
        return None
    for parts in Parts.sizes(plan, threads):
        if plan.needed + threads * parts.reading(table) <= room:
            way: type[Walk] = Whole
            break
    else:
        way, (parts, threads) = InFrames, InFrames.within(table, plan, threads, room)
    with ThreadPoolExecutor(threads, thread_name_prefix="zermelo-verify") as pool:
        return way(table, parts, kept, pool, threads, room).run(report)


class Whole(Walk):
    """A pass over all levels in which two are held at a time."""

    def __init__(self, *given: Any) -> None:
        """Make room; see ``Walk``."""
        super().__init__(*given)
        rows, planes = self.plan.at_most()
        self.live = [zeros(max(size, 1), np.uint64) for size in rows]
        self.values = [zeros(max(size, 1), np.uint64) for size in planes]

    def look_at(self, level: Level) -> None:
        """Take up a level, and compare who is there with what the level before leads to."""
        n = level.number
        before = self.plan.slots, self.live[1 - n % 2]

        def work(part: Part) -> None:
            with self.at_desk() as desk:
                self.enter(n, part, desk, self._rows(n, part), before, level)

        self.shared(self.parts.of(n, 0, len(self.plan.tiers[n])), work)

    def look_back(self, level: Level) -> None:
        """Compare the values of a level with what follows from the next."""
        n = level.number
        after = self.plan.slots, self.values[1 - n % 2]

        def work(part: Part) -> None:
            self.follow(level, part, self._rows(n, part), after)

        self.shared(self.parts.of(n, 0, len(self.plan.tiers[n])), work)

    def _rows(self, n: int, part: Part) -> Rows:
        of = np.arange(part.slot, part.slot + part.tiers, dtype=np.int32)
        return Rows(of, self.plan.words[n], 0, self.live[n % 2], self.values[n % 2])
