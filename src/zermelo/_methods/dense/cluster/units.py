"""The units of a dense space, and the results of workers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zermelo._cluster.shared_files import SharedFile

#: Beginnings and ends of ranges.
Spans: TypeAlias = tuple[tuple[int, int], ...]


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


@dataclass(frozen=True)
class SpaceRoundUnit:
    """Ranges of positions in which a round decides positions.

    Attributes:
        level: the remoteness that it decides.
        tie: whether it decides ties, and which player prefers them; see ``tie_preference``.
        spans: the ranges of numbers, ascending: beginnings and ends.
        rounds: the number of recorded rounds.
        positions: the number of all positions.
    """

    level: int
    tie: int
    spans: Spans
    rounds: int
    positions: int


Unit = LegalUnit | FindUnit | SpaceRoundUnit


@dataclass(frozen=True)
class DenseResult:
    """A worker's result of a unit.

    Attributes:
        part: the file of the slots found; or of the positions decided, won before lost, followed in
            the first round by the player to move in each position of the ranges.
        won: the number of won, or tied, positions.
        lost: the number of lost positions.
    """

    part: SharedFile
    won: int = 0
    lost: int = 0
