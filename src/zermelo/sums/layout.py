"""The positions of a sum, with a field in separate words for each part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from zermelo.game.field_types import FieldType
from zermelo.rules.layout import Layout

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@lru_cache(maxsize=64)
def labels(count: int) -> tuple[str, ...]:
    """Return the labels of parts: ``a``, ``b`` and so on, and ``aa`` after ``z``."""
    return tuple(_label(number) for number in range(count))


def _label(number: int) -> str:
    prefix_number, letter = divmod(number, len(_LETTERS))
    return (_label(prefix_number - 1) if prefix_number else "") + _LETTERS[letter]


@lru_cache(maxsize=64)
def position_kind(count: int) -> type[Any]:
    """Return the class of the positions of a sum with ``count`` parts, a named tuple."""
    # A label may be a keyword of Python, such as "as", which cannot be the name of a field.
    names = [f"{label}_" if len(label) > 1 else label for label in labels(count)]
    kind: type[Any] = NamedTuple("SumPosition", [(name, Any) for name in names])  # type: ignore[misc]  # names are made here
    return kind


def layout_of(parts: Sequence[Layout]) -> Layout:
    """Return the layout of a sum: the words of its parts, one after another."""
    kind, slots, word = position_kind(len(parts)), [], 0
    names: Sequence[str] = kind._fields
    field_types = tuple(map(_field_type, parts))
    for field, part in enumerate(parts):
        labelled_slots = zip(part.slots, field_types[field].labels(names[field]), strict=True)
        is_single = field_types[field].parts is None
        slots += [
            replace(
                slot,
                name=name,
                field=field,
                item=None if is_single else item,
                word=word + slot.word,
            )
            for item, (slot, name) in enumerate(labelled_slots)
        ]
        word += part.words
    lengths = [None if field_type.parts is None else field_type.count for field_type in field_types]
    return Layout(kind, tuple(zip(names, lengths, strict=True)), tuple(slots), word, field_types)


def _field_type(layout: Layout) -> FieldType:
    """Return the types in a position of a part."""
    if layout.kind is None:
        return layout.holds[0] if layout.holds else FieldType(int)
    return FieldType(layout.kind, layout.holds or tuple(_fields(layout)))


def _fields(layout: Layout) -> Iterator[FieldType]:
    for _, length in layout.fields:
        yield FieldType(int) if length is None else FieldType(tuple, (FieldType(int),) * length)
