"""Nimbers of Node Kayles on grids of three rows, OEIS A316632 and further."""

from __future__ import annotations

import pytest

import zermelo
from support.results import numbers
from zermelo.games import DawsonsChess, NodeKayles

TERMS = dict(numbers("b316632.txt"))


def nimber(columns):
    """Return the nimber of a grid, verified."""
    solution = zermelo.solve(NodeKayles(f"grid 3 {columns}"), value="nimber")
    assert solution.verify()
    return solution.value.nimber


@pytest.mark.slow
def test_nimbers_of_short_grids():
    """The first terms are those of the file."""
    columns = range(1, 13)
    assert [nimber(n) for n in columns] == [TERMS[n] for n in columns]


@pytest.mark.huge
@pytest.mark.parametrize("columns", sorted(TERMS))
def test_nimbers_of_all_grids(columns):
    """All terms of the file are those of a verified solve."""
    assert nimber(columns) == TERMS[columns]


def test_graphs_of_63_nodes():
    """A number has a bit for each of 63 nodes; on a path the game is Dawson's Chess."""
    graph = zermelo.solve(NodeKayles("path 63"), value="nimber")
    heap = zermelo.solve(DawsonsChess(files=63), value="nimber")
    assert graph.value == heap.value
    assert graph.verify()
