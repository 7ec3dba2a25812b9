"""Values of positions of partizan games, as games in canonical form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from zermelo.values.combinatorial.canonical_forms import CanonicalForms
from zermelo.values.combinatorial.names import Names, Ups, ups_of
from zermelo.values.combinatorial.parse_value import parse_form
from zermelo.values.outcome_class import OutcomeClass
from zermelo.values.outcomes import GAME_READERS, LOSS, WIN, Outcome, Value

#: The forms of all values in this process.
FORMS = CanonicalForms()
_UNICODE, _ASCII = Names(FORMS, ascii_only=False), Names(FORMS, ascii_only=True)
#: The numbers in ``FORMS`` of the forms of a solve, and the numbers there of those of ``FORMS``.
_known: WeakKeyDictionary[CanonicalForms, dict[int, int]] = WeakKeyDictionary()
_numbers: WeakKeyDictionary[CanonicalForms, dict[int, int]] = WeakKeyDictionary()
#: The most birthdays that are kept.
_KEPT = 1 << 16


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class CombinatorialValue(Value):
    """The value of a position of a partizan game: a short game in canonical form, with its algebra.

    Left is the player to move, as values are for the player to move. Values that are equal as games
    are equal, and ``<=`` is the order of games, which is partial: of two values neither may be at
    most the other. A whole number or a ``Fraction`` stands for the game of that number.

    Attributes:
        outcome: WIN if Left, who moves first, wins; otherwise LOSS. The value of a move has the
            outcome after it, in which Right moves first. Equality ignores it.
        remoteness: None.
        score: None.
        nimber: None; see ``heap``.
        infinity: None.
        form: the number of the canonical form in this process, which files do not contain.
    """

    form: int = 0

    def __init__(self, form: int, outcome: Outcome | None = None) -> None:
        """Set the form; the outcome follows from it, unless it is that of a move."""
        Value.__init__(self, outcome or (LOSS if FORMS.is_at_most(form, 0) else WIN))
        object.__setattr__(self, "form", form)

    # -- creation ---------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> CombinatorialValue:
        """Return the value that a text stands for, as ``str`` or ``ascii`` writes it.

        Args:
            text: such as ``"{1|*}"``, ``"±1"``, ``"+-1"``, ``"3/4"``, ``"2↑*3"``, ``"^"``,
                ``"v2*"``, ``"Tiny(2)"``, ``"{2|0||-1}"``, or a sum ``"1/2 + ↑ - *2"``.

        Raises:
            ParameterError: the text is not read.
        """
        return cls(parse_form(FORMS, text))

    @classmethod
    def of_options(
        cls, left: Iterable[CombinatorialValue], right: Iterable[CombinatorialValue]
    ) -> CombinatorialValue:
        """Return the value of {left | right}, whose canonical form may have other options.

        Args:
            left: the values that Left can move to.
            right: the values that Right can move to.
        """
        return cls(
            FORMS.of_options([value.form for value in left], [value.form for value in right])
        )

    @classmethod
    def of_number(cls, number: int | Fraction) -> CombinatorialValue:
        """Return the value of a number.

        Raises:
            ParameterError: its denominator is no power of 2, or it is too large.
        """
        return cls(FORMS.number(Fraction(number)))

    def with_outcome(self, outcome: Outcome) -> CombinatorialValue:
        """Return the same value with another outcome, as the value of a move has it."""
        return CombinatorialValue(self.form, outcome)

    def number_in(self, forms: CanonicalForms) -> int:
        """Return the number of the canonical form in another store, to which it is added."""
        return forms.copy(FORMS, self.form, _numbers.setdefault(forms, {}))

    # -- the form ---------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[CombinatorialValue, ...]:
        """The left options of the canonical form."""
        return tuple(map(CombinatorialValue, FORMS.left[self.form]))

    @property
    def right(self) -> tuple[CombinatorialValue, ...]:
        """The right options of the canonical form."""
        return tuple(map(CombinatorialValue, FORMS.right[self.form]))

    @property
    def birthday(self) -> int:
        """The most moves that the canonical form takes: 0 for the value 0."""
        return _birthday(self.form)

    @property
    def left_stop(self) -> Fraction:
        """The number at which play arrives if Left begins, and stops at the first number."""
        return Fraction(FORMS.left_stops[self.form])

    @property
    def right_stop(self) -> Fraction:
        """The number at which play arrives if Right begins."""
        return Fraction(FORMS.right_stops[self.form])

    @property
    def outcome_class(self) -> OutcomeClass:
        """Who wins, by who begins: L, R, N or P."""
        left_wins_second = FORMS.is_at_most(0, self.form)
        right_wins_second = FORMS.is_at_most(self.form, 0)
        if left_wins_second:
            return OutcomeClass.P if right_wins_second else OutcomeClass.L
        return OutcomeClass.R if right_wins_second else OutcomeClass.N

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return FORMS.is_number[self.form]

    @property
    def is_integer(self) -> bool:
        """Whether the value is an integer."""
        return self.is_number and self.left_stop.denominator == 1

    @property
    def number(self) -> Fraction | None:
        """The number that the value is, or None."""
        return self.left_stop if self.is_number else None

    @property
    def heap(self) -> int | None:
        """The size of the heap of Nim that the value is, or None: 1 for *, 0 for 0."""
        ups = self.ups
        return ups.nimber if ups is not None and not ups.multiple else None

    @property
    def ups(self) -> Ups | None:
        """The multiple of up and the nimber whose sum the value is, or None."""
        return ups_of(FORMS, self.form)

    @property
    def is_infinitesimal(self) -> bool:
        """Whether the value is between all negative and all positive numbers; 0 is."""
        return self.left_stop == self.right_stop == 0

    @property
    def is_numberish(self) -> bool:
        """Whether the value differs from a number by an infinitesimal, or by nothing."""
        return self.left_stop == self.right_stop

    @property
    def is_hot(self) -> bool:
        """Whether both players gain by moving first: the left stop is above the right stop."""
        return self.left_stop > self.right_stop

    @property
    def is_all_small(self) -> bool:
        """Whether in the value and in all followers, both players can move or neither can."""
        return _is_all_small(self.form)

    # -- order and arithmetic ---------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Return whether two values are equal as games."""
        form = _form_of(other)
        return NotImplemented if form is None else self.form == form

    def __hash__(self) -> int:
        """Return the hash of the number, or of the form."""
        return hash(self.number) if self.is_number else hash((CombinatorialValue, self.form))

    def __le__(self, other: object) -> bool:
        """Return whether Right wins the difference as the second player."""
        form = _form_of(other)
        return NotImplemented if form is None else FORMS.is_at_most(self.form, form)

    def __ge__(self, other: object) -> bool:
        """Return whether Left wins the difference as the second player."""
        form = _form_of(other)
        return NotImplemented if form is None else FORMS.is_at_most(form, self.form)

    def __lt__(self, other: object) -> bool:
        """Return whether Right wins the difference, with either player beginning."""
        form = _form_of(other)
        if form is None:
            return NotImplemented
        return form != self.form and FORMS.is_at_most(self.form, form)

    def __gt__(self, other: object) -> bool:
        """Return whether Left wins the difference, with either player beginning."""
        form = _form_of(other)
        if form is None:
            return NotImplemented
        return form != self.form and FORMS.is_at_most(form, self.form)

    def confused_with(self, other: CombinatorialValue | Fraction | int) -> bool:
        """Return whether neither value is at most the other: who begins wins the difference."""
        return not self <= other and not self >= other

    def __neg__(self) -> CombinatorialValue:
        """Return the negative, in which the players have exchanged their moves."""
        return CombinatorialValue(FORMS.negative(self.form))

    def __add__(self, other: object) -> CombinatorialValue:
        """Return the sum, in which a player moves in one of both games."""
        form = _form_of(other)
        return NotImplemented if form is None else CombinatorialValue(FORMS.sum(self.form, form))

    __radd__ = __add__

    def __sub__(self, other: object) -> CombinatorialValue:
        """Return the difference: the sum with the negative."""
        form = _form_of(other)
        return NotImplemented if form is None else self + CombinatorialValue(FORMS.negative(form))

    def __rsub__(self, other: object) -> CombinatorialValue:
        """Return a number less this value."""
        return -self + other

    def __mul__(self, count: int) -> CombinatorialValue:
        """Return the sum of a number of copies; of a negative number, that of negatives."""
        if not isinstance(count, int):
            return NotImplemented
        total, power, left = 0, self.form if count >= 0 else FORMS.negative(self.form), abs(count)
        while left:
            if left & 1:
                total = FORMS.sum(total, power)
            left >>= 1
            power = FORMS.sum(power, power) if left else power
        return CombinatorialValue(total)

    __rmul__ = __mul__

    # -- texts ------------------------------------------------------------------------------------

    def __str__(self) -> str:
        """Return the name, such as ``3/4``, ``±1``, ``↑*``, ``Tiny(2)`` or ``{2|0||-1}``."""
        return _UNICODE.name(self.form)

    @property
    def ascii(self) -> str:
        """The name in ASCII, such as ``+-1`` and ``^*``."""
        return _ASCII.name(self.form)

    def __repr__(self) -> str:
        """Return the Python expression of the value."""
        return f"CombinatorialValue.parse({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return how to create the value from its name and its outcome, for copies and pickles."""
        return _of_name, (self.ascii, self.outcome)

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, with the name as ``game``."""
        return {**Value.to_json(self), "game": str(self)}

    @property
    def is_endless(self) -> bool:
        """Whether it is an endless draw, which never is."""
        return False


def value_of(forms: CanonicalForms, number: int) -> CombinatorialValue:
    """Return the value of a form of a solve."""
    return CombinatorialValue(FORMS.copy(forms, number, _known.setdefault(forms, {})))


def _of_name(name: str, outcome: Outcome) -> CombinatorialValue:
    return CombinatorialValue.parse(name).with_outcome(outcome)


GAME_READERS.append(_of_name)


def _form_of(other: object) -> int | None:
    """Return the form of a value or of a number, or None for other objects."""
    if isinstance(other, CombinatorialValue):
        return other.form
    if isinstance(other, int | Fraction):
        return FORMS.number(Fraction(other))
    return None


@lru_cache(_KEPT)
def _birthday(form: int) -> int:
    """Return the birthday of a form: 1 more than the greatest of its options."""
    if FORMS.is_number[form] and not FORMS.left_stops[form] % 1:
        return abs(int(FORMS.left_stops[form]))
    options = (*FORMS.left[form], *FORMS.right[form])
    return 1 + max(map(_birthday, options), default=-1)


@lru_cache(_KEPT)
def _is_all_small(form: int) -> bool:
    """Return whether both players can move or neither can, here and in all followers."""
    left, right = FORMS.left[form], FORMS.right[form]
    return bool(left) == bool(right) and all(map(_is_all_small, (*left, *right)))
