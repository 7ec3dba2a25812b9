"""Measures of positions under random play, and the formatting of their numbers."""

from __future__ import annotations

from dataclasses import dataclass

#: From here on, numbers are written without decimals.
_LARGE = 100


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of random play, as a number for the player to move.

    Attributes:
        name: the name of the number, for the axis of a plot.
        even: the number that favours neither player.
        tempts: a phrase on the attraction of a trap, with ``{}`` for the number.
        share: whether it is a fraction, from 0 to 1, and not a number of points.
    """

    name: str
    even: float
    tempts: str
    share: bool = True

    def of_move(self, number: float, *, same_mover: bool, gain: int = 0) -> float:
        """Return the number of a move, from that of the successor and the points made."""
        return gain + (number if same_mover else 2 * self.even - number)

    def text(self, number: float | None) -> str:
        """Return the number as text."""
        return percent(number) if self.share else points(number)

    def sentence(self, number: float) -> str:
        """Return the number in words: ``expected score 50.5 % under random play``."""
        noun = "score" if self.share else "margin"
        return f"expected {noun} {self.text(number)} under random play"


def percent(share: float | None) -> str:
    """Return a fraction in percent, or a dash."""
    return "-" if share is None else f"{100 * share:.1f} %"


def points(number: float | None) -> str:
    """Return a number with a useful precision, or a dash."""
    if number is None:
        return "-"
    return f"{number:,.0f}" if abs(number) >= _LARGE else f"{number:.2f}"
