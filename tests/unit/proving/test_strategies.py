"""Strategies are small: of moves that are as good, the one by which the fewest positions arise."""

from __future__ import annotations

import zermelo
from support.games.strategies import guided

#: Two roads win from the crossing, 2: 3, on which the opponent has many replies, and 4, with a
#: single one. They end in 5. Before the crossing comes a forced move, 0, with its reply, 1.
WIDE = 9
REPLIES = range(6, 6 + WIDE)
ROADS = [[1], [2], [3, 4], list(REPLIES), [6], [], *([5] for _ in REPLIES)]


def proved(root):
    """Return a proof by one thread with little memory, where the wide road looks better."""
    game = guided(ROADS, promises={3: 1}, root=root)
    return zermelo.prove(game, memory="50MB", threads=1)


def test_the_move_with_the_fewest_new_positions_is_taken():
    """The search likes the wide road better, and the strategy takes the narrow one."""
    strategy = proved(0).strategy()
    assert strategy[2] == 4
    assert len(strategy) == 3  # the start, the crossing, and where the only reply leads


def test_the_first_move_is_that_of_the_proof():
    """Of the first position the search has said which move, however many positions follow."""
    proof = proved(2)
    strategy = proof.strategy()
    assert strategy[2] == proof.best_move == 3
    assert len(strategy) == 1 + WIDE
