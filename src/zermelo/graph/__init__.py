"""Explicit graphs: games given as arrays, sparse matrices or networkx graphs, without rules.

A token stands on a vertex of a directed graph; the player whose turn it is moves it along an edge.
``solve`` takes the edges as arrays, ``solve_matrix`` as a sparse matrix of scipy and
``solve_networkx`` as a graph of networkx; each gives the value of every vertex. They return a
``Solution`` like any other, whose ``arrays`` are ``GraphArrays``.
"""

from __future__ import annotations

from zermelo.graph.arrays import GraphArrays
from zermelo.graph.solve import NONE, solve, solve_matrix, solve_networkx

__all__ = ["NONE", "GraphArrays", "solve", "solve_matrix", "solve_networkx"]
