"""The field of a position that says whose turn it is, where ``turn`` returns one as it is."""

from __future__ import annotations

from typing import Any

from zermelo.rules.layout import Layout

#: No turn and no count is as large, so that a number of these tells which field it came from.
_STRANGE = 1 << 40


def turn_place(game: Any, layout: Layout) -> int | None:
    """Return which number of a position is its ``turn``, counted in the order of its slots.

    ``turn`` is asked about a position whose numbers all differ, and none of which is a player.
    What computes with a field, or looks something up by it, gives none of them, or an error.

    Args:
        game: the game, which has ``turn``.
        layout: how its positions are laid out.

    Returns:
        It, or None where ``turn`` does more than to return a number of the position.
    """
    if layout.kind is None:
        return None
    numbers = [_STRANGE + place for place in range(len(layout.slots))]
    try:
        place = numbers.index(game.turn(layout.build(numbers)))
    except Exception:  # noqa: BLE001  # whatever a rule raises at a position that is none
        return None
    slot = layout.slots[place]
    return place if slot.low <= 0 < slot.high else None
