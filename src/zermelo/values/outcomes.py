"""Outcomes and values: what a solved position is worth to the player to move."""

from __future__ import annotations

from collections.abc import Iterable
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


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Value:
    """What a position is worth to the player to move.

    Attributes:
        outcome: WIN, DRAW or LOSS. In a score game, the sign of the score. None only along a proof,
            where it is not known.
        remoteness: plies to the end when the winner hurries and the loser delays. A tie (a draw
            the rules declare) has one; an endless draw and a nimber have None. In a score game that
            can go round in circles, plies until the score is settled, None where it is made by
            endless play; in other score games None, unless plies were asked for.
        score: in a score game, the margin the player to move makes from here on; else None.
        nimber: in an impartial game solved for its nimbers, the nimber; else None. It is 0 where
            the player to move loses.
        infinity: in such a game, where play need not end and no heap of Nim is as good as the
            position: the nimbers that its moves lead to, ascending, and maybe none; else None. The
            player to move wins if 0 is among them, and otherwise it is a draw.
    """

    outcome: Outcome | None
    remoteness: int | None = None
    score: int | None = None
    nimber: int | None = None
    infinity: tuple[int, ...] | None = None

    def __init__(
        self,
        outcome: Outcome | None,
        remoteness: int | None = None,
        score: int | None = None,
        nimber: int | None = None,
        infinity: tuple[int, ...] | None = None,
    ) -> None:
        """Set the attributes.

        Games of margins have a value for nearly every position, so that making one is most of a
        question about it. This takes half as long as what a frozen dataclass does by itself.
        """
        _set_outcome(self, outcome)
        _set_remoteness(self, remoteness)
        _set_score(self, score)
        _set_nimber(self, nimber)
        _set_infinity(self, infinity)

    def __repr__(self) -> str:
        """Return how the value is made, such as ``Value(WIN, remoteness=9)``."""
        told = ((name, getattr(self, name)) for name in (*_SHOWN[1:], "infinity"))
        said = "".join(f", {name}={number!r}" for name, number in told if number is not None)
        return f"Value({None if self.outcome is None else self.outcome.name}{said})"

    def _repr_html_(self) -> str:
        """Return the value in words, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.value(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Value:
        """Return the value that ``to_json`` made this of; what is missing counts as None."""
        rest = {name: document.get(name) for name in ("remoteness", "score", "nimber")}
        infinity = document.get("infinity")
        given = None if infinity is None else tuple(infinity)
        return cls(Outcome[document["outcome"].upper()], **rest, infinity=given)

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, the outcome by its name.

        There is ``infinity``, a list, only where it is not None.
        """
        document: dict[str, Any] = {
            "outcome": None if self.outcome is None else str(self.outcome),
            "remoteness": self.remoteness,
            "score": self.score,
            "nimber": self.nimber,
        }
        if self.infinity is not None:
            document["infinity"] = list(self.infinity)
        return document

    @property
    def word(self) -> str:
        """The outcome's name, or ``unknown``."""
        return "unknown" if self.outcome is None else str(self.outcome)

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of it, which is only so along a proof."""
        return False

    @property
    def is_tie(self) -> bool:
        """Whether this is a draw that the rules declare, as against an endless one."""
        return self.outcome is DRAW and self.remoteness is not None

    @property
    def is_endless(self) -> bool:
        """Whether this is a draw because neither side can force an end."""
        return self.outcome is DRAW and self.remoteness is None and self.score is None

    def __str__(self) -> str:
        """Return a phrase such as ``win in 7``, ``tie in 9``, ``endless draw`` or ``score -96``.

        Nimbers are ``nimber 3``, and what is worth no nimber is ``∞ with 0 and 2``, or ``∞``.
        """
        if self.nimber is not None:
            return f"nimber {self.nimber}"
        if self.infinity is not None:
            return f"∞ with {in_words(self.infinity)}" if self.infinity else "∞"
        if self.score is not None:
            plies = "" if self.remoteness is None else f" in {self.remoteness}"
            return (f"score {self.score:+d}" if self.score else "score 0") + plies
        if self.remoteness is None:
            return "endless draw" if self.outcome is DRAW else str(self.outcome)
        word = "tie" if self.outcome is DRAW else str(self.outcome)
        return f"{word} in {self.remoteness}"


def in_words(numbers: Iterable[int]) -> str:
    """Return numbers as ``0, 1 and 2``."""
    *most, last = map(str, numbers)
    return f"{', '.join(most)} and {last}" if most else last


#: The attributes of every value.
_SHOWN = ("outcome", "remoteness", "score", "nimber")
# What fills the slots of a value, whose attributes cannot be assigned to.
_set_outcome, _set_remoteness, _set_score, _set_nimber, _set_infinity = (
    Value.__dict__[name].__set__ for name in (*_SHOWN, "infinity")
)
