"""Values by brute force, in plain Python over the author's rules, to compare a few of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from zermelo.conformance.asked import Asked, Place
from zermelo.conformance.walk import Limits
from zermelo.values.outcomes import DRAW, WIN, Outcome, Value

#: Positions to look at for one value, looking ahead.
_LOOKS = 400
#: Positions to solve at the most.
_MOST = 20_000


class Solver:
    """Finds values, exactly where what can be reached is small, else by looking a few plies ahead.

    Raises what ``Asked.place`` raises, from every method.
    """

    def __init__(self, asked: Asked, known: dict[Any, Place], limits: Limits) -> None:
        """Begin with the positions that are known."""
        self.asked = asked
        self.limits = limits
        self.places = dict(known)
        self.values: dict[Any, Value] | None = None

    def solve(self, roots: Iterable[Any]) -> bool:
        """Solve all that can be reached from some positions; return whether that was possible."""
        waiting = deque(roots)
        found = set(waiting)
        while waiting:
            if len(found) > _MOST or self.limits.late:
                return False
            for child in self.place(waiting.popleft()).children:
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        if self.asked.rules.kind.gains:
            self.values = self._scores(found)
        else:
            self.values = self._outcomes(found)
        return self.values is not None

    def difference(self, one: Any, other: Any, plies: int) -> tuple[str, str] | None:
        """Return the values of two positions in words, or None unless they are known to differ.

        Args:
            one: a position.
            other: another.
            plies: how far to look ahead, unless everything is solved.
        """
        if self.values is not None:
            told = self.values[one], self.values[other]
            return None if told[0] == told[1] else (str(told[0]), str(told[1]))
        if self.asked.rules.kind.gains:
            return None
        self._looks = _LOOKS
        ahead = self._ahead(one, plies), self._ahead(other, plies)
        if ahead[0] == ahead[1] or self._looks < 0:
            return None
        # A win or loss within the searched plies is always found, but a tie need not be.
        if not any(value is not None and value.outcome is not DRAW for value in ahead):
            return None
        first, second = (str(value or f"not settled in {plies} plies") for value in ahead)
        return first, second

    def place(self, position: Any) -> Place:
        """Return what the rules say of a position."""
        place = self.places.get(position)
        if place is None:
            place = self.places[position] = self.asked.place(position)
        return place

    def _ended(self, place: Place) -> Outcome:
        return self.asked.rules.no_moves if place.ending is None else place.ending

    def _flips(self, place: Place, child: Place) -> bool:
        return self.asked.rules.alternate or place.owner != child.owner

    def _ahead(self, position: Any, plies: int) -> Value | None:
        """Return a value that is settled within some number of plies, or None."""
        self._looks -= 1
        place = self.place(position)
        if place.over:
            return Value(self._ended(place), 0)
        if plies == 0 or self._looks < 0:
            return None
        seen = []
        for child in dict.fromkeys(place.children):
            value = self._ahead(child, plies - 1)
            seen.append(None if value is None else self._before(place, self.places[child], value))
        wins = [value for value in seen if value is not None and value.outcome is WIN]
        if wins:
            # A win that was not found at this depth is longer than those that were.
            return min(wins, key=_length)
        settled = [value for value in seen if value is not None]
        if len(settled) < len(seen):
            return None
        ties = [value for value in settled if value.outcome is DRAW]
        return min(ties, key=_length) if ties else max(settled, key=_length)

    def _before(self, place: Place, child: Place, value: Value) -> Value:
        """Return what a move is worth to its mover."""
        outcome = value.outcome
        if self._flips(place, child):
            outcome = Outcome(-outcome)
        return Value(outcome, _length(value) + 1)

    def _scores(self, found: set[Any]) -> dict[Any, Value] | None:
        """Return all scores, or None where moves lead in a circle."""
        scores: dict[Any, int] = {}
        for root in found:
            path = [root]
            begun: set[Any] = set()
            while path:
                place = self.places[path[-1]]
                if path[-1] in scores:
                    path.pop()
                    continue
                missing = [child for child in place.children if child not in scores]
                if missing and path[-1] in begun:
                    return None
                begun.add(path[-1])
                if missing:
                    path += missing
                    continue
                scores[path.pop()] = self._score(place, scores)
        return {p: Value(Outcome((s > 0) - (s < 0)), score=s) for p, s in scores.items()}

    def _score(self, place: Place, scores: dict[Any, int]) -> int:
        if place.over:
            return place.score
        return max(
            gain + (-1 if self._flips(place, self.places[child]) else 1) * scores[child]
            for gain, child in zip(place.gains, place.children, strict=True)
        )

    def _outcomes(self, found: set[Any]) -> dict[Any, Value]:
        """Return all outcomes with their remotenesses, going back from where games end."""
        parents: dict[Any, list[Any]] = {position: [] for position in found}
        open_moves = {}
        values: dict[Any, Value] = {}
        decided: deque[Any] = deque()
        ties: deque[Any] = deque()
        for position in found:
            place = self.places[position]
            open_moves[position] = len(place.children)
            for child in place.children:
                parents[child].append(position)
            if place.over:
                values[position] = Value(self._ended(place), 0)
                (ties if self._ended(place) is DRAW else decided).append(position)
        while decided:
            position = decided.popleft()
            for parent in parents[position]:
                open_moves[parent] -= 1
                value = self._seen(parent, position, values)
                if parent not in values and (value.outcome is WIN or not open_moves[parent]):
                    values[parent] = value
                    decided.append(parent)
        while ties:
            position = ties.popleft()
            for parent in parents[position]:
                if parent not in values:
                    values[parent] = self._seen(parent, position, values)
                    ties.append(parent)
        return {position: values.get(position, Value(DRAW)) for position in found}

    def _seen(self, parent: Any, position: Any, values: dict[Any, Value]) -> Value:
        return self._before(self.places[parent], self.places[position], values[position])


def _length(value: Value) -> int:
    return value.remoteness or 0
