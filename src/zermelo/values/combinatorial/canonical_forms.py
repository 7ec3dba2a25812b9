"""Canonical forms of short partizan games, each stored once.

A game is {left options | right options}. Its canonical form is the only equal game without
dominated or reversible options (Conway, On Numbers and Games, chapter 10; Siegel, Combinatorial
Game Theory, 2013, chapter II). So two games are equal exactly if their forms have the same number.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError

#: The greatest absolute integer, and the greatest exponent of a denominator: each form of a smaller
#: integer is stored as well, and so is each with a smaller exponent.
MOST_INTEGER, MOST_EXPONENT = 1 << 16, 1 << 10
#: The bits of a number in the key of a pair.
_BITS = 32
#: The recursion limit for comparisons of deep games, whose calls are of Python alone.
_DEEP = 1 << 20
#: The largest absolute numerator of a dyadic fraction that a float is used for.
_EXACT = 1 << 53

#: A dyadic rational number: a float if that is exact. Floats and fractions compare exactly.
Dyadic = float | Fraction


class CanonicalForms:
    """Canonical forms by number; the options of a form have smaller numbers.

    Attributes:
        left: the numbers of the left options of each form, ascending.
        right: those of the right options.
        left_stops: the left stop of each form: the number that play leads to if Left begins.
        right_stops: the right stop.
        is_number: whether each form is a number.
    """

    #: The types of ``arrays``, by name.
    ARRAY_TYPES: ClassVar[Mapping[str, Any]] = MappingProxyType(
        {
            "left_ends": np.uint32,
            "left_options": np.uint32,
            "right_ends": np.uint32,
            "right_options": np.uint32,
        }
    )

    def __init__(self) -> None:
        """Create the store with the form of 0, whose number is 0."""
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self.left_stops: list[Dyadic] = []
        self.right_stops: list[Dyadic] = []
        self.is_number: list[bool] = []
        self._negatives: list[int] = []
        self._forms: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        self._made: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._orders: dict[int, bool] = {}
        self._sums: dict[int, int] = {}
        self._number_forms: dict[Dyadic, int] = {}
        self._add_number(0.0, (), ())

    def __len__(self) -> int:
        """Return the number of forms."""
        return len(self.left)

    # -- forms ------------------------------------------------------------------------------------

    def of_options(self, left: Iterable[int], right: Iterable[int]) -> int:
        """Return the number of the canonical form of {left | right}.

        Args:
            left: the numbers of the left options, in any order.
            right: those of the right options.
        """
        options = frozenset(left), frozenset(right)
        made = self._made.get(options)
        if made is None:
            with _deep_recursion():
                made = self._made[options] = self._canonical(set(options[0]), set(options[1]))
        return made

    def _canonical(self, left: set[int], right: set[int]) -> int:
        """Return the number of the canonical form of {left | right}."""
        number = self._simplest_between(left, right)
        if number is not None:
            return self.number(number)
        while True:
            left = self._without_dominated(left, is_left=True)
            right = self._without_dominated(right, is_left=False)
            bypassed_left = self._bypassed_left(left, right)
            bypassed_right = self._bypassed_right(left, right)
            if bypassed_left == left and bypassed_right == right:
                return self._intern(tuple(sorted(left)), tuple(sorted(right)))
            left, right = bypassed_left, bypassed_right

    def _simplest_between(self, left: set[int], right: set[int]) -> Dyadic | None:
        """Return the simplest number x with no left option >= x and no right option <= x, or None.

        If there is one, {left | right} is equal to it (the simplicity theorem, Siegel 2013, chapter
        II.3). Options that are not numbers are compared by their stops.
        """
        lower: Dyadic | None = None
        upper: Dyadic | None = None
        lower_open = upper_open = False
        for option in left:
            stop = self.right_stops[option]
            if lower is None or stop > lower:
                lower, lower_open = stop, False
            if stop == lower and not lower_open:
                lower_open = self.is_at_most(self.number(stop), option)
        for option in right:
            stop = self.left_stops[option]
            if upper is None or stop < upper:
                upper, upper_open = stop, False
            if stop == upper and not upper_open:
                upper_open = self.is_at_most(option, self.number(stop))
        if (
            lower is not None
            and upper is not None
            and (lower > upper or (lower == upper and (lower_open or upper_open)))
        ):
            return None
        return _simplest(lower, upper, lower_open=lower_open, upper_open=upper_open)

    def _without_dominated(self, options: set[int], *, is_left: bool) -> set[int]:
        """Return the options that no other one is at least as good as, for their player."""
        if len(options) < 2:  # noqa: PLR2004  # one dominates none
            return options
        kept: list[int] = []
        for option in options:
            if is_left:
                if any(self.is_at_most(option, other) for other in kept):
                    continue
                kept = [other for other in kept if not self.is_at_most(other, option)]
            else:
                if any(self.is_at_most(other, option) for other in kept):
                    continue
                kept = [other for other in kept if not self.is_at_most(option, other)]
            kept.append(option)
        return set(kept)

    def _bypassed_left(self, left: set[int], right: set[int]) -> set[int]:
        """Return left options, each that can be reversed replaced by those after the reply."""
        result = set[int]()
        for option in left:
            reply = next(
                (each for each in self.right[option] if self._is_below(each, left, right)), None
            )
            result |= {option} if reply is None else set(self.left[reply])
        return result

    def _bypassed_right(self, left: set[int], right: set[int]) -> set[int]:
        """Return right options, each that can be reversed replaced by those after the reply."""
        result = set[int]()
        for option in right:
            reply = next(
                (each for each in self.left[option] if self._is_above(each, left, right)), None
            )
            result |= {option} if reply is None else set(self.right[reply])
        return result

    def _is_below(self, form: int, left: set[int], right: set[int]) -> bool:
        """Return whether a form is at most {left | right}, which has no number yet."""
        return not any(self.is_at_most(option, form) for option in right) and not any(
            self._is_above(option, left, right) for option in self.left[form]
        )

    def _is_above(self, form: int, left: set[int], right: set[int]) -> bool:
        """Return whether a form is at least {left | right}, which has no number yet."""
        return not any(self.is_at_most(form, option) for option in left) and not any(
            self._is_below(option, left, right) for option in self.right[form]
        )

    def _intern(self, left: tuple[int, ...], right: tuple[int, ...]) -> int:
        """Return the number of a form that is canonical and no number."""
        number = self._forms.get((left, right))
        if number is None:
            number = self._forms[left, right] = len(self.left)
            self.left.append(left)
            self.right.append(right)
            self.left_stops.append(max(self.right_stops[option] for option in left))
            self.right_stops.append(min(self.left_stops[option] for option in right))
            self.is_number.append(False)
            self._negatives.append(-1)
        return number

    # -- numbers ----------------------------------------------------------------------------------

    def number(self, value: Dyadic | int) -> int:
        """Return the number of the form of a dyadic rational.

        Args:
            value: the rational, whose denominator is a power of 2.

        Raises:
            ParameterError: it is not dyadic, or too large.
        """
        value = _dyadic(value)
        form = self._number_forms.get(value)
        if form is not None:
            return form
        fraction = Fraction(value)
        exponent = fraction.denominator.bit_length() - 1
        if abs(fraction) > MOST_INTEGER or exponent > MOST_EXPONENT:
            message = (
                f"the number {fraction} is beyond ±{MOST_INTEGER:,}, or its denominator beyond "
                f"2^{MOST_EXPONENT:,}, as all simpler numbers are stored with it; use smaller games"
            )
            raise ParameterError(message)
        if exponent == 0:
            return self._integer(int(fraction))
        below, above = (
            self.number((fraction.numerator + step) * Fraction(1, fraction.denominator))
            for step in (-1, 1)
        )
        return self._add_number(value, (below,), (above,))

    def _integer(self, value: int) -> int:
        """Return the number of the form of an integer, after those between 0 and it."""
        sign, form = 1 if value > 0 else -1, 0
        for magnitude in range(1, abs(value) + 1):
            known = self._number_forms.get(_dyadic(sign * magnitude))
            if known is None:
                left, right = ((form,), ()) if sign > 0 else ((), (form,))
                known = self._add_number(_dyadic(sign * magnitude), left, right)
            form = known
        return form

    def _add_number(self, value: Dyadic, left: tuple[int, ...], right: tuple[int, ...]) -> int:
        """Add the form of a number, and return its number."""
        form = self._number_forms[value] = self._forms[left, right] = len(self.left)
        self.left.append(left)
        self.right.append(right)
        self.left_stops.append(value)
        self.right_stops.append(value)
        self.is_number.append(True)
        self._negatives.append(form if not value else -1)
        return form

    def nimber(self, size: int) -> int:
        """Return the number of the form of a heap of Nim."""
        forms: list[int] = []
        for _ in range(size + 1):
            forms.append(self.of_options(forms, forms))
        return forms[size]

    # -- order and sums ---------------------------------------------------------------------------

    def is_at_most(self, first: int, second: int) -> bool:
        """Return whether ``first`` <= ``second``.

        That is so if no left option of the first is at least the second, and no right option of the
        second is at most the first. Stops decide most pairs.
        """
        if first == second:
            return True
        left_stops, right_stops = self.left_stops, self.right_stops
        if left_stops[first] > left_stops[second] or right_stops[first] > right_stops[second]:
            return False
        if left_stops[first] < right_stops[second]:
            return True
        key = first << _BITS | second
        known = self._orders.get(key)
        if known is None:
            known = self._orders[key] = not any(
                self.is_at_most(second, option) for option in self.left[first]
            ) and not any(self.is_at_most(option, first) for option in self.right[second])
        return known

    def negative(self, form: int) -> int:
        """Return the number of the negative of a form."""
        negative = self._negatives[form]
        if negative < 0:
            if self.is_number[form]:
                negative = self.number(-self.left_stops[form])
            else:
                with _deep_recursion():
                    negative = self._intern(
                        tuple(sorted(map(self.negative, self.right[form]))),
                        tuple(sorted(map(self.negative, self.left[form]))),
                    )
            self._negatives[form], self._negatives[negative] = negative, form
        return negative

    def sum(self, first: int, second: int) -> int:
        """Return the number of the sum of two forms."""
        if not first or not second:
            return first or second
        if first > second:
            first, second = second, first
        key = first << _BITS | second
        total = self._sums.get(key)
        if total is None:
            with _deep_recursion():
                total = self._sums[key] = self._sum(first, second)
        return total

    def _sum(self, first: int, second: int) -> int:
        if self.is_number[first] and self.is_number[second]:
            return self.number(Fraction(self.left_stops[first]) + Fraction(self.left_stops[second]))
        for number, game in ((first, second), (second, first)):
            if self.is_number[number]:  # translated options stay canonical (number translation)
                return self._intern(
                    tuple(sorted(self.sum(option, number) for option in self.left[game])),
                    tuple(sorted(self.sum(option, number) for option in self.right[game])),
                )
        left = [self.sum(option, second) for option in self.left[first]]
        left += [self.sum(first, option) for option in self.left[second]]
        right = [self.sum(option, second) for option in self.right[first]]
        right += [self.sum(first, option) for option in self.right[second]]
        return self.of_options(left, right)

    # -- other stores and files -------------------------------------------------------------------

    def copy(self, forms: CanonicalForms, number: int, known: dict[int, int]) -> int:
        """Add a form of another store, with its followers, and return its number here.

        Args:
            forms: the other store.
            number: the number of the form there.
            known: the numbers here of forms there; receives those that are added.
        """
        waiting = [number]
        while waiting:
            form = waiting[-1]
            options = (*forms.left[form], *forms.right[form])
            missing = [option for option in options if option not in known]
            if missing and form not in known:
                waiting += missing
                continue
            waiting.pop()
            if form in known:
                continue
            left = tuple(sorted(known[option] for option in forms.left[form]))
            right = tuple(sorted(known[option] for option in forms.right[form]))
            if forms.is_number[form]:
                known[form] = self.number(forms.left_stops[form])
            else:
                known[form] = self._intern(left, right)
        return known[number]

    def reduced(self, codes: npt.NDArray[np.int32]) -> tuple[CanonicalForms, npt.NDArray[np.int32]]:
        """Return a store of the forms with these numbers and their followers, and their numbers.

        Args:
            codes: numbers of forms, shape (n,).

        Returns:
            The store, and the numbers of the same forms in it.
        """
        forms, known = CanonicalForms(), dict[int, int]()
        distinct, inverse = np.unique(codes, return_inverse=True)
        numbers = [forms.copy(self, code, known) for code in distinct.tolist()]
        return forms, np.array(numbers, np.int32)[inverse.reshape(codes.shape)]

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return all forms as arrays, for a file.

        Returns:
            For each side the options of all forms, one form after another (``left_options``), and
            the end of each form's options there (``left_ends``).
        """
        arrays = {}
        for side, options in (("left", self.left), ("right", self.right)):
            arrays[f"{side}_ends"] = np.cumsum([len(each) for each in options]).astype(np.uint32)
            flat = [option for each in options for option in each]
            arrays[f"{side}_options"] = np.array(flat, np.uint32)
        return arrays

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> CanonicalForms:
        """Return the store that ``arrays`` describes.

        Raises:
            ValueError: the arrays are not those of canonical forms.
        """
        forms = cls()
        sides = []
        for side in ("left", "right"):
            ends = arrays[f"{side}_ends"].astype(np.int64)
            options = arrays[f"{side}_options"].astype(np.int64)
            is_valid = len(ends) > 0 and (np.diff(ends, prepend=0) >= 0).all()
            if not is_valid or ends[-1] != len(options):
                message = f"the {side} options of the forms do not have the stated numbers"
                raise ValueError(message)
            sides.append([each.tolist() for each in np.split(options, ends[:-1])])
        if len(sides[0]) != len(sides[1]):
            message = "there are not as many left options as right options"
            raise ValueError(message)
        for form, (left, right) in enumerate(zip(*sides, strict=True)):
            if any(option >= form for option in left + right):
                message = f"an option of form {form} does not come before it"
                raise ValueError(message)
            if forms.of_options(left, right) != form:
                message = f"form {form} is not in canonical form, or is there twice"
                raise ValueError(message)
        return forms


