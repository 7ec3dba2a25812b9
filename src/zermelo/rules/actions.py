"""The action of a declared symmetry on the numbers of a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.rules.layout import WORD, Layout, Slot
from zermelo.symmetry import Permutation, Symmetry

#: The changes of a number: its bits are permuted, or its values are.
BITS, VALUES = "mask", "number"
#: A number whose values are permuted has at most this many bits, since a table lists them.
_WIDEST = 16

Change = tuple[str, Permutation]


@dataclass(frozen=True, slots=True)
class Element:
    """A symmetry of positions.

    Attributes:
        sources: for each slot, the slot from which its number comes.
        changes: for each slot, the change of its number, or None.
    """

    sources: tuple[int, ...]
    changes: tuple[Change | None, ...]

    def image_of(self, flat: Sequence[int]) -> list[int]:
        """Return the image of a position's integers."""
        return [
            change_image(change, flat[source])
            for source, change in zip(self.sources, self.changes, strict=True)
        ]


class SymmetryReader:
    """A converter of declared symmetries to elements."""

    def __init__(self, name: str, layout: Layout) -> None:
        """Store the name of the game and the layout of its positions."""
        self.name = name
        self.layout = layout
        self.slots: dict[str, list[int]] = {field: [] for field, _ in layout.fields}
        for n, slot in enumerate(layout.slots):
            self.slots[layout.fields[slot.field][0]].append(n)
        self.lengths = dict(layout.fields)
        for slot in layout.slots if layout.holds else ():
            self._name_parts(slot)

    def _name_parts(self, slot: Slot) -> None:
        """Register a number of a nested position under a name such as ``mine.cells``."""
        in_row = slot.name.endswith("]")
        label = slot.name.rpartition("[")[0] if in_row else slot.name
        if "." in label:
            n = self.layout.slots.index(slot)
            slots = self.slots.setdefault(label, [])
            slots.append(n)
            self.lengths[label] = len(slots) if in_row else None

    def generators(self, symmetry: Symmetry) -> Iterable[Element]:
        """Yield the elements of a declared symmetry."""
        step = self._exchange_element(symmetry)
        for cells in symmetry.cells:
            element = self._cell_element(symmetry, cells)
            yield self._product(step, element) if symmetry.together else element
        if not symmetry.together and step != self._identity():
            yield step
        for group in symmetry.alike:
            for pair in pairwise(group):
                sources, changes = self._identity_lists()
                self._exchange(sources, *pair)
                yield Element(tuple(sources), tuple(changes))

    def _cell_element(self, symmetry: Symmetry, cells: Permutation) -> Element:
        sources, changes = self._identity_lists()
        for field in symmetry.masks:
            for n in self._slots_of(field):
                self._check_mask(self.layout.slots[n], len(cells))
                changes[n] = (BITS, cells)
        for field in symmetry.squares:
            for n in self._slots_of(field):
                self._check_values(self.layout.slots[n], cells)
                changes[n] = (VALUES, cells)
        for field in symmetry.rows:
            slots = self._slots_of(field)
            if self.lengths[field] != len(cells):
                shape = (
                    "is not a tuple" if self.lengths[field] is None else f"has {len(slots)} items"
                )
                message = (
                    f"{self.name}.symmetries() permutes {len(cells)} cells, and the row {field!r} "
                    f"{shape}; give it one item for each cell"
                )
                raise RulesError(message)
            for cell, place in enumerate(cells):
                sources[slots[place]] = slots[cell]
            self._check_equal(field, slots)
        return self._element(sources, changes)

    def _exchange_element(self, symmetry: Symmetry) -> Element:
        sources, changes = self._identity_lists()
        for pair in symmetry.swap:
            self._exchange(sources, *pair)
        permutations = [*((field, (1, 0)) for field in symmetry.flip), *symmetry.relabel]
        for field, permutation in permutations:
            for n in self._slots_of(field):
                self._check_values(self.layout.slots[n], permutation)
                changes[n] = (VALUES, permutation)
        return self._element(sources, changes)

    def _exchange(self, sources: list[int], first: str, second: str) -> None:
        pairs = self._slots_of(first), self._slots_of(second)
        if self.lengths[first] != self.lengths[second]:
            message = (
                f"{self.name}.symmetries() exchanges {first!r} and {second!r}, which are not of "
                "one shape; exchange fields that are"
            )
            raise RulesError(message)
        for a, b in zip(*pairs, strict=True):
            sources[a], sources[b] = b, a
            self._check_equal(f"{first} and {second}", [a, b])

    def _product(self, step: Element, element: Element) -> Element:
        """Return the product of two elements that may change the same fields."""
        sources = tuple(element.sources[source] for source in step.sources)
        changes = tuple(
            compose(element.changes[source], change, f"{self.name}.symmetries() takes a field")
            for source, change in zip(step.sources, step.changes, strict=True)
        )
        return Element(sources, changes)

    def _identity_lists(self) -> tuple[list[int], list[Change | None]]:
        count = len(self.layout.slots)
        return list(range(count)), [None] * count

    def _identity(self) -> Element:
        return self._element(*self._identity_lists())

    def _element(self, sources: list[int], changes: list[Change | None]) -> Element:
        effective = tuple(
            None if change is not None and list(change[1]) == sorted(change[1]) else change
            for change in changes
        )
        return Element(tuple(sources), effective)

    def _slots_of(self, field: str) -> list[int]:
        if field not in self.slots:
            message = (
                f"{self.name}.symmetries() names {field!r}, which is not a field of "
                f"{self.layout.describe()}; name one of {', '.join(map(repr, self.slots))}"
            )
            raise RulesError(message)
        return self.slots[field]

    def _check_mask(self, slot: Slot, cells: int) -> None:
        is_signed = slot.bits < WORD and slot.low == -(1 << max(slot.bits - 1, 0))
        if cells > (slot.bits - 1 if is_signed else slot.bits) or not (is_signed or slot.low == 0):
            message = (
                f"{self.name}.symmetries() takes {slot.name} for a mask of {cells} cells, and it "
                f"holds {slot.low} to {slot.high}; let space() give it range({1 << cells})"
            )
            raise RulesError(message)

    def _check_values(self, slot: Slot, permutation: Permutation) -> None:
        if slot.bits > _WIDEST:
            message = (
                f"{self.name}.symmetries() takes {slot.name} for a number below "
                f"{len(permutation)}, and it has {slot.bits} bits; let space() give it a range"
            )
            raise RulesError(message)
        for value, image in enumerate(permutation):
            if slot.low <= value <= slot.high and not slot.low <= image <= slot.high:
                message = (
                    f"{self.name}.symmetries() makes {slot.name} = {value} into {image}, outside "
                    f"{slot.low} to {slot.high}; widen space(), or give fewer cells"
                )
                raise RulesError(message)

    def _check_equal(self, fields: str, slots: list[int]) -> None:
        kinds = {(self.layout.slots[n].low, self.layout.slots[n].bits) for n in slots}
        if len(kinds) > 1:
            message = (
                f"{self.name}.symmetries() exchanges numbers of {fields} that have different "
                "ranges; let space() give them one range"
            )
            raise RulesError(message)


