"""Reading of positions, which several hunts share."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.errors import PositionError


def read_side(text: str, sides: Sequence[str]) -> tuple[str, int]:
    """Read the side to move at the end of a position, such as ``fox to move``.

    Returns:
        The text before it, and the number of the side.

    Raises:
        PositionError: the text does not end with the side to move.
    """
    words = text.strip()
    for side, name in enumerate(sides):
        if words.endswith(f"{name} to move"):
            return words.removesuffix(f"{name} to move").rstrip(" \n,/"), side
    message = f"{text!r} does not say whose turn it is; end it with '{sides[0]} to move'"
    raise PositionError(message)
