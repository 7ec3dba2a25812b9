"""Graphs by name: what they are, and what is said where there is none."""

from __future__ import annotations

import networkx as nx
import pytest

from zermelo.errors import ParameterError
from zermelo.games import NodeKayles

GRAPHS = {
    "path 5": nx.path_graph(5),
    "cycle 12": nx.cycle_graph(12),
    "complete 5": nx.complete_graph(5),
    "star 4": nx.star_graph(4),
    "wheel 5": nx.wheel_graph(6),
    "complete-bipartite 2 3": nx.complete_bipartite_graph(2, 3),
    "grid 3 4": nx.grid_2d_graph(3, 4),
    "cube": nx.cubical_graph(),
    "cube 4": nx.hypercube_graph(4),
    "binary-tree 3": nx.balanced_tree(2, 3),
    "petersen": nx.petersen_graph(),
    "octahedron": nx.octahedral_graph(),
    "dodecahedron": nx.dodecahedral_graph(),
    "icosahedron": nx.icosahedral_graph(),
    "truncated-tetrahedron": nx.truncated_tetrahedron_graph(),
    "moebius-kantor": nx.moebius_kantor_graph(),
    "desargues": nx.desargues_graph(),
    "frucht": nx.frucht_graph(),
    "heawood": nx.heawood_graph(),
    "pappus": nx.pappus_graph(),
    "krackhardt-kite": nx.krackhardt_kite_graph(),
    "karate-club": nx.karate_club_graph(),
}


def _of(name: str) -> nx.Graph[int]:
    rows = NodeKayles(name).neighbours
    graph = nx.Graph()
    graph.add_nodes_from(range(len(rows)))
    graph.add_edges_from((node, other) for node, row in enumerate(rows) for other in row)
    assert all(node not in row for node, row in enumerate(rows))
    return graph


@pytest.mark.parametrize("name", GRAPHS)
def test_graphs_are_those_that_networkx_makes(name: str) -> None:
    """A graph of a name is the one that others call so."""
    assert nx.is_isomorphic(_of(name), GRAPHS[name])


@pytest.mark.parametrize(
    ("name", "nodes", "degree", "girth", "diameter"),
    [
        ("robertson", 19, 4, 5, 3),
        ("mcgee", 24, 3, 7, 4),
        ("nauru", 24, 3, 6, 4),
        ("coxeter", 28, 3, 7, 4),
        ("dyck", 32, 3, 6, 5),
    ],
)
def test_cages_have_the_numbers_that_are_known(
    name: str, nodes: int, degree: int, girth: int, diameter: int
) -> None:
    """Graphs that networkx lacks have their size, degree, girth and diameter (A. E. Brouwer)."""
    graph = _of(name)
    assert len(graph) == nodes
    assert {n for _, n in graph.degree} == {degree}
    assert min(map(len, nx.minimum_cycle_basis(graph))) == girth
    assert nx.diameter(graph) == diameter


@pytest.mark.parametrize(("name", "edges"), [("king", 210), ("knight", 168), ("queen", 728)])
def test_boards_have_the_moves_of_their_man(name: str, edges: int) -> None:
    """The graphs of a chessman's moves have as many edges as a chessboard has such moves."""
    assert _of(f"{name} 8 8").number_of_edges() == edges


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("Petersen graph", "graph 'Petersen graph' is not known; give rows"),
        ("", "graph '' is not known"),
        ("grid 3", "'grid' takes 2 of at least 1, 1, as in 'grid 3 3'"),
        ("grid 0 3", "graph 'grid 0 3' has wrong numbers"),
        ("grid 3x4", "graph 'grid 3x4' has wrong numbers"),
        ("petersen 6 3", "'petersen' takes 2 of at least 3, 1, as in 'petersen 5 2'"),
        ("robertson 3", "'robertson' takes none; write 'robertson'"),
        ("path 99999", "has more than 4,000 nodes; give smaller numbers"),
        ("grid 900 900", "has more than 4,000 nodes"),
        ("cube 9999", "has more than 4,000 nodes"),
        (((1,), ()), r"graph\[0\] names 1"),
        (3, "graph must be a list of lists of nodes, not 3"),
    ],
)
def test_what_is_not_a_graph_is_refused_in_a_sentence(given: object, says: str) -> None:
    """A name that is not known, or with other numbers, is answered with what to write."""
    with pytest.raises(ParameterError, match=says):
        NodeKayles(given)
