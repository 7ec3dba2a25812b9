"""The best move of each position: the first of those that lead to the best value."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.nimbers import move_at
from zermelo._engine.column.value_operations import ValueOperations, operations_of
from zermelo._engine.core.array_types import Int32Array, Int64Array, IntArray, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo.values.kind import Kind
from zermelo.values.nimbers import IN_SETS, NIMBERS
from zermelo.values.partizan import PARTIZAN


def best_moves(
    kind: Kind,
    ends: npt.NDArray[Any],
    stored: npt.NDArray[Any],
    owners: Uint8Array,
    child_stored: npt.NDArray[Any],
    child_owners: Uint8Array,
    gains: Int64Array,
    distances: Int64Array,
    out: Int64Array,
) -> None:
    """Write the index of each position's best move, or -1 if it has no moves.

    Args:
        kind: the kind of the values.
        ends: the end of each position's moves among all moves.
        stored: the code of each position.
        owners: the player to move in each position; empty if the players strictly alternate.
        child_stored: the code of the child of each move.
        child_owners: the player to move in each child.
        gains: the points of each move, if the kind has points; if positions are split, 1 for the
            last component after each move.
        distances: for nimbers, a number for each child that decreases along winning moves.
        out: receives the indices.

    Raises:
        UnknownKindError: the kind has an algebra that is not known here.
    """
    if kind.algebra == NIMBERS.algebra:
        _best_nimber(ends, child_stored, gains, distances, out)
    elif kind.algebra == PARTIZAN.algebra:
        _first_winning(kind, ends, child_stored, gains[: len(child_stored)], out)
    else:
        choose = _choice(operations_of(kind))
        choose(ends, stored, owners, child_stored, child_owners, gains, out)


def _first_winning(
    kind: Kind,
    ends: Int32Array,
    child_stored: npt.NDArray[Any],
    gains: Int64Array,
    out: Int64Array,
) -> None:
    """Choose the first move that wins, else the first move, in a partizan game."""
    codes, move_ends = child_stored, np.asarray(ends, np.int64)
    if gains.size:  # a move leads to several components, whose values are added
        is_last = gains != 0
        move_ends = np.concatenate([[0], np.cumsum(is_last)])[move_ends]
        components = np.split(child_stored, np.flatnonzero(is_last)[:-1] + 1)
        codes = np.array([kind.sum(each.tolist()) for each in components], np.int64)
    winning = np.flatnonzero(kind.outcomes(codes) < 0)  # lost for the player who replies
    begins = np.concatenate([[0], move_ends[:-1]])
    after = np.append(winning, len(codes))[np.searchsorted(winning, begins)]
    chosen = np.where(after < move_ends, after - begins, 0)
    out[:] = np.where(begins == move_ends, -1, chosen)


@functools.cache
def _choice(operations: ValueOperations) -> Callable[..., None]:
    """Return the kernel that chooses the moves of an algebra."""
    preference, bar, scored = operations.preference, operations.bar, operations.scored

    @kernel
    def choose(
        ends: Int32Array,
        stored: IntArray,
        owners: Uint8Array,
        child_stored: IntArray,
        child_owners: Uint8Array,
        gains: Int64Array,
        out: Int64Array,
    ) -> None:
        alternate = owners.size == 0
        edge = 0
        for i in range(out.size):
            begin, best = edge, np.int64(bar)
            out[i] = -1
            while edge < ends[i]:
                same_mover = (not alternate) and owners[i] == child_owners[edge]
                gain = gains[edge] if scored else 0
                value = preference(stored[i], child_stored[edge], same_mover, gain)
                if value > best:
                    best = value
                    out[i] = edge - begin
                edge += 1

    return choose


@kernel
def _best_nimber(
    ends: Int32Array,
    child_stored: Int32Array,
    gains: Int64Array,
    distances: Int64Array,
    out: Int64Array,
) -> None:
    """Choose a move to 0, else to a draw; of several moves to 0 the one nearest to the end."""
    edge = np.int64(0)
    nothing = distances[:0]
    for i in range(out.size):
        best, nearest = np.int64(-2), np.int64(0)
        out[i] = -1
        move = np.int64(0)
        while edge < ends[i]:
            begin = edge
            edge, endless, component, nimber, _, _, _ = move_at(
                child_stored, nothing, gains, begin, np.int64(0)
            )
            rating = np.int64(nimber == 0) - np.int64(nimber != 0)
            if endless > 1:
                rating = np.int64(0)
            elif endless == 1:
                bits = -1 - np.int64(child_stored[component])
                is_won = nimber < IN_SETS and (bits >> min(nimber, IN_SETS)) & 1 != 0
                rating = -np.int64(is_won)
            distance = np.int64(distances[begin])
            for e in range(begin, edge):
                distance = max(distance, np.int64(distances[e]))
            if rating > best or (rating == 1 and best == 1 and distance < nearest):
                best, nearest = rating, distance
                out[i] = move
            move += 1
