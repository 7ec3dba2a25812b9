"""The check of ``split``: a position is worth the sum of its components."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition, list_hook_items
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import WalkLimits
from zermelo.errors import RulesError
from zermelo.rules.hooks import Rules
from zermelo.values.combinatorial.canonical_forms import CanonicalForms
from zermelo.values.combinatorial.combinatorial_value import value_of

#: The most positions examined for the values of one position and its components: of nimbers, and of
#: other values, which take longer.
_MOST_NIMBERS, _MOST_VALUES = 3_000, 300


def check_split(hooks: CheckedHooks, visits: list[VisitedPosition], limits: WalkLimits) -> None:
    """Check that ``split`` yields positions with the same player to move, worth the position.

    Values are compared if play from the position must end, few positions follow, and the turn can
    be passed or the game seems impartial.

    Raises:
        ContractError: a component is invalid, or their sum has another value.
    """
    if not hooks.rules.has_hook("split"):
        return
    values = _CombinatorialValues(hooks, limits)
    for visit in visits:
        if limits.is_late:
            return
        position = visit.position
        parts = list_hook_items(hooks.timer, hooks.game, "split", "component", position)
        call = call_text("split", position)
        for part in parts:
            component = hooks.shape.read(part, ("split", position), position)
            if hooks.rules.owner(component) != visit.owner:
                message = f"{call} gives {part!r}, where the other player moves; keep the turn"
                raise ContractError(ProblemKind.SPLIT, message, position)
        sums = values.compare(position, parts or [position])
        if sums is not None:
            sum_value, whole_value = sums
            message = (
                f"{call} gives {parts!r}, together worth {sum_value}, and the position is worth "
                f"{whole_value}; put what one move can change or prevent into one component"
            )
            raise ContractError(ProblemKind.SPLIT, message, position)


class _TooLongError(Exception):
    """A value takes too long to find, or play need not end, or the turn cannot be passed."""


class _CombinatorialValues:
    """Computes combinatorial values in plain Python, as long as few positions are examined."""

    def __init__(self, hooks: CheckedHooks, limits: WalkLimits) -> None:
        self.hooks = hooks
        self.rules: Rules = hooks.rules
        self.limits = limits
        self.forms = CanonicalForms()
        self.known: dict[Any, int] = {}
        self.positions_left = 0

    def compare(self, position: Any, parts: list[Any]) -> tuple[str, str] | None:
        """Return the values of the parts' sum and of the position, or None if they are equal."""
        if not self.rules.alternate and not self.rules.passes:
            return None
        self.positions_left = _MOST_VALUES if self.rules.passes else _MOST_NIMBERS
        try:
            sum_value = 0
            for part in parts:
                sum_value = self.forms.sum(sum_value, self._value_of(part))
            whole_value = self._value_of(position)
        except _TooLongError:
            return None
        return (
            None if sum_value == whole_value else (self._text(sum_value), self._text(whole_value))
        )

    def _text(self, number: int) -> str:
        heap = self.forms.nim_heap_of(number)
        return str(value_of(self.forms, number)) if heap is None else f"nimber {heap}"

    def _value_of(self, position: Any) -> int:
        """Return the number of a position's value, with the player to move as Left."""
        options: dict[Any, tuple[list[Any], list[Any]]] = {}
        stack = [position]
        while stack:
            current = stack[-1]
            if current in self.known:
                stack.pop()
                continue
            if current not in options:
                options[current] = self._options(current)
            unknown = [p for side in options[current] for p in side if p not in self.known]
            if any(p in options for p in unknown):  # a cycle
                raise _TooLongError
            if unknown:
                stack += unknown
                continue
            left, right = options.pop(current)
            self.known[current] = self.forms.of_options(
                [self.forms.negative(self.known[child]) for child in left],
                [self.known[child] for child in right],
            )
            stack.pop()
        return self.known[position]

    def _options(self, position: Any) -> tuple[list[Any], list[Any]]:
        """Return the children of a position, and those with the other player to move."""
        self.positions_left -= 1
        if self.positions_left < 0 or self.limits.is_late:
            raise _TooLongError
        left = list(dict.fromkeys(self.hooks.visit(position).children))
        if not self.rules.passes:
            return left, left
        try:
            passed = self.rules.pass_turn(position)
        except RulesError:
            raise _TooLongError from None
        return left, list(dict.fromkeys(self.hooks.visit(passed).children))
