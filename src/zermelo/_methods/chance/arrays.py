"""The graph of a game with chance in arrays, and the compiled kernels for it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.infinite.components import components
from zermelo._methods.chance.kernels import (
    BY_CHANCE,
    OVER,
    PLAYED,
    decide_acyclic,
    decide_components,
    number_ranks,
    number_stages,
    renumber,
)
from zermelo._methods.chance.solver import ChanceGraph, Kernels
from zermelo.values.expectations import CHANCE, UNKNOWN_EXPECTATION, Expectations

if TYPE_CHECKING:
    from zermelo.progress import Reporter

#: Bytes of a position: two bounds and two raised ones, the final result, the component, its place
#: in the order, the rank, and the search for components.
POSITION_BYTES = 2 * 8 + 2 * 8 + 8 + 8 + 4 + 4 + 4 * 8
#: Bytes of an edge while it is numbered again: two codes and two labels.
EDGE_BYTES = 4 * 4


class Arcs(NamedTuple):
    """Positions with all their moves and results of chance.

    Attributes:
        first: the index of the first edge of each position, and the end.
        edges: the successor of each edge.
        labels: the points of a move, or the weight of a result of chance with flags.
        owners: the player for whom the value of each position is; empty if labels say it.
        values: the code of the rules for each ended game, UNKNOWN_EXPECTATION or CHANCE elsewhere.
    """

    first: npt.NDArray[np.int64]
    edges: npt.NDArray[np.uint32]
    labels: npt.NDArray[Any]
    owners: npt.NDArray[np.uint8]
    values: npt.NDArray[np.int64]


class Outside(NamedTuple):
    """Known positions outside the part of a graph that is solved: its first positions.

    Attributes:
        bounds: two bounds of each; see ``kernels``.
        ranks: the rank of each.
    """

    bounds: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.uint32]


def ordered_graph(
    arcs: Arcs,
    worth: int,
    kind: Expectations,
    *,
    forward: bool,
    known: int = 0,
) -> tuple[ChanceGraph, npt.NDArray[np.uint32]]:
    """Return a graph in the form of the solver, and the positions in the order of its numbers.

    Args:
        arcs: the positions.
        worth: what endless play is worth to the first player, in points.
        kind: the kind of the rules' values.
        forward: whether every move leads to a later position.
        known: the number of positions outside the part that is solved: they are the first, have no
            moves, and are known later; see ``with_outside``.
    """
    positions = len(arcs.values)
    kinds = np.full(positions, PLAYED, np.uint8)
    is_over = arcs.first[1:] == arcs.first[:-1]
    is_over[:known] = False
    kinds[is_over] = OVER
    kinds[arcs.values == CHANCE] = BY_CHANCE
    finals = np.where(is_over & (arcs.values != UNKNOWN_EXPECTATION), arcs.values, 0)
    # In each component the last position comes first, as its moves were found last.
    order = np.arange(positions - 1, known - 1, -1, dtype=np.uint32)
    starts = None
    if not forward or kind.adds_points:
        component = components(arcs.first, arcs.edges)[0].astype(np.uint32)[order]
        by_component = np.argsort(component, kind="stable").astype(np.uint32)
        order, component = order[by_component], component[by_component]
        del by_component
        changes = np.flatnonzero(component[1:] != component[:-1]) + 1
        del component
        starts = known + np.concatenate([[0], changes, [len(order)]])
    order = np.concatenate([np.arange(known, dtype=np.uint32), order])
    places = np.empty(positions, np.uint32)
    places[order] = np.arange(positions, dtype=np.uint32)
    del is_over
    first = np.concatenate([[0], np.cumsum(np.diff(arcs.first)[order])])
    labels = np.empty(len(arcs.labels), np.int64 if kind.adds_points else np.uint32)
    numbered = (first, np.empty_like(arcs.edges), labels, np.empty_like(kinds))
    renumber(order, places, (*arcs[:4], kinds), kind.adds_points, numbered)
    owners = arcs.owners[order] if worth and len(arcs.owners) else arcs.owners[:0]
    return ChanceGraph(numbered, starts, finals[order], owners, worth, kind.adds_points), order


def with_outside(graph: ChanceGraph, outside: Outside) -> ChanceGraph:
    """Return a graph with what is known now of the positions outside the part that is solved."""
    # One that is better for a player than endless play has a rank, unless it is over.
    graph.moves[3][: len(outside.ranks)][outside.ranks == 0] = OVER
    return replace(graph, outside=outside.bounds, outside_ranks=outside.ranks)


def codes_of(bounds: npt.NDArray[np.int64], kind: Expectations) -> npt.NDArray[np.int64]:
    """Return the codes of pairs of bounds."""
    pairs = bounds.reshape(-1, 2)
    codes: npt.NDArray[np.int64] = (pairs[:, 0] << kind.shift) - pairs.sum(axis=1)
    return codes


def bounds_of_codes(codes: npt.NDArray[np.int64], kind: Expectations) -> npt.NDArray[np.int64]:
    """Return the pairs of bounds of codes, the inverse of ``codes_of``."""
    return np.stack([kind.lowers(codes), -kind.uppers(codes)], axis=1).reshape(-1)


def compiled_kernels(report: Reporter) -> Kernels:
    """Return the compiled kernels; ``report`` receives the number of positions decided."""
    return Kernels(
        decide_acyclic,
        decide_components,
        number_ranks,
        number_stages,
        _array,
        np.left_shift,
        _paired,
        np.add,
        extremes,
        report.advance,
    )


def _array(value: int, count: int) -> npt.NDArray[np.int64]:
    """Return an array of equal integers."""
    array: npt.NDArray[np.int64] = zeros(count, np.int64)
    if value:
        array[:] = value
    return array


def _paired(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return an array of each integer and its negative in turn."""
    return np.stack([numbers, -numbers], axis=1).reshape(-1)


def extremes(pairs: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Return the greatest absolute number, and the greatest sum of a pair, negated."""
    if not len(pairs):
        return 0, 0
    most = max(int(pairs.max()), -int(pairs.min()))
    return most, -int(pairs[: len(pairs) & ~1].reshape(-1, 2).sum(axis=1).min(initial=0))
