"""Heating, overheating and the Norton product: their laws, known results, and their domains."""

from __future__ import annotations

from fractions import Fraction

import pytest

from support.combinatorial_values import random_values
from support.sizes import some
from zermelo import CombinatorialValue, CombinatorialValueError

parse = CombinatorialValue.parse


@pytest.mark.parametrize(
    ("game", "heat", "wanted"),
    [
        ("*", 1, "±1"),
        ("*", "3/2", "±3/2"),
        ("3/4", 5, "3/4"),
        ("1*", 2, "{3|-1}"),
        ("↑", 1, "{1||0|-2}"),
        ("*2", 1, "{1,±1 + 1|-1,±1 - 1}"),
        ("*", "↑", "{↑|↓}"),
        ("±1", 0, "±1"),
    ],
)
def test_heating_gains_each_player_a_move(game, heat, wanted):
    """Numbers are not changed."""
    heat = parse(heat) if isinstance(heat, str) else heat
    assert parse(game).heated(heat) == parse(wanted)


def test_heating_depends_on_the_canonical_form():
    """The heat of a sum is not the sum of the heats, as moves in numbers are left out."""
    a, b = parse("1/2*"), parse("{3|1/2*}")
    assert (a + b).heated(3) != a.heated(3) + b.heated(3)
    assert (a + a).heated(3) == a.heated(3) + a.heated(3) == 1


def test_a_heated_infinitesimal_has_that_temperature_and_is_restored_by_cooling():
    """Go endings are infinitesimals warmed by 1, and chilling undoes that."""
    values = [value for value in random_values(12, 800) if value.is_infinitesimal]
    values += random_values(12, 200, is_all_small=True)
    assert len(values) > 250
    for number, value in enumerate(values):
        heat = Fraction(1 + number % 9, 4)
        hot = value.heated(heat)
        assert hot.cooled(heat) == value
        assert hot.mean == 0
        assert hot.temperature == (heat if value != 0 else -1)


def test_a_switch_cooled_by_its_temperature_is_a_star():
    """And above that it is its mean, an ordinary number."""
    switch = parse("{5|2}")
    assert switch.cooled(1) == parse("{4|3}")
    assert switch.cooled(Fraction(3, 2)) == parse("7/2*")
    assert switch.cooled(2) == Fraction(7, 2)
    assert parse("-3").cooled(-1) == -3
    assert parse("1/2").cooled(-1) == parse("{1|0}")
    assert parse("1/2").cooled(0) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("game", "unit", "wanted"),
    [
        ("3", "↑", "↑3"),
        ("-2", "↑", "⇓"),
        ("*", "↑", "{⇑*|⇓*}"),
        ("1/2", "↑", "{⇑*|↓*}"),
        ("±1", "1/2", "±1/2"),
        ("0", "5", "0"),
    ],
)
def test_products_with_known_units(game, unit, wanted):
    """A multiple of the unit for an integer, and otherwise a move is worth more than the unit."""
    assert parse(game).norton_product(parse(unit)) == parse(wanted)


@pytest.mark.parametrize("unit", some(["{2|1/2}", "1", "1/2", "↑", "1*", "Tiny(2)", "↑ + *2"], 4))
def test_products_add_and_keep_the_order(unit):
    """(G + H)·U is G·U + H·U, and G <= H exactly if G·U <= H·U, on random games."""
    positive = parse(unit)
    values = random_values(13, 40, most=2)
    products = [value.norton_product(positive) for value in values]
    for number, (a, x) in enumerate(zip(values, products, strict=True)):
        assert (-a).norton_product(positive) == -x
        for b, y in list(zip(values, products, strict=True))[number % 5 :: 5]:
            assert (a + b).norton_product(positive) == x + y
            assert (a <= b) == (x <= y)


def test_products_with_one_and_with_one_star():
    """1 changes nothing, and 1* overheats from 1* to 1."""
    for value in random_values(14, 100):
        assert value.norton_product(1) == value
        assert value.norton_product(parse("1*")) == value.overheated(parse("1*"), 1)


def test_overheating_counts_units_and_heats_other_moves():
    """From 1 by any heat it is heating, except that fractions are heated as well."""
    assert parse("3").overheated(2, 5) == 6
    assert parse("1/2").overheated(1, 1) == parse("{1|0}")
    assert parse("*").overheated(parse("↑"), 3) == parse("±3")
    assert parse("-2").overheated(parse("↑"), 3) == parse("⇓")
    assert parse("{3|*}").overheated(1, 2) == parse("{3|*}").heated(2)


@pytest.mark.parametrize(
    ("work", "fault"),
    [
        (lambda value: value.cooled(Fraction(1, 3)), "'1/3' is not the value of a short game"),
        (lambda value: value.cooled(-2), "cooled by '-2'; give a tax of at least -1"),
        (lambda value: value.heated(-1), "heated by '-1'; give a heat of at least 0, or cool it"),
        (lambda value: value.heated(parse("*")), "heated by '\\*'; give a heat of at least 0"),
        (lambda value: value.norton_product(0), "'0' is not the unit of a product; give"),
        (lambda value: value.norton_product(parse("±1")), "'±1' is not the unit of a product"),
        (lambda value: value.norton_product(Fraction(1, 3)), "'1/3' is not the value of a short"),
    ],
)
def test_other_arguments_are_refused(work, fault):
    """With the number, and what may be given."""
    with pytest.raises(CombinatorialValueError, match=fault):
        work(parse("{2|0}"))
