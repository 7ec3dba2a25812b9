"""Win, draw or loss if endless play is a win for one player, so that no draw is endless.

The code of an endless win has no remoteness, and is less than that of any other win; that of an
endless loss is greater than that of any other loss. A tie is good for the player who would lose by
endless play, and bad for the other: its sign shows which of the two is to move. So a code for one
player is the negative of the code for the other, and the code of a move for its mover is that of
the successor, or its negative, one ply earlier.
"""

from __future__ import annotations

import numpy as np

from zermelo.values.kind import Codes
from zermelo.values.outcomes import DRAW, LOSS, WIN, Value
from zermelo.values.results import Counts
from zermelo.values.win_draw_loss import (
    ENDLESS,
    GLAD,
    LAST,
    TIES,
    UNTIMED,
    WIN_DRAW_LOSS,
    OutcomeWords,
    WinDrawLoss,
)

#: The code of a win by endless play; that of a loss by it is the negative.
ENDLESS_WIN = LAST - UNTIMED
#: The algebra of both kinds of value with endless play as a win.
ENDLESS_ALGEBRA = "endless"
#: The algebras of win, draw and loss with remoteness.
REMOTENESS_ALGEBRAS = (WIN_DRAW_LOSS.algebra, ENDLESS_ALGEBRA)
#: A number that is greater than the plies of any game.
_FOR_EVER = 1 << 31


class EndlessWords(OutcomeWords):
    """The words for win, draw and loss if endless play is a win for one player."""

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each outcome, with labels."""
        won, lost = (counts.by_remoteness.get((outcome, None), 0) for outcome in (WIN, LOSS))
        return [
            ("win", counts.win - won),
            ("endless win", won),
            ("tie", counts.tie),
            ("endless loss", lost),
            ("loss", counts.loss - lost),
        ]

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:
        """Return a phrase with the plies to a win, or with endless play."""
        if value.remoteness is None:
            return " by endless play"
        return super().margin_phrase(value, margin, plies_per_move)

    def _as_noun(self, value: Value, other: Value) -> str:
        """Return a value with an article; a win or loss by endless play is called endless."""
        if value.remoteness is None and value.outcome is not DRAW:
            return f"an endless {value.outcome}"
        return super()._as_noun(value, other)


class EndlessWins(WinDrawLoss):
    """Win, draw or loss with remoteness, if endless play is a win for one player."""

    words_class = EndlessWords

    @property
    def algebra(self) -> str:
        """The name of the operations, which are the same for either player."""
        return ENDLESS_ALGEBRA

    @property
    def clause(self) -> str:
        """A relative clause on games with such values, which follows the game's name."""
        return "which declares what endless play is worth"

    def at_turn(self, code: int, owner: int) -> int:
        """Return the code of a position for a known player to move; see ``Kind``."""
        sign = 1 if owner == self.favours else -1
        if code == ENDLESS:
            return sign * ENDLESS_WIN
        return sign * (GLAD - code) if 0 < code <= TIES else code

    def at_turns(self, codes: Codes, owners: Codes) -> Codes:
        """Return the same for many positions."""
        sign = np.where(owners == self.favours, np.int32(1), np.int32(-1))
        is_tied = (codes > 0) & (codes <= TIES)
        tie_codes = sign * np.where(is_tied, GLAD - codes, ENDLESS_WIN)
        return np.where(is_tied | (codes == ENDLESS), tie_codes, codes).astype(np.int32)

    def turnless(self, code: int) -> int:
        """Return the code from which ``at_turn`` gives this one."""
        if abs(code) == ENDLESS_WIN:
            return ENDLESS
        return abs(code) + GLAD if 0 < abs(code) <= GLAD else code

    def of_move(  # other kinds need the other arguments
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,  # noqa: ARG002
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move for its mover: that of the successor, one ply later."""
        result = code if same_mover else -code
        if abs(result) == ENDLESS_WIN:
            return result
        return result - 1 if result > 0 else result + 1

    def resistance(self, value: Value) -> int:
        """Return a number that is greater for a better defence of a lost position."""
        return _FOR_EVER if value.remoteness is None else value.remoteness


class _EndlessWinsOfFirst(EndlessWins):
    name = "endless-0"
    favours = 0


class _EndlessWinsOfSecond(EndlessWins):
    name = "endless-1"
    favours = 1


#: The kinds of value with endless play as a win, by the player who wins.
ENDLESS_WINS: tuple[EndlessWins, EndlessWins] = (_EndlessWinsOfFirst(), _EndlessWinsOfSecond())
