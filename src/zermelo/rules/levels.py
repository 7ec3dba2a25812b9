"""Messages on a move that lowers ``level``, or does not raise it."""

from __future__ import annotations

from typing import Any

from zermelo.rules.hooks import Rules


def level_words(rules: Rules, position: Any, *, lowered: bool) -> str:
    """Return a clause on a move from a position that lowers ``level``, or does not change it.

    Compiled rules have found such a move; if symmetries change levels, no move in Python need be
    one.

    Args:
        rules: the rules.
        position: the position.
        lowered: whether the move lowers the level; otherwise it does not change it.
    """
    level = rules.level(position)
    for move in rules.moves(position):
        child_level = rules.level(rules.play(position, move))
        if lowered and child_level < level:
            start = f"move {rules.move_name(move)} from {position!r}"
            return f"{start} lowers level() from {level:,} to {child_level:,}"
        if not lowered and child_level == level:
            return f"move {rules.move_name(move)} from {position!r} leaves level() at {level:,}"
    return f"a move from {position!r} {'lowers level()' if lowered else 'does not raise level()'}"
