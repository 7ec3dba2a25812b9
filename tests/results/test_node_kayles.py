"""Nimbers of Node Kayles on grids of three rows and Petersen graphs, OEIS and further."""

from __future__ import annotations

import pytest

import zermelo
from support.results import numbers
from zermelo.games import DawsonsChess, NodeKayles

TERMS = dict(numbers("b316632.txt"))
PETERSEN = dict(numbers("b316533.txt"))


def nimber(graph):
    """Return the nimber of a graph, verified."""
    solution = zermelo.solve(NodeKayles(graph), value="nimber")
    assert solution.verify()
    return solution.value.nimber


@pytest.mark.slow
def test_nimbers_of_small_graphs():
    """Some of the first terms are those of the files."""
    assert [nimber(f"grid 3 {n}") for n in (2, 9)] == [TERMS[n] for n in (2, 9)]
    assert [nimber(f"petersen {n} 2") for n in (6, 11)] == [PETERSEN[n] for n in (6, 11)]


@pytest.mark.huge
@pytest.mark.parametrize("columns", sorted(TERMS))
def test_nimbers_of_all_grids(columns):
    """All terms of the file are those of a verified proof."""
    proof = zermelo.prove(NodeKayles(f"grid 3 {columns}"), ask="nimber")
    assert proof.verify()
    assert proof.value.nimber == TERMS[columns]


@pytest.mark.huge
@pytest.mark.parametrize("columns", range(1, 24))
def test_nimbers_of_whole_grids(columns):
    """They are those of a verified solve of all parts that play can leave."""
    assert nimber(f"grid 3 {columns}") == TERMS[columns]


@pytest.mark.huge
@pytest.mark.parametrize(("nodes", "value"), [(33, 1), (35, 0), (37, 0)])
def test_nimbers_of_larger_petersen_graphs(nodes, value):
    """They are those of a verified proof."""
    proof = zermelo.prove(NodeKayles(f"petersen {nodes} 2"), ask="nimber")
    assert proof.verify()
    assert proof.value.nimber == value


@pytest.mark.huge
@pytest.mark.parametrize("nodes", sorted(PETERSEN))
def test_nimbers_of_all_petersen_graphs(nodes):
    """All terms of the file are those of a verified solve."""
    assert nimber(f"petersen {nodes} 2") == PETERSEN[nodes]


@pytest.mark.slow
def test_graphs_of_63_nodes():
    """A number has a bit for each of 63 nodes; on a path the game is Dawson's Chess."""
    graph = zermelo.solve(NodeKayles("path 63"), value="nimber")
    heap = zermelo.solve(DawsonsChess(files=63), value="nimber")
    assert graph.value == heap.value
    assert graph.verify()
