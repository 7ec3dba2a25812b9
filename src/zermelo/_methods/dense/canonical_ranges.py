"""Ranges of slots that contain all canonical positions.

The canonical position of a class of equivalent positions has the least packed form. So, going
through a position's numbers from the most significant bits down: if symmetries change a number and
leave all numbers before it unchanged, then none of them may make that number less. On a board with
eight symmetries that leaves ten squares of sixty-four for one of the pieces, and whole ranges of
the slots are skipped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.game.spaces import Descriptor, part_size
from zermelo.rules.actions import VALUES, Element, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo.game.spaces import Part
    from zermelo.rules.hooks import Rules

#: The most ranges that are created.
_MOST_SPANS = 1 << 12


def ordered_parts(rules: Rules) -> list[Part]:
    """Return the parts of a space in the order of slots, most significant first.

    Ranges come before other parts, and among each other as in packed positions. So canonical
    positions, which are the least, are close together, and slots without one are never touched.
    """

    def key(part: Part) -> tuple[bool, int, int]:
        values, numbers = part
        slot = rules.layout.slots[numbers[0]]
        return isinstance(values, Descriptor), slot.word, -slot.shift

    return sorted(rules.space_parts(), key=key)


def canonical_spans(
    rules: Rules, parts: Sequence[Part], elements: Sequence[Element]
) -> list[tuple[int, int]]:
    """Return ascending ranges of slots that contain all canonical positions.

    Args:
        rules: the game's rules.
        parts: the parts of its space, as ``ordered_parts`` returns them.
        elements: the symmetries under which positions are canonical, if any.
    """
    width = 1
    for part in parts:
        width *= part_size(part)
    begins = [0]
    left = list(elements)
    for part in parts:
        size = part_size(part)
        if len(left) <= 1 or isinstance(part[0], Descriptor) or len(begins) * size > _MOST_SPANS:
            break
        tables = [_table(rules, part, one) for one in left]
        digits = [
            digit
            for digit in range(size)
            if all(table is None or table[digit] >= digit for table in tables)
        ]
        # Only symmetries that leave this number unchanged restrict the next number.
        left = [
            one
            for one, table in zip(left, tables, strict=True)
            if table is not None and all(table[digit] == digit for digit in digits)
        ]
        width //= size
        begins = [begin + digit * width for begin in begins for digit in digits]
    return [(begin, begin + width) for begin in begins]


def _table(rules: Rules, part: Part, one: Element) -> list[int] | None:
    """Return the image of each number of a range; None if the symmetry uses another number.

    Numbers are counted from 0 for the first of the range.
    """
    number = part[1][0]
    slot = rules.layout.slots[number]
    values = part[0]
    base = min(values[0], values[-1]) - slot.low  # type: ignore[index]  # a range
    change = one.changes[number]
    if one.sources[number] != number or (change is not None and change[0] != VALUES):
        return None
    digits = range(part_size(part))
    if change is None:
        return list(digits)
    images = values_of(change, slot) - base
    return [int(images[base + digit]) for digit in digits]
