"""Chess problems: the rules are those of python-chess, and mates take as long as it finds."""

from __future__ import annotations

import random

import chess
import pytest

from support.sizes import counts
from zermelo import DRAW, LOSS, ParameterError, PositionError
from zermelo.games import ChessEnding, ChessProblem

#: The letters of men, with more pawns than others, as promotion and taking in passing are rare.
MEN = "QRBNPPPPqrbnpppp"
#: The fields of an ending's squares.
SQUARES = ("white_king", "black_king", "first", "second")
#: What no game can have led to, but a problem may have.
FINE = chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK


def scattered(rng):
    """Return a random board of python-chess whose king is not left in check."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), 2 + rng.randrange(7))
        letters = ["K", "k", *(rng.choice(MEN) for _ in squares[2:])]
        for square, letter in zip(squares, letters, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = rng.random() < 0.5
        if rng.random() < 0.3:  # a pawn has just come two squares to the side of another
            file, ahead = rng.randrange(7), 8 if board.turn else -8
            here = 32 + file if board.turn else 24 + file
            for square, mover in zip(rng.sample((here, here + 1), 2), (True, False), strict=True):
                board.set_piece_at(square, chess.Piece(chess.PAWN, board.turn is mover))
            board.ep_square = square + ahead
        if not board.status() & ~FINE:
            return board


def fen_of(board):
    """Return a board as text, with the square that a pawn has just passed."""
    return board.fen(en_passant="fen")


@counts(60, None, 2_000)
def test_the_rules_are_those_of_python_chess(count):
    """On random boards, moves, what they lead to, and ends agree, and text is read back."""
    rng = random.Random(count)
    kinds = set()
    for _ in range(count):
        board = scattered(rng)
        game = ChessProblem(fen_of(board))
        p = game.start()
        assert game.parse(game.show(p)) == p
        theirs = {move.uci(): move for move in board.legal_moves}
        moves = {game.name(move): move for move in game.moves(p)}
        assert sorted(moves) == sorted(theirs), board.fen()
        over = None
        if not theirs:
            over = LOSS if board.is_check() else DRAW
        assert game.outcome(p) == over
        for name, move in moves.items():
            kinds.add((board.is_en_passant(theirs[name]), theirs[name].promotion))
            board.push(theirs[name])
            assert game.play(p, move) == game.parse(fen_of(board)), (game.show(p), name)
            board.pop()
    assert count < 1000 or len(kinds) == 6  # in passing, the four promotions, and all others


@pytest.mark.parametrize("men", ["KMKA", "KCKL", "KHKZ"])
def test_men_of_fairy_chess_go_as_they_do_in_endings(men):
    """On random positions of endings, moves and ends are the same."""
    ending, rng, seen = ChessEnding(men), random.Random(men), 0
    while seen < 40:
        p = ending.start()._replace(
            **dict(zip(SQUARES, rng.sample(range(64), 4), strict=True)), side=rng.randrange(2)
        )
        if ending.legal(p):
            game, seen = ChessProblem(ending.show(p)), seen + 1
            assert game.outcome(game.start()) == ending.outcome(p)
            assert sorted(game.moves(game.start())) == sorted(ending.moves(p)), ending.show(p)


@pytest.mark.parametrize(
    ("fen", "said"),
    [
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "must have one king a side; place K and k once each"),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "move the pawn off the first or the last rank"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "white is to move and could take the king"),
        ("4k2r/8/8/8/8/8/8/4K3 w k - 0 1", "'k' for castling, which is not among the rules"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "has no pawn that passed e6; write - instead"),
        ("rook on a1", "is not a position; write it as it is shown"),
    ],
)
def test_a_position_that_is_none_is_refused(fen, said):
    """In a sentence that says what to change."""
    with pytest.raises(ParameterError, match=said):
        ChessProblem(fen)


def test_a_position_with_more_men_is_another_problem():
    """A position has room for six men besides the kings, or for twelve, and so on."""
    game = ChessProblem()
    assert len(game.start().men) == 6
    many = "rnb1k3/pppp4/8/8/8/8/8/4K3 w - - 0 1"
    with pytest.raises(PositionError, match="more men than this problem has room for"):
        game.parse(many)
    assert len(ChessProblem(many).start().men) == 12
