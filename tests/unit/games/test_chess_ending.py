"""Chess endings: the rules against a slow mailbox, and published facts."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest

import zermelo
from facts import document, rows
from support.oracles import chess_mailbox as mailbox
from support.sizes import some
from zermelo import DRAW, LOSS
from zermelo.errors import ParameterError, PositionError
from zermelo.games import ChessEnding
from zermelo.games.chess.chess_ending import Men

KINDS = "QRBNP"
#: Every ending of two to four men.
ENDINGS = ["KK"]
for one in KINDS:
    ENDINGS += [f"K{one}K", f"KK{one}", *(f"K{one}K{other}" for other in KINDS)]
for two in map("".join, combinations_with_replacement(KINDS, 2)):
    ENDINGS += [f"K{two}K", f"KK{two}"]
#: Some endings with fairy men: each of them alone, with one of chess, against one, and in pairs.
FAIRIES = "MCAHLZ"
WITH_FAIRIES = [f"K{one}K" for one in FAIRIES]
for one in FAIRIES:
    WITH_FAIRIES += [
        f"KK{one}",
        f"KP{one}K",
        f"KRK{one}",
        f"K{one}KP",
        f"K{one}KN",
        f"K{one}{one}K",
    ]
    WITH_FAIRIES += [f"K{one}K{other}" for other in FAIRIES]
LETTERS = ".QRBNPKMCAHLZ"


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


def as_at_first(game, p):
    """Whether of a man that was taken is said what he was at first."""
    white, black = game.men[1:].split("K")
    kinds = (LETTERS.index(man) for man in (white + black).ljust(2, "."))
    first, second = kinds
    return (p.first < 64 or p.first_kind == first) and (p.second < 64 or p.second_kind == second)


@pytest.mark.parametrize("men", [*some(ENDINGS, 16, slow=6), *some(WITH_FAIRIES, 32, slow=6)])
def test_rules_are_those_of_a_slow_mailbox(men):
    """On random positions of every ending, legality, moves, their results and ends agree."""
    game = ChessEnding(men)
    legal = 0
    for p in scattered(game, 400, men):
        assert game.legal(p) == (lawful(game, p) and as_at_first(game, p)), p
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


@cache
def solved(men):
    """Return an ending's solution, once."""
    return zermelo.solve(ChessEnding(men))


def values(men, side):
    """Return every position of full material and its value, up to symmetry.

    Returns:
        The white king, the black king and the first man of one position a class, one row each,
        their outcomes for the player to move, and their plies to the end.
    """
    solution = solved(men)
    squares = np.indices((64, 64, 64)).reshape(3, -1)
    least = keys = squares[0] << 12 | squares[1] << 6 | squares[2]
    for turned in symmetries(squares, pawns="P" in men):
        least = np.minimum(least, turned[0] << 12 | turned[1] << 6 | turned[2])
    squares = squares[:, least == keys].T
    first_kind = LETTERS.index(men[1])
    rest = np.broadcast_to([64, first_kind, 0, side, 0], (len(squares), 5))
    found = solution.get_many(np.concatenate([squares, rest], axis=1))
    return squares[found.found], found.outcome[found.found], found.remoteness[found.found]


def symmetries(squares, *, pawns):
    """Yield the images of squares under the symmetries of the board, or the mirror alone."""
    files, ranks = squares % 8, squares // 8
    for mirrored in (files, 7 - files):
        if pawns:
            yield ranks * 8 + mirrored
            continue
        for upturned in (ranks, 7 - ranks):
            yield upturned * 8 + mirrored
            yield mirrored * 8 + upturned


@pytest.mark.slow
def test_queen_against_king_by_plies_to_mate():
    """Every count of the table of king and queen against king comes out."""
    fact = document("chess_kqk")["KQvK"]
    _, outcomes, plies = values("KQK", 0)
    assert len(outcomes) == fact["wtm_legal"]
    assert (outcomes == 1).sum() == fact["wtm_wins"]
    assert {str(k): n for k, n in Counter(plies.tolist()).items()} == fact["wtm_dtm_hist"]
    _, outcomes, plies = values("KQK", 1)
    assert len(outcomes) == fact["btm_legal"]
    assert (outcomes == 0).sum() == fact["btm_draws"]
    lost = Counter(plies[outcomes == -1].tolist())
    assert {str(k): n for k, n in lost.items()} == fact["btm_dtm_hist"]


