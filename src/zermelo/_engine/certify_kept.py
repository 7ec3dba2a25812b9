"""Certifying a placement game's table: what is read of a level, from memory or from a file."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine import codes
from zermelo._engine.bits import gather
from zermelo._engine.certify_plan import Plan, Tiers, sums
from zermelo._engine.certify_tiers import ALL, ONE, ZERO
from zermelo._engine.jit import inlined, kernel
from zermelo._engine.memory import zeros

#: Groups of words, and blocks of values, that a thread unpacks together at the most.
_GROUPS, _BLOCKS = 64, 64
#: Words of a plane that are made at a time.
_TOGETHER = 64


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
        self, _: int, first: int, stretches: int, __: Any
    ) -> tuple[npt.NDArray[np.uint64], int, npt.NDArray[np.uint64], Any, Any, None]:
        """Return what is read of a level.

        Returns:
            Words, and the number of the first; planes, where those of each stretch begin among
            them, and by how many positions later; and nothing.
        """
        bases = self.table.directory.value[first : first + stretches]
        return self.table.stored, 0, self.table.kept, bases, np.zeros(stretches, np.int64), None


class InFile:
    """What a table in a file keeps, read level by level, its values made planes."""

    def __init__(self, table: Tiers, plan: Plan) -> None:
        self.table = table
        self.plan = plan
        self.understood = bool((table.palette[1:] > table.palette[:-1]).all())
        at = table.directory
        ends = at.word[at.level_section].tolist()
        self.groups = [table.groups_between(*both) for both in itertools.pairwise(ends)]
        self.counts = np.diff(at.place[at.level_section]).tolist()
        planes = [
            (count + 63) // 64 * len(some)
            for count, some in zip(self.counts, plan.planes, strict=True)
        ]
        self.words = zeros(max(end - begin for *_, begin, end in self.groups), np.uint64)
        self.values = zeros(max(*planes, 1), np.uint64)

    def level(
        self, n: int, first: int, stretches: int, shared: Any
    ) -> tuple[npt.NDArray[np.uint64], int, npt.NDArray[np.uint64], Any, Any, bool]:
        """Return as ``InMemory`` does, and whether there is a value that none can have."""
        table, planes, count = self.table, self.plan.planes[n], self.counts[n]
        group, last, less, _ = self.groups[n]

        def read(some: tuple[int, int]) -> None:
            table.write_words(group + some[0], group + some[1], less, self.words)

        shared(last - group, read, _GROUPS)
        blocks, width, values = table.numbered(n)
        can_be = [self._can_be(code, n) for code in values.tolist()]
        never = np.flatnonzero(np.logical_not(can_be))
        least, below = self._limits(values, n)
        strange = []

        def unfold(some: tuple[int, int]) -> None:
            begin, end = some
            packed = table.packed_values(n, begin, end)
            begin, end = begin * table.per_block, min(end * table.per_block, count)
            out = self.values[begin // 64 * len(planes) :]
            strange.append(
                unfolded(end - begin, packed, width, len(values), never, least, below, out)
            )

        shared(blocks, unfold, _BLOCKS)
        place = table.directory.place[first : first + stretches] - table.directory.place[first]
        bases = place // 64 * len(planes)
        return self.words, less, self.values, bases, place % 64, any(strange)

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
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Return from which place in the list on a value is in each plane, or is not any more."""
        least, below = [], []
        for who, by in self.plan.planes[level]:
            slowest = codes.LAST - (by - level if self.plan.timed else codes.UNTIMED)
            mine = who == 1 - level % 2
            limit = np.searchsorted(values, slowest if mine else 1 - slowest)
            least.append(int(limit))
            below.append(not mine)
        return np.array(least, np.int64), np.array(below, np.bool_)


@kernel
def unfolded(
    count: int,
    packed: Any,
    width: int,
    known: int,
    never: Any,
    least: Any,
    below: Any,
    out: Any,
) -> bool:
    """Make planes of numbers, 64 to a word.

    Args:
        count: how many numbers there are.
        packed: the numbers, side by side, the first lowest.
        width: the bits of a number: 1, 2, 4 or 8.
        known: the least number that stands for nothing.
        never: the numbers that stand for a value which none here can have.
        least: for each plane the least number that is in it;
        below: or, where this is true, the least that is not.
        out: receives them.

    Returns:
        Whether there is a number that none can have.
    """
    planes = least.size
    bits = np.zeros((8, _TOGETHER), np.uint64)
    some = np.empty(_TOGETHER, np.uint64)
    more = np.empty(_TOGETHER, np.uint64)
    wrong = np.empty(_TOGETHER, np.uint64)
    each = np.uint64(64 // width)
    lowest = ALL // ((ONE << np.uint64(width)) - ONE)
    strange = ZERO
    all_groups = (count + 63) // 64
    for first in range(0, all_groups, _TOGETHER):
        groups = min(_TOGETHER, all_groups - first)
        for g in range(groups):
            numbers = packed[(first + g) * width : (first + g + 1) * width]
            for bit in range(width):
                word = ZERO
                for k in range(width):
                    mask = lowest << np.uint64(bit)
                    word |= gather(numbers[k], mask) << (np.uint64(k) * each)
                bits[bit, g] = word
        to = out[first * planes : (first + groups) * planes]
        for p in range(planes):
            _not_below(bits, width, least[p], some)
            flip = ALL if below[p] else ZERO
            for g in range(groups):
                to[g * planes + p] = some[g] ^ flip
        _not_below(bits, width, known, wrong)
        for k in range(never.size):
            _not_below(bits, width, never[k], some)
            _not_below(bits, width, never[k] + 1, more)
            for g in range(groups):
                wrong[g] |= some[g] & ~more[g]
        for g in range(groups):
            there = min(count - 64 * (first + g), 64)
            strange |= wrong[g] << np.uint64(64 - there)
    return bool(strange != ZERO)


@inlined
def _not_below(bits: Any, width: int, limit: int, out: Any) -> None:
    """Write which of some numbers, given bit by bit, are at least a limit."""
    if limit >> width:
        for g in range(out.size):
            out[g] = ZERO
        return
    # All bits of a number that is equal are 1 where the limit has a 1; from the lowest bit on.
    for g in range(out.size):
        out[g] = ALL
    for bit in range(width):
        row = bits[bit]
        if limit >> bit & 1:
            for g in range(out.size):
                out[g] &= row[g]
        else:
            for g in range(out.size):
                out[g] |= row[g]
