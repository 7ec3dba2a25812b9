"""Expected results of games with chance, each known between a lower and an upper bound.

Bounds are whole multiples of a unit, a power of two, so that sums of them are exact. A code holds
the lower bound and the distance of the upper one from it, both in units:
``(lower << WIDTH_BITS) + width``. The rules of a game know no unit: they give final results and
scores as whole numbers, and a solve chooses the unit by the greatest of them.

The expected result is 1 for a sure win of the player to move, -1 for a sure loss, and 0 for a sure
draw. So the probability of a win, a draw counting half, is (1 + result) / 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import ceil, log2
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Answer, Codes, Kind, ValueTally, outcome_totals, spread
from zermelo.values.measure import Measure
from zermelo.values.outcomes import DRAW, LOSS, WIN, ExpectedValue, Outcome, Value
from zermelo.values.player_names import is_plural, player_phrase, wins
from zermelo.values.results import Counts, Option, Probes
from zermelo.values.words import Words

#: The algebra of expectations.
ALGEBRA = "expectation"
#: What a value is the expectation of: a result; a margin, if moves make no points; or a margin, if
#: they make points.
EXPECTED = RESULT, SCORE, POINTS = "result", "score", "points"
#: The code of a position that is not decided, and in exploration that of one where chance decides.
UNKNOWN_EXPECTATION, CHANCE = -(1 << 63), -(1 << 63) + 1
#: A label of an edge at a position of chance: the bits of the weight, and flags. A result that is
#: not kept has an edge for each of its moves, and the weight is that of the first: the others
#: continue it. It is opposed if the player to move there is not the one for whom the value of the
#: position is.
WEIGHT, CONTINUES, OPPOSED = (1 << 20) - 1, 1 << 20, 1 << 21
#: Flags of labels where the player to move is not stored: chance, with the move after it, passes
#: the turn; a move keeps it, which is possible only where moves make no points.
PASSED, KEEPS = 1 << 22, 1 << 23
#: Bits of a code for the distance between the bounds; the greatest bound and distance, in units.
WIDTH_BITS = 17
MOST_UNITS, MOST_WIDTH = 1 << 45, (1 << WIDTH_BITS) - 1
#: Bits of a number of the certificate for the rank of a position, and for its stage before these.
RANK_BITS, STAGE_BITS = 16, 16
#: The exponent of the least unit; the greatest unit is 1.
LEAST_EXPONENT = -45
#: The approximate number of parts into which a chart divides the range of values.
_PARTS = 32
#: The most expectations that are counted one by one, and the most parts of their range by which
#: more of them are counted.
_MOST_COUNTED, _MOST_PARTS = 1 << 16, 1 << 12


class ExpectationWords(Words):
    """The words for expected results."""

    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "ahead", DRAW: "even", LOSS: "behind"}
    title = "Expected results under best play"
    axis = "expected result for the player to move"
    unit = "probability of a win, for the player to move"
    only_moves = (("one best move", ""),)

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each sign, with labels."""
        return [("ahead", counts.win), ("even", counts.draw), ("behind", counts.loss)]

    def coordinate(self, value: Value) -> int | None:  # noqa: ARG002  # there is no whole number
        """Return None, as a chart of all values has no whole numbers."""
        return None

    def owned_phrase(self, value: Value, player: str | None) -> str:  # noqa: ARG002  # see Words
        """Return an expectation in words, which always has a player."""
        return f"{value} for the player to move"

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for equal chances."""
        return f"even, with {value}"

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # no plies
        """Return the probability or the expectation as a phrase that begins with a space."""
        return f" with {value}"

    def final_margin(self, value: Value, points: int) -> int:
        """Return who is ahead: 1 for the player to move, -1 for the other, 0 if it is not known."""
        lower, upper = value.bounds
        return 1 if lower + points > 0 else -1 if upper + points < 0 else 0

    def ending(
        self,
        value: Value,
        winner: str | None,
        points: int = 0,
        plies_per_move: int = 1,  # noqa: ARG002  # no plies
    ) -> str:
        """Return a short phrase on the expectation, for the player who is ahead.

        Args:
            value: the value of the position.
            winner: the player who is ahead, or None.
            points: the margin of the player to move so far.
            plies_per_move: see ``Words``.
        """
        is_scored = isinstance(value, ExpectedValue) and value.is_scored
        lower, upper = (bound + points for bound in value.bounds)
        if winner is None:
            return "even" if lower == upper else self.draw_phrase(value)
        ahead = ExpectedValue(
            (lower, upper) if lower > 0 else (-upper, -lower), is_scored=is_scored
        )
        if is_scored:
            has = "have" if is_plural(winner) else "has"
            return f"{player_phrase(winner)} {has} an expected margin of {ahead.number_text}"
        return wins(winner) + ("" if ahead.bounds == (1, 1) else f" with {ahead}")

    def mistake(self, best: Value, value: Value) -> str:
        """Return a phrase with what a move gave away; "" for one that may be best."""
        lost = lost_expectation(best, value)
        if not lost:
            return ""
        if isinstance(best, ExpectedValue) and best.is_scored:
            return f"gave away {lost:.3g} points on average"
        return f"gave away {50 * lost:.3g} % of a win"


class ExpectedScoreWords(ExpectationWords):
    """The words for expected scores."""

    measure = Measure("expected margin under random play", 0.0, "gives away {}", share=False)
    title = "Expected margins under best play"
    axis = "expected margin for the player to move"
    unit = "expected margin, for the player to move"


def turn_flags(*, by_chance: bool, keeps_turn: bool) -> int:
    """Return the flag of a label where the player to move is not stored."""
    if by_chance:
        return 0 if keeps_turn else PASSED
    return KEEPS if keeps_turn else 0


def lost_expectation(best: Value, value: Value) -> float:
    """Return the least loss of a move compared with the best; 0.0 for one that may be best."""
    lost: float = best.bounds[0] - value.bounds[1]
    return max(0.0, lost)


class Expectations(Kind):
    """Expectations under best play, in units of a power of two.

    Attributes:
        is_scored: whether it is the expectation of a margin, otherwise of the result.
        adds_points: whether moves make points, so that the number of a position in the certificate
            has a stage: no move raises the stage, and every move with points lowers it.
        exponent: the exponent of the unit; None for the codes of rules, which are whole numbers.
        shift: the bits of a code for the distance between the bounds.
    """

    dtype = np.int64
    unknown = UNKNOWN_EXPECTATION
    gains = True
    needs_potential = True
    descends = False
    method = "chance"
    endless = True
    answers: ClassVar[tuple[Answer, ...]] = (
        Answer("lower", np.float64),
        Answer("upper", np.float64),
    )

    def __init__(self, expected: str, exponent: int | None = None) -> None:
        """Store what is expected, one of ``EXPECTED``, and the unit."""
        self.is_scored = expected != RESULT
        self.exponent = exponent
        self.adds_points = expected == POINTS
        self._expected = expected
        self.shift = 0 if exponent is None else WIDTH_BITS
        unit = "" if exponent is None else f"/2^{exponent}"
        words = ExpectedScoreWords if self.is_scored else ExpectationWords
        # Other kinds, which have one object each, have these as attributes of the class.
        vars(self).update(name=f"expected-{expected}{unit}", words_class=words)

    @property
    def algebra(self) -> str:
        """The name of the operations on codes, the same for all units."""
        return ALGEBRA

    @property
    def needs_endless(self) -> bool:
        """Whether the certificate needs the value of endless play: always."""
        return True

    @property
    def clause(self) -> str:
        """A relative clause on games with such values, which follows the game's name."""
        return "which has chance()"

    @property
    def unit(self) -> float:
        """The unit of bounds."""
        return 2.0 ** (self.exponent or 0)

    def with_unit(self, exponent: int) -> Expectations:
        """Return the kind with a unit."""
        return _KINDS_BY_UNIT[self._expected, exponent]

    # -- codes --------------------------------------------------------------------------------

    def bounds_of(self, code: int) -> tuple[int, int]:
        """Return the lower and the upper bound of a code, in units."""
        lower = code >> self.shift
        return lower, lower + (code & ((1 << self.shift) - 1))

    def code_of(self, lower: int, upper: int) -> int:
        """Return the code of bounds in units, which must not be too far apart."""
        return (lower << self.shift) + (upper - lower)

    def encode(self, value: Value) -> int:
        """Return the code of a value.

        Raises:
            ValueError: it is not an expectation, or its bounds are not multiples of the unit.
        """
        if isinstance(value, ExpectedValue) and value.is_scored == self.is_scored:
            lower, upper = (bound / self.unit for bound in value.bounds)
            is_narrow = lower <= upper <= lower + (MOST_WIDTH if self.shift else 0)
            if lower.is_integer() and upper.is_integer() and is_narrow:
                return self.code_of(int(lower), int(upper))
        message = f"{value!r} is not a value of {self.name!r}"
        raise ValueError(message)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        lower, upper = self.bounds_of(code)
        return ExpectedValue((lower * self.unit, upper * self.unit), is_scored=self.is_scored)

    def are_codes(self, numbers: Codes) -> bool:
        """Return whether the bounds of all numbers are within the greatest."""
        lower = numbers >> self.shift
        upper = lower + (numbers & ((1 << self.shift) - 1))
        return not ((lower < -MOST_UNITS) | (upper > MOST_UNITS)).any()

    def terminal(self, outcome: int, score: int = 0) -> int:
        """Return the code of a terminal position.

        Raises:
            ValueError: a score is too great for the unit.
        """
        points = score if self.is_scored else outcome
        return int(self.of_rules(np.array([points], np.int64))[0])

    def of_rules(self, codes: Codes) -> Codes:
        """Return codes with a unit for those of the rules, which are points; see ``Kind``.

        Raises:
            ValueError: a final score is too great for the unit.
        """
        if self.exponent is None:
            return codes
        is_known = codes > CHANCE
        points = np.where(is_known, codes, 0)
        most = MOST_UNITS >> -self.exponent
        if (np.abs(points) > most).any():
            largest = int(points[np.argmax(np.abs(points))])
            message = f"the final score {largest:,} is beyond ±{most:,}"
            raise ValueError(message)
        return np.where(is_known, points << (self.shift - self.exponent), codes)

    def units_of(self, points: int) -> int:
        """Return points in units."""
        return points << -(self.exponent or 0)

    # -- moves --------------------------------------------------------------------------------

    def of_move(
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,
        endless: int = 0,  # noqa: ARG002  # other kinds need it
    ) -> int:
        """Return the value of a move: its points plus the expectation after it."""
        lower, upper = self.bounds_of(code)
        if not same_mover:
            lower, upper = -upper, -lower
        points = self.units_of(gain)
        return self.code_of(lower + points, upper + points)

    def of_moves(self, worths: Iterable[int]) -> int:
        """Return the code of a position: the best lower and the best upper bound of its moves."""
        lowers, uppers = zip(*map(self.bounds_of, worths), strict=True)
        return self.code_of(max(lowers), max(uppers))

    def of_results(self, results: Iterable[tuple[int, int]]) -> int:
        """Return the code of a position of chance: the mean of its results, rounded outwards.

        Args:
            results: the weight of each result, and the code of its value.
        """
        lower = upper = total = 0
        for weight, code in results:
            low, high = self.bounds_of(code)
            lower, upper, total = lower + weight * low, upper + weight * high, total + weight
        return self.code_of(lower // total, -(-upper // total))

    def preference(self, code: int) -> int:
        """Return a number that is greater for a better move: twice the middle of its bounds."""
        return sum(self.bounds_of(code))

    def order_key(self, code: int, tiebreak: int, *, is_won: bool, endless: int) -> tuple[int, ...]:  # noqa: ARG002  # not by the outcome
        """Return a key that is smaller for a better move; see ``Kind``.

        The first move is one by which the certificate proves the lower bound: if this is more than
        endless play is worth, the move either raises it or comes nearer to the end.
        """
        lower, upper = self.bounds_of(code)
        return -lower, tiebreak if lower > self.units_of(endless) else 0, -upper

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether two moves may be equally good: their bounds overlap."""
        return not lost_expectation(value, other) and not lost_expectation(other, value)

    def best(self, options: Sequence[Option]) -> list[Option]:
        """Return the moves that may be best within their bounds, best first.

        Where chance decides, there is no best move.
        """
        if options[0].odds is not None:
            return []
        best = max(options, key=lambda option: option.value.bounds[0] or 0.0).value
        return [option for option in options if not lost_expectation(best, option.value)]

    # -- many codes ---------------------------------------------------------------------------

    def lowers(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Return the lower bounds, in units."""
        return codes >> self.shift

    def uppers(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Return the upper bounds, in units."""
        return (codes >> self.shift) + (codes & ((1 << self.shift) - 1))

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return 1, 0 or -1 for each code, by the sign of the expectation, if it is known."""
        above, below = self.lowers(codes) > 0, self.uppers(codes) < 0
        return above.astype(np.int8) - below.astype(np.int8)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the lower and the upper bounds."""
        return [(self.lowers(codes) * self.unit, None), (self.uppers(codes) * self.unit, None)]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        outcomes = spread(is_found, self.outcomes(codes), np.int8)
        bounds = (spread(is_found, column, np.float64) for column, _ in self.columns(codes))
        return Probes(
            is_found,
            outcomes,
            np.full(len(is_found), -1, np.int64),
            None,
            bounds=np.stack(list(bounds), axis=1),
        )

    def new_tally(self) -> ExpectationTally:
        """Return an empty tally."""
        return ExpectationTally(self)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each sign, and of each value."""
        codes = sorted((code for code in tally if tally[code]), key=self.preference, reverse=True)
        signs = self.outcomes(np.array(codes, np.int64)).tolist()
        total = outcome_totals((sign, tally[code]) for sign, code in zip(signs, codes, strict=True))
        by_bounds = {self.decode(code).bounds: tally[code] for code in codes}
        return Counts(total[WIN], total[DRAW], total[LOSS], total[DRAW], 0, by_bounds=by_bounds)

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each code.

        Raises:
            ValueError: the values were not counted one by one.
        """
        return {
            self.encode(ExpectedValue(bounds, is_scored=self.is_scored)): count
            for bounds, count in counts.by_bounds.items()
        }

    def sorted_counts(self, counts: Counts) -> list[tuple[Value, int]]:
        """Return the number of positions in each part of the range of values, best first."""
        bounds = list(counts.by_bounds)
        least, most = min((b[0] for b in bounds), default=0), max((b[1] for b in bounds), default=0)
        step = 2.0 ** ceil(log2((most - least) / _PARTS)) if most > least else 1.0
        parts: dict[float, int] = {}
        for (lower, upper), count in counts.by_bounds.items():
            part = min((lower + upper) / 2 // step, ceil(most / step) - 1)
            middle = (part + 0.5) * step
            parts[middle] = parts.get(middle, 0) + count
        return [
            (ExpectedValue((middle, middle), is_scored=self.is_scored), count)
            for middle, count in sorted(parts.items(), reverse=True)
        ]

    # -- comparisons --------------------------------------------------------------------------

    def resistance(self, value: Value) -> int:
        """Return a number that is greater for a closer expectation."""
        double_middle: float = value.bounds[0] + value.bounds[1]
        return -abs(round(double_middle / self.unit))

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return ``points``, or None for a move that may be best."""
        return "points" if lost_expectation(best, value) else None

    def regret(self, best: Value, value: Value) -> tuple[int, int]:
        """Return what a move gives away at least, in units; see ``Kind``."""
        return round(lost_expectation(best, value) / self.unit), 0


class ExpectationTally(ValueTally):
    """The number of positions of each expectation, or of parts of the range if many differ.

    Sure draws have a part of their own.
    """

    kind: Expectations

    def __init__(self, kind: Expectations) -> None:
        """Start without positions."""
        super().__init__(kind)
        self._signs = np.zeros(len(Outcome), np.int64)
        self._is_exact = True
        #: The parts, each by its lower bound in steps, with the number of positions in each; and
        #: the step in units, a power of two that is given by its exponent.
        self._parts, self._sums, self._step = np.empty(0, np.int64), np.empty(0, np.int64), 0

    def add(self, codes: Codes, numbers: npt.NDArray[np.int64]) -> None:
        """Add positions; see ``ValueTally``."""
        np.add.at(self._signs, self.kind.outcomes(codes) + 1, numbers)
        if self._is_exact:
            super().add(codes, numbers)
            if len(self._numbers) <= _MOST_COUNTED:
                return
            pairs, self._numbers, self._is_exact = self._numbers, {0: 0}, False
            codes = np.fromiter(pairs.keys(), np.int64, len(pairs))
            numbers = np.fromiter(pairs.values(), np.int64, len(pairs))
        is_even = codes == 0
        self._numbers[0] += int(numbers[is_even].sum())
        middles = (self.kind.lowers(codes) + self.kind.uppers(codes)) >> 1
        self._parts = np.concatenate([self._parts, middles[~is_even] >> self._step])
        self._sums = np.concatenate([self._sums, numbers[~is_even]])
        self._merge()
        while len(self._parts) > _MOST_PARTS:  # the final step does not depend on the order
            self._parts, self._step = self._parts >> 1, self._step + 1
            self._merge()

    def _merge(self) -> None:
        """Merge equal parts, and sort them."""
        self._parts, inverse = np.unique(self._parts, return_inverse=True)
        sums = np.zeros(len(self._parts), np.int64)
        np.add.at(sums, inverse.reshape(-1), self._sums)
        self._sums = sums

    def counts(self) -> Counts:
        """Return the number of positions of each value, as far as they were counted."""
        if self._is_exact:
            return super().counts()
        size = self.kind.unit * (1 << self._step)
        by_bounds = {
            (part * size, (part + 1) * size): number
            for part, number in zip(self._parts.tolist(), self._sums.tolist(), strict=True)
        }
        if self._numbers[0]:
            by_bounds[0.0, 0.0] = self._numbers[0]
        loss, draw, win = self._signs.tolist()
        return Counts(win, draw, loss, draw, 0, by_bounds=by_bounds)


#: The kinds of the codes of rules, which have no unit.
RULES_RESULTS, RULES_SCORES, RULES_POINTS = map(Expectations, EXPECTED)
_KINDS_BY_UNIT = {
    (expected, exponent): Expectations(expected, exponent)
    for expected in EXPECTED
    for exponent in range(LEAST_EXPONENT, 1)
}


def expectation_kinds() -> Iterator[Expectations]:
    """Yield all kinds of expectation."""
    yield from (RULES_RESULTS, RULES_SCORES, RULES_POINTS)
    yield from _KINDS_BY_UNIT.values()
