"""Games with chance: solving, certifying, and the passes over their components alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.works.common import Answer, Prepared

#: Sizes by which everything is compiled.
_SMALL = {"pig": 10, "ur": 1, "ur-throws": 1}
#: The units of a sure win.
_SURE = 1 << 45


def _game(name: str, size: int) -> Any:
    """Return Pig to a goal, or Ur with so many pieces, with or without positions after a throw."""
    from zermelo import games

    if name == "pig":
        return games.Pig(size)
    return games.RoyalGameOfUr(size, keep_throws=name == "ur-throws")


def solve(game: str, size: int, memory: str | None = None) -> Prepared:
    """Find the bounds of every position."""
    import zermelo

    whole = _game(game, size)
    zermelo.solve(_game(game, _SMALL[game]), method="chance")

    def run() -> Any:
        return zermelo.solve(whole, method="chance", threads=1, memory=memory)

    return run, lambda solution: {"positions": len(solution), "bounds": solution.value.bounds}


def verify(game: str, size: int) -> Prepared:
    """Check the certificate."""
    import zermelo

    zermelo.solve(_game(game, _SMALL[game]), method="chance").verify()
    solution = zermelo.solve(_game(game, size), method="chance", threads=1)

    def tell(verdict: Any) -> Answer:
        return {"positions": len(solution), "ok": bool(verdict), "moves": verdict.moves}

    return solution.verify, tell


def passes(game: str, size: int) -> Prepared:
    """Find the bounds of a graph that is explored and numbered already."""
    from zermelo._methods.chance.arrays import compiled_kernels
    from zermelo._methods.chance.solver import decided
    from zermelo.progress import Reporter

    kernels = compiled_kernels(Reporter(None))
    small = _ordered(game, _SMALL[game])
    decided(small, -45, kernels)
    graph = _ordered(game, size)

    def tell(bounds: Any) -> Answer:
        return {"positions": graph.positions, "sum": _checksum(bounds)}

    return lambda: decided(graph, -45, kernels), tell


def write_passes(game: str, size: int, path: str) -> int:
    """Write the same graph for a program in C; return the number of edges."""
    from zermelo.values.expectations import CONTINUES, OPPOSED, WEIGHT

    graph = _ordered(game, size)
    first, codes, labels, kinds = graph.moves
    bounds = np.stack([graph.finals, -graph.finals], axis=1).reshape(-1) * _SURE
    sizes = [len(graph.starts) - 1, graph.positions, len(codes)]
    with Path(path).open("wb") as file:
        labels = labels & (WEIGHT | CONTINUES | OPPOSED)
        parts = (sizes, graph.starts, first, codes, labels, kinds, bounds)
        file.writelines(np.asarray(part).astype(np.int64).tobytes() for part in parts)
    return len(codes)


def _ordered(game: str, size: int) -> Any:
    """Return the graph of a game in the form of the solver."""
    from zermelo._compile.rules import compile_rules
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.expand.discovery import explore
    from zermelo._engine.expand.graph_memory import GraphMemory
    from zermelo._methods.chance.arrays import Arcs, ordered_graph
    from zermelo.progress import Reporter

    compiled = compile_rules(_game(game, size)).with_symmetries()
    budget = GraphMemory(Ledger.for_budget(None), compiled.words, compiled.kind, compiled.alternate)
    graph = explore(
        compiled, compiled.start_words(), budget, 1, Reporter(None), may_drop=False, abandon=None
    )
    arcs = Arcs(graph.first, graph.edges, graph.gains, graph.owners, graph.values)
    kind: Any = compiled.kind
    return ordered_graph(arcs, 0, kind, forward=graph.forward)[0]


def _checksum(bounds: Any) -> int:
    """Return a checksum of all bounds in order, as the program in C has it."""
    powers = np.ones(len(bounds), np.uint64)
    powers[1:] = 31
    powers = np.cumprod(powers, dtype=np.uint64)[::-1]
    total = np.multiply(powers, bounds.view(np.uint64)).sum(dtype=np.uint64)
    return int(total.astype(np.int64))
