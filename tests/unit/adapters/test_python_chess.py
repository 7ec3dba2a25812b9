"""Chess and its variants by the moves of python-chess, against the zoo and python-chess itself."""

from __future__ import annotations

import random
import sys

import chess
import pytest
from chess.variant import AntichessBoard, AtomicBoard, CrazyhouseBoard, ThreeCheckBoard

import zermelo
from support.sizes import some
from zermelo.adapters import ImportedGame, named, python_chess
from zermelo.adapters.chess import from_board
from zermelo.adapters.from_python_chess import ChessSource
from zermelo.errors import BudgetError, MissingExtraError, ParameterError, PositionError
from zermelo.games import ChessEnding, RacingKings

#: Black is to move, and cannot.
STALEMATE = "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1"
#: The king goes into the corner, where it is stalemated, or takes the pawn, and all is drawn.
CORNER = "7k/5K2/7P/8/8/8/8/8 b - - 0 1"
#: A pawn each.
PAWNS = "8/2p5/8/8/8/8/1P6/8 w - - 0 1"


def action(uci):
    """Return the number of a move, worked out as the documentation says."""
    move = chess.Move.from_uci(uci)
    kinds = 4096 * (move.promotion or 0) + 32768 * (move.drop or 0)
    return move.from_square + 64 * move.to_square + kinds


def compared(game, places, zoo=None):
    """Compare positions with boards set up afresh, and with the zoo's values where it is given."""
    solution = zermelo.solve(game)
    known = None if zoo is None else zermelo.solve(zoo)
    for place in places:
        kind, fen = type(game.state(place)), game.state(place).fen()
        board = kind(fen)
        ended = board.outcome()
        made = {move.action: game.play(place, move) for move in game.moves(place)}
        legal = {} if ended else {action(move.uci()): move for move in board.legal_moves}
        assert made.keys() == legal.keys(), fen
        assert (game.outcome(place) is None) == (ended is None), fen
        if ended is None:
            assert game.turn(place) == (board.turn is chess.BLACK), fen
        for number, move in legal.items():
            board.push(move)
            assert game.position(board) == made[number]
            board.pop()
        if known is not None:
            value = known[from_board(board, known.game)]
            here = solution[place]
            assert here.outcome == value.outcome, fen
            if here.outcome or isinstance(zoo, RacingKings):
                assert here.remoteness == value.remoteness, fen
            elif not board.is_stalemate():
                # Bare kings end a game of python-chess, and walk about for ever in the zoo.
                assert (here.remoteness, value.remoteness) == (board.occupied.bit_count() - 2, None)
    return solution


@pytest.mark.slow
def test_racing_kings_have_the_values_of_the_zoo():
    """Two kings alone: the moves of 801 positions, and the values, are those of the zoo."""
    fen = "8/8/8/8/8/8/k6K/8 w - - 0 1"
    game = named(f"python-chess:racingkings from {fen}")
    assert len(game.space()) == 6_404
    solution = compared(game, game.space()[::8], RacingKings("KK", fen))
    assert solution.verify()


@pytest.mark.huge
@pytest.mark.parametrize(
    ("men", "fen", "plies"),
    [
        ("KQK", "8/8/8/4k3/8/8/8/KQ6 w - - 0 1", 19),
        ("KRK", "8/8/8/4k3/8/8/8/KR6 w - - 0 1", 31),
    ],
)
def test_endings_have_the_moves_of_the_library_and_the_values_of_the_zoo(men, fen, plies):
    """Of 50,000 positions each; mate takes ten moves at most by a queen, and sixteen by a rook.

    A draw is a stalemate, or soon over as black takes the last man.
    """
    game = python_chess(start=fen)
    count = len(game.space())
    places = random.Random(men).sample(range(count), 50_000)
    solution = compared(game, places, ChessEnding(men, fen))
    values = [solution[place] for place in range(count)]
    assert max(value.remoteness for value in values if value.outcome > 0) == plies


def walks(kind, count):
    """Yield the boards of some games that are played at random."""
    chance = random.Random(kind.__name__)
    for _ in range(count):
        board = kind()
        while board.outcome() is None and board.ply() < 120:
            yield board
            board.push(chance.choice(list(board.legal_moves)))


@pytest.mark.parametrize(
    "kind", some([chess.Board, AntichessBoard, CrazyhouseBoard, ThreeCheckBoard], 4)
)
def test_a_key_is_what_a_board_says_without_its_clocks(kind):
    """Castling, captures in passing, and what else a variant has; a move leads where it does."""
    source, by_epd, by_key = ChessSource(kind()), {}, {}
    for board in walks(kind, 4):
        (key,) = source.state_keys([board], 0)
        assert by_epd.setdefault(board.epd(), key) == key
        assert by_key.setdefault(key, board.epd()) == board.epd()
        if board.ply() % 20 == 0:
            ((player, moves, pays),) = source.facts([board])
            assert (player, pays) == (int(not board.turn), None)
            assert moves == [action(move.uci()) for move in board.legal_moves]
            children = source.next_states([board], [0] * len(moves), moves)
            for move, child in zip(board.legal_moves, children, strict=True):
                after = board.copy()
                after.push(move)
                assert child.epd() == after.epd()
                assert (child.halfmove_clock, child.move_stack) == (0, [])
    assert len(by_epd) > 150


