"""Explicit graphs: games given as arrays, sparse matrices or networkx graphs, without rules.

A token stands on a vertex of a directed graph; the player whose turn it is moves it along an edge.
``solve`` takes the edges as arrays, ``solve_matrix`` as a sparse matrix of scipy and
``solve_networkx`` as a graph of networkx; each gives the value of every vertex. What they return
can be saved, and ``open`` opens it again.
"""

from __future__ import annotations

from zermelo.graph.solution import GraphSolution
from zermelo.graph.solve import NONE, solve, solve_matrix, solve_networkx
from zermelo.graph.table import open_table as open  # noqa: A004  # read as zermelo.graph.open

__all__ = ["NONE", "GraphSolution", "open", "solve", "solve_matrix", "solve_networkx"]
