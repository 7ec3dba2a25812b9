"""The shape of positions: class, lengths, bits and ranges that they must keep."""

from __future__ import annotations

from operator import index
from typing import Any, TypeAlias

from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.game.field_ranges import spread_ranges
from zermelo.game.field_types import MisfitError
from zermelo.game.records import parts_of
from zermelo.game.spaces import Descriptor
from zermelo.rules.layout import WORD, Layout

#: A hook and its arguments.
Call: TypeAlias = tuple[Any, ...]


def call_text(hook: str, *arguments: Any) -> str:
    """Return a call as an author would write it."""
    return f"{hook}({', '.join(map(repr, arguments))})"


class Shape:
    """The shape of every position of one game, from its start and its ``space``.

    Attributes:
        layout: the layout of positions in bits.
        ranges: for each integer of a position the range that ``space`` declares, or None if the
            game has no ``space``.
    """

    def __init__(self, layout: Layout, space: Any) -> None:
        """Store the layout and the result of ``space``, which the layout has checked."""
        self.layout = layout
        self.ranges = None if space is None else _number_ranges(layout, space)

    def read(self, value: Any, call: Call, shown_at: Any = None) -> Any:
        """Return the answer of a hook, if it is a valid position.

        Args:
            value: the answer.
            call: the hook and its arguments, for the message.
            shown_at: the position of a fault.

        Raises:
            ContractError: the answer is not a position of this game.
        """
        fault = self._fault(value)
        if fault is not None:
            raise ContractError(fault[0], f"{call_text(*call)} {fault[1]}", shown_at)
        return value

    def _fault(self, value: object) -> tuple[ProblemKind, str] | None:
        """Return the kind of a position's problem and a phrase on the problem, or None."""
        kind = self.layout.kind
        if kind is None:
            if _is_whole(value):
                return self._range_fault(value)
            message = (
                f"returned {value!r}, {_with_article(value)}; return a whole number, as start() "
                "does"
            )
            return ProblemKind.POSITION, message
        if type(value) is not kind:
            return (
                ProblemKind.POSITION,
                f"returned {value!r}, {_with_article(value)}; return a {kind.__name__}",
            )
        parts: Any = parts_of(value)
        if self.layout.holds:
            return self._type_fault(parts) or self._range_fault(value)
        for (name, length), part in zip(self.layout.fields, parts, strict=True):
            if length is None:
                items = {name: part}
            elif isinstance(part, tuple) and len(part) == length:
                items = {f"{name}[{i}]": item for i, item in enumerate(part)}
            else:
                description = (
                    f"a tuple of {len(part)}" if isinstance(part, tuple) else _with_article(part)
                )
                message = (
                    f"gives {name} = {part!r}, {description}; make it a tuple of {length}, as in "
                )
                return ProblemKind.POSITION, message + "start()"
            for label, item in items.items():
                if not _is_whole(item):
                    remedy = "divide with //" if isinstance(item, float) else "use a whole number"
                    return (
                        ProblemKind.POSITION,
                        f"gives {label} = {item!r}, {_with_article(item)}; {remedy}",
                    )
        return self._range_fault(value)

    def _type_fault(self, parts: Any) -> tuple[ProblemKind, str] | None:
        """Return the problem of the first field of a wrong type, or None."""
        fields = zip(self.layout.fields, self.layout.holds, parts, strict=True)
        for (name, _), field_type, part in fields:
            try:
                list(field_type.flatten(name, part))
            except MisfitError as error:
                return ProblemKind.POSITION, f"gives {name} = {part!r}: {error}"
        return None

    def _range_fault(self, value: object) -> tuple[ProblemKind, str] | None:
        """Return the problem of the first number outside its bits or its range, or None."""
        numbers = self.layout.flatten(value)
        for place, (slot, number) in enumerate(zip(self.layout.slots, numbers, strict=True)):
            kind = ProblemKind.WIDTH
            if not -(1 << (WORD - 1)) <= number < 1 << (WORD - 1):
                description = "past 64 bits; keep below 2**63, or split it over two fields"
            elif self.ranges is not None and not _is_in_range(self.ranges[place], number):
                kind = ProblemKind.SPACE
                description = f"outside {self.ranges[place]!r}, which is what space() gives it; "
                description += "widen that range"
            elif slot.bits < WORD and not slot.low <= number <= slot.high:
                description = (
                    f"outside {slot.low} to {slot.high}, which is what {slot.bits} bits hold; "
                )
                description += "declare space(), one range per field"
            else:
                continue
            label = "the position" if self.layout.kind is None else slot.name
            return kind, f"gives {label} = {number}, {description}"
        return None


def _is_whole(value: Any) -> bool:
    try:
        index(value)
    except TypeError:
        return False
    return True


def _with_article(value: object) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"


def _is_in_range(values: range, number: int) -> bool:
    return min(values[0], values[-1]) <= number <= max(values[0], values[-1])


def _number_ranges(layout: Layout, space: Any) -> list[range]:
    space = spread_ranges(space, layout.kind, layout.fields, layout.holds)
    ranges: list[range] = []
    for (_, length), values in zip(layout.fields, space, strict=True):
        if isinstance(values, Descriptor):
            ranges += values.bounds(length or 1)
        elif isinstance(values, range):
            ranges += [values] * (1 if length is None else length)
        else:
            ranges += values
    return ranges
