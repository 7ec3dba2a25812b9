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
    items = declared_ranges(game, kind, shape, holds)
    if not isinstance(items, tuple | list) or len(items) != len(shape):
        message = (
            f"{name}.space() returned {items!r}; return one range per field: "
            f"{', '.join(field for field, _ in shape)}"
        )
        raise RulesError(message)
    ranges: list[range] = []
    for (field, length), values in zip(shape, items, strict=True):
        ranges += _ranges(name, field, length, values)
    if any(isinstance(values, Descriptor) for values in items):
        for values, numbers in parts(shape, items):
            misfit = values.misfit(len(numbers)) if isinstance(values, Descriptor) else None
            if misfit:
                message = f"{name}.space() gives {misfit}"
                raise RulesError(message)
    return ranges


def _ranges(name: str, field: str, length: int | None, values: object) -> list[range]:
    """Return one range for each integer of a field.

    Raises:
        RulesError: the space gives it no range.
    """
    if isinstance(values, Descriptor):
        return values.bounds(length or 1)
    if length is None:
        ranges: Any = [values]
    else:
        ranges = [values] * (length or 1) if isinstance(values, range) else values
    if not isinstance(ranges, tuple | list) or len(ranges) != (length or 1):
        message = f"{name}.space() gives {field} {values!r}; give one range, or {length} of them"
        raise RulesError(message)
    for range_ in ranges:
        if not isinstance(range_, range) or not range_:
            message = (
                f"{name}.space() gives {field} {range_!r}; give a range that is not "
                "empty, such as range(10)"
            )
            raise RulesError(message)
        low, high = range_ends(range_)
        if low < -(1 << 63) or high >= 1 << 63:
            message = f"{name}.space() gives {field} {range_!r}, past 64 bits"
            raise RulesError(message)
    return list(ranges)


def parts(shape: Any, items: Any) -> list[Part]:
    """Return the parts of a space: each item, with the number of its integers."""
    fields = zip(items, shape, strict=True)
    return space_parts((values, 1 if length is None else length) for values, (_, length) in fields)


def declared_ranges(game: Any, kind: type | None, shape: Any, holds: tuple[FieldType, ...]) -> Any:
    """Return the item of ``space`` for each field; a single descriptor applies to all.

    The items of the parts of a field are a list, in the order of their integers.
    """
    return spread_ranges(game.space(), kind, shape, holds)


def spread_ranges(space: Any, kind: type | None, shape: Any, holds: tuple[FieldType, ...]) -> Any:
    """Return the item of a space for each field; see ``declared_ranges``."""
    if kind is None and isinstance(space, range):
        return (space,)
    if isinstance(space, Descriptor):
        return (space,) * len(shape)
    items = space if isinstance(space, list) else parts_of(space)
    if items is None or not holds or len(items) != len(holds):
        return space if items is None else items
    return tuple(_item_ranges(values, part) for values, part in zip(items, holds, strict=True))


def _item_ranges(values: object, shape: FieldType) -> Any:
    """Return one range for each integer of a shape, or the argument if it has none."""
    items = values if isinstance(values, list) else parts_of(values)
    if shape.parts is None or items is None or len(items) != len(shape.parts):
        return values
    ranges: list[Any] = []
    for item, part in zip(items, shape.parts, strict=True):
        inner = [item] * part.count if isinstance(item, range) else _item_ranges(item, part)
        ranges += inner if isinstance(inner, list) else [inner]
    return ranges


def range_ends(values: range) -> tuple[int, int]:
    """Return the least and the greatest number of a range."""
    # min() and max() would iterate over the range, which may be 2**63 long.
    return min(values[0], values[-1]), max(values[0], values[-1])
