"""Sums of the costs of an agent's moves, and the shares and bounds that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.agents.results import Rates
from zermelo.analysis.results import Estimate
from zermelo.values.expectations import Expectations

if TYPE_CHECKING:
    from zermelo.agents.agent_queries import Choice
    from zermelo.solution.dataset.moves import Keys, MoveValues, ValuedMoves
    from zermelo.values.kind import Kind

Floats = npt.NDArray[np.float64]

#: The columns that are summed over an agent's moves.
(
    MOVES,  # the move itself
    DECISIONS,  # whether some move there is not best
    PERFECT,
    KEEPING,
    LOSING,
    WON,  # whether the position is won
    THROWN,
    REGRET,
    PLIES,
    LUCKY,  # the probability that a random move is best
) = range(10)
COLUMNS = 10
#: The number of mistakes that are shown, and of those remembered until equivalent ones are left
#: out.
SHOWN, _REMEMBERED = 8, 400
#: Digits of calculated numbers.
DIGITS = 12
#: Standard deviations to either side that hold 95 % of a normal distribution.
_DEVIATIONS = 1.959964


@dataclass
class WorstMove:
    """A move that is not best, as a tally stores it.

    Attributes:
        order: the sort key; the worst mistakes have the smallest.
        key: the position's key.
        move: the number of the move among the position's.
        ply: the ply at which the move is made; -1 if it is not known.
        chance: the average number of times it is made in a game; for all positions, its probability
            in this one.
    """

    order: tuple[Any, ...]
    key: Keys
    move: int
    ply: int
    chance: float


@dataclass
class AgentTally:
    """Sums of the costs of an agent's moves.

    Attributes:
        book: the values, and the costs of mistakes.
        by_ply: the sums of the columns by ply; ply -1 stands for an unknown one.
        by_value: the sums of the columns by the group of the position's value.
        slips: the worst mistakes.
    """

    book: MoveValues
    by_ply: dict[int, Floats] = field(default_factory=dict)
    by_value: dict[int, Floats] = field(default_factory=dict)
    slips: list[WorstMove] = field(default_factory=list)

    def add(
        self, keys: Keys, moves: ValuedMoves, chosen: Choice, weight: Floats, ply: int
    ) -> tuple[Floats, npt.NDArray[Any]]:
        """Add an agent's moves to the sums.

        Args:
            keys: the positions.
            moves: the moves of the positions.
            chosen: the moves that the agent makes, with their probabilities.
            weight: the weight of each position.
            ply: the ply, or -1 if it is not known.

        Returns:
            For each position the expected columns, not weighted; and for each move of the choice
            the value that it gives away.
        """
        rows = np.zeros((len(keys), COLUMNS))
        if not len(chosen.rows):
            return rows, np.zeros(0, np.int64)
        position_rows, move_numbers = chosen.rows, chosen.moves
        best_values = moves.value[position_rows]
        costs = self.book.costs(best_values, moves.value_number[move_numbers])
        move_counts = moves.move_counts[position_rows]
        good = np.bincount(moves.parent[moves.best], minlength=len(keys))[position_rows]
        won = self.book.are_won(best_values)
        best = moves.best[move_numbers]
        columns = (
            np.ones(len(position_rows)), good < move_counts, best, costs["keeps"], costs["loses"],
            won, costs["throws"], costs["regret"], costs["plies"], good / move_counts,
        )  # fmt: skip
        expected = np.stack(columns, 1) * chosen.chances[:, np.newaxis]
        np.add.at(rows, position_rows, expected)
        weights = weight[position_rows]
        weighted = expected * weights[:, np.newaxis]
        self._add_to_sum(self.by_ply, ply, weighted.sum(0))
        groups = self.book.groups(best_values)
        for group in np.unique(groups).tolist():
            self._add_to_sum(self.by_value, group, weighted[groups == group].sum(0))
        wrong = np.flatnonzero(~best)
        if len(wrong):
            slip, chances = position_rows[wrong], weights[wrong] * chosen.chances[wrong]
            first = (-costs["plies"][wrong], -(costs["regret"][wrong] * chances))
            order = np.lexsort((*keys[slip].T[::-1], *first))  # independent of places
            for index in order[:_REMEMBERED].tolist():
                n = int(slip[index])
                chance = float(chances[index])
                worst = (
                    -costs["regret"][wrong][index] * chance, -costs["plies"][wrong][index] * chance,
                    ply if ply >= 0 else math.inf, tuple(keys[n].tolist()),
                )  # fmt: skip
                move = int(move_numbers[wrong][index] - moves.first[n])
                self.slips.append(WorstMove(worst, keys[n].copy(), move, ply, chance))
            self.slips.sort(key=lambda each: each.order)
            del self.slips[_REMEMBERED:]
        return rows, costs["regret"]

    @staticmethod
    def _add_to_sum(sums: dict[int, Floats], key: int, row: Floats) -> None:
        sums[key] = sums.get(key, 0.0) + row

    @property
    def total(self) -> Floats:
        """The sums of the columns."""
        return sum(self.by_ply.values(), np.zeros(COLUMNS))


def is_scored(kind: Kind) -> bool:
    """Return whether games end with a margin, and not with a win, a draw or a loss."""
    return kind.is_scored if isinstance(kind, Expectations) else kind.gains


def rates(
    sums: Floats,
    samples: Floats | None = None,
    stands_for: float = 1.0,
    *,
    has_chance: bool = False,
) -> Rates:
    """Return the shares that follow from sums.

    Args:
        sums: the sums of the columns.
        samples: the columns of each sampled game or position, from which bounds follow; None if the
            sums are exact.
        stands_for: the number of positions that each sample stands for.
        has_chance: whether values are expectations, so that nothing is won, lost or delayed.
    """

    def share(column: int, base: int = MOVES) -> Estimate | None:
        if sums[base] <= 0:
            return None
        if samples is None:
            return exact_estimate(sums[column] / sums[base])
        return ratio_estimate(
            samples[:, column], samples[:, base], share=column not in (REGRET, PLIES)
        )

    return Rates(
        moves=float(sums[MOVES]) * stands_for,
        decisions=share(DECISIONS),
        perfect=share(PERFECT),
        keeping=share(KEEPING),
        losing=None if has_chance else share(LOSING),
        throwing=None if has_chance else share(THROWN, WON),
        regret=share(REGRET),
        plies=None if has_chance else share(PLIES, KEEPING),
        random=share(LUCKY),
    )


def exact_estimate(number: float) -> Estimate:
    """Return an exact number as an estimate, without the digits that rounding produced."""
    value = round(float(number), DIGITS)
    return Estimate(value, value, value)


def ratio_estimate(numerators: Floats, denominators: Floats, *, share: bool) -> Estimate:
    """Return the ratio of two sums over independent samples, with its interval.

    The samples are games or positions. Moves of one game depend on each other, so bounds follow
    from the differences between games. The interval of a share is Wilson's (1927), for the number
    of independent moves that would have the same variance.

    Args:
        numerators: the numerator of each sample.
        denominators: the denominator of each sample.
        share: whether the ratio lies between 0 and 1.
    """
    total = float(denominators.sum())
    value = float(numerators.sum()) / total
    count = int(np.count_nonzero(denominators))
    spread = numerators - value * denominators
    variance = float(np.sum(spread * spread)) / total**2 * count / max(count - 1, 1)
    if not share:
        off = _DEVIATIONS * math.sqrt(variance)
        return Estimate(value, max(0.0, value - off), value + off)
    size = value * (1 - value) / variance if variance > 0 else float(count)
    z2 = _DEVIATIONS * _DEVIATIONS
    middle = (value + z2 / (2 * size)) / (1 + z2 / size)
    off = _DEVIATIONS * math.sqrt(value * (1 - value) / size + z2 / (4 * size * size))
    off /= 1 + z2 / size
    low = 0.0 if value <= 0 else max(0.0, middle - off)
    high = 1.0 if value >= 1 else min(1.0, middle + off)
    return Estimate(value, low, high)
