"""All graphs with a few nodes, one of each kind, and what a slow solver says of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product


@cache
def all_graphs(n: int) -> tuple[tuple[int, ...], ...]:
    """Return one graph of each class of isomorphic graphs with n nodes.

    A graph is a row of bit sets: the neighbours of each node. Every graph is one with a node less
    and a further node with as many neighbours as any; so each is made of smaller ones, and the
    least of its names tells whether it is there already.
    """
    if n == 0:
        return ((),)
    graphs = {}
    for graph in all_graphs(n - 1):
        largest_degree = max((row.bit_count() for row in graph), default=0)
        for neighbours in range(1 << (n - 1)):
            size = neighbours.bit_count()
            if size < largest_degree:
                continue
            rows = [row | (neighbours >> v & 1) << (n - 1) for v, row in enumerate(graph)]
            if all(row.bit_count() <= size for row in rows):
                grown = (*rows, neighbours)
                graphs.setdefault(name(grown), grown)
    return tuple(graphs.values())


def connected(graph: tuple[int, ...]) -> bool:
    """Whether a graph is in one part."""
    part, previous = 1, 0
    while part != previous:
        previous = part
        for v, row in enumerate(graph):
            if previous >> v & 1:
                part |= row
    return part == (1 << len(graph)) - 1


def name(graph: tuple[int, ...]) -> int:
    """Return a number that two graphs share if, and only if, they are isomorphic.

    It is the least over all orders of the nodes that sort them by colour: first by degree, then by
    the colours around them, with one node of a colour told from the others where that is no help.
    """
    return min(_numbers(graph, _refined(graph, [row.bit_count() for row in graph])))


def _refined(graph: tuple[int, ...], colours: list[int]) -> list[int]:
    n = len(graph)
    while True:
        signatures = [
            (colours[v], *sorted(colours[w] for w in range(n) if graph[v] >> w & 1))
            for v in range(n)
        ]
        rank = {key: i for i, key in enumerate(sorted(set(signatures)))}
        refined = [rank[key] for key in signatures]
        if len(rank) == len(set(colours)):
            return refined
        colours = refined


def _numbers(graph: tuple[int, ...], colours: list[int]) -> Iterator[int]:
    n = len(graph)
    cells: dict[int, list[int]] = {}
    for v, colour in enumerate(colours):
        cells.setdefault(colour, []).append(v)
    shared_cell = next((cells[c] for c in sorted(cells) if len(cells[c]) > 1), None)
    if shared_cell is None:
        order = sorted(range(n), key=colours.__getitem__)
        number = 0
        for i, v in enumerate(order):
            for w in order[:i]:
                number = number << 1 | graph[v] >> w & 1
        yield number
        return
    twins = all(_twins(graph, shared_cell[0], v) for v in shared_cell[1:])
    for v in shared_cell[:1] if twins else shared_cell:
        split = [2 * c for c in colours]
        split[v] -= 1
        yield from _numbers(graph, _refined(graph, split))


def _twins(graph: tuple[int, ...], v: int, w: int) -> bool:
    """Whether exchanging two nodes leaves a graph as it is."""
    pair = 1 << v | 1 << w
    return (graph[v] | pair) == (graph[w] | pair)


def graph6(graph: tuple[int, ...]) -> bytes:
    """Return a graph of fewer than 63 nodes in graph6, with the end of the line."""
    bits = [graph[v] >> w & 1 for v in range(len(graph)) for w in range(v)]
    bits += [0] * (-len(bits) % 6)
    digits = [int("".join(map(str, bits[i : i + 6])), 2) for i in range(0, len(bits), 6)]
    return bytes([63 + len(graph), *(63 + digit for digit in digits)]) + b"\n"


def slow_capture(graph: tuple[int, ...], cops: int) -> int | None:
    """Return in how many rounds cops catch a robber, or None, position by position."""
    n = len(graph)
    neighbours = [[w for w in range(n) if v == w or graph[v] >> w & 1] for v in range(n)]
    teams = list(product(range(n), repeat=cops))
    won = {(team, v): 0 for team in teams for v in team}  # the cops are to move
    rounds = 0
    while True:
        if any(all((team, v) in won for v in range(n)) for team in teams):
            return rounds
        rounds += 1
        lost = {
            (team, v)
            for team in teams
            for v in range(n)
            if v in team or all((team, w) in won for w in neighbours[v])
        }
        size = len(won)
        for team in teams:
            for v in range(n):
                if (team, v) not in won and any(
                    (team_after, v) in lost
                    for team_after in product(*(neighbours[c] for c in team))
                ):
                    won[team, v] = rounds
        if len(won) == size:
            return None


def slow_cops(graph: tuple[int, ...]) -> tuple[int, int]:
    """Return the cop number of a connected graph, and the rounds that so many cops take."""
    for cops in range(1, len(graph) + 1):
        rounds = slow_capture(graph, cops)
        if rounds is not None:
            return cops, rounds
    raise AssertionError(graph)
