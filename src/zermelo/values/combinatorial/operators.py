"""Cooling, heating, overheating and the Norton product of forms.

(Conway, On Numbers and Games, chapter 9; Berlekamp, Conway and Guy, Winning Ways, chapters 6 and 8;
Siegel, Combinatorial Game Theory, chapters II.5 to II.7.) Each form is computed from the results
for its options, with an explicit stack, as games can be deep.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from zermelo.values.combinatorial.canonical_forms import CanonicalForms, options_first
from zermelo.values.combinatorial.thermograph import Thermographs


def cooled(forms: CanonicalForms, form: int, tax: Fraction, thermographs: Thermographs) -> int:
    """Return a form cooled by a tax: each move costs its player the tax, until nobody would move.

    Args:
        forms: the forms.
        form: the number of the form.
        tax: the tax, at least -1; its denominator is a power of two.
        thermographs: the thermographs of the forms.
    """
    loss = forms.number(tax)

    def frozen(x: int) -> int | None:
        number = forms.number_of(x)
        is_integer = number is not None and number.denominator == 1
        if is_integer or tax > thermographs.temperature(x):
            return forms.number(thermographs.mean(x))
        return None

    return _mapped(forms, form, frozen, ([forms.negative(loss)], [loss]))


def heated(forms: CanonicalForms, form: int, heat: int) -> int:
    """Return a form heated by another: each move gains its player that much.

    Args:
        forms: the forms.
        form: the number of the form.
        heat: the form that is gained.
    """

    def frozen(x: int) -> int | None:
        return x if forms.number_of(x) is not None else None

    return _mapped(forms, form, frozen, ([heat], [forms.negative(heat)]))


def overheated(forms: CanonicalForms, form: int, unit: int, heat: int) -> int:
    """Return a form overheated: integers count units, and each move elsewhere gains the heat.

    Args:
        forms: the forms.
        form: the number of the form.
        unit: the form that replaces 1.
        heat: the form that a move gains.
    """
    return _mapped(forms, form, _multiple_of(forms, unit), ([heat], [forms.negative(heat)]))


def norton_product(forms: CanonicalForms, form: int, unit: int) -> int:
    """Return the Norton product of a form by a positive one.

    Args:
        forms: the forms.
        form: the number of the form.
        unit: the form of the positive game, which replaces 1.
    """
    negative = forms.negative(unit)
    incentives = {forms.sum(x, negative) for x in forms.left[unit]}
    incentives |= {forms.sum(unit, forms.negative(x)) for x in forms.right[unit]}
    gains = sorted({forms.sum(unit, incentive) for incentive in incentives})
    losses = [forms.negative(gain) for gain in gains]
    return _mapped(forms, form, _multiple_of(forms, unit), (gains, losses))


def _multiple_of(forms: CanonicalForms, unit: int) -> Callable[[int], int | None]:
    """Return a function that gives the multiple of a unit for an integer, otherwise None."""

    def multiple(x: int) -> int | None:
        number = forms.number_of(x)
        if number is None or number.denominator > 1:
            return None
        return forms.multiple(unit, int(number))

    return multiple


def _mapped(
    forms: CanonicalForms,
    form: int,
    frozen: Callable[[int], int | None],
    gains: tuple[list[int], list[int]],
) -> int:
    """Return the form in which each move gains its player something.

    Args:
        forms: the forms.
        form: the number of the form.
        frozen: the result for a form whose options do not matter, otherwise None.
        gains: what is added to the results for Left's options, an option for each, and to those
            for Right's.
    """
    results: dict[int, int] = {}

    def options_of(x: int) -> tuple[int, ...]:
        return forms.options(x) if frozen(x) is None else ()

    for number in options_first(form, results.__contains__, options_of):
        result = frozen(number)
        if result is None:
            result = forms.of_options(
                [forms.sum(results[x], gain) for x in forms.left[number] for gain in gains[0]],
                [forms.sum(results[x], gain) for x in forms.right[number] for gain in gains[1]],
            )
        results[number] = result
    return results[form]
