"""Chess by the book, slowly: a board of 16 by 8 with a border, and nothing from Zermelo.

A position is a dictionary from squares (rank times 16 plus file) to letters as in FEN, the side to
move (``"w"`` or ``"b"``) and the square that a pawn has just passed, or None.
"""

from __future__ import annotations

KNIGHT = [14, 18, 31, 33, -14, -18, -31, -33]
STRAIGHT = [1, -1, 16, -16]
SLANTED = [15, 17, -15, -17]
CAMEL = [13, 19, 47, 49, -13, -19, -47, -49]
ZEBRA = [29, 35, 46, 50, -29, -35, -46, -50]
SLIDES = {
    "r": STRAIGHT,
    "b": SLANTED,
    "q": STRAIGHT + SLANTED,
    "c": STRAIGHT,
    "a": SLANTED,
    "m": STRAIGHT + SLANTED,
    "h": KNIGHT,
}
LEAPS = {
    "n": KNIGHT,
    "k": STRAIGHT + SLANTED,
    "l": CAMEL,
    "z": ZEBRA,
    **dict.fromkeys("cam", KNIGHT),
}


def on_board(square):
    """Whether a number is a square and no part of the border."""
    return square & 0x88 == 0


def owner(letter):
    """Return whose a man is."""
    return "w" if letter.isupper() else "b"


def attacked(board, square, by):
    """Whether a side attacks a square: look from each of its men."""
    men = ((start, letter.lower()) for start, letter in board.items() if owner(letter) == by)
    return any(attacks(board, start, man, square, by) for start, man in men)


def attacks(board, start, man, square, by):
    """Whether one man attacks a square."""
    if man == "p":
        up = 16 if by == "w" else -16
        return square in (start + up - 1, start + up + 1)
    if square - start in LEAPS.get(man, []):
        return True
    for direction in SLIDES.get(man, []):
        target = start + direction
        while on_board(target) and target != square and target not in board:
            target += direction
        if target == square:
            return True
    return False


def king_attacked(board, side):
    """Whether a side is in check."""
    king = next(
        square for square, letter in board.items() if letter == ("K" if side == "w" else "k")
    )
    return attacked(board, king, "b" if side == "w" else "w")


def candidates(board, side, passed):
    """Yield (from, to, promotion letter or "") of each move, legal or not."""
    for start, letter in board.items():
        if owner(letter) != side:
            continue
        man = letter.lower()
        if man == "p":
            yield from pawn_candidates(board, side, passed, start)
            continue
        for directions, longest in ((LEAPS.get(man, []), 1), (SLIDES.get(man, []), 7)):
            for direction in directions:
                for target in range(
                    start + direction, start + (longest + 1) * direction, direction
                ):
                    if not on_board(target):
                        break
                    if target not in board or owner(board[target]) != side:
                        yield start, target, ""
                    if target in board:
                        break


def pawn_candidates(board, side, passed, start):
    """Yield the moves of a pawn."""
    up, home, last = (16, 1, 7) if side == "w" else (-16, 6, 0)
    targets = []
    if start + up not in board:
        targets.append(start + up)
        if start >> 4 == home and start + 2 * up not in board:
            targets.append(start + 2 * up)
    targets += [
        target
        for target in (start + up - 1, start + up + 1)
        if on_board(target)
        and ((target in board and owner(board[target]) != side) or target == passed)
    ]
    for target in targets:
        for promotion in "qrbn" if target >> 4 == last else [""]:
            yield start, target, promotion


def after(board, side, passed, move):
    """Return the position after a move."""
    start, end, promotion = move
    new_board = dict(board)
    letter = new_board.pop(start)
    pawn = letter.lower() == "p"
    if pawn and end == passed:
        del new_board[end - 16 if side == "w" else end + 16]
    if promotion:
        letter = promotion.upper() if side == "w" else promotion
    new_board[end] = letter
    middle = (start + end) // 2 if pawn and abs(end - start) == 32 else None
    return new_board, "b" if side == "w" else "w", middle


def moves(board, side, passed):
    """Return a dictionary of the legal moves, as in ``e7e8q``, with the positions after them."""
    legal_moves = {}
    for move in candidates(board, side, passed):
        position = after(board, side, passed, move)
        if not king_attacked(position[0], side):
            legal_moves[name(move[0]) + name(move[1]) + move[2]] = position
    return legal_moves


def name(square):
    """Return what a square is called."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 4]
