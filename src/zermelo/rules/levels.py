"""The move that lowers ``level``, or does not raise it, named for a message."""

from __future__ import annotations

from typing import Any

from zermelo.rules.hooks import Rules


def level_words(rules: Rules, position: Any, *, lowered: bool) -> str:
    """Return which move from a position lowers ``level``, or leaves it where it is, and how.

    Compiled rules have found that there is one; where symmetries change levels, none of the moves
    in Python need be.

    Args:
        rules: the rules.
        position: the position.
        lowered: whether the move lowers the level; else it leaves it as it is.
    """
    level = rules.level(position)
    for move in rules.moves(position):
        after = rules.level(rules.play(position, move))
        if lowered and after < level:
            called = f"move {rules.move_name(move)} from {position!r}"
            return f"{called} lowers level() from {level:,} to {after:,}"
        if not lowered and after == level:
            return f"move {rules.move_name(move)} from {position!r} leaves level() at {level:,}"
    return f"a move from {position!r} {'lowers level()' if lowered else 'does not raise level()'}"