def compose(first: Change | None, second: Change | None, clause: str) -> Change | None:
    """Return the product of two changes.

    Args:
        first: the first change.
        second: the second change.
        clause: the beginning of the message on a number that both cannot change.

    Raises:
        RulesError: one permutes bits and the other values, or the ranges differ.
    """
    if first is None or second is None:
        return second if first is None else first
    if first[0] != second[0] or len(first[1]) != len(second[1]):
        message = (
            f"{clause} for a {first[0]} of {len(first[1])} and for a {second[0]} of "
            f"{len(second[1])}; declare one of them"
        )
        raise RulesError(message)
    permutation = tuple(second[1][place] for place in first[1])
    return None if permutation == tuple(range(len(permutation))) else (first[0], permutation)


def change_image(change: Change | None, value: int) -> int:
    """Return the image of a number."""
    if change is None:
        return value
    kind, permutation = change
    if kind == VALUES:
        return permutation[value] if 0 <= value < len(permutation) else value
    high_bits = value >> len(permutation) << len(permutation)
    return high_bits | sum(
        1 << permutation[bit] for bit in range(len(permutation)) if value >> bit & 1
    )


def values_of(change: Change, slot: Slot) -> npt.NDArray[np.int64]:
    """Return the images of all numbers of a slot when its values are permuted."""
    raw = np.arange(1 << slot.bits)
    values, permutation = raw + slot.low, np.array(change[1])
    is_permuted = (values >= 0) & (values < len(permutation))
    images = raw.copy()
    images[is_permuted] = permutation[values[is_permuted]] - slot.low
    is_invalid = (images < 0) | (images >> slot.bits > 0)
    images[is_invalid] = raw[is_invalid]
    return images
