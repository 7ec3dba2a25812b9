"""Values of partizan games, as objects: games in canonical form, with arithmetic and order."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from weakref import WeakKeyDictionary

from zermelo.errors import CombinatorialValueError
from zermelo.values.combinatorial import operators
from zermelo.values.combinatorial.atomic_weights import AtomicWeights
from zermelo.values.combinatorial.canonical_forms import CanonicalForms, copy_of, options_first
from zermelo.values.combinatorial.thermograph import Thermograph, Thermographs
from zermelo.values.combinatorial.value_parser import parse_value
from zermelo.values.combinatorial.value_text import ValueTexts, ascii_text
from zermelo.values.outcome_class import OutcomeClass
from zermelo.values.outcomes import LOSS, WIN, Outcome, Value

#: The forms of all values of this process.
FORMS = CanonicalForms()
_TEXTS = ValueTexts(FORMS)
_THERMOGRAPHS = Thermographs(FORMS)
_ATOMIC_WEIGHTS = AtomicWeights(FORMS)
#: For each other collection, the numbers here of its forms that were copied.
_COPIES: WeakKeyDictionary[CanonicalForms, dict[int, int]] = WeakKeyDictionary()
#: For each other collection, the numbers there of forms here.
_ORIGINALS: WeakKeyDictionary[CanonicalForms, dict[int, int]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)
class CombinatorialValue(Value):
    """The value of a position of a partizan game: a short game in canonical form.

    The player to move is Left. Values are added, subtracted, and multiplied by integers; they are
    compared by the partial order of games, also with integers and fractions. Two values are equal
    exactly if their games are, whatever their outcomes.

    Attributes:
        outcome: WIN if Left, moving first, wins, otherwise LOSS; the value of an ``Option`` has the
            outcome after the move instead.
        remoteness: None.
        score: None.
        nimber: None.
        infinity: None.
        form: the number of the canonical form among those of this process.
    """

    form: int = 0

    def __init__(self, form: int, outcome: Outcome | None = None) -> None:
        """Set the form; the outcome follows from it unless one is given."""
        if outcome is None:
            outcome = LOSS if FORMS.is_at_most(form, 0) else WIN
        Value.__init__(self, outcome)
        object.__setattr__(self, "form", form)

    @classmethod
    def parse(cls, text: str) -> CombinatorialValue:
        """Return the value that a text names, such as ``{1|*}``, ``±1``, ``↑*2`` or ``1 + ↑``.

        Args:
            text: the text, as ``str`` or ``ascii`` of a value gives it or as CGSuite writes it.
                ``{a|b||c}`` is ``{{a|b}|c}``, ``2*`` is 2 + ``*``, ``2Miny(2)`` is 2 + Miny(2),
                ``2*Tiny(2)`` are two copies of Tiny(2).

        Raises:
            CombinatorialValueError: the text names no value, or one that is too large.
        """
        return cls(parse_value(FORMS, text))

    @classmethod
    def of_options(
        cls,
        left: Iterable[CombinatorialValue | int | Fraction],
        right: Iterable[CombinatorialValue | int | Fraction],
    ) -> CombinatorialValue:
        """Return the value of the game with these options.

        Args:
            left: the values after the moves of Left.
            right: the values after the moves of Right.

        Raises:
            CombinatorialValueError: a number is not that of a short game, or too large.
            TypeError: an option is neither a value nor an integer or a fraction.
        """
        return cls(FORMS.of_options(map(_form_of, left), map(_form_of, right)))

    @classmethod
    def of_number(cls, number: int | Fraction) -> CombinatorialValue:
        """Return the value that is a number.

        Args:
            number: an integer, or a fraction whose denominator is a power of two.

        Raises:
            CombinatorialValueError: it is another fraction, or too large.
        """
        return cls(FORMS.number(number))

    def __repr__(self) -> str:
        """Return the Python expression of the value: ``CombinatorialValue.parse('{1|*}')``.

        An outcome that is not the value's own is left out.
        """
        return f"CombinatorialValue.parse({self.ascii!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the options of all followers, from which the value is made again."""
        return value_of_followers, (_followers(self.form), self.outcome)

    def __str__(self) -> str:
        """Return the text as the field prints it, such as ``{1|*}``, ``±1`` or ``↑*2``.

        Only a text of more than 20,000 characters, which ``parse`` would read as well, is replaced
        by one such as ``game of birthday 70``, which it does not read.
        """
        return _TEXTS.text(self.form) or f"game of birthday {self.birthday}"

    @property
    def ascii(self) -> str:
        """The text in ASCII, as CGSuite writes it, such as ``+-1`` or ``^*2``."""
        return ascii_text(str(self))

    @property
    def game_text(self) -> str:
        """The text of the game; see ``str``."""
        return str(self)

    def to_json(self) -> dict[str, Any]:
        """Return the attributes as a dictionary for JSON, with the text as ``game``.

        In place of a text that is too long there is a list of the followers, options first: the
        text of each number, and for other games the places of the options in the list.
        """
        text = _TEXTS.text(self.form)
        return {**Value.to_json(self), "game": _followers(self.form) if text is None else text}

    # -- arithmetic --------------------------------------------------------------------------------

    def __add__(self, other: object) -> CombinatorialValue:
        """Return the sum with a value, an integer or a fraction."""
        if not isinstance(other, (CombinatorialValue, int, Fraction)):
            return NotImplemented
        return CombinatorialValue(FORMS.sum(self.form, _form_of(other)))

    __radd__ = __add__

    def __neg__(self) -> CombinatorialValue:
        """Return the negative, in which the players are exchanged."""
        return CombinatorialValue(FORMS.negative(self.form))

    def __pos__(self) -> CombinatorialValue:
        """Return the value itself."""
        return CombinatorialValue(self.form)

    def __sub__(self, other: object) -> CombinatorialValue:
        """Return the difference from a value, an integer or a fraction."""
        if not isinstance(other, (CombinatorialValue, int, Fraction)):
            return NotImplemented
        return CombinatorialValue(FORMS.sum(self.form, FORMS.negative(_form_of(other))))

    def __rsub__(self, other: object) -> CombinatorialValue:
        """Return the difference of an integer or a fraction from this."""
        return -(self - other)

    def __mul__(self, count: object) -> CombinatorialValue:
        """Return the sum of some copies, of the negative if their number is."""
        if not isinstance(count, int):
            return NotImplemented
        return CombinatorialValue(FORMS.multiple(self.form, count))

    __rmul__ = __mul__

    # -- order -------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same game; outcomes are not compared."""
        if isinstance(other, CombinatorialValue):
            return self.form == other.form
        if isinstance(other, (int, Fraction)):
            return FORMS.number_of(self.form) == other
        return NotImplemented

    def __hash__(self) -> int:
        """Return the hash of the number if the value is one, otherwise of the form."""
        number = self.number
        return hash(("form", self.form)) if number is None else hash(number)

    def __le__(self, other: object) -> bool:
        """Return whether Left, moving second, wins the other minus this."""
        if not isinstance(other, (CombinatorialValue, int, Fraction)):
            return NotImplemented
        return FORMS.is_at_most(self.form, _form_of(other))

    def __ge__(self, other: object) -> bool:
        """Return whether Left, moving second, wins this minus the other."""
        if not isinstance(other, (CombinatorialValue, int, Fraction)):
            return NotImplemented
        return FORMS.is_at_most(_form_of(other), self.form)

    def __lt__(self, other: object) -> bool:
        """Return whether this is at most the other and not equal to it."""
        return (
            NotImplemented
            if (at_most := self.__le__(other)) is NotImplemented
            else (at_most and self != other)
        )

    def __gt__(self, other: object) -> bool:
        """Return whether this is at least the other and not equal to it."""
        return (
            NotImplemented
            if (at_least := self.__ge__(other)) is NotImplemented
            else (at_least and self != other)
        )

    def confused_with(self, other: CombinatorialValue | int | Fraction) -> bool:
        """Return whether neither value is at most the other.

        The player who moves first then wins the difference.

        Args:
            other: a value, an integer or a fraction.
        """
        form = _form_of(other)
        return not FORMS.is_at_most(self.form, form) and not FORMS.is_at_most(form, self.form)

    # -- structure ---------------------------------------------------------------------------------

    @property
    def left(self) -> tuple[CombinatorialValue, ...]:
        """The options of Left in the canonical form."""
        return tuple(map(CombinatorialValue, FORMS.left[self.form]))

    @property
    def right(self) -> tuple[CombinatorialValue, ...]:
        """The options of Right in the canonical form."""
        return tuple(map(CombinatorialValue, FORMS.right[self.form]))

    @property
    def birthday(self) -> int:
        """The most moves until the canonical form ends, of either player in any order."""
        return FORMS.birthday(self.form)

    @property
    def left_stop(self) -> Fraction:
        """The number at which play ends if Left begins, Left for more, Right for less."""
        return FORMS.left_stop(self.form)

    @property
    def right_stop(self) -> Fraction:
        """The number at which play ends if Right begins, Left for more, Right for less."""
        return FORMS.right_stop(self.form)

    @property
    def outcome_class(self) -> OutcomeClass:
        """The winner if Left begins, and if Right begins."""
        at_most, at_least = FORMS.is_at_most(self.form, 0), FORMS.is_at_most(0, self.form)
        if at_most:
            return OutcomeClass.P if at_least else OutcomeClass.R
        return OutcomeClass.L if at_least else OutcomeClass.N

    @property
    def number(self) -> Fraction | None:
        """The number that the value is equal to, None if it is not a number."""
        return FORMS.number_of(self.form)

    @property
    def nim_heap(self) -> int | None:
        """The size of the heap of Nim that the value is equal to, None if there is none."""
        return FORMS.nim_heap_of(self.form)

    @property
    def is_zero(self) -> bool:
        """Whether the value is 0, and the player who begins loses."""
        return self.form == 0

    @property
    def is_number(self) -> bool:
        """Whether the value is a number."""
        return FORMS.number_of(self.form) is not None

    @property
    def is_integer(self) -> bool:
        """Whether the value is an integer."""
        number = self.number
        return number is not None and number.denominator == 1

    @property
    def is_nimber(self) -> bool:
        """Whether the value is a heap of Nim, 0 included."""
        return FORMS.nim_heap_of(self.form) is not None

    @property
    def is_infinitesimal(self) -> bool:
        """Whether both stops are 0, and no positive or negative number is beyond the value."""
        return self.left_stop == 0 == self.right_stop

    @property
    def is_numberish(self) -> bool:
        """Whether both stops are equal, as the value is a number plus an infinitesimal."""
        return self.left_stop == self.right_stop

    @property
    def is_hot(self) -> bool:
        """Whether the left stop is greater than the right stop, so that both want to move."""
        return self.left_stop > self.right_stop

    @property
    def is_all_small(self) -> bool:
        """Whether in each position of the canonical form both players can move, or neither."""
        return all(bool(FORMS.left[x]) == bool(FORMS.right[x]) for x in FORMS.followers(self.form))

    @property
    def is_switch(self) -> bool:
        """Whether the value is ``{x|y}`` with two numbers x > y."""
        left, right = FORMS.left[self.form], FORMS.right[self.form]
        return self.is_hot and all(
            len(options) == 1 and FORMS.number_of(options[0]) is not None
            for options in (left, right)
        )

    # -- temperature -------------------------------------------------------------------------------

    @property
    def thermograph(self) -> Thermograph:
        """What the value is worth to each player at each temperature."""
        return _THERMOGRAPHS.thermograph(self.form)

    @property
    def temperature(self) -> Fraction:
        """The least tax on each move, at least -1, at which nobody gains by a move.

        It is above 0 exactly if the value is hot, 0 for a number plus an infinitesimal, and -1/2^k
        for a number whose denominator is 2^k.
        """
        return _THERMOGRAPHS.temperature(self.form)

    @property
    def mean(self) -> Fraction:
        """What the value is worth on average in a sum of many copies of it."""
        return _THERMOGRAPHS.mean(self.form)

    def orthodox_options(
        self, temperature: Fraction | int | None = None
    ) -> tuple[CombinatorialValue, ...]:
        """Return the options of Left that attain the left wall of the thermograph.

        If every other move on the board is worth a temperature, Left loses nothing by these. Those
        of Right are the negatives of those of the negative.

        Args:
            temperature: the ambient temperature; by default that of the value, above which there
                are no such options, as the move elsewhere is better.

        Raises:
            CombinatorialValueError: the temperature is below -1.
        """
        tax = self.temperature if temperature is None else temperature
        return tuple(map(CombinatorialValue, _THERMOGRAPHS.orthodox_options(self.form, tax)))

    def cooled(self, tax: Fraction | int) -> CombinatorialValue:
        """Return the value cooled by a tax, which each move costs its player.

        It is {each left option cooled - tax | each right option cooled + tax} up to the temperature
        of the value, and the mean above. The stops are the walls of the thermograph. Integers are
        not changed.

        Args:
            tax: a number of at least -1, whose denominator is a power of two.

        Raises:
            CombinatorialValueError: the tax is no such number.
        """
        if tax < -1:
            message = f"no game is cooled by {str(tax)!r}; give a tax of at least -1"
            raise CombinatorialValueError(message)
        return CombinatorialValue(operators.cooled(FORMS, self.form, Fraction(tax), _THERMOGRAPHS))

    def heated(self, heat: CombinatorialValue | int | Fraction) -> CombinatorialValue:
        """Return the value heated: each move gains its player that much.

        It is {each left option heated + heat | each right option heated - heat}, except that
        numbers are not changed. The options are those of the canonical form.

        Args:
            heat: a number or a game, at least 0.

        Raises:
            CombinatorialValueError: the heat is less than 0 or confused with 0, or not the value of
                a short game.
        """
        form = _form_of(heat)
        if not FORMS.is_at_most(0, form):
            message = f"no game is heated by {str(heat)!r}; give a heat of at least 0, or cool it"
            raise CombinatorialValueError(message)
        return CombinatorialValue(operators.heated(FORMS, self.form, form))

    def overheated(
        self, unit: CombinatorialValue | int | Fraction, heat: CombinatorialValue | int | Fraction
    ) -> CombinatorialValue:
        """Return the value overheated from a unit to a heat.

        An integer becomes that many copies of the unit, and any other value {each left option
        overheated + heat | each right option overheated - heat}. The options are those of the
        canonical form.

        Args:
            unit: a number or a game.
            heat: a number or a game.

        Raises:
            CombinatorialValueError: a number is not the value of a short game, or too large.
        """
        return CombinatorialValue(
            operators.overheated(FORMS, self.form, _form_of(unit), _form_of(heat))
        )

    def norton_product(self, unit: CombinatorialValue | int | Fraction) -> CombinatorialValue:
        """Return the Norton product of this and a positive unit.

        An integer becomes that many copies of the unit. Otherwise a move of Left also adds the unit
        and the incentive of any move in the unit, and one of Right subtracts them. The product of a
        sum is the sum of the products, and the order of games is kept.

        Args:
            unit: a number or a game, above 0.

        Raises:
            CombinatorialValueError: the unit is not above 0, or not the value of a short game.
        """
        form = _form_of(unit)
        if FORMS.is_at_most(form, 0) or not FORMS.is_at_most(0, form):
            message = f"{str(unit)!r} is not the unit of a product; give a value above 0"
            raise CombinatorialValueError(message)
        return CombinatorialValue(operators.norton_product(FORMS, self.form, form))

    @property
    def atomic_weight(self) -> CombinatorialValue:
        """How many ups the value is worth beside a large heap of Nim; it must be all-small.

        Raises:
            CombinatorialValueError: the value is not all-small, or contains too large a heap.
        """
        weight = self.find_atomic_weight()
        if weight is None:
            message = (
                f"the game {str(self)!r} is not all-small, so that it has no atomic weight; ask "
                "only if is_all_small is true, or call find_atomic_weight, which returns None"
            )
            raise CombinatorialValueError(message)
        return weight

    def find_atomic_weight(self) -> CombinatorialValue | None:
        """Return the atomic weight, None if the value is not all-small.

        Raises:
            CombinatorialValueError: the value contains too large a heap of Nim.
        """
        weight = _ATOMIC_WEIGHTS.atomic_weight(self.form)
        return None if weight is None else CombinatorialValue(weight)