def test_a_board_that_some_may_castle_on_is_another():
    """So is one on which a pawn may be taken in passing, but not one on which none is beside it."""
    source = ChessSource(chess.Board())
    for one, other, same in (
        ("4k3/8/8/8/8/8/8/4K2R w K - 3 9", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", False),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", False),
        ("4k3/8/8/3p1P2/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p1P2/8/8/8/4K3 w - - 7 1", True),
    ):
        keys = source.state_keys([chess.Board(one), chess.Board(other)], 0)
        assert (keys[0] == keys[1]) is same


def test_names():
    """A game is opened again by its name, in which clocks and a past are left out."""
    game = named(f"python-chess:chess from {STALEMATE}")
    assert isinstance(game, ImportedGame)
    assert game.source == f"python-chess:chess from {STALEMATE}"
    assert (len(game.space()), game.turn(0), game.outcome(0)) == (1, 0, 0)
    assert game.show(0).splitlines()[-2:] == ["black to move", "position 0"]
    board = chess.Board("5k2/8/5P2/5K2/8/8/8/8 w - - 17 60")
    assert ChessSource(board).name == "python-chess:chess from 5k2/8/5P2/5K2/8/8/8/8 w - - 0 1"
    assert board.halfmove_clock == 17  # its own is left alone
    moves = [action("f5g6"), action("f8g8"), action("f6f7")]
    assert ChessSource(board, None, moves).name == (
        "python-chess:chess from 6k1/5P2/6K1/8/8/8/8/8 b - - 0 1"
    )
    assert ChessSource("Giveaway", PAWNS).name == f"python-chess:giveaway from {PAWNS}"
    assert ChessSource(CrazyhouseBoard()).name == "python-chess:crazyhouse"
    moved = ChessSource("chess", STALEMATE.replace(" b ", " w "), [action("f6g6")])
    assert moved.move_text(moved.start, action("f8e7")) == "Ke7"


def test_too_many_positions():
    """The usual start has: no variant begins there by its name, and a board ends at the limit."""
    with pytest.raises(ParameterError, match=r"chess begins with all its men, .* from FEN"):
        named("python-chess:chess")
    with pytest.raises(BudgetError, match="'python-chess:chess' has more than 30 positions"):
        python_chess(chess.Board(), max_positions=30)


def test_progress_is_told_while_positions_are_found():
    """First as they are found, then as ways to come to them are compared."""
    events = []
    game = python_chess("antichess", start=PAWNS, progress=events.append)
    finished = [(event.phase, event.done) for event in events if event.finished]
    assert finished == [("explore", len(game.space())), ("compare histories", 0)]
    with pytest.raises(ParameterError, match="progress=3 cannot be called"):
        python_chess("antichess", start=PAWNS, progress=3)


@pytest.mark.parametrize(
    ("given", "start", "why"),
    [
        ("ches", None, "python-chess has no variant 'ches'; use chess, antichess"),
        ("chess", "8/8 w", "start='8/8 w' is not a board of chess: .*; write it in FEN"),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1", "is not a legal board of chess: .*no white king"),
        (17, None, "17 is neither a variant of python-chess nor a board; give one of them"),
        (chess.Board(), STALEMATE, "a board was given; leave it out"),
    ],
)
def test_what_is_no_game_is_refused(given, start, why):
    """In a sentence."""
    with pytest.raises(ParameterError, match=why):
        python_chess(given, start=start)


def test_moves_and_boards_are_checked():
    """An action that is not legal is told; boards of other variants are none of the game."""
    with pytest.raises(ParameterError, match="is not legal in python-chess:chess; legal are"):
        python_chess("chess", start=CORNER, opening=[action("f6f7")])
    game = python_chess(start=STALEMATE)
    with pytest.raises(PositionError, match=r"is not a board of python-chess:chess .*a Board"):
        game.position(AtomicBoard())
    with pytest.raises(PositionError, match="cannot be reached from the start"):
        game.position(chess.Board())


def test_a_board_need_not_come_about_by_a_move():
    """Endings have such boards: here two rooks give check at once."""
    two = ChessSource("chess", "R3k3/8/8/8/8/8/8/4R1K1 b - - 0 1")
    assert two.facts(two.start())[0][0] == 1


def test_without_the_library(monkeypatch):
    """Without python-chess, the message says how to install it."""
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'zermelo\[chess\]'"):
        python_chess()
