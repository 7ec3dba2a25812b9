"""Attractors, winning regions and safe strategies, beside sets that grow one node at a time."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest
from scipy.sparse import csr_array

from support.sizes import counts
from zermelo import DRAW, LOSS, WIN, ParameterError, PositionError
from zermelo.graph import GraphGame, attractor, safe_strategy, solve_networkx, winning_region


def random_arena(rng):
    """Return a graph with loops, parallel edges and dead ends, with owners and some targets."""
    n = rng.randint(1, 9)
    graph = rng.choice([nx.MultiDiGraph, nx.DiGraph])()
    names = rng.sample([*range(6), "a", "b", (0, 1), frozenset({2}), None.__class__, 2.5], n)
    graph.add_nodes_from((name, {"owner": rng.randint(0, 1)}) for name in names)
    for _ in range(rng.randint(0, 3 * n)):
        graph.add_edge(rng.choice(names), rng.choice(names))
    return graph, {name for name in names if rng.random() < 0.25}


def slow_attractor(graph, target, player):
    """Return the attractor, a node at a time."""
    found = set(target)
    while True:
        new = {
            v
            for v in graph
            if v not in found
            and len(graph[v])
            and (any if graph.nodes[v]["owner"] == player else all)(w in found for w in graph[v])
        }
        if not new:
            return found
        found |= new


@counts(100, None, 3_000)
def test_attractors_of_random_graphs(count):
    """Of either player, as sets of nodes of any kind and as arrays."""
    rng = random.Random(1)
    for _ in range(count):
        graph, target = random_arena(rng)
        player = rng.randint(0, 1)
        expected = slow_attractor(graph, target, player)
        assert attractor(graph, target, player, threads=1) == expected
        nodes = list(graph)
        number = {node: i for i, node in enumerate(nodes)}
        rows = [[number[w] for w in graph[v]] for v in nodes]
        owners = [graph.nodes[v]["owner"] for v in nodes]
        mask = attractor(rows, [number[v] for v in target], player, owners, threads=1)
        assert {nodes[i] for i in np.flatnonzero(mask)} == expected


@counts(100, None, 3_000)
def test_safe_strategies_of_random_graphs(count):
    """Every safe move stays safe, every other loses safety, and nothing safe is left out."""
    rng = random.Random(2)
    for _ in range(count):
        graph, unsafe = random_arena(rng)
        player = rng.randint(0, 1)
        found = safe_strategy(graph, unsafe, player, threads=1)
        region = set(graph) - slow_attractor(graph, unsafe, 1 - player)
        assert found.region == region
        edges = list(graph.edges(keys=False) if graph.is_multigraph() else graph.edges)
        assert len(edges) == len(found.edges)
        for (v, w), safe in zip(edges, found.edges.tolist(), strict=True):
            mine = graph.nodes[v]["owner"] == player
            assert safe == (mine and v in region and w in region)
        for v in graph:
            mine = v in region and graph.nodes[v]["owner"] == player
            assert found.moves(v) == ([w for w in graph[v] if w in region] if mine else [])
            if mine and len(graph[v]):
                assert found.moves(v)


@counts(80, None, 1_500)
def test_winning_regions_of_random_graphs(count):
    """They are what the solution says, for either player and any meaning of endless play."""
    rng = random.Random(3)
    for _ in range(count):
        graph, ends = random_arena(rng)
        for node in ends:
            graph.nodes[node]["result"] = rng.choice([WIN, DRAW, LOSS])
        endless = rng.choice([-1, 0, 1])
        solution = solve_networkx(graph, "result", "owner", endless=endless, threads=1)
        names = {"first": 0, "second": 1, None: -1}
        won = {node: names[solution.winner_at(node)] for node in graph}
        for player in (0, 1):
            found = winning_region(graph, player, "result", endless=endless, threads=1)
            assert found == {node for node in graph if won[node] == player}


def test_every_form_of_a_graph():
    """Rows, arrays, a sparse matrix and a game give the same mask."""
    rows, owners = [[1, 2], [0], [2]], [0, 1, 0]
    matrix = csr_array(np.array([[0, 1, 1], [1, 0, 0], [0, 0, 1]]))
    arrays = np.array([0, 2, 3, 4]), np.array([1, 2, 0, 2])
    game = GraphGame(*arrays, owner=np.array(owners))
    for graph in (rows, matrix, arrays, game):
        assert attractor(graph, [2], 0, owners, threads=1).tolist() == [True, True, True]
        assert attractor(graph, np.array([False, False, True]), 1, owners).tolist()[2]
        safe = safe_strategy(graph, [2], 0, owners, threads=1)
        assert safe.edges.tolist() == [True, False, False, False]
        assert safe.moves(0) == [1]
        assert safe.region.tolist() == [True, True, False]
        assert repr(safe) == "<SafeStrategy of player 0: 2 of 3 nodes safe, 1 safe move>"
    won = GraphGame(*arrays, np.array([2, 2, 1]), np.array(owners))
    assert winning_region(won, 0).tolist() == [True, True, True]
    named = GraphGame(*arrays, np.array([2, 2, 1]), np.array(owners), vertex_names=["a", "b", "c"])
    assert winning_region(named, 0) == attractor(named, ["c"]) == {"a", "b", "c"}


def test_what_is_refused():
    """Players, owners and nodes that there are not."""
    graph = nx.DiGraph([(0, 1)])
    with pytest.raises(ParameterError, match="player=2 is not a player; use 0 or 1"):
        attractor(graph, [0], 2)
    with pytest.raises(ParameterError, match="node 0 has the owner None; use 0 or 1"):
        attractor(graph, [0])
    nx.set_node_attributes(graph, 0, "owner")
    with pytest.raises(PositionError, match="5 is not a node of the graph; give some of its"):
        attractor(graph, [5])
    with pytest.raises(ParameterError, match="7 is not a set of nodes; give a list or a set"):
        safe_strategy(graph, 7)
    with pytest.raises(PositionError, match="'x' is not a node of the graph; give one of its"):
        safe_strategy(graph, [1]).moves("x")
    with pytest.raises(ParameterError, match="owner='owner' does not say whose turn it is; give"):
        attractor([[0]], [0])
    with pytest.raises(ParameterError, match=r"owner has the shape \(2,\); give 0 or 1 for each"):
        attractor([[0]], [0], owner=[0, 1])
    with pytest.raises(ParameterError, match=r"owner\[0\] is 3; use 0 or 1"):
        attractor([[0]], [0], owner=[3])
    with pytest.raises(ParameterError, match="there are 2 booleans for 1 node; give one a node"):
        attractor([[0]], np.array([True, False]), owner=[0])
    with pytest.raises(ParameterError, match="a list is not a graph; give one of networkx"):
        winning_region([[0]])
