"""Certifying a placement game's table: what is read of a level, from memory or from a file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.certify_plan import Plan, Tiers, sums
from zermelo._engine.certify_tiers import ZERO
from zermelo._engine.jit import kernel


class InMemory:
    """What a table in memory keeps, as it lies there."""

    def __init__(self, table: Any, plan: Plan) -> None:
        self.table = table
        said = table.planes
        flat = [plane for planes in plan.planes for plane in planes]
        where = sums(
            (np.diff(table.directory.place) + 63)
            // 64
            * np.repeat(list(map(len, plan.planes)), plan.stretches)
        )
        self.understood = (
            np.array_equal(said.begin, sums(list(map(len, plan.planes))))
            and np.array_equal(said.whose, [who for who, _ in flat])
            and np.array_equal(said.ply, [by if plan.timed else codes.UNTIMED for _, by in flat])
            and np.array_equal(table.directory.value, where)
            and len(table.kept) == where[-1]
            and len(table.stored) == table.directory.word[-1]
        )

    def level(
        self, _: int, first: int, stretches: int, __: int, ___: Any
    ) -> tuple[npt.NDArray[np.uint64], int, npt.NDArray[np.uint64], Any, None]:
        """Return the words, the number of the first, the planes, where they are, and nothing."""
        bases = self.table.directory.value[first : first + stretches]
        return self.table.stored, 0, self.table.kept, bases, None


class InFile:
    """What a table in a file keeps, read level by level, its values made planes."""

    def __init__(self, table: Tiers, plan: Plan) -> None:
        self.table = table
        self.plan = plan
        listed, values = table.listed_between(0, 0, 1)
        self.understood = listed.dtype == np.uint8 and bool((values[1:] > values[:-1]).all())

    def level(
        self, n: int, first: int, stretches: int, threads: int, shared: Any
    ) -> tuple[npt.NDArray[np.uint64], int, npt.NDArray[np.uint64], Any, Any]:
        """Return as ``InMemory`` does, and which stretches have a value that none can have."""
        directory, planes = self.table.directory, self.plan.planes[n]
        word = directory.word[first], directory.word[first + stretches]
        place = directory.place[first : first + stretches + 1]
        stored = self.table.words_between(int(word[0]), int(word[1]), threads)
        listed, values = self.table.listed_between(int(place[0]), int(place[-1]), threads)
        never = np.ones(256, np.uint8)
        never[: len(values)] = [not self._can_be(code, n) for code in values.tolist()]
        least, below = self._limits(values, n)
        bases = sums((np.diff(place) + 63) // 64 * len(planes))
        out = np.empty(int(bases[-1]), np.uint64)
        strange = np.zeros(stretches, np.uint8)

        def work(some: tuple[int, int]) -> None:
            unfolded(*some, place - place[0], listed, never, least, below, bases, out, strange)

        shared(n, work)
        return stored, int(word[0]), out, bases, strange

    def _can_be(self, code: int, level: int) -> bool:
        """Whether a position of a level can have a value."""
        plan = self.plan
        outcome, remoteness = codes.decode(code)
        if outcome == 0:
            return remoteness == plan.size - level
        who = 1 - level % 2 if outcome > 0 else level % 2
        if plan.timed:
            return remoteness is not None and (who, level + remoteness) in plan.planes[level]
        return remoteness is None and who in {w for w, _ in plan.planes[level]}

    def _limits(
        self, values: npt.NDArray[np.int32], level: int
    ) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return from which place in the list on a value is in each plane, or is not any more."""
        least, below = [], []
        for who, by in self.plan.planes[level]:
            slowest = codes.LAST - (by - level if self.plan.timed else codes.UNTIMED)
            mine = who == 1 - level % 2
            limit = np.searchsorted(values, slowest if mine else 1 - slowest)
            least.append(int(limit))
            below.append(not mine)
        return np.array(least, np.uint8), np.array(below, np.uint8)


@kernel
def unfolded(
    begin: int,
    end: int,
    places: Any,
    listed: Any,
    never: Any,
    least: Any,
    below: Any,
    bases: Any,
    out: Any,
    strange: Any,
) -> None:
    """Make planes of the values of stretches, 64 positions to a word.

    Args:
        begin: the first stretch.
        end: the stretch after the last.
        places: where each stretch's values begin, and the end of the last.
        listed: values as places in a list, which ascends.
        never: of each place there, whether no position of the level can have such a value.
        least: for each plane the least place that is in it;
        below: or, where this is 1, the least that is not.
        bases: where each stretch's planes begin.
        out: receives them.
        strange: receives whether a stretch has a value that none can have.
    """
    planes = least.size
    for stretch in range(begin, end):
        to = bases[stretch]
        bad = np.uint8(0)
        for at in range(places[stretch], places[stretch + 1], 64):
            some = listed[at : min(at + 64, places[stretch + 1])]
            for k in range(some.size):
                bad |= never[some[k]]
            for p in range(planes):
                limit = least[p]
                word = ZERO
                if some.size == 64:
                    for k in range(64):
                        word |= np.uint64(some[k] >= limit) << np.uint64(k)
                else:
                    for k in range(some.size):
                        word |= np.uint64(some[k] >= limit) << np.uint64(k)
                out[to + p] = ~word if below[p] else word
            to += planes
        strange[stretch] = bad
