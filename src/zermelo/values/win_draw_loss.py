"""Win, draw or loss, with remoteness or without, as 32-bit codes ordered as players prefer them.

=================  ====================================================================
LAST - r           win with remoteness r
TIES - r           tie with remoteness r
0                  endless draw
-(LAST - r)        loss with remoteness r
±(LAST - UNTIMED)  win or loss without remoteness: not asked for, or by endless play
±(GLAD - r)        tie with remoteness r if endless play is a win for one player: the player
                   to move prefers the tie (+), or wins by endless play (-)
UNKNOWN            not decided yet
=================  ====================================================================

A greater code is better for the player to move: a quicker win, then a quicker tie, then an
endless draw, then a slower loss. So the value of a position is the greatest of its successors'
codes, each from its mover's view, one ply earlier. If endless play is a win for a player
(``zermelo.values.endless``), that player delays a tie as long as possible.
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
from zermelo.values.words import Words

LAST = (1 << 31) - 1
TIES = 1 << 30
ENDLESS = 0
UNKNOWN = -(1 << 31)
#: The remoteness in the code of a win or a loss without remoteness.
UNTIMED = 1 << 29
#: The code of a tie with remoteness 0 that the player to move prefers to endless play.
GLAD = 1 << 29

#: The code of a terminal position, by its outcome: LOSS, DRAW, WIN at -1, 0, 1.
TERMINAL = {-1: -LAST, 0: TIES, 1: LAST}


def decode(code: int) -> tuple[int, int | None]:
    """Return the outcome (1, 0, -1) and remoteness (None without one) of a code."""
    code = int(code)
    if abs(code) == LAST - UNTIMED:
        return (1 if code > 0 else -1), None
    if code > TIES:
        return 1, LAST - code
    if code < -TIES:
        return -1, LAST + code
    if code == ENDLESS:
        return 0, None
    return 0, (TIES - code if code > GLAD else GLAD - abs(code))


def encode(outcome: int, remoteness: int | None) -> int:
    """Return the code of a value."""
    if remoteness is None and outcome:
        return outcome * (LAST - UNTIMED)
    if remoteness is None:
        return ENDLESS
    return {1: LAST - remoteness, 0: TIES - remoteness, -1: remoteness - LAST}[outcome]


def outcomes(codes: Codes) -> npt.NDArray[np.int8]:
    """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
    return (codes > TIES).astype(np.int8) - (codes < -TIES).astype(np.int8)


def remotenesses(codes: Codes) -> npt.NDArray[np.int64]:
    """Return the remoteness of each code, -1 for an endless draw or an unknown remoteness."""
    size = np.abs(codes)
    # LAST, TIES or GLAD minus the size: the lower bits of all three are the same.
    plies = ~size
    plies += size <= TIES
    plies &= GLAD - 1
    has_none = (size == ENDLESS) | (size == LAST - UNTIMED)
    if has_none.any():
        plies[has_none] = -1
    return plies.astype(np.int64)


def convert_terminal_codes(kind: Kind, codes: Codes) -> Codes:
    """Replace the codes in ``TERMINAL`` by the codes of terminal positions of a kind."""
    for outcome, code in TERMINAL.items():
        matches = codes == code
        if matches.any():
            codes[matches] = kind.terminal(outcome)
    return codes


class OutcomeWords(Words):
    """The words for win, draw and loss."""

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each outcome, with labels."""
        return [
            ("win", counts.win),
            ("tie", counts.tie),
            ("endless draw", counts.endless),
            ("loss", counts.loss),
        ]


class WinDrawLoss(Kind):
    """Win, draw or loss, each with its remoteness except for an endless draw."""

    words_class = OutcomeWords
    name = "win-draw-loss"
    outcomes_alone = True
    timed = True
    endless = True
    dtype = np.int32
    unknown = UNKNOWN
    answers = (Answer("remoteness", np.int32, nullable=True),)

    def encode(self, value: Value) -> int:
        """Return the code of a value."""
        return encode(int(value.outcome or 0), value.remoteness)

    def decode(self, code: int) -> Value:
        """Return the value that a code stands for."""
        outcome, remoteness = decode(code)
        return Value(OUTCOMES[outcome], remoteness)

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is none
        """Return the code of a terminal position."""
        return TERMINAL[outcome]

    def of_move(  # other kinds need the other arguments
        self,
        code: int,
        *,
        same_mover: bool,
        gain: int = 0,  # noqa: ARG002
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value of a move for its mover: that of the successor, one ply later."""
        outcome, remoteness = decode(code)
        return encode(
            outcome if same_mover else -outcome, None if remoteness is None else remoteness + 1
        )

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN, DRAW or LOSS (1, 0, -1) for each code."""
        return outcomes(codes)

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the remotenesses, which endless draws do not have."""
        left = remotenesses(codes)
        return [(left, left >= 0)]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays; a position that was not found counts as an endless draw."""
        codes = spread(is_found, codes, np.int32)
        return Probes(is_found, outcomes(codes), remotenesses(codes), None)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each outcome and remoteness."""
        multiplicities: Counter[tuple[int, int | None]] = Counter()
        for code, count in tally.items():
            multiplicities[decode(code)] += count
        best_first = sorted(multiplicities, key=lambda value: -encode(*value))
        by_remoteness = {
            (OUTCOMES[value[0]], value[1]): multiplicities[value]
            for value in best_first
            if multiplicities[value]
        }
        total = outcome_totals((outcome, count) for (outcome, _), count in by_remoteness.items())
        endless = by_remoteness.get((DRAW, None), 0)
        return Counts(
            total[WIN], total[DRAW], total[LOSS], total[DRAW] - endless, endless, by_remoteness
        )

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of each code."""
        return {encode(*value): count for value, count in counts.by_remoteness.items()}


class OutcomeAlone(WinDrawLoss):
    """Win, draw or loss, without remoteness for wins and losses."""

    name = "outcome"
    timed = False
    method = "placement"
    endless = False
    needs_potential = True

    def terminal(self, outcome: int, score: int = 0) -> int:  # noqa: ARG002  # there is none
        """Return the code of a terminal position."""
        return encode(outcome, None) if outcome else TIES

    def of_rules(self, codes: Codes) -> Codes:
        """Return codes of this kind; see ``Kind``."""
        return convert_terminal_codes(self, codes)


WIN_DRAW_LOSS = WinDrawLoss()
OUTCOME_ALONE = OutcomeAlone()
