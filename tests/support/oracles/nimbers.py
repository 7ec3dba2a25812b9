"""Values of nimber solutions in the oracle's form, and the moves of games as it takes them."""

from __future__ import annotations

from typing import Any

from support.oracles import oracle
from zermelo.values.outcomes import Value


def as_oracle(value: Value) -> Any:
    """Return a nimber as a number, and an infinity as the set of its nimbers."""
    return value.nimber if value.infinity is None else frozenset(value.infinity)


def nimbers_of(game: Any) -> dict[Any, Any]:
    """Return what the oracle finds for every position of a game."""
    graph = oracle.explore(game)
    moves: dict[Any, list[Any]] = {p: [] for p in graph.ends}
    moves |= {p: [e.child for e in edges] for p, edges in graph.edges.items()}
    return oracle.nimbers(moves)
