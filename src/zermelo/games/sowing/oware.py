"""Oware: Awari by the rules of tournaments."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.sowing.awari import Awari


@dataclass(frozen=True)
class Oware(Awari):
    """Awari as it is played in tournaments: a move that would capture everything takes nothing.

    All other rules are those of Awari. The stones that such a move sows stay on the board.

    Attributes:
        stones: the most stones on the board.
        pits: the pits on each side.
    """

    grand_slam = False

    facts = (
        Fact(
            {"stones": 6},
            positions=18564,
            win=8595,
            loss=8203,
            note="all positions of up to six stones",
            source=ENUMERATED,
        ),
    )
