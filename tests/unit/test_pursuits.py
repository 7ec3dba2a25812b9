"""Pursuits, cop numbers and capture times: published facts, forms of graphs, refusals."""

from __future__ import annotations

from collections import Counter
from itertools import product

import networkx as nx
import numpy as np
import pytest
import scipy.sparse

import zermelo
from facts import rows
from support.oracles.chases import solve
from zermelo import ParameterError, PositionError

PATH = [[1], [0, 2], [1, 3], [2]]


def capture_time_of(graph, cops):
    """Return the capture time by the slow solver, in moves of the cops, or None."""
    n = graph.number_of_nodes()
    near = [[v, *graph[v]] for v in range(n)]
    marks = solve([near] * (cops + 1))
    times = []
    for team in product(range(n), repeat=cops):
        plies = [marks[1, robber, team] - 1 for robber in range(n)]
        if min(plies) >= 0:
            times.append((max(plies) + 1) // 2)
    return min(times, default=None)


def grid(width, height):
    """Return a grid with its nodes numbered."""
    return nx.convert_node_labels_to_integers(nx.grid_2d_graph(width, height))


def test_as_many_graphs_are_cop_win_as_were_counted():
    """Of the connected graphs up to 6 nodes, one cop wins on as many as dismantlability says."""
    found = Counter()
    for graph in nx.graph_atlas_g()[1:209]:
        if graph.number_of_nodes() <= 6 and nx.is_connected(graph):
            found[graph.number_of_nodes(), zermelo.capture_time(graph) is not None] += 1
    for fact in rows("cop_win_graphs"):
        n, wins = int(fact["n"]), int(fact["copwin_connected_graphs"])
        assert found[n, True] == wins
        assert found[n, True] + found[n, False] == int(fact["connected_graphs"])


def dismantled(graph):
    """Whether a graph comes down to one node by taking away corners, again and again."""
    near = {v: {v, *graph[v]} for v in graph}
    while len(near) > 1:
        corner = next((v for v in near for w in near[v] - {v} if near[v] <= near[w]), None)
        if corner is None:
            return False
        for v in near.pop(corner) - {corner}:
            near[v].remove(corner)
    return True


@pytest.mark.slow
def test_one_cop_wins_on_the_graphs_that_can_be_dismantled():
    """On each of the 996 connected graphs up to 7 nodes (Nowakowski and Winkler, 1983)."""
    graphs = [graph for graph in nx.graph_atlas_g()[1:] if nx.is_connected(graph)]
    assert len(graphs) == 996
    for graph in graphs:
        assert (zermelo.capture_time(graph) is not None) == dismantled(graph), list(graph.edges)


KNOWN = {
    "Petersen": (nx.petersen_graph(), 3),
    "dodecahedron": (nx.dodecahedral_graph(), 3),
    "square": (nx.cycle_graph(4), 2),
    "cycle": (nx.cycle_graph(9), 2),
    "tree": (nx.balanced_tree(2, 3), 1),
    "complete": (nx.complete_graph(5), 1),
    "one node": (nx.empty_graph(1), 1),
    "grid": (grid(3, 4), 2),
    "octahedron": (nx.octahedral_graph(), 2),
}


@pytest.mark.parametrize("name", KNOWN)
def test_published_cop_numbers(name):
    """The Petersen graph takes three cops, cycles two, trees and complete graphs one."""
    graph, cops = KNOWN[name]
    assert zermelo.cop_number(graph) == cops


def test_each_part_of_a_graph_needs_its_own_cops():
    """The cop number of a graph in parts is the sum over them."""
    parts = nx.disjoint_union(nx.petersen_graph(), nx.cycle_graph(5))
    assert zermelo.cop_number(nx.disjoint_union(parts, nx.empty_graph(2))) == 3 + 2 + 1 + 1


def test_capture_times_of_paths_are_half_their_length():
    """On a path of n nodes one cop takes floor(n / 2) moves, beginning in the middle."""
    times = [zermelo.capture_time(nx.path_graph(n)) for n in range(1, 12)]
    assert times == [n // 2 for n in range(1, 12)]


@pytest.mark.parametrize("width", [2, 3, 4])
def test_capture_times_of_grids(width):
    """Two cops on a grid take floor((m + n) / 2) - 1 moves (A. Mehrabian, 2011)."""
    for height in range(2, 6):
        graph = grid(width, height)
        assert zermelo.capture_time(graph, 2) == (width + height) // 2 - 1
        if width * height <= 6:
            assert zermelo.capture_time(graph, 2) == capture_time_of(graph, 2)


def test_capture_times_agree_with_the_slow_solver():
    """On small graphs of every shape, with one cop and with two."""
    for graph in nx.graph_atlas_g()[1:40]:
        assert zermelo.capture_time(graph) == capture_time_of(graph, 1)
        assert zermelo.capture_time(graph, 2) == capture_time_of(graph, 2)


def test_graphs_are_taken_in_every_form():
    """Lists, networkx, scipy and bare arrays are one graph."""
    expected = zermelo.pursuit(PATH, safe=[0])
    sparse = scipy.sparse.csr_array(nx.to_scipy_sparse_array(nx.path_graph(4)))
    arrays = (np.array([0, 1, 3, 5, 6]), np.array([1, 0, 2, 1, 3, 2]))
    for graph in (nx.path_graph(4), sparse, sparse.tocoo(), arrays, tuple(map(tuple, PATH))):
        chase = zermelo.pursuit(graph, safe=[0])
        assert (chase.arrays.remoteness() == expected.arrays.remoteness()).all()
        assert (chase.arrays.winner(1) == expected.arrays.winner(1)).all()


def test_one_position_at_a_time():
    """A position has a value for the player to move, and a winner."""
    chase = zermelo.pursuit(PATH, safe=[0], forbidden=[0])
    assert chase[1, (2,)] == zermelo.Value(zermelo.WIN, 1)
    assert chase.winner_at((1, (2,))) == "evader"
    assert chase[1, (2,), 1] == zermelo.Value(zermelo.WIN, 1)
    assert chase.winner_at((1, (2,), 1)) == "pursuers"
    assert chase.winner_at((1, (2,), 1)) == "pursuers"
    assert chase[0, (1,), 1] == zermelo.Value(zermelo.LOSS, 0)
    cycle = zermelo.pursuit(nx.cycle_graph(5))
    assert cycle[0, (2,)] == zermelo.Value(zermelo.DRAW)
    assert cycle.winner_at((0, (2,))) is None
    assert "1 on 5 nodes" in repr(cycle)


def test_staying_can_be_for_one_side_or_for_both():
    """On an edge a pursuer that may wait, or an evader that may not, changes the answer."""
    edge = [[1], [0]]
    assert zermelo.pursuit(edge)[0, (1,)] == zermelo.Value(zermelo.LOSS, 1)
    assert zermelo.pursuit(edge, may_stay="evader")[0, (1,)] == zermelo.Value(zermelo.LOSS, 2)
    cycle = nx.cycle_graph(4)
    assert zermelo.pursuit(cycle, may_stay="pursuers").winner_at((0, (2,))) == "pursuers"
    assert zermelo.pursuit(cycle, may_stay=True).winner_at((0, (2,))) is None


def test_pursuers_may_have_graphs_of_their_own():
    """One pursuer runs one way round, the other stands guard."""
    ring = [[(v + 1) % 5] for v in range(5)]
    guard = [[v] for v in range(5)]
    chase = zermelo.pursuit(ring, pursuers=[ring, guard], together=False)
    assert chase.arrays.turns == 3
    assert chase.winner_at((0, (4, 3))) == "pursuers"
    assert zermelo.pursuit(ring, guard).winner_at((0, (3,))) == "pursuers"
    assert zermelo.pursuit(ring, ring).winner_at((0, (3,))) is None


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((7,), {}, "evader_graph must be a list of lists"),
        (("[[1], [0]]",), {}, "evader_graph must be a list of lists of nodes, a networkx graph"),
        (([],), {}, "evader_graph has 0 nodes"),
        (([[1], [2]],), {}, "evader_graph[1] names node 2; use 0 to 1"),
        (([[1], [0.5]],), {}, "evader_graph names nodes by float64 numbers"),
        (((np.array([0, 1]), np.array([0, 0])),), {}, "evader_graph has an indptr from 0 to 1"),
        ((scipy.sparse.csr_array((2, 3)),), {}, "evader_graph is a matrix of shape (2, 3)"),
        ((PATH, [[0]]), {}, "graphs of 4 and 1 nodes"),
        ((PATH,), {"pursuers": 4}, "there must be 1 to 3 pursuers, not 4"),
        ((PATH,), {"pursuers": True}, "pursuers must be a whole number from 1 to 3, not True"),
        ((PATH, PATH), {"pursuers": [PATH]}, "pursuers are given as graphs, and so is"),
        ((PATH,), {"safe": [4]}, "safe names 4, which is not a node"),
        ((PATH,), {"forbidden": ["a"]}, "forbidden names 'a', which is not a node"),
        ((PATH,), {"may_stay": "cats"}, "may_stay='cats'"),
        ((PATH,), {"stuck": "draw"}, "may_stay=False with stuck='draw'"),
        ((PATH,), {"threads": 0}, "threads must be a whole number of at least 1, not 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_makes_no_sense_is_refused_in_one_sentence(arguments, options, message):
    """Each thing that can be wrong with the arguments has its own message."""
    with pytest.raises(ParameterError) as caught:
        zermelo.pursuit(*arguments, **options)
    assert str(caught.value).startswith(message)
    assert ";" in str(caught.value) or "must be" in message


def test_what_is_no_position_is_refused():
    """Nodes that do not exist, pursuers too many or in the wrong place, turns there are not."""
    chase = zermelo.pursuit(PATH, safe=[0], forbidden=[0])
    for position in ((4, (1,)), (1, (0,)), (1, (-1,)), (1, (2, 3)), (1, ())):
        with pytest.raises(PositionError, match="position"):
            chase[position]
    with pytest.raises(ParameterError, match="turn=2 is not a turn of this pursuit; use 0 to 1"):
        chase.arrays.winner(2)


def test_graphs_that_cops_cannot_use_are_refused():
    """One-way edges, and graphs that take more cops than are tried."""
    with pytest.raises(ParameterError, match="listed at one of its ends only"):
        zermelo.cop_number([[1], []])
    with pytest.raises(ParameterError, match="needs more than 3 cops"):
        zermelo.cop_number(nx.hoffman_singleton_graph())  # seven: degree 7, no short cycles
