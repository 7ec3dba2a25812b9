"""What can be asked of a position."""

from __future__ import annotations

#: Its value, or only whether the player to move can win, or get a draw at least.
ASKS = ("value", "win", "draw")
