"""From a game that can only be asked state by state to a graph of its positions.

Two histories are one position if they have the same key. That a key is faithful is not believed but
looked at: ``explored`` compares every history by which it comes to a position with the one by which
it came there first, and then plays on to the end of the game at random, see ``faithful``.

Nearly all the time is spent in the other library, and in waiting for memory. So a game whose states
are objects is asked about each state as soon as it is made, and holds those that are new.
"""

from __future__ import annotations

import gc
from array import array
from collections import defaultdict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from itertools import accumulate, chain, count
from typing import Any

import numpy as np

from zermelo.adapters.finding.hidden import check_seen
from zermelo.adapters.finding.key_check import UnfaithfulError, check_played
from zermelo.adapters.finding.size_estimate import SizeEstimate
from zermelo.adapters.finding.states import Facts, SingleSource, StateGraph, StateSource, StepByStep
from zermelo.errors import BudgetError, ParameterError
from zermelo.progress import Reporter

#: States that are asked at once at most.
_BATCH = 512
#: Where states are asked one by one and lead to their positions later: a move is played in each of
#: the first ``_ALL`` states, and after these in one of ``_SELDOM``.
_ALL, _SELDOM = 1_000, 8
#: New objects after which Python looks for circles of objects, while positions are found.
_COLLECTED = 100_000


def explored(source: StateSource, *, limit: int, report: Reporter | None = None) -> StateGraph:
    """Find all positions of a game, by the coarsest of its keys that proves faithful.

    Args:
        source: the game.
        limit: the most positions to find.
        report: is told how many positions are found.

    Returns:
        The positions with their moves.

    Raises:
        ParameterError: something is hidden from a player, or no key is faithful.
        BudgetError: there are more positions.
    """
    why, report = "", report or Reporter()
    for key in range(len(source.keys)):
        try:
            with report.phase("explore"):
                graph = _found(source, key, limit, report)
            with report.phase("compare histories"):
                check_played(graph)
        except UnfaithfulError as error:
            why = why or f"{source.keys[key]} is not enough, as {error}"
            continue
        check_seen(graph)
        return graph
    message = (
        f"{source.name!r} has no faithful key by which positions could be merged: {why}; and what "
        f"else the game tells of a state ({source.keys[-1]}) is not enough either; write its rules "
        "as a zermelo.Game"
    )
    raise ParameterError(message)


def _found(source: StateSource, key: int, limit: int, report: Reporter) -> StateGraph:
    """Find all positions breadth first, and compare all histories that come to each of them.

    Raises:
        UnfaithfulError: two of them differ.
        BudgetError: there are more positions than the limit.
    """
    search: _Search
    if isinstance(source, SingleSource):
        search = _SingleSearch(source, key)
    else:
        search = _BatchSearch(source, key)
    estimate = SizeEstimate(source, key, limit, report)
    with _seldom_collected():
        while search.waiting:
            search.advance()
            report.advance(len(search.parents))
            estimate.look(len(search.parents))
            if len(search.parents) > limit:
                message = (
                    f"{source.name!r} has more than {limit:,} positions, the most that are looked "
                    "for; choose a smaller game, begin later in it, or give a greater limit"
                )
                raise BudgetError(message, len(search.parents), limit)
        return search.graph()


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Have Python look for circles of objects seldom: all that is found here has none."""
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], _COLLECTED), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


class _Search:
    """A search of all positions, breadth first.

    Every history that comes to a position in one move more than the first history of another is
    compared with the one that came there first: they must have the same player, moves and payoff,
    and (of many: of some) one of the moves, each time another one, must lead to the same key.

    Attributes:
        waiting: states that are to be looked at, and what is known of them.
        parents: the edge by which each position was found.
    """

    def __init__(self, source: StateSource, key: int) -> None:
        """Begin with the start."""
        self.source, self.key = source, key
        self.waiting: deque[Any] = deque()
        # A key that is asked for takes the next number, if it has none.
        self.numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self.parents = array("q", [-1])
        self.found: list[Facts] = []
        self.first, self.targets, self.movers = array("q", [0]), array("q"), array("b")
        self.turns: dict[int, int] = {}

    def advance(self) -> None:
        """Look at some states, and play all moves in those whose positions are new.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        raise NotImplementedError

    def graph(self) -> StateGraph:
        """Return all that was found."""
        moves = chain.from_iterable(moves for _, moves, _ in self.found)
        payoffs = [np.nan if payoff is None else payoff for _, _, payoff in self.found]
        return StateGraph(
            self.source,
            self.key,
            dict(self.numbers),
            np.array(self.first, np.int64),
            np.fromiter(moves, np.int64, len(self.targets)),
            np.array(self.targets, np.int64),
            np.array(self.movers, np.int64),
            np.array(payoffs, np.float64),
            np.array(self.parents, np.int64),
        )


