"""Outcome classes: the winner if one player begins, and if the other begins."""

from __future__ import annotations

from enum import StrEnum


class OutcomeClass(StrEnum):
    """The class of a position by its winner, for each player who may begin.

    Left is the first of ``players``, number 0, and Right the second (Winning Ways, chapter 2).
    """

    P = "P"  #: the previous player wins, and the player who begins loses
    N = "N"  #: the next player, who begins, wins
    L = "L"  #: Left wins, regardless of who begins
    R = "R"  #: Right wins, regardless of who begins

    @property
    def text(self) -> str:
        """The class in words, such as ``the player who begins wins``."""
        return _SENTENCES[self]


_SENTENCES = {
    OutcomeClass.P: "the player who begins loses",
    OutcomeClass.N: "the player who begins wins",
    OutcomeClass.L: "the first player wins, regardless of who begins",
    OutcomeClass.R: "the second player wins, regardless of who begins",
}
