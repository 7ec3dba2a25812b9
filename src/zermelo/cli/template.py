"""The file that ``zermelo new`` writes."""

from __future__ import annotations

#: The game. ``$name`` is the module, ``$kind`` the class.
GAME = '''\
"""A template for a game: change the rules into yours.

    zermelo check $name.py     does the class keep the contract?
    zermelo solve $name.py     who wins, how fast, and by which moves?
"""

from dataclasses import dataclass
from typing import NamedTuple

from zermelo import Game


class Position(NamedTuple):
    """Everything needed to continue the game. Fields are integers, or tuples of integers."""

    stones: int  # stones left in the heap
    last: int  # how many were taken in the move before; 0 at the start


@dataclass(frozen=True)
class $kind(Game):
    """Take stones from a heap, but never as many as the last move; a player who cannot move loses.

    Attributes:
        stones: stones in the heap at the start.
        most: the most stones a move may take.
    """

    # Parameters: whole numbers, strings, lists (of lists) of numbers. Each is an option of the
    # command: zermelo solve $name.py --stones 30
    stones: int = 20
    most: int = 3

    # The rules. These three are required. They are ordinary Python, and compiled for solving:
    # compute with integers, tuples, for, while and if; no strings, floats, dicts or try here.

    def start(self):
        return Position(self.stones, 0)

    def moves(self, position):
        for taken in range(1, min(self.most, position.stones) + 1):
            if taken != position.last:
                yield taken

    def play(self, position, taken):
        return Position(position.stones - taken, taken)

    # A player who cannot move has lost. If your game is different, use
    #
    #   no_moves = WIN         (or DRAW) in the class: the outcome of a position without moves
    #   outcome(position)      WIN, DRAW or LOSS for the player to move, None if not over
    #
    # and import WIN, DRAW and LOSS from zermelo. Here the players take turns, and a position is
    # from the point of view of the player to move. If one player may move twice, or the two have
    # different rules, store whose turn it is in the position and write
    #
    #   turn(position)         0 or 1
    #   winner(position)       0, 1 or NOBODY, None if not over; instead of outcome
    #   players = ("fox", "hounds")      in the class: the names of the players
    #   endless = 0            (or 1) in the class: who wins if the game never ends
    #
    # For points instead of winning and losing:
    #
    #   gain(position, move)   the points that the player gets for the move
    #   score(position)        the margin for the player to move when the game is over

    # What follows is optional.

    def space(self):
        # One range per field. Positions then take less memory.
        return Position(range(self.stones + 1), range(self.most + 1))

    def validate(self):
        # Called when a game is created: raise zermelo.ParameterError for invalid parameters.
        pass

    def show(self, position):
        return f"{position.stones} stones, {position.last} taken last"

    def name(self, taken):
        return f"take {taken}"
'''

#: Its test.
TEST = '''\
"""Tests of $name. Run them with pytest."""

import zermelo
from $name import $kind, Position


def test_the_class_keeps_the_contract():
    report = zermelo.check($kind())
    assert report.ok, str(report)


def test_every_value_follows_from_those_after_it():
    assert zermelo.solve($kind()).verify()


def test_what_can_be_worked_out_by_hand():
    solution = zermelo.solve($kind(stones=5, most=3))
    # With 3 stones, take all 3 and the other cannot move; unless 3 were taken last.
    assert solution[Position(3, 2)] == zermelo.Value(zermelo.WIN, remoteness=1)
    # With 2 stones after 2 were taken, only 1 can be, and then 1 more cannot.
    assert solution[Position(1, 1)] == zermelo.Value(zermelo.LOSS, remoteness=0)
'''
