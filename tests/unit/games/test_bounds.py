"""What games of the zoo say by ``bounds`` and ``enough`` is true of every small board."""

from __future__ import annotations

import functools
import random
from itertools import product
from operator import or_

import pytest

import zermelo
from support.sizes import some
from zermelo.games import (
    MNK,
    Breakthrough,
    ChessProblem,
    ConnectFour,
    Cram,
    Domineering,
    DotsAndBoxes,
    Hex,
    Othello,
)
from zermelo.games.territory.dots_and_boxes import Strokes
from zermelo.rules.hooks import Rules

#: Boards of each kind of shape, and each variant.
GAMES = [
    *(Cram(*size) for size in ((3, 4), (4, 3), (3, 3), (3, 5), (4, 4), (2, 5), (5, 2), (1, 5))),
    *(Domineering(rows, columns) for rows, columns in ((3, 4), (4, 3), (4, 4), (3, 5))),
    Domineering(4, 4, "horizontal"),
    *(MNK(3, columns, 3) for columns in (3, 4)),
    *(MNK(2, 6, 3), MNK(3, 4, 3, weak=True), MNK(3, 4, 3, line_loses=True)),
    *(Hex(rows, columns) for rows, columns in ((2, 3), (3, 2), (3, 3), (3, 4), (4, 3))),
    Hex(3, 3, loses=True),
    *(Breakthrough(rows, columns, 1) for rows, columns in ((4, 2), (5, 2), (4, 3))),
    Breakthrough(4, 3, 2),
    ConnectFour(4, 4, 3),
    *(DotsAndBoxes(rows, columns) for rows, columns in ((1, 3), (2, 2), (2, 3))),
    *(Othello(), Othello(fewest=True), Othello(parallel=True)),
]


@pytest.mark.parametrize("game", some(GAMES, 60, 5), ids=str)
def test_bounds_hold_the_value(game):
    """In every position in which the game is not over, and they are sharp in some."""
    solution, rules = zermelo.solve(game), Rules(game)
    said = set()
    for position in solution:
        if rules.terminal(position) is None:
            value, (low, high) = solution[position], game.bounds(position)
            worth = value.outcome if value.score is None else value.score
            assert low <= worth <= high, game.show(position)
            said.add((low, high))
    # On three by three cells of Cram, dominoes never make a board that half a turn leaves alone.
    dull = game == Cram(3, 3) or getattr(game, "loses", False) or getattr(game, "line_loses", False)
    assert len(said) > 1 or dull


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        (2, 2),
        *(pytest.param(*size, marks=pytest.mark.slow) for size in ((1, 3), (1, 4), (2, 3))),
    ],
)
def test_one_of_enough_moves_of_dots_and_boxes_is_best(rows, columns):
    """In every set of lines, whether or not play comes to it; and there are fewer of them."""
    game, known, some, all_ = DotsAndBoxes(rows, columns), {}, 0, 0
    for drawn in reversed(range((1 << game.lines) - 1)):
        position = Strokes(drawn, 0)
        worths = {}
        for line in game.moves(position):
            gain, worth = game.gain(position, line), known.get(drawn | 1 << line, 0)
            worths[line] = gain + worth if gain else -worth
        enough = list(game.enough(position))
        known[drawn] = max(worths.values())
        low, high = game.bounds(position)
        assert low <= known[drawn] <= high, game.show(position)
        assert max(worths[line] for line in enough) == known[drawn], game.show(position)
        some, all_ = some + len(enough), all_ + len(worths)
    assert some < all_ / 2


@pytest.mark.parametrize(("rows", "columns"), [(3, 4), (4, 3), (6, 6)])
def test_steps_and_bridges_of_hex_are_found_together(rows, columns):
    """From any cells at once, as from each cell to each other that it has a bridge to."""
    game, rng = Hex(rows, columns), random.Random(rows)
    for _ in range(300):
        cells, free = (rng.getrandbits(game.cells) for _ in range(2))
        cells &= rng.getrandbits(game.cells)
        each = [cell for cell in range(game.cells) if cells >> cell & 1]
        joined = [game.near[cell] for cell in each] + [
            1 << other
            for cell, other in product(each, range(game.cells))
            if game.beyond[cell] >> other & 1 and not game.near[cell] & game.near[other] & ~free
        ]
        assert game.joinable(cells, free) == functools.reduce(or_, joined, 0)


@pytest.mark.slow
def test_bounds_of_chess_hold_the_value():
    """A king and a bishop never win, and a king alone may be lost."""
    for fen in ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/KB6 w - - 0 1"):
        game = ChessProblem(fen)
        solution = zermelo.solve(game)
        for position in list(solution)[::100]:
            low, high = game.bounds(position)
            assert low <= solution[position].outcome <= high, game.show(position)
