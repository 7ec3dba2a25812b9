"""The action of declared symmetries on packed positions: the group, and tables of images.

A symmetry takes the number of each slot from some slot, and leaves it unchanged, or permutes its
bits or its values. All products of the declared symmetries are listed once. As they only move bits
and look up small numbers, a packed position can be cut into chunks of a few bits, and its image is
the bitwise or of the images of the chunks, which a table gives for all symmetries together. A wide
number that symmetries only move is shifted instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.errors import RulesError
from zermelo.rules.actions import VALUES, Element, SymmetryReader, compose, values_of
from zermelo.rules.layout import Layout
from zermelo.symmetry import MOST_SYMMETRIES, Symmetry

#: The desired bytes of tables of images, which fit in a core's cache, and the most.
_TARGET, _LARGEST_BYTES = 1 << 18, 1 << 26
#: Bits of a chunk, most first; the first with which tables stay small is used.
_CHUNKS = (9, 8, 7, 6, 5, 4, 3, 2, 1)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some bits of a packed position: ``bits`` of them, from bit ``shift`` of a word."""

    word: int
    shift: int
    bits: int


class Group:
    """All symmetries of a game's positions.

    Attributes:
        name: the name of the game's class.
        layout: the layout of positions.
        generators: the declared symmetries.
        elements: all that they generate, the identity first.
    """

    def __init__(self, name: str, layout: Layout, declared: Any) -> None:
        """Compute the symmetries.

        Args:
            name: the name of the game's class.
            layout: the layout of positions.
            declared: the result of the game's ``symmetries``.

        Raises:
            RulesError: they do not fit the layout, or there are too many.
        """
        self.name = name
        self.layout = layout
        symmetries = (declared,) if isinstance(declared, Symmetry) else declared
        if not isinstance(symmetries, tuple | list) or not all(
            isinstance(s, Symmetry) for s in symmetries
        ):
            message = (
                f"{name}.symmetries() returned {declared!r}; return a Symmetry or a tuple of them"
            )
            raise RulesError(message)
        reader = SymmetryReader(name, layout)
        self.generators = tuple(g for symmetry in symmetries for g in reader.generators(symmetry))
        self.elements = self._closure(self.generators)

    def __len__(self) -> int:
        """Return the number of symmetries."""
        return len(self.elements)

    def images(self, position: Any, elements: Sequence[Element] | None = None) -> list[Any]:
        """Return the image of a position under each symmetry, or under each of some of them."""
        flat = self.layout.flatten(position)
        used_elements = self.elements if elements is None else elements
        return [self.layout.build(element.image_of(flat)) for element in used_elements]

    def canonical(self, position: Any, elements: Sequence[Element] | None = None) -> Any:
        """Return the image of a position, under these symmetries, whose packed form is the least.

        Without a symmetry it is the position.
        """
        images = self.images(position, elements)
        return min(images, key=self.layout.pack, default=position)

    # -- tables -------------------------------------------------------------------------------

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The bits that some symmetry moves, cut into chunks."""
        return self._chunks_without(())

    @cached_property
    def shifted_slots(self) -> tuple[int, ...]:
        """The slots that are wider than a chunk, and that symmetries move without any change.

        Compiled rules shift their numbers, where other bits need a look-up for each chunk.
        """
        slots = {n for n, slot in enumerate(self.layout.slots) if slot.bits > _CHUNKS[0]}
        others: set[int] | None = None
        while others is None or others:
            others = {
                n
                for element in self.elements
                for target, source in enumerate(element.sources)
                if not slots.issuperset((target, source)) or element.changes[target] is not None
                for n in (target, source)
            } & slots
            slots -= others
        return tuple(
            n for n in sorted(slots) if any(element.sources[n] != n for element in self.elements)
        )

    @cached_property
    def other_chunks(self) -> tuple[Chunk, ...]:
        """The moved bits outside of ``shifted_slots``, cut into chunks."""
        return self._chunks_without(self.shifted_slots)

    def _chunks_without(self, excluded_slots: tuple[int, ...]) -> tuple[Chunk, ...]:
        """Return the bits outside of some slots that some symmetry moves, cut into chunks.

        Raises:
            RulesError: their tables would be too large.
        """
        cuts = (self._cut(limit, excluded_slots) for limit in _CHUNKS)
        smallest_cut = self._cut(_CHUNKS[-1], excluded_slots)
        chunks = next((cut for cut in cuts if self._bytes(cut) <= _TARGET), smallest_cut)
        if self._bytes(chunks) > _LARGEST_BYTES:
            message = (
                f"{self.name} has {len(self):,} symmetries of numbers with up to "
                f"{max(chunk.bits for chunk in chunks)} bits, whose tables would take "
                f"{self._bytes(chunks):,} bytes; narrow the ranges of space(), or declare fewer"
            )
            raise RulesError(message)
        return chunks

    @property
    def moved_bits(self) -> tuple[int, ...]:
        """For each word, the bits that some symmetry moves."""
        masks = [0] * self.layout.words
        for chunk in self.chunks:
            masks[chunk.word] |= ((1 << chunk.bits) - 1) << chunk.shift
        return tuple(masks)

    def tables(self, elements: Sequence[Element] | None = None) -> npt.NDArray[np.uint64]:
        """Return the image of each value of each chunk.

        For one chunk and value after another it has, for each word of the result, the image of the
        chunk's bits in it under each of the elements.

        Args:
            elements: some of the elements; by default all.
        """
        return self._tables_of(self.chunks, elements)

    def code_tables(self, elements: Sequence[Element] | None = None) -> npt.NDArray[np.uint64]:
        """Return the tables of compiled rules.

        For one of ``shifted_slots`` after another they have the shift of its number in the image
        under each of the elements, and for each word the bits of it that the number takes there;
        and then the images of ``other_chunks``, as ``tables`` has them.

        Args:
            elements: some of the elements; by default all.
        """
        used_elements = self.elements if elements is None else elements
        shifts = np.zeros(
            (len(self.shifted_slots), 1 + self.layout.words, len(used_elements)), np.uint64
        )
        for table, source in zip(shifts, self.shifted_slots, strict=True):
            for g, element in enumerate(used_elements):
                slot = self.layout.slots[element.sources.index(source)]
                table[0, g] = slot.shift
                table[1 + slot.word, g] = ((1 << slot.bits) - 1) << slot.shift
        images = self._tables_of(self.other_chunks, elements)
        if not self.shifted_slots or not self.other_chunks:
            return shifts.reshape(-1) if self.shifted_slots else images
        return np.concatenate([shifts.reshape(-1), images])

    def _tables_of(
        self, chunks: Sequence[Chunk], elements: Sequence[Element] | None
    ) -> npt.NDArray[np.uint64]:
        """Return the image of each value of some chunks; see ``tables``."""
        used_elements = self.elements if elements is None else elements
        tables = []
        for chunk in chunks:
            table = np.zeros((1 << chunk.bits, self.layout.words, len(used_elements)), np.uint64)
            for g, element in enumerate(used_elements):
                self._fill(table[:, :, g], chunk, element)
            tables.append(table.reshape(-1))
        return np.concatenate(tables) if tables else np.zeros(len(used_elements), np.uint64)

    def _fill(self, table: npt.NDArray[np.uint64], chunk: Chunk, element: Element) -> None:
        values = np.arange(1 << chunk.bits, dtype=np.uint64)
        slots = self.layout.slots
        for target, source in enumerate(element.sources):
            slot, target_slot = slots[source], slots[target]
            low = max(slot.shift, chunk.shift)
            high = min(slot.shift + slot.bits, chunk.shift + chunk.bits)
            if slot.word != chunk.word or low >= high:
                continue
            part = values >> np.uint64(low - chunk.shift) & np.uint64((1 << (high - low)) - 1)
            change = element.changes[target]
            if change is not None and change[0] == VALUES:
                images = values_of(change, slot).astype(np.uint64)
                table[:, target_slot.word] |= images[part] << np.uint64(target_slot.shift)
                continue
            for bit in range(low - slot.shift, high - slot.shift):
                place = change[1][bit] if change is not None and bit < len(change[1]) else bit
                bit_values = part >> np.uint64(bit + slot.shift - low) & np.uint64(1)
                table[:, target_slot.word] |= bit_values << np.uint64(target_slot.shift + place)

    def _bytes(self, chunks: Iterable[Chunk]) -> int:
        entries = sum(1 << chunk.bits for chunk in chunks)
        return 8 * entries * self.layout.words * len(self)

    def _cut(self, limit: int, excluded_slots: tuple[int, ...]) -> tuple[Chunk, ...]:
        """Return the moved bits, cut into chunks of limited size that keep some numbers whole."""
        chunks: list[Chunk] = []
        for word in range(self.layout.words):
            pieces = sorted(
                piece
                for slot, slot_word, *piece in self._pieces()
                if slot_word == word and slot not in excluded_slots
            )
            for shift, bits, keeps_whole in pieces:
                offset, bits_left = shift, bits
                while bits_left:
                    last = chunks[-1] if chunks else Chunk(-1, 0, 0)
                    joins = last.word == word and last.shift + last.bits == offset
                    free_bits = limit - last.bits if joins else 0
                    if free_bits >= (bits_left if keeps_whole else 1):
                        bit_count = min(bits_left, free_bits)
                        chunks[-1] = Chunk(word, last.shift, last.bits + bit_count)
                    else:
                        bit_count = bits_left if keeps_whole else min(bits_left, limit)
                        chunks.append(Chunk(word, offset, bit_count))
                    offset, bits_left = offset + bit_count, bits_left - bit_count
        return tuple(chunks)

    def _pieces(self) -> Iterable[tuple[int, int, int, int, bool]]:
        """Yield slot, word, shift and bits of moved parts, and whether a part must not be cut."""
        for n, slot in enumerate(self.layout.slots):
            targets = [
                (target, element.changes[target])
                for element in self.elements
                for target, source in enumerate(element.sources)
                if source == n
            ]
            if any(change is not None and change[0] == VALUES for _, change in targets):
                yield n, slot.word, slot.shift, slot.bits, True
            elif any(target != n for target, _ in targets):
                yield n, slot.word, slot.shift, slot.bits, False
            else:
                cells = max(len(change[1]) if change is not None else 0 for _, change in targets)
                if cells:
                    yield n, slot.word, slot.shift, min(slot.bits, -(-cells // 8) * 8), False

    # -- the group ----------------------------------------------------------------------------

    def _closure(self, generators: Iterable[Element]) -> tuple[Element, ...]:
        """Return all products of the generators."""
        slots = len(self.layout.slots)
        identity = Element(tuple(range(slots)), (None,) * slots)
        elements = {identity: None}
        queue = [identity]
        steps = list(dict.fromkeys(generators))
        for element in queue:
            for step in steps:
                product = self.product(step, element)
                if product not in elements:
                    elements[product] = None
                    queue.append(product)
            if len(elements) > MOST_SYMMETRIES:
                message = (
                    f"{self.name}.symmetries() gives more than {MOST_SYMMETRIES:,} symmetries; "
                    "declare fewer"
                )
                raise RulesError(message)
        return tuple(elements)

    def product(self, second: Element, first: Element) -> Element:
        """Return the product of two symmetries."""
        sources = tuple(first.sources[source] for source in second.sources)
        changes = tuple(
            compose(first.changes[source], change, self._slot_clause(target))
            for target, (source, change) in enumerate(
                zip(second.sources, second.changes, strict=True)
            )
        )
        return Element(sources, changes)

    def _slot_clause(self, slot: int) -> str:
        return f"{self.name}.symmetries() takes {self.layout.slots[slot].name}"
