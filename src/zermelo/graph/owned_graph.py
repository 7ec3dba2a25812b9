"""Graphs as arrays, with owners, converted from any of the forms in which they may be given."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from zermelo.errors import ParameterError, PositionError
from zermelo.forms.quantities import count_phrase
from zermelo.game.adjacency import adjacency
from zermelo.graph.library_graphs import (
    is_networkx,
    matrix_arrays,
    networkx_arrays,
    networkx_edge_attribute,
    networkx_owners,
    node_attribute,
)

if TYPE_CHECKING:
    from zermelo._engine.infinite.certificate_graph import CertificateGraph

Mask = npt.NDArray[np.bool_]
#: The greatest number of a node or an edge.
_MOST_NUMBER = 1 << 53


@dataclass(frozen=True, eq=False, repr=False)
class ArrayGraph:
    """A directed graph as arrays, the part that a ``GraphGame`` and a ``ParityGame`` have.

    Attributes:
        indptr: n + 1 indices into ``indices``: the successors of vertex ``v`` are
            ``indices[indptr[v]:indptr[v + 1]]``.
        indices: the target of each edge.
    """

    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]

    @property
    def vertices(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    @property
    def edges(self) -> int:
        """The number of edges."""
        return len(self.indices)

    def __repr__(self) -> str:
        """Return the size of the game."""
        return (
            f"<{type(self).__name__} of {count_phrase(self.vertices, 'vertices')} "
            f"and {count_phrase(self.edges, 'edges')}>"
        )


@runtime_checkable
class GraphWithOwners(Protocol):
    """A game on a graph as arrays: a ``GraphGame`` or a ``ParityGame``."""

    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    owner: Any
    vertex_names: Sequence[Hashable] | None


@dataclass(frozen=True, eq=False)
class OwnedGraph:
    """A graph with owners, converted from any of its forms.

    Attributes:
        indptr: the first edge of each node; see ``solve``.
        indices: the targets of edges; see ``solve``.
        owners: the player to move at each node.
        nodes: the names or numbers of the nodes.
        named: whether nodes have names.
    """

    indptr: npt.NDArray[Any]
    indices: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    nodes: Sequence[Hashable]
    named: bool

    @classmethod
    def of(cls, graph: Any, owner: Any) -> OwnedGraph:
        """Convert a graph.

        Raises:
            ParameterError: it is invalid, or has no owners.
        """
        if isinstance(graph, OwnedGraph):
            return graph
        if is_networkx(graph):
            first, edges, nodes = networkx_arrays(graph)
            return cls(first, edges, networkx_owners(graph, nodes, owner), nodes, named=True)
        indptr: npt.NDArray[Any]
        indices: npt.NDArray[Any]
        vertex_names: Sequence[Hashable] | None = None
        if isinstance(graph, GraphWithOwners):
            indptr, indices = np.asarray(graph.indptr), np.asarray(graph.indices)
            owner, vertex_names = graph.owner, graph.vertex_names
            if len(indptr) != 1 or len(indices):  # a file may have no vertices
                indptr, indices = adjacency("graph", (indptr, indices))
        elif hasattr(graph, "tocsr"):
            indptr, indices = matrix_arrays(graph)
        else:
            indptr, indices = adjacency("graph", graph)
        count = len(indptr) - 1
        if owner is None or isinstance(owner, str | Mapping):
            message = f"owner={owner!r} does not say whose turn it is; give 0 or 1 for each node"
            raise ParameterError(message)
        owners = _row("owner", owner)
        if owners.shape != (count,) or not np.isin(owners, (0, 1)).all():
            nodes_text = count_phrase(count, "nodes")
            message = f"owner has the shape {owners.shape}; give 0 or 1 for each of {nodes_text}"
            if owners.shape == (count,):
                place = int(np.argmin(np.isin(owners, (0, 1))))
                message = f"owner[{place}] is {owners[place]}; use 0 or 1"
            raise ParameterError(message)
        node_names: Sequence[Hashable] = range(count) if vertex_names is None else vertex_names
        has_names = vertex_names is not None
        return cls(indptr, indices, owners.astype(np.uint8), node_names, named=has_names)

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """The number of edges from each node."""
        places = self.indptr.astype(np.int64)
        return places[1:] - places[:-1]

    @cached_property
    def sources(self) -> npt.NDArray[np.int64]:
        """The source of each edge."""
        return np.repeat(np.arange(len(self.owners)), self.degrees)

    @property
    def for_certificate(self) -> CertificateGraph:
        """The graph in the form that certificates read."""
        from zermelo._engine.infinite.certificate_graph import CertificateGraph

        return CertificateGraph(self.indptr, self.indices, self.owners)

    def number(self, node: Any) -> int:
        """Return the number of a node.

        Raises:
            PositionError: there is no such node.
        """
        try:
            return self.nodes.index(node)
        except (ValueError, TypeError):
            message = f"{node!r} is not a node of the graph; give one of its nodes"
            raise PositionError(message) from None

    def mask(self, subset: Any) -> Mask:
        """Return the mask of the nodes that ``subset`` contains.

        Raises:
            ParameterError: ``subset`` is not a set of nodes.
            PositionError: an element is not a node.
        """
        result = np.zeros(len(self.nodes), np.bool_)
        if isinstance(subset, np.ndarray) and subset.dtype == np.bool_:
            if subset.shape != result.shape:
                booleans, nodes = (
                    count_phrase(subset.size, "booleans"),
                    count_phrase(len(result), "nodes"),
                )
                message = f"there are {booleans} for {nodes}; give one a node"
                raise ParameterError(message)
            return subset
        if isinstance(subset, str) or not isinstance(subset, Iterable):
            message = f"{subset!r} is not a set of nodes; give a list or a set"
            raise ParameterError(message)
        numbers = {node: i for i, node in enumerate(self.nodes)} if self.named else None
        for node in subset:
            if numbers is None:
                result[self.number(node)] = True
            elif node in numbers:
                result[numbers[node]] = True
            else:
                message = f"{node!r} is not a node of the graph; give some of its nodes"
                raise PositionError(message)
        return result

    def node_numbers(
        self, name: str, argument: str | Mapping[Any, int] | npt.ArrayLike, graph: Any
    ) -> npt.NDArray[np.int64]:
        """Return a whole number for each node.

        Args:
            name: the name of the argument, for messages.
            argument: for networkx a node attribute, or a mapping from nodes; else one number per
                node.
            graph: the graph as the caller gave it.

        Raises:
            ParameterError: a node has no whole number.
        """
        if is_networkx(graph) and isinstance(argument, str | Mapping):
            by_node = node_attribute(graph, argument)
            numbers: Any = [by_node.get(node) for node in self.nodes]
        else:
            numbers = argument
        return _whole_numbers(name, numbers, self.nodes, "nodes")

    def edge_numbers(
        self, name: str, argument: str | npt.ArrayLike, graph: Any
    ) -> npt.NDArray[np.int64]:
        """Return a whole number for each edge, in the order of ``indices``.

        Args:
            name: the name of the argument, for messages.
            argument: for networkx an edge attribute; else one number per edge.
            graph: the graph as the caller gave it.

        Raises:
            ParameterError: an edge has no whole number.
        """
        numbers: Any = argument
        if isinstance(argument, str):
            numbers = networkx_edge_attribute(graph, argument) if is_networkx(graph) else None
        return _whole_numbers(name, numbers, range(len(self.indices)), "edges")

    def as_given(self, mask: Mask) -> Any:
        """Return nodes in the form that corresponds to the graph's."""
        if not self.named:
            return mask
        return {self.nodes[i] for i in np.flatnonzero(mask).tolist()}


