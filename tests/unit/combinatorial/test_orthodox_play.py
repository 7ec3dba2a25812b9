"""Orthodox moves, and play of sums by temperature."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from support.combinatorial_values import random_values
from zermelo import (
    CombinatorialValue,
    CombinatorialValueError,
    hotstrat,
    rank_by_temperature,
    sentestrat,
)

parse = CombinatorialValue.parse


def parsed(*texts):
    """Return the values that texts name."""
    return [parse(text) for text in texts]


def test_orthodox_options_attain_the_left_wall():
    """Up to the temperature there is one, above there is none."""
    for value in random_values(31, 300):
        graph = value.thermograph
        for t in (*graph.breakpoints, graph.temperature / 2):
            options = value.orthodox_options(t)
            if not value.is_integer and t <= value.temperature:
                assert options
            for option in options:
                assert option in value.left
                assert option.thermograph.right_wall(t) - t == graph.left_wall(t)
        assert value.orthodox_options() == value.orthodox_options(value.temperature)
        assert value.orthodox_options(value.temperature + 1) == ()


def test_the_orthodox_option_depends_on_the_temperature():
    """A threat is worth making only if it is answered."""
    value = parse("{1,{5|0}|-4}")
    assert value.orthodox_options(0) == (parse("1"),)
    threat = parse("{{9|2},3|-5}")
    assert threat.orthodox_options(0) == (parse("3"),)
    sente = parse("{{9|2},1|-5}")
    assert sente.orthodox_options(0) == (parse("{9|2}"),)


def test_components_are_ranked_by_temperature():
    """The hottest first, equally hot ones in order."""
    values = parsed("*", "±1", "1/2", "{9|1}", "↑", "3", "±1")
    assert rank_by_temperature(values) == [3, 1, 6, 0, 4, 2, 5]
    assert rank_by_temperature([]) == []


def test_hotstrat_moves_in_the_hottest_component():
    """In which Left can move; in a number only if nothing else is left."""
    move = hotstrat(parsed("±1", "{3|-3}", "*"))
    assert (move.component, move.option, move.temperature) == (1, 3, 3)
    assert hotstrat(parsed("-1", "5", "1/2")) == (2, parse("0"), Fraction(-1, 2))
    assert hotstrat(parsed("-1", "5")) == (1, parse("4"), -1)
    assert hotstrat(parsed("-1", "0")) is None
    assert hotstrat([]) is None


def test_hotstrat_is_exact_in_sums_of_switches():
    """Both players then reach the stop of the sum."""
    random = Random(32)
    for _ in range(60):
        pairs = [(random.randint(-9, 9), random.randint(0, 9)) for _ in range(random.randint(1, 6))]
        values = [CombinatorialValue.of_options([a + b], [a - b]) for a, b in pairs]
        values = [value for value in values if value.is_hot]
        total = sum(values, start=CombinatorialValue.of_number(0))
        is_left = True
        while any(value.is_hot for value in values):
            if not is_left:
                values = [-value for value in values]
            move = hotstrat(values)
            values[move.component] = move.option
            if not is_left:
                values = [-value for value in values]
            is_left = not is_left
        assert sum(values, start=CombinatorialValue.of_number(0)) == total.left_stop


def test_sentestrat_answers_above_the_ambient_temperature():
    """Although another component is hotter, which Right has left alone so far."""
    values = parsed("±5", "±3", "*")
    assert sentestrat(values, 1, 2) == (1, parse("3"), 3)
    assert sentestrat(values, 1, 3) == hotstrat(values) == (0, parse("5"), 5)
    assert sentestrat(values, 2, -1) == (2, parse("0"), 0)
    assert sentestrat(parsed("-1", "2"), 0, -1) == (1, parse("1"), -1)


def test_sentestrat_refuses_other_arguments():
    """A place beyond the components, and a temperature below -1."""
    with pytest.raises(CombinatorialValueError, match="no component 1; give a place below 1"):
        sentestrat(parsed("*"), 1, 0)
    with pytest.raises(CombinatorialValueError, match="temperature '-2'; give one of at least -1"):
        sentestrat(parsed("*"), 0, -2)
