"""Values by brute force, in plain Python over the author's rules, for comparisons."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.walk import WalkLimits
from zermelo.values.expectations import Expectations
from zermelo.values.outcomes import DRAW, WIN

if TYPE_CHECKING:
    from zermelo.values.kind import Kind

#: The most positions examined in a search for one value.
_MOST_VISITED = 400
#: The most that rounding makes of a mean.
_ROUNDING = 1e-9
#: The width of bounds that are written as one number.
_ROUNDED_AWAY = 1e-6
#: Positions to solve at most.
_MOST_POSITIONS = 20_000


class Solver:
    """Computes values, exactly if few positions can be reached, else by a search of a few plies.

    All methods raise the errors of ``CheckedHooks.visit``.
    """

    def __init__(
        self,
        hooks: CheckedHooks,
        visits: dict[Any, VisitedPosition],
        limits: WalkLimits,
        kind: Kind | None = None,
    ) -> None:
        """Start with the known positions, and the kind of values; by default that of the rules."""
        self.hooks = hooks
        self.limits = limits
        self.visits = dict(visits)
        self.kind = hooks.rules.kind if kind is None else kind
        self.values: dict[Any, int] | None = None

    def solve(self, roots: Iterable[Any]) -> bool:
        """Solve all positions reachable from ``roots``; return whether that was possible.

        It is not in games with chance, whose values take many rounds.
        """
        if self.hooks.rules.has_chance:
            return False
        queue = deque(roots)
        positions = set(queue)
        while queue:
            if len(positions) > _MOST_POSITIONS or self.limits.is_late:
                return False
            for child in self.visit(queue.popleft()).children:
                if child not in positions:
                    positions.add(child)
                    queue.append(child)
        self.values = self._solve_values(positions)
        return self.values is not None

    def difference(
        self, first_position: Any, second_position: Any, plies: int
    ) -> tuple[str, str] | None:
        """Return the values of two positions in words, or None unless they are known to differ.

        Args:
            first_position: a position.
            second_position: another.
            plies: the depth of a search, unless everything is solved.
        """
        values: tuple[int | None, int | None]
        if self.values is not None:
            values = self.values[first_position], self.values[second_position]
        elif self.kind.needs_potential:  # few plies decide such values only near the ends
            return self._different_scores(first_position, second_position, plies)
        else:
            self._visits_left = _MOST_VISITED
            values = (
                self._lookahead_code(first_position, plies),
                self._lookahead_code(second_position, plies),
            )
            # A win or loss within the searched plies is always found, but a tie need not be.
            codes = [code for code in values if code is not None]
            if self._visits_left < 0 or all(self.kind.decode(c).outcome is DRAW for c in codes):
                return None
        if values[0] == values[1]:
            return None
        unsettled_text = f"not settled in {plies} plies"
        first, second = (unsettled_text if c is None else str(self.kind.decode(c)) for c in values)
        return first, second

    def decided_code(self, visit: VisitedPosition, values: Mapping[Any, int]) -> int:
        """Return the code of a position from those of its children."""
        return self._end_code(visit) if visit.is_over else self._moves_code(visit, values)

    def visit(self, position: Any) -> VisitedPosition:
        """Return all answers of the rules for a position."""
        visit = self.visits.get(position)
        if visit is None:
            visit = self.visits[position] = self.hooks.visit(position)
        return visit

    def _end_code(self, visit: VisitedPosition) -> int:
        ending = self.hooks.rules.no_moves if visit.ending is None else visit.ending
        return self.kind.at_turn(self.kind.terminal(ending, visit.score), visit.owner)

    def _code_if_stopped(self, visit: VisitedPosition) -> int:
        """Return the code of a position if the game is stopped there."""
        return self._end_code(visit) if visit.is_over else self.kind.at_turn(0, visit.owner)

    def _move_value(self, visit: VisitedPosition, child: Any, gain: int, code: int) -> int:
        """Return the value of a move for its mover, from the code of the child."""
        same_mover = self._keeps_turn(visit, child)
        return self.kind.of_move(code, same_mover=same_mover, gain=gain)

    def _keeps_turn(self, visit: VisitedPosition, child: Any) -> bool:
        """Return whether the same player is to move at a child."""
        if self.hooks.rules.alternate:
            return visit.by_chance
        return visit.owner == self.visit(child).owner

    def _lookahead_code(self, position: Any, plies: int) -> int | None:
        """Return the code of a value that ``plies`` plies decide, or None."""
        self._visits_left -= 1
        visit = self.visit(position)
        if visit.is_over:
            return self._end_code(visit)
        if plies == 0 or self._visits_left < 0:
            return None
        children = list(dict.fromkeys(visit.children))
        child_codes = [(child, self._lookahead_code(child, plies - 1)) for child in children]
        known_values = [
            self._move_value(visit, child, 0, code)
            for child, code in child_codes
            if code is not None
        ]
        best = self.kind.of_moves(known_values) if known_values else None
        # A win that was not found at this depth is longer than those that were.
        if best is not None and len(known_values) < len(children):
            return best if self.kind.decode(best).outcome is WIN else None
        return best

    def _different_scores(
        self, first_position: object, second_position: object, plies: int
    ) -> tuple[str, str] | None:
        """Return the scores of two positions in words, or None unless they must differ."""
        if not self.kind.gains or self.kind.stages:
            return None
        self._visits_left = _MOST_VISITED
        first, second = (
            self._score_bounds(first_position, plies),
            self._score_bounds(second_position, plies),
        )
        if first[0] <= second[1] and second[0] <= first[1]:
            return None
        return self._range(first), self._range(second)

    def _score_bounds(self, position: Any, plies: int) -> tuple[float, float]:
        """Return bounds of a position's score from a search."""
        self._visits_left -= 1
        visit = self.visit(position)
        if visit.is_over:
            return (self._end_code(visit),) * 2
        if plies == 0 or self._visits_left < 0:
            most = math.inf if self.hooks.rules.is_scored else 1
            return -most, most
        bounds = []
        for child in visit.children:
            low_after, high_after = self._score_bounds(child, plies - 1)
            if not self._keeps_turn(visit, child):
                low_after, high_after = -high_after, -low_after
            bounds.append((low_after, high_after))
        if visit.by_chance:
            total = sum(visit.gains)
            low, high = (
                sum(weight * bound for weight, bound in zip(visit.gains, side, strict=True)) / total
                for side in zip(*bounds, strict=True)
            )
            return low - _ROUNDING, high + _ROUNDING
        pairs = list(zip(visit.gains, bounds, strict=True))
        return max(gain + low for gain, (low, _) in pairs), max(
            gain + high for gain, (_, high) in pairs
        )

    def _range(self, bounds: tuple[float, float]) -> str:
        low, high = bounds
        if self.hooks.rules.has_chance:
            noun = "score" if self.hooks.rules.is_scored else "result"
            if high - low <= _ROUNDED_AWAY:
                return f"an expected {noun} of {round((low + high) / 2, 6) + 0.0:g}"
            return f"an expected {noun} from {low:.6g} to {high:.6g}"
        if low == high:
            return str(self.kind.decode(int(low)))
        if low == -math.inf:
            return f"a score of at most {high:g}"
        return f"a score of at least {low:g}" + (
            f" and at most {high:g}" if high < math.inf else ""
        )

    def _solve_values(self, positions: set[Any]) -> dict[Any, int] | None:
        """Return all values, or None if scores do not converge, because of a cycle.

        In each round a position gets the value that it has if the game is stopped, undecided, after
        as many plies as rounds; only predecessors of changed positions are updated.
        """
        visits = [self.visits[position] for position in positions]
        values = {visit.position: self._code_if_stopped(visit) for visit in visits}
        parents: dict[Any, list[VisitedPosition]] = {position: [] for position in positions}
        for visit in visits:
            for child in set(visit.children):
                parents[child].append(visit)
        outdated = [visit for visit in visits if not visit.is_over]
        for _ in range(len(positions) + 1):
            if not outdated:
                return values
            codes = {visit.position: self._moves_code(visit, values) for visit in outdated}
            changed = {
                position: code for position, code in codes.items() if code != values[position]
            }
            values.update(changed)
            predecessors = (parent for position in changed for parent in parents[position])
            outdated = list({id(parent): parent for parent in predecessors}.values())
        return None

    def _moves_code(self, visit: VisitedPosition, values: Mapping[Any, int]) -> int:
        moves = list(zip(visit.children, visit.gains, strict=True))
        if visit.by_chance:
            assert isinstance(self.kind, Expectations)  # noqa: S101  # as the game has chance()
            return self.kind.of_results(
                (weight, self._move_value(visit, child, 0, values[child]))
                for child, weight in moves
            )
        return self.kind.of_moves(
            self._move_value(visit, child, gain, values[child]) for child, gain in moves
        )
