"""Chess endings and python-chess: the same boards, the same moves, and an engine that it plays."""

from __future__ import annotations

import random
import sys

import chess
import chess.engine
import pytest
from chess.variant import AtomicBoard, RacingKingsBoard

import zermelo
from zermelo import MissingExtraError, MoveError, ParameterError, PositionError
from zermelo.adapters import chess as boards
from zermelo.games import ChessEnding, RacingKings

#: Endings of every kind of man, on either side, like men and pawns that may take in passing.
ENDINGS = [
    *map(
        ChessEnding, ("KK", "KPK", "KQKR", "KBNK", "KKRN", "KPKP", "KPPK", "KNNK", "KQKP", "KKPP")
    ),
    *map(RacingKings, ("KQKR", "KBNK")),
]


#: A man's square once he is taken, and his kind.
OFF, PAWN = 64, 5

#: Checks that no move can have given, which positions of endings may have.
CHECKS = chess.STATUS_IMPOSSIBLE_CHECK | chess.STATUS_TOO_MANY_CHECKERS


def placed(game, rng):
    """Return a random legal position of an ending, some men taken or promoted."""
    men = type(game.start())
    while True:
        squares, kinds = [], []
        for man, _ in game.extra:
            gone = not man or rng.random() < 0.1
            squares.append(OFF if gone else rng.randrange(64))
            kinds.append(
                rng.randrange(1, 5) if man == PAWN and not gone and rng.random() < 0.2 else man
            )
        kings = rng.randrange(64), rng.randrange(64)
        passing = int(game.both_pawns and rng.random() < 0.5)
        if passing:  # side by side, where one may just have come
            rank, file = 4 - (side := rng.randrange(2)), rng.randrange(7)
            squares = [8 * rank + file, 8 * rank + file + 1]
            if rng.random() < 0.5:
                squares.reverse()
            p = men(*kings, *squares, PAWN, PAWN, side, 1)
        else:
            p = men(*kings, *squares, *kinds, rng.randrange(2), 0)
        if game.legal(p):
            return game.tidy(p)


def compared(game, count, seed):
    """Compare boards and moves of random positions; return how many there were."""
    rng = random.Random(seed)
    for n in range(count):
        p = placed(game, rng)
        board = boards.to_board(p, game)
        assert isinstance(game, RacingKings) or not board.status() & ~CHECKS, board.fen()
        assert board.turn is (p.side == 0)
        again = boards.from_board(board, game)
        assert seen(game, again) == seen(game, p)
        over = game.outcome(p) is not None
        if isinstance(game, RacingKings) and over:
            assert board.is_variant_end() or not any(board.legal_moves)
            continue
        theirs = {boards.from_move(move): move for move in board.legal_moves}
        moves = list(game.moves(p))
        assert sorted(theirs) == sorted(moves), board.fen()
        assert over == (not moves)
        if n % 8 == 0:
            for move in moves:
                assert boards.to_move(move) == theirs[move]
                assert game.name(move) == theirs[move].uci()
                board.push(theirs[move])
                child = boards.from_board(board, game)
                assert seen(game, child) == seen(game, game.play(p, move))
                board.pop()
    return count


def seen(game, p):
    """Return a position as a board shows it: nothing says which of two like men was a pawn."""
    men = ((p.first, p.first_kind, game.first_side), (p.second, p.second_kind, game.second_side))
    there = sorted(man for man in men if man[0] < OFF)
    return p.white_king, p.black_king, there, p.side, p.passing


def test_boards_and_moves_agree_on_some_positions():
    """Positions go out and come back, and have the moves that python-chess finds."""
    for n, game in enumerate(ENDINGS):
        compared(game, 25, n)


@pytest.mark.slow
@pytest.mark.parametrize("game", ENDINGS, ids=str)
def test_boards_and_moves_agree(game):
    """On 12,000 positions of twelve endings, and after each move of some of them."""
    assert compared(game, 1_000, 7) == 1_000


