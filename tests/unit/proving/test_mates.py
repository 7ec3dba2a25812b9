"""Chess problems proved: mates in two to six, as long as a search with python-chess finds them."""

from __future__ import annotations

import chess
import pytest

import zermelo
from facts import rows
from support.oracles.mate_search import Mates
from zermelo import LOSS, WIN
from zermelo.games import ChessProblem

pytestmark = pytest.mark.compiled

PROBLEMS = rows("chess_mates")
every_problem = pytest.mark.parametrize(
    "problem",
    [
        pytest.param(row, marks=pytest.mark.slow if n % 10 == 0 else pytest.mark.huge)
        for n, row in enumerate(PROBLEMS)
    ],
    ids=lambda row: row["fen"],
)


def test_there_are_problems_of_every_length():
    """Forty, with up to eight men, no two of them the same."""
    assert len({row["fen"] for row in PROBLEMS}) == len(PROBLEMS) >= 40
    assert {row["moves"] for row in PROBLEMS} == set("23456")
    assert all(len(chess.Board(row["fen"]).piece_map()) <= 8 for row in PROBLEMS)


@every_problem
def test_a_mate_is_proved(problem):
    """White wins, in as many plies as is said, by the key and no other move."""
    game, moves = ChessProblem(problem["fen"]), int(problem["moves"])
    assert zermelo.prove(game, ask="win", memory="200MB").answer is True
    proof = zermelo.prove(game, remoteness=True, memory="200MB")
    assert (proof.value.outcome, proof.value.remoteness) == (WIN, 2 * moves - 1)
    assert game.name(proof.best_move) == problem["key"]
    assert proof.verify()
    after = game.play(proof.position, proof.best_move)
    lost = zermelo.prove(game, position=after, remoteness=True, memory="200MB")
    assert (lost.value.outcome, lost.value.remoteness) == (LOSS, 2 * moves - 2)


@every_problem
def test_python_chess_finds_the_same_mate(problem):
    """A search through all moves finds no shorter mate, and one first move."""
    board, moves, mates = chess.Board(problem["fen"]), int(problem["moves"]), Mates()
    assert mates.length(board, 6) == moves
    keys = [move.uci() for move in list(board.legal_moves) if mates.forces(board, move, moves)]
    assert keys == [problem["key"]]
