"""Canonical forms of short partizan games under normal play, each once, by number.

A game is a set of options for Left and one for Right. Every game is equal to exactly one in which
no option is dominated or reversible, the canonical form. (Conway, On Numbers and Games, chapter 10;
Berlekamp, Conway and Guy, Winning Ways, chapter 3; Siegel, Combinatorial Game Theory, chapter II.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, count, pairwise
from math import ceil
from threading import RLock
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import CombinatorialValueError
from zermelo.values.combinatorial.simplest_number import simplest_number

#: The greatest integer part of a number: each integer is a form with the next smaller as an option.
LARGEST_INTEGER = 1 << 17
#: The greatest power of two in a denominator.
LARGEST_EXPONENT = 4096
#: The largest heap of Nim: the form of ``*n`` has n options for each player.
LARGEST_NIMBER = 1023
#: Comparisons, sums and sets of options that are remembered, each about 100 to 300 bytes; beyond
#: that all are forgotten.
_MOST_REMEMBERED = 1 << 22
#: The bits of a form's number in a pair of forms.
_BITS = 32

_Integers = npt.NDArray[np.int64]


class CanonicalForms:
    """Canonical forms of short games, each once, by number.

    The options of a form have smaller numbers than the form, and 0 is the game without options.
    A form takes about 300 bytes, and the comparisons that are remembered of it about twice as much.
    Threads may share a collection.

    Attributes:
        left: by number, the numbers of Left's options, ascending.
        right: by number, the numbers of Right's options, ascending.
    """

    def __init__(self) -> None:
        """Create the collection with one form, zero."""
        self.left: list[tuple[int, ...]] = []
        self.right: list[tuple[int, ...]] = []
        self._birthday: list[int] = []
        # The number that a form is equal to, or None.
        self._value: list[Fraction | None] = []
        # The forms of the stops, and the floats next to them, for quick comparison.
        self._left_stop: list[int] = []
        self._right_stop: list[int] = []
        self._high: list[float] = []
        self._low: list[float] = []
        # The negative of each form, -1 if it is not known yet.
        self._negative: list[int] = []
        # Nimbers by the size of the heap, and back.
        self._nimbers: list[int] = []
        self._heap: dict[int, int] = {}
        # Numbers by their numerators and the powers of two that are their denominators: hashes of
        # fractions would often collide.
        self._numbers: dict[tuple[int, int], int] = {}
        # The forms of 0, 1, 2, … and of 0, -1, -2, …
        self._integers: tuple[list[int], list[int]] = [], []
        # The form of sets of options, those of the forms themselves and others that occurred.
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
        # The simplest number between two stops, and whether each may be that number.
        self._between: dict[tuple[int, int, bool, bool], int] = {}
        self._order: dict[int, bool] = {}
        self._sums: dict[int, int] = {}
        # A form that is being simplified has a number for its comparisons, which are kept apart.
        self._draft = -1
        self._draft_keys: list[int] = []
        self._lock = RLock()
        self._intern((), ())
        for integers in self._integers:
            integers.append(0)

    def __len__(self) -> int:
        """Return the number of forms."""
        return len(self._negative)

    def __getstate__(self) -> dict[str, Any]:
        """Return the forms alone: what is remembered of their comparisons is found again."""
        return {"left": self.left, "right": self.right}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the forms, which were canonical."""
        self.__init__()  # type: ignore[misc]
        for key in zip(state["left"], state["right"], strict=True):
            self._intern(*key)

    # -- construction ------------------------------------------------------------------------------

    def of_options(self, left: Iterable[int], right: Iterable[int]) -> int:
        """Return the canonical form of the game with these options.

        Dominated options are removed and reversible ones bypassed. Options that occurred before
        take about a microsecond; new ones a number of comparisons that is at most quadratic in the
        number of options, and of the options' options.

        Args:
            left: the forms of Left's options.
            right: the forms of Right's options.
        """
        known = self._known
        if type(left) is tuple and type(right) is tuple:
            number = known.get((left, right))
            if number is not None:
                return number
        key = tuple(sorted(set(left))), tuple(sorted(set(right)))
        number = known.get(key)
        if number is None:
            with self._lock:
                number = self._simplify(*key)
                if len(known) > len(self.left) + _MOST_REMEMBERED:
                    known.clear()
                    known.update(zip(zip(self.left, self.right, strict=True), count()))
                known[key] = number
        return number

    def of_canonical_options(self, left: Iterable[int], right: Iterable[int]) -> int:
        """Return the form with these options, which must be those of a canonical form.

        Args:
            left: the forms of Left's options.
            right: the forms of Right's options.
        """
        return self._intern(tuple(sorted(left)), tuple(sorted(right)))

    def number(self, value: Fraction | int) -> int:
        """Return the form of a number.

        Args:
            value: an integer, or a fraction whose denominator is a power of two.

        Raises:
            CombinatorialValueError: the value is another fraction, or too large.
        """
        value = Fraction(value)
        exponent = value.denominator.bit_length() - 1
        if value.denominator != 1 << exponent:
            message = (
                f"{str(value)!r} is not the value of a short game; give a fraction whose "
                "denominator is a power of two"
            )
            raise CombinatorialValueError(message)
        known = self._numbers.get((value.numerator, exponent))
        if known is not None:
            return known
        if abs(value) > LARGEST_INTEGER or exponent > LARGEST_EXPONENT:
            message = (
                f"the number {str(value)!r} is too large to be held as a game; give one of at most "
                f"{LARGEST_INTEGER} and a denominator of at most 2 to the power {LARGEST_EXPONENT}"
            )
            raise CombinatorialValueError(message)
        with self._lock:
            # The integers of the same sign, up to the one beyond a fraction.
            integers = self._integers[value < 0]
            while len(integers) <= ceil(abs(value)):
                toward_zero = (integers[-1],)
                self._intern(*(((), toward_zero) if value < 0 else (toward_zero, ())))
            # A fraction is between two simpler ones, one of which has one binary digit less.
            numerator, digits = value.numerator, exponent
            missing = []
            while (numerator, digits) not in self._numbers:
                missing.append((numerator, digits))
                numerator, digits = numerator >> 1 | 1, digits - 1
                if not digits:
                    break
            for numerator, digits in reversed(missing):
                below, above = (
                    self._numbers[_reduced(numerator + step, digits)] for step in (-1, 1)
                )
                self._intern((below,), (above,))
        return self._numbers[value.numerator, exponent]

    def nimber(self, heap: int) -> int:
        """Return the form of a heap of Nim, ``*heap``.

        Args:
            heap: the size, at least 0.

        Raises:
            CombinatorialValueError: the size is negative or too large.
        """
        if not 0 <= heap <= LARGEST_NIMBER:
            message = f"a heap of {heap!r} is not held; give a size from 0 to {LARGEST_NIMBER}"
            raise CombinatorialValueError(message)
        with self._lock:
            while len(self._nimbers) <= heap:
                options = tuple(sorted(self._nimbers))
                self._intern(options, options)
        return self._nimbers[heap]

    # -- order -------------------------------------------------------------------------------------

    def is_at_most(self, a: int, b: int) -> bool:
        """Return whether a form is less than or equal to another.

        The stops decide most pairs at once. Others take a search of their options, whose results
        are remembered.

        Args:
            a: the one form.
            b: the other.
        """
        if a == b:
            return True
        high, low = self._high, self._low
        # If a <= b, then each stop of a is at most that of b.
        if high[a] > high[b] or low[a] > low[b]:
            return False
        if high[a] < low[b]:
            return True
        known = self._order.get(a << _BITS | b)
        if known is not None:
            return known
        with self._lock:
            return self._compare(a, b)

    def _compare(self, a: int, b: int) -> bool:  # noqa: C901, PLR0912, PLR0915  # the inner loop
        """Return whether a <= b, by their options: an explicit stack, as games can be deep.

        a <= b unless some left option of a is at least b, or some right option of b at most a.
        """
        left, right, high, low, order = self.left, self.right, self._high, self._low, self._order
        if len(order) > _MOST_REMEMBERED:
            order.clear()
        draft = self._draft
        stack = [(a, b)]
        answer = True
        while stack:
            a, b = stack[-1]
            answer, unknown = True, None
            if self._value[a] is not None and self._value[b] is not None:
                answer = self._value[a] <= self._value[b]  # type: ignore[operator]
            elif a in self._heap and b in self._heap:
                answer = a == b
            else:
                high_b, low_b = high[b], low[b]
                for x in left[a]:
                    if x == b:
                        answer = False
                        break
                    if high_b > high[x] or low_b > low[x]:
                        continue
                    if high_b < low[x]:
                        answer = False
                        break
                    known = order.get(b << _BITS | x)
                    if known:
                        answer = False
                        break
                    if known is None:
                        unknown = (b, x)
                if answer:
                    high_a, low_a = high[a], low[a]
                    for y in right[b]:
                        if y == a:
                            answer = False
                            break
                        if high[y] > high_a or low[y] > low_a:
                            continue
                        if high[y] < low_a:
                            answer = False
                            break
                        known = order.get(y << _BITS | a)
                        if known:
                            answer = False
                            break
                        if known is None:
                            unknown = (y, a)
                if answer and unknown is not None:
                    stack.append(unknown)
                    continue
            stack.pop()
            key = a << _BITS | b
            order[key] = answer
            if draft in {a, b}:
                self._draft_keys.append(key)
        return answer

    # -- arithmetic --------------------------------------------------------------------------------

    def negative(self, a: int) -> int:
        """Return the form in which the players are exchanged.

        Args:
            a: the form.
        """
        negative = self._negative
        if negative[a] >= 0:
            return negative[a]
        with self._lock:
            for x in options_first(a, lambda x: negative[x] >= 0, self.options):
                number = self._intern(
                    tuple(sorted([negative[option] for option in self.right[x]])),
                    tuple(sorted([negative[option] for option in self.left[x]])),
                )
                negative[x], negative[number] = number, x
        return negative[a]

    def sum(self, a: int, b: int) -> int:
        """Return the canonical form of a sum.

        Args:
            a: the one form.
            b: the other.
        """
        known = self._known_sum(a, b)
        return self._sum(a, b) if known < 0 else known

    def _known_sum(self, a: int, b: int) -> int:
        """Return the canonical form of a sum that needs no search, otherwise -1."""
        if a > b:
            a, b = b, a
        if a == 0:
            return b
        known = self._sums.get(a << _BITS | b)
        if known is not None:
            return known
        if self._negative[a] == b:
            return 0
        first, second = self._value[a], self._value[b]
        if first is not None and second is not None:
            return self.number(first + second)
        heap, other = self._heap.get(a), self._heap.get(b)
        if heap is not None and other is not None:
            return self.nimber(heap ^ other)
        return -1

    def _sum(self, a: int, b: int) -> int:
        """Return the canonical form of a sum by those of the options, with an explicit stack."""
        known_sum, sums = self._known_sum, self._sums
        if len(sums) > _MOST_REMEMBERED:
            sums.clear()
        stack = [(a, b)]
        total = 0
        while stack:
            a, b = stack[-1]
            total = known_sum(a, b)
            if total >= 0:
                stack.pop()
                continue
            sides: list[list[int]] = []
            unknown: list[tuple[int, int]] = []
            has_number = False
            for options in (self.left, self.right):
                totals: list[int] = []
                sides.append(totals)
                # Number translation: nobody gains by a move in the number.
                pairs = []
                if self._value[a] is None:
                    pairs += [(x, b) for x in options[a]]
                else:
                    has_number = True
                if self._value[b] is None:
                    pairs += [(a, x) for x in options[b]]
                else:
                    has_number = True
                for pair in pairs:
                    total = known_sum(*pair)
                    if total < 0:
                        unknown.append(pair)
                    else:
                        totals.append(total)
            if unknown:
                stack += unknown
                continue
            stack.pop()
            make = self.of_canonical_options if has_number else self.of_options
            total = make(*sides)
            sums[min(a, b) << _BITS | max(a, b)] = total
        return total

    def multiple(self, a: int, count: int) -> int:
        """Return the canonical form of a sum of copies of one form.

        Args:
            a: the form.
            count: the number of copies; a negative number is one of copies of the negative.
        """
        value = self._value[a]
        if value is not None:
            return self.number(value * count)
        if count < 0:
            a, count = self.negative(a), -count
        total = 0
        while count:
            if count & 1:
                total = self.sum(total, a)
            count >>= 1
            if count:
                a = self.sum(a, a)
        return total

    # -- properties --------------------------------------------------------------------------------

    def number_of(self, a: int) -> Fraction | None:
        """Return the number that a form is equal to, None if it is not a number.

        Args:
            a: the form.
        """
        return self._value[a]

    def nim_heap_of(self, a: int) -> int | None:
        """Return the size of the heap of Nim that a form is, None if it is not one.

        Args:
            a: the form.
        """
        return self._heap.get(a)

    def birthday(self, a: int) -> int:
        """Return the birthday of a form: the most moves until the end, of either player.

        Args:
            a: the form.
        """
        return self._birthday[a]

    def left_stop(self, a: int) -> Fraction:
        """Return the number at which play ends if Left begins and stops there.

        Args:
            a: the form.
        """
        stop = self._value[self._left_stop[a]]
        assert stop is not None  # noqa: S101  # stops are numbers
        return stop

    def right_stop(self, a: int) -> Fraction:
        """Return the number at which play ends if Right begins and stops there.

        Args:
            a: the form.
        """
        stop = self._value[self._right_stop[a]]
        assert stop is not None  # noqa: S101  # stops are numbers
        return stop

    def options(self, a: int) -> tuple[int, ...]:
        """Return the options of a form, Left's before Right's.

        Args:
            a: the form.
        """
        return self.left[a] + self.right[a]

    def followers(self, a: int) -> list[int]:
        """Return the forms that can be reached from a form, itself included, ascending.

        Args:
            a: the form.
        """
        seen = {a}
        stack = [a]
        while stack:
            number = stack.pop()
            for x in self.left[number] + self.right[number]:
                if x not in seen:
                    seen.add(x)
                    stack.append(x)
        return sorted(seen)

    # -- files -------------------------------------------------------------------------------------

    def arrays(self) -> tuple[_Integers, _Integers, _Integers, _Integers]:
        """Return all forms as arrays of int64.

        The options of form i are ``options[starts[i] : starts[i + 1]]``, ascending.

        Returns:
            Left's starts, Left's options, Right's starts, Right's options.
        """
        return *_flat(self.left), *_flat(self.right)

    @classmethod
    def of_arrays(
        cls,
        left_starts: npt.ArrayLike,
        left_options: npt.ArrayLike,
        right_starts: npt.ArrayLike,
        right_options: npt.ArrayLike,
    ) -> CanonicalForms:
        """Return the forms of arrays that ``arrays`` returned.

        Args:
            left_starts: where the left options of each form begin, and the end of the last.
            left_options: the left options of all forms.
            right_starts: where the right options of each form begin, and the end of the last.
            right_options: the right options of all forms.

        Raises:
            ValueError: the arrays are not those of canonical forms whose options come first, each
                form once.
        """
        left, right = _lists(left_starts, left_options), _lists(right_starts, right_options)
        forms = cls()
        if len(left) != len(right) or left[:1] != [()] or right[:1] != [()]:
            message = "the arrays have no form for zero, or as many for Left as for Right"
            raise ValueError(message)
        for number, key in enumerate(zip(left, right, strict=True)):
            for options in key:
                if list(options) != sorted(set(options)) or not all(
                    0 <= x < number for x in options
                ):
                    message = f"form {number} has options that do not come before it in order"
                    raise ValueError(message)
            if number and key in forms._known:
                message = f"form {number} occurs twice"
                raise ValueError(message)
            if number and (
                forms.of_options(*key) != number or (forms.left[number], forms.right[number]) != key
            ):
                message = f"form {number} is not in canonical form"
                raise ValueError(message)
        return forms

    @classmethod
    def of_columns(
        cls,
        keys: Sequence[tuple[tuple[int, ...], tuple[int, ...]]],
        birthdays: Sequence[int],
        left_stops: Sequence[int],
        right_stops: Sequence[int],
        are_numbers: Sequence[bool],
        denominator: int,
    ) -> CanonicalForms:
        """Return canonical forms whose properties are known.

        Args:
            keys: the left and the right options of each form, ascending; the options of a form come
                before it, and zero is first.
            birthdays: the birthday of each form.
            left_stops: the numerator of each left stop.
            right_stops: the numerator of each right stop.
            are_numbers: whether each form is a number.
            denominator: the denominator of all stops, a power of two.
        """
        forms = cls()
        forms.left = [left for left, _ in keys]
        forms.right = [right for _, right in keys]
        forms._birthday = list(birthdays)
        forms._high = [stop / denominator for stop in left_stops]
        forms._low = [stop / denominator for stop in right_stops]
        forms._known = dict(zip(keys, count()))
        forms._value = [None] * len(keys)
        forms._negative = [-1] * len(keys)
        number_of: dict[int, int] = {}
        for number, is_number in enumerate(are_numbers):
            if is_number:
                number_of[left_stops[number]] = number
                forms._record_number(number, Fraction(left_stops[number], denominator))
            elif forms.left[number] == forms.right[number]:
                forms._record_nimber(number)
        forms._left_stop = [number_of[stop] for stop in left_stops]
        forms._right_stop = [number_of[stop] for stop in right_stops]
        return forms

    # -- interning ---------------------------------------------------------------------------------

    def _intern(self, left: tuple[int, ...], right: tuple[int, ...]) -> int:
        """Return the form with canonical options, ascending, which gets a number if it is new."""
        key = (left, right)
        number = self._known.get(key)
        if number is not None:
            return number
        with self._lock:
            number = self._known.get(key)
            if number is not None:
                return number
            number = len(self.left)
            value = self._number_of_options(left, right)
            self.left.append(left)
            self.right.append(right)
            self._value.append(value)
            if value is None:
                self._append_stops(self._greatest_stop(left), self._least_stop(right))
            else:
                self._left_stop.append(number)
                self._right_stop.append(number)
                self._high.append(float(value))
                self._low.append(float(value))
                self._record_number(number, value)
            self._finish(key, number)
        return number

    def _record_number(self, number: int, value: Fraction) -> None:
        """Record a new form that is a number."""
        digits = value.denominator.bit_length() - 1
        self._value[number] = value
        self._numbers[value.numerator, digits] = number
        if not digits and value:
            self._integers[value < 0].append(number)

    def _record_nimber(self, number: int) -> None:
        """Record a new form with equal options for both players, if it is a nimber."""
        options = self.left[number]
        if len(options) == len(self._nimbers) and options == tuple(self._nimbers):
            self._heap[number] = len(self._nimbers)
            self._nimbers.append(number)
            self._negative[number] = number

    def _append_stops(self, left_stop: int, right_stop: int) -> None:
        """Append the stops of a form that is not a number."""
        self._left_stop.append(left_stop)
        self._right_stop.append(right_stop)
        self._high.append(self._high[left_stop])
        self._low.append(self._low[right_stop])

    def _finish(self, key: tuple[tuple[int, ...], tuple[int, ...]], number: int) -> None:
        """Record a new canonical form, whose options and stops have been appended."""
        birthday = self._birthday
        left, right = key
        birthday.append(1 + max([birthday[x] for x in left + right]) if left or right else 0)
        self._known[key] = number
        self._negative.append(-1)
        if left == right:
            self._record_nimber(number)

    def _number_of_options(self, left: tuple[int, ...], right: tuple[int, ...]) -> Fraction | None:
        """Return the number that is the form with canonical options, or None."""
        value = self._value
        first = value[left[0]] if len(left) == 1 else None
        second = value[right[0]] if len(right) == 1 else None
        if not right:
            return Fraction(0) if first is None else first + 1
        if not left:
            return None if second is None else second - 1
        if first is None or second is None or first >= second:
            return None
        return (first + second) / 2

    def _greatest_stop(self, left: tuple[int, ...]) -> int:
        """Return the greatest right stop of some forms, which is a left stop."""
        stops, low = self._right_stop, self._low
        best, size = stops[left[0]], low[left[0]]
        for x in left:
            if low[x] >= size and stops[x] != best and self.is_at_most(best, stops[x]):
                best, size = stops[x], low[x]
        return best

    def _least_stop(self, right: tuple[int, ...]) -> int:
        """Return the least left stop of some forms, which is a right stop."""
        stops, high = self._left_stop, self._high
        best, size = stops[right[0]], high[right[0]]
        for x in right:
            if high[x] <= size and stops[x] != best and self.is_at_most(stops[x], best):
                best, size = stops[x], high[x]
        return best

    def _simplify(self, left: tuple[int, ...], right: tuple[int, ...]) -> int:
        """Return the canonical form of options that are sorted."""
        if not left or not right:
            return self._simplest(left, right)
        left_stop, right_stop = self._greatest_stop(left), self._least_stop(right)
        high, low = self._high[left_stop], self._low[right_stop]
        if high <= low and (
            self._fits(left_stop, left, right)
            if left_stop == right_stop
            else self.is_at_most(left_stop, right_stop)
        ):
            return self._simplest(left, right)
        left, right = self._maxima(left), self._minima(right)
        number = self._known.get((left, right))
        if number is not None:
            return number
        # The game gets the next number for comparisons, and keeps it if the form is new.
        draft = self._draft = len(self.left)
        self.left.append(left)
        self.right.append(right)
        self._value.append(None)
        self._append_stops(left_stop, right_stop)
        try:
            left, right = self._bypass_left(draft, left), self._bypass_right(draft, right)
            number = self._known.get((left, right))
            if number is None:
                self.left[draft], self.right[draft] = left, right
                self._finish((left, right), draft)
                self._draft_keys.clear()
                return draft
        finally:
            if len(self) == draft:
                for column in (
                    self.left,
                    self.right,
                    self._value,
                    self._left_stop,
                    self._right_stop,
                    self._high,
                    self._low,
                ):
                    column.pop()
                for key in self._draft_keys:
                    self._order.pop(key, None)
                self._draft_keys.clear()
            self._draft = -1
        return number

    def _fits(self, x: int, left: tuple[int, ...], right: tuple[int, ...]) -> bool:
        """Return whether a number is at most no left option and at least no right option."""
        return not any(self.is_at_most(x, y) for y in left) and not any(
            self.is_at_most(y, x) for y in right
        )

    def _simplest(self, left: tuple[int, ...], right: tuple[int, ...]) -> int:
        """Return the form of a game that is a number: the simplest that fits its options."""
        lower = upper = -1
        has_lower = has_upper = False
        if left:
            lower = self._greatest_stop(left)
            has_lower = self._fits(lower, left, ())
        if right:
            upper = self._least_stop(right)
            has_upper = self._fits(upper, (), right)
        key = lower, upper, has_lower, has_upper
        number = self._between.get(key)
        if number is None:
            value = simplest_number(
                self._value[lower] if left else None,
                self._value[upper] if right else None,
                has_lower=has_lower,
                has_upper=has_upper,
            )
            number = self._between[key] = self.number(value)
        return number

    def _maxima(self, options: tuple[int, ...]) -> tuple[int, ...]:
        """Return the left options that no other dominates."""
        if len(options) == 1:
            return options
        at_most, high, low = self.is_at_most, self._high, self._low
        kept: list[int] = []
        for x in options:
            top, bottom = high[x], low[x]
            for y in kept:
                if top <= high[y] and bottom <= low[y] and at_most(x, y):
                    break
            else:
                kept = [y for y in kept if high[y] > top or low[y] > bottom or not at_most(y, x)]
                kept.append(x)
        return options if len(kept) == len(options) else tuple(kept)

    def _minima(self, options: tuple[int, ...]) -> tuple[int, ...]:
        """Return the right options that no other dominates."""
        if len(options) == 1:
            return options
        at_most, high, low = self.is_at_most, self._high, self._low
        kept: list[int] = []
        for x in options:
            top, bottom = high[x], low[x]
            for y in kept:
                if top >= high[y] and bottom >= low[y] and at_most(y, x):
                    break
            else:
                kept = [y for y in kept if high[y] < top or low[y] < bottom or not at_most(x, y)]
                kept.append(x)
        return options if len(kept) == len(options) else tuple(kept)

    def _bypass_left(self, game: int, options: tuple[int, ...]) -> tuple[int, ...]:
        """Return the left options of a game, reversible ones replaced as long as there are any."""
        at_most, high, low = self.is_at_most, self._high, self._low
        top, bottom = high[game], low[game]
        kept: list[int] = []
        seen = set(options)
        waiting = list(options)
        for option in waiting:
            for x in self.right[option]:
                if high[x] <= top and low[x] <= bottom and at_most(x, game):
                    fresh = [y for y in self.left[x] if y not in seen]
                    seen.update(fresh)
                    waiting += fresh
                    break
            else:
                kept.append(option)
        if len(kept) == len(options) == len(waiting):
            return options
        return self._maxima(tuple(sorted(kept)))

    def _bypass_right(self, game: int, options: tuple[int, ...]) -> tuple[int, ...]:
        """Return the right options of a game, reversible ones replaced while there are any."""
        at_most, high, low = self.is_at_most, self._high, self._low
        top, bottom = high[game], low[game]
        kept: list[int] = []
        seen = set(options)
        waiting = list(options)
        for option in waiting:
            for x in self.left[option]:
                if high[x] >= top and low[x] >= bottom and at_most(game, x):
                    fresh = [y for y in self.right[x] if y not in seen]
                    seen.update(fresh)
                    waiting += fresh
                    break
            else:
                kept.append(option)
        if len(kept) == len(options) == len(waiting):
            return options
        return self._minima(tuple(sorted(kept)))


