"""Tables of chess endings: where men can go, what they attack, and how positions are written.

Squares are numbered 0 (a1) to 63 (h8), file by file along a rank; 64 is off the board.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

#: The square of a man that has been taken, or that an ending does not have.
OFF = 64
NONE, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, KING = range(7)
#: Men of fairy chess: some slide, some leap, some do both.
AMAZON, CHANCELLOR, ARCHBISHOP, NIGHTRIDER, CAMEL, ZEBRA = FAIRIES = range(7, 13)
#: The kind of a black pawn in the tables, as it attacks the other way.
BLACK_PAWN = 13
LETTERS = ".QRBNPKMCAHLZ"
#: Few fonts have figures for fairy men, so they are drawn as letters.
FIGURES = (" ♕♖♗♘♙♔MCAHLZ", " ♛♜♝♞♟♚mcahlz")
NAMES = (
    *("", "queen", "rook", "bishop", "knight", "pawn", "king"),
    *("amazon", "chancellor", "archbishop", "nightrider", "camel", "zebra"),
)
WHITE, BLACK = 0, 1
#: The squares of white's men of each kind at the start of a game; a second queen stands on a free
#: square, and fairy men in place of the men that they resemble.
HOMES = (
    *((), (3, 2), (0, 7), (2, 5), (1, 6), (11, 12), (4,)),
    *((3, 2), (0, 7), (2, 5), (1, 6), (1, 6), (1, 6)),
)

_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_HOPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
#: The directions in which a man slides.
_RIDES: dict[int, tuple[tuple[int, int], ...]] = {
    QUEEN: _STRAIGHT + _SLANTED,
    ROOK: _STRAIGHT,
    BISHOP: _SLANTED,
    AMAZON: _STRAIGHT + _SLANTED,
    CHANCELLOR: _STRAIGHT,
    ARCHBISHOP: _SLANTED,
    NIGHTRIDER: _HOPS,
}
#: The single steps of a man.
_STEPS: dict[int, tuple[tuple[int, int], ...]] = {
    KNIGHT: _HOPS,
    PAWN: ((-1, 1), (1, 1)),
    KING: _STRAIGHT + _SLANTED,
    AMAZON: _HOPS,
    CHANCELLOR: _HOPS,
    ARCHBISHOP: _HOPS,
    CAMEL: ((1, 3), (3, 1), (3, -1), (1, -3), (-1, -3), (-3, -1), (-3, 1), (-1, 3)),
    ZEBRA: ((2, 3), (3, 2), (3, -2), (2, -3), (-2, -3), (-3, -2), (-3, 2), (-2, 3)),
    BLACK_PAWN: ((-1, -1), (1, -1)),
}
_EDGE = 8


class Men(NamedTuple):
    """The men's squares and kinds, and the side to move.

    Attributes:
        white_king: the square of the white king, 0 (a1), 1 (b1), … 63 (h8).
        black_king: the square of the black king.
        first: the square of the first man that is not a king, white's before black's; 64 if he has
            been taken, or if the ending has none.
        second: the square of the other man, likewise.
        first_kind: the kind of the first man: 1 queen, 2 rook, 3 bishop, 4 knight, 5 pawn, 7
            amazon, 8 chancellor, 9 archbishop, 10 nightrider, 11 camel, 12 zebra. It changes when a
            pawn is promoted, and back to the kind at the start once the man is taken.
        second_kind: the kind of the second man, likewise.
        side: 0 if white is to move, 1 if black is.
        passing: 1 if the last move took a pawn two squares to the side of one that may now take
            it in passing.
    """

    white_king: int
    black_king: int
    first: int
    second: int
    first_kind: int
    second_kind: int
    side: int
    passing: int


@cache
def bits() -> tuple[int, ...]:
    """Return the bit of each square, and 0 for the square off the board.

    A set of squares is a number of 64 bits with a sign, so that h8 is the sign.
    """
    return (*(_signed(1 << square) for square in range(OFF)), 0)


@cache
def spans() -> tuple[int, ...]:
    """Return the squares that a man attacks on an empty board, at ``man * 65 + square``."""
    table = [0] * ((BLACK_PAWN + 1) * (OFF + 1))
    for man, square, line in _lines():
        table[man * (OFF + 1) + square] |= _signed(sum(1 << one for one in line))
    return tuple(table)


@cache
def shades() -> tuple[int, ...]:
    """Return the squares that another man hides from a man.

    They are at ``(man * 65 + square) * 65 + other``, where ``target`` is the other's square.
    """
    table = [0] * ((BLACK_PAWN + 1) * (OFF + 1) ** 2)
    for man, square, line in _lines():
        for n, target in enumerate(line):
            shade = sum(1 << one for one in line[n + 1 :])
            table[(man * (OFF + 1) + square) * (OFF + 1) + target] = _signed(shade)
    return tuple(table)


@cache
def shields() -> tuple[int, ...]:
    """Return the squares on which a man interrupts an attack.

    They are at ``(man * 65 + square) * 64 + attacked``: 0 if nothing can, and all squares if there
    is no attack to begin with.
    """
    table = [-1] * ((BLACK_PAWN + 1) * (OFF + 1) * OFF)
    for man, square, line in _lines():
        for n, attacked in enumerate(line):
            shield = sum(1 << one for one in line[:n])
            table[(man * (OFF + 1) + square) * OFF + attacked] = shield
    return tuple(table)


@cache
def rays() -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Return the lines of squares along which a man attacks, at ``man * 65 + square``."""
    table: list[list[tuple[int, ...]]] = [[] for _ in range((BLACK_PAWN + 1) * (OFF + 1))]
    for man, square, line in _lines():
        if line:
            table[man * (OFF + 1) + square].append(tuple(line))
    return tuple(map(tuple, table))


@cache
def gaps() -> tuple[int, ...]:
    """Return the squares between two in one line, at ``one * 65 + other``; 0 if there are none."""
    table = [0] * (OFF + 1) ** 2
    for _, square, line in _lines():
        for n, target in enumerate(line):
            table[square * (OFF + 1) + target] = _signed(sum(1 << one for one in line[:n]))
    return tuple(table)


def name(square: int) -> str:
    """Return a square's name.

    >>> name(0), name(63)
    ('a1', 'h8')
    """
    return f"{'abcdefgh'[square % _EDGE]}{square // _EDGE + 1}"


def _lines() -> Iterator[tuple[int, int, list[int]]]:
    """Yield each man, square, and line of squares that he attacks from there, nearest first."""
    for longest, men in ((_EDGE, _RIDES), (1, _STEPS)):
        for man, directions in men.items():
            for square in range(OFF):
                for direction in directions:
                    yield man, square, _line(square, direction, longest)


def _line(square: int, direction: tuple[int, int], longest: int) -> list[int]:
    line: list[int] = []
    file, rank = square % _EDGE + direction[0], square // _EDGE + direction[1]
    while 0 <= file < _EDGE and 0 <= rank < _EDGE and len(line) < longest:
        line.append(rank * _EDGE + file)
        file, rank = file + direction[0], rank + direction[1]
    return line


def _signed(squares: int) -> int:
    return squares - (1 << OFF) if squares >> (OFF - 1) else squares
