"""The text of what packs a position's numbers into words, and takes them out again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Protocol

from zermelo.game.holdings import Holding
from zermelo.rules.layout import WORD, Layout


class Recorder(Protocol):
    """What knows the generated names of NamedTuple classes."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""


def values(layout: Layout, child: str, hook: str) -> Iterator[str]:
    """Yield the lines that read the integers ``f0``, ``f1``, … of what a hook returned."""
    if layout.kind is None:
        return
    if layout.holds:
        numbers = count()
        for n, ((field_name, _), shape) in enumerate(zip(layout.fields, layout.holds, strict=True)):
            yield from _numbers(f"{child}[{n}]", field_name, shape, numbers, hook)
        return
    at = 0
    for n, (field_name, length) in enumerate(layout.fields):
        what = f"gives the field {field_name}, which is|make it"
        if length is None:
            yield f'f{at} = _z.whole({child}[{n}], "{what} a whole number")  #: {hook}'
            at += 1
            continue
        wanted = f"a tuple of {length} whole numbers"
        yield f'row = _z.shaped({child}[{n}], {length}, "{what} {wanted}")  #: {hook}'
        for item in range(length):
            what = f"gives the field {field_name} the item {item}, which is|make it"
            yield f'f{at + item} = _z.whole(row[{item}], "{what} a whole number")  #: {hook}'
        at += length


def _numbers(
    value: str, label: str, shape: Holding, numbers: Iterator[int], hook: str
) -> Iterator[str]:
    """Yield the lines that read the integers of what stands in a field."""
    what = f"gives {label}, which is|make it"
    if shape.parts is None:
        yield f'f{next(numbers)} = _z.whole({value}, "{what} a whole number")  #: {hook}'
        return
    held = f"part{label.count('.') + label.count('[')}"
    wanted = f"{'what it is at the start,' * bool(shape.named)} {shape.described()}".strip()
    yield f'{held} = _z.shaped({value}, {len(shape.parts)}, "{what} {wanted}")  #: {hook}'
    for n, part in enumerate(shape.parts):
        inner = f"{label}.{shape.named[n]}" if shape.named else f"{label}[{n}]"
        yield from _numbers(f"{held}[{n}]", inner, part, numbers, hook)


def overflow(layout: Layout) -> str:
    """Return the condition that one of ``f0``, ``f1``, … leaves its bits.

    What numbers of one width have past it is put together before it is looked at: a branch for
    each would take longer than all the rest.
    """
    alike: dict[int, list[str]] = {}
    for n, slot in enumerate(layout.slots):
        if slot.bits < WORD:
            alike.setdefault(slot.bits, []).append(f"(f{n} - {slot.low})")
    past = (f"({' | '.join(numbers)}) >> {bits}" for bits, numbers in alike.items())
    return " or ".join(f"{each} != 0" for each in past) or "False"


def packing(layout: Layout) -> Iterator[str]:
    """Yield the expressions that pack ``f0``, ``f1``, …, one a word."""
    for word in range(layout.words):
        parts = [
            f"(uint64(f{n} - {s.low}) << uint64({s.shift}))"
            for n, s in enumerate(layout.slots)
            if s.word == word and s.bits
        ]
        yield " | ".join(parts) or "uint64(0)"


def decompressed(layout: Layout, made: Recorder) -> str:
    """Return the expression for the position in ``keys`` at number ``i``."""
    parts = []
    for slot in layout.slots:
        key = f"keys[i * {layout.words} + {slot.word}]"
        if slot.bits == WORD:
            parts.append(f"int64({key})")
        elif slot.bits == 0:
            parts.append(f"int64({slot.low})")
        else:
            mask = (1 << slot.bits) - 1
            parts.append(f"int64(({key} >> uint64({slot.shift})) & uint64({mask})) + {slot.low}")
    return built(layout, made, parts)


def built(layout: Layout, made: Recorder, parts: list[str]) -> str:
    """Return the expression for a position with these integers."""
    if layout.kind is None:
        return parts[0]
    fields = []
    at = 0
    if layout.holds:
        numbers = iter(parts)
        fields = [_held(shape, made, numbers) for shape in layout.holds]
        return f"{made.record(layout.kind)}({', '.join(fields)})"
    for _, length in layout.fields:
        if length is None:
            fields.append(parts[at])
            at += 1
        else:
            fields.append("(" + "".join(f"{part}, " for part in parts[at : at + length]) + ")")
            at += length
    return f"{made.record(layout.kind)}({', '.join(fields)})"


def _held(shape: Holding, made: Recorder, numbers: Iterator[str]) -> str:
    """Return the expression for what a field holds, made of these integers."""
    if shape.parts is None:
        return next(numbers)
    items = [_held(part, made, numbers) for part in shape.parts]
    if shape.named:
        return f"{made.record(shape.kind)}({', '.join(items)})"
    return "(" + "".join(f"{item}, " for item in items) + ")"