def value_of(
    forms: CanonicalForms, number: int, outcome: Outcome | None = None
) -> CombinatorialValue:
    """Return the value of a form of some collection, which is copied to that of the process once.

    Args:
        forms: the collection.
        number: the form's number there.
        outcome: WIN or LOSS; None for that of the value, Left moving first.
    """
    if forms is FORMS:
        return CombinatorialValue(number, outcome)
    copies = _COPIES.setdefault(forms, {0: 0})
    return CombinatorialValue(copy_of(forms, number, FORMS, copies), outcome)


def form_in(forms: CanonicalForms, value: CombinatorialValue) -> int:
    """Return the form of a value in some collection, to which the value is copied.

    Args:
        forms: the collection.
        value: the value.
    """
    return copy_of(FORMS, value.form, forms, _ORIGINALS.setdefault(forms, {0: 0}))


def _form_of(value: CombinatorialValue | float | Fraction) -> int:
    """Return the form of a value or a number."""
    if isinstance(value, CombinatorialValue):
        return value.form
    if isinstance(value, (int, Fraction)):
        return FORMS.number(value)
    message = f"{value!r} is not a value; give a CombinatorialValue, an integer or a Fraction"
    raise TypeError(message)


def value_of_json(document: Any, outcome: Outcome) -> CombinatorialValue:
    """Return the value that ``CombinatorialValue.to_json`` has as ``game``.

    Args:
        document: a text, or the list of the followers.
        outcome: WIN or LOSS.

    Raises:
        CombinatorialValueError: the document names no value.
    """
    if isinstance(document, str):
        return CombinatorialValue(parse_value(FORMS, document), outcome)
    return value_of_followers(document, outcome)


