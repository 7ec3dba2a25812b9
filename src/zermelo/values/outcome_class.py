"""Outcome classes, by the winner if either player begins."""

from __future__ import annotations

from enum import StrEnum


class OutcomeClass(StrEnum):
    """The winner of a position in which either player may begin.

    Left is the first of ``players``, number 0, and Right the second (Winning Ways, chapter 2).
    """

    P = "P"  #: the player who begins loses, and the previous player wins
    N = "N"  #: the player who begins, the next player, wins
    L = "L"  #: Left wins, regardless of who begins
    R = "R"  #: Right wins, regardless of who begins

    @property
    def text(self) -> str:
        """The winner, such as ``the player who begins wins``."""
        return _WORDS[self]


_WORDS = {
    OutcomeClass.P: "the player who begins loses",
    OutcomeClass.N: "the player who begins wins",
    OutcomeClass.L: "the first player wins, regardless of who begins",
    OutcomeClass.R: "the second player wins, regardless of who begins",
}