@pytest.mark.slow
@pytest.mark.parametrize("men", ["KQK", "KPK", "KRK"])
def test_longest_mates_with_three_men(men):
    """Mates take as many moves as is published, in as many positions."""
    facts = [row for row in rows("chess_endings") if row["ending"] == men]
    facts = [row for row in facts if row["quantity"].endswith("moves")]
    assert len(facts) == 2
    for fact in facts:
        words = fact["quantity"].split()
        side, moves = ("wtm", "btm").index(words[0]), int(words[-2])
        _, outcomes, plies = values(men, side)
        decided = plies[outcomes == (1 - 2 * side)]
        assert decided.max() == 2 * moves - 1 + side
        assert (decided == decided.max()).sum() == int(fact["value"])


@pytest.mark.slow
def test_pawn_against_king_is_won_as_often_as_bitbases_say():
    """With the pawn on files a to d, white wins as many positions as others count."""
    fact = next(row for row in rows("chess_endings") if "won by white" in row["quantity"])
    # One of each pair of mirror images is counted, as if the pawn were on these files.
    won = sum(int((values("KPK", side)[1] == 1 - 2 * side).sum()) for side in (0, 1))
    assert won == int(fact["value"])


@pytest.mark.slow
def test_two_kings_never_end():
    """They stand apart on 64 * 63 - 420 pairs of squares, either to move; none can mate."""
    counts = solved("KK").counts()
    assert (counts.positions, counts.endless, counts.tie) == (2 * (64 * 63 - 420), 7224, 0)
    assert len(solved("KK")) == 462  # up to the eight symmetries of the board and the colours
    assert solved("KK").verify()


def assert_longest_mate_is_published(solution, men):
    """Compare the longest loss of an ending with the moves that are published."""
    fact = next(row for row in rows("chess_endings") if row["ending"] == men)
    longest = max(plies for outcome, plies in solution.counts().by_remoteness if outcome == LOSS)
    assert longest == 2 * int(fact["quantity"].split()[-2])


@pytest.mark.huge
def test_the_longest_mate_by_bishop_and_knight_is_as_published():
    """It takes 33 moves."""
    assert_longest_mate_is_published(zermelo.solve(ChessEnding("KBNK")), "KBNK")


@pytest.mark.huge
def test_a_four_men_ending_is_solved_and_certified():
    """Queen against rook, from the rules to the certificate, on two threads."""
    solution = zermelo.solve(ChessEnding("KQKR"), threads=2)
    assert solution.counts().positions == 20_508_124  # as many as benchmarks/baselines/endings.c
    assert_longest_mate_is_published(solution, "KQKR")
    assert solution.verify()


@pytest.mark.slow
@pytest.mark.parametrize("men", ["KRK", "KQK", "KPK"])
def test_solutions_verify(men):
    """The certificate accepts them."""
    assert solved(men).verify()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fen", "value"),
    [
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "win in 31"),
        ("7k/5K2/6R1/8/8/8/8/8 w - - 0 1", "win in 1"),
        ("7k/5K2/6R1/8/8/8/8/8 b - - 0 1", "loss in 4"),
        ("k7/2K5/8/8/8/8/8/1R6 b - - 0 1", "loss in 2"),
    ],
)
def test_rook_against_king_from_a_diagram(fen, value):
    """Positions given in FEN have the values of the tables."""
    game = ChessEnding("KRK", fen)
    assert str(solved("KRK")[game.start()]) == value


def play(game, *moves):
    """Return the position after moves given by their names."""
    p = game.start()
    for wanted in moves:
        p = next(game.play(p, move) for move in game.moves(p) if game.name(move) == wanted)
    return p


def test_a_pawn_is_taken_in_passing_at_once_or_not_at_all():
    """A pawn that comes two squares may be taken by one beside it, in the next move only."""
    game = ChessEnding("KPKP", "8/8/8/6k1/1p6/8/P7/4K3 w - - 0 1")
    passed = play(game, "a2a4")
    assert passed.passing == 1
    taken = play(game, "a2a4", "b4a3")
    assert (taken.first, taken.second, taken.passing) == (64, 16, 0)
    waited = play(game, "a2a4", "g5g4", "e1e2")
    assert "b4a3" not in {game.name(move) for move in game.moves(waited)}
    assert play(game, "a2a3").passing == 0
    assert "may be taken" in game.show(passed)
    assert game.parse(game.show(passed)) == passed


def test_a_square_behind_a_pawn_that_none_attacks_says_nothing():
    """FEN names the square after every step of two; positions do where a pawn may take there."""
    game = ChessEnding("KPKP")
    alone = game.parse("8/8/8/6k1/P6p/8/8/4K3 b - a3 0 1")
    assert alone == game.parse("8/8/8/6k1/P6p/8/8/4K3 b - - 0 1")


