"""Explicit graphs: games given as arrays, sparse matrices, networkx graphs or files, without rules.

A token stands on a vertex of a directed graph; the player whose turn it is moves it along an edge.
``solve`` takes the edges as arrays, ``solve_edges`` as a list, ``solve_matrix`` as a sparse matrix
of scipy and ``solve_networkx`` as a graph of networkx; each gives the value of every vertex. They
return a ``Solution`` like any other, whose ``arrays`` are ``GraphArrays``. Readers of files return
a ``GraphGame``, which has ``solve``. ``attractor``, ``winning_region`` and ``safe_strategy`` give
sets of nodes of a graph of networkx. ``solve_parity``, ``solve_buchi``, ``solve_co_buchi``,
``solve_energy`` and ``solve_mean_payoff`` solve games decided by how play goes on for ever, and
``solve_generalised_reachability`` and its kin games with several sets to visit.
"""

from __future__ import annotations

from zermelo.graph.arrays import GraphArrays
from zermelo.graph.formats.pgsolver import read_pgsolver
from zermelo.graph.formats.prism import read_prism
from zermelo.graph.formats.solution_writers import (
    node_attributes,
    write_dot,
    write_graphml,
    write_pgsolver_solution,
)
from zermelo.graph.formats.umb import read_umb
from zermelo.graph.game import GraphGame, solve_edges, solve_matrix, solve_networkx
from zermelo.graph.parity import Lasso, ParityGame, ParitySolution, solve_parity
from zermelo.graph.payoffs import (
    EnergySolution,
    MeanPayoffSolution,
    solve_energy,
    solve_mean_payoff,
)
from zermelo.graph.picture import draw
from zermelo.graph.recurrence import solve_buchi, solve_co_buchi
from zermelo.graph.regions import SafeStrategy, attractor, safe_strategy, winning_region
from zermelo.graph.several_targets import (
    GeneralisedSolution,
    solve_generalised_buchi,
    solve_generalised_reachability,
    solve_generalised_safety,
)
from zermelo.graph.solving import NONE, solve

__all__ = [
    "NONE",
    "EnergySolution",
    "GeneralisedSolution",
    "GraphArrays",
    "GraphGame",
    "Lasso",
    "MeanPayoffSolution",
    "ParityGame",
    "ParitySolution",
    "SafeStrategy",
    "attractor",
    "draw",
    "node_attributes",
    "read_pgsolver",
    "read_prism",
    "read_umb",
    "safe_strategy",
    "solve",
    "solve_buchi",
    "solve_co_buchi",
    "solve_edges",
    "solve_energy",
    "solve_generalised_buchi",
    "solve_generalised_reachability",
    "solve_generalised_safety",
    "solve_matrix",
    "solve_mean_payoff",
    "solve_networkx",
    "solve_parity",
    "winning_region",
    "write_dot",
    "write_graphml",
    "write_pgsolver_solution",
]
