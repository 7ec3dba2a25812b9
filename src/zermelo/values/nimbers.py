"""Nimbers (Grundy values): the size of the heap of Nim that a position of an impartial game equals.

The nimber of a position is the least whole number that none of its moves leads to; of a position
without moves it is 0. Who moves from a nimber other than 0 wins, and a move wins if it leads to 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.values.answers import Counts, Option, Probes
from zermelo.values.kind import Answer, Codes, Kind, spread
from zermelo.values.outcomes import LOSS, WIN, Value
from zermelo.values.win_draw_loss import OUTCOME_ALONE


class Nimbers(Kind):
    """Nimbers of impartial games under normal play, which cannot go in circles."""

    name = "nimber"
    dtype = np.int32
    unknown = -(1 << 31)  # the same as for win, draw and loss, as rules are compiled for those
    needs_potential = True
    answers = (Answer("nimber", np.int32),)
    title = "Nimbers of positions"
    axis = "nimber"
    unit = "nimber, after the star"
    only_moves = (("one winning move", "won "),)

    def encode(self, value: Value) -> int:
        """Return the code of a value.

        Raises:
            ValueError: it is no nimber.
        """
        if value.nimber is None:
            message = f"{value!r} is not a nimber"
            raise ValueError(message)
        return value.nimber

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        return Value(WIN if code else LOSS, nimber=code)

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is none
        """Return 0, as who cannot move has lost.

        Raises:
            ValueError: it is another outcome, and so this is not normal play.
        """
        if outcome != LOSS:
            message = "under normal play, a player who cannot move has lost"
            raise ValueError(message)
        return 0

    def of_move(self, code: int, *, same_mover: bool, gain: int = 0) -> int:  # noqa: ARG002
        """Return the nimber that a move leads to, which is as good as any but 0."""
        return code

    def of_moves(self, worths: Iterable[int]) -> int:
        """Return the least whole number that no move leads to."""
        there = set(worths)
        return next(n for n in range(len(there) + 1) if n not in there)

    def worth(self, code: int) -> Value:
        """Return what a move to this nimber is worth: the nimber it leads to, which 0 wins."""
        return Value(LOSS if code else WIN, nimber=code)

    def preference(self, worth: int) -> int:
        """Return 1 for a move to 0, which wins, and 0 for all others."""
        return int(worth == 0)

    def as_good(self, worth: Value, other: Value) -> bool:
        """Whether both moves win, or both lose, whatever nimbers they lead to."""
        return worth.outcome is other.outcome

    @property
    def played(self) -> Kind:
        """Who wins, as no winning move is better than another."""
        return OUTCOME_ALONE

    def as_played(self, codes: Codes) -> Codes:
        """Return who wins, as codes."""
        win, loss = (OUTCOME_ALONE.encode(Value(outcome)) for outcome in (WIN, LOSS))
        return np.where(codes > 0, np.int32(win), np.int32(loss))

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN or LOSS (1, -1) for each nimber."""
        return np.where(codes > 0, np.int8(1), np.int8(-1))

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the nimbers."""
        return [(codes, None)]

    def probes(self, found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        nimbers = spread(found, codes, np.int64)
        outcome = np.where(found, self.outcomes(nimbers), np.int8(0))
        return Probes(found, outcome, np.full(len(found), -1, np.int64), None, nimbers)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return how many positions there are of each nimber."""
        by = {nimber: tally[nimber] for nimber in sorted(tally) if tally[nimber]}
        lost = by.get(0, 0)
        return Counts(sum(by.values()) - lost, 0, lost, by_nimber=by)

    def place(self, value: Value) -> int | None:
        """Return the nimber."""
        return value.nimber

    def thrown_away(self, best: Value, worth: Value) -> str:
        """Return what a move throws away: a win, or nothing."""
        return "" if self.as_good(best, worth) else "a win for a loss"

    def because(self, value: Value, options: Sequence[Option]) -> Iterator[str]:
        """Say which nimbers moves lead to."""
        there = {int(option.value.nimber or 0) for option in options}
        listed = ", ".join(map(str, sorted(there)))
        yield f"Moves lead to nimbers of {listed}, and the least that is missing is {value.nimber}."

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return how often each nimber occurs."""
        return counts.by_nimber


NIMBERS = Nimbers()
