"""The unit of a round, and the result of a worker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zermelo._cluster.shared_files import SharedFile

#: Beginnings and ends of ranges.
Spans: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class RoundUnit:
    """Ranges of positions in which a round decides positions.

    Attributes:
        level: the remoteness that it decides.
        tie: whether it decides ties, and which player prefers them; see ``tie_preference``.
        spans: the ranges of numbers, ascending: beginnings and ends.
        rounds: the number of recorded rounds.
        positions: the number of all positions.
        lengths: the lengths of the columns that say where moves are, if there are such columns.
    """

    level: int
    tie: int
    spans: Spans
    rounds: int
    positions: int
    lengths: tuple[int, ...] = ()


@dataclass(frozen=True)
class RoundResult:
    """A worker's result of a round.

    Attributes:
        part: the file of the positions decided, won before lost; it may end with other data.
        won: the number of won, or tied, positions.
        lost: the number of lost positions.
    """

    part: SharedFile
    won: int
    lost: int
