"""Pursuit on graphs without writing a game: who catches whom, in how many plies, from anywhere.

``pursuit`` solves one and returns a ``Solution`` like any other, of which a position is a
``PursuitPosition`` and ``arrays`` are ``PursuitArrays``; ``cop_number`` and ``capture_time`` answer
what is asked of Cops and Robbers.
"""

from __future__ import annotations

from zermelo.pursuits.arrays import PursuitArrays
from zermelo.pursuits.cops import capture_time, cop_number
from zermelo.pursuits.given import PursuitPosition
from zermelo.pursuits.solve import pursuit

__all__ = ["PursuitArrays", "PursuitPosition", "capture_time", "cop_number", "pursuit"]
