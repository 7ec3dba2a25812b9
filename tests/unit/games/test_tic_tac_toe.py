"""Tic-tac-toe: everything that is known about it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import zermelo
from facts import quantity
from support.oracles.oracle import DRAW, LOSS, explore, solve
from zermelo.errors import PositionError
from zermelo.games import TicTacToe
from zermelo.games.lines.tic_tac_toe import Board

GAME = TicTacToe()
TURNED = tuple(3 * (2 - cell % 3) + cell // 3 for cell in range(9))
MIRRORED = tuple(3 * (cell // 3) + 2 - cell % 3 for cell in range(9))


@pytest.fixture(scope="module")
def graph():
    """Return all positions with their moves."""
    return explore(GAME)


def test_positions_and_value():
    """There are 5,478 positions, and perfect play ends in a draw on the full board."""
    table = solve(GAME)
    assert len(table) == 5478
    assert table[GAME.start()] == (DRAW, 9)


def test_positions_by_ply(graph):
    """As many positions have each number of marks as enumeration says."""
    plies = Counter(GAME.level(board) for board in graph)
    published = quantity("Tic-tac-toe", "positions by ply")
    assert [plies[ply] for ply in range(10)] == [int(n) for n in published.split(",")]


def test_classes(graph):
    """Turns and mirror images fold the positions into 765 classes."""
    classes = {min(images(board)) for board in graph}
    assert len(classes) == int(quantity("Tic-tac-toe", "classes up to symmetry"))


def images(board):
    """Return a board in its eight attitudes."""
    for _ in range(4):
        board = Board(*(moved(marks, TURNED) for marks in board))
        yield board
        yield Board(*(moved(marks, MIRRORED) for marks in board))


def moved(marks, places):
    """Return marks with each cell at its new place."""
    return sum(1 << place for cell, place in enumerate(places) if marks >> cell & 1)


def test_complete_games(graph):
    """There are 255,168 ways to play it to the end, and each side wins as many as published."""

    @cache
    def games(board):
        if board in graph.ends:
            return (1, 0) if graph.ends[board] == LOSS else (0, 1)
        below = [games(edge.child) for edge in graph.edges[board]]
        return sum(lost for lost, _ in below), sum(drawn for _, drawn in below)

    @cache
    def won_by_first(board):
        if board in graph.ends:
            return int(graph.ends[board] == LOSS and GAME.level(board) % 2 == 1)
        return sum(won_by_first(edge.child) for edge in graph.edges[board])

    won, drawn = games(GAME.start())
    first = won_by_first(GAME.start())
    published = quantity("Tic-tac-toe", "games: X wins/O wins/draws")
    assert [first, won - first, drawn] == [int(n) for n in published.split("/")]
    assert won + drawn == int(quantity("Tic-tac-toe", "complete games"))


@pytest.mark.slow
def test_the_engine_agrees():
    """The engine finds the oracle's value for every position, and all nine first moves as good."""
    solution = zermelo.solve(GAME)
    expected = solve(GAME)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == expected
    assert solution.best() == list(range(9))
    assert solution.winner is None


def test_corner_squares_are_named_like_a_chess_board():
    """Cells are named by column and row, counted from the bottom left."""
    assert [GAME.name(cell) for cell in (0, 2, 4, 6)] == ["a3", "c3", "b2", "a1"]


def test_boards_are_read_from_text():
    """A board can be typed on one line, and whose turn it is follows from the marks."""
    assert GAME.parse("XO./.X./..O") == Board(0b000010001, 0b100000010)
    assert GAME.parse("X../.../...") == Board(0, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("XX./.../...", "has 2 X and 0 O; X goes first"),
        ("X../...", "is not 3 rows of 3 squares"),
        ("X.?/.../...", "has a mark '?'"),
        ("", "is not 3 rows of 3 squares"),
    ],
)
def test_text_that_is_no_board_is_refused(text, message):
    """Each thing that can be wrong with a typed board has its own message."""
    with pytest.raises(PositionError) as caught:
        GAME.parse(text)
    assert message in str(caught.value)
