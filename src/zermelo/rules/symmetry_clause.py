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
    used, declared = len(elements), len(rules.group or ())
    if used < declared:
        those = f"the {used:,} that leave the players" if used > 1 else "none"
        twice = not rules.favours_a_player
        endless = "a win" if rules.endless != NOBODY else "worth points"
        why = "a player may move twice" if twice else f"endless play is {endless} for one of them"
        return f"; of {declared:,} symmetries, {those} are used, as {why}"
    said = f"; positions that {used:,} declared symmetries make equal count as one"
    return f"{said}, which verify() proves" if used > 1 else ""