def options_first(
    form: int, is_known: Callable[[int], bool], options_of: Callable[[int], Iterable[int]]
) -> Iterator[int]:
    """Yield the forms that are not known on the way to a form, each after its options.

    The caller makes each form known before it takes the next one. Games can be deep, so that this
    is no recursion.

    Args:
        form: the form, which comes last.
        is_known: whether a form is known.
        options_of: the options of a form that must be known before it.
    """
    stack = [form]
    while stack:
        number = stack[-1]
        unknown = [] if is_known(number) else [x for x in options_of(number) if not is_known(x)]
        if unknown:
            stack += unknown
            continue
        stack.pop()
        if not is_known(number):
            yield number


def copy_of(
    source: CanonicalForms, number: int, target: CanonicalForms, copies: dict[int, int]
) -> int:
    """Return the number in one collection of a form of another one, which is copied there.

    Args:
        source: the collection of the form.
        number: the form's number there.
        target: the collection that receives the form with its followers.
        copies: the numbers in the target of forms of the source; receives those that are copied.
    """
    for form in options_first(number, copies.__contains__, source.options):
        copies[form] = target.of_canonical_options(
            [copies[x] for x in source.left[form]], [copies[x] for x in source.right[form]]
        )
    return copies[number]


def _reduced(numerator: int, digits: int) -> tuple[int, int]:
    """Return the numerator and the binary digits of a fraction in lowest terms."""
    if not numerator:
        return 0, 0
    zeros = min((numerator & -numerator).bit_length() - 1, digits)
    return numerator >> zeros, digits - zeros


def _flat(lists: list[tuple[int, ...]]) -> tuple[_Integers, _Integers]:
    """Return lists as the starts of each and one array of all entries."""
    starts = np.zeros(len(lists) + 1, np.int64)
    np.cumsum(list(map(len, lists)), out=starts[1:])
    entries = np.fromiter(chain.from_iterable(lists), np.int64, int(starts[-1]))
    return starts, entries


def _lists(starts: npt.ArrayLike, entries: npt.ArrayLike) -> list[tuple[int, ...]]:
    """Return the lists of which ``_flat`` made arrays."""
    bounds: list[int] = np.asarray(starts, np.int64).tolist()
    numbers: list[int] = np.asarray(entries, np.int64).tolist()
    if not bounds or bounds[0] != 0 or bounds[-1] != len(numbers) or bounds != sorted(bounds):
        message = "the starts of the options do not ascend from 0 to their number"
        raise ValueError(message)
    return [tuple(numbers[i:j]) for i, j in pairwise(bounds)]
