"""The clause on symmetries, which follows the sentence on how a game was solved."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from zermelo.values.outcomes import NOBODY

if TYPE_CHECKING:
    from zermelo.rules.actions import Element
    from zermelo.rules.hooks import Rules


def describe_folding(rules: Rules, elements: Collection[Element], *, folded: bool) -> str:
    """Return a clause on symmetries, to follow the sentence on the method; "" for none.

    Args:
        rules: the rules.
        elements: the symmetries that are used; none where ``canonical`` is written by hand.
        folded: whether positions count as one.
    """
    if not folded:
        return ""
    if not elements:
        return "; positions with the same canonical() count as one, which verify() proves"
    used_count, declared_count = len(elements), len(rules.group or ())
    if used_count < declared_count:
        used_clause = f"the {used_count:,} that leave the players" if used_count > 1 else "none"
        can_move_twice = not rules.favours_a_player
        endless_value = "a win" if rules.endless != NOBODY else "worth points"
        reason = (
            "a player may move twice"
            if can_move_twice
            else f"endless play is {endless_value} for one of them"
        )
        return f"; of {declared_count:,} symmetries, {used_clause} are used, as {reason}"
    clause = f"; positions that {used_count:,} declared symmetries make equal count as one"
    return f"{clause}, which verify() proves" if used_count > 1 else ""
