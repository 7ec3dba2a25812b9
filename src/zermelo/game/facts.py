"""Facts: published results about a game, declared in its class and compared with solutions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from zermelo.forms.quantities import count_phrase
from zermelo.values.outcomes import ExpectedValue, Value

if TYPE_CHECKING:
    from zermelo.values.results import Counts

#: The outcomes of the start in a fact: the docstring of Fact explains each word.
OUTCOMES = ("", "win", "loss", "tie", "endless", "draw")

#: The counts of a fact, which have the names of those of a solution.
COUNTS = ("positions", "win", "loss", "tie", "endless")
_PLURALS = {"win": "wins", "loss": "losses", "tie": "ties", "endless": "endless draws"}


@dataclass(frozen=True)
class Fact:
    """A published result about a game with some parameters.

    A game lists its facts in the attribute ``facts``. ``zermelo check GAME --facts`` solves the
    game for each and compares; ``zermelo games GAME --facts`` lists them. All values are for the
    player to move; those that are not given are unknown, and not compared.

    Attributes:
        parameters: of the game; the others have their defaults.
        outcome: of the start: ``"win"``, ``"loss"``, ``"tie"`` (a draw by the rules), ``"endless"``
            (a draw because neither side can force an end) or ``"draw"`` (one of these two).
        remoteness: plies to the end from the start, when the winner hurries and the loser delays.
        score: the margin from the start, in a score game.
        nimber: of the start, in an impartial game.
        partizan: the combinatorial value of the start, the player to move being Left, as text that
            ``CombinatorialValue.parse`` reads, such as ``"{2|0}"``.
        probability: of a win from the start, in a game with chance, a draw counting half: a
            decimal, rounded to its digits, or a fraction such as ``"21/64"``, which is exact.
        expectation: the expected margin from the start, in a score game with chance, likewise.
        positions: how many positions can be reached, including terminal ones, with equivalent
            positions counted separately.
        win: how many of them are won.
        loss: how many are lost.
        tie: how many are drawn by the rules.
        endless: how many are drawn because neither side can force an end.
        longest_win: the greatest remoteness of a win.
        longest_loss: the greatest remoteness of a loss.
        misere: whether it is about misère play: ``zermelo.solve(game, misere=True)``.
        checked: False if the game is too large with these parameters to be solved for the fact.
        note: further information, such as a convention of the source.
        source: the source: a paper, a book, a page, a program.

    Raises:
        ValueError: ``outcome`` is not one of these words, or the fact has no source.
    """

    parameters: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = ""
    remoteness: int | None = None
    _: KW_ONLY
    score: int | None = None
    nimber: int | None = None
    partizan: str | None = None
    probability: str | None = None
    expectation: str | None = None
    positions: int | None = None
    win: int | None = None
    loss: int | None = None
    tie: int | None = None
    endless: int | None = None
    longest_win: int | None = None
    longest_loss: int | None = None
    misere: bool = False
    checked: bool = True
    note: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        """Raise ValueError if the fact has an unknown outcome or no source."""
        if self.outcome not in OUTCOMES:
            message = f"outcome={self.outcome!r} is unknown; give one of {', '.join(OUTCOMES[1:])}"
            raise ValueError(message)
        if not self.source:
            message = f"the fact about {dict(self.parameters)!r} has no source; say where it is"
            raise ValueError(message)

    @property
    def claims(self) -> dict[str, Any]:
        """The given numbers and outcome, by name, without note and source."""
        values_named = ("outcome", "remoteness", "score", "nimber", "partizan")
        chances = ("probability", "expectation")
        names = (*values_named, *chances, *COUNTS, "longest_win", "longest_loss")
        values = {name: getattr(self, name) for name in names}
        return {name: claim for name, claim in values.items() if claim not in {"", None}}

    def _repr_html_(self) -> str:
        """Return the fact and its source, for notebooks."""
        from zermelo.forms import notebook_html

        return notebook_html.fact(self)

    def __str__(self) -> str:
        """Return the fact in a few words."""
        return "; ".join(filter(None, (self._value_words(), self._count_words())))

    def _value_words(self) -> str:
        words = {"endless": "endless draw"}.get(self.outcome, self.outcome)
        if self.score is not None:
            words = f"score {self.score:+}" if self.score else "score 0"
        if self.remoteness is not None:
            words = f"{words} in {self.remoteness}".strip()
        if self.probability is not None:
            words = f"probability {self.probability}"
        if self.expectation is not None:
            words = f"expected score {self.expectation}"
        if self.nimber is not None:
            words = f"{words}, nimber {self.nimber}".removeprefix(", ")
        if self.partizan is not None:
            words = f"{words}, value {self.partizan}".removeprefix(", ")
        return words

    def _count_words(self) -> str:
        parts = [count_phrase(self.positions, "positions")] if self.positions is not None else []
        parts += [
            f"{count:,} {words}"
            for name, words in _PLURALS.items()
            if (count := getattr(self, name)) is not None and (count or self.positions is None)
        ]
        parts += [
            f"{name.replace('_', ' ')} {plies}"
            for name in ("longest_win", "longest_loss")
            if (plies := getattr(self, name)) is not None
        ]
        return ", ".join(parts)

    def differences(self, value: Value, counts: Counts) -> tuple[str, ...]:
        """Return the differences from a solution, a few words each; empty if it agrees.

        Args:
            value: the value of the start: its nimber, its combinatorial value, its score, or its
                outcome. Only this kind of value is compared.
            counts: the counts of the same solution.
        """
        claims = self.claims
        if value.game_text is not None:
            claimed = {**value.to_json(), "game": self.partizan}
            agrees = self.partizan is None or Value.from_json(claimed) == value
            return () if agrees else (f"value {value}, not {self.partizan}",)
        if value.nimber is not None or value.infinity is not None:
            claims = {"nimber": self.nimber} if self.nimber is not None else {}
        if isinstance(value, ExpectedValue):
            return tuple(_differences_by_chance(claims, value, counts))
        solved = dict(_found(value, counts))
        return tuple(
            f"{name.replace('_', ' ')} {solved[name]}, not {claim}"
            for name, claim in claims.items()
            if name in solved
            and solved[name] != claim
            and not (claim == "draw" and solved[name] in {"tie", "endless"})
        )


def _differences_by_chance(
    claims: Mapping[str, Any], value: ExpectedValue, counts: Counts
) -> Iterator[str]:
    """Yield the differences of claims from the solution of a game with chance."""
    bounds_by_name = {"probability": value.probability, "expectation": value.bounds}
    for name, claim in claims.items():
        bounds = bounds_by_name.get(name)
        if bounds is not None:
            exact = Fraction(claim)
            digits = len(claim.partition(".")[2]) if "/" not in claim else None
            error = 0 if digits is None else Fraction(1, 2 * 10**digits)
            if not Fraction(bounds[0]) - error <= exact <= Fraction(bounds[1]) + error:
                yield f"{name} from {bounds[0]!r} to {bounds[1]!r}, not {claim}"
        elif name not in COUNTS:
            yield f"no {name.replace('_', ' ')} in such a game with chance, and so not {claim}"
        elif getattr(counts, name) != claim:
            yield f"{name} {getattr(counts, name)}, not {claim}"


def _found(value: Value, counts: Counts) -> Iterator[tuple[str, Any]]:
    """Yield the numbers of a solution that a fact may state."""
    if value.nimber is not None or value.infinity is not None:
        yield "nimber", value.nimber
        return
    if value.score is not None:
        yield "score", value.score
        yield "outcome", "win" if value.score > 0 else "loss" if value.score < 0 else "tie"
    else:
        draw = "endless" if value.remoteness is None else "tie"
        yield "outcome", {1: "win", 0: draw, -1: "loss"}[int(value.outcome or 0)]
    yield "remoteness", value.remoteness
    for name in COUNTS:
        yield name, getattr(counts, name)
    lengths = counts.by_remoteness or counts.by_score_and_plies
    for name, sign in (("longest_win", 1), ("longest_loss", -1)):
        yield (
            name,
            max(
                (plies or 0 for (value_sign, plies) in lengths if value_sign * sign > 0), default=0
            ),
        )


def largest(facts: tuple[Fact, ...]) -> Fact | None:
    """Return the checked fact with the most positions; without counts, the last of outcomes."""
    candidates = [fact for fact in facts if fact.checked and not fact.misere]
    return max(
        reversed(candidates),
        key=lambda fact: (fact.positions or 0, fact.partizan is None),
        default=None,
    )
