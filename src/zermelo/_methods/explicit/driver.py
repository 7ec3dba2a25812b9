"""Explicit graphs: the plan of a solve, the certificate, the strategy, and values as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo._engine.backward.propagate import Spreading
from zermelo._engine.backward.rounds import stored_moves_method
from zermelo._engine.backward.status import StatusArray, TerminalCodes
from zermelo._engine.backward.tie_preference import tie_preference
from zermelo._engine.backward.transpose import BUCKET_BYTES, transposed_bytes
from zermelo._engine.column import codes
from zermelo._engine.column.codes import Scale
from zermelo._engine.core.array_types import IntArray
from zermelo._engine.core.ledger import Ledger, readable
from zermelo._engine.core.memory import zeros
from zermelo._engine.core.threads import map_ordered, thread_pool
from zermelo._methods.explicit.graph_source import BATCH, Arrays, GraphSource
from zermelo._methods.explicit.index import VertexCodes
from zermelo._methods.explicit.kernels import NONE, check_codes, choose_edges, split_codes
from zermelo.forms.quantities import count_phrase
from zermelo.progress import Reporter
from zermelo.values.endless import REMOTENESS_ALGEBRAS
from zermelo.values.kind import Kind, check_known
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: The description of a solve with all reversed edges in memory.
_REVERSED = "retrograde analysis along reversed edges"
Made = TypeVar("Made")
_METHOD = "the method of explicit graphs"


class InvalidVertexError(Exception):
    """A vertex has invalid edges or an invalid outcome.

    Attributes:
        problem: the problem, one of the constants of ``backward.status``.
        vertex: the vertex's number.
    """

    def __init__(self, problem: int, vertex: int) -> None:
        """Store the problem and the vertex."""
        super().__init__(problem, vertex)
        self.problem = problem
        self.vertex = vertex


@dataclass(frozen=True)
class ScanPlan:
    """The algorithm that solves a graph within the memory budget.

    Attributes:
        capacity: the capacity of the buckets in edges; None if the graph is not transposed.
        choice: the description of the algorithm.
        narrow: whether the status array has 16 bits per vertex as long as these suffice.
    """

    capacity: int | None
    choice: str
    narrow: bool = True


def plan(vertices: int, edges: int, copied: int, ledger: Ledger) -> ScanPlan:
    """Choose the fastest algorithm that fits in memory, and reserve its memory.

    Args:
        vertices: the number of vertices.
        edges: the number of edges.
        copied: bytes of the graph's copy, if it was given in another form.
        ledger: the memory that may be allocated, the copy included.

    Raises:
        BudgetError: no algorithm fits in memory.
    """
    # The status has two bytes per vertex, and four more while it is converted to 32 bits.
    narrow_bytes, wide_bytes = 2 * vertices, 4 * vertices
    reversed_bytes = copied + narrow_bytes + transposed_bytes(vertices, edges)
    spread_bytes = reversed_bytes + Spreading.needed_bytes(vertices) + wide_bytes
    full_bytes = max(reversed_bytes + BUCKET_BYTES * edges, spread_bytes)
    if ledger.fits(full_bytes):
        return ScanPlan(edges, _REVERSED)
    capacity = ledger.capacity(edges, reversed_bytes, BUCKET_BYTES)
    size = readable(ledger.allowed)
    if capacity and spread_bytes <= ledger.allowed:
        ledger.fits(ledger.allowed)
        passes = -(-edges // capacity)
        text = f"retrograde analysis along edges reversed in about {passes} passes, "
        return ScanPlan(capacity, f"{text}because all of them do not fit in {size}")
    text = f"rounds over all edges, because the reversed edges do not fit in {size}"
    if ledger.fits(copied + narrow_bytes + wide_bytes):
        return ScanPlan(None, text)
    ledger.reserve(
        copied + wide_bytes,
        f"solving {count_phrase(vertices, 'vertices')}",
        "make the graph smaller",
    )
    return ScanPlan(None, text, narrow=False)


def solve(
    graph: Arrays, scan_plan: ScanPlan, threads: int, report: Reporter, kind: Kind = WIN_DRAW_LOSS
) -> VertexCodes:
    """Return the value of every vertex.

    Raises:
        InvalidVertexError: edges descend at a vertex, or its outcome is invalid.
        UnknownKindError: the kind of value has no remoteness.
    """
    check_known(kind, REMOTENESS_ALGEBRAS, _METHOD)
    with report.phase("prepare"):
        status = StatusArray.of_terminals(
            graph.first,
            graph.outcome,
            terminal_codes(graph.dead_end),
            lambda: zeros(graph.vertices, np.int32),
            narrow=scan_plan.narrow,
            ties=tie_preference(kind.favours),
        )
    if status.problem:
        raise InvalidVertexError(status.problem, status.place)
    moves = graph.first, graph.edges, graph.owners
    method = stored_moves_method(*moves, threads, scan_plan.capacity, report)
    with report.phase("retrograde", graph.vertices):
        status.decide(method, report)
        status.write(status.state, status.scale)
    return VertexCodes(status.state, graph.owners, status.scale, kind)


def terminal_codes(dead_end: int) -> TerminalCodes:
    """Return the codes that outcomes of vertices have in a graph.

    Args:
        dead_end: the outcome of a vertex without edges and without a given outcome.
    """
    return TerminalCodes(NONE, 1, 0, -1, dead_end)


# -- values as arrays -----------------------------------------------------------------------------


def split(stored: IntArray, scale: Scale) -> tuple[Any, Any]:
    """Return the outcomes (int8) and remotenesses (int32, -1 for an endless draw) of codes."""
    outcome = zeros(len(stored), np.int8)
    remoteness = zeros(len(stored), np.int32)
    split_codes(stored, outcome, remoteness, scale.last, scale.ties)
    return outcome, remoteness


def wide_code(code: int, scale: Scale) -> int:
    """Return the code on the wide scale."""
    if abs(code) > scale.ties:
        return code + (codes.LAST - scale.last) * (1 if code > 0 else -1)
    return code + codes.TIES - scale.ties if code > 0 else code


# -- the certificate and the strategy -------------------------------------------------------------


def certify(
    source: GraphSource,
    values: VertexCodes,
    threads: int,
    report: Reporter,
    batch: int = BATCH,
) -> tuple[int, int] | None:
    """Check that every vertex's code follows from its successors' codes, along the given edges.

    Args:
        source: the graph.
        values: the values of its vertices.
        threads: threads to use.
        report: receives the number of checked vertices.
        batch: the number of vertices in a batch.

    Returns:
        None, or the first vertex whose code is wrong, with its correct wide code.

    Raises:
        UnknownKindError: the kind of value has no remoteness.
    """
    check_known(values.kind, REMOTENESS_ALGEBRAS, _METHOD)
    stored, owners, scale, kind = values.stored, values.owner, values.scale, values.kind

    def work(begin: int) -> tuple[int, int, int]:
        end = min(begin + batch, source.vertices)
        part = source.vertex_range(begin, end)
        vertex, code = check_codes(
            part,
            owners,
            stored,
            begin,
            end,
            source.dead_end,
            scale.last,
            scale.ties,
            kind.favours,
        )
        return end, int(vertex), int(code)

    with report.phase("verify", source.vertices):
        for end, vertex, code in _map_batches(work, range(0, source.vertices, batch), threads):
            if vertex >= 0:
                return vertex, kind.at_turn(wide_code(code, scale), values.owner_of(vertex))
            report.advance(end)
    return None


def best_edges(
    source: GraphSource, values: VertexCodes, begin: int, end: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the index of each vertex's first best edge, and the target of that edge.

    Both are -1 at a terminal vertex.

    Raises:
        UnknownKindError: the kind of value has no remoteness.
    """
    check_known(values.kind, REMOTENESS_ALGEBRAS, _METHOD)
    part = source.vertex_range(begin, end)
    chosen = np.empty(end - begin, np.int64)
    choose_edges(part, values.owner, values.stored, begin, end, values.scale.ties, chosen)
    if not len(part.edges):
        return chosen, chosen
    is_terminal = chosen < 0
    return np.where(is_terminal, -1, chosen + part.at), np.where(
        is_terminal, -1, part.edges[chosen].astype(np.int64)
    )


def strategy(
    source: GraphSource, values: VertexCodes, threads: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the index and the target of the first best edge of every vertex."""
    places: npt.NDArray[np.int64] = zeros(source.vertices, np.int64)
    targets: npt.NDArray[np.int64] = zeros(source.vertices, np.int64)
    batch = limits.current().batch(BATCH)

    def work(begin: int) -> None:
        end = min(begin + batch, source.vertices)
        places[begin:end], targets[begin:end] = best_edges(source, values, begin, end)

    for _ in _map_batches(work, range(0, source.vertices, batch), threads):
        pass
    return places, targets


def _map_batches(work: Callable[[int], Made], starts: range, threads: int) -> Iterator[Made]:
    """Yield the results of batches of vertices in order, computed in threads."""
    waiting = [None] * (2 * threads if threads > 1 and len(starts) > 1 else 1)
    with thread_pool(threads, "zermelo-graph") as pool:
        for _, made in map_ordered(pool, waiting, lambda _, begin: work(begin), starts):
            yield made
