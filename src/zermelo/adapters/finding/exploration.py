"""The exploration of a game that can only be queried state by state.

Two histories are one position if they have the same key. Whether a key is faithful is tested:
``explore_source`` compares every history that leads to a position with the first one that led
there, and then plays on at random to the end of the game; see ``key_check``.

Nearly all the time is spent in the other library, and in waiting for memory. So if the states of a
game are objects, each is queried as soon as it is made, and only new ones are stored.
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
import numpy.typing as npt

from zermelo.adapters.finding.hidden import check_seen
from zermelo.adapters.finding.key_check import UnfaithfulError, check_played
from zermelo.adapters.finding.size_estimate import SizeEstimate
from zermelo.adapters.finding.states import (
    CHANCE,
    Facts,
    SingleSource,
    StateFunctions,
    StateGraph,
    StateSource,
)
from zermelo.errors import BudgetError, ParameterError
from zermelo.progress import Reporter

#: The most states that are queried in one batch.
_BATCH = 512
#: If states are queried one by one and lead to known positions: a move is played in each of the
#: first ``_FULLY_CHECKED_STATES`` states, and after these in one of ``_CHECK_INTERVAL``.
_FULLY_CHECKED_STATES, _CHECK_INTERVAL = 1_000, 8
#: The most moves of a game for which the newest state is taken first. The states that wait are few
#: then, and still in cache; but histories are as long as games, and many libraries copy them.
_DEPTH_FIRST_MOVES = 256
#: The number of new objects after which Python collects cyclic garbage, while positions are found.
_COLLECTION_THRESHOLD = 1_000_000


def explore_source(
    source: StateSource, *, max_positions: int, report: Reporter | None = None
) -> StateGraph:
    """Find all positions of a game, by the coarsest of its keys that proves faithful.

    Args:
        source: the game.
        max_positions: the largest number of positions to find.
        report: receives the number of positions found.

    Returns:
        The positions with their moves.

    Raises:
        ParameterError: some information is hidden from a player, or no key is faithful.
        BudgetError: there are more positions than ``max_positions``.
    """
    reason, report = "", report or Reporter()
    for key in range(len(source.keys)):
        try:
            with _rare_garbage_collection():
                with report.phase("explore"):
                    graph = _explore_by_key(source, key, max_positions, report)
                with report.phase("compare histories"):
                    check_played(graph)
        except UnfaithfulError as error:
            reason = reason or f"{source.keys[key]} is not enough, as {error}"
            continue
        check_seen(graph)
        return graph
    message = (
        f"{source.name!r} has no faithful key by which positions could be merged: {reason}; and "
        f"what else the game tells of a state ({source.keys[-1]}) is not enough either; write its "
        "rules as a zermelo.Game"
    )
    raise ParameterError(message)


def _explore_by_key(
    source: StateSource, key: int, max_positions: int, report: Reporter
) -> StateGraph:
    """Find all positions breadth first, and compare all histories that lead to each of them.

    Raises:
        UnfaithfulError: two histories of a position differ.
        BudgetError: there are more positions than the limit.
    """
    search: _Search
    if isinstance(source, SingleSource):
        search = _SingleSearch(source, key)
    else:
        search = _BatchSearch(source, key)
    estimate = SizeEstimate(source, key, max_positions, report)
    while search.queue:
        search.advance()
        report.advance(search.found_count)
        estimate.sample_if_due(search.found_count)
        if search.found_count > max_positions:
            message = (
                f"{source.name!r} has more than {max_positions:,} positions, the most that are "
                "looked for; choose a smaller game, begin later in it, or raise max_positions"
            )
            raise BudgetError(message, search.found_count, max_positions)
    return search.graph()


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Make Python collect cyclic garbage seldom, as nothing created here is cyclic."""
    thresholds = gc.get_threshold()
    if thresholds[0]:
        gc.set_threshold(max(thresholds[0], _COLLECTION_THRESHOLD), *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


class _Search:
    """A breadth-first search of all positions.

    Every later history of a position is compared with the first one: they must have the same
    player, moves and payoff, and one of the moves, each time another one, must lead to the same
    key. If there are many histories, moves are compared for some of them only.

    Attributes:
        queue: queued states, with the facts that are known of them.
        parents: the edge by which each position was found.
    """

    def __init__(self, source: StateSource, key: int) -> None:
        """Create a search that begins with the start."""
        self.source, self.key = source, key
        self.queue: deque[Any] = deque()
        # Looking up an unknown key gives it the next number.
        self.numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        self.parents = array("q", [-1])
        self.facts_by_position: list[Facts] = []
        self.first, self.targets, self.movers = array("q", [0]), array("q"), array("b")
        self.turns: dict[int, int] = {}

    def advance(self) -> None:
        """Process some states, and play all moves in those whose positions are new.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        raise NotImplementedError

    @property
    def found_count(self) -> int:
        """The number of positions found so far."""
        return len(self.numbers)

    def graph(self) -> StateGraph:
        """Return the graph of all positions found."""
        moves = chain.from_iterable(moves for _, moves, _ in self.facts_by_position)
        results = [result for _, _, result in self.facts_by_position]
        payoffs = [np.nan if r is None or isinstance(r, tuple) else r for r in results]
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
            self._weights(),
        )

    def _weights(self) -> npt.NDArray[np.int64]:
        """Return the weight of each edge, 0 for a move; an empty array if there is no chance."""
        weights = np.zeros(len(self.targets), np.int64)
        for position, (player, _, result) in enumerate(self.facts_by_position):
            if player == CHANCE and isinstance(result, tuple):
                weights[self.first[position] : self.first[position + 1]] = result
        return weights if weights.any() else weights[:0]


class _BatchSearch(_Search):
    """A search that queries states in batches: each state that leads to a position.

    Its queue has the states that moves lead to, their positions, and the players who moved.
    """

    def __init__(self, source: StateSource, key: int) -> None:
        """Create a search that begins with the start."""
        super().__init__(source, key)
        start = source.start()
        self.queue.append((start, [self.numbers[source.state_keys(start, key)[0]]], [None]))

    def advance(self) -> None:
        """Process some states, and play all moves in those whose positions are new.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        states, arrivals, previous_movers = self.queue.popleft()
        facts = self.source.facts(states)
        new, comparisons = self._split_arrivals(arrivals, facts)
        self.movers.extend(_owner(facts[i][0], previous_movers[i]) for i in new)
        indices = [i for i in new for _ in facts[i][1]]
        moves = [move for i in new for move in facts[i][1]]
        edges, edges_before = len(indices), len(self.targets)
        indices += [i for i, _, _ in comparisons]
        moves += [facts[i][1][turn] for i, _, turn in comparisons]
        children = self.source.next_states(states, indices, moves)
        keys = self.source.state_keys(children, self.key)
        numbers, parents, targets = self.numbers, self.parents, self.targets
        for child in keys[:edges]:
            number = numbers[child]
            if number == len(parents):
                parents.append(len(targets))
            targets.append(number)
        self.first.extend(
            list(accumulate((len(facts[i][1]) for i in new), initial=edges_before))[1:]
        )
        for (_, place, turn), child in zip(comparisons, keys[edges:], strict=True):
            if numbers.get(child) != targets[self.first[place] + turn]:
                message = "two states that agree in it have moves to states that do not"
                raise UnfaithfulError(message)
        new_targets, movers = (
            targets[edges_before:].tolist(),
            [self.movers[arrivals[i]] for i in indices[:edges]],
        )
        for begin in range(0, edges, _BATCH):
            end = min(begin + _BATCH, edges)
            batch = self.source.select(children, range(begin, end))
            self.queue.append((batch, new_targets[begin:end], movers[begin:end]))

    def _split_arrivals(
        self, arrivals: list[int], facts: list[Facts]
    ) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Return the first states of their positions, and the comparisons for the others.

        A comparison is the number of a state, its position, and the index of one of its moves.
        """
        facts_by_position, turns = self.facts_by_position, self.turns
        new, comparisons = [], []
        for i, place in enumerate(arrivals):
            fact = facts[i]
            if place == len(facts_by_position):
                new.append(i)
                facts_by_position.append(fact)
            elif fact != facts_by_position[place]:
                raise UnfaithfulError(_state_difference(facts_by_position[place], fact))
            elif fact[1]:
                turn = turns[place] = (turns.get(place, 0) + 1) % len(fact[1])
                comparisons.append((i, place, turn))
        return new, comparisons


class _SingleSearch(_Search):
    """A search that queries one state after another, and queues only new ones.

    Its queue has the states to be expanded; in a short game, the newest comes first. Positions are
    renumbered at the end, breadth first, so that the order in which they were found is of no
    consequence.
    """

    def __init__(self, source: SingleSource, key: int) -> None:
        """Create a search that begins with the start."""
        super().__init__(source, key)
        self.functions: StateFunctions = source.single_functions(key)
        (start,) = source.start()
        self.numbers[self.functions.key(start)]  # takes 0
        self.facts_by_position.append(self.functions.facts(start))
        self.queue.append((0, start))
        is_short = source.longest is not None and source.longest <= _DEPTH_FIRST_MOVES
        self.next_state = self.queue.pop if is_short else self.queue.popleft
        #: The index of each position's first move in ``targets``; -1 before it is expanded.
        self.begins = array("q", [-1])
        #: The expanded positions in order, the player to move in each, and the actions in
        #: ``targets``.
        self.expanded, self.players, self.moves = array("q"), array("b"), array("q")
        #: Comparisons for later histories: the position, the index of a move, and the key that it
        #: leads to.
        self.comparisons: deque[tuple[int, int, Hashable]] = deque()
        self.comparison_count = 0

    def advance(self) -> None:
        """Play all moves in some states, and process each state that they lead to.

        Raises:
            UnfaithfulError: two histories of a position differ.
        """
        child, play, key_of, facts_of = self.functions
        facts_by_position, numbers, targets, begins = (
            self.facts_by_position,
            self.numbers,
            self.targets,
            self.begins,
        )
        queue, comparisons, turns = self.queue, self.comparisons, self.turns
        position_count, comparison_count = len(facts_by_position), self.comparison_count
        for _ in range(min(len(queue), _BATCH)):
            position, state = self.next_state()
            player, moves, _ = facts_by_position[position]
            begins[position] = len(targets)
            self.expanded.append(position)
            self.players.append(player)
            self.moves.extend(moves)
            moves_left = len(moves)
            for move in moves:
                moves_left -= 1
                if moves_left:
                    child_state = child(state, move)
                else:  # the last move may change the state
                    child_state = state
                    play(child_state, move)
                place = numbers[key_of(child_state)]
                targets.append(place)
                facts = facts_of(child_state)
                if place == position_count:
                    position_count += 1
                    facts_by_position.append(facts)
                    begins.append(-1)
                    queue.append((place, child_state))
                elif facts != facts_by_position[place]:
                    raise UnfaithfulError(_state_difference(facts_by_position[place], facts))
                elif other_moves := facts[1]:
                    comparison_count += 1
                    if (
                        comparison_count > _FULLY_CHECKED_STATES
                        and comparison_count % _CHECK_INTERVAL
                    ):
                        continue
                    turn = turns[place] = (turns.get(place, 0) + 1) % len(other_moves)
                    play(child_state, other_moves[turn])
                    comparisons.append((place, turn, key_of(child_state)))
        self.comparison_count = comparison_count
        self._look_up()

    def _look_up(self) -> None:
        """Compare the positions that moves lead to by later histories with those by the first.

        Raises:
            UnfaithfulError: they differ.
        """
        while self.comparisons and self.begins[self.comparisons[0][0]] >= 0:
            place, turn, key = self.comparisons.popleft()
            if self.numbers.get(key) != self.targets[self.begins[place] + turn]:
                message = "two states that agree in it have moves to states that do not"
                raise UnfaithfulError(message)

    def graph(self) -> StateGraph:
        """Return the graph of all positions found, numbered breadth first."""
        targets, begins = np.array(self.targets, np.int64), np.array(self.begins, np.int64)
        sizes, players = np.empty_like(begins), np.empty_like(begins)
        sizes[self.expanded] = np.diff(begins[self.expanded], append=len(targets))
        players[self.expanded] = self.players
        payoffs = np.full(len(begins), np.nan)
        ends = np.flatnonzero(sizes == 0)
        payoffs[ends] = [self.facts_by_position[end][2] for end in ends.tolist()]
        numbers, movers = np.full(len(sizes), -1), np.zeros(len(sizes), np.int64)
        first_edges = np.empty(len(sizes), np.int64)
        layer, count, edge_count = np.zeros(1, np.int64), 1, 0
        numbers[0], movers[0] = 0, _owner(int(players[0]), None)
        layers, layer_edges, parents = [layer], [], [np.array([-1])]
        while len(layer):
            layer_sizes = sizes[layer]
            shifts = begins[layer] - np.cumsum(layer_sizes) + layer_sizes
            edges = np.arange(layer_sizes.sum()) + np.repeat(shifts, layer_sizes)
            heads = targets[edges]
            unseen = np.flatnonzero(numbers[heads] < 0)
            first_edges[heads[unseen[::-1]]] = unseen[::-1]  # the last is kept
            unseen = unseen[first_edges[heads[unseen]] == unseen]
            previous = np.repeat(movers[layer], layer_sizes)[unseen]
            layer = heads[unseen]
            owners = players[layer]
            numbers[layer] = np.arange(count, count + len(layer))
            movers[layer] = np.where(
                owners == CHANCE, previous, np.where(owners >= 0, owners, 1 - previous)
            )
            layers.append(layer)
            layer_edges.append(edges)
            parents.append(edge_count + unseen)
            count, edge_count = count + len(layer), edge_count + len(edges)
        order, edges = np.concatenate(layers), np.concatenate(layer_edges)
        chances = np.flatnonzero(players == CHANCE)
        weights = np.zeros(len(targets) if len(chances) else 0, np.int64)
        for position in chances.tolist():
            result = self.facts_by_position[position][2]
            if isinstance(result, tuple):
                weights[begins[position] :][: len(result)] = result
        return StateGraph(
            self.source,
            self.key,
            dict(zip(self.numbers, numbers.tolist(), strict=True)),
            np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes[order])]),
            np.array(self.moves, np.int64)[edges],
            numbers[targets[edges]],
            movers[order],
            payoffs[order],
            np.concatenate(parents),
            weights[edges] if len(weights) else weights,
        )


def _owner(player: int, previous_mover: int | None) -> int:
    """Return the player for whom the value of a position is.

    Args:
        player: the player to move by the facts of a state in the position.
        previous_mover: the player for whom the value of the position before is; None for the start.
    """
    if previous_mover is None:
        return max(player, 0)
    if player == CHANCE:
        return previous_mover
    return player if player >= 0 else 1 - previous_mover


def _state_difference(first: Facts, second: Facts) -> str:
    """Return the difference between two states that should be the same position."""
    if first[0] == second[0] == CHANCE:
        return "two states that agree in it have different results of chance"
    for index, noun in ((0, "whose turn it is"), (2, "how the game ends")):
        if first[index] != second[index]:
            pair = f"{first[index]!r} and {second[index]!r}"
            return f"two states that agree in it differ in {noun}: {pair}"
    return "two states that agree in it have different moves"
