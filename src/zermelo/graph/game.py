"""Games on graphs that end: their arrays, and solves of graphs in other forms."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.array_types import IntArray
from zermelo.errors import ParameterError
from zermelo.forms.quantities import count_phrase
from zermelo.graph.library_graphs import (
    matrix_arrays,
    networkx_arrays,
    networkx_owners,
    node_attribute,
)
from zermelo.graph.owned_graph import ArrayGraph
from zermelo.graph.solving import NONE, solve
from zermelo.values.outcomes import LOSS, NOBODY, WIN

if TYPE_CHECKING:
    import os

    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

_OUTCOMES = (-1, 0, 1)
#: Attributes of edges that give a move's payoff.
_PAYOFFS = {"gain", "payoff", "reward"}
_NO_PAYOFFS = ", as solve_networkx finds who wins, and no payoffs"


@dataclass(frozen=True, eq=False, repr=False)
class GraphGame(ArrayGraph):
    """A game on a directed graph, as arrays.

    The readers of files return one, and ``solve`` solves it. ``zermelo.graph.solve`` describes the
    meaning and the valid contents of each field.

    Attributes:
        indptr: n + 1 indices into ``indices``: the successors of vertex ``v`` are
            ``indices[indptr[v]:indptr[v + 1]]``.
        indices: the target of each edge.
        outcome: for each vertex WIN, DRAW or LOSS for the player to move, or ``NONE``; or None.
        owner: for each vertex the player to move, 0 or 1; or None.
        no_moves: the outcome of a vertex without edges and without an entry in ``outcome``.
        endless: the player, 0 or 1, for whom play without end is a win, or NOBODY.
        start: the vertex where the game starts, or None.
        vertex_names: the names of the vertices, or None if their numbers are their names.
    """

    outcome: npt.NDArray[Any] | None = None
    owner: npt.NDArray[Any] | None = None
    no_moves: int = LOSS
    endless: int = NOBODY
    start: Any = None
    vertex_names: Sequence[Hashable] | None = None

    def solve(
        self,
        *,
        memory: int | str | None = None,
        threads: int | None = None,
        table: str | os.PathLike[str] | None = None,
        overwrite: bool = False,
        progress: Listener | None = None,
    ) -> Solution:
        """Solve the game; see ``zermelo.graph.solve``.

        Args:
            memory: the memory that the solve may use in addition to the game itself.
            threads: threads to use; by default as many as there are cores.
            table: the path of a file to save the solution to, which then answers from the file.
            overwrite: whether an existing file may be replaced.
            progress: called with an ``Event`` now and then.

        Raises:
            ParameterError: the arrays are not a graph.
            PositionError: the start is not a vertex.
            BudgetError: it needs more memory than is allowed.
            TableExistsError: there is a file at ``table``, and ``overwrite`` is False.
            TableWriteError: ``table`` cannot be written.
        """
        return solve(
            self.indptr,
            self.indices,
            self.outcome,
            self.owner,
            no_moves=self.no_moves,
            endless=self.endless,
            start=self.start,
            vertex_names=self.vertex_names,
            memory=memory,
            threads=threads,
            table=table,
            overwrite=overwrite,
            progress=progress,
        )


def reachability(
    indptr: IntArray,
    indices: IntArray,
    owner: npt.NDArray[np.uint8],
    target: npt.NDArray[np.bool_],
    player: int,
    start: Any = None,
    vertex_names: Sequence[Hashable] | None = None,
) -> GraphGame:
    """Return the game in which a player has to reach a target, and wins there.

    The opponent wins play without end, and play that ends elsewhere because a player cannot move.

    Args:
        indptr: the first edge of each vertex; see ``GraphGame``.
        indices: the targets of edges; see ``GraphGame``.
        owner: the player to move at each vertex; see ``GraphGame``.
        target: whether each vertex is a target.
        player: the player who has to reach the target.
        start: the vertex where the game starts; see ``GraphGame``.
        vertex_names: the names of the vertices; see ``GraphGame``.
    """
    is_own_turn = owner == player
    outcome = np.full(len(target), NONE, np.int8)
    places = indptr.astype(np.int64)
    stuck = places[1:] == places[:-1]
    outcome[stuck] = np.where(is_own_turn[stuck], LOSS, WIN)
    outcome[target] = np.where(is_own_turn[target], WIN, LOSS)
    return GraphGame(indptr, indices, outcome, owner, LOSS, 1 - player, start, vertex_names)


def solve_matrix(
    matrix: Any,
    outcome: npt.ArrayLike | None = None,
    owner: npt.ArrayLike | None = None,
    **options: Any,
) -> Solution:
    """Solve a game on the graph of a sparse matrix of scipy.

    Args:
        matrix: a square sparse matrix or array; every entry it stores is an edge from its row to
            its column, whatever the entry's value.
        outcome: the outcomes of vertices; see ``solve``.
        owner: the players to move; see ``solve``.
        **options: further arguments of ``solve``, other than ``priorities``.

    Raises:
        ParameterError: ``matrix`` is not a square sparse matrix, or see ``solve``.
        BudgetError: the graph needs more memory than is allowed.
    """
    _check_options(options)
    return solve(*matrix_arrays(matrix), outcome, owner, **options)


def solve_edges(
    sources: npt.ArrayLike,
    targets: npt.ArrayLike,
    vertices: int,
    outcome: npt.ArrayLike | None = None,
    owner: npt.ArrayLike | None = None,
    **options: Any,
) -> Solution:
    """Solve a game on a graph that is given as a list of edges, in any order.

    Edges of a vertex keep their order: ``solution.arrays`` and the moves are those of the graph
    sorted by sources, and ``arrays.best_edge`` counts edges in that order.

    Args:
        sources: the source of each edge.
        targets: the target of each edge.
        vertices: the number of vertices, which are numbered from 0.
        outcome: the outcomes of vertices; see ``solve``.
        owner: the players to move; see ``solve``.
        **options: further arguments of ``solve``, other than ``priorities``.

    Raises:
        ParameterError: an edge has a vertex that does not exist, or see ``solve``.
        BudgetError: the graph needs more memory than is allowed.
    """
    _check_options(options)
    begins, ends = np.asarray(sources), np.asarray(targets)
    for name, array in (("sources", begins), ("targets", ends)):
        if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
            form = f"an array of {array.dtype} with shape {array.shape}"
            message = f"{name} is {form}; give one row of whole numbers"
            raise ParameterError(message)
    if len(begins) != len(ends):
        sources_text, targets_text = (
            count_phrase(len(begins), "sources"),
            count_phrase(len(ends), "targets"),
        )
        message = f"there are {sources_text} and {targets_text}; give one of each for each edge"
        raise ParameterError(message)
    count: Any = vertices
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
        message = f"vertices={vertices!r} is not a number of vertices; give 0 or more"
        raise ParameterError(message)
    invalid = (begins < 0) | (begins >= vertices)
    if invalid.any():
        place = int(np.argmax(invalid))
        message = f"sources[{place}] is {begins[place]}; give vertices from 0 to {vertices - 1}"
        raise ParameterError(message)
    begins = begins.astype(np.int64, copy=False)
    indptr = np.zeros(int(vertices) + 1, np.int64)
    np.cumsum(np.bincount(begins, minlength=int(vertices)), out=indptr[1:])
    if (begins[1:] < begins[:-1]).any():
        ends = ends[np.argsort(begins, kind="stable")]
    return solve(indptr, ends, outcome, owner, **options)


def solve_networkx(
    graph: Any,
    outcome: str | Mapping[Any, int | None] = "outcome",
    owner: str | Mapping[Any, int] | None = None,
    **options: Any,
) -> Solution:
    """Solve a game on a graph of networkx; vertices have their networkx names in the solution.

    Args:
        graph: a directed graph; an undirected graph has each edge both ways. Its nodes may be of
            any type. Parallel edges of a multigraph are separate edges.
        outcome: the node attribute that contains WIN, DRAW or LOSS, or a mapping from nodes to it;
            at a node without a value, or with None, the game goes on.
        owner: the node attribute that contains 0 or 1, or a mapping from every node to it; by
            default the players strictly alternate.
        **options: further arguments of ``solve``, other than ``priorities``.

    Raises:
        ParameterError: ``graph`` is not a graph of networkx, a node has no owner, edges have
            payoffs, or see ``solve``.
        BudgetError: the graph needs more memory than is allowed.
    """
    _check_options(options)
    indptr, indices, nodes = networkx_arrays(graph)
    _check_payoffs(graph)
    values_by_node = node_attribute(graph, outcome)
    outcomes = np.full(len(nodes), NONE, np.int8)
    for i, node in enumerate(nodes):
        node_outcome = values_by_node.get(node)
        if node_outcome is not None:
            if node_outcome not in _OUTCOMES:
                message = (
                    f"node {node!r} has the outcome {node_outcome!r}; use WIN, DRAW, LOSS or None"
                )
                message += _NO_PAYOFFS * isinstance(node_outcome, int | float)
                raise ParameterError(message)
            outcomes[i] = node_outcome
    owners = None if owner is None else networkx_owners(graph, nodes, owner)
    return solve(indptr, indices, outcomes, owners, vertex_names=nodes, **options)


def _check_options(options: Mapping[str, object]) -> None:
    """Check that no priorities are given, with which the answer would not be a ``Solution``.

    Raises:
        ParameterError: they are given.
    """
    if "priorities" in options:
        message = (
            "priorities make a parity game; give the graph to solve_parity, as rows, arrays, a "
            "sparse matrix or a graph of networkx"
        )
        raise ParameterError(message)


def _check_payoffs(graph: Any) -> None:
    """Check that no edge of a graph has a payoff.

    Raises:
        ParameterError: an edge has one.
    """
    for source, neighbours in graph.adjacency():
        for target, data in neighbours.items():
            edges = data.values() if graph.is_multigraph() else [data]
            for name in sorted(set().union(*edges) & _PAYOFFS):
                message = (
                    f"the edge from {source!r} to {target!r} has the attribute {name!r}; leave it "
                    "out, write the game as a class with gain(), or give the graph to "
                    f"solve_mean_payoff{_NO_PAYOFFS}"
                )
                raise ParameterError(message)
