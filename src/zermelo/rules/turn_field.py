"""Detection of the field of a position that ``turn`` returns unchanged."""

from __future__ import annotations

from typing import Any

from zermelo.rules.layout import Layout

#: A number greater than any turn or count, so that such a number identifies its field.
_FIRST_NUMBER = 1 << 40


def turn_index(game: Any, layout: Layout) -> int | None:
    """Return the index of the number of a position that is its ``turn``, in the order of its slots.

    ``turn`` is called for a position with distinct numbers, all larger than a player's. A hook that
    computes with a field, or looks something up by it, returns another number, or raises an error.

    Args:
        game: the game, which has ``turn``.
        layout: the layout of its positions.

    Returns:
        The index, or None if ``turn`` does more than return a number of the position.
    """
    if layout.kind is None:
        return None
    numbers = [_FIRST_NUMBER + place for place in range(len(layout.slots))]
    try:
        place = numbers.index(game.turn(layout.build(numbers)))
    except Exception:  # noqa: BLE001  # rules may raise anything at an impossible position
        return None
    slot = layout.slots[place]
    return place if slot.low <= 0 < slot.high else None
