"""Games whose published values turn on a rule."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import Achi, Picaria, SixMensMorris, ThreeMensMorris


@pytest.mark.parametrize(
    ("game", "value"),
    [
        pytest.param(Achi(), "win in 11", marks=pytest.mark.slow),
        pytest.param(Achi(blocked="tie"), "win in 11", marks=pytest.mark.huge),
        pytest.param(ThreeMensMorris("lines"), "win in 9", marks=pytest.mark.huge),
        pytest.param(ThreeMensMorris("king"), "endless draw", marks=pytest.mark.slow),
        pytest.param(Picaria(), "win in 5", marks=pytest.mark.huge),
        pytest.param(Picaria(centre=False), "win in 7", marks=pytest.mark.huge),
        pytest.param(SixMensMorris(3), "endless draw", marks=pytest.mark.huge),
    ],
    ids=repr,
)
def test_value_and_certificate(game, value):
    """The value is that of the page, and every value follows from the next ones."""
    solution = zermelo.solve(game)
    assert str(solution.value) == value
    assert solution.verify()


@pytest.mark.huge
@pytest.mark.parametrize(
    ("game", "counts"),
    [
        (SixMensMorris(6), (23_392_364, 15_520_996, 3_459_385)),
        (SixMensMorris(6, protected=False), (23_864_172, 15_525_200, 3_156_189)),
        (SixMensMorris(6, flying=True), (10_137_394, 4_935_438, 27_311_113)),
    ],
    ids=repr,
)
def test_six_mens_morris(game, counts):
    """It is a draw by each reading, with the numbers of wins, losses and draws of the page."""
    solution = zermelo.solve(game)
    assert str(solution.value) == "endless draw"
    found = solution.counts()
    assert (found.win, found.loss, found.draw) == counts
    assert solution.verify()
