"""The base of kinds of value of normal play, in which a player who cannot move has lost."""

from __future__ import annotations

import numpy as np

from zermelo.values.kind import Codes, Kind
from zermelo.values.outcomes import LOSS, OUTCOMES, Value
from zermelo.values.win_draw_loss import OUTCOME_ALONE, convert_terminal_codes


class NormalPlay(Kind):
    """A kind of value that says what a position is worth in sums, and only then who wins.

    The code 0 is the value of a position in which neither player can move. Moves with the same
    outcome are equally good.
    """

    adds = True
    converted = True
    dtype = np.int32
    unknown = -(1 << 31)  # the same as for win, draw and loss, as rules are compiled for those

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is none
        """Return 0, as a player who cannot move has lost.

        Raises:
            ValueError: it is another outcome, so this is not normal play.
        """
        if outcome != LOSS:
            message = (
                "under normal play, a player who cannot move has lost; make outcome() or winner() "
                f"say so, or leave value={self.name!r} out"
            )
            raise ValueError(message)
        return 0

    def of_rules(self, codes: Codes) -> Codes:
        """Return codes of this kind; see ``Kind``."""
        return convert_terminal_codes(self, codes)

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether both moves have the same outcome, regardless of their values."""
        return value.outcome is other.outcome

    @property
    def played(self) -> Kind:
        """The kind of outcomes alone, as all winning moves are equally good."""
        return OUTCOME_ALONE

    def to_played(self, codes: Codes) -> Codes:
        """Return the outcomes, as codes."""
        outcome_codes = [OUTCOME_ALONE.encode(Value(outcome)) for outcome in OUTCOMES]
        coded: Codes = np.array(outcome_codes, np.int32)[self.outcomes(codes)]
        return coded
