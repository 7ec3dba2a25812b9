"""Pursuit on graphs without writing a game: who catches whom, in how many plies, from anywhere.

``pursuit`` solves one and returns a ``Solution`` like any other, of which a position is a
``PursuitPosition`` and ``arrays`` are ``PursuitArrays``; ``cop_number``, ``capture_time`` and
``capture_times`` answer questions about Cops and Robbers on one graph, and ``cop_numbers`` on all
graphs of a file.
"""

from __future__ import annotations

from zermelo.pursuits.arrays import PursuitArrays
from zermelo.pursuits.cops import capture_time, capture_times, cop_number
from zermelo.pursuits.definition import PursuitPosition
from zermelo.pursuits.graph6 import CopNumbers, cop_numbers
from zermelo.pursuits.solve import pursuit

__all__ = [
    "CopNumbers",
    "PursuitArrays",
    "PursuitPosition",
    "capture_time",
    "capture_times",
    "cop_number",
    "cop_numbers",
    "pursuit",
]
