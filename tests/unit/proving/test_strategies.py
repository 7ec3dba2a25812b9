"""Strategies are small: of moves that are as good, the one by which the fewest positions arise."""

from __future__ import annotations

from dataclasses import dataclass

import zermelo
from zermelo import LOSS, Game


@dataclass(frozen=True)
class Roads(Game):
    """Two roads win: one on which the opponent has many replies, and one with a single reply.

    Places are the start, the reply to the only move, the crossing, the wide and the narrow road,
    the end, and from 10 on what the replies lead to.

    Attributes:
        forced: whether a forced move and its reply come before the crossing.
        wide: how many replies there are on the wide road.
    """

    forced: bool = True
    wide: int = 9

    def start(self):
        return 0 if self.forced else 2

    def outcome(self, place):
        return LOSS if place == 5 else None

    def moves(self, place):
        if place < 2:
            return [place + 1]
        if place == 2:
            return [3, 4]
        if place == 3:
            return [10 + reply for reply in range(self.wide)]
        return [10] if place == 4 else [5]

    def play(self, place, to):
        return to

    def promise(self, place, to):
        return -to


def proved(game):
    """Return a proof by one thread with little memory."""
    return zermelo.prove(game, memory="50MB", threads=1)


def test_the_move_with_the_fewest_new_positions_is_taken():
    """The search likes the wide road better, and the strategy takes the narrow one."""
    strategy = proved(Roads()).strategy()
    assert strategy[2] == 4
    assert len(strategy) == 3  # the start, the crossing, and where the only reply leads


def test_the_first_move_is_that_of_the_proof():
    """Of the first position the search has said which move, however many positions follow."""
    game = Roads(forced=False)
    proof = proved(game)
    strategy = proof.strategy()
    assert strategy[2] == proof.best == 3
    assert len(strategy) == 1 + game.wide
