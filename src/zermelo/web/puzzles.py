"""Special positions: the player to move in a typed one, a random one, and a puzzle."""

from __future__ import annotations

import random
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from zermelo.values.expectations import lost_expectation
from zermelo.values.rolls import roll
from zermelo.web.chance import has_chance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo.solution.solution import Solution
    from zermelo.values.results import Options

#: The number of random matches that test whether each move raises the level by one, and the
#: most moves of each.
_TRIALS, _LONGEST = 12, 200
#: Seconds of the search for a puzzle, its number of matches, and the fewest moves of a puzzle.
_PATIENCE, _MATCHES, _FEWEST = 1.0, 24, 3
#: The least expectation that the second best move of a puzzle gives away: 1 % of a win.
_CLEAR = 0.02

Goal = Literal["win", "draw", "points"]


class StartingPoint(NamedTuple):
    """A position, with the player to move."""

    position: Any
    mover: int


class Puzzle(NamedTuple):
    """A position with only one right move.

    Attributes:
        place: the position, with the player to move.
        goal: what that move keeps: a ``win``, a ``draw``, or ``points``.
    """

    place: StartingPoint
    goal: Goal


class TurnResolver:
    """Determines the player to move in a position."""

    def __init__(self, solution: Solution) -> None:
        """Store the rules of a solved game."""
        self._solution = solution
        self._rules: Any = solution.rules

    def player_to_move(self, position: Any) -> int | None:
        """Return the player to move in a position, 0 or 1, or None if it is not known.

        If players strictly alternate, positions need not show whose turn it is. Then it follows
        from the ``level`` of the position, such as the number of stones on the board, in a game in
        which every move raises that by one.

        Args:
            position: one of the game's positions.
        """
        if not self._rules.alternate:
            return int(self._rules.owner(position))
        if position == self._solution.start:
            return 0
        if not self._raises_level or not self._raises_level_at(position):
            return None
        level = self._rules.written.level(position)
        plies = {(level - start) % 2 for start in self._start_levels}
        return int(plies.pop()) if len(plies) == 1 else None

    @cached_property
    def _start_levels(self) -> set[int]:
        """The levels of the starts."""
        return set(map(self._rules.written.level, self._rules.starts()))

    @cached_property
    def _raises_level(self) -> bool:
        """Whether each move of some random matches raises the level by one."""
        if has_chance(self._solution.kind):  # results of chance do not pass the turn
            return False
        if not (hasattr(self._rules, "has_hook") and self._rules.has_hook("level")):
            return False
        matches = (_random_match(self._solution, random.Random(seed)) for seed in range(_TRIALS))  # noqa: S311
        return all(self._raises_level_at(place.position) for match in matches for place in match)

    def _raises_level_at(self, position: Any) -> bool:
        level = self._rules.written.level
        next_level = level(position) + 1
        return all(
            level(option.position) == next_level for option in self._solution.options(position)
        )


def random_position(solution: Solution, seed: int) -> StartingPoint:
    """Return a position of a random game that is not over.

    Args:
        solution: the solved game.
        seed: the seed of the random choice.
    """
    chance = random.Random(seed)  # noqa: S311  # play, not secrets
    match = list(_random_match(solution, chance))
    return chance.choice(match[1:] or match[:1] or [_start_position(solution)])


def puzzle(solution: Solution, seed: int) -> Puzzle | None:
    """Return a position with only one right move, or None if none is found in a second.

    Args:
        solution: the solved game.
        seed: the seed of the random choice.
    """
    chance = random.Random(seed)  # noqa: S311  # play, not secrets
    until = time.monotonic() + _PATIENCE
    puzzles: dict[Any, Puzzle] = {}
    for _ in range(_MATCHES):
        for place in _random_match(solution, chance, careful=0.5):
            goal = _goal(solution, solution.options(place.position))
            if goal is not None:
                puzzles[place.position] = Puzzle(place, goal)
        if time.monotonic() > until or (puzzles and time.monotonic() > until - _PATIENCE / 2):
            break
    hard = [
        candidate
        for candidate in puzzles.values()
        if not _ends_at_once(solution, candidate.place.position)
    ]
    return chance.choice(hard or list(puzzles.values())) if puzzles else None


def _start_position(solution: Solution) -> StartingPoint:
    return StartingPoint(solution.start, solution.rules.owner(solution.start))


def _random_match(
    solution: Solution, chance: random.Random, *, careful: float = 0.0
) -> Iterator[StartingPoint]:
    """Yield the positions of a match between random players until it is over.

    Args:
        solution: the solved game.
        chance: the source of random numbers.
        careful: how often they make a best move.
    """
    rules = solution.rules
    place = _start_position(solution)
    for _ in range(_LONGEST):
        options = solution.options(place.position)
        if not options:
            return
        yield place
        if options.by_chance:
            option = roll(options, chance)
        else:
            good = solution.kind.best(options) if chance.random() < careful else options
            option = chance.choice(good)
        same = rules.keeps_turn(place.position, option.move, option.position)
        place = StartingPoint(option.position, place.mover if same else 1 - place.mover)


def _goal(solution: Solution, options: Options) -> Goal | None:
    """Return the value that only the best move of a position keeps, or None if several do."""
    if len(options) < _FEWEST or options.by_chance:
        return None
    kind, best, second = solution.kind, options[0].value, options[1].value
    if has_chance(kind) and lost_expectation(best, second) < _CLEAR:
        return None
    lost = kind.lost_part(best, second)
    if lost == "points":
        return "points"
    return str(best.outcome) if lost == "outcome" else None  # type: ignore[return-value]


def _ends_at_once(solution: Solution, position: Any) -> bool:
    return not solution.options(solution.options(position)[0].position)
