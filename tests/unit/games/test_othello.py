"""Othello against rules on a dictionary of squares, and published counts and results."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import zermelo
from facts import rows
from zermelo import ParameterError, PositionError
from zermelo.games import Othello
from zermelo.games.territory.othello import PASS

FACTS = rows("othello")


class PlainOthello:
    """Othello on a dictionary from squares to colours, discs turned one step at a time."""

    def __init__(self, game: Othello) -> None:
        self.rows, self.columns = game.rows, game.columns

    def of(self, p: Any) -> dict[tuple[int, int], int]:
        """Return the colours, of a position of the game."""
        own, other = p.player, 1 - p.player
        squares = [(y, x) for y in range(self.rows) for x in range(self.columns)]
        return {
            square: own if p.mine >> n & 1 else other
            for n, square in enumerate(squares)
            if (p.mine | p.theirs) >> n & 1
        }

    def turned(self, board: Any, square: Any, colour: int) -> set[Any]:
        """Return the squares whose discs are turned."""
        found: set[Any] = set()
        if square in board:
            return found
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                y, x = square[0] + dy, square[1] + dx
                run = set()
                while board.get((y, x)) == 1 - colour:
                    run.add((y, x))
                    y, x = y + dy, x + dx
                if board.get((y, x)) == colour:
                    found |= run
        return found

    def moves(self, board: Any, colour: int) -> set[Any]:
        """Return the squares where discs can be put."""
        squares = {(y, x) for y in range(self.rows) for x in range(self.columns)}
        return {square for square in squares if self.turned(board, square, colour)}


@pytest.mark.parametrize("parameters", [(), (4, 6, True), (6, 4), (2, 4)], ids=str)
def test_moves_are_those_of_rules_on_squares(parameters):
    """In games at random: the same squares, the same discs, a pass where there is none."""
    game, random = Othello(*parameters), Random(1)
    plain = PlainOthello(game)
    for _ in range(12):
        p = game.start()
        while moves := list(game.moves(p)):
            board = plain.of(p)
            expected = {y * game.columns + x for y, x in plain.moves(board, p.player)}
            assert set(moves) == (expected or {PASS})
            move = random.choice(moves)
            after = game.play(p, move)
            if move != PASS:
                square = divmod(move, game.columns)
                board |= dict.fromkeys(plain.turned(board, square, p.player) | {square}, p.player)
            assert plain.of(after) == board
            p = after
        board = plain.of(p)
        assert not plain.moves(board, 0)
        assert not plain.moves(board, 1)
        discs = list(board.values())
        assert game.score(p) == discs.count(p.player) - discs.count(1 - p.player)


@pytest.fixture(scope="module")
def four() -> Any:
    """Othello on four by four squares, solved."""
    return zermelo.solve(Othello())


def solved(row, four):
    """Return the solution of a row of the facts."""
    if (row["start"], row["fewest"]) == ("diagonal", "no"):
        return four
    return zermelo.solve(
        Othello(parallel=row["start"] == "parallel", fewest=row["fewest"] == "yes")
    )


@pytest.mark.slow
@pytest.mark.parametrize("row", FACTS, ids=lambda row: f"{row['start']}-{row['fewest']}")
def test_published_counts_and_margins(four, row):
    """Positions, and how many the player to move is ahead, even and behind in."""
    solution = solved(row, four)
    found = solution.counts()
    assert found.positions == int(row["positions"])
    if row["ahead"]:
        known = [int(row[name]) for name in ("ahead", "even", "behind")]
        assert [found.win, found.draw, found.loss] == known
    if row["margin"]:
        assert solution.value.score == int(row["margin"])
    assert solution.winner == row["winner"]


@pytest.mark.slow
def test_the_solution_is_verified(four):
    """The certificate holds, and a line of perfect play ends with three discs to eleven."""
    assert four.verify()
    line = four.line()
    end = line.positions[-1]
    assert {end.mine.bit_count(), end.theirs.bit_count()} == {3, 11}


def test_boards_are_read_as_they_are_shown():
    """Rows may be separated by slashes; what is not a board is refused."""
    game = Othello()
    p = game.parse(". . . . / . O X . / . X O . / . . . .  white to move")
    assert p == type(game.start())(0b0000_0100_0010_0000, 0b0000_0010_0100_0000, 1)
    assert game.parse(game.show(p)) == p
    for text in (
        "",
        "XO",
        ". . . . / . Q . . / . . . . / . . . .",
        "..../..../..../.... red to move",
    ):
        with pytest.raises(PositionError, match=r"is not 4 rows of 4 cells|has a mark"):
            game.parse(text)


def test_squares_have_the_names_players_use():
    """The first row is above, as in transcripts."""
    game = Othello(6, 6)
    assert [game.name(square) for square in (0, 7, 35, PASS)] == ["a1", "b2", "f6", "pass"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3, 4), "rows must be even, not 3; give an even number"),
        ((4, 0), "columns must be at least 2, not 0"),
        ((8, 8), "8 rows of 8 squares are more than the 62 that fit; use a smaller board"),
    ],
)
def test_boards_that_make_no_sense_are_refused(given, message):
    """Four discs have to fit into the middle."""
    with pytest.raises(ParameterError) as caught:
        Othello(*given)
    assert str(caught.value) == message
