"""What a solved game is like to play: balance, length, traps, openings; as data, plots and a page.

``Solution.analyse`` makes an ``Analysis``; ``zermelo.analysis.plots`` draws it with matplotlib, and
``zermelo.analysis.report`` makes a page of it that needs no network. Both come with the extra
``plots``.
"""

from zermelo.analysis.notebook import Sweep
from zermelo.analysis.results import (
    Analysis,
    Branching,
    Estimate,
    Forced,
    Luck,
    Opening,
    Pie,
    Play,
    PlayLuck,
    Ply,
    Results,
    Saving,
    Trap,
    Traps,
)

__all__ = [
    "Analysis",
    "Branching",
    "Estimate",
    "Forced",
    "Luck",
    "Opening",
    "Pie",
    "Play",
    "PlayLuck",
    "Ply",
    "Results",
    "Saving",
    "Sweep",
    "Trap",
    "Traps",
]