def test_two_like_men_are_one_position_in_either_order():
    """Moving one queen past the other leads to a position with the lower square first."""
    game = ChessEnding("KQQK", "7k/8/8/8/8/8/5Q2/K2Q4 w - - 0 1")
    moved = play(game, "d1g4")
    assert (moved.first, moved.second) == (13, 30)
    assert (game.start().first, game.start().second) == (3, 13)
    over = play(game, "f2a2")
    assert (over.first, over.second) == (3, 8)


def test_a_promoted_pawn_is_told_from_a_man_of_its_new_kind():
    """The queen that was a pawn is named as such, as her position has a number of its own."""
    game = ChessEnding("KQPK", "8/1P4k1/8/8/8/8/8/K1Q5 w - - 0 1")
    risen = play(game, "b7b8q")
    assert (risen.second, risen.second_kind) == (57, 1)
    assert game.show(risen).endswith("black to move, b8 was a pawn")
    assert game.parse(game.show(risen)) == risen
    swapped = risen._replace(first=57, second=2)
    assert game.parse(game.show(swapped)) == swapped
    assert game.parse("6k1/8/8/8/8/8/1Q6/K7 w - - 0 1") == Men(0, 62, 9, 64, 1, 5, 0, 0)


@pytest.mark.parametrize("men", some(ENDINGS + WITH_FAIRIES, 8, slow=3))
def test_every_position_is_read_back_as_it_is_shown(men):
    """Also where like men, or promoted pawns, look the same."""
    game = ChessEnding(men)
    for p in filter(game.legal, scattered(game, 150, men)):
        assert game.parse(game.show(p)) == game.tidy(p)


def test_every_ending_starts_from_home():
    """Without a FEN the men stand at home, white to move, in a legal position that is not over."""
    for men in ENDINGS + WITH_FAIRIES:
        game = ChessEnding(men)
        start = game.start()
        assert game.legal(start)
        assert game.outcome(start) is None
        assert game.parse(game.show(start)) == start


@pytest.mark.parametrize(
    ("men", "message"),
    [
        ("QK", "men 'QK' are not an ending of two to four men"),
        ("KQ", "men 'KQ' are not an ending"),
        ("KQRBK", "men 'KQRBK' are not an ending"),
        ("KQRKB", "men 'KQRKB' are not an ending"),
        ("kqk", "men 'kqk' are not an ending"),
        (7, "men 7 are not an ending"),
        ("KPQK", "men 'KPQK' are not in the usual order; write 'KQPK'"),
    ],
)
def test_what_is_no_ending_is_refused_in_one_sentence(men, message):
    """Each thing that can be wrong with the men has its message."""
    with pytest.raises(ParameterError) as caught:
        ChessEnding(men)
    assert str(caught.value).startswith(message)
    assert ";" in str(caught.value)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("8/8 w - -", "is not eight ranks of eight squares"),
        ("nonsense", "is not a position"),
        (7, "7 is not a position"),
        ("7k/8/8/8/8/8/8/KQ6 w K - 0 1", "has 'K' for castling"),
        ("7k/8/8/8/8/8/8/KX6 w - - 0 1", "has a man 'X'"),
        ("8/8/8/8/8/8/8/KP6 w - - 0 1", "must have one king a side"),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", "has men that this ending does not have"),
        ("7k/8/8/8/8/8/8/KP6 w - - 0 1", "move the pawn off the first or the last rank"),
        ("7k/6P1/8/8/8/8/8/K7 w - - 0 1", "white is to move and could take the king"),
        ("6kK/8/1P6/8/8/8/8/8 w - - 0 1", "white is to move and could take the king"),
        ("7k/8/8/8/8/1P6/8/K7 b - b3 0 1", "has no pawn that passed b3"),
    ],
)
def test_what_is_no_position_is_refused_in_one_sentence(fen, message):
    """Each thing that can be wrong with a FEN has its message, as a parameter and when parsed."""
    with pytest.raises(ParameterError) as caught:
        ChessEnding("KPK", fen)
    assert message in str(caught.value)
    with pytest.raises(PositionError) as caught:
        ChessEnding("KPK").parse(fen)
    assert message in str(caught.value)


@pytest.mark.huge
@pytest.mark.parametrize(
    ("men", "fen"),
    [
        ("KPKP", "8/8/8/5k2/8/8/1p1P4/4K3 w - - 0 1"),
        ("KPPK", "8/2P4k/8/3P4/8/8/8/K7 w - - 0 1"),
        ("KQPK", "8/2P4k/8/3Q4/8/8/8/K7 w - - 0 1"),
    ],
)
def test_compiled_rules_agree_with_python(men, fen):
    """With pawns on both sides, and with two like pawns, the check finds nothing to say."""
    report = zermelo.check(ChessEnding(men, fen), max_positions=1500, time=4)
    assert report, str(report)
