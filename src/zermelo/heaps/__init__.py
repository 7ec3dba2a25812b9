"""Heap games: nimbers of a million heaps, proved periods, winning moves of sums of heaps.

A game is a code, a set of numbers that may be taken, or one of the known ones by name::

    from zermelo.heaps import TakeAndBreak

    dawson = TakeAndBreak("0.137")
    dawson.nimbers(1_000_000)  # the nimbers of heaps 0 to 1,000,000, as an array
    dawson.period()  # period 34 from heap 52 on, with a proof
    dawson.best([5, 9])  # the moves that win in a sum of heaps
"""

from __future__ import annotations

from zermelo.heaps.closed_forms import (
    ChompBar,
    EuclidsGame,
    FibonaccisNim,
    MooresNim,
    WythoffsGame,
)
from zermelo.heaps.codes import Code
from zermelo.heaps.game import HeapGame, HeapMove
from zermelo.heaps.misere.genus import genus
from zermelo.heaps.misere.quotient import (
    MisereCheck,
    MiserePeriod,
    MisereQuotient,
    misere_quotient,
)
from zermelo.heaps.periods import NoPeriod, Period, PeriodCheck
from zermelo.heaps.rulesets import (
    DAWSONS_CHESS,
    DAWSONS_KAYLES,
    GRUNDYS_GAME,
    KAYLES,
    LASKERS_NIM,
    NIM,
    AllBut,
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
    "ChompBar",
    "Code",
    "EuclidsGame",
    "FibonaccisNim",
    "HeapGame",
    "HeapMove",
    "MisereCheck",
    "MiserePeriod",
    "MisereQuotient",
    "MooresNim",
    "NoPeriod",
    "Period",
    "PeriodCheck",
    "Subtraction",
    "TakeAndBreak",
    "WythoffsGame",
    "genus",
    "misere_quotient",
]
