"""Chess positions as text: the board drawn in letters, and Forsyth-Edwards notation (FEN)."""

from __future__ import annotations

import re
from itertools import permutations
from typing import NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.games.chess._men import (
    BLACK,
    FIGURES,
    KING,
    LETTERS,
    NAMES,
    OFF,
    PAWN,
    WHITE,
    Men,
    name,
)

#: The names of the two sides.
COLOURS = ("white", "black")

_SIZE = 8
_SIDES = {"w": WHITE, "b": BLACK, "white": WHITE, "black": BLACK}
_DRAWN = re.compile(
    r"(white|black) to move(?:, ([a-h][36]) may be taken)?(?:, ([a-h][1-8]) was a pawn)?"
)
_FEN = re.compile(r"(\S+) ([wb]) (\S+) (-|[a-h][36])(?: \d+){0,2}")
_FORM = "write it as it is shown, or in FEN such as '4k3/8/8/8/8/8/8/4K3 w - - 0 1'"

Extra = tuple[tuple[int, int], ...]


class Stand(NamedTuple):
    """A position in the form in which it is written.

    Attributes:
        men: the kind and the side of the man on each square that is not empty.
        side: the side to move.
        passed: the square behind a pawn that may be taken in passing, or None.
        risen: the square of a promoted pawn, if there may be a man of its kind who never was a
            pawn; or None.
    """

    men: dict[int, tuple[int, int]]
    side: int
    passed: int | None
    risen: int | None = None


def draw(stand: Stand) -> str:
    """Return the board in letters, white's large, and a line with the side to move."""
    lines = [" ".join(line) for line in rows(stand.men)]
    passing = "" if stand.passed is None else f", {name(stand.passed)} may be taken"
    risen = "" if stand.risen is None else f", {name(stand.risen)} was a pawn"
    return "\n".join([*lines, f"{COLOURS[stand.side]} to move{passing}{risen}"])


def move_name(move: tuple[int, int, int]) -> str:
    """Return a move as chess engines write it: ``e1e2``, or ``e7e8q`` for a promotion."""
    source, target, becomes = move
    letter = LETTERS[becomes].lower() if becomes else ""
    return f"{name(source)}{name(target)}{letter}"


def picture(stand: Stand) -> str:
    """Draw the board, with a title that names each man."""
    title = ", ".join(
        f"{COLOURS[side]} {NAMES[kind]} {name(square)}"
        for square, (kind, side) in sorted(stand.men.items())
    )
    title += f", {COLOURS[stand.side]} to move"
    moves = [[f"{file}{rank}" for file in "abcdefgh"] for rank in "87654321"]
    men = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
    board = rows(stand.men, FIGURES)
    return drawing.grid(
        board, title=title, below="abcdefgh", ranks="87654321", moves=moves, words=men
    )


def rows(men: dict[int, tuple[int, int]], letters: tuple[str, str] | None = None) -> list[str]:
    """Return the eight ranks, the highest first, one character per square, a dot if it is empty.

    Args:
        men: a kind and a side for each square that is not empty.
        letters: the characters for the kinds of white's and of black's men.
    """
    marks = letters or (LETTERS, LETTERS.lower())
    squares = [[(rank * _SIZE + file) for file in range(_SIZE)] for rank in range(_SIZE)]
    return [
        "".join(marks[men[at][1]][men[at][0]] if at in men else "." for at in rank)
        for rank in reversed(squares)
    ]


def read(text: object) -> Stand:
    """Read a position in FEN, or as ``draw`` writes it.

    Raises:
        PositionError: it is neither, or has something that an ending cannot have.
    """
    if not isinstance(text, str):
        message = f"{text!r} is not a position; {_FORM}"
        raise PositionError(message)
    lines, risen = text.strip().splitlines(), None
    if len(lines) == _SIZE + 1:
        ranks = ["".join(line.split()) for line in lines[:_SIZE]]
        last_line = _DRAWN.fullmatch(lines[_SIZE].strip())
        if last_line is None:
            message = f"{lines[_SIZE]!r} does not say whose move it is; write 'white to move'"
            raise PositionError(message)
        side, passed_square, risen = last_line.groups()
    else:
        fields = _FEN.fullmatch(" ".join(text.split()))
        if fields is None:
            message = f"{text!r} is not a position; {_FORM}"
            raise PositionError(message)
        board, side, castling, passed_square = fields.groups()
        if castling != "-":
            message = (
                f"{text!r} has {castling!r} for castling, which is not among the rules; write -"
            )
            raise PositionError(message)
        ranks = [re.sub("[1-8]", lambda run: "." * int(run[0]), rank) for rank in board.split("/")]
    if [len(rank) for rank in ranks] != [_SIZE] * _SIZE:
        message = f"{text!r} is not eight ranks of eight squares; {_FORM}"
        raise PositionError(message)
    men = {}
    for rank, marks in enumerate(reversed(ranks)):
        for file, mark in enumerate(marks):
            if mark != ".":
                men[rank * _SIZE + file] = _man(text, mark)
    return Stand(men, _SIDES[side], _square(passed_square), _square(risen))


