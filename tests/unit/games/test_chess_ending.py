"""Chess endings: the rules against a slow mailbox, and published facts."""

from __future__ import annotations

import random
from itertools import combinations_with_replacement

import pytest

import chess_mailbox as mailbox
from zermelo import DRAW, LOSS
from zermelo.games import ChessEnding
from zermelo.games.chess_ending import Men

KINDS = "QRBNP"
#: Every ending of two to four men.
ENDINGS = ["KK"]
for one in KINDS:
    ENDINGS += [f"K{one}K", f"KK{one}", *(f"K{one}K{other}" for other in KINDS)]
for two in map("".join, combinations_with_replacement(KINDS, 2)):
    ENDINGS += [f"K{two}K", f"KK{two}"]
LETTERS = ".QRBNP"


def sides(game):
    """Return whose the first and the second man are, as letters of the mailbox."""
    white, black = game.men[1:].split("K")
    return ("w" * len(white) + "b" * len(black)).ljust(2, "w")


def as_mailbox(game, p):
    """Return a position as the mailbox has it."""
    board = {}
    for square, letter in (
        (p.white_king, "K"),
        (p.black_king, "k"),
        *zip(
            (p.first, p.second),
            (
                LETTERS[kind] if side == "w" else LETTERS[kind].lower()
                for kind, side in zip((p.first_kind, p.second_kind), sides(game), strict=True)
            ),
            strict=True,
        ),
    ):
        if square < 64:
            board[square // 8 * 16 + square % 8] = letter
    passed = None
    if p.passing:
        pawn = p.first if p.side else p.second
        passed = pawn // 8 * 16 + pawn % 8 + (-16 if p.side else 16)
    return board, "b" if p.side else "w", passed


def useful(board, side, passed):
    """Return the position without a passed square that no pawn attacks."""
    if passed is not None:
        back = -16 if side == "w" else 16
        pawn = "P" if side == "w" else "p"
        squares = [passed + back - 1, passed + back + 1]
        if not any(mailbox.on_board(at) and board.get(at) == pawn for at in squares):
            passed = None
    return board, side, passed


def scattered(game, count, seed):
    """Return positions drawn at random from all in the ranges, legal or not."""
    drawn = random.Random(seed)
    fields = game.space()
    found = []
    while len(found) < count:
        p = Men(*(drawn.choice(values) for values in fields))
        # Many with few men or with both pawns on one rank are drawn in vain otherwise.
        if game.both_pawns and drawn.random() < 0.5:
            rank = 24 if p.side else 32
            file = drawn.randrange(7)
            files = [file, file + 1]
            drawn.shuffle(files)
            p = p._replace(first=rank + files[0], second=rank + files[1])
            p = p._replace(first_kind=5, second_kind=5)
        found.append(p)
    return found


def lawful(game, p):
    """Whether the mailbox finds a position legal; its men have squares of their own."""
    board, side, passed = as_mailbox(game, p)
    if len(board) != 2 + (p.first < 64) + (p.second < 64):
        return False
    if any(letter in "Pp" and at >> 4 in (0, 7) for at, letter in board.items()):
        return False
    if mailbox.king_attacked(board, "w" if side == "b" else "b"):
        return False
    if passed is None:
        return True
    # Take the step back: it must have been possible, and the other side not in check before it.
    up = 16 if side == "b" else -16
    before = {at: letter for at, letter in board.items() if at != passed + up}
    pawn = "P" if side == "b" else "p"
    if board.get(passed + up) != pawn or passed in board or passed - up in board:
        return False
    if (passed - up) >> 4 != (1 if side == "b" else 6):
        return False
    before[passed - up] = pawn
    return useful(board, side, passed)[2] is not None and not mailbox.king_attacked(before, side)


def in_one_form(game, p):
    """Whether a position has the form that rules give it, by what the fields are said to hold."""
    white, black = game.men[1:].split("K")
    first, second = (LETTERS.index(man) for man in (white + black).ljust(2, "."))
    if (p.first == 64 and p.first_kind != first) or (p.second == 64 and p.second_kind != second):
        return False
    if white and black:
        return True
    if first == second and (p.first_kind, p.first) > (p.second_kind, p.second):
        return False
    return p.first_kind != p.second_kind or p.first <= p.second


@pytest.mark.parametrize("men", ENDINGS)
def test_rules_are_those_of_a_slow_mailbox(men):
    """On random positions of every ending, legality, moves, their results and ends agree."""
    game = ChessEnding(men)
    legal = 0
    for p in scattered(game, 400, men):
        assert game.legal(p) == (lawful(game, p) and in_one_form(game, p)), p
        if not game.legal(p):
            continue
        legal += 1
        board, side, passed = as_mailbox(game, p)
        expected = mailbox.moves(board, side, passed)
        found = {game.name(move): game.play(p, move) for move in game.moves(p)}
        assert len(found) == len(list(game.moves(p)))
        assert found.keys() == expected.keys(), game.show(p)
        for move, child in found.items():
            assert as_mailbox(game, child) == useful(*expected[move]), (p, move)
            assert game.legal(child)
        over = None
        if not expected:
            over = LOSS if mailbox.king_attacked(board, side) else DRAW
        assert game.outcome(p) == over
    assert legal > 40