class _BatchSearch(_Search):
    """A search that asks about many states at once: of each that comes to a position.

    It waits with the states that moves lead to, the positions that they come to, and by whose move.
    """

    def __init__(self, source: StateSource, key: int) -> None:
        """Begin with the start."""
        super().__init__(source, key)
        start = source.start()
        self.waiting.append((start, [self.numbers[source.of_key(start, key)[0]]], [1]))

    def advance(self) -> None:
        """Look at some states, and play all moves in those whose positions are new.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        states, arrived, by = self.waiting.popleft()
        facts = self.source.facts(states)
        new, compared = self._sorted(arrived, facts)
        self.movers.extend(1 - by[i] if facts[i][0] < 0 else facts[i][0] for i in new)
        which = [i for i in new for _ in facts[i][1]]
        moves = [move for i in new for move in facts[i][1]]
        edges, begun = len(which), len(self.targets)
        which += [i for i, _, _ in compared]
        moves += [facts[i][1][turn] for i, _, turn in compared]
        children = self.source.after(states, which, moves)
        keys = self.source.of_key(children, self.key)
        numbers, parents, targets = self.numbers, self.parents, self.targets
        for child in keys[:edges]:
            number = numbers[child]
            if number == len(parents):
                parents.append(len(targets))
            targets.append(number)
        self.first.extend(list(accumulate((len(facts[i][1]) for i in new), initial=begun))[1:])
        for (_, place, turn), child in zip(compared, keys[edges:], strict=True):
            if numbers.get(child) != targets[self.first[place] + turn]:
                message = "two states that agree in it have moves to states that do not"
                raise UnfaithfulError(message)
        led, movers = targets[begun:].tolist(), [facts[i][0] for i in which[:edges]]
        for begin in range(0, edges, _BATCH):
            end = min(begin + _BATCH, edges)
            some = self.source.chosen(children, range(begin, end))
            self.waiting.append((some, led[begin:end], movers[begin:end]))

    def _sorted(
        self, arrived: list[int], facts: list[Facts]
    ) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Return which states are the first of their positions, and what is compared of others.

        That is which state it is, its position, and the place of a move among its moves.
        """
        found, turns = self.found, self.turns
        new, compared = [], []
        for i, place in enumerate(arrived):
            fact = facts[i]
            if place == len(found):
                new.append(i)
                found.append(fact)
            elif fact != found[place]:
                raise UnfaithfulError(_difference(found[place], fact))
            elif fact[1]:
                turn = turns[place] = (turns.get(place, 0) + 1) % len(fact[1])
                compared.append((i, place, turn))
        return new, compared


class _SingleSearch(_Search):
    """A search that asks about one state after the other; it waits with those that are new."""

    def __init__(self, source: SingleSource, key: int) -> None:
        """Begin with the start."""
        super().__init__(source, key)
        self.one: StepByStep = source.one_by_one(key)
        (start,) = source.start()
        self.numbers[self.one.key(start)]  # takes 0
        self.found.append(self.one.facts(start))
        self.movers.append(max(self.found[0][0], 0))
        self.waiting.append(start)
        #: Of states that came to a position later: the position, the place of a move, and the key
        #: that it leads to.
        self.pending: deque[tuple[int, int, Hashable]] = deque()
        self.later = 0

    def advance(self) -> None:
        """Play all moves in some states, and look at each state that they lead to.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        child, play, key_of, facts_of = self.one
        found, numbers, targets, first = self.found, self.numbers, self.targets, self.first
        waiting, pending, turns = self.waiting, self.pending, self.turns
        known, later = len(found), self.later
        for at in range(len(first) - 1, min(known, len(first) - 1 + _BATCH)):
            state = waiting.popleft()
            mover, moves, _ = found[at]
            for move in moves:
                after = child(state, move)
                place = numbers[key_of(after)]
                targets.append(place)
                facts = facts_of(after)
                if place == known:
                    known += 1
                    found.append(facts)
                    self.parents.append(len(targets) - 1)
                    self.movers.append(facts[0] if facts[0] >= 0 else 1 - mover)
                    waiting.append(after)
                elif facts != found[place]:
                    raise UnfaithfulError(_difference(found[place], facts))
                elif others := facts[1]:
                    later += 1
                    if later > _ALL and later % _SELDOM:
                        continue
                    turn = turns[place] = (turns.get(place, 0) + 1) % len(others)
                    play(after, others[turn])
                    pending.append((place, turn, key_of(after)))
            first.append(len(targets))
        self.later = later
        self._look_up()

    def _look_up(self) -> None:
        """Compare where moves lead, by later histories and by the first.

        Raises:
            UnfaithfulError: to other positions.
        """
        played = len(self.first) - 1
        while self.pending and self.pending[0][0] < played:
            place, turn, key = self.pending.popleft()
            if self.numbers.get(key) != self.targets[self.first[place] + turn]:
                message = "two states that agree in it have moves to states that do not"
                raise UnfaithfulError(message)


def _difference(one: Facts, other: Facts) -> str:
    """Return in what two states differ that should be the same position."""
    for at, said in ((0, "whose turn it is"), (2, "how the game ends")):
        if one[at] != other[at]:
            pair = f"{one[at]!r} and {other[at]!r}"
            return f"two states that agree in it differ in {said}: {pair}"
    return "two states that agree in it have different moves"
