"""Cat numbers of small graphs and of grids."""

from __future__ import annotations

import networkx as nx
import pytest

import zermelo
from support.oracles.graphs import name
from support.results import lines
from zermelo.games import CatHerding

#: From a program that shares no code with Zermelo, by the names of graphs.
KNOWN = {
    **{f"complete {n}": k for n, k in ((2, 1), (3, 2), (4, 5), (5, 8), (6, 11), (7, 17))},
    **{f"grid 2 {n}": k for n, k in ((2, 3), (3, 4), (4, 5), (5, 6), (6, 6), (7, 7), (8, 7))},
    "grid 3 3": 7,
    "grid 3 4": 7,
    "grid 3 5": 10,
    "grid 4 4": 9,
    "petersen": 8,
}
SLOW = ("complete 4", "grid 2 4")


def cat_number(solution, graph):
    """Return the cat number of a graph from the table of a complete graph."""
    if not graph.edges:
        return 0  # caught before the herder's first turn
    edges = " ".join(f"{min(edge)}-{max(edge)}" for edge in graph.edges)
    places = [f"cat at {node}, left: {edges}, herder to move" for node in graph]
    values = [solution[solution.game.parse(place)] for place in places]
    return max((value.remoteness + 1) // 2 for value in values)


def read_graph(word):
    """Return the graph of a word of graph6."""
    return nx.from_graph6_bytes(word.encode())


@pytest.mark.parametrize(
    "nodes",
    [pytest.param(5, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.huge)],
)
def test_cat_numbers_of_all_small_graphs(nodes):
    """One verified table of the complete graph has the numbers that the file has."""
    solution = zermelo.solve(CatHerding(f"complete {nodes}"))
    assert solution.verify()
    expected = {word: int(number) for word, number in lines("cat-numbers.txt")}
    assert len(expected) == 996
    graphs = {word: read_graph(word) for word in expected}
    small = {word: graph for word, graph in graphs.items() if len(graph) <= nodes}
    found = {word: cat_number(solution, graph) for word, graph in small.items()}
    assert found == {word: expected[word] for word in small}
    assert all(nx.is_connected(graph) for graph in small.values())
    rows = [tuple(sum(1 << v for v in g[u]) for u in g) for g in small.values()]
    kinds = {(len(graph), name(graph)) for graph in rows}
    assert len(kinds) == len(small)


@pytest.mark.parametrize(
    "graph",
    [pytest.param(g, marks=pytest.mark.slow if g in SLOW else pytest.mark.huge) for g in KNOWN],
)
def test_cat_numbers_that_another_program_found(graph):
    """Complete graphs, grids and the Petersen graph, each verified."""
    solution = zermelo.solve(CatHerding(graph))
    assert solution.verify()
    assert solution.value.remoteness == 2 * KNOWN[graph]
    assert solution.winner == "herder"


def test_cat_numbers_by_hand():
    """One edge takes one cut; a path of three, two; an edge and a lone node, one."""
    values = [
        zermelo.solve(CatHerding(graph)).value
        for graph in ("path 2", "path 3", "cycle 3", ((1,), (0,), ()))
    ]
    assert [value.remoteness for value in values] == [2, 4, 4, 2]
    assert zermelo.solve(CatHerding("path 1")).value.remoteness == 1
