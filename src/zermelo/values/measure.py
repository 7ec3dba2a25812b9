"""How positions look under random play, as one number, and numbers as people read them."""

from __future__ import annotations

from dataclasses import dataclass

#: From here on, numbers are told without digits after the point.
_LARGE = 100


@dataclass(frozen=True, slots=True)
class Measure:
    """What random play comes to, as one number for the player to move.

    Attributes:
        name: what the number is, as the axis of a plot says.
        even: the number that favours nobody.
        tempts: how good a trap looks, in words, with ``{}`` for the number.
        share: whether it is a share, from 0 to 1, and not a number of points.
    """

    name: str
    even: float
    tempts: str
    share: bool = True

    def of_move(self, number: float, *, same_mover: bool, gain: int = 0) -> float:
        """Return the number of a move, by that of the position it leads to and the points made."""
        return gain + (number if same_mover else 2 * self.even - number)

    def text(self, number: float | None) -> str:
        """Return the number as people read it."""
        return percent(number) if self.share else points(number)

    def said(self, number: float) -> str:
        """Return the number in words: ``expected score 50.5 % under random play``."""
        what = "score" if self.share else "margin"
        return f"expected {what} {self.text(number)} under random play"


def percent(share: float | None) -> str:
    """Return a share in percent, or a dash."""
    return "-" if share is None else f"{100 * share:.1f} %"


def points(number: float | None) -> str:
    """Return a number in as many digits as are of use, or a dash."""
    if number is None:
        return "-"
    return f"{number:,.0f}" if abs(number) >= _LARGE else f"{number:.2f}"
