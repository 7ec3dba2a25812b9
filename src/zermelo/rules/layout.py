"""The layout of positions: their fields, the bits of each, and their packed form.

A position packs into one to sixteen 64-bit words. All code that stores or looks up positions uses
these words; only rules, and people, use the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.game.field_ranges import declared_ranges, parts, range_ends, ranges_of
from zermelo.game.field_types import (
    POSITION,
    FieldType,
    InvalidStartError,
    MisfitError,
    as_integer,
    field_type,
)
from zermelo.game.records import fault_of, names_of, parts_of
from zermelo.game.spaces import Part

__all__ = ["MisfitError"]

WORD = 64
#: The most words of a position with a declared space, and of one without.
MOST_WORDS, MOST_UNDECLARED = 16, 4
_MASK = (1 << WORD) - 1
#: Widths to which a slot is rounded up if that takes no more words.
_COARSE = (0, 1, 8, 16, 32, 64)
#: The number of positions that are packed in one batch, which fits in a core's own cache.
_BATCH = 1 << 15


@dataclass(frozen=True, slots=True)
class Slot:
    """One integer of a position.

    Attributes:
        name: the name of the integer in messages, such as ``mouse`` or ``pits[3]``.
        field: the index of its field; for a plain int, 0.
        item: the index among the integers of a tuple field, or None if the field is an integer.
        low: the least value.
        bits: the number of bits of ``value - low``.
        word: the index of its word.
        shift: the lowest bit of the integer in that word.
    """

    name: str
    field: int
    item: int | None
    low: int
    bits: int
    word: int
    shift: int

    @property
    def high(self) -> int:
        """The greatest value that fits."""
        return self.low + (1 << self.bits) - 1 if self.bits < WORD else (1 << (WORD - 1)) - 1


@dataclass(frozen=True)
class Layout:
    """The shape of every position of one game.

    Attributes:
        kind: the class of positions, a NamedTuple or a frozen dataclass, or None if they are plain
            integers.
        fields: the name of each field and the number of its integers, None if it is an integer.
        slots: each integer of a position, in order.
        words: the number of 64-bit words of a packed position, 1 to 16.
        holds: the contents of each field; empty if all are integers or tuples of integers, as in
            most games.
    """

    kind: type | None
    fields: tuple[tuple[str, int | None], ...]
    slots: tuple[Slot, ...]
    words: int
    holds: tuple[FieldType, ...] = ()

    @cached_property
    def lengths(self) -> dict[Any, tuple[int | None, ...]]:
        """The length of the tuple in each field, for each class of positions and of their parts."""
        if self.kind is None:
            return {}
        lengths_by_class: dict[Any, tuple[int | None, ...]] = {}
        if not self.holds:
            lengths_by_class[self.kind] = tuple(length for _, length in self.fields)
        else:
            for shape in FieldType(self.kind, self.holds).kinds():
                parts = shape.parts or ()
                lengths = (
                    None if part.parts is None or part.field_names else len(part.parts)
                    for part in parts
                )
                lengths_by_class.setdefault(shape.kind, tuple(lengths))
        return lengths_by_class

    def flatten(self, position: Any) -> list[int]:
        """Return the position's integers in the order of ``slots``.

        Raises:
            MisfitError: it is not a position of this shape.
        """
        if self.kind is None:
            return [as_integer("a position", position)]
        values = parts_of(position)
        if values is None or len(values) != len(self.fields):
            raise MisfitError(self._misfit)
        flat: list[int] = []
        if self.holds:
            for (name, _), shape, value in zip(self.fields, self.holds, values, strict=True):
                flat += shape.flatten(name, value)
            return flat
        for (name, length), value in zip(self.fields, values, strict=True):
            if length is None:
                flat.append(as_integer(name, value))
                continue
            if not isinstance(value, tuple | list) or len(value) != length:
                message = f"{name} must be a tuple of {length} integers, not {value!r}"
                raise MisfitError(message)
            flat += [as_integer(f"{name}[{i}]", item) for i, item in enumerate(value)]
        return flat

    def to_header(self) -> list[dict[str, Any]]:
        """Return the place of each integer in the packed form, for the header of a table."""
        keys = ("name", "low", "bits", "word", "shift")
        return [{key: getattr(slot, key) for key in keys} for slot in self.slots]

    def build(self, flat: list[int]) -> Any:
        """Return the position with these integers, in the order of ``slots``.

        Enumerations, booleans and nested tuples have the same types as at the start.
        """
        if self.holds:
            numbers = iter(flat)
            field_values = [shape.build(numbers) for shape in self.holds]
            return field_values[0] if self.kind is None else self.kind(*field_values)
        if self.kind is None:
            return flat[0]
        values: list[Any] = []
        index = 0
        for _, length in self.fields:
            if length is None:
                values.append(flat[index])
                index += 1
            else:
                values.append(tuple(flat[index : index + length]))
                index += length
        return self.kind(*values)

    def pack(self, position: Any) -> tuple[int, ...]:
        """Return the words of a position.

        Raises:
            MisfitError: it has another shape, or a number outside its slot.
        """
        words = [0] * self.words
        for slot, value in zip(self.slots, self.flatten(position), strict=True):
            words[slot.word] |= _encode(slot, value) << slot.shift
        return tuple(words)

    def unpack(self, words: Any) -> Any:
        """Return the position in these words."""
        flat = []
        for slot in self.slots:
            raw = int(words[slot.word]) >> slot.shift & ((1 << slot.bits) - 1)
            if slot.bits == WORD and raw >> (WORD - 1):
                raw -= 1 << WORD
            flat.append(raw + slot.low)
        return self.build(flat)

    def pack_many(self, positions: Any) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.bool_]]:
        """Pack many positions in one batch.

        Args:
            positions: an integer array of shape (n, number of slots) (or (n,) for plain
                integers), or any sequence of positions.

        Returns:
            The packed words, shape (n, words), and which rows fit their slots.

        Raises:
            MisfitError: an item is not a position of this shape.
        """
        if not isinstance(positions, np.ndarray):
            rows = [self.flatten(position) for position in positions]
            try:
                positions = np.array(rows, dtype=np.int64).reshape(len(rows), len(self.slots))
            except OverflowError:
                message = "a number is past 64 bits"
                raise MisfitError(message) from None
        if positions.ndim == 1 and len(self.slots) == 1:
            positions = positions[:, np.newaxis]
        if positions.ndim != 2 or positions.shape[1] != len(self.slots):  # noqa: PLR2004  # (n, slots)
            message = f"expected an array of shape (n, {len(self.slots)}), not {positions.shape}"
            raise MisfitError(message)
        if not np.issubdtype(positions.dtype, np.integer):
            message = f"expected an array of integers, not {positions.dtype}"
            raise MisfitError(message)
        packed = np.zeros((len(positions), self.words), dtype=np.uint64)
        fits = np.ones(len(positions), dtype=np.bool_)
        for begin in range(0, len(positions), _BATCH):
            batch = slice(begin, begin + _BATCH)
            for place, slot in enumerate(self.slots):
                column = positions[batch, place].astype(np.int64, copy=False)
                if slot.low:
                    column = column - slot.low
                raw = column.view(np.uint64)
                if slot.bits < WORD:
                    fits[batch] &= raw <= (1 << slot.bits) - 1  # below the least wraps around
                packed[batch, slot.word] |= raw << slot.shift
        return packed, fits

    def unpack_many(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """Return the fields of packed positions, shape (n, number of slots)."""
        rows = words.reshape(-1, self.words)
        out = np.empty((len(rows), len(self.slots)), dtype=np.int64)
        for place, slot in enumerate(self.slots):
            mask = np.uint64((1 << slot.bits) - 1)
            raw = rows[:, slot.word] >> np.uint64(slot.shift) & mask
            out[:, place] = raw.view(np.int64) + slot.low
        return out

    @property
    def _misfit(self) -> str:
        return f"expected {self.describe()}"

    def refusal(
        self, position: Any, name: str, error: MisfitError, *, reads: bool, example: str = ""
    ) -> str:
        """Return the error message for an argument that is not a position.

        Args:
            position: the argument.
            name: the name of the game.
            error: why it does not fit.
            reads: whether the game reads text with ``parse``.
            example: a clause on what to give instead; by default the form of positions.
        """
        text = isinstance(position, str)
        # An argument of another type has no field to name.
        fault = "" if text or self.kind is None or str(error) == self._misfit else f": {error}"
        remedy = f"give {example or self.describe()}"
        if text and reads:
            remedy += f", or read the text with game.parse({position!r})"
        return f"{position!r} is not a position of {name}{fault}; {remedy}"

    def describe(self) -> str:
        """Return the form of a position, for messages."""
        if self.kind is None:
            return "an integer"
        field_types = self.holds or (None,) * len(self.fields)
        parts = [
            f"{name} (a {shape.kind.__name__})"
            if shape is not None and shape.field_names
            else name
            if n is None
            else f"{name} (a tuple of {n})"
            for (name, n), shape in zip(self.fields, field_types, strict=True)
        ]
        return f"{self.kind.__name__}({', '.join(parts)})"


def layout_of(game: Any) -> tuple[Layout, int]:
    """Return the layout of a game's positions, from its start and its ``space``, if it has one.

    Args:
        game: the game. Widths are rounded up if that takes no more words, so that games that differ
            only in the size of a graph, a row or a heap share one layout and hence one set of
            compiled rules.

    Returns:
        The layout; and a mask of the bits of a packed position that are not always 0 in ``space``,
        fewer than the layout's if widths were rounded up. All 64 if positions take several words or
        the game declares no space.

    Raises:
        RulesError: the start is not a position according to the contract, or ``space`` does not
            match it.
    """
    name = type(game).__name__
    start = game.start()
    kind, shape, field_types = _shape(name, start)
    space = ranges_of(name, game, kind, shape, field_types)
    if space is None:
        count = sum(1 if length is None else length for _, length in shape)
        width = _default_width(name, count)
        limits = ((0 if width == WORD else -(1 << (width - 1)), width),) * count
    else:
        ends = map(range_ends, space)
        limits = tuple([(low, (high - low).bit_length()) for low, high in ends])
    layout, used_bits = lay_out(kind, shape, limits, field_types, space is not None)
    if layout.words > MOST_WORDS:
        message = (
            f"{name}.space() needs {layout.words} words of 64 bits for a position and the most is "
            f"{MOST_WORDS}; narrow its ranges"
        )
        raise RulesError(message)
    return layout, used_bits


def spare_bits(game: Any, layout: Layout) -> int:
    """Return the number of bits at the top of a position's last word that are 0 in ``space``."""
    shape = layout.fields
    space = ranges_of(type(game).__name__, game, layout.kind, shape, layout.holds)
    if space is None:
        return 0
    used_bits = 0
    for slot, values in zip(layout.slots, space, strict=True):
        low, high = range_ends(values)
        if slot.word == layout.words - 1:
            raw = slot.bits == WORD  # such a number is stored unchanged
            width = WORD if raw and low < 0 else (high - slot.low).bit_length()
            used_bits = max(used_bits, slot.shift + width)
    return max(WORD - used_bits, 0)


