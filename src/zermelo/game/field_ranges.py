"""The ranges of numbers for each field of a position, from a game's ``space``."""

from __future__ import annotations

from typing import Any

from zermelo.errors import RulesError
from zermelo.game.field_types import FieldType
from zermelo.game.records import parts_of
from zermelo.game.spaces import Descriptor, Part, space_parts


def ranges_of(
    name: str,
    game: Any,
    kind: type | None,
    shape: tuple[tuple[str, int | None], ...],
    holds: tuple[FieldType, ...],
) -> list[range] | None:
    """Return one range for each integer, or None if the game declares no space.

    Args:
        name: the name of the game's class.
        game: the game.
        kind: the class of positions, or None if they are integers.
        shape: the name of each field, and the number of its integers, None for a single integer.
        holds: the contents of each field, if they are not just integers and tuples of them.

    Raises:
        RulesError: the space does not match positions.
    """
    if not callable(getattr(game, "space", None)):
        return None
    given = declared_ranges(game, kind, shape, holds)
    if not isinstance(given, tuple | list) or len(given) != len(shape):
        message = (
            f"{name}.space() returned {given!r}; return one range per field: "
            f"{', '.join(field for field, _ in shape)}"
        )
        raise RulesError(message)
    ranges: list[range] = []
    for (field, length), values in zip(shape, given, strict=True):
        ranges += _ranges(name, field, length, values)
    if any(isinstance(values, Descriptor) for values in given):
        for values, numbers in parts(shape, given):
            misfit = values.misfit(len(numbers)) if isinstance(values, Descriptor) else None
            if misfit:
                message = f"{name}.space() gives {misfit}"
                raise RulesError(message)
    return ranges


def _ranges(name: str, field: str, length: int | None, values: Any) -> list[range]:
    """Return one range for each integer of a field.

    Raises:
        RulesError: the space gives it no range.
    """
    if isinstance(values, Descriptor):
        return values.bounds(length or 1)
    if length is None:
        several: Any = [values]
    else:
        several = [values] * (length or 1) if isinstance(values, range) else values
    if not isinstance(several, tuple | list) or len(several) != (length or 1):
        message = f"{name}.space() gives {field} {values!r}; give one range, or {length} of them"
        raise RulesError(message)
    for values_of_one in several:
        if not isinstance(values_of_one, range) or not values_of_one:
            message = (
                f"{name}.space() gives {field} {values_of_one!r}; give a range that is not "
                "empty, such as range(10)"
            )
            raise RulesError(message)
        low, high = range_ends(values_of_one)
        if low < -(1 << 63) or high >= 1 << 63:
            message = f"{name}.space() gives {field} {values_of_one!r}, past 64 bits"
            raise RulesError(message)
    return list(several)


def parts(shape: Any, given: Any) -> list[Part]:
    """Return the parts of a space: each item, with the number of its integers."""
    fields = zip(given, shape, strict=True)
    return space_parts((values, 1 if length is None else length) for values, (_, length) in fields)


def declared_ranges(game: Any, kind: type | None, shape: Any, holds: tuple[FieldType, ...]) -> Any:
    """Return the item of ``space`` for each field; a single descriptor applies to all.

    The items of the parts of a field are a list, in the order of their integers.
    """
    return spread_ranges(game.space(), kind, shape, holds)


def spread_ranges(given: Any, kind: type | None, shape: Any, holds: tuple[FieldType, ...]) -> Any:
    """Return the item of a space for each field; see ``declared_ranges``."""
    if kind is None and isinstance(given, range):
        return (given,)
    if isinstance(given, Descriptor):
        return (given,) * len(shape)
    several = given if isinstance(given, list) else parts_of(given)
    if several is None or not holds or len(several) != len(holds):
        return given if several is None else several
    return tuple(_each(values, part) for values, part in zip(several, holds, strict=True))


def _each(values: Any, shape: FieldType) -> Any:
    """Return one range for each integer of a shape, or the argument if it has none."""
    several = values if isinstance(values, list) else parts_of(values)
    if shape.parts is None or several is None or len(several) != len(shape.parts):
        return values
    each: list[Any] = []
    for one, part in zip(several, shape.parts, strict=True):
        inner = [one] * part.count if isinstance(one, range) else _each(one, part)
        each += inner if isinstance(inner, list) else [inner]
    return each


def range_ends(values: range) -> tuple[int, int]:
    """Return the least and the greatest number of a range."""
    # min() and max() would iterate over the range, which may be 2**63 long.
    return min(values[0], values[-1]), max(values[0], values[-1])
