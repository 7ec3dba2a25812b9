"""The units of a pursuit, and the results of workers."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo._cluster.shared_files import SharedFile


@dataclass(frozen=True)
class RowsUnit:
    """Some rows in which a round decides positions.

    Attributes:
        level: the remoteness that it decides.
        turn: the turn of the rows.
        begin: the first row.
        end: the row after the last.
        ends: the length of each turn's log, which has all that was decided before.
    """

    level: int
    turn: int
    begin: int
    end: int
    ends: tuple[int, ...]


@dataclass(frozen=True)
class RowsResult:
    """A worker's result of a unit.

    Attributes:
        part: the log of what it decided.
        decided: the number of decided positions.
    """

    part: SharedFile
    decided: int
