"""Codes of positions in an address: their numbers, separated by commas."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from zermelo.errors import PositionError, ZermeloError
from zermelo.game.records import names_of, parts_of

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution

#: The pattern of a code; a position has up to 256 numbers of 64 bits.
PATTERN = r"^-?[0-9]{1,20}(,-?[0-9]{1,20}){0,255}$"
LONGEST = 256 * 22

_MOST_SHOWN = 60


def code_of(position: Any) -> str:
    """Return a position's numbers in order, such as ``3,5,0``."""
    return ",".join(map(str, _numbers(position)))


def position_of(code: str, solution: Solution) -> Any:
    """Return the position of a code.

    Raises:
        PositionError: its shape is not that of the game's positions, or the solution does not
            contain it.
    """
    numbers = [int(number) for number in code.split(",")]
    example = solution.start
    length = len(_numbers(example))
    if len(numbers) != length:
        message = (
            f"{_short_text(code)!r} has {len(numbers)} numbers, and positions of "
            f"{solution.rules.name} have {length}; write one such as {code_of(example)!r}"
        )
        raise PositionError(message)
    position = _rebuild(iter(numbers), example)
    solution[position]  # raises an error for another position
    return position


def read(text: str, solution: Solution) -> Any:
    """Return the position that a text stands for, in the game's notation, in numbers or as JSON.

    Raises:
        PositionError: it is not a position, or the solution does not contain it.
    """
    try:
        position = solution.parse(text)
        solution[position]  # raises an error for another position
    except ZermeloError as error:
        fault = str(error)
    except Exception as error:  # noqa: BLE001  # an author's parse may raise anything
        fault = f"{_short_text(text)!r} is not a position: {error}"
    else:
        return position
    code = _code_in(text)
    if code is not None and re.fullmatch(PATTERN, code):
        with contextlib.suppress(PositionError):
            return position_of(code, solution)
    raise PositionError(fault)


def _code_in(text: str) -> str | None:
    """Return the code in a text, which may be JSON with its numbers; None for invalid JSON."""
    text = "".join(text.split())
    if text[:1] in ("[", "{"):
        try:
            return ",".join(map(str, _json_numbers(json.loads(text))))
        except (ValueError, RecursionError):
            return None
    return text


def _json_numbers(value: object) -> Iterator[Any]:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        yield value
        return
    for item in value:
        yield from _json_numbers(item)


def _numbers(position: Any) -> list[int]:
    """Return the numbers of a position in order."""
    if type(position) is int:
        return [position]
    parts = parts_of(position)
    if parts is None:
        return [int(position)]
    numbers: list[int] = []
    for item in parts:
        if type(item) is int:
            numbers.append(item)
        else:
            numbers += _numbers(item)
    return numbers


def _rebuild(numbers: Iterator[int], example: object) -> Any:
    """Return a position with the shape of another, and with other numbers."""
    parts = parts_of(example)
    if parts is None:
        return next(numbers)
    items = [_rebuild(numbers, part) for part in parts]
    position_class = type(example)
    return position_class(*items) if names_of(position_class) else tuple(items)


def _short_text(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
