"""Games whose symmetries change several things at once: frames that slide, boards of boards."""

from __future__ import annotations

from itertools import islice

import pytest

import zermelo
from zermelo.games import ShiftTacToe, UltimateTicTacToe


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "classes"),
    [
        (ShiftTacToe(), 27_243),
        pytest.param(UltimateTicTacToe(), 42_080, marks=pytest.mark.huge),
    ],
    ids=str,
)
def test_equivalent_positions_are_kept_once(game, classes):
    """A fourth and an eighth of all, with the same counts and values."""
    folded, whole = zermelo.solve(game), zermelo.solve(game, symmetry=False)
    assert len(folded) == classes
    assert folded.counts() == whole.counts()
    for position, value in islice(whole.items(), 0, None, 11):
        assert folded[position] == value


@pytest.mark.huge
def test_large_boards_are_turned_along_with_small_ones():
    """Three by three boards are too many to solve, but images have images of their moves."""
    assert zermelo.check(UltimateTicTacToe(3, 3)).ok
