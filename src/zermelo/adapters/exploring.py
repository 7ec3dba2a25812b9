"""From a game that can only be asked state by state to a graph of its positions.

Two histories are one position if they have the same key. That a key is faithful is not believed but
looked at: ``explored`` compares every history by which it comes to a position with the one by which
it came there first, and then plays on to the end of the game at random, see ``faithful``.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Hashable
from itertools import accumulate, chain
from typing import Any

import numpy as np

from zermelo.adapters.faithful import UnfaithfulError, check_played
from zermelo.adapters.hidden import check_seen
from zermelo.adapters.states import Facts, StateGraph, StateSource
from zermelo.errors import BudgetError, ParameterError

#: States that are asked at once at most.
_BATCH = 512


def explored(source: StateSource, *, limit: int) -> StateGraph:
    """Find all positions of a game, by the coarsest of its keys that proves faithful.

    Args:
        source: the game.
        limit: the most positions to find.

    Returns:
        The positions with their moves.

    Raises:
        ParameterError: something is hidden from a player, or no key is faithful.
        BudgetError: there are more positions.
    """
    why = ""
    for key in range(len(source.keys)):
        try:
            graph = _found(source, key, limit)
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


def _found(source: StateSource, key: int, limit: int) -> StateGraph:
    """Find all positions breadth first, and compare all histories that come to each of them.

    Raises:
        UnfaithfulError: two of them differ.
        BudgetError: there are more positions than the limit.
    """
    search = _Search(source, key)
    while search.waiting:
        search.advance()
        if len(search.parents) > limit:
            message = (
                f"{source.name!r} has more than {limit:,} positions, the most that are looked for; "
                "choose a smaller game, begin later in it, or give a greater limit"
            )
            raise BudgetError(message, len(search.parents), limit)
    return search.graph()


class _Search:
    """A search of all positions, breadth first.

    Every history that comes to a position in one move more than the first history of another is
    compared with the one that came there first: they must have the same player, moves and payoff,
    and one of the moves, each time another one, must lead to the same key.

    Attributes:
        waiting: states that are to be looked at, their positions, and by whose move they arose.
        parents: the edge by which each position was found.
    """

    def __init__(self, source: StateSource, key: int) -> None:
        """Begin with the start."""
        self.source, self.key = source, key
        states = source.start()
        self.numbers: dict[Hashable, int] = {source.of_key(states, key)[0]: 0}
        self.waiting: deque[tuple[Any, list[int], list[int]]] = deque([(states, [0], [1])])
        self.parents = array("q", [-1])
        self.found: list[Facts] = []
        self.first, self.targets, self.movers = array("q", [0]), array("q"), array("b")
        self.turns: dict[int, int] = {}

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
        count, begun = len(which), len(self.targets)
        which += [i for i, _, _ in compared]
        moves += [facts[i][1][turn] for i, _, turn in compared]
        children = self.source.after(states, which, moves)
        keys = self.source.of_key(children, self.key)
        numbers, parents, targets = self.numbers, self.parents, self.targets
        for child in keys[:count]:
            number = numbers.setdefault(child, len(parents))
            if number == len(parents):
                parents.append(len(targets))
            targets.append(number)
        self.first.extend(list(accumulate((len(facts[i][1]) for i in new), initial=begun))[1:])
        for (_, place, turn), child in zip(compared, keys[count:], strict=True):
            if numbers.get(child) != targets[self.first[place] + turn]:
                message = "two states that agree in it have moves to states that do not"
                raise UnfaithfulError(message)
        led, movers = targets[begun:].tolist(), [facts[i][0] for i in which[:count]]
        for begin in range(0, count, _BATCH):
            end = min(begin + _BATCH, count)
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

    def graph(self) -> StateGraph:
        """Return all that was found."""
        moves = chain.from_iterable(moves for _, moves, _ in self.found)
        payoffs = [np.nan if payoff is None else payoff for _, _, payoff in self.found]
        return StateGraph(
            self.source,
            self.key,
            self.numbers,
            np.array(self.first, np.int64),
            np.fromiter(moves, np.int64, len(self.targets)),
            np.array(self.targets, np.int64),
            np.array(self.movers, np.int64),
            np.array(payoffs, np.float64),
            np.array(self.parents, np.int64),
        )


def _difference(one: Facts, other: Facts) -> str:
    """Return in what two states differ that should be the same position."""
    for at, said in ((0, "whose turn it is"), (2, "how the game ends")):
        if one[at] != other[at]:
            pair = f"{one[at]!r} and {other[at]!r}"
            return f"two states that agree in it differ in {said}: {pair}"
    return "two states that agree in it have different moves"