@lru_cache(maxsize=64)  # games of a class mostly have the same layout
def lay_out(
    kind: type | None,
    shape: tuple[tuple[str, int | None], ...],
    limits: tuple[tuple[int, int], ...],
    field_types: tuple[FieldType, ...] = (),
    has_space: bool = True,  # noqa: FBT001, FBT002  # a cache has no keywords
) -> tuple[Layout, int]:
    """Return the layout of integers, and the bits of a packed position that may differ from 0.

    Args:
        kind: the class of positions, or None if they are integers.
        shape: the name of each field, and its length if it is a tuple.
        limits: the least value and the width of each integer.
        field_types: the types of its fields; see ``Layout``.
        has_space: whether the game declares a space.
    """
    names = [
        (i, None if length is None else item, label)
        for i, (field, length) in enumerate(shape)
        for item, label in enumerate(
            field_types[i].labels(field) if field_types else _labels(field, length)
        )
    ]
    exact_widths = widths = [width for _, width in limits]
    if has_space:
        coarse_widths = [next(w for w in _COARSE if w >= width) for width in exact_widths]
        if _place(coarse_widths)[1] == _place(exact_widths)[1]:
            widths = coarse_widths
    places, words = _place(widths)
    slots = tuple(
        Slot(label, i, item, 0 if width == WORD else low, width, word, shift)
        for (i, item, label), (low, _), width, (word, shift) in zip(
            names, limits, widths, places, strict=True
        )
    )
    used_bits = _MASK
    if words == 1 and has_space:
        used_bits = 0
        for slot, width in zip(slots, exact_widths, strict=True):
            used_bits |= ((1 << (WORD if slot.bits == WORD else width)) - 1) << slot.shift
    return Layout(kind, shape, slots, words, field_types), used_bits


