"""A graph that was explored, and its values, in a checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo._engine.expand.discovery import Graph
from zermelo._engine.index.hash_index import HashIndex

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.expand.expander import Expand

#: The stages of a graph that has been explored, and of the values of all its positions.
EXPLORED, VALUES = "explored", "values"
_ARRAYS = ("keys", "first", "edges", "values", "owners", "gains")


def checkpoint_graph(checkpoint: Checkpoint, graph: Graph) -> None:
    """Keep a graph of which nothing is decided but its ends, if that is worth it."""
    if not checkpoint.saves:
        return
    table = graph.table
    note = [graph.positions, graph.starts, graph.forward, graph.layered, graph.whole]
    arrays = {name: getattr(graph, name) for name in _ARRAYS}
    arrays["layers"] = np.array(graph.layers, np.int64)
    checkpoint.save(EXPLORED, [*note, table.is_direct, table.entries], **arrays)


def resumed_graph(checkpoint: Checkpoint, expand: Expand) -> Graph | None:
    """Return the graph that was kept, if one was, with its index made again."""
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
        arrays["layers"].tolist(),
        bool(layered),
        bool(whole),
    )


def checkpoint_values(
    checkpoint: Checkpoint, graph: Graph, rounds: int, order: npt.NDArray[np.uint32] | None = None
) -> None:
    """Keep the values of all positions, if that is worth it.

    Args:
        checkpoint: where.
        graph: the graph, all of it decided.
        rounds: how many rounds that took.
        order: what else the method found of each position.
    """
    more = {} if order is None else {"order": order}
    checkpoint.save(VALUES, [rounds], values=graph.values, **more)


def resumed_values(
    checkpoint: Checkpoint, graph: Graph
) -> tuple[int, npt.NDArray[np.uint32] | None] | None:
    """Put the values that were kept into a graph, if any were.

    Returns:
        How many rounds they took and what else was kept of each position; None if there are none.
    """
    note = checkpoint.note(VALUES)
    if note is None:
        return None
    arrays = checkpoint.read(VALUES, values=graph.values)
    graph.values[:] = arrays["values"]
    return note[0], arrays.get("order")
