"""Errors about results past 64 bits, which compiled rules raise with the number of an operation."""

from __future__ import annotations

from typing import Any

from zermelo._compile.read.source_map import SourceMap
from zermelo.errors import RulesError

#: The errors of compiled rules for a result past 64 bits, and for a fraction.
ARITHMETIC = (OverflowError, FloatingPointError)
_PAST = (
    "past 64 bits",
    "keep each step below 2**63, mask it in the same expression, or use two numbers",
)
_FRACTION = ("a fraction", "keep exponents from 0 on")


class WidthError(RulesError):
    """A result in compiled rules exceeds 64 bits, or is a fraction.

    Attributes:
        position: the position of the error; None if unknown.
    """

    position: Any = None


def width_error(name: str, source_map: SourceMap, error: Exception, position: Any) -> WidthError:
    """Return the error that names an operation and its location.

    Args:
        name: the class of the game.
        source_map: has the operations by number.
        error: the error raised.
        position: the position of the error; None if unknown.
    """
    fault, remedy = _FRACTION if isinstance(error, FloatingPointError) else _PAST
    location = "" if position is None else f" at {position!r}"
    subject = f"{name}: a rule computes a number"
    operation = source_map.operations.get(error.args[0]) if error.args else None
    if operation is not None:
        place = operation.place
        subject = f"{place.function} computes {operation.text}"
        location += f" ({place.filename}:{place.line})"
    width = WidthError(f"{subject}, which is {fault}{location}; {remedy}")
    width.position = position
    return width
