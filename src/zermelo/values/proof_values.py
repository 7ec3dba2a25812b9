"""Partly known values along a proof, with a lower and an upper bound for each.

A code contains two bounds, in the values of a search: a win at the end is ``FAR``, and one less for
each ply before it; a loss is the negative of that; a draw is 0. Scores represent themselves. A win
with unknown remoteness is at least 1. Above the bounds is the kind of a draw, if that is known: 1
if it is endless, and 2 more than the plies of a tie. Where nimbers were requested, it is 1 more
than the nimber, if that is known.
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

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:
        """Return a phrase with the plies of a win, or their bound, after a space; or ""."""
        if value.remoteness is None and value.within is not None:
            return f" within {value.within:,} {'ply' if value.within == 1 else 'plies'}"
        return super().margin_phrase(value, margin, plies_per_move)

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw, or for its bounds."""
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

    def mistake(self, best: Value, value: Value) -> str:
        """Return the known effect of a move that is not a best one; or ""."""
        lost_part = self.kind.lost_part(best, value)
        if lost_part == "plies":
            return super().mistake(best, value)
        if lost_part is None:
            return ""
        return f"turned {self.known_phrase(best)} into {self.known_phrase(value)}"


class Proved(Kind):
    """Win, draw or loss as far as they are known."""

    words_class = ProvedWords
    name = "proved"
    dtype = np.int64
    unknown = -1
    partial = True
    answers = (Answer("remoteness", np.int64, nullable=True),)
    most: ClassVar[int] = FAR

    def code(self, low: int, high: int, draw_kind: int = 0) -> int:
        """Return the code of two bounds, and of a draw's kind: 0, ENDLESS, or TIED and more."""
        return (draw_kind << 2 * _BITS) | ((low + MOST_SCORE) << _BITS) | (high + MOST_SCORE)

    def bounds(self, code: int) -> tuple[int, int]:
        """Return the bounds that a code stands for."""
        return ((code >> _BITS) & _LOW) - MOST_SCORE, (code & _LOW) - MOST_SCORE

    def _bounds_of_codes(self, codes: Codes) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """Return the bounds that many codes stand for."""
        return ((codes >> _BITS) & _LOW) - MOST_SCORE, (codes & _LOW) - MOST_SCORE

    def nimber_codes(self, nimbers: npt.NDArray[Any]) -> Codes:
        """Return the parts of codes above the bounds, for known nimbers."""
        codes: Codes = (nimbers + np.int64(1)) << 2 * _BITS
        return codes

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
            decided = int(value.outcome or 0) * (FAR - value.remoteness)
            return self.code(decided, decided)
        lower, upper = (0 if bound is None else bound for bound in value.bounds)
        low = (FAR - (value.within or FAR - 1)) if lower > 0 else lower * FAR
        high = -(FAR - (value.within or FAR - 1)) if upper < 0 else upper * FAR
        return self.code(low, high)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        low, high = self.bounds(code)
        lower, upper = OUTCOMES[(low > 0) - (low < 0)], OUTCOMES[(high > 0) - (high < 0)]
        if low == high and low:
            return Value(lower, FAR - abs(low))
        if draw_kind := code >> 2 * _BITS:
            return Value(DRAW, None if draw_kind == ENDLESS else draw_kind - TIED)
        limit = FAR - max(low, -high)
        if lower == upper and low:
            return PartialValue((lower, upper), limit) if 0 < limit < FAR - 1 else Value(lower)
        return PartialValue((lower, upper))

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is no score
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
        draw_kind = code >> 2 * _BITS
        return self.code(
            _one_ply_earlier(low), _one_ply_earlier(high), draw_kind + (draw_kind >= TIED)
        )

    def of_moves(self, worths: Any) -> int:
        """Return the code of a position: the greatest of each bound of its moves."""
        bounds = [self.bounds(worth) for worth in worths]
        return self.code(max(low for low, _ in bounds), max(high for _, high in bounds))

    def preference(self, code: int) -> int:
        """Return a number that is greater for better moves, as far as they are known."""
        low, high = self.bounds(code)
        signs = 3 * ((low > 0) - (low < 0)) + (high > 0) - (high < 0)
        return (signs << (_BITS + 2)) + low + high

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether neither move is known to be better than the other."""
        plies, other_plies = value.remoteness, other.remoteness
        return value.bounds == other.bounds and (
            plies == other_plies or plies is None or other_plies is None
        )

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code, as far as its player is sure of it."""
        low, high = self._bounds_of_codes(codes)
        sure = np.where(low > -self.most, low, high)
        return np.sign(np.where(np.sign(low) == np.sign(high), low, sure)).astype(np.int8)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the remotenesses that are known."""
        low, high = self._bounds_of_codes(codes)
        is_exact, draw_kinds = (low == high) & (low != 0), codes >> 2 * _BITS
        is_known = is_exact | (draw_kinds >= TIED)
        return [
            (
                np.where(is_exact, FAR - np.abs(low), np.where(is_known, draw_kinds - TIED, -1)),
                is_known,
            )
        ]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays: the outcome that the player to move can force, if known."""
        all_codes = spread(is_found, codes, np.int64)
        all_codes[~is_found] = self.code(-self.most, self.most)
        return Probes(is_found, self.outcomes(all_codes), self.columns(all_codes)[0][0], None)

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
        greatest = self.most
        numbers = (counts.win, counts.draw, counts.loss)
        codes = (self.code(1, greatest), self.code(0, 0), self.code(-greatest, -1))
        return {code: n for code, n in zip(codes, numbers, strict=True) if n}

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return the part of the value that a move surely loses; see ``Kind``."""
        lower, upper = best.bounds[0], value.bounds[1]
        if lower is not None and upper is not None and upper < lower:
            return "points" if self.gains else "outcome"
        has_remotenesses = best.remoteness is not None and value.remoteness is not None
        return "plies" if has_remotenesses and best.remoteness != value.remoteness else None


class ProvedScoreWords(ProvedWords):
    """The words for scores as far as they are known."""

    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "ahead", DRAW: "even", LOSS: "behind"}

    def _bounds_phrase(self, value: Value) -> str:
        """Return the bounds of a margin."""
        return str(value)

    def final_margin(self, value: Value, points: int) -> int:
        """Return the final margin, if it is known; otherwise 0."""
        return 0 if value.score is None else points + value.score

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # no plies
        """Return the margin of a win as a phrase that begins with a space."""
        return f" by {abs(margin):,}" if margin else ""

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw, or for its bounds."""
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
        lower, upper = None if low == -MOST_SCORE else low, None if high == MOST_SCORE else high
        return PartialValue((lower, upper))

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
        """Return the value of a move: its points plus the bounds of the successor."""
        low, high = self.bounds(code)
        if not same_mover:
            low, high = -high, -low
        low = low if low == -MOST_SCORE else low + gain
        high = high if high == MOST_SCORE else high + gain
        return self.code(*self.held(low, high))

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the scores that are known."""
        low, high = self._bounds_of_codes(codes)
        return [(low, low == high)]


def _one_ply_earlier(bound: int) -> int:
    """Return a bound one ply earlier."""
    if abs(bound) <= 1:
        return bound
    return bound - 1 if bound > 0 else bound + 1


class ProvedNimbers(Proved):
    """Outcomes and nimbers as far as they are known."""

    name = "proved nimber"
    impartial = True
    answers = (Answer("nimber", np.int64, nullable=True),)

    def encode(self, value: Value) -> int:
        """Return the code of a value."""
        nimber = -1 if value.nimber is None else value.nimber
        return super().encode(value) | (nimber + 1) << 2 * _BITS

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        nimber = (code >> 2 * _BITS) - 1
        if nimber < 0:
            return super().decode(code)
        return Value(WIN if self.bounds(code)[0] > 0 else LOSS, nimber=nimber)

    def of_move(
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,  # noqa: ARG002  # there are no points
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move: its bounds for its mover, and the nimber of the successor."""
        low, high = self.bounds(code)
        if not same_mover:
            low, high = -high, -low
        return self.code(low, high, code >> 2 * _BITS)

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether neither move is known to be better than the other."""
        return value.bounds == other.bounds

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the nimbers that are known."""
        nimbers = (codes >> 2 * _BITS) - 1
        return [(np.maximum(nimbers, 0), nimbers >= 0)]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays: the outcome that the player to move can force, if known."""
        all_codes = spread(is_found, codes, np.int64)
        all_codes[~is_found] = self.code(-self.most, self.most)
        remoteness = np.full(len(is_found), -1, np.int64)
        nimbers = (all_codes >> 2 * _BITS) - 1
        return Probes(is_found, self.outcomes(all_codes), remoteness, None, nimbers)


PROVED, PROVED_SCORES, PROVED_NIMBERS = Proved(), ProvedScores(), ProvedNimbers()


def proved_value(strategies: list[Mapping[str, Any]]) -> Value:
    """Return the value that strategies prove, from their descriptions in the header of a file."""
    for strategy in strategies:
        if strategy.get("nimber") is not None:
            nimber = int(strategy["nimber"])
            return Value(WIN if nimber else LOSS, nimber=nimber)
    win_score = max(strategy["great"] for strategy in strategies)
    low = max(
        (strategy["least"] for strategy in strategies if strategy["mover"]), default=-win_score
    )
    high = min(
        (-strategy["least"] for strategy in strategies if not strategy["mover"]), default=win_score
    )
    if win_score == MOST_SCORE:
        return PROVED_SCORES.decode(PROVED_SCORES.code(low, high))
    if win_score != FAR:  # outcomes alone: the remoteness of a win is not known
        low, high = 1 if low > 0 else low * FAR, -1 if high < 0 else high * FAR
    return PROVED.decode(PROVED.code(low, high))
