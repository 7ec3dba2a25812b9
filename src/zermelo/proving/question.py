"""What can be asked of a position, and by which search."""

from __future__ import annotations

from dataclasses import dataclass

#: Its value, or only whether the player to move can win, or get a draw at least.
ASKS = ("value", "win", "draw")

#: The searches that can be asked for.
ALPHA_BETA, PROOF_NUMBER, COMPONENTS = SEARCHES = ("alpha-beta", "proof-number", "components")


@dataclass(frozen=True)
class Question:
    """A question about a position.

    Attributes:
        ask: "value", "win" or "draw".
        remoteness: whether it is asked, too, how far away the end is.
        search: the search that is asked for, of ``SEARCHES``; None leaves the choice open.
    """

    ask: str
    remoteness: bool
    search: str | None = None

    def refusal_of_circles(self, name: str, *, scored: bool) -> str | None:
        """Return why a game whose positions can come again is not for a search, or None.

        Args:
            name: the game.
            scored: whether it has scores.
        """
        if scored:
            return (
                f"positions of {name} can come again, and prove() does not know what points are "
                "worth then; solve the game instead"
            )
        if self.search == ALPHA_BETA:
            return (
                f"search={ALPHA_BETA!r} does not suit {name}, of which positions can come again; "
                f"use {PROOF_NUMBER!r}, or leave it out"
            )
        return None
