"""Endings of Othello on six by six squares, beside a search that shares no code with Zermelo."""

from __future__ import annotations

import random
from typing import Any

import pytest

import zermelo
from support.sizes import counts
from zermelo.games import Othello
from zermelo.games.territory.othello import PASS

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

SIZE = 6
#: A board with a border: squares of a list, in rows of eight.
WIDE = SIZE + 2
STEPS = [-1, 1, -WIDE, WIDE, -WIDE - 1, -WIDE + 1, WIDE - 1, WIDE + 1]
EMPTY, BLACK, WHITE, BORDER = range(4)


def ending(seed: int, empty: int) -> Any:
    """Return a position with so few empty squares, from a game of moves at random."""
    game, rng = Othello(SIZE, SIZE), random.Random(seed)
    while True:
        position = game.start()
        while moves := list(game.moves(position)):
            discs = (position.mine | position.theirs).bit_count()
            if SIZE * SIZE - discs == empty and moves != [PASS]:
                return position
            position = game.play(position, rng.choice(moves))


def listed(position: Any) -> tuple[list[int], int]:
    """Return the squares of a position with a border around them, and the colour to move."""
    squares = [BORDER] * WIDE * WIDE
    own = WHITE if position.player else BLACK
    for cell in range(SIZE * SIZE):
        mark = own if position.mine >> cell & 1 else BLACK + WHITE - own
        filled = (position.mine | position.theirs) >> cell & 1
        squares[(cell // SIZE + 1) * WIDE + cell % SIZE + 1] = mark if filled else EMPTY
    return squares, own


def turned(squares: list[int], at: int, own: int) -> list[int]:
    """Return the squares whose discs a disc of a colour turns."""
    found: list[int] = []
    for step in STEPS if squares[at] == EMPTY else ():
        reach = at + step
        while squares[reach] == BLACK + WHITE - own:
            reach += step
        if squares[reach] == own:
            found += range(at + step, reach, step)
    return found


def margin(squares: list[int], own: int, low: int, high: int) -> int:
    """Return the score for a colour, by alpha-beta without a table, where it is between bounds."""
    other = BLACK + WHITE - own
    moves = {at: discs for at in range(WIDE * WIDE) if (discs := turned(squares, at, own))}
    if not moves:
        if any(turned(squares, at, other) for at in range(WIDE * WIDE)):
            return -margin(squares, other, -high, -low)
        return squares.count(own) - squares.count(other)
    best = -SIZE * SIZE
    for at, discs in moves.items():
        after = squares.copy()
        for square in (at, *discs):
            after[square] = own
        best = max(best, -margin(after, other, -high, -max(low, best)))
        if best >= high:
            break
    return best


@pytest.mark.parametrize(
    ("empty", "count"),
    [
        (5, 10),
        (8, 4),
        pytest.param(5, 40, marks=pytest.mark.huge),
        pytest.param(8, 12, marks=pytest.mark.huge),
    ],
)
def test_scores_are_those_of_a_search_on_a_list(empty, count):
    """With one test of a bound after another: the same margin, and the proof holds."""
    game = Othello(SIZE, SIZE)
    for seed in range(count):
        position = ending(seed, empty)
        proof = zermelo.prove(game, position=position, memory="200MB")
        squares, own = listed(position)
        assert proof.value.score == margin(squares, own, -SIZE * SIZE, SIZE * SIZE), game.show(
            position
        )
        assert proof.verify()


@counts(None, 6, 20)
def test_sixteen_empty_squares_take_seconds(count):
    """Games at random, in a quarter of a million positions each; two proofs at most are checked."""
    game, visited = Othello(SIZE, SIZE), 0
    for seed in range(count):
        proof = zermelo.prove(game, position=ending(seed, 16), memory="500MB", threads=1)
        assert proof.value.score is not None
        assert seed % 10 or proof.verify()
        visited += proof.nodes
    assert visited < count * 250_000
