"""Expectations of many moves in one batch, for games with chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.solution.dataset.moves import ExpandedMoves, MoveValues, Numbers, ValuedMoves
from zermelo.values.expectations import Expectations
from zermelo.values.outcomes import ExpectedValue

if TYPE_CHECKING:
    from zermelo.values.kind import Kind
    from zermelo.values.outcomes import Value

#: The number of groups of results from 0 on, and as many are below 0.
_GROUPS = 8


class ExpectedMoveValues(MoveValues):
    """The expectations of moves; the number of a value is its code.

    Nearly all expectations are different, so that arrays hold the values themselves.
    """

    kind: Expectations

    def read(self, raw: ExpandedMoves) -> ValuedMoves:
        """Return moves with their values; results of chance are never the best."""
        kind = self.kind
        first = np.concatenate([np.zeros(1, np.int64), raw.ends])
        counts = np.diff(first)
        parent = np.repeat(np.arange(len(counts)), counts)
        codes = raw.codes.astype(np.int64)
        lower, upper = kind.lowers(codes), kind.uppers(codes)
        same, by_chance = raw.same_player, raw.by_chance[parent]
        points = np.where(by_chance, 0, raw.gains) * kind.units_of(1)
        lower, upper = (
            np.where(same, lower, -upper) + points,
            np.where(same, upper, -lower) + points,
        )
        numbers: Numbers = (lower << kind.shift) + (upper - lower)
        value = np.full(len(counts), kind.unknown, np.int64)
        played = np.flatnonzero(counts)
        if not len(played):
            return ValuedMoves(raw, first, parent, numbers, np.zeros(0, np.bool_), value)
        best_lower = np.zeros(len(counts), np.int64)
        best_lower[played] = np.maximum.reduceat(lower, first[played])
        top = np.flatnonzero(lower == best_lower[parent])
        lead = np.unique(parent[top], return_index=True)[1]
        value[played] = numbers[top[lead]]
        best = (upper >= best_lower[parent]) & ~by_chance
        return ValuedMoves(raw, first, parent, numbers, best, value)

    def group_value(self, group: int) -> Value:
        """Return a value with the bounds of a group."""
        return ExpectedValue(self._group_bounds(group), is_scored=self.kind.is_scored)

    def preference(self, number: int) -> int:
        """Return a number that is greater for a better group."""
        return number

    def column(self, name: str, numbers: Numbers, missing: int) -> npt.NDArray[Any]:  # noqa: ARG002  # all have bounds
        """Return the outcomes, or the lower or upper bounds, of values."""
        if name == "outcome":
            return self.kind.outcomes(numbers)
        bounds = self.kind.lowers if name == "lower" else self.kind.uppers
        return bounds(numbers) * self.kind.unit

    def are_won(self, numbers: Numbers) -> npt.NDArray[np.bool_]:
        """Return whether the player who moves is ahead."""
        ahead: npt.NDArray[np.bool_] = self.kind.outcomes(numbers) > 0
        return ahead

    def groups(self, numbers: Numbers) -> Numbers:
        """Return the group of each value: a sixteenth of the results, or a power of two of margins.

        A margin from 2 on and below 4 is in a group with 3, and one between -1 and 1 with 0.
        """
        middle = (self.kind.lowers(numbers) + self.kind.uppers(numbers)) * (self.kind.unit / 2)
        groups: Numbers
        if self.kind.is_scored:
            magnitude = np.floor(np.log2(np.maximum(np.abs(middle), 0.5))).astype(np.int64) + 1
            groups = np.where(middle < 0, -magnitude, magnitude)
        else:
            groups = np.minimum(np.floor(middle * _GROUPS), _GROUPS - 1).astype(np.int64)
        return groups

    def _group_bounds(self, group: int) -> tuple[float, float]:
        if not self.kind.is_scored:
            return group / _GROUPS, (group + 1) / _GROUPS
        if group == 0:
            return -1.0, 1.0
        low, high = 2.0 ** (abs(group) - 1), 2.0 ** abs(group)
        return (low, high) if group > 0 else (-high, -low)

    def costs(self, best: Numbers, moves: Numbers) -> dict[str, npt.NDArray[Any]]:
        """Return the costs of moves, as arrays by the names of the attributes of ``MoveCost``.

        The regret is a probability, or points: what a move gives away at least.
        """
        lost = np.maximum(self.kind.lowers(best) - self.kind.uppers(moves), 0)
        regret = lost * (self.kind.unit / (1 if self.kind.is_scored else 2))
        nothing = np.zeros(len(moves), np.int64)
        keeps = (lost == 0).astype(np.int64)
        return {
            "regret": regret, "plies": nothing, "keeps": keeps, "loses": nothing, "throws": nothing
        }  # fmt: skip


def move_values_of(kind: Kind) -> MoveValues:
    """Return the values of moves of a kind."""
    return ExpectedMoveValues(kind) if isinstance(kind, Expectations) else MoveValues(kind)
