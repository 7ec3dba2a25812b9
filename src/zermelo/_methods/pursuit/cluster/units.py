"""The units of a pursuit, and what a worker says of each."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo._cluster.shared_files import SharedFile


@dataclass(frozen=True)
class RowsUnit:
    """What a round decides of some rows.

    Attributes:
        level: the remoteness of what it decides.
        turn: the turn whose rows these are.
        begin: the first row.
        end: the row after the last.
        ends: of each turn, where its trail ends, and so what was decided before.
    """

    level: int
    turn: int
    begin: int
    end: int
    ends: tuple[int, ...]


@dataclass(frozen=True)
class RowsResult:
    """What a worker says of a unit.

    Attributes:
        part: the trail of what it decided.
        decided: how many positions that is.
    """

    part: SharedFile
    decided: int
