"""The units of a dense space, and what a worker says of each."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo._cluster.parts import Part


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
        begin: the first of the positions, in the order in which they were recorded.
        end: the place after the last.
        known: how many are recorded, and so hold a position.
    """

    level: int
    begin: int
    end: int
    known: int


@dataclass(frozen=True)
class SpaceRoundUnit:
    """Which positions of a range a round decides.

    Attributes:
        level: the remoteness of what it decides.
        tie: whether these are ties, and who likes them; see ``liking``.
        begin: the number of the first position.
        end: the number after the last.
        rounds: how many rounds are recorded, and so decided.
        positions: how many positions there are.
    """

    level: int
    tie: int
    begin: int
    end: int
    rounds: int
    positions: int


Unit = LegalUnit | FindUnit | SpaceRoundUnit


@dataclass(frozen=True)
class DenseResult:
    """What a worker says of a unit.

    Attributes:
        part: the slots it has found; or the positions it has decided, won ones before lost ones,
            and behind them, in the first round, whose turn it is in each of the range.
        won: how many positions are won, or tied.
        lost: how many are lost.
    """

    part: Part
    won: int = 0
    lost: int = 0
