"""Konane on five rows, and Sim on seven points, by search."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import Konane, Sim


@pytest.mark.parametrize(
    ("rows", "columns"),
    [pytest.param(4, 5, marks=pytest.mark.slow), pytest.param(5, 6, marks=pytest.mark.huge)],
)
def test_white_wins(rows, columns):
    """White wins, who removes the second stone, by a strategy that is followed to the end."""
    proof = zermelo.prove(Konane(rows, columns))
    assert str(proof) == "loss"
    assert proof.verify()


@pytest.mark.huge
def test_a_triangle_of_seven_points():
    """If a triangle wins, the first player completes one within seven plies, as on six points."""
    proof = zermelo.prove(Sim(7, "wins"), remoteness=True)
    assert str(proof) == "win in 7"
    assert proof.verify()