def _labels(field: str, length: int | None) -> list[str]:
    """Return the names of the integers of a field."""
    return [field] if length is None else [f"{field}[{item}]" for item in range(length)]


def _shape(
    name: str, start: Any
) -> tuple[type | None, tuple[tuple[str, int | None], ...], tuple[FieldType, ...]]:
    """Return the class, the fields and their types of a start; no types if all are plain.

    Raises:
        RulesError: it contains something that positions cannot contain.
    """
    names = names_of(type(start))
    fault = fault_of(type(start))
    if fault is not None:
        message = f"{name}.start() returned {start!r}, whose class {fault}"
        raise RulesError(message)
    if isinstance(start, tuple) and not names:
        if hasattr(start, "_fields"):
            message = f"{name}.start() returned {start!r} without fields; give it at least one"
        else:
            message = (
                f"{name}.start() returned the plain tuple {start!r}; make positions a NamedTuple, "
                "so that their fields have names"
            )
        raise RulesError(message)
    fields = names or ("position",)
    values = (parts_of(start) or ()) if names else (start,)
    try:
        labels = names or (POSITION,)
        field_types = tuple(map(field_type, labels, values))
    except InvalidStartError as error:
        message = f"{name}.start() {error}"
        raise RulesError(message) from None
    lengths = [None if shape.parts is None else shape.count for shape in field_types]
    plain = all(shape.is_plain for shape in field_types)
    shape = tuple(zip(fields, lengths, strict=True))
    return type(start) if names else None, shape, () if plain else field_types


