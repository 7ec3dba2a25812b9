"""Outcomes and values: what a solved position is worth to the player to move."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Outcome(IntEnum):
    """How a position ends under perfect play, for the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def __str__(self) -> str:
        """Return the lower-case name, as used in messages and JSON."""
        return self.name.lower()


LOSS = Outcome.LOSS
DRAW = Outcome.DRAW
WIN = Outcome.WIN
#: Outcomes by their numbers, the last one by -1: to call ``Outcome`` takes ten times as long.
OUTCOMES = (DRAW, WIN, LOSS)

#: What ``winner`` returns where the game has ended and nobody has won.
NOBODY = -1


@dataclass(frozen=True, slots=True, init=False)
class Value:
    """What a position is worth to the player to move.

    Attributes:
        outcome: WIN, DRAW or LOSS. In a score game, the sign of the score.
        remoteness: plies to the end when the winner hurries and the loser delays. A tie (a draw
            the rules declare) has one; an endless draw, a score and a nimber have None.
        score: in a score game, the margin the player to move makes from here on; else None.
        nimber: in an impartial game solved for its nimbers, the nimber; else None. It is 0 where
            the player to move loses.
    """

    outcome: Outcome
    remoteness: int | None = None
    score: int | None = None
    nimber: int | None = None

    def __init__(
        self,
        outcome: Outcome,
        remoteness: int | None = None,
        score: int | None = None,
        nimber: int | None = None,
    ) -> None:
        """Set the attributes.

        Games of margins have a value for nearly every position, so that making one is most of a
        question about it. This takes half as long as what a frozen dataclass does by itself.
        """
        _set_outcome(self, outcome)
        _set_remoteness(self, remoteness)
        _set_score(self, score)
        _set_nimber(self, nimber)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Value:
        """Return the value that ``to_json`` made this of; what is missing counts as None."""
        rest = (document.get(name) for name in ("remoteness", "score", "nimber"))
        return cls(Outcome[document["outcome"].upper()], *rest)

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, the outcome by its name."""
        return {
            "outcome": str(self.outcome),
            "remoteness": self.remoteness,
            "score": self.score,
            "nimber": self.nimber,
        }

    @property
    def is_tie(self) -> bool:
        """Whether this is a draw that the rules declare, as against an endless one."""
        return self.outcome is DRAW and self.remoteness is not None

    @property
    def is_endless(self) -> bool:
        """Whether this is a draw because neither side can force an end."""
        return self.outcome is DRAW and self.remoteness is None and self.score is None

    def __str__(self) -> str:
        """Return a phrase such as ``win in 7``, ``tie in 9``, ``endless draw`` or ``score -96``."""
        if self.nimber is not None:
            return f"nimber {self.nimber}"
        if self.score is not None:
            return f"score {self.score:+d}" if self.score else "score 0"
        if self.remoteness is None:
            return "endless draw" if self.outcome is DRAW else str(self.outcome)
        word = "tie" if self.outcome is DRAW else str(self.outcome)
        return f"{word} in {self.remoteness}"


# What fills the slots of a value, whose attributes cannot be assigned to.
_set_outcome, _set_remoteness, _set_score, _set_nimber = (
    Value.__dict__[name].__set__ for name in ("outcome", "remoteness", "score", "nimber")
)