def valid_player(player: Any) -> int:
    """Return a player as a number.

    Raises:
        ParameterError: it is not 0 or 1.
    """
    if isinstance(player, bool) or player not in (0, 1):
        message = f"player={player!r} is not a player; use 0 or 1"
        raise ParameterError(message)
    return int(player)


def _row(name: str, numbers: object) -> npt.NDArray[Any]:
    """Return numbers as an array.

    Raises:
        ParameterError: they are rows of different lengths.
    """
    try:
        return np.asarray(numbers)
    except ValueError:
        message = f"{name} has rows of different lengths; give one number each"
        raise ParameterError(message) from None


def _whole_numbers(
    name: str, numbers: object, things: Sequence[Hashable], noun: str
) -> npt.NDArray[np.int64]:
    """Return whole numbers as an array.

    Args:
        name: the name of the argument, for messages.
        numbers: one number for each thing.
        things: the names of nodes, or the numbers of nodes or edges.
        noun: "nodes" or "edges".

    Raises:
        ParameterError: they are other things, or another number of them.
    """
    row, count = _row(name, numbers), len(things)
    if row.shape != (count,):
        message = f"{name} has the shape {row.shape}; give a whole number for each of "
        raise ParameterError(message + count_phrase(count, noun))
    if row.dtype.kind not in "iu" and count:
        listed = row.tolist()
        places = [
            place
            for place, number in enumerate(listed)
            if isinstance(number, bool) or not isinstance(number, int)
        ]
        if places or row.dtype.kind == "b":
            place = places[0]
            message = (
                f"{name} of {noun[:-1]} {things[place]!r} is {listed[place]!r}; give a whole number"
            )
            raise ParameterError(message)
        row = np.array(listed, object)
    if count and not -_MOST_NUMBER <= int(row.min()) <= int(row.max()) <= _MOST_NUMBER:
        message = f"{name} goes from {row.min()} to {row.max()}; use numbers within ±2⁵³"
        raise ParameterError(message)
    return np.ascontiguousarray(row.astype(np.int64, copy=False))
