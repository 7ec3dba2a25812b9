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
    for way in SLIDES.get(man, []):
        at = start + way
        while on_board(at) and at != square and at not in board:
            at += way
        if at == square:
            return True
    return False


def king_attacked(board, side):
    """Whether a side is in check."""
    king = next(at for at, letter in board.items() if letter == ("K" if side == "w" else "k"))
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
        for ways, longest in ((LEAPS.get(man, []), 1), (SLIDES.get(man, []), 7)):
            for way in ways:
                for at in range(start + way, start + (longest + 1) * way, way):
                    if not on_board(at):
                        break
                    if at not in board or owner(board[at]) != side:
                        yield start, at, ""
                    if at in board:
                        break


def pawn_candidates(board, side, passed, start):
    """Yield the moves of a pawn."""
    up, home, last = (16, 1, 7) if side == "w" else (-16, 6, 0)
    found = []
    if start + up not in board:
        found.append(start + up)
        if start >> 4 == home and start + 2 * up not in board:
            found.append(start + 2 * up)
    found += [
        at
        for at in (start + up - 1, start + up + 1)
        if on_board(at) and ((at in board and owner(board[at]) != side) or at == passed)
    ]
    for at in found:
        for becomes in "qrbn" if at >> 4 == last else [""]:
            yield start, at, becomes


def after(board, side, passed, move):
    """Return the position after a move."""
    start, end, becomes = move
    changed = dict(board)
    letter = changed.pop(start)
    pawn = letter.lower() == "p"
    if pawn and end == passed:
        del changed[end - 16 if side == "w" else end + 16]
    if becomes:
        letter = becomes.upper() if side == "w" else becomes
    changed[end] = letter
    middle = (start + end) // 2 if pawn and abs(end - start) == 32 else None
    return changed, "b" if side == "w" else "w", middle


def moves(board, side, passed):
    """Return a dictionary of the legal moves, as in ``e7e8q``, with the positions after them."""
    found = {}
    for move in candidates(board, side, passed):
        then = after(board, side, passed, move)
        if not king_attacked(then[0], side):
            found[name(move[0]) + name(move[1]) + move[2]] = then
    return found


def name(square):
    """Return what a square is called."""
    return "abcdefgh"[square & 7] + "12345678"[square >> 4]
