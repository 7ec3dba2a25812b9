"""Exploration of a game: breadth first from the starts, then random games to their ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, Findings, ProblemKind

#: The share of the positions, and of the time, for the breadth-first part.
_BREADTH, _BREADTH_TIME = 0.6, 0.3
#: The share of the time after which exploration ends, to leave time for checks of the positions.
_WALK_TIME = 0.5
#: Moves after which a random game is stopped.
_LONGEST_GAME = 10_000
#: Consecutive random games without a new position after which exploration ends.
_MOST_FRUITLESS = 50


@dataclass
class WalkLimits:
    """The limits of an exploration.

    Attributes:
        positions: the most positions.
        seconds: the most seconds.
        clock: the clock.
        start_time: the time of the clock at the start.
    """

    positions: int
    seconds: float
    clock: Callable[[], float] = monotonic
    start_time: float = field(init=False)

    def __post_init__(self) -> None:
        """Start the clock."""
        self.start_time = self.clock()

    @property
    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.is_past(1)

    def is_past(self, share: float) -> bool:
        """Return whether this share of the time is up."""
        return self.clock() > self.start_time + share * self.seconds


@dataclass
class Walk:
    """The positions of an exploration.

    Attributes:
        starts: starting positions, the game's own first; a sample if there are very many.
        all_starts: whether these are all starts.
        visits: the answers of the rules by position, in order of discovery.
        broken: positions at which a rule breaks the contract.
        complete: whether these are all positions that can be reached.
        stuck: whether a rule did not return, so that no hook should be called any more.
    """

    starts: list[Any]
    all_starts: bool = True
    visits: dict[Any, VisitedPosition] = field(default_factory=dict)
    broken: set[Any] = field(default_factory=set)
    complete: bool = False
    stuck: bool = False

    def __len__(self) -> int:
        """Return the number of positions examined."""
        return len(self.visits) + len(self.broken)

    def moves(self) -> Iterator[tuple[VisitedPosition, Any, Any]]:
        """Yield all moves: the parent, the move, and the child."""
        for visit in self.visits.values():
            for move, child in zip(visit.moves, visit.children, strict=True):
                yield visit, move, child

    def sample(self, random: Random, count: int) -> list[VisitedPosition]:
        """Return all visited positions or a random sample, in order of discovery."""
        visits = list(self.visits.values())
        if len(visits) <= count:
            return visits
        return [visits[i] for i in sorted(random.sample(range(len(visits)), count))]


def play_through(
    hooks: CheckedHooks, walk: Walk, limits: WalkLimits, random: Random, findings: Findings
) -> None:
    """Explore from a walk's starts."""
    walker = _Walker(hooks, walk, limits, findings)
    walker.breadth_first()
    fruitless_games = 0
    while not walk.complete and not walker.is_finished and fruitless_games < _MOST_FRUITLESS:
        count_before = len(walk)
        walker.play_one_game(random)
        fruitless_games = fruitless_games + 1 if len(walk) == count_before else 0


class _Walker:
    def __init__(
        self, hooks: CheckedHooks, walk: Walk, limits: WalkLimits, findings: Findings
    ) -> None:
        self.hooks = hooks
        self.walk = walk
        self.limits = limits
        self.findings = findings

    @property
    def is_finished(self) -> bool:
        most_positions = self.limits.positions
        return (
            self.walk.stuck or len(self.walk) >= most_positions or self.limits.is_past(_WALK_TIME)
        )

    def breadth_first(self) -> None:
        most_positions = int(self.limits.positions * _BREADTH)
        queue = deque(self.walk.starts)
        positions = set(queue)
        while queue:
            visit = self.visit(queue.popleft())
            for child in visit.children if visit else ():
                if child not in positions:
                    positions.add(child)
                    queue.append(child)
            # Last, so that at least one position is examined however short the time.
            if (
                len(self.walk) >= most_positions
                or self.is_finished
                or self.limits.is_past(_BREADTH_TIME)
            ):
                break
        is_complete = not queue and self.walk.all_starts
        self.walk.complete = is_complete and not self.walk.broken and not self.walk.stuck

    def play_one_game(self, random: Random) -> None:
        position = random.choice(self.walk.starts)
        for _ in range(_LONGEST_GAME):
            visit = self.visit(position)
            if visit is None or not visit.children or self.is_finished:
                return
            position = random.choice(visit.children)

    def visit(self, position: Any) -> VisitedPosition | None:
        """Return the answers of the rules for a position, or None if they break the contract."""
        if position in self.walk.broken:
            return None
        visit = self.walk.visits.get(position)
        if visit is None:
            try:
                visit = self.walk.visits[position] = self.hooks.visit(position)
            except ContractError as fault:
                self.findings.add(fault)
                self.walk.broken.add(position)
                self.walk.stuck |= fault.problem.kind == ProblemKind.ENDLESS
        return visit
