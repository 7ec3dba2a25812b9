"""Games on a strip of squares: letters for its squares, and masks as text."""

from __future__ import annotations

from typing import Any

from zermelo.errors import ParameterError, PositionError

#: The most squares of a strip, so that each has a letter.
MOST_SQUARES = 26


def letters(count: int) -> list[str]:
    """Return the names of squares, from the left: ``a``, ``b``, …."""
    return [chr(97 + square) for square in range(count)]


def written(mask: int, count: int, marks: str = "o.") -> str:
    """Return a strip as text, with the first mark for set bits and the second for others."""
    return "".join(marks[0] if mask >> square & 1 else marks[1] for square in range(count))


def read(text: str, count: int, marks: str) -> str:
    """Return the squares of a strip, one character each.

    Args:
        text: the strip as it was typed; spaces are skipped.
        count: the number of squares.
        marks: the characters that it may have.

    Raises:
        PositionError: it is not such a strip.
    """
    squares = "".join(text.split())
    if len(squares) != count or set(squares) - set(marks):
        choices = ", ".join(marks[:-1])
        message = (
            f"{text!r} is not a strip of {count} squares; write each as {choices} or {marks[-1]}"
        )
        raise PositionError(message)
    return squares


def bits(squares: str, mark: str) -> int:
    """Return the squares with a mark, as bits from the left."""
    return sum(1 << square for square, character in enumerate(squares) if character == mark)


def check_strip(name: str, squares: Any, marks: str) -> None:
    """Raise ParameterError unless a parameter is a strip of certain marks."""
    if not isinstance(squares, str) or not 1 <= len(squares) <= MOST_SQUARES:
        message = (
            f"{name} must be a text of 1 to {MOST_SQUARES} squares, not {squares!r}; write one"
        )
        raise ParameterError(message)
    if wrong := set(squares) - set(marks):
        message = f"{name} {squares!r} has {min(wrong)!r}; write each square as one of {marks}"
        raise ParameterError(message)
