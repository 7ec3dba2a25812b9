"""Scores with plies: a margin, and the plies until it is settled, in one 64-bit code.

A code is ``margin * UNIT + low``. The margin is compared with the value of endless play for the
player to move. The player for whom the margin is better than that hurries, and the other delays. If
it is equal, both players prefer an end to endless play, and go the shortest way to it. So ``low``
is, with ``r`` plies:

====================  ================================================== r                     the
margin is below the value of endless play QUARTER               it results from endless play 2 *
QUARTER - r       it equals the value of endless play, and is settled 4 * QUARTER - 1 - r   it is
above the value of endless play ====================
==================================================

A greater code is better for the player to move, so that the best of the moves is a maximum. A
margin is settled if the game ends, or if the endless play begins from which it results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Answer, Codes, Kind, outcome_totals, spread
from zermelo.values.outcomes import DRAW, LOSS, OUTCOMES, WIN, Value
from zermelo.values.results import Counts, Probes
from zermelo.values.scores import SCORES, UNKNOWN_SCORE, Scores, ScoreWords

#: The bits of a code below the margin, a margin of 1, and a quarter of that.
BITS = 30
UNIT = 1 << BITS
QUARTER = UNIT >> 2
#: The greatest margin, and the most plies, that codes can represent.
MOST_MARGIN = 8_000_000_000
MOST_PLIES = QUARTER - 1


def code_of(margin: int, plies: int | None, endless: int = 0) -> int:
    """Return the code of a margin.

    Args:
        margin: the margin for the player to move.
        plies: the plies until it is settled, or None if it results from endless play.
        endless: the value of endless play for that player.

    Raises:
        ValueError: the margin, or the number of plies, is too great for a code.
    """
    if abs(margin) > MOST_MARGIN or not 0 <= (plies or 0) <= MOST_PLIES:
        message = f"margin {margin:,} in {plies} plies is beyond {MOST_MARGIN:,} in {MOST_PLIES:,}"
        raise ValueError(message)
    return _unchecked_code(margin, plies, endless)


def _unchecked_code(margin: int, plies: int | None, endless: int) -> int:
    """Return the code of a margin and its plies, without a check of their size."""
    if plies is None:
        return margin * UNIT + QUARTER
    if margin < endless:
        return margin * UNIT + plies
    return margin * UNIT + (2 * QUARTER if margin == endless else 4 * QUARTER - 1) - plies


def parts_of(code: int) -> tuple[int, int | None]:
    """Return the margin of a code, and the plies, None for endless play."""
    margin, low = divmod(code, UNIT)
    if low < QUARTER:
        return margin, low
    if low == QUARTER:
        return margin, None
    return margin, (2 * QUARTER if low <= 2 * QUARTER else 4 * QUARTER - 1) - low


class TimedScoreWords(ScoreWords):
    """The words for margins with plies."""

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each sign, with labels."""
        even = [("even", counts.tie), ("even, endless", counts.endless)]
        return [("ahead", counts.win), *even, ("behind", counts.loss)]

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:
        """Return the margin of a win, and its plies, as a phrase."""
        return super().margin_phrase(value, margin, plies_per_move) + _how(value)

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw."""
        return super().draw_phrase(value) + _how(value)

    def mistake(self, best: Value, value: Value) -> str:
        """Return the points that a move gave away, or its other fault; "" for a best one."""
        if best.score != value.score or best == value:
            return super().mistake(best, value)
        return f"turned {best} into {value}"


class TimedScores(Scores):
    """Margins under best play with plies, also of games with cycles."""

    words_class = TimedScoreWords
    name = "score-and-plies"
    timed = True
    converted = True
    stages = True
    limit = None  # a code of its own has no more
    descends = False
    needs_potential = True
    endless = True
    answers = (Answer("score", np.int64), Answer("remoteness", np.int32, nullable=True))

    def encode(self, value: Value) -> int:
        """Return a code of a value, assuming that endless play is worth nothing.

        Raises:
            ValueError: it is not a score.
        """
        return code_of(super().encode(value), value.remoteness)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        margin, plies = parts_of(code)
        return Value(OUTCOMES[(margin > 0) - (margin < 0)], plies, margin)

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # the score counts
        """Return the code of the final score.

        Raises:
            ValueError: it is too great.
        """
        return code_of(score, 0)

    def of_rules(self, codes: Codes) -> Codes:
        """Return the codes of terminal positions, from their final scores; see ``Kind``."""
        is_known = codes != UNKNOWN_SCORE
        large = is_known & (np.abs(codes) > MOST_MARGIN)
        if large.any():
            message = f"the final score {int(codes[large][0]):,} is beyond ±{MOST_MARGIN:,}"
            raise ValueError(message)
        low = np.where(codes > 0, 4 * QUARTER - 1, np.where(codes == 0, 2 * QUARTER, 0))
        return np.where(is_known, (codes << BITS) + low, codes)

    def of_move(self, code: int, *, same_mover: bool, gain: int = 0, endless: int = 0) -> int:
        """Return the value of a move: its margin, one ply later; see ``Kind``.

        If a table is wrong, it may be out of the range of codes, and is not corrected.
        """
        margin, plies = parts_of(code)
        margin = gain + (margin if same_mover else -margin)
        later = None if plies is None and margin == endless else 1 + (plies or 0)
        return _unchecked_code(margin, later, endless)

    def are_codes(self, numbers: Codes) -> bool:
        """Return whether these may be codes: their margins are not too great."""
        margins = self.margins(numbers)
        return bool((np.abs(margins) <= MOST_MARGIN).all())

    @property
    def played(self) -> Kind:
        """The kind of margins alone, as an analysis does not distinguish plies."""
        return SCORES

    def to_played(self, codes: Codes) -> Codes:
        """Return the margins."""
        return self.margins(codes)

    def margins(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Return the margins alone."""
        return codes >> BITS

    def remotenesses(self, codes: Codes) -> npt.NDArray[np.int64]:
        """Return the plies, -1 for endless play."""
        low = codes & (UNIT - 1)
        top = np.where(low <= 2 * QUARTER, 2 * QUARTER, 4 * QUARTER - 1)
        plies = np.where(low < QUARTER, low, top - low)
        plies[low == QUARTER] = -1
        return plies

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code, by the sign of the margin."""
        return np.sign(self.margins(codes)).astype(np.int8)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the scores, and the plies, which endless play does not have."""
        plies = self.remotenesses(codes)
        return [(self.margins(codes), None), (plies, plies >= 0)]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        plies = np.full(len(is_found), -1, np.int64)
        plies[is_found] = self.remotenesses(codes)
        scores = spread(is_found, self.margins(codes), np.int64)
        return Probes(is_found, np.sign(scores).astype(np.int8), plies, scores)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each score, and of each score and plies."""
        multiplicities: Counter[tuple[int, int | None]] = Counter()
        scores: Counter[int] = Counter()
        for code in sorted(tally, reverse=True):
            if tally[code]:
                multiplicities[parts_of(code)] += tally[code]
                scores[code >> BITS] += tally[code]
        total = outcome_totals(
            ((score > 0) - (score < 0), count) for score, count in scores.items()
        )
        endless_draws = multiplicities.get((0, None), 0)
        return Counts(
            total[WIN],
            total[DRAW],
            total[LOSS],
            total[DRAW] - endless_draws,
            endless_draws,
            by_score=dict(scores),
            by_score_and_plies=dict(multiplicities),
        )

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each value, by the codes that ``encode`` gives."""
        return {code_of(*parts): count for parts, count in counts.by_score_and_plies.items()}

    def sorted_counts(self, counts: Counts) -> list[tuple[Value, int]]:
        """Return the number of positions of each score, best first, for all plies together."""
        return [(SCORES.decode(score), count) for score, count in counts.by_score.items()]

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return ``points``, or ``plies``, or None for a best move."""
        return (
            "plies"
            if best.score == value.score and best != value
            else super().lost_part(best, value)
        )


def _how(value: Value) -> str:
    """Return how a margin results, after a comma; "" if the game is over."""
    if value.remoteness is None:
        return ", by endless play"
    plies = value.remoteness
    return f", settled in {plies:,} {'ply' if plies == 1 else 'plies'}" if plies else ""


TIMED_SCORES = TimedScores()
#: The algebras of margins.
SCORE_ALGEBRAS = (SCORES.algebra, TIMED_SCORES.algebra)
