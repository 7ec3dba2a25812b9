"""A test for hidden information: whether the player to move sees which position it is.

A library that does not declare whether its games have perfect information still returns each
player's observation. If two moves of the other player look the same to the player who moves next,
and lead to positions from which play goes on differently, something is hidden from that player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from itertools import accumulate
from random import Random

from zermelo.adapters.finding.states import StateGraph, refusal_text
from zermelo.errors import ParameterError

#: The number of games played side by side, and the least number of positions whose moves are
#: compared.
_GAMES, _LEAST_POSITIONS = 16, 300
#: The most moves of a game.
_LONG = 500


def check_seen(graph: StateGraph) -> None:
    """Play at random from the start, and compare the observations after the moves of each position.

    Args:
        graph: the positions that were found.

    Raises:
        ParameterError: a player does not see what the other has done.
    """
    source, chance = graph.source, Random(0)  # noqa: S311  # not for secrets
    compared_count = 0
    while compared_count < _LEAST_POSITIONS:
        states, places = source.select(source.start(), [0] * _GAMES), [0] * _GAMES
        for _ in range(_LONG):
            edges_of = [range(*graph.first[place : place + 2].tolist()) for place in places]
            indices = [i for i, edges in enumerate(edges_of) for _ in edges]
            if not indices:
                break
            edges = [edge for edges_of_one in edges_of for edge in edges_of_one]
            children = source.next_states(states, indices, graph.moves[edges].tolist())
            observations = source.observations(children)
            if observations is None:
                return
            _compare(graph, [places[i] for i in indices], edges, observations)
            compared_count += sum(1 for edges_of_one in edges_of if edges_of_one)
            begins = accumulate(map(len, edges_of), initial=0)
            chosen = [
                begin + chance.randrange(len(edges_of_one))
                for begin, edges_of_one in zip(begins, edges_of, strict=False)
                if edges_of_one
            ]
            states = source.select(children, chosen)
            places = [int(graph.targets[edges[i]]) for i in chosen]
        if not len(graph.targets):
            return


def _compare(
    graph: StateGraph, places: list[int], edges: list[int], observations: list[Hashable]
) -> None:
    """Compare the observations after the moves of some positions.

    Raises:
        ParameterError: two moves of a position look the same and differ in what follows.
    """
    edges_by_view: dict[tuple[int, Hashable], list[int]] = defaultdict(list)
    for place, edge, observation in zip(places, edges, observations, strict=True):
        target = int(graph.targets[edge])
        moves = _moves(graph, target)
        if moves and graph.players[target] != graph.players[place]:
            edges_by_view[place, (int(graph.players[target]), tuple(moves), observation)].append(
                edge
            )
    for (place, _), (first, *other_edges) in edges_by_view.items():
        for second in other_edges:
            if not _have_equal_play(graph, int(graph.targets[first]), int(graph.targets[second])):
                texts = " and ".join(_action_text(graph, place, edge) for edge in (first, second))
                fault = f"hidden information (the player to move sees the same after {texts})"
                raise ParameterError(refusal_text(graph.source.name, fault))


def _action_text(graph: StateGraph, place: int, edge: int) -> str:
    """Return the actions to a position and one of its moves, as ``named`` reads them."""
    return "@" + ",".join(map(str, [*graph.path(place), int(graph.moves[edge])]))


def _moves(graph: StateGraph, place: int) -> list[int]:
    moves: list[int] = graph.moves[graph.first[place] : graph.first[place + 1]].tolist()
    return moves


def _have_equal_play(graph: StateGraph, first: int, second: int) -> bool:
    """Return whether play from two positions goes on and ends in the same way, whatever is played.

    Pairs that have to be equivalent are united when they are met, so that each is visited once.
    This is Hopcroft and Karp's test of equivalent automata (1971).
    """
    roots: dict[int, int] = {}

    def root(place: int) -> int:
        while place in roots:
            place = roots[place]
        return place

    queue = [(first, second)]
    while queue:
        a, b = map(root, queue.pop())
        if a == b:
            continue
        moves = _moves(graph, a)
        if moves != _moves(graph, b):
            return False
        if moves and graph.players[a] != graph.players[b]:
            return False
        if not moves and graph.payoffs[a] != graph.payoffs[b]:
            return False
        roots[a] = b
        first_begin, second_begin = int(graph.first[a]), int(graph.first[b])
        queue += [
            (int(graph.targets[first_begin + i]), int(graph.targets[second_begin + i]))
            for i in range(len(moves))
        ]
    return True
