"""The checks of ``promise``, ``bounds`` and ``enough``: their claims about values are true."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.hook_calls import (
    CheckedHooks,
    VisitedPosition,
    as_integer,
    call_hook,
    list_hook_items,
)
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk, WalkLimits

#: The most positions examined for the value of one position, and for all values.
_MOST_EXAMINED, _MOST_EXAMINED_IN_ALL = 3_000, 20_000
#: The valid bounds if values are outcomes.
_OUTCOMES = range(-1, 2)
_NAMES = {-1: "LOSS", 0: "DRAW", 1: "WIN"}


def check_promise(hooks: CheckedHooks, visits: list[VisitedPosition], limits: WalkLimits) -> None:
    """Check that ``promise`` returns a whole number for every move.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("promise"):
        return
    for visit in visits:
        if limits.is_late:
            return
        for move in visit.moves:
            promise = call_hook(hooks.timer, hooks.game, "promise", visit.position, move)
            if as_integer(promise) is None:
                message = (
                    f"{call_text('promise', visit.position, move)} returned {promise!r}; return a "
                    "whole number that is greater for moves to be searched first"
                )
                raise ContractError(ProblemKind.PROMISE, message, visit.position)


def check_bounds(
    hooks: CheckedHooks, walk: Walk, visits: list[VisitedPosition], limits: WalkLimits
) -> None:
    """Check that ``bounds`` returns two numbers, between which the value of the position lies.

    Values are computed if all positions were checked, or if few follow.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("bounds") or hooks.rules.favours_a_player:
        return
    values = _Values(hooks, walk, limits)
    for visit in reversed(visits):  # the last ones found are nearest to the ends
        if limits.is_late:
            return
        if visit.is_over:
            continue
        low, high = _declared_bounds(hooks, visit.position)
        value = values.value_of(visit.position)
        if value is not None and not low <= value <= high:
            scored = hooks.rules.kind.gains
            numbers = (low, high, value)
            texts = [f"{number:+d}" if scored else _NAMES[number] for number in numbers]
            message = (
                f"{call_text('bounds', visit.position)} returned {texts[0]}, {texts[1]}, and the "
                f"position is worth {texts[2]} to the player to move; return bounds that hold "
                "every value that is possible"
            )
            raise ContractError(ProblemKind.BOUNDS, message, visit.position)


def check_enough(
    hooks: CheckedHooks, walk: Walk, visits: list[VisitedPosition], limits: WalkLimits
) -> None:
    """Check that ``enough`` yields moves, one of which keeps the value of the position.

    Values are found as for ``check_bounds``.

    Raises:
        ContractError: it does not.
    """
    if not hooks.rules.has_hook("enough") or hooks.rules.favours_a_player:
        return
    values = _Values(hooks, walk, limits)
    for visit in reversed(visits):
        if limits.is_late:
            return
        if visit.is_over:
            continue
        position = visit.position
        enough_moves = list_hook_items(hooks.timer, hooks.game, "enough", "move", position)
        for move in enough_moves:
            if move not in visit.moves:
                message = (
                    f"{call_text('enough', position)} yields {move!r}, which is not one of "
                    f"{call_text('moves', position)}; yield some of the moves"
                )
                raise ContractError(ProblemKind.ENOUGH, message, position)
        value = values.value_of(position)
        if not enough_moves or value is None:
            continue
        move_values = [values.move_value(visit, visit.moves.index(move)) for move in enough_moves]
        if None not in move_values and value not in move_values:
            best = values.best(visit, value)
            message = (
                f"{call_text('enough', position)} leaves out {best!r}, and none of the moves that "
                "it yields is as good; yield more of them, or none, which stands for all"
            )
            raise ContractError(ProblemKind.ENOUGH, message, position)


def _declared_bounds(hooks: CheckedHooks, position: Any) -> tuple[int, int]:
    """Return the bounds of a position.

    Raises:
        ContractError: the answer is invalid.
    """
    bounds = call_hook(hooks.timer, hooks.game, "bounds", position)
    scored = hooks.rules.kind.gains
    pair = bounds if isinstance(bounds, tuple | list) and len(bounds) == 2 else ()  # noqa: PLR2004  # two
    numbers = [number for item in pair if (number := as_integer(item)) is not None]
    is_valid = len(numbers) == 2 and numbers[0] <= numbers[1]  # noqa: PLR2004
    if not is_valid or (not scored and any(number not in _OUTCOMES for number in numbers)):
        expected = "two scores" if scored else "two of LOSS, DRAW and WIN"
        message = (
            f"{call_text('bounds', position)} returned {bounds!r}; return {expected}: the least "
            "and the most that the position can be worth to the player to move"
        )
        raise ContractError(ProblemKind.BOUNDS, message, position)
    return numbers[0], numbers[1]


class _Values:
    """Computes values in plain Python: of all positions, or if few follow."""

    def __init__(self, hooks: CheckedHooks, walk: Walk, limits: WalkLimits) -> None:
        self._hooks, self._walk, self._limits = hooks, walk, limits
        self._scored = hooks.rules.kind.gains
        self._known_values: dict[Any, int] = {}
        self._visits_left = _MOST_EXAMINED_IN_ALL
        if walk.complete and not self._scored:
            self._solve()

    def _solve(self) -> None:
        """Compute the values of all positions; if neither side can force an end, it is a draw."""
        visits = list(reversed(self._walk.visits.values()))
        known_before = -1
        while known_before < len(self._known_values):
            known_before = len(self._known_values)
            for visit in visits:
                if self._limits.is_late:
                    self._known_values.clear()
                    return
                if visit.position not in self._known_values:
                    value = self._decided_value(visit)
                    if value is not None:
                        self._known_values[visit.position] = value
        for visit in visits:
            self._known_values.setdefault(visit.position, 0)

    def _decided_value(self, visit: VisitedPosition) -> int | None:
        """Return the value of a position that follows from the known values, or None."""
        if visit.is_over:
            no_moves = self._hooks.rules.no_moves
            ending = no_moves if visit.ending is None else visit.ending
            return visit.score if self._scored else int(ending)
        best: int | None = None
        for child, gain in zip(visit.children, visit.gains, strict=True):
            value = self._known_values.get(child)
            if value is None:
                if self._scored:
                    return None
                continue
            value = self._value_after_move(visit, child, gain, value)
            best = value if best is None else max(best, value)
        all_known = all(child in self._known_values for child in visit.children)
        return best if all_known or best == 1 else None

    def _value_after_move(
        self, visit: VisitedPosition, child: Any, gain: int, child_value: int
    ) -> int:
        """Return the value of a move to a position of a known value."""
        same_mover = (
            not self._hooks.rules.alternate and self._hooks.player_to_move(child) == visit.owner
        )
        return gain + (child_value if same_mover else -child_value)

    def move_value(self, visit: VisitedPosition, number: int) -> int | None:
        """Return the value of a move; None if it takes too long, or there is a cycle."""
        child = visit.children[number]
        value = self.value_of(child)
        return (
            None
            if value is None
            else self._value_after_move(visit, child, visit.gains[number], value)
        )

    def best(self, visit: VisitedPosition, value: int) -> Any:
        """Return a move with the value of the position."""
        numbers = range(len(visit.moves))
        return visit.moves[next(n for n in numbers if self.move_value(visit, n) == value)]

    def value_of(self, position: Any) -> int | None:
        """Return the value of a position; None if it takes too long, or there is a cycle."""
        on_path: dict[Any, VisitedPosition] = {}
        stack, least_left = [position], self._visits_left - _MOST_EXAMINED
        while stack:
            current = stack[-1]
            if current in self._known_values:
                stack.pop()
                continue
            if current not in on_path:
                if self._visits_left <= max(least_left, 0) or self._limits.is_late:
                    return None
                self._visits_left -= 1
                on_path[current] = self._walk.visits.get(current) or self._hooks.visit(current)
            visit = on_path[current]
            unknown = [child for child in visit.children if child not in self._known_values]
            if any(child in on_path for child in unknown):
                return None
            if unknown:
                stack.append(unknown[0])
                continue
            value = self._decided_value(visit)
            if value is None:
                return None
            self._known_values[current] = value
            on_path.pop(current)
            stack.pop()
        return self._known_values[position]
