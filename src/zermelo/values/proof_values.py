"""Partly known values along a proof, with a lower and an upper bound for each.

A code contains two bounds, in the values of a search: a win at the end is ``FAR``, and one less for
each ply before it; a loss likewise below 0; a draw is 0. Scores represent themselves. A win with
unknown remoteness is at least 1. Above the bounds is the kind of a draw, if that is known: 1 if it
is endless, and 2 more than the plies of a tie.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Answer, Codes, Kind, spread
from zermelo.values.outcomes import DRAW, LOSS, OUTCOMES, WIN, Outcome, PartialValue, Value
from zermelo.values.results import Counts, Probes
from zermelo.values.words import Words

#: The value of a win at the end if plies count, which is more than the plies of any game; and the
#: greatest score.
FAR, MOST_SCORE = 1 << 18, (1 << 19) - 1
#: An endless draw, and an immediate tie, above the bounds of a code.
ENDLESS, TIED = 1, 2
#: The bits of a bound in a code.
_BITS = 20
_LOW = (1 << _BITS) - 1


class ProvedWords(Words):
    """The words for outcomes as far as they are known."""

    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "won", DRAW: "drawn", LOSS: "lost"}

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each outcome, with labels."""
        return [("win", counts.win), ("draw", counts.draw), ("loss", counts.loss)]

    def margin_phrase(self, value: Value, ahead: int, plies_per_move: int = 1) -> str:
        """Return in how many plies a player wins, or within how many, after a space; or ""."""
        if value.remoteness is None and value.within is not None:
            return f" within {value.within:,} {'ply' if value.within == 1 else 'plies'}"
        return super().margin_phrase(value, ahead, plies_per_move)

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw, or on what is known instead."""
        if value.is_tie or value.is_endless:
            return super().draw_phrase(value)
        return "a draw" if value.outcome is DRAW else self.known_phrase(value)

    def known_phrase(self, value: Value) -> str:
        """Return the known part of a value, as words that follow "this is"."""
        words = {WIN: "a win", DRAW: "a draw", LOSS: "a loss"}
        if value.is_tie or value.is_endless:
            words[DRAW] = "a tie" if value.is_tie else "an endless draw"
        if value.outcome is not None and value.score is None:
            return f"{words[value.outcome]}{self.margin_phrase(value, 0)}"
        if value.score is not None:
            return str(value)
        return self._bounds_phrase(value)

    def _bounds_phrase(self, value: Value) -> str:
        """Return a phrase for a value whose outcome is not known."""
        if value.bounds == (DRAW, WIN):
            return "a draw at least"
        if value.bounds == (LOSS, DRAW):
            return "a draw at most"
        return str(value)

    def mistake(self, best: Value, worth: Value) -> str:
        """Return the known effect of a move that is not a best one; or ""."""
        what = self.kind.lost_part(best, worth)
        if what == "plies":
            return super().mistake(best, worth)
        if what is None:
            return ""
        return f"turned {self.known_phrase(best)} into {self.known_phrase(worth)}"


class Proved(Kind):
    """Win, draw or loss as far as they are known."""

    words_class = ProvedWords
    name = "proved"
    dtype = np.int64
    unknown = -1
    partial = True
    answers = (Answer("remoteness", np.int64, nullable=True),)
    most: ClassVar[int] = FAR

    def code(self, low: int, high: int, drawn: int = 0) -> int:
        """Return the code of two bounds, and of the kind of a draw.

        0, ENDLESS, or TIED and more.
        """
        return (drawn << 2 * _BITS) | ((low + MOST_SCORE) << _BITS) | (high + MOST_SCORE)

    def bounds(self, code: int) -> tuple[int, int]:
        """Return the bounds that a code stands for."""
        return ((code >> _BITS) & _LOW) - MOST_SCORE, (code & _LOW) - MOST_SCORE

    def _both(self, codes: Codes) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the same for many codes."""
        return ((codes >> _BITS) & _LOW) - MOST_SCORE, (codes & _LOW) - MOST_SCORE

    def codes_of(self, low: npt.NDArray[Any], high: npt.NDArray[Any]) -> Codes:
        """Return the codes of many bounds."""
        coded: Codes = ((low + np.int64(MOST_SCORE)) << _BITS) | (high + np.int64(MOST_SCORE))
        return coded

    def encode(self, value: Value) -> int:
        """Return the code of a value."""
        if value.outcome is DRAW:
            plies = value.remoteness
            return self.code(0, 0, ENDLESS * value.is_endless if plies is None else TIED + plies)
        if value.remoteness is not None:
            worth = int(value.outcome or 0) * (FAR - value.remoteness)
            return self.code(worth, worth)
        least, most = (0 if bound is None else bound for bound in value.bounds)
        low = (FAR - (value.within or FAR - 1)) if least > 0 else least * FAR
        high = -(FAR - (value.within or FAR - 1)) if most < 0 else most * FAR
        return self.code(low, high)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        low, high = self.bounds(code)
        least, most = OUTCOMES[(low > 0) - (low < 0)], OUTCOMES[(high > 0) - (high < 0)]
        if low == high and low:
            return Value(least, FAR - abs(low))
        if drawn := code >> 2 * _BITS:
            return Value(DRAW, None if drawn == ENDLESS else drawn - TIED)
        within = FAR - max(low, -high)
        if least == most and low:
            return PartialValue((least, most), within) if 0 < within < FAR - 1 else Value(least)
        return PartialValue((least, most))

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is none
        """Return the code of a terminal position."""
        return self.code(outcome * FAR, outcome * FAR)

    def of_move(
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,  # noqa: ARG002  # there are no points
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move: its bounds for its mover, one ply later."""
        low, high = self.bounds(code)
        if not same_mover:
            low, high = -high, -low
        drawn = code >> 2 * _BITS
        return self.code(_fainter(low), _fainter(high), drawn + (drawn >= TIED))

    def of_moves(self, worths: Any) -> int:
        """Return the code of a position: the greatest of each bound of its moves."""
        bounds = [self.bounds(worth) for worth in worths]
        return self.code(max(low for low, _ in bounds), max(high for _, high in bounds))

    def preference(self, worth: int) -> int:
        """Return a number that is greater for better moves, as far as they are known."""
        low, high = self.bounds(worth)
        signs = 3 * ((low > 0) - (low < 0)) + (high > 0) - (high < 0)
        return (signs << (_BITS + 2)) + low + high

    def is_equally_good(self, worth: Value, other: Value) -> bool:
        """Return whether neither move is known to be better than the other."""
        near, far = worth.remoteness, other.remoteness
        return worth.bounds == other.bounds and (near == far or near is None or far is None)

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code, as far as its player is sure of it."""
        low, high = self._both(codes)
        sure = np.where(low > -self.most, low, high)
        return np.sign(np.where(np.sign(low) == np.sign(high), low, sure)).astype(np.int8)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the remotenesses that are known."""
        low, high = self._both(codes)
        exact, drawn = (low == high) & (low != 0), codes >> 2 * _BITS
        known = exact | (drawn >= TIED)
        return [(np.where(exact, FAR - np.abs(low), np.where(known, drawn - TIED, -1)), known)]

    def probes(self, found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays: what the player to move is sure of, if anything."""
        every = spread(found, codes, np.int64)
        every[~found] = self.code(-self.most, self.most)
        return Probes(found, self.outcomes(every), self.columns(every)[0][0], None)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each outcome, as far as one player is sure.

        Ties and endless draws are not distinguished, as a strategy need not know the difference.
        """
        total = {1: 0, 0: 0, -1: 0}
        for code, count in tally.items():
            total[int(self.outcomes(np.array([code]))[0])] += count
        return Counts(total[1], total[0], total[-1])

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each outcome, by its code."""
        most = self.most
        numbers = (counts.win, counts.draw, counts.loss)
        codes = (self.code(1, most), self.code(0, 0), self.code(-most, -1))
        return {code: n for code, n in zip(codes, numbers, strict=True) if n}

    def lost_part(self, best: Value, worth: Value) -> str | None:
        """Return what a move is known to lose: ``outcome``, ``points``, ``plies`` or None."""
        least, most = best.bounds[0], worth.bounds[1]
        if least is not None and most is not None and most < least:
            return "points" if self.gains else "outcome"
        both = best.remoteness is not None and worth.remoteness is not None
        return "plies" if both and best.remoteness != worth.remoteness else None


class ProvedScoreWords(ProvedWords):
    """The words for scores as far as they are known."""

    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "ahead", DRAW: "even", LOSS: "behind"}

    def _bounds_phrase(self, value: Value) -> str:
        """Return the bounds of a margin."""
        return str(value)

    def final_margin(self, value: Value, points: int) -> int:
        """Return the final margin, if it is known; otherwise 0."""
        return 0 if value.score is None else points + value.score

    def margin_phrase(self, value: Value, ahead: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # no plies
        """Return by how much a player wins, after a space."""
        return f" by {abs(ahead):,}" if ahead else ""

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw, or on what is known instead."""
        return str(value) if value.score is None else "a draw, as it comes out even"


class ProvedScores(Proved):
    """Scores as far as they are known."""

    words_class = ProvedScoreWords
    name = "proved score"
    gains = True
    answers = (Answer("score", np.int64, nullable=True),)
    most = MOST_SCORE

    def encode(self, value: Value) -> int:
        """Return the code of a value."""
        low, high = value.bounds
        return self.code(-MOST_SCORE if low is None else low, MOST_SCORE if high is None else high)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        low, high = self.bounds(code)
        if low == high:
            return Value(OUTCOMES[(low > 0) - (low < 0)], None, low)
        least, most = None if low == -MOST_SCORE else low, None if high == MOST_SCORE else high
        return PartialValue((least, most))

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # the score counts
        """Return the code of a final score."""
        return self.code(*self.held(score, score))

    def held(self, low: int, high: int) -> tuple[int, int]:
        """Return the nearest bounds that a code can represent; those beyond are unknown."""
        return (
            max(min(low, MOST_SCORE - 1), -MOST_SCORE),
            min(max(high, 1 - MOST_SCORE), MOST_SCORE),
        )

    def of_move(
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move.

        The points that it makes, plus the bounds of the successor.
        """
        low, high = self.bounds(code)
        if not same_mover:
            low, high = -high, -low
        low = low if low == -MOST_SCORE else low + gain
        high = high if high == MOST_SCORE else high + gain
        return self.code(*self.held(low, high))

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the scores that are known."""
        low, high = self._both(codes)
        return [(low, low == high)]


def _fainter(worth: int) -> int:
    """Return a bound one ply earlier."""
    if abs(worth) <= 1:
        return worth
    return worth - 1 if worth > 0 else worth + 1


PROVED, PROVED_SCORES = Proved(), ProvedScores()


def proved_value(strategies: list[Mapping[str, Any]]) -> Value:
    """Return the value that strategies prove, from their descriptions in the header of a file."""
    great = max(strategy["great"] for strategy in strategies)
    low = max((each["least"] for each in strategies if each["mover"]), default=-great)
    high = min((-each["least"] for each in strategies if not each["mover"]), default=great)
    if great == MOST_SCORE:
        return PROVED_SCORES.decode(PROVED_SCORES.code(low, high))
    if great != FAR:  # outcomes alone: the remoteness of a win is not known
        low, high = 1 if low > 0 else low * FAR, -1 if high < 0 else high * FAR
    return PROVED.decode(PROVED.code(low, high))
