"""Connect Four: published counts and values, its bit boards, and boards it cannot take."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from facts import quantity, rows
from support.oracles.oracle import DRAW, LOSS, WIN, explore, solve
from support.sizes import some
from zermelo.errors import ParameterError, PositionError
from zermelo.games import ConnectFour
from zermelo.games.lines.connect_four import Board
from zermelo.proving.prove import fold_rules, prepare_rules

POSITIONS = {
    (int(row["width"]), int(row["height"])): int(row["legal_positions"])
    for row in rows("connect_four_positions")
} | {(5, 5): 69_763_700}  # Tromp too
VALUES = {(int(row["width"]), int(row["height"])): row for row in rows("connect_four_values")}

BY_ORACLE = 5_000  # positions
LARGE = 10_000_000  # seconds, and many smaller ones show the same
LONG = 200_000  # seconds by ordinary rules
MOST = 150_000_000  # half a minute, and 6 GB


def sizes(wanted):
    """Return the sizes, smallest first, whose number of positions is wanted."""
    found = sorted((n, size) for size, n in POSITIONS.items() if wanted(n))
    cases = [pytest.param(*size, marks=pytest.mark.huge if n > LARGE else ()) for n, size in found]
    return pytest.mark.parametrize(("width", "height"), cases, ids=str)


@sizes(lambda n: n <= BY_ORACLE)
def test_counts_by_the_oracle(width, height):
    """From the empty board as many positions arise as published."""
    assert len(set(explore(ConnectFour(width, height)))) == POSITIONS[width, height]


@sizes(lambda n: n <= MOST)
def test_counts_and_values(width, height):
    """The engine finds as many positions as published, and the published value."""
    check(width, height, "placement")


@pytest.mark.slow
@sizes(lambda n: n <= LONG)
def test_counts_and_values_by_ordinary_rules(width, height):
    """So it does by the method for any game."""
    check(width, height, "retrograde")


@pytest.mark.huge
@sizes(lambda n: LONG < n <= MOST)
def test_counts_and_values_of_large_boards_by_ordinary_rules(width, height):
    """So it does on those that take up to a minute and gigabytes."""
    check(width, height, "retrograde")


@pytest.mark.parametrize(
    "method", ["placement", pytest.param("retrograde", marks=pytest.mark.huge)]
)
@pytest.mark.slow
def test_four_by_six(method):
    """On this board, whose positions nobody counted for us, the value is as published."""
    check(4, 6, method)


@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(5, 6, marks=pytest.mark.huge),
        pytest.param(7, 4, marks=pytest.mark.huge),
    ],
    ids=str,
)
def test_boards_of_thousands_of_millions_of_positions(width, height):
    """The largest boards that 10 GB solve have the published value."""
    check(width, height, "placement")


def check(width, height, method):
    """Solve a board and compare with what is published of it: positions, winner, plies."""
    solution = zermelo.solve(ConnectFour(width, height), method=method)
    if (width, height) in POSITIONS:
        assert len(solution) == POSITIONS[width, height]
    if (width, height) in VALUES:
        fact = VALUES[width, height]
        expected = {"first": WIN, "draw": DRAW, "second": LOSS}[fact["winner"]]
        assert solution.value.outcome == expected
        assert solution.value.remoteness == int(fact["game_length_plies_perfect_play"])


@pytest.mark.parametrize(
    ("width", "height", "length"),
    some([(3, 3, 3), (1, 1, 1), (3, 2, 2), (2, 5, 3), (5, 1, 3), (4, 3, 3)], 6),
    ids=str,
)
def test_engine_agrees_with_the_oracle(width, height, length):
    """Every position of a small board has the oracle's value, whatever the length of a row."""
    game = ConnectFour(width, height, length)
    solution = zermelo.solve(game)
    assert {p: (int(v.outcome), v.remoteness) for p, v in solution.items()} == solve(game)


