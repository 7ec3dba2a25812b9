"""Numbers of things in words, of which one is not several."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.forms.quantities import count_phrase, every_phrase
from zermelo.games import TakeAway


@pytest.mark.parametrize(
    ("number", "what", "said"),
    [
        (1, "positions", "1 position"),
        (1, "classes of positions", "1 class of positions"),
        (1, "safe moves", "1 safe move"),
        (1, "vertices", "1 vertex"),
        (0, "plies", "0 plies"),
        (5478, "positions", "5,478 positions"),
    ],
)
def test_one_thing_is_counted_in_the_singular(number, what, said):
    """The noun before "of" is the one that is counted."""
    assert count_phrase(number, what) == said


def test_all_of_one_thing_is_the_only_one():
    """It reads as a sentence too: the only position is right."""
    assert every_phrase(1, "positions") == "the only position"
    assert every_phrase(3, "positions") == "all 3 positions"


def test_a_game_of_one_position_is_told_in_the_singular():
    """What a solution, its counts and its certificate say of it."""
    solution = zermelo.solve(TakeAway(0))
    assert repr(solution.counts()) == "<Counts of 1 position: 0 win, 0 draw, 1 loss>"
    assert "1 position: " in repr(solution)
    assert str(solution.verify()).startswith("the only position is right: checked along 0 moves")
