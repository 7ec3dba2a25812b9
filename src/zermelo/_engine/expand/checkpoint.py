"""Checkpoints of an explored graph and of its values."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import numpy as np

from zermelo._engine.core.array_types import Uint32Array
from zermelo._engine.expand.discovery import Graph
from zermelo._engine.index.hash_index import HashIndex
from zermelo._engine.store.packed_moves import PackedMoves

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.expand.expander import Expand

#: The stages of an explored graph, and of the values of all its positions.
EXPLORED, VALUES = "explored", "values"
_ARRAYS = ("keys", "first", "edges", "values", "owners", "gains")


def checkpoint_graph(checkpoint: Checkpoint, graph: Graph) -> None:
    """Save an explored graph before it is solved, if the time spent justifies it."""
    if not checkpoint.saves:
        return
    table = graph.table
    note = [graph.positions, graph.starts, graph.forward, graph.layered, graph.whole]
    arrays = {name: getattr(graph, name) for name in _ARRAYS}
    if graph.packed is not None:
        arrays |= graph.packed.arrays
    arrays["layers"] = np.array(graph.layers, np.int64)
    checkpoint.save(EXPLORED, [*note, table.is_direct, table.entries], **arrays)


def resumed_graph(checkpoint: Checkpoint, expand: Expand) -> Graph | None:
    """Return the saved graph with its index rebuilt, or None."""
    note = checkpoint.note(EXPLORED)
    if note is None:
        return None
    positions, starts, forward, layered, whole, direct, entries = note
    arrays = checkpoint.read(EXPLORED)
    table = HashIndex(expand.words, expand.used)
    table.grow(entries, arrays["keys"], positions, direct=bool(direct))
    return Graph(
        expand.words,
        positions,
        starts,
        arrays["keys"],
        table,
        arrays["first"],
        arrays["edges"],
        arrays["values"],
        arrays["owners"],
        arrays["gains"],
        bool(forward),
        array("q", arrays["layers"].tobytes()),
        bool(layered),
        bool(whole),
        PackedMoves.from_arrays(arrays) if "rows" in arrays else None,
    )


def checkpoint_values(
    checkpoint: Checkpoint, graph: Graph, rounds: int, order: Uint32Array | None = None
) -> None:
    """Save the values of all positions, if the time spent justifies it.

    Args:
        checkpoint: the checkpoint of the solve.
        graph: the solved graph.
        rounds: the number of rounds of the solve.
        order: a further number for each position, or None.
    """
    extra_arrays = {} if order is None else {"order": order}
    checkpoint.save(VALUES, [rounds], values=graph.values, **extra_arrays)


def restore_values(checkpoint: Checkpoint, graph: Graph) -> tuple[int, Uint32Array | None] | None:
    """Restore the saved values into a graph.

    Returns:
        The number of rounds and the further numbers; None if no values were saved.
    """
    note = checkpoint.note(VALUES)
    if note is None:
        return None
    arrays = checkpoint.read(VALUES, values=graph.values)
    graph.values[:] = arrays["values"]
    return note[0], arrays.get("order")
