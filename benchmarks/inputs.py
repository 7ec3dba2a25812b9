"""The graphs, piles and boards that Zermelo and its rivals are both given."""

from __future__ import annotations

from random import Random

Graph = list[list[int]]


def dense_graph(nodes: int, seed: int = 1) -> Graph:
    """Return a random graph that has half of all possible edges."""
    pairs = [(one, other) for one in range(nodes) for other in range(one)]
    return _graph(nodes, Random(seed).sample(pairs, len(pairs) // 2))


def path(nodes: int) -> Graph:
    """Return a path with the hole at one end, on which a chase takes long."""
    return _graph(nodes, [(node, node + 1) for node in range(nodes - 1)])


def small_graphs(count: int, seed: int = 1) -> list[Graph]:
    """Return random connected graphs of 10 to 14 nodes."""
    draw = Random(seed)
    graphs = []
    for _ in range(count):
        nodes = draw.randint(10, 14)
        tree = {(node, draw.randrange(node)) for node in range(1, nodes)}
        others = [(a, b) for a in range(nodes) for b in range(a) if (a, b) not in tree]
        graphs.append(_graph(nodes, [*tree, *draw.sample(others, draw.randrange(2 * nodes))]))
    return graphs


def piles(count: int, seed: int = 1) -> list[int]:
    """Return random piles."""
    draw = Random(seed)
    return [draw.randint(1, 1000) for _ in range(count)]


def _graph(nodes: int, edges: list[tuple[int, int]]) -> Graph:
    graph: Graph = [[] for _ in range(nodes)]
    for one, other in edges:
        graph[one].append(other)
        graph[other].append(one)
    return [sorted(row) for row in graph]
