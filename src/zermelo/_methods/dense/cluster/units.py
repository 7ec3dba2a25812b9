"""The units of a dense space, and what a worker says of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from zermelo._cluster.shared_files import SharedFile

#: Beginnings and ends of ranges.
Spans: TypeAlias = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class LegalUnit:
    """Which slots of a range hold a legal position.

    Attributes:
        level: 0, as there is one step of these.
        begin: the first slot.
        end: the slot after the last.
    """

    level: int
    begin: int
    end: int


@dataclass(frozen=True)
class FindUnit:
    """Which slots the moves of some positions lead to that hold none yet.

    Attributes:
        level: how many layers were found before theirs.
        spans: where these stand among the positions that are recorded: beginnings and ends.
        known: how many are recorded, and so hold a position.
        home: whose ranges of slots all of them are in, so that whoever decides these wants to
            remember their moves; or None.
    """

    level: int
    spans: Spans
    known: int
    home: int | None


@dataclass(frozen=True)
class SpaceRoundUnit:
    """Which positions of some ranges a round decides.

    Attributes:
        level: the remoteness of what it decides.
        tie: whether these are ties, and who likes them; see ``tie_preference``.
        spans: the ranges of numbers, ascending: beginnings and ends.
        rounds: how many rounds are recorded, and so decided.
        positions: how many positions there are.
    """

    level: int
    tie: int
    spans: Spans
    rounds: int
    positions: int


Unit = LegalUnit | FindUnit | SpaceRoundUnit


@dataclass(frozen=True)
class DenseResult:
    """What a worker says of a unit.

    Attributes:
        part: the slots it has found; or the positions it has decided, won ones before lost ones,
            and behind them, in the first round, whose turn it is in each of the ranges.
        won: how many positions are won, or tied.
        lost: how many are lost.
    """

    part: SharedFile
    won: int = 0
    lost: int = 0
