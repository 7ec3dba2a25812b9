"""The oracle itself, on games whose values are published or follow a known pattern."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from facts import document
from support.oracles.oracle import DRAW, LOSS, WIN, best, solve, solve_scores, within

FACTS = document("seed_games")


class Board(NamedTuple):
    mine: int
    theirs: int


class TicTacToe:
    LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)

    def start(self):
        return Board(0, 0)

    def outcome(self, board):
        if any(board.theirs & line == line for line in self.LINES):
            return LOSS
        if board.mine | board.theirs == 0o777:
            return DRAW

    def moves(self, board):
        return [cell for cell in range(9) if not (board.mine | board.theirs) >> cell & 1]

    def play(self, board, cell):
        return Board(board.theirs, board.mine | 1 << cell)


class Chase(NamedTuple):
    mouse: int
    cat: int
    mover: int


class CatAndMouse:
    """The mouse (player 0) runs from 1 to the hole at 0; the cat, from 2, may not enter it."""

    def __init__(self, graph):
        self.graph = graph

    def start(self):
        return Chase(1, 2, 0)

    def turn(self, chase):
        return chase.mover

    def winner(self, chase):
        if chase.mouse == 0:
            return 0
        if chase.mouse == chase.cat:
            return 1

    def moves(self, chase):
        nodes = self.graph[chase.cat if chase.mover else chase.mouse]
        return [node for node in nodes if node or not chase.mover]

    def play(self, chase, node):
        if chase.mover:
            return Chase(chase.mouse, node, 0)
        return Chase(node, chase.cat, 1)


class TakeAway:
    def __init__(self, stones, limit):
        self.stones = stones
        self.limit = limit

    def start(self):
        return self.stones

    def moves(self, stones):
        return range(1, min(self.limit, stones) + 1)

    def play(self, stones, taken):
        return stones - taken


class StoneGame:
    def __init__(self, piles):
        self.piles = piles

    def start(self):
        return (0, len(self.piles))

    def moves(self, rest):
        return ["left", "right"] if rest[0] < rest[1] else []

    def play(self, rest, side):
        return (rest[0] + 1, rest[1]) if side == "left" else (rest[0], rest[1] - 1)

    def gain(self, rest, side):
        return self.piles[rest[0] if side == "left" else rest[1] - 1]


def test_tic_tac_toe():
    """Tic-tac-toe has 5,478 positions and is a tie after 9 plies."""
    table = solve(TicTacToe())
    assert len(table) == 5478
    assert table[Board(0, 0)] == (DRAW, 9)
    assert best(TicTacToe(), table, Board(0, 0)) == list(range(9))


@pytest.mark.parametrize(
    "fact", FACTS["cat_and_mouse"], ids=lambda fact: f"{len(fact['graph'])} nodes"
)
def test_cat_and_mouse(fact):
    """The published graphs come out as published; there 0 is a draw, 1 the mouse and 2 the cat."""
    game = CatAndMouse(fact["graph"])
    outcome, remoteness = solve(game)[game.start()]
    assert outcome == {0: DRAW, 1: WIN, 2: LOSS}[fact["answer"]]
    if "remoteness" in fact:
        assert remoteness == fact["remoteness"]


def test_cat_and_mouse_bounded():
    """On the third graph a bound of 2n plies gives the wrong answer and 2n(n-1) the right one."""
    game = CatAndMouse(FACTS["cat_and_mouse"][2]["graph"])
    n = len(game.graph)
    assert within(game, 2 * n)[game.start()] == DRAW
    assert within(game, 43)[game.start()] == DRAW
    assert within(game, 44)[game.start()] == LOSS
    assert within(game, 2 * n * (n - 1))[game.start()] == LOSS


@pytest.mark.parametrize("limit", [1, 3, 6])
def test_take_away(limit):
    """A heap is lost if it is a multiple of limit + 1, which each two plies then take from it."""
    for stones, value in solve(TakeAway(40, limit)).items():
        rounds, rest = divmod(stones, limit + 1)
        assert value == ((WIN, 2 * rounds + 1) if rest else (LOSS, 2 * rounds))


def test_stone_game():
    """The published rows of piles have the published margins."""
    for fact in FACTS["stone_game_margin"]:
        assert solve_scores(StoneGame(fact["piles"]))[0, len(fact["piles"])] == fact["margin"]
    for fact in FACTS["stone_game_877"]:
        margin = solve_scores(StoneGame(fact["piles"]))[0, len(fact["piles"])]
        assert (margin > 0) == fact["first_player_wins"]