def test_an_ending_begins_with_a_board():
    """Its men, white's and black's, and its position."""
    board = chess.Board("8/8/8/3k4/8/8/2p5/K6R b - - 5 70")
    game = boards.ending_of(board)
    assert game == ChessEnding("KRKP", "8/8/8/3k4/8/8/2p5/K6R b - - 5 70")
    assert boards.to_board(game.start(), game).board_fen() == board.board_fen()
    assert boards.from_board(board, ChessEnding("KRKP")) == game.start()
    racing = RacingKingsBoard("8/8/8/8/8/8/k6K/r6R w - - 0 1")
    assert boards.ending_of(racing) == RacingKings("KRKR", racing.fen())
    with pytest.raises(ParameterError, match=r"variant 'atomic'.*board of chess"):
        boards.ending_of(AtomicBoard())
    with pytest.raises(ParameterError, match="two to four men"):
        boards.ending_of(chess.Board())
    with pytest.raises(ParameterError, match="castling"):
        boards.ending_of(chess.Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))


def test_easy_mistakes_are_told():
    """Each in a sentence with what to do."""
    game = ChessEnding("KQK")
    with pytest.raises(PositionError, match="men that this ending does not have"):
        boards.from_board(chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), game)
    with pytest.raises(PositionError, match=r"variant 'chess'.*RacingKings"):
        boards.from_board(chess.Board(), RacingKings())
    with pytest.raises(PositionError, match="not a legal position"):
        boards.to_board(type(game.start())(0, 1, 2, 64, 1, 0, 0, 0), game)
    with pytest.raises(PositionError, match="not a legal position"):
        boards.to_board((0, 1), game)
    fairy = ChessEnding("KMK")
    with pytest.raises(PositionError, match=r"python-chess does not know, the amazon; use game"):
        boards.to_board(fairy.start(), fairy)
    with pytest.raises(MoveError, match="give one from a square"):
        boards.from_move(chess.Move.null())
    for wrong in ((0, 64, 0), (0, 1), "e2e4", (0, 8, 5)):
        with pytest.raises(MoveError, match="two squares"):
            boards.to_move(wrong)


def test_a_missing_library_is_told(monkeypatch):
    """With what to install."""
    monkeypatch.setitem(sys.modules, "chess", None)
    with pytest.raises(MissingExtraError, match=r"python-chess.*pip install 'zermelo\[chess\]'"):
        boards.ending_of(chess.Board())


@pytest.mark.slow
def test_the_engine_plays_under_python_chess(tmp_path):
    """It mates in as many moves as its solution says, from positions all over the ending."""
    solution = zermelo.solve(ChessEnding("KQK"))
    table = solution.save(tmp_path / "kqk.table")
    game, rng = solution.game, random.Random(3)
    command = [sys.executable, "-m", "zermelo", "uci", str(table)]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as engine:
        assert engine.id["name"].startswith("Zermelo")
        longest = max((p for p in (placed(game, rng) for _ in range(500))), key=plies_of(solution))
        for p in [longest, *(placed(game, rng) for _ in range(12))]:
            board, value = boards.to_board(p, game), solution[p]
            if board.is_game_over():
                continue
            told = engine.analyse(board, chess.engine.Limit(depth=1))
            mate = told["score"].relative.mate()
            assert (mate is None) == (value.outcome == 0)
            if mate is not None:
                assert abs(mate) == (value.remoteness + 1) // 2
                assert len(told["pv"]) == value.remoteness
            several = engine.analyse(board, chess.engine.Limit(depth=1), multipv=3)
            assert [line["pv"][0].uci() for line in several] == [
                option.name for option in solution.options(p)[:3]
            ]
            while not board.is_game_over():
                before = solution[boards.from_board(board, game)]
                if before.remoteness is None:
                    break
                board.push(engine.play(board, chess.engine.Limit(time=0.1)).move)
                after = solution[boards.from_board(board, game)]
                assert after.remoteness == before.remoteness - 1
                assert after.outcome == -before.outcome
            if value.outcome:
                assert board.is_checkmate()
        board = boards.to_board(longest, game)
        with engine.analysis(board, chess.engine.Limit()) as analysis:  # without end
            assert analysis.get()["pv"]
            analysis.stop()
            assert analysis.wait().move.uci() == solution.options(longest)[0].name


def plies_of(solution):
    """Return what says in how many plies a position ends, 0 for one that does not."""
    return lambda p: solution[p].remoteness or 0
