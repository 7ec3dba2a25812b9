"""Questions about a position, and the searches that answer them."""

from __future__ import annotations

from dataclasses import dataclass

#: The questions: the value; only whether the player to move can win, or at least draw; the nimber.
ASKS = ("value", "win", "draw", "nimber")
#: The question that only the search by components answers.
NIMBER = ASKS[3]

#: The names of the searches.
ALPHA_BETA, PROOF_NUMBER, COMPONENTS = SEARCHES = ("alpha-beta", "proof-number", "components")


@dataclass(frozen=True)
class Question:
    """A question about a position.

    Attributes:
        ask: one of ``ASKS``.
        remoteness: whether the distance to the end is needed, too.
        search: the requested search, of ``SEARCHES``; None for automatic choice.
    """

    ask: str
    remoteness: bool
    search: str | None = None

    def refusal_of_cycles(self, name: str, *, scored: bool) -> str | None:
        """Return why a game whose positions can repeat cannot be searched, or None.

        Args:
            name: the name of the game.
            scored: whether it has scores.
        """
        if scored:
            return (
                f"positions of {name} can repeat, and prove() does not know what points are "
                "worth then; solve the game instead"
            )
        if self.search == ALPHA_BETA:
            return (
                f"search={ALPHA_BETA!r} does not suit {name}, whose positions can repeat; "
                f"use {PROOF_NUMBER!r}, or leave it out"
            )
        return None
