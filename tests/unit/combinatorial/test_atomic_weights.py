"""Atomic weights: known ones, and by the far star on random all-small games."""

from __future__ import annotations

import pytest

from support.combinatorial_values import random_values
from support.sizes import counts
from zermelo import CombinatorialValue, CombinatorialValueError

parse = CombinatorialValue.parse
UP = parse("↑")


def is_weight(value, weight):
    """Return whether value - weight·↑ is between ↓ and ↑ beside a heap larger than all in it.

    That determines the weight (Siegel, Combinatorial Game Theory, 2013, chapter II.7).
    """
    rest = value - weight.norton_product(UP)
    star = parse(f"*{2 << rest.birthday.bit_length()}")
    return -UP + star <= rest <= UP + star


@pytest.mark.parametrize(
    ("text", "weight"),
    [
        ("0", "0"),
        ("*", "0"),
        ("*7", "0"),
        ("↑", "1"),
        ("↓*", "-1"),
        ("⇑*", "2"),
        ("↑5*3", "5"),
        ("{0|⇑}", "3"),
        ("{0||0|⇑*}", "4"),
        ("{0,*|⇑}", "3"),
        ("{⇑*|0}", "1"),
        ("{⇑|⇓}", "*"),
        ("{↑3|↓3}", "±1"),
        ("{↑3|*}", "3/2"),
        ("{↑3|↓}", "{1|1}"),
        ("{↑|↓}", "0"),
        ("↑²", "0"),
    ],
)
def test_known_weights(text, weight):
    """Recalled or by hand; each is checked by the definition."""
    value = parse(text)
    assert value.atomic_weight == value.find_atomic_weight() == parse(weight)
    assert is_weight(value, value.atomic_weight)


@counts(None, 400)
def test_random_games_have_the_weights_of_the_definition(count):
    """Eccentric cases included, in which more than one integer fits between the options."""
    values = random_values(21, count, is_all_small=True)
    eccentric = 0
    for value in values:
        weight = value.atomic_weight
        assert is_weight(value, weight), value
        sides = (
            [option.atomic_weight - 2 for option in value.left],
            [option.atomic_weight + 2 for option in value.right],
        )
        simplest = CombinatorialValue.of_options(*sides)
        assert weight == simplest or simplest.is_integer
        eccentric += weight != simplest
    assert eccentric > count // 10


def test_weights_of_games_add_and_keep_the_order():
    """The weight of a sum is the sum of the weights."""
    values = random_values(22, 120, is_all_small=True)
    for a, b in zip(values, reversed(values), strict=True):
        assert (a + b).atomic_weight == a.atomic_weight + b.atomic_weight
        assert not a <= b or a.atomic_weight <= b.atomic_weight


def test_two_ups_ahead_wins():
    """A game of weight at least 2 is positive, of 1 at least not negative or confused for ever."""
    for value in random_values(23, 400, is_all_small=True):
        weight = value.atomic_weight
        assert not weight >= 2 or value > 0
        assert not weight >= 1 or not value <= 0
        assert not weight <= -2 or value < 0


@pytest.mark.parametrize("text", ["1", "-1/2", "±1", "{2|0}", "Tiny(1)", "1↑", "{↑|1}"])
def test_other_games_have_no_weight(text):
    """A position in which only one player can move counts more than any number of ups."""
    value = parse(text)
    assert not value.is_all_small
    assert value.find_atomic_weight() is None
    with pytest.raises(CombinatorialValueError, match="is not all-small, so that it has no"):
        _ = value.atomic_weight


def test_weights_of_deep_games_take_no_recursion():
    """A thousand ups, and a large heap."""
    assert parse("↑700*").atomic_weight == 700
    assert parse("*1023").atomic_weight == 0
    assert CombinatorialValue.of_number(3000).find_atomic_weight() is None
