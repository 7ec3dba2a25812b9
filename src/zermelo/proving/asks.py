"""What can be asked of a position, and by which search."""

from __future__ import annotations

#: Its value, or only whether the player to move can win, or get a draw at least.
ASKS = ("value", "win", "draw")

#: The searches that can be asked for.
ALPHA_BETA, PROOF_NUMBER = SEARCHES = ("alpha-beta", "proof-number")
