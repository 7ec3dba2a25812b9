"""Scores: the margin of the player to move from here on. A code is the score itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Answer, Codes, Kind, outcome_totals, spread
from zermelo.values.measure import Measure
from zermelo.values.outcomes import DRAW, LOSS, OUTCOMES, WIN, Outcome, Value
from zermelo.values.results import Counts, Probes
from zermelo.values.words import Words

#: The code of an unknown score.
UNKNOWN_SCORE = -(1 << 63)
#: The largest number of points of a move or an end, and the largest margin. 64-bit floats, and so
#: JavaScript, represent it exactly, and the sum of two such numbers fits in 64 bits.
LARGEST_SCORE = (1 << 53) - 1


class ScoreWords(Words):
    """The words for margins."""

    measure = Measure("expected margin under random play", 0.0, "gives away {}", share=False)
    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "ahead", DRAW: "even", LOSS: "behind"}
    title = "Margins under best play"
    axis = "margin for the player to move"
    unit = "margin, for the player to move"
    only_moves = (("one best move", ""),)
    traps = (
        "A trap is a move that is not best, although it gains at least as many points at once as "
        "every best move. It is tempting if it gains more."
    )

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each sign, with labels."""
        return [("ahead", counts.win), ("even", counts.draw), ("behind", counts.loss)]

    def coordinate(self, value: Value) -> int | None:
        """Return the score."""
        return value.score

    def final_margin(self, value: Value, points: int) -> int:
        """Return the final margin: the points so far, plus the margin from here on."""
        return points + (value.score or 0)

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # no plies
        """Return the margin of a win as a phrase that begins with a space."""
        return f" by {abs(margin):,}"

    def draw_phrase(self, value: Value) -> str:  # noqa: ARG002  # the final margin is 0
        """Return a phrase for a draw."""
        return "a draw, as it comes out even"

    def mistake(self, best: Value, value: Value) -> str:
        """Return a phrase with the points that a move gave away; "" for a best move."""
        points = (best.score or 0) - (value.score or 0)
        return f"gave away {points:,} point{'s' * (points != 1)}" if points else ""


class Scores(Kind):
    """Margins under best play, of games without cycles."""

    words_class = ScoreWords
    name = "score"
    dtype = np.int64
    unknown = UNKNOWN_SCORE
    gains = True
    limit: ClassVar[int | None] = LARGEST_SCORE
    method = "score"
    needs_potential = True
    answers: ClassVar[tuple[Answer, ...]] = (Answer("score", np.int64),)

    @property
    def clause(self) -> str:
        """A relative clause on games with such values, which follows the game's name."""
        return "which is a score game"

    def encode(self, value: Value) -> int:
        """Return the code of a value.

        Raises:
            ValueError: it is not a score.
        """
        if value.score is None:
            message = f"{value!r} is not a score"
            raise ValueError(message)
        return value.score

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        return Value(OUTCOMES[(code > 0) - (code < 0)], None, code)

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # the score counts
        """Return the final score."""
        return score

    def of_move(  # other kinds need the other arguments
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move: its gain plus the margin of the successor."""
        return gain + (code if same_mover else -code)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the scores."""
        return [(codes, None)]

    def are_codes(self, numbers: Codes) -> bool:
        """Return whether all numbers are at most ``LARGEST_SCORE``, and so can be codes."""
        return not ((numbers > LARGEST_SCORE) | (numbers < -LARGEST_SCORE)).any()

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        scores = spread(is_found, codes, np.int64)
        return Probes(is_found, self.outcomes(scores), np.full(len(is_found), -1, np.int64), scores)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each score."""
        by_score = {score: tally[score] for score in sorted(tally, reverse=True) if tally[score]}
        total = outcome_totals(
            ((score > 0) - (score < 0), count) for score, count in by_score.items()
        )
        return Counts(total[WIN], total[DRAW], total[LOSS], total[DRAW], 0, by_score=by_score)

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each score."""
        return counts.by_score

    def resistance(self, value: Value) -> int:
        """Return a number that is greater for a smaller margin of either player."""
        return -abs(value.score or 0)

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return ``points``, or None for a best move."""
        return None if self.is_equally_good(best, value) else "points"

    def regret(self, best: Value, value: Value) -> tuple[int, int]:
        """Return the points that a move gives away, and the plies if these are 0."""
        points = (best.score or 0) - (value.score or 0)
        return points, 0 if points else self._plies(best, value)


SCORES = Scores()