def value_of_followers(entries: Any, outcome: Outcome) -> CombinatorialValue:
    """Return the value that ends a list of followers, as pickles and long documents have them.

    Args:
        entries: for each follower, options first, the text of a number, or the places of Left's
            options and of Right's in this list.
        outcome: WIN or LOSS.

    Raises:
        CombinatorialValueError: the entries are of another kind.
    """
    numbers: list[int] = []
    try:
        for entry in entries:
            if isinstance(entry, str):
                numbers.append(FORMS.number(Fraction(entry)))
            else:
                left, right = ([range(len(numbers))[place] for place in side] for side in entry)
                numbers.append(
                    FORMS.of_options([numbers[x] for x in left], [numbers[x] for x in right])
                )
        return CombinatorialValue(numbers[-1], outcome)
    except (IndexError, TypeError, ValueError) as error:
        message = (
            f"{reprlib.repr(entries)} does not list games ({error}); give the entry that "
            "CombinatorialValue.to_json returned"
        )
        raise CombinatorialValueError(message) from error


def _followers(form: int) -> list[str | tuple[list[int], list[int]]]:
    """Return the followers of a form, itself last, as texts of numbers and places of options."""
    places: dict[int, int] = {}
    entries: list[str | tuple[list[int], list[int]]] = []

    def options_of(x: int) -> tuple[int, ...]:
        return FORMS.options(x) if FORMS.number_of(x) is None else ()

    for x in options_first(form, places.__contains__, options_of):
        places[x] = len(entries)
        number = FORMS.number_of(x)
        if number is None:
            left, right = ([places[y] for y in side[x]] for side in (FORMS.left, FORMS.right))
            entries.append((left, right))
        else:
            entries.append(str(number))
    return entries
