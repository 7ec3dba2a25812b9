"""Estimates of how many positions a board has, and the refusal of what is hopeless."""

from __future__ import annotations

import time

import pytest

import zermelo
from zermelo import BudgetError
from zermelo._methods.placement.estimate import estimated_positions
from zermelo.games import ConnectFour, WildTicTacToe


@pytest.mark.parametrize(
    "game",
    [
        ConnectFour(**fact.parameters)
        for fact in ConnectFour.facts
        if fact.positions is not None and set(fact.parameters) == {"width", "height"}
    ],
    ids=str,
)
def test_estimates_are_near_what_is_published(game):
    """Up to a factor of three, from 12,031 to 4,531,985,219,092 positions."""
    published = next(
        fact.positions
        for fact in ConnectFour.facts
        if fact.parameters == {"width": game.width, "height": game.height}
    )
    assert published / 3 <= estimated_positions(game) <= published * 3


def test_marks_that_are_shared_have_no_estimate():
    """Whoever put a mark there does not matter, and the count would be another."""
    assert estimated_positions(WildTicTacToe()) is None


def test_a_hopeless_board_is_refused_at_once():
    """With the estimate and what to do; it would otherwise explore for days."""
    began = time.process_time()
    with pytest.raises(BudgetError, match=r"has about .e.12 positions, estimated from a sample"):
        zermelo.solve(ConnectFour(width=7, height=6))
    assert time.process_time() - began < 20


def test_a_large_board_of_few_positions_is_solved():
    """Two in a row are soon there: not the board is refused, but what there is to solve."""
    assert zermelo.solve(ConnectFour(width=7, height=6, length=2)).value.outcome is zermelo.WIN
