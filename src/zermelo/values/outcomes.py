"""Outcomes and values of positions, for the player to move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from math import log2
from typing import Any


class Outcome(IntEnum):
    """The outcome of a position under perfect play, for the player to move."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def __str__(self) -> str:
        """Return the lower-case name, as used in messages and JSON."""
        return self.name.lower()


LOSS = Outcome.LOSS
DRAW = Outcome.DRAW
WIN = Outcome.WIN
#: Outcomes by their numbers, the last one by -1: a call of ``Outcome`` takes ten times as long.
OUTCOMES = (DRAW, WIN, LOSS)

#: The value of ``winner`` if the game has ended without a winner.
NOBODY = -1
#: The most decimals in the text of an expectation.
_DECIMALS = 9


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Value:
    """The value of a position for the player to move.

    Attributes:
        outcome: WIN, DRAW or LOSS. In a score game, the sign of the score. None only in a value
            that a proof knows in part (``PartialValue``), if its bounds do not determine it.
        remoteness: plies to the end when the winner hurries and the loser delays. A tie (a draw
            that the rules declare) has one; an endless draw and a nimber have None. In a score game
            with cycles, plies until the score is settled, None if it results from endless play; in
            other score games None, unless plies were requested.
        score: in a score game, the margin of the player to move from here on; otherwise None.
        nimber: in an impartial game solved for its nimbers, the nimber; otherwise None. It is 0 if
            the player to move loses.
        infinity: in such a game, for a position that is equivalent to no heap of Nim, as play need
            not end: the nimbers of its successors, ascending, possibly none; otherwise None. The
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

        In a game with margins, nearly every position has a value of its own, whose creation takes
        most of the time of a look-up. Setting the slots takes half as long as the method that a
        frozen dataclass has.
        """
        _set_outcome(self, outcome)
        _set_remoteness(self, remoteness)
        _set_score(self, score)
        _set_nimber(self, nimber)
        _set_infinity(self, infinity)

    def __repr__(self) -> str:
        """Return the Python expression of the value, such as ``Value(WIN, remoteness=9)``."""
        pairs = ((name, getattr(self, name)) for name in (*_SHOWN[1:], "infinity"))
        arguments = "".join(f", {name}={number!r}" for name, number in pairs if number is not None)
        return f"Value({None if self.outcome is None else self.outcome.name}{arguments})"

    def _repr_html_(self) -> str:
        """Return the value in words, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.value(self)

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> Value:
        """Return the value from the result of ``to_json``; a missing entry counts as None.

        Raises:
            AttributeError: the document, or its outcome, is of another type.
            KeyError: there is no such outcome, or no outcome.
            TypeError: an entry is of another type.
            ValueError: there are not two bounds, or the game of a partizan position is invalid.
        """
        numbers = {name: document.get(name) for name in ("remoteness", "score", "nimber")}
        infinity = document.get("infinity")
        members = None if infinity is None else tuple(infinity)
        if "within" in document:
            low, high = (
                Outcome[bound.upper()] if isinstance(bound, str) else bound
                for bound in document["bounds"]
            )
            return PartialValue((low, high), document["within"])
        if "bounds" in document:
            is_scored = "probability" not in document
            lower, upper = document["bounds"]
            return ExpectedValue((float(lower), float(upper)), is_scored=is_scored)
        if "game" in document:
            return GAME_READERS[0](document["game"], Outcome[document["outcome"].upper()])
        return cls(Outcome[document["outcome"].upper()], **numbers, infinity=members)

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, the outcome by its name.

        It contains ``infinity``, a list, only if that is not None; and ``bounds`` and ``within``
        only if the value is known in part.
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
    def bounds(self) -> tuple[Any, Any]:
        """The least and the greatest possible outcome, or score in a score game.

        They are equal unless a proof knows the value only in part, or the value is an expectation.
        None is an unknown bound of a score.
        """
        exact = self.outcome if self.score is None else self.score
        return exact, exact

    @property
    def game_text(self) -> str | None:
        """The text of the game that a position of a partizan game is worth; None for others."""
        return None

    @property
    def within(self) -> int | None:
        """An upper bound of the remoteness, equal to it unless a proof knows it in part."""
        return self.remoteness

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of the value, which occurs only along a proof."""
        return False

    @property
    def is_tie(self) -> bool:
        """Whether this is a draw that the rules declare, in contrast to an endless one."""
        return self.outcome is DRAW and self.remoteness is not None

    @property
    def is_endless(self) -> bool:
        """Whether this is a draw because neither side can force an end."""
        return self.outcome is DRAW and self.remoteness is None and self.score is None

    def __str__(self) -> str:
        """Return a phrase such as ``win in 7``, ``tie in 9``, ``endless draw`` or ``score -96``.

        Nimbers are written ``nimber 3``, and infinities ``∞ with 0 and 2``, or ``∞``.
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


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PartialValue(Value):
    """A value that a proof knows in part: its bounds do not determine it, or not its remoteness.

    Attributes:
        outcome: WIN, DRAW or LOSS; None if the bounds do not determine it.
        remoteness: None.
        score: None.
        nimber: None.
        infinity: None.
        bounds: the least and the greatest possible outcome, or score in a score game; None is an
            unknown bound of a score.
        within: an upper bound of the plies to a win or a loss; None if there is none.
    """

    bounds: tuple[int | None, int | None] = (LOSS, WIN)
    within: int | None = None

    def __init__(self, bounds: tuple[int | None, int | None], within: int | None = None) -> None:
        """Set the bounds; the outcome follows from them."""
        signs = [None if bound is None else (bound > 0) - (bound < 0) for bound in bounds]
        sign = 1 if signs[0] == 1 else -1 if signs[1] == -1 else 0 if signs == [0, 0] else None
        Value.__init__(self, None if sign is None else OUTCOMES[sign])
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "within", within)

    def __repr__(self) -> str:
        """Return the Python expression of the value, ``PartialValue((DRAW, WIN))`` for instance."""
        low, high = (bound.name if isinstance(bound, Outcome) else bound for bound in self.bounds)
        suffix = "" if self.within is None else f", within={self.within}"
        return f"PartialValue(({low}, {high}){suffix})"

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, outcomes by their names."""
        bounds = [str(bound) if isinstance(bound, Outcome) else bound for bound in self.bounds]
        return {**Value.to_json(self), "bounds": bounds, "within": self.within}

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of the value."""
        return self.bounds in ((LOSS, WIN), (None, None))

    @property
    def is_endless(self) -> bool:
        """Always False, as a value known to be an endless draw is known entirely."""
        return False

    def __str__(self) -> str:
        """Return a phrase such as ``win within 9``, ``draw or win`` or ``score at least 0``."""
        low, high = self.bounds
        if self.is_unknown:
            return "unknown"
        if not isinstance(low, Outcome) or not isinstance(high, Outcome):
            lower = [f"at least {low:+d}"] if low is not None else []
            upper = [f"at most {high:+d}"] if high is not None else []
            return f"score {' and '.join(lower + upper)}"
        if self.outcome is None:
            return f"{low} or {high}"
        return f"{self.outcome}" + ("" if self.within is None else f" within {self.within}")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class ExpectedValue(Value):
    """The value of a position of a game with chance: an enclosure of the expectation.

    Attributes:
        outcome: WIN if the expectation is known to be above 0, LOSS if it is known to be below 0,
            otherwise DRAW.
        remoteness: None.
        score: None.
        nimber: None.
        infinity: None.
        bounds: the least and the greatest possible expectation, for the player to move: of the
            result, from -1 (a loss) to 1 (a win), or in a score game of the margin from here on.
            Floats represent both exactly.
        is_scored: whether it is a score game.
    """

    bounds: tuple[float, float] = (-1.0, 1.0)
    is_scored: bool = False

    def __init__(self, bounds: tuple[float, float], *, is_scored: bool = False) -> None:
        """Set the bounds; the outcome follows from them."""
        sign = 1 if bounds[0] > 0 else -1 if bounds[1] < 0 else 0
        Value.__init__(self, OUTCOMES[sign])
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "is_scored", is_scored)

    def __repr__(self) -> str:
        """Return the Python expression of the value, such as ``ExpectedValue((0.25, 0.25))``."""
        scored = ", is_scored=True" if self.is_scored else ""
        return f"ExpectedValue(({self.bounds[0]!r}, {self.bounds[1]!r}){scored})"

    @property
    def expectation(self) -> float:
        """The middle of the bounds."""
        return (self.bounds[0] + self.bounds[1]) / 2

    @property
    def probability(self) -> tuple[float, float] | None:
        """The least and the greatest possible probability of a win; None in a score game.

        A draw counts as half a win.
        """
        if self.is_scored:
            return None
        return (1 + self.bounds[0]) / 2, (1 + self.bounds[1]) / 2

    @property
    def width(self) -> float:
        """The distance between the bounds of the probability, or of a score game's margin."""
        return (self.bounds[1] - self.bounds[0]) / (1 if self.is_scored else 2)

    @property
    def is_endless(self) -> bool:
        """Always False, as an expectation does not distinguish endless draws."""
        return False

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, with the bounds, and the probability."""
        document = {**Value.to_json(self), "bounds": list(self.bounds)}
        if self.probability is not None:
            document["probability"] = list(self.probability)
        return document

    @property
    def number_text(self) -> str:
        """The probability, or the signed expected score, with the decimals that are known."""
        if self.probability is None:
            return _decimal(*self.bounds, signed=True)
        return _decimal(*self.probability)

    def __str__(self) -> str:
        """Return a phrase such as ``probability 0.530592725`` or ``expected score +1.25``."""
        return f"{'expected score' if self.is_scored else 'probability'} {self.number_text}"


def _decimal(lower: float, upper: float, *, signed: bool = False) -> str:
    """Return a number between two bounds as text, to the decimals that are known."""
    width, sign = upper - lower, "+" if signed else ""
    decimals = _DECIMALS if width <= 0 else max(0, min(_DECIMALS, int(-log2(width) * 0.30103)))
    text = f"{(lower + upper) / 2:{sign}.{decimals}f}"
    if width <= 0 and "." in text:
        text = text.rstrip("0").removesuffix(".")
    return "0" if text in {"+0", "-0"} else text


def in_words(numbers: Iterable[int | str]) -> str:
    """Return numbers or names as ``0, 1 and 2``."""
    *leading, last = map(str, numbers)
    return f"{', '.join(leading)} and {last}" if leading else last


#: The reader of values of partizan games from JSON and an outcome, which the package sets.
GAME_READERS: list[Callable[[Any, Outcome], Value]] = []
#: The attributes of every value.
_SHOWN = ("outcome", "remoteness", "score", "nimber")
# Setters of the slots of a value, whose attributes cannot be assigned to.
_set_outcome, _set_remoteness, _set_score, _set_nimber, _set_infinity = (
    Value.__dict__[name].__set__ for name in (*_SHOWN, "infinity")
)
