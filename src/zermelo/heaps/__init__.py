"""Heap games: nimbers of a million heaps, proved periods, winning moves of sums of heaps.

A game is a code, a set of numbers that may be taken, or one of the known ones by name::

    from zermelo.heaps import TakeAndBreak

    dawson = TakeAndBreak("0.137")
    dawson.options(4)  # what moves leave of a heap of four tokens
"""

from __future__ import annotations

from zermelo.heaps.codes import Code
from zermelo.heaps.misere.genus import genus
from zermelo.heaps.misere.quotient import (
    MiserePeriod,
    MisereProof,
    MisereQuotient,
    misere_quotient,
)
from zermelo.heaps.rulesets import (
    DAWSONS_CHESS,
    DAWSONS_KAYLES,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
    HeapGame,
    Subtraction,
    TakeAndBreak,
)

__all__ = [
    "DAWSONS_CHESS",
    "DAWSONS_KAYLES",
    "GRUNDYS_GAME",
    "KAYLES",
    "LASKERS_NIM",
    "NIM",
    "AllBut",
    "Code",
    "HeapGame",
    "MiserePeriod",
    "MisereProof",
    "MisereQuotient",
    "Subtraction",
    "TakeAndBreak",
    "genus",
    "misere_quotient",
]