def _simplest(
    lower: Dyadic | None, upper: Dyadic | None, *, lower_open: bool, upper_open: bool
) -> Dyadic:
    """Return the simplest number of an interval: the integer nearest to 0, or the least exponent.

    Args:
        lower: the lower end, or None.
        upper: the upper end, or None.
        lower_open: whether the lower end itself is excluded.
        upper_open: whether the upper end itself is excluded.
    """
    least = None if lower is None else (floor(lower) + 1 if lower_open else ceil(lower))
    most = None if upper is None else (ceil(upper) - 1 if upper_open else floor(upper))
    if (least is None or least <= 0) and (most is None or most >= 0):
        return 0.0
    if least is not None and least > 0 and (most is None or least <= most):
        return _dyadic(least)
    if most is not None and most < 0 and (least is None or least <= most):
        return _dyadic(most)
    assert lower is not None  # noqa: S101  # an interval within two integers has both ends
    assert upper is not None  # noqa: S101
    low, high = Fraction(lower), Fraction(upper)
    scale = 1
    while True:
        scale *= 2
        least = floor(low * scale) + 1 if lower_open else ceil(low * scale)
        most = ceil(high * scale) - 1 if upper_open else floor(high * scale)
        if least <= most:
            return _dyadic(Fraction(least, scale))


def _dyadic(value: Dyadic | int) -> Dyadic:
    """Return a dyadic rational as a float if that is exact, otherwise as a fraction.

    Raises:
        ParameterError: its denominator is no power of 2.
    """
    if isinstance(value, float):
        return value
    fraction = Fraction(value)
    if fraction.denominator & fraction.denominator - 1:
        message = f"{value} is no game, as its denominator is no power of 2; give another number"
        raise ParameterError(message)
    is_exact = abs(fraction.numerator) < _EXACT and fraction.denominator < _EXACT
    return float(fraction) if is_exact else fraction


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Raise the recursion limit, as Python's own calls take no stack."""
    limit = sys.getrecursionlimit()
    if limit >= _DEEP:
        yield
        return
    sys.setrecursionlimit(_DEEP)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
