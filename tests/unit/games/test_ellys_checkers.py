"""Elly's checkers: published answers, the rules of a move, and the parity behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from facts import rows
from support.oracles.oracle import LOSS, WIN, solve
from zermelo.errors import ParameterError, PositionError
from zermelo.games import EllysCheckers

boards = st.text("o.", min_size=1, max_size=11)

published = pytest.mark.parametrize("fact", rows("ellys_checkers"), ids=lambda fact: fact["board"])


def squares_to_go(board):
    """Return how many squares all pieces together have still to go."""
    return sum(len(board) - 1 - place for place, mark in enumerate(board) if mark == "o")


def played(board, square):
    """Return the board after a move, as text."""
    game = EllysCheckers(board)
    return game.show(game.play(game.start(), square))


@published
def test_published_answers(fact):
    """The first player wins where the problem statement says YES, by oracle and engine."""
    game = EllysCheckers(fact["board"])
    expected = WIN if fact["expected"] == "YES" else LOSS
    assert solve(game)[game.start()][0] == expected
    assert zermelo.solve(game).value.outcome == expected


@pytest.mark.slow
@given(boards)
def test_parity_decides(board):
    """The first player wins if and only if the squares still to go are odd in number."""
    game = EllysCheckers(board)
    expected = WIN if squares_to_go(board) % 2 else LOSS
    assert solve(game)[game.start()][0] == expected


@pytest.mark.slow
@given(boards)
def test_every_move_changes_the_parity(board):
    """A move takes one or three squares off the way to go, and only an empty board has none."""
    game = EllysCheckers(board)
    for pieces in solve(game):
        before = squares_to_go(game.show(pieces))
        moves = list(game.moves(pieces))
        assert bool(moves) == bool(pieces)
        after = {before - squares_to_go(game.show(game.play(pieces, move))) for move in moves}
        assert after <= {1, 3}


def naive_moves(board):
    """Return the boards that one move leads to, read off the statement of the problem."""
    last = len(board) - 1
    cells = [mark == "o" for mark in board[:last]] + [False]
    for place in range(last):
        if not cells[place]:
            continue
        for landing in (place + 1, place + 3):
            between = cells[place + 1 : landing]
            if landing <= last and not cells[landing] and all(between):
                moved = list(cells)
                moved[place], moved[landing] = False, landing != last
                yield "".join("o" if cell else "." for cell in moved)


@given(boards)
def test_moves_are_those_of_the_statement(board):
    """The bit tricks find the moves that a reading of the statement, square by square, does."""
    game = EllysCheckers(board)
    found = [game.show(game.play(game.start(), move)) for move in game.moves(game.start())]
    assert sorted(found) == sorted(naive_moves(board))


def test_a_jump_needs_two_pieces_and_a_landing():
    """A piece jumps over two pieces onto an empty square, and over one or three it cannot."""
    assert list(EllysCheckers("ooo..").moves(0b11100)) == [2, 4]
    assert played("ooo..", 4) == ".ooo."
    assert list(EllysCheckers("oo...").moves(0b11000)) == [3]
    assert list(EllysCheckers("oooo..").moves(0b111100)) == [2, 4]


def test_pieces_vanish_on_the_rightmost_square():
    """A piece that starts on the rightmost square, steps or jumps there is gone."""
    assert EllysCheckers("..o..o").show(EllysCheckers("..o..o").start()) == "..o..."
    assert played("...o.", 1) == "....."
    assert played(".ooo.", 3) == "..oo."
    assert played("ooo.", 3) == ".oo."


@pytest.mark.slow
def test_twenty_squares():
    """A board of 20 squares is solved, and every winning first move leaves an even way to go."""
    board = ".oo.o.o..oo...o..o.."
    assert squares_to_go(board) % 2 == 1
    solution = zermelo.solve(EllysCheckers(board))
    assert solution.winner == "first"
    assert sorted(solution.winning_moves()) == list(solution.game.moves(solution.game.start()))


@pytest.mark.parametrize(
    ("board", "message"),
    [
        ("", "board '' has 0 squares; give 1 to 63"),
        ("o" * 64, f"board {'o' * 64!r} has 64 squares; give 1 to 63"),
        ("o.x.", "board 'o.x.' has a mark 'x'; write 'o' for a piece and '.'"),
        ("O...", "board 'O...' has a mark 'O'"),
        (5, "board must be a string, not 5"),
    ],
)
def test_what_is_no_board_is_refused(board, message):
    """Each thing that can be wrong with the board has its own message."""
    with pytest.raises(ParameterError) as caught:
        EllysCheckers(board)
    assert str(caught.value).startswith(message)


def test_the_longest_board_is_no_trouble():
    """The rules, as Python, hold on a board of 63 squares."""
    game = EllysCheckers("ooo" + "." * 60)
    assert list(game.moves(game.start())) == [60, 62]


def test_text_that_is_no_strip_is_refused():
    """A typed strip must have the board's length, and only its marks."""
    with pytest.raises(PositionError, match="is not a board of 4 squares"):
        EllysCheckers("o...").parse("o..")
    with pytest.raises(PositionError, match="is not a board of 4 squares"):
        EllysCheckers("o...").parse("o..x")