def space_parts_of(game: Any, layout: Layout) -> list[Part]:
    """Return the parts of a game's space, which was checked for its layout."""
    return parts(layout.fields, declared_ranges(game, layout.kind, layout.fields, layout.holds))


def _default_width(name: str, count: int) -> int:
    a_word = -(-count // MOST_UNDECLARED)
    if a_word > WORD:
        message = (
            f"{name} has {count} integers in a position, more than 256 bits hold; declare "
            "space(), one range per field, or keep several in the bits of one"
        )
        raise RulesError(message)
    return WORD // a_word


def _place(widths: list[int]) -> tuple[list[tuple[int, int]], int]:
    """Assign a word and a shift to every slot, widest first, so that few words are needed."""
    used_bits: list[int] = []
    places: list[tuple[int, int]] = [(0, 0)] * len(widths)
    for i in sorted(range(len(widths)), key=lambda i: -widths[i]):
        word = next(
            (w for w, bits in enumerate(used_bits) if bits + widths[i] <= WORD), len(used_bits)
        )
        if word == len(used_bits):
            used_bits.append(0)
        places[i] = (word, min(used_bits[word], WORD - 1))
        used_bits[word] += widths[i]
    return places, len(used_bits)


def _encode(slot: Slot, value: int) -> int:
    if slot.bits == WORD:
        if not -(1 << 63) <= value < 1 << 63:
            message = f"{slot.name} = {value} is past 64 bits"
            raise MisfitError(message)
        return value & _MASK
    raw = value - slot.low
    if raw < 0 or raw >> slot.bits:
        message = f"{slot.name} = {value} is outside {slot.low} to {slot.high}"
        raise MisfitError(message)
    return raw


def numbers_of(move: Any) -> list[int]:
    """Return the integers that a move consists of, [] if it has other items."""
    if isinstance(move, tuple):
        numbers = []
        for item in move:
            inner_numbers = numbers_of(item)
            if not inner_numbers:
                return []
            numbers += inner_numbers
        return numbers
    return [int(move)] if isinstance(move, int | np.integer | np.bool_) else []
