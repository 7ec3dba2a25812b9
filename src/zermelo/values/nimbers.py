"""Nimbers (Grundy values): the heap of Nim to which a position of an impartial game is equivalent.

The nimber of a position is the least nonnegative integer that is not the nimber of a successor; for
a position without moves it is 0. The player to move wins if the nimber is not 0, by a move to 0.

If play need not end, a position may be equivalent to no heap. Its value is then infinity with the
set K of the nimbers of its successors (Smith 1966; Fraenkel and Perl 1975; Winning Ways, chapter
12). The player who moves from it wins if 0 is in K, and otherwise it is a draw.

=================  ====================================================================
n >= 0             the nimber n
-1 - bits          infinity with the nimbers whose bits are set in ``bits``
=================  ====================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.values.kind import Answer, Codes, spread
from zermelo.values.normal_play import NormalPlay
from zermelo.values.outcomes import DRAW, LOSS, OUTCOMES, WIN, Value, in_words
from zermelo.values.results import Counts, Option, Probes
from zermelo.values.words import Words

#: The nimbers that a set may contain, from 0 on.
IN_SETS = 30
_LARGEST = (1 << 31) - 1


def infinite(nimbers: Iterable[int]) -> Value:
    """Return the value infinity with a set of nimbers."""
    members = tuple(sorted(set(nimbers)))
    return Value(WIN if 0 in members else DRAW, infinity=members)


def nim_sum(values: Iterable[Value]) -> Value:
    """Return the value of a sum of positions, from the value of each.

    Nimbers are added without carrying, bit by bit. Infinity with a set, plus a nimber n, is
    infinity with n added to each number of the set. The sum of two infinities is infinity with the
    empty set.

    Args:
        values: the values, each a nimber or infinity; the empty sum is the nimber 0.

    Raises:
        ValueError: one is neither.
    """
    total, endless = 0, None
    for value in values:
        if value.nimber is not None:
            total ^= value.nimber
        elif value.infinity is None:
            message = f"{value!r} is neither a nimber nor infinity; solve with value='nimber'"
            raise ValueError(message)
        else:
            endless = value.infinity if endless is None else ()
    if endless is not None:
        return infinite(n ^ total for n in endless)
    return Value(WIN if total else LOSS, nimber=total)


def least_missing(numbers: Iterable[int]) -> int:
    """Return the least whole number that is not among these."""
    present = set(numbers)
    return next(n for n in range(len(present) + 1) if n not in present)


class NimberWords(Words):
    """The words for nimbers."""

    title = "Nimbers of positions"
    axis = "nimber"
    unit = "nimber, after the star"

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each outcome, with labels."""
        rows = super().labelled_counts(counts)
        return [rows[0], ("endless draw", counts.endless), rows[1]] if counts.endless else rows

    def coordinate(self, value: Value) -> int | None:
        """Return the nimber."""
        return value.nimber

    def _as_noun(self, value: Value, other: Value) -> str:  # noqa: ARG002  # nimbers say too much
        """Return the outcome with an article."""
        return f"a {value.outcome}"

    def explanations(self, value: Value, options: Sequence[Option]) -> Iterator[str]:
        """Yield sentences on the nimbers of successors."""
        nimbers = [o.value.nimber for o in options if o.value.nimber is not None]
        distinct, endless = sorted(set(nimbers)), len(nimbers) < len(options)
        listed = f"nimbers of {in_words(distinct)}" if distinct else "no nimber"
        least = least_missing(distinct)
        if value.nimber is None:
            infinite_options = [o for o in options if o.value.infinity is not None]
            unanswerable = next(
                (o for o in infinite_options if least not in (o.value.infinity or ())), None
            )
            yield f"Moves lead to {listed}, and the least that is missing is {least}."
            if unanswerable is not None:
                name, infinity = unanswerable.name, unanswerable.value
                yield (
                    f"It is not worth {least}, as {name} leads to {infinity}, from which no move "
                    f"leads to {least}."
                )
        elif not endless and least == value.nimber:
            yield f"Moves lead to {listed}, and the least that is missing is {least}."
        else:
            yield (
                f"Moves lead to {listed}, and the least that is missing is {least}; every other "
                f"move can be answered by one to {least}."
            )


