"""Games whose published values turn on a rule."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import Achi, Picaria, ThreeMensMorris


@pytest.mark.parametrize(
    ("game", "value"),
    [
        (Achi(), "win in 11"),
        (Achi(blocked="tie"), "win in 11"),
        (ThreeMensMorris(steps_along="lines"), "win in 9"),
        (ThreeMensMorris(steps_along="king"), "endless draw"),
        pytest.param(Picaria(), "win in 5", marks=pytest.mark.slow),
        pytest.param(Picaria(centre=False), "win in 7", marks=pytest.mark.slow),
    ],
    ids=repr,
)
def test_value_and_certificate(game, value):
    """The value is that of the page, and every value follows from the next ones."""
    solution = zermelo.solve(game)
    assert str(solution.value) == value
    assert solution.verify()
