"""Outcome classes: who wins a position, by who begins."""

from __future__ import annotations

from enum import StrEnum


class OutcomeClass(StrEnum):
    """Who wins a position in which either player may begin.

    Left is the first of ``players``, number 0, and Right the second (Winning Ways, chapter 2).
    """

    P = "P"  #: whoever begins loses, and the previous player wins
    N = "N"  #: whoever begins wins, who is the next player
    L = "L"  #: Left wins, whoever begins
    R = "R"  #: Right wins, whoever begins

    @property
    def words(self) -> str:
        """Who wins, such as ``whoever begins wins``."""
        return _WORDS[self]


_WORDS = {
    OutcomeClass.P: "whoever begins loses",
    OutcomeClass.N: "whoever begins wins",
    OutcomeClass.L: "the first player wins, whoever begins",
    OutcomeClass.R: "the second player wins, whoever begins",
}
