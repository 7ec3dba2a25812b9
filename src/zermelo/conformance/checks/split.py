"""The check of ``split``: the nimbers of components sum to that of the position."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition, list_hook_items
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import WalkLimits

#: The most positions examined for the nimbers of one position and its components.
_MOST = 3_000


def check_split(hooks: CheckedHooks, places: list[VisitedPosition], limits: WalkLimits) -> None:
    """Check that ``split`` yields positions, and that their nimbers sum to the position's.

    Nimbers are compared if play from the position must end, and few positions follow.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("split"):
        return
    nimbers = _Nimbers(hooks, limits)
    for place in places:
        if limits.is_late:
            return
        position = place.position
        parts = list_hook_items(hooks.watch, hooks.game, "split", "component", position)
        for part in parts:
            hooks.shape.read(part, ("split", position), position)
        nimbers.left = _MOST
        worth, together = nimbers.nimber_of(position), 0
        for part in parts or [position]:
            nimber = nimbers.nimber_of(part)
            together = -1 if nimber < 0 or together < 0 else together ^ nimber
        if min(worth, together) >= 0 and worth != together:
            message = (
                f"{call_text('split', position)} gives {parts!r}, together worth nimber "
                f"{together}, and the position is worth nimber {worth}; put what one move can "
                "change or prevent into one component"
            )
            raise ContractError(ProblemKind.SPLIT, message, position)


class _Nimbers:
    """Computes nimbers in plain Python, as long as few positions are examined."""

    def __init__(self, hooks: CheckedHooks, limits: WalkLimits) -> None:
        self.hooks = hooks
        self.limits = limits
        self.known: dict[Any, int] = {}
        self.left = 0

    def nimber_of(self, position: Any) -> int:
        """Return the nimber of a position, or -1 if it takes too long or play need not end."""
        going: dict[Any, list[Any]] = {}
        waiting = [position]
        while waiting:
            here = waiting[-1]
            if here in self.known:
                waiting.pop()
                continue
            if here not in going:
                self.left -= 1
                if self.left < 0 or self.limits.is_late:
                    return -1
                going[here] = list(dict.fromkeys(self.hooks.place(here).children))
            ahead = [child for child in going[here] if child not in self.known]
            if any(child in going for child in ahead):  # a cycle
                return -1
            if ahead:
                waiting += ahead
                continue
            there = {self.known[child] for child in going.pop(here)}
            self.known[here] = next(n for n in range(len(there) + 1) if n not in there)
            waiting.pop()
        return self.known[position]
