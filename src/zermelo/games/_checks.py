"""Checks of parameters and of typed positions that several games share."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from zermelo.errors import ParameterError, PositionError


def check_number(name: str, value: Any, least: int, greatest: int = (1 << 62) - 1) -> None:
    """Raise ParameterError unless a parameter is a whole number from ``least`` to ``greatest``."""
    if is_whole(value) and least <= value <= greatest:
        return
    if not is_whole(value):
        limits = f"from {least:,}" + (f" to {greatest:,}" if greatest < (1 << 62) - 1 else "")
        message = f"{name} must be a whole number {limits}, not {value!r}"
    elif value < least:
        message = f"{name} must be at least {least:,}, not {value}"
    else:
        message = f"{name} must be at most {greatest:,}, not {value}"
    raise ParameterError(message)


def check_piles(piles: Any) -> None:
    """Raise ParameterError unless ``piles`` is a row of one or more whole numbers."""
    if getattr(piles, "ndim", 0):  # an array
        piles = tuple(piles.tolist())
    if not isinstance(piles, tuple):
        message = f"piles must be a list of whole numbers, not {piles!r}; give one such as [5, 3]"
        raise ParameterError(message)
    if not piles:
        message = f"piles must hold at least one pile, not {list(piles)!r}; give one such as [5, 3]"
        raise ParameterError(message)
    for place, pile in enumerate(piles):
        if not is_whole(pile):
            message = f"piles[{place}] must be a whole number, not {brief(pile)}; give one"
            raise ParameterError(message)
    if sum(map(abs, piles)) >= 1 << 62:
        message = f"piles {brief(piles)} add up to more than 62 bits; use smaller numbers"
        raise ParameterError(message)


def is_whole(value: Any) -> bool:
    """Return whether a parameter is a whole number, which True and False are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def brief(value: Any) -> str:
    """Return ``repr(value)``, abbreviated if it is long."""
    return reprlib.repr(value)


def read_rows(text: str, width: int, height: int) -> list[str]:
    """Read a board of ``X``, ``O`` and ``.``, the top row first.

    Rows are separated by line breaks or slashes. Spaces, and lines that hold no square (such as
    letters below the columns), are skipped.

    Raises:
        PositionError: the text is not such a board, or the two sides' marks do not come out even.
    """
    lines = ("".join(line.split()) for line in text.replace("/", "\n").splitlines())
    rows = [line for line in lines if set(line) & set("XO.")]
    wrong = next((mark for row in rows for mark in row if mark not in "XO."), None)
    if wrong is not None:
        message = f"{text!r} has a mark {wrong!r}; write X, O, and . for an empty square"
        raise PositionError(message)
    if [len(row) for row in rows] != [width] * height:
        message = f"{text!r} is not {height} rows of {width} squares; separate rows by /"
        raise PositionError(message)
    crosses, rings = (sum(row.count(mark) for row in rows) for mark in "XO")
    if crosses - rings not in (0, 1):
        message = (
            f"{text!r} has {crosses} X and {rings} O; X goes first, so there must be as many X "
            "as O, or one more"
        )
        raise PositionError(message)
    return rows


def read_bracketed(text: str, piles: Sequence[int]) -> tuple[int, int]:
    """Read the piles that still stand, as ``stands`` writes them: ``5 [3 4] 5``.

    Returns:
        The place of the first pile that stands, and the place after the last.

    Raises:
        PositionError: the text does not name these piles with one pair of brackets.
    """
    removed_left, opening, tail = text.partition("[")
    standing, closing, removed_right = tail.partition("]")
    parts = [part.split() for part in (removed_left, standing, removed_right)]
    if not opening or not closing or [*chain(*parts)] != [str(pile) for pile in piles]:
        message = f"{text!r} is not these piles; write {stands(piles, 0, len(piles))!r}, the"
        raise PositionError(message + " standing ones in brackets")
    return len(parts[0]), len(parts[0]) + len(parts[1])


def stands(piles: Sequence[int], left: int, right: int) -> str:
    """Return a row of piles as text, those that still stand in brackets: ``5 [3 4] 5``."""
    parts = (" ".join(map(str, part)) for part in (piles[:left], piles[left:right], piles[right:]))
    removed_left, standing, removed_right = parts
    return f"{removed_left} [{standing}] {removed_right}".strip()


def check_numbers(
    name: str,
    numbers: Any,
    least: int,
    greatest: int,
    *,
    least_numbers: int = 1,
    most_numbers: int = 1000,
) -> None:
    """Raise ParameterError unless a parameter is a list of whole numbers.

    Args:
        name: the name of the parameter.
        numbers: the value of the parameter.
        least: the smallest number allowed.
        greatest: the largest number allowed.
        least_numbers: the smallest allowed length of the list.
        most_numbers: the largest allowed length of the list.
    """
    if not isinstance(numbers, tuple) or not least_numbers <= len(numbers) <= most_numbers:
        count_text = (
            f"{least_numbers} to {most_numbers}" if least_numbers < most_numbers else most_numbers
        )
        message = f"{name} must be a list of {count_text} numbers, not {brief(numbers)}; give one"
        raise ParameterError(message)
    for place, number in enumerate(numbers):
        if not is_whole(number) or not least <= number <= greatest:
            message = (
                f"{name}[{place}] must be a whole number from {least:,} to {greatest:,}, not "
                f"{brief(number)}; give one"
            )
            raise ParameterError(message)


def check_word(name: str, value: Any, words: Iterable[str]) -> None:
    """Raise ParameterError unless a parameter is one of a few words."""
    if not isinstance(value, str) or value not in words:
        message = f"{name} must be one of {', '.join(words)}, not {value!r}"
        raise ParameterError(message)
