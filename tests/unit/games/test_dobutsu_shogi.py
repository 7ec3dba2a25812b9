"""Dobutsu shogi: the full game has the published value and counts."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import DobutsuShogi
from zermelo.values.outcomes import LOSS, WIN


@pytest.mark.huge
def test_the_full_game_has_the_published_counts():
    """The second player wins in 78 plies, of which the last takes the lion (T. Tanaka 2009)."""
    solution = zermelo.solve(DobutsuShogi(drops=True))
    assert (solution.value.outcome, solution.value.remoteness) == (LOSS, 77)
    counts = solution.counts(folded=True)
    assert (counts.positions, counts.draw) == (246_803_167, 2_682_700)


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("g l e / . c . / . L . / E . G / second to move", WIN),  # the chick may take it
        ("g l e / . . c / . L . / E . G / second to move", None),
        (". L . / . . . / l . . / . . . / second to move", LOSS),  # safe on the far row
        ("l L . / . . . / . . . / . . . / second to move", WIN),  # not safe there
    ],
)
def test_how_a_game_ends(text, outcome):
    """A lion that can be taken is lost; one that is safe on the far row has won."""
    game = DobutsuShogi()
    assert game.outcome(game.parse(text)) == outcome


def test_a_hen_is_a_chick_in_hand_and_is_dropped_as_one():
    """What is taken changes sides, and a hen loses its rank."""
    game = DobutsuShogi(drops=True)
    before = game.parse("l . . / . . h / . . G / . L . / first to move")
    after = game.play(before, (8, 5))
    assert after.first == (0, 0, 1)
    waiting = game.play(after, (0, 3))
    assert "C*b3" in [game.name(move) for move in game.moves(waiting)]
    assert game.show(game.play(waiting, (14, 4))).split("\n")[1] == "l C G"


def test_chicks_become_hens_on_the_far_row_unless_dropped_there():
    """A step makes a hen of a chick, and a drop does not."""
    game = DobutsuShogi(drops=True)
    stepped = game.play(game.parse(". . . / C . l / . . . / . L . / first to move"), (3, 0))
    assert game.show(stepped).startswith("H")
    held = game.parse(". . . / . . l / . . . / . L . / in hand: C / first to move")
    assert game.show(game.play(held, (14, 0))).startswith("C")