class Nimbers(NormalPlay):
    """Nimbers of impartial games under normal play, and infinities if play need not end."""

    words_class = NimberWords
    name = "nimber"
    impartial = True
    method = "nimber"
    needs_potential = True
    descends = False
    endless = True
    answers = (
        Answer("nimber", np.int32, nullable=True),
        Answer("infinity", np.int32, nullable=True),
    )

    def encode(self, value: Value) -> int:
        """Return the code of a value.

        Raises:
            ValueError: it is neither a nimber, nor infinity with nimbers that a set may contain.
        """
        if value.nimber is not None and 0 <= value.nimber <= _LARGEST:
            return value.nimber
        if value.infinity is None or not all(0 <= n < IN_SETS for n in value.infinity):
            message = f"{value!r} is not a nimber, nor infinity with nimbers below {IN_SETS}"
            raise ValueError(message)
        return -1 - sum(1 << n for n in value.infinity)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        if code >= 0:
            return Value(WIN if code else LOSS, nimber=code)
        return infinite(n for n in range(IN_SETS + 1) if (-1 - code) >> n & 1)

    def of_move(  # other kinds need the other arguments
        self,
        code: int,
        *,
        same_mover: bool,  # noqa: ARG002
        gain: int = 0,  # noqa: ARG002
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of the successor: all moves with the same outcome are equally good."""
        return code

    def of_moves(self, worths: Iterable[int]) -> int:
        """Return the least nimber that no move leads to.

        That is the value of a position from which play must end; otherwise it need not be.
        """
        return least_missing(worths)

    def sum(self, codes: Iterable[int]) -> int:
        """Return the code of a sum of positions; see ``Kind``."""
        return self.encode(nim_sum(map(self.decode, codes)))

    def move_value(self, code: int) -> Value:
        """Return the value of a move to this value: the value, and the winner after the move."""
        value = self.decode(code)
        return Value(
            OUTCOMES[-int(value.outcome or 0)], nimber=value.nimber, infinity=value.infinity
        )

    def preference(self, code: int) -> int:
        """Return 1 for a move to 0, which wins, 0 for one to a draw, and -1 for all others."""
        return -int(self.decode(code).outcome or 0)

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
        won = np.where(codes == 0, np.int8(-1), np.int8(1))
        # The lowest bit of a set is for 0; in -1 - bits it is inverted.
        won[(codes < 0) & (codes & 1 == 1)] = 0
        return won

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the nimbers, and for values without one the set as bits."""
        finite = codes >= 0
        return [(np.maximum(codes, 0), finite), (np.maximum(-1 - codes, 0), ~finite)]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        all_codes = spread(is_found, codes, np.int64)
        outcome = np.where(is_found, self.outcomes(all_codes), np.int8(0))
        nimbers = np.maximum(all_codes, -1)
        sets = np.where(all_codes < 0, -1 - all_codes, -1)
        return Probes(is_found, outcome, np.full(len(is_found), -1, np.int64), None, nimbers, sets)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each nimber, and of each infinity."""
        codes = sorted(code for code, count in tally.items() if count)
        by_nimber = {code: tally[code] for code in codes if code >= 0}
        endless = {self.decode(code): tally[code] for code in reversed(codes) if code < 0}
        sets = {value.infinity or (): count for value, count in endless.items()}
        draws = sum(count for value, count in endless.items() if value.outcome is DRAW)
        losses = by_nimber.get(0, 0)
        wins = sum(by_nimber.values()) + sum(sets.values()) - losses - draws
        return Counts(wins, draws, losses, 0, draws, by_nimber=by_nimber, by_infinity=sets)

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each nimber and each infinity, by code."""
        sets = counts.by_infinity.items()
        return {**counts.by_nimber, **{self.encode(infinite(k)): n for k, n in sets}}


NIMBERS = Nimbers()
