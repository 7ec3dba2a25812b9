"""The nimbers of spots in Sprouts, by search, with proofs that are verified."""

from __future__ import annotations

import pytest

import zermelo
from zermelo.games import Sprouts

#: The nimbers of 1 spot, 2 spots and so on: Lemoine and Viennot 2010, arXiv 1008.2320.
NIMBERS = 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0


@pytest.mark.compiled
@pytest.mark.parametrize(
    "most",
    [pytest.param(5, marks=pytest.mark.slow), pytest.param(18, marks=pytest.mark.huge)],
)
def test_spots_have_the_published_nimbers(most: int) -> None:
    """The rules are compiled once; a game of fewer spots is a position of one of more."""
    game = Sprouts(most)
    for spots, expected in enumerate(NIMBERS[:most], start=1):
        position = game.parse(".".join("0" * spots) + "}")
        proof = zermelo.prove(game, position=position, ask="nimber")
        assert proof.value.nimber == expected, spots
        assert proof.verify(), spots
