"""The check of ``split``: the nimbers of components sum to that of the position."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition, list_hook_items
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import WalkLimits

#: The most positions examined for the nimbers of one position and its components.
_MOST_EXAMINED = 3_000


def check_split(hooks: CheckedHooks, visits: list[VisitedPosition], limits: WalkLimits) -> None:
    """Check that ``split`` yields positions, and that their nimbers sum to the position's.

    Nimbers are compared if play from the position must end, and few positions follow.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("split"):
        return
    nimbers = _Nimbers(hooks, limits)
    for visit in visits:
        if limits.is_late:
            return
        position = visit.position
        parts = list_hook_items(hooks.timer, hooks.game, "split", "component", position)
        for part in parts:
            hooks.shape.read(part, ("split", position), position)
        nimbers.positions_left = _MOST_EXAMINED
        nimber_of_position, nimber_of_sum = nimbers.nimber_of(position), 0
        for part in parts or [position]:
            nimber = nimbers.nimber_of(part)
            nimber_of_sum = -1 if nimber < 0 or nimber_of_sum < 0 else nimber_of_sum ^ nimber
        if min(nimber_of_position, nimber_of_sum) >= 0 and nimber_of_position != nimber_of_sum:
            message = (
                f"{call_text('split', position)} gives {parts!r}, together worth nimber "
                f"{nimber_of_sum}, and the position is worth nimber {nimber_of_position}; put what "
                "one move can change or prevent into one component"
            )
            raise ContractError(ProblemKind.SPLIT, message, position)


class _Nimbers:
    """Computes nimbers in plain Python, as long as few positions are examined."""

    def __init__(self, hooks: CheckedHooks, limits: WalkLimits) -> None:
        self.hooks = hooks
        self.limits = limits
        self.known: dict[Any, int] = {}
        self.positions_left = 0

    def nimber_of(self, position: Any) -> int:
        """Return the nimber of a position, or -1 if it takes too long or play need not end."""
        on_path: dict[Any, list[Any]] = {}
        stack = [position]
        while stack:
            current = stack[-1]
            if current in self.known:
                stack.pop()
                continue
            if current not in on_path:
                self.positions_left -= 1
                if self.positions_left < 0 or self.limits.is_late:
                    return -1
                on_path[current] = list(dict.fromkeys(self.hooks.visit(current).children))
            unknown = [child for child in on_path[current] if child not in self.known]
            if any(child in on_path for child in unknown):  # a cycle
                return -1
            if unknown:
                stack += unknown
                continue
            reached = {self.known[child] for child in on_path.pop(current)}
            self.known[current] = next(n for n in range(len(reached) + 1) if n not in reached)
            stack.pop()
        return self.known[position]
