"""A graph that was explored, kept on disk and found again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.memory import zeros
from zermelo._engine.expand.discovery import Graph
from zermelo._engine.index.hashed import HashIndex

if TYPE_CHECKING:
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.expand.expander import Expand

#: The stages of a graph that has been explored, and of the values of all its positions.
EXPLORED, VALUES = "explored", "values"
_ARRAYS = ("keys", "first", "edges", "values", "owners", "gains")


def keep_graph(stages: Checkpoint, graph: Graph) -> None:
    """Keep a graph of which nothing is decided but its ends, if that is worth it."""
    table = graph.table
    said = [graph.positions, graph.starts, graph.forward, graph.layered, graph.whole]
    arrays = {name: getattr(graph, name) for name in _ARRAYS}
    arrays["said"] = np.array([*said, table.is_direct, table.entries], np.int64)
    arrays["layers"] = np.array(graph.layers, np.int64)
    stages.keep(EXPLORED, **arrays)


def kept_graph(stages: Checkpoint, expand: Expand) -> Graph | None:
    """Return the graph that was kept, if one was, with its index made again."""
    if not stages.has(EXPLORED):
        return None
    kept = stages.read(EXPLORED, zeros)
    positions, starts, forward, layered, whole, direct, entries = kept["said"].tolist()
    table = HashIndex(expand.words, expand.used)
    table.grow(entries, kept["keys"], positions, direct=bool(direct))
    return Graph(
        expand.words,
        positions,
        starts,
        kept["keys"],
        table,
        kept["first"],
        kept["edges"],
        kept["values"],
        kept["owners"],
        kept["gains"],
        bool(forward),
        kept["layers"].tolist(),
        bool(layered),
        bool(whole),
    )


def keep_values(
    stages: Checkpoint, graph: Graph, rounds: int, order: npt.NDArray[np.uint32] | None = None
) -> None:
    """Keep the values of all positions, if that is worth it.

    Args:
        stages: where.
        graph: the graph, all of it decided.
        rounds: how many rounds that took.
        order: what else the method found of each position.
    """
    arrays: dict[str, npt.NDArray[Any]] = {"values": graph.values, "rounds": np.array(rounds)}
    if order is not None:
        arrays["order"] = order
    stages.keep(VALUES, **arrays)


def kept_values(
    stages: Checkpoint, graph: Graph
) -> tuple[int, npt.NDArray[np.uint32] | None] | None:
    """Put the values that were kept into a graph, if any were.

    Returns:
        How many rounds they took and what else was kept of each position; None if there are none.
    """
    if not stages.has(VALUES):
        return None
    kept = stages.read(VALUES, zeros)
    if len(kept["values"]) != graph.positions:
        return None
    graph.values[:] = kept["values"]
    return int(kept["rounds"]), kept.get("order")
