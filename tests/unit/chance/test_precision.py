"""The argument ``precision`` of a solve, and bounds that cannot be as close as asked."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from support.games.chance_games import HARD_CASES, SLOW_CASES, W, first, hard_case, lottery, roll
from support.oracles import expectations
from support.sizes import but
from zermelo import ParameterError, PrecisionError
from zermelo.games import TakeAway

METHODS = ("plain", "chance")
RARE = hard_case(roll((999, 0), (1, 1)), lottery(-1, 3), values=["-1/3", "-1/3"])


@pytest.mark.parametrize("method", but(METHODS, "chance"))
@pytest.mark.parametrize("precision", [1, 0.01, 1e-6, 1e-9, 1e-12])
def test_bounds_of_probabilities_are_as_close_as_asked(precision, method):
    """The bounds of a probability differ by the precision at most, and enclose the value."""
    hard = HARD_CASES["stakes of a gambler"]
    solution = zermelo.solve(hard.game, precision=precision, method=method)
    truth = expectations.solve(hard.game)
    bounds = {position: value.bounds for position, value in solution.items()}
    assert expectations.problem(truth, bounds, Fraction(2 * precision)) is None
    assert all(value.width <= precision for _, value in solution.items())
    assert solution.verify()


@pytest.mark.parametrize("precision", [0.01, 1e-6, 1e-12])
def test_bounds_of_margins_are_as_close_as_asked(precision):
    """The bounds of an expected margin differ by the precision times the greatest margin."""
    solution = zermelo.solve(HARD_CASES["die rolled twice"].game, precision=precision)
    assert all(value.width <= 6 * precision for _, value in solution.items())
    lower, upper = solution.value.bounds
    assert lower <= Fraction(17, 4) <= upper


@pytest.mark.parametrize("method", but(METHODS, "chance"))
def test_a_precision_out_of_reach_is_refused_with_one_that_is_not(method):
    """The error says which precision can be reached, and that one is."""
    with pytest.raises(PrecisionError, match=r"rounding adds up to .*, more than") as caught:
        zermelo.solve(RARE.game, precision=1e-14, method=method)
    possible = float(str(caught.value).rpartition("give precision=")[2])
    solution = zermelo.solve(RARE.game, precision=possible, method=method)
    assert 1e-14 < max(value.width for _, value in solution.items()) <= possible


@pytest.mark.slow
@pytest.mark.parametrize("numerator", range(1, 30, 3))
def test_each_precision_that_is_advised_suffices(numerator):
    """The advised precision is rounded up, not down."""
    game = hard_case(roll((37 * numerator, 0), (1, 1)), lottery(1, 1 + numerator)).game
    with pytest.raises(PrecisionError) as caught:
        zermelo.solve(game, precision=1e-16)
    zermelo.solve(game, precision=float(str(caught.value).rpartition("give precision=")[2]))


@pytest.mark.slow
def test_bounds_that_are_too_far_apart_for_a_table_are_refused():
    """Where a cycle is left once in 160,000 rolls, rounding adds up to more than a code holds."""
    game = hard_case(roll((399, 0), (1, 1)), roll((399, 0), (1, 2)), lottery(1, 2)).game
    with pytest.raises(PrecisionError, match="units, and a table has room for 131,071"):
        zermelo.solve(game)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SLOW_CASES))
def test_play_of_millions_of_rolls_is_refused_in_seconds(name):
    """Bounds that do not meet are given up after a number of passes."""
    with pytest.raises(PrecisionError, match="its bounds do not meet in 8,388,608 passes"):
        zermelo.solve(SLOW_CASES[name].game, method="chance")


@pytest.mark.parametrize(
    "precision", [0, -1e-6, 1.5, "1e-6", True, float("nan"), float("inf"), Fraction(1, 2)]
)
def test_a_wrong_precision_is_refused(precision):
    """What is not a number between 0 and 1 is refused with an example."""
    with pytest.raises(ParameterError, match="is not between 0 and 1; give a number such as 1e-6"):
        zermelo.solve(RARE.game, precision=precision)


def test_precision_changes_nothing_without_chance():
    """A game without chance has the same solution for each precision."""
    exact = zermelo.solve(TakeAway(8))
    assert dict(zermelo.solve(TakeAway(8), precision=0.5).items()) == dict(exact.items())


def test_less_precise_bounds_contain_more_precise_ones():
    """Rough bounds contain fine ones, as both enclose what the same steps find."""
    game = HARD_CASES["unfair walk of 20 steps"].game
    rough, fine = (zermelo.solve(game, precision=precision) for precision in (1e-3, 1e-9))
    for position, value in fine.items():
        assert rough[position].bounds[0] <= value.bounds[0]
        assert value.bounds[1] <= rough[position].bounds[1]


def test_bounds_that_are_dyadic_are_exact():
    """A value that is a whole multiple of the unit has no width."""
    solution = zermelo.solve(hard_case(first(1, W), lottery(1, 2)).game)
    assert solution[0].bounds == (1.0, 1.0)
    assert solution[1].bounds == (0.5, 0.5)
    assert solution[1].width == 0