def stand_of(p: Men, extra: Extra) -> Stand:
    """Return a position in the form in which it is written.

    Args:
        p: the position.
        extra: the kind at the start and the side of the ending's first and second man.
    """
    men = {p.white_king: (KING, WHITE), p.black_king: (KING, BLACK)}
    men[p.first] = p.first_kind, extra[0][1]
    men[p.second] = p.second_kind, extra[1][1]
    men.pop(OFF, None)
    passed_square = None
    if p.passing:
        passed_square = p.first - _SIZE if p.side else p.second + _SIZE
    are_alike = len({side for _, side in extra}) == 1 and p.second_kind == extra[0][0] != PAWN
    risen = p.second if extra[1][0] == PAWN and are_alike and p.second < OFF else None
    return Stand(men, p.side, passed_square, risen)


def placed(text: str, stand: Stand, extra: Extra) -> Men:
    """Return a stand as a position of an ending.

    Args:
        text: the text that was read, for messages.
        stand: the position in it.
        extra: the kind at the start and the side of the ending's first and second man.

    Raises:
        PositionError: there are other men than the ending has or can have by promotion.
    """
    kings = {side: at for at, (kind, side) in stand.men.items() if kind == KING}
    men = [(at, kind, side) for at, (kind, side) in stand.men.items() if kind != KING]
    if len(kings) != 2 or len(stand.men) != 2 + len(men):  # one king per side
        message = f"{text!r} must have one king a side; place K and k once each"
        raise PositionError(message)
    captured = [(OFF, man, side) for man, side in extra]
    for arrangement in permutations([*men, *captured], len(extra)):
        used_squares = {man[0] for man in arrangement} - {OFF}
        if (
            len(used_squares) == len(men)
            and stand.risen in (None, arrangement[-1][0])
            and all(
                owner == side and (kind == man or (man == PAWN and kind < PAWN and at < OFF))
                for (at, kind, side), (man, owner) in zip(arrangement, extra, strict=True)
            )
        ):
            break
    else:
        message = f"{text!r} has men that this ending does not have; place its own, or fewer"
        raise PositionError(message)
    (first, first_kind, _), (second, second_kind, _) = arrangement
    passing = 0
    if stand.passed is not None:
        step_ahead = _SIZE if stand.side == BLACK else -_SIZE
        pawn = stand.passed + step_ahead
        if stand.men.get(pawn) != (PAWN, 1 - stand.side):
            message = f"{text!r} has no pawn that passed {name(stand.passed)}; write - instead"
            raise PositionError(message)
        neighbours = [at for at in (pawn - 1, pawn + 1) if at // _SIZE == pawn // _SIZE]
        passing = int(any(stand.men.get(at) == (PAWN, stand.side) for at in neighbours))
    squares = kings[WHITE], kings[BLACK], first, second
    return Men(*squares, first_kind, second_kind, stand.side, passing)


def _man(text: str, mark: str) -> tuple[int, int]:
    if mark.upper() not in LETTERS[1:]:
        letters = "".join(sorted(LETTERS[1:], key=lambda letter: letter != "K"))
        message = (
            f"{text!r} has a man {mark!r}; use {letters} for white's men and {letters.lower()} for "
            "black's"
        )
        raise PositionError(message)
    return LETTERS.index(mark.upper()), WHITE if mark.isupper() else BLACK


def _square(text: str | None) -> int | None:
    if text is None or text == "-":
        return None
    return (int(text[1]) - 1) * _SIZE + "abcdefgh".index(text[0])
