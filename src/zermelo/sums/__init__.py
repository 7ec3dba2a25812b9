"""Sums of games: the player to move chooses one of several games and moves in it.

``sum_of`` is ``zermelo.sum``. It returns a ``Solution``. A position of it is a tuple of the
positions of the parts, and a move is the number of a part with a move in it.
"""

from __future__ import annotations

from zermelo.sums.solve import sum_of

__all__ = ["sum_of"]
