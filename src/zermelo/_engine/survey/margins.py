"""The probability of each margin in a score game, for a playing model."""

from __future__ import annotations

import numpy as np

from zermelo._engine.column.value_operations import is_best_margin
from zermelo._engine.core.array_types import Float64Array, Int64Array, Uint8Array, Uint32Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.survey.chances import margin_weights
from zermelo._engine.survey.move_graph import MoveGraph

#: The part of the memory budget that the probabilities of all margins may take, as a divisor.
_SHARE = 4
#: The most probabilities: margins may be far apart.
_MOST_PROBABILITIES = 1 << 25
#: Bytes for each position, without its probabilities.
_POSITION_BYTES = 3 * 8
#: Margins by bad play may exceed 64 bits; beyond this limit there are too many margins anyway.
_MARGIN_LIMIT = 1 << 62


@kernel
def _reach(
    order: Uint32Array,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    owners: Uint8Array,
    gains: Int64Array,
    low: Int64Array,
    high: Int64Array,
) -> None:
    """Compute the least and the greatest possible margin of each position."""
    for index in range(first.size - 1):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        if first[i] == first[i + 1]:
            low[i] = high[i] = values[i]
            continue
        least, most = np.int64(_MARGIN_LIMIT), np.int64(-_MARGIN_LIMIT)
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            gain = gains[e]
            if owners.size > 0 and owners[i] == owners[child]:
                least = min(least, gain + low[child])
                most = max(most, gain + high[child])
            else:
                least = min(least, gain - high[child])
                most = max(most, gain - low[child])
        low[i] = max(least, np.int64(-_MARGIN_LIMIT))
        high[i] = min(most, np.int64(_MARGIN_LIMIT))


@kernel
def _spread_out(
    order: Uint32Array,
    first: Int64Array,
    edges: Uint32Array,
    values: Int64Array,
    owners: Uint8Array,
    gains: Int64Array,
    errs: float,
    low: Int64Array,
    share_begins: Int64Array,
    share: Float64Array,
) -> None:
    """Compute the probability of each margin of each position."""
    for index in range(first.size - 1):
        i = np.int64(order[index]) if order.size else first.size - 2 - index
        if first[i] == first[i + 1]:
            share[share_begins[i]] = 1.0
            continue
        move_weight, best_weight = margin_weights(i, first, edges, values, owners, gains, errs)
        for e in range(first[i], first[i + 1]):
            child = np.int64(edges[e])
            gain = gains[e]
            same_mover = owners.size > 0 and owners[i] == owners[child]
            weight = move_weight
            if best_weight > 0.0 and is_best_margin(values[i], values[child], same_mover, gain):
                weight += best_weight
            if weight == 0.0:
                continue
            for k in range(share_begins[child], share_begins[child + 1]):
                margin = low[child] + k - share_begins[child]
                margin = gain + margin if same_mover else gain - margin
                share[share_begins[i] + margin - low[i]] += weight * share[k]


def margins(
    move_graph: MoveGraph, errs: float, ledger: Ledger, resident_bytes: int
) -> dict[int, float] | None:
    """Return the probability of each margin from the first start, or None if there are too many.

    Args:
        move_graph: the positions and their moves.
        errs: the probability of a random move, from 0 to 1.
        ledger: the memory budget.
        resident_bytes: bytes of other data in memory, without the moves.
    """
    resident_bytes += move_graph.bytes + _POSITION_BYTES * move_graph.positions
    low = np.empty(move_graph.positions, np.int64)
    high = np.empty(move_graph.positions, np.int64)
    order = np.empty(0, np.uint32) if move_graph.order is None else move_graph.order
    arrays = (
        move_graph.first,
        move_graph.edges,
        move_graph.values,
        move_graph.owners,
        move_graph.gains,
    )
    _reach(order, *arrays, low, high)
    entries = float(np.sum((high - low).astype(np.float64))) + move_graph.positions
    allowance = min(ledger.allowed // _SHARE, ledger.allowed - resident_bytes)
    if 8 * entries > min(allowance, 8 * _MOST_PROBABILITIES):
        return None
    ledger.fits(resident_bytes + int(8 * entries))
    share_begins = np.zeros(move_graph.positions + 1, np.int64)
    np.cumsum(high - low + 1, out=share_begins[1:])
    share = np.zeros(int(share_begins[-1]))
    _spread_out(order, *arrays, errs, low, share_begins, share)
    start = int(move_graph.starts[0])
    shares = share[share_begins[start] : share_begins[start + 1]].tolist()
    return {int(low[start]) + k: chance for k, chance in enumerate(shares) if chance > 0.0}
