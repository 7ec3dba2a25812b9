"""Random-turn games against random fillings of their boards, and against plain recursions."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from operator import sub

import pytest

from zermelo import ParameterError
from zermelo.games import RandomTurnHex, RandomTurnTicTacToe, RandomTurnY

#: A position of each of these games: the stones, whose turn it is, and whether a coin is tossed.
Toss = type(RandomTurnHex().start())

#: Boards of Hex, as rows and columns, and odds of the coin.
HEX = [
    *((rows, columns, 1, 1) for rows in (1, 2, 3) for columns in (1, 2, 3)),
    (2, 3, 2, 1),
    pytest.param(3, 3, 2, 1, marks=pytest.mark.huge),
    pytest.param(3, 3, 1, 4, marks=pytest.mark.huge),
]
#: Sides of triangles, and odds of the coin.
Y = [(1, 1, 1), (2, 1, 1), (3, 1, 1), (3, 2, 1), (3, 1, 4)]


def chances(game):
    """Return a function from positions to the probability that the first player wins them.

    A draw is half a win. The function plays perfectly by the rules of the game.
    """

    @cache
    def chance_of(position):
        outcome = game.outcome(position)
        if outcome is not None:
            won = (1 + Fraction(int(outcome))) / 2
            return 1 - won if game.turn(position) else won
        faces = list(game.chance(position))
        moves = list(game.moves(position))
        assert bool(faces) != bool(moves)
        if faces:
            total = sum(weight for weight, _ in faces)
            return sum(Fraction(weight, total) * chance_of(child) for weight, child in faces)
        best = min if game.turn(position) else max
        return best(chance_of(game.play(position, move)) for move in moves)

    return chance_of


def rhombus(rows, columns):
    """Return the cells of a rhombus, with their neighbours and the pairs of sides."""
    cells = list(product(range(rows), range(columns)))
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
    beside = {c: {(c[0] + a, c[1] + b) for a, b in steps} & set(cells) for c in cells}
    top = {c for c in cells if c[0] == 0}
    bottom = {c for c in cells if c[0] == rows - 1}
    return cells, beside, (top, bottom)


def triangle(side):
    """Return the cells of a triangle, whose coordinates add up to a constant, and its sides."""
    cells = [c for c in product(range(side), repeat=3) if sum(c) == side - 1]
    beside = {c: {d for d in cells if sorted(map(sub, c, d)) == [-1, 0, 1]} for c in cells}
    return cells, beside, tuple({c for c in cells if c[axis] == 0} for axis in range(3))


def joins(stones, beside, sides):
    """Return whether one group of stones touches all sides."""
    left = set(stones)
    while left:
        group = {left.pop()}
        while grown := {near for cell in group for near in beside[cell]} & left:
            group |= grown
            left -= grown
        if all(group & side for side in sides):
            return True
    return False


def filling(board, heads, tails, stone=None):
    """Return the probability that the first player joins the sides in a random filling.

    A given stone is the first player's in every filling.
    """
    cells, beside, sides = board
    share = Fraction(heads, heads + tails)
    total = Fraction(0)
    cells = [cell for cell in cells if cell != stone]
    for colours in product((0, 1), repeat=len(cells)):
        first = [cell for cell, colour in zip(cells, colours, strict=True) if colour]
        if joins([*first, *([stone] if stone else [])], beside, sides):
            total += share ** len(first) * (1 - share) ** (len(cells) - len(first))
    return total


@pytest.mark.parametrize(("rows", "columns", "heads", "tails"), HEX)
def test_random_turn_hex_is_worth_its_random_fillings(rows, columns, heads, tails):
    """A perfectly played game is won as often as a random filling of the board."""
    game = RandomTurnHex(rows, columns, heads, tails)
    expected = filling(rhombus(rows, columns), heads, tails)
    assert chances(game)(game.start()) == expected


@pytest.mark.parametrize(("side", "heads", "tails"), Y)
def test_random_turn_y_is_worth_its_random_fillings(side, heads, tails):
    """A perfectly played game is won as often as a random filling of the board."""
    game = RandomTurnY(side, heads, tails)
    assert chances(game)(game.start()) == filling(triangle(side), heads, tails)


@pytest.mark.parametrize(("rows", "columns"), [(2, 3), pytest.param(3, 3, marks=pytest.mark.huge)])
def test_a_first_stone_is_worth_the_fillings_that_contain_it(rows, columns):
    """Each first move of black is won as often as a random filling with that stone of black's."""
    game, board = RandomTurnHex(rows, columns), rhombus(rows, columns)
    chance_of = chances(game)
    heads = Toss(0, 0, 0, 1)
    for row, column in product(range(rows), range(columns)):
        after = game.play(heads, row * columns + column)
        assert chance_of(after) == filling(board, 1, 1, stone=(row, column))


def tic_tac_toe(share):
    """Return the probability that X wins, draws counting half, by a recursion on strings."""
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    @cache
    def best(board):
        for mark, chance in (("X", Fraction(1)), ("O", Fraction(0))):
            if any(all(board[i] == mark for i in line) for line in lines):
                return chance
        free = [i for i in range(9) if board[i] == "."]
        if not free:
            return Fraction(1, 2)
        crossed = max(best(f"{board[:i]}X{board[i + 1 :]}") for i in free)
        ringed = min(best(f"{board[:i]}O{board[i + 1 :]}") for i in free)
        return share * crossed + (1 - share) * ringed

    return best("." * 9)


@pytest.mark.parametrize(
    ("heads", "tails"),
    [
        pytest.param(1, 1, marks=pytest.mark.huge),
        (2, 1),
        pytest.param(1, 3, marks=pytest.mark.huge),
    ],
)
def test_random_turn_tic_tac_toe_agrees_with_a_recursion_on_strings(heads, tails):
    """The value is that of a program with another representation of the board."""
    game = RandomTurnTicTacToe(heads, tails)
    assert chances(game)(game.start()) == tic_tac_toe(Fraction(heads, heads + tails))


@pytest.mark.parametrize(
    ("game", "text", "position"),
    [
        (RandomTurnHex(2, 2), "X. / .O / white tosses the coin", Toss(8, 1, 1, 0)),
        (RandomTurnHex(2, 2), "X. / .O", Toss(1, 8, 0, 0)),
        (RandomTurnHex(2, 2), "X. / .O / white to move", Toss(8, 1, 1, 1)),
        (RandomTurnTicTacToe(), "X.. / ... / ..O, O to move", Toss(256, 1, 1, 1)),
        (RandomTurnY(2), ". / XO", Toss(4, 8, 0, 0)),
    ],
)
def test_a_board_is_read_with_the_coin_or_the_player_to_move(game, text, position):
    """Without the last words the first player tosses the coin."""
    assert game.parse(text) == position
    assert game.parse(game.show(position)) == position
    assert ("tosses the coin" in game.svg(position)) != bool(position.tossed)


def test_a_coin_needs_two_sides():
    """A weight of 0 is refused in a sentence."""
    with pytest.raises(ParameterError, match="tails must be at least 1, not 0"):
        RandomTurnHex(2, 2, tails=0)
