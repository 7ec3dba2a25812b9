"""Playing through a game: breadth first from the starts, then games at random to their ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from time import monotonic
from typing import Any

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, Findings, ProblemKind

#: The part of the positions, and of the time, that is for looking breadth first.
_BREADTH, _LOOKING = 0.6, 0.3
#: The part of the time at which playing ends, to leave some for what is done with the positions.
_PLAYING = 0.5
#: Moves after which a game at random is broken off.
_LONGEST_GAME = 10_000
#: Games at random in a row that may bring nothing new.
_FRUITLESS = 50


@dataclass
class WalkLimits:
    """How much is looked at.

    Attributes:
        positions: positions at most.
        seconds: seconds at most.
        clock: what tells seconds.
        begun: when they began.
    """

    positions: int
    seconds: float
    clock: Callable[[], float] = monotonic
    begun: float = field(init=False)

    def __post_init__(self) -> None:
        """Begin now."""
        self.begun = self.clock()

    @property
    def late(self) -> bool:
        """Whether time is up."""
        return self.past(1)

    def past(self, share: float) -> bool:
        """Whether this share of the time is up."""
        return self.clock() > self.begun + share * self.seconds


@dataclass
class Walk:
    """The positions that were looked at.

    Attributes:
        starts: starting positions, the game's own first; a sample where there are very many.
        all_starts: whether these are all.
        places: what the rules say, by position, in the order they were met.
        broken: positions at which a rule breaks the contract.
        complete: whether these are all positions that can be reached.
        stuck: whether a rule did not return, so that nothing more should be asked.
    """

    starts: list[Any]
    all_starts: bool = True
    places: dict[Any, VisitedPosition] = field(default_factory=dict)
    broken: set[Any] = field(default_factory=set)
    complete: bool = False
    stuck: bool = False

    def __len__(self) -> int:
        """Return how many positions were looked at."""
        return len(self.places) + len(self.broken)

    def moves(self) -> Iterator[tuple[VisitedPosition, Any, Any]]:
        """Go through all moves: where, the move, and the position it leads to."""
        for place in self.places.values():
            for move, child in zip(place.moves, place.children, strict=True):
                yield place, move, child

    def sample(self, random: Random, count: int) -> list[VisitedPosition]:
        """Return places, all of them or a random sample, in the order they were found."""
        places = list(self.places.values())
        if len(places) <= count:
            return places
        return [places[i] for i in sorted(random.sample(range(len(places)), count))]


def play_through(
    asked: CheckedHooks, walk: Walk, limits: WalkLimits, random: Random, findings: Findings
) -> None:
    """Fill a walk that has only its starts."""
    walker = _Walker(asked, walk, limits, findings)
    walker.breadth_first()
    fruitless = 0
    while not walk.complete and not walker.finished and fruitless < _FRUITLESS:
        before = len(walk)
        walker.one_game(random)
        fruitless = fruitless + 1 if len(walk) == before else 0


class _Walker:
    def __init__(
        self, asked: CheckedHooks, walk: Walk, limits: WalkLimits, findings: Findings
    ) -> None:
        self.asked = asked
        self.walk = walk
        self.limits = limits
        self.findings = findings

    @property
    def finished(self) -> bool:
        most = self.limits.positions
        return self.walk.stuck or len(self.walk) >= most or self.limits.past(_PLAYING)

    def breadth_first(self) -> None:
        most = int(self.limits.positions * _BREADTH)
        waiting = deque(self.walk.starts)
        known = set(waiting)
        while waiting:
            place = self.look(waiting.popleft())
            for child in place.children if place else ():
                if child not in known:
                    known.add(child)
                    waiting.append(child)
            # Only now, so that something was looked at, however little time there is.
            if len(self.walk) >= most or self.finished or self.limits.past(_LOOKING):
                break
        whole = not waiting and self.walk.all_starts
        self.walk.complete = whole and not self.walk.broken and not self.walk.stuck

    def one_game(self, random: Random) -> None:
        position = random.choice(self.walk.starts)
        for _ in range(_LONGEST_GAME):
            place = self.look(position)
            if place is None or not place.children or self.finished:
                return
            position = random.choice(place.children)

    def look(self, position: Any) -> VisitedPosition | None:
        """Return what the rules say of a position, or None where they break the contract."""
        if position in self.walk.broken:
            return None
        place = self.walk.places.get(position)
        if place is None:
            try:
                place = self.walk.places[position] = self.asked.place(position)
            except ContractError as fault:
                self.findings.add(fault)
                self.walk.broken.add(position)
                self.walk.stuck |= fault.problem.kind == ProblemKind.ENDLESS
        return place
