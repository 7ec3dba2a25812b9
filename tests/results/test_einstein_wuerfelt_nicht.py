"""EinStein würfelt nicht with three stones each: the chance to win, between certified bounds."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import EinsteinWuerfeltNicht

#: The probabilities by a program in C++ that shares no code with Zermelo, by the cells of a row.
KNOWN = {3: 170 / 243, 4: 0.551234878029386, 5: 0.567767142640152}


@pytest.mark.parametrize(
    "size",
    [
        pytest.param(3, marks=pytest.mark.slow),
        pytest.param(4, marks=pytest.mark.huge),
        pytest.param(5, marks=pytest.mark.huge),
    ],
)
def test_the_chance_to_win_with_three_stones(size):
    """The bounds enclose the value of the other program, and the certificate holds."""
    game = EinsteinWuerfeltNicht(size, 3, keep_throws=False)
    solution = zermelo.solve(game, memory="5GB")
    lower, upper = solution.value.probability
    assert lower - 1e-13 <= KNOWN[size] <= upper + 1e-13
    assert upper - lower < 1e-9
    assert solution.verify()
