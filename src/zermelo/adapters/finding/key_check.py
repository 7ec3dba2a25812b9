"""Tests of a key: whether states that have it are the same position, whatever is played from there.

This cannot be seen in a state alone. It may hide a counter of moves, a history of positions or a
limit on the length of a game, which show only at the end. So games are played on at random, the
real states next to the positions that stand for them: some to their end, and some in cycles for
longer than any game may last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.adapters.finding.states import StateGraph, states_after

#: The number of games played side by side; the least and most moves of all of them, and their share
#: of the edges; and the longest game, as a multiple of the longest shortest path.
_GAMES, _LEAST_MOVES, _MOST_MOVES, _SHARE, _LENGTH_FACTOR = 16, 1_000, 100_000, 16, 3
#: The number of games in cycles, and the most moves of one if the game does not state its longest.
_CYCLES, _LONG = 16, 2_000
#: The most moves of all games in cycles.
_MOST_CYCLIC = 400_000
#: The number of positions for which everything that the game tells is compared.
_FULLY_COMPARED = 300

#: Chooses an edge of a position; takes the game's number, the position and its edges.
_Choose = Callable[[int, int, range], int]


class UnfaithfulError(Exception):
    """A difference between states with the same key; the message describes it."""


def check_played(graph: StateGraph) -> None:
    """Play at random from the start, and compare each state with the position it should be in.

    Args:
        graph: the positions that were found.

    Raises:
        UnfaithfulError: a state differs from its position.
    """
    chance = Random(0)  # noqa: S311  # not for secrets
    complete_keys: dict[int, Hashable] = {}
    # Positions are in the order of their distance from the start.
    longest = 2 + _LENGTH_FACTOR * len(graph.path(len(graph) - 1))
    move_count, target_count = 0, min(max(_LEAST_MOVES, len(graph.targets) // _SHARE), _MOST_MOVES)
    while move_count < target_count:
        moves_played = _play_games(
            graph, complete_keys, _GAMES, longest, lambda _, __, edges: chance.choice(edges)
        )
        if not moves_played:
            return
        move_count += moves_played
    source, endless_mask = graph.source, _endless_mask(graph)
    if not endless_mask[0]:
        return
    visited_positions: list[set[int]] = [set() for _ in range(_CYCLES)]

    def round_and_round(game: int, place: int, edges: range) -> int:
        visited_positions[game].add(place)
        chosen = [edge for edge in edges if endless_mask[graph.targets[edge]]]
        # Half of the games stay where they were, as long as they can, after a while.
        if game % 2 and len(visited_positions[game]) > game:
            chosen = [
                edge for edge in chosen if int(graph.targets[edge]) in visited_positions[game]
            ] or chosen
        return chance.choice(chosen)

    longest = _LONG if source.longest is None else source.longest + 1
    games = max(2, min(_CYCLES, _MOST_CYCLIC // longest))
    _play_games(graph, complete_keys, games, longest, round_and_round)


def _play_games(
    graph: StateGraph,
    complete_keys: dict[int, Hashable],
    games: int,
    longest: int,
    choose: _Choose,
) -> int:
    """Play games side by side, to their end or up to a length; return the number of moves in all.

    Raises:
        UnfaithfulError: a state differs from its position.
    """
    source, move_count = graph.source, 0
    states = source.select(source.start(), [0] * games)
    places, game_numbers, plies = [0] * games, list(range(games)), 0
    while game_numbers:
        begins, ends = graph.first[places].tolist(), graph.first[np.add(places, 1)].tolist()
        edges_of = list(map(range, begins, ends))
        _compare(graph, complete_keys, states, places, plies)
        if plies >= longest:
            break
        live = [i for i, edges in enumerate(edges_of) if edges]
        chosen_edges = [choose(game_numbers[i], places[i], edges_of[i]) for i in live]
        moves = graph.moves[chosen_edges].tolist()
        states = states_after(source, states, live, moves, are_shared=plies == 0)
        game_numbers = [game_numbers[i] for i in live]
        places = graph.targets[chosen_edges].tolist()
        move_count += len(live)
        plies += 1
    return move_count


def _compare(
    graph: StateGraph,
    complete_keys: dict[int, Hashable],
    states: Any,
    places: list[int],
    plies: int,
) -> None:
    """Compare the states that games have reached with their positions.

    Raises:
        UnfaithfulError: a state differs from its position.
    """
    source = graph.source
    if graph.places(states) != places:
        raise UnfaithfulError(_late_difference(graph, places[0], plies, "where their moves lead"))
    for place, (player, moves, result) in zip(places, source.facts(states), strict=True):
        turn, legal, expected_result = graph.facts(place)
        if moves != legal:
            raise UnfaithfulError(_late_difference(graph, place, plies, "how the game goes on"))
        if moves and player != turn:
            raise UnfaithfulError(_late_difference(graph, place, plies, "whose turn it is"))
        if result is not None and result != expected_result:
            noun = "the probabilities of chance" if moves else "how the game ends"
            raise UnfaithfulError(_late_difference(graph, place, plies, noun))
    if (
        source.complete_key is not None
        and source.complete_key > graph.key
        and len(complete_keys) < _FULLY_COMPARED
    ):
        for place, complete_key in zip(
            places, source.state_keys(states, source.complete_key), strict=True
        ):
            if complete_keys.setdefault(place, complete_key) != complete_key:
                noun = f"what the game tells of them ({source.keys[source.complete_key]})"
                raise UnfaithfulError(_late_difference(graph, place, plies, noun))


def _late_difference(graph: StateGraph, place: int, plies: int, noun: str) -> str:
    """Return the difference between a state that a game reached and the first in its position."""
    shortest = len(graph.path(place))
    return f"states that agree in it after {shortest} and {plies} moves differ in {noun}"


def _endless_mask(graph: StateGraph) -> npt.NDArray[np.bool_]:
    """Return a mask of the positions from which play may go on for ever, by peeling off ends.

    An end is a position without moves, or one all of whose moves lead to ends already peeled off.
    """
    count = len(graph)
    moves_left = np.diff(graph.first)
    origins = np.repeat(np.arange(count), moves_left)
    if bool((graph.targets > origins).all()):
        return np.zeros(count, np.bool_)
    order = np.argsort(graph.targets, kind="stable")
    first_parents = np.searchsorted(graph.targets[order], np.arange(count + 1))
    parents = origins[order]
    mask = np.ones(count, np.bool_)
    ends = np.flatnonzero(moves_left == 0)
    while len(ends):
        mask[ends] = False
        sizes = first_parents[ends + 1] - first_parents[ends]
        offsets = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        predecessors = parents[np.repeat(first_parents[ends], sizes) + offsets]
        np.subtract.at(moves_left, predecessors, 1)
        predecessors = np.unique(predecessors)
        ends = predecessors[moves_left[predecessors] == 0]
    return mask
