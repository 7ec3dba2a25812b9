"""Generated code that packs a position's numbers into words, and unpacks them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from zermelo._engine.expand.expander import FIELD_OVERFLOW
from zermelo.game.field_types import FieldType
from zermelo.rules.layout import Layout

#: The names of the packed shape of positions in a module, and of components that ``split`` yields.
PACKING = "_z_packing"
PARTED = "_z_parted"
#: The expression for the position with index ``i`` in ``keys``.
POSITION = f"_z.position({PACKING}, keys, i)"
#: The expression for the position with the numbers ``numbers``.
BUILT = f"_z.build_position({PACKING}, numbers)"


class Recorder(Protocol):
    """An object that includes NamedTuple classes and gives their generated names."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""


def shape_lines(layout: Layout, recorder: Recorder, *, parted: bool) -> str:
    """Return the lines of the header that define the packed shape of positions."""
    slots = tuple((slot.low, slot.bits, slot.word, slot.shift) for slot in layout.slots)
    text = ""
    for name, verb in ((PACKING, "return"), (PARTED, "yield"))[: 1 + parted]:
        shape = _shape(layout, recorder, verb)
        text += f"\n{name} = _z.PackedShape({layout.words}, {slots!r}, {shape})"
    return text


def _shape(layout: Layout, recorder: Recorder, verb: str) -> str:
    """Return the expression for the shape of a position."""
    if layout.kind is None:
        description = "whole numbers" if verb == "yield" else "a whole number"
        return _node(f"returns|{verb} {description}")
    parts = []
    for n, (name, length) in enumerate(layout.fields):
        if layout.holds:
            parts.append(_shape_expression(name, layout.holds[n], recorder))
            continue
        field_problem = f"gives the field {name}"
        if length is None:
            parts.append(_node(f"{field_problem}, which is|make it a whole number"))
            continue
        items = (
            _node(f"{field_problem} the item {item}, which is|make it a whole number")
            for item in range(length)
        )
        description = f"{field_problem}, which is|make it a tuple of {length} whole numbers"
        parts.append(_node(description, "None", items))
    return _node(f"returns|{verb} {layout.describe()}", recorder.record(layout.kind), parts)


def _shape_expression(label: str, shape: FieldType, recorder: Recorder) -> str:
    """Return the expression for the shape of a field's value."""
    problem = f"gives {label}, which is|make it"
    if shape.parts is None:
        return _node(f"{problem} a whole number")
    remedy = f"{'what it is at the start,' * bool(shape.field_names)} {shape.description()}".strip()
    parts = (
        _shape_expression(
            f"{label}.{shape.field_names[n]}" if shape.field_names else f"{label}[{n}]",
            part,
            recorder,
        )
        for n, part in enumerate(shape.parts)
    )
    return _node(
        f"{problem} {remedy}", recorder.record(shape.kind) if shape.field_names else "None", parts
    )


def _node(message: str, record: str = "None", parts: Iterable[str] | None = None) -> str:
    items = "None" if parts is None else f"({''.join(f'{part}, ' for part in parts)})"
    return f"({message!r}, {record}, {items})"


def packing_lines(value: str, hook: str, packing: str = PACKING) -> list[str]:
    """Return the lines that read ``numbers`` from a hook's result and compute ``packed``."""
    return [
        f"numbers = _z.numbers({packing}, {value})  #: {hook}",
        f"packed = _z.pack_numbers({packing}, numbers)",
        "if packed[0]:",
        f"    return {-FIELD_OVERFLOW}",
    ]
