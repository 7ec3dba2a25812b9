"""Sums of games: whoever is to move chooses one of several games and moves in it.

``sum_of`` is ``zermelo.sum``. It returns a ``Solution`` like any other, of which a position is a
tuple of the positions of the parts, and a move the number of a part with a move in it.
"""

from __future__ import annotations

from zermelo.sums.solve import sum_of

__all__ = ["sum_of"]
