"""The units that find the positions of a dense space."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo._methods.cluster_rounds.units import RoundUnit, Spans


@dataclass(frozen=True)
class LegalUnit:
    """A range of slots whose legal positions are to be found.

    Attributes:
        level: 0, as there is only one step of these units.
        begin: the first slot.
        end: the slot after the last.
    """

    level: int
    begin: int
    end: int


@dataclass(frozen=True)
class FindUnit:
    """Positions whose children in new slots are to be found.

    Attributes:
        level: the number of layers before theirs.
        spans: their ranges of places among the recorded positions: beginnings and ends.
        known: the number of recorded positions.
        home: the worker whose ranges of slots contain all of them, and which caches their moves; or
            None.
    """

    level: int
    spans: Spans
    known: int
    home: int | None


Unit = LegalUnit | FindUnit | RoundUnit