def rows_found(game, stones):
    """Whether there is a row, looked for square by square."""
    cells = {(bit // game.stride, bit % game.stride) for bit in range(63) if stones >> bit & 1}
    return any(
        all((x + dx * i, y + dy * i) in cells for i in range(game.length))
        for x, y in cells
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


@pytest.mark.slow
@given(st.data(), st.integers(1, 7), st.integers(1, 6), st.integers(1, 6))
def test_rows_are_found_by_shifts(data, width, height, length):
    """Shifting finds exactly the rows that looking square by square does."""
    game = ConnectFour(width, height, length)
    squares = [game.stride * x + y for x in range(width) for y in range(height)]
    chosen = data.draw(st.sets(st.sampled_from(squares)))
    stones = sum(1 << square for square in chosen)
    assert game.has_row(stones) == rows_found(game, stones)


@given(st.lists(st.integers(0, 4), max_size=30))
def test_stones_drop_to_the_first_empty_square(columns):
    """Each stone lands on top of its column, and a full column can no longer be chosen."""
    game = ConnectFour(5, 4, 9)
    board, heights = game.start(), [0] * 5
    for column in columns:
        assert list(game.moves(board)) == [c for c in range(5) if heights[c] < 4]
        if heights[column] == 4:
            continue
        after = game.play(board, column)
        assert after.mine == board.theirs
        assert after.theirs ^ board.mine == 1 << column * 5 + heights[column]
        heights[column] += 1
        board = after


def test_play_stops_at_a_row():
    """The player to move has lost if the other has a row."""
    game = ConnectFour(7, 6)
    board = game.parse("......./......./......./......./OOO..../XXXX...")
    assert game.outcome(board) == LOSS
    assert game.outcome(game.parse("......./......./......./......./OOO..../XXX....")) is None


def test_a_full_board_is_a_draw():
    """A board without a row has no moves once it is full, and counts as a draw."""
    game = ConnectFour(1, 2)
    assert solve(game)[game.start()] == (DRAW, 2)


def test_the_standard_board():
    """The board that is sold is 7 by 6, and its rules hold as Python; it takes 49 bits."""
    game = ConnectFour(width=7, height=6)
    assert game.length == 4
    assert game.space().mine == range(1 << 48)
    assert quantity("Connect Four", "value") == "first player win, last move ply 41"


@pytest.mark.parametrize("sides", [(4, 4, 3), (5, 4, 4), (7, 6, 4)], ids=str)
def test_only_moves_that_do_not_lose_at_once_are_searched(sides):
    """They are those that complete a row, or else those after which the opponent completes none."""
    game, chance = ConnectFour(*sides), Random(0)

    def winning(board):
        return {c for c in game.moves(board) if game.outcome(game.play(board, c)) == LOSS}

    for _ in range(6):
        board = game.start()
        while game.outcome(board) is None:
            moves = list(game.moves(board))
            safe = {c for c in moves if not winning(game.play(board, c))}
            assert set(game.enough(board)) == (winning(board) or safe)
            least, most = game.bounds(board)
            assert (least == WIN) == bool(winning(board))
            assert (most == LOSS) == (not winning(board) and not safe)
            board = game.play(board, chance.choice(moves))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ((0, 6, 4), "width must be at least 1, not 0"),
        ((7, -1, 4), "height must be at least 1, not -1"),
        ((7, 6, 0), "length must be at least 1, not 0"),
        (("7", 6, 4), "width must be a whole number from 1 to 63, not '7'"),
        ((8, 8, 4), "a board of width 8 and height 8 takes 72 bits; keep width * (height + 1)"),
        ((1 << 40, 6, 4), "width must be at most 63, not 1099511627776"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_boards_that_do_not_fit_are_refused(parameters, message):
    """A board has whole numbers for its sizes and fits 63 bits."""
    with pytest.raises(ParameterError) as caught:
        ConnectFour(*parameters)
    assert str(caught.value).startswith(message)


def test_boards_are_read_from_text():
    """A board can be typed on one line, from the top row down."""
    game = ConnectFour(3, 2, 3)
    assert game.parse("..O/X.X") == Board(0b010_000_000, 0b001_000_001)
    with pytest.raises(PositionError, match="above an empty square in column 'c'"):
        game.parse("..X/...")
    with pytest.raises(PositionError, match="is not 2 rows of 3 squares"):
        game.parse("..X/..")


def mirrored(game, stones):
    """Return the mirror image of some stones."""
    column = (1 << game.stride) - 1
    columns = [stones >> x * game.stride & column for x in range(game.width)]
    return sum(each << x * game.stride for x, each in enumerate(reversed(columns)))


@pytest.mark.slow
def test_mirror_images_on_a_board_of_connect_four_are_one_position():
    """A strategy has one of them, and its move in the other one is the mirror image, too."""
    game = ConnectFour(4, 4, 3)
    strategy = zermelo.prove(game, memory="50MB", threads=1).strategy()
    kept = set(strategy)
    for board in kept:
        image = Board(mirrored(game, board.mine), mirrored(game, board.theirs))
        assert image == board or image not in kept
        assert strategy[image] in (3 - strategy[board], strategy[board])


@pytest.mark.slow
@pytest.mark.compiled
def test_a_board_with_a_stone_at_one_side_is_searched_as_it_is():
    """No position after it is the mirror image of another, so that none is looked for."""
    game = ConnectFour(4, 4, 3)
    left, middle = game.play(game.start(), 0), game.start()
    compiled = prepare_rules(game)
    assert [fold_rules(compiled, board).is_folded for board in (left, middle)] == [False, True]
