"""Pursuits on graphs: Cat and Mouse by several methods, and ``zermelo.pursuit``."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks import inputs
from benchmarks.works.common import Answer, Prepared, told


def solve(graph: str, nodes: int, method: str = "retrograde") -> Prepared:
    """Solve Cat and Mouse on a graph of ``benchmarks.inputs``."""
    import zermelo
    from zermelo.games import CatAndMouse

    rows = getattr(inputs, graph)(nodes)
    for way in ("retrograde", "horizon"):
        zermelo.solve(CatAndMouse(inputs.path(nodes)), method=way)

    def tell(solution: Any) -> Answer:
        own = [seconds for name, seconds in solution.phases if name != "explore"]
        return {**told(solution), "extra": {"method seconds": sum(own)}}

    return lambda: zermelo.solve(CatAndMouse(rows), method=method), tell


def by_textbook(graph: str, nodes: int) -> Prepared:
    """Solve it with a dictionary, a queue and counters."""
    from benchmarks.baselines import cat_and_mouse as textbook

    rows = getattr(inputs, graph)(nodes)
    return lambda: textbook.solve(rows), lambda table: _pursuit_told(table, nodes)


def _pursuit_told(table: dict[tuple[int, int, int], tuple[int, int]], nodes: int) -> Answer:
    """Put who wins as the outcome for the player to move; what nobody wins is an endless draw."""
    counts = Counter(
        f"{1 if winner == turn else -1}:{plies}" for (_, _, turn), (winner, plies) in table.items()
    )
    positions = 2 * nodes * (nodes - 1)
    if positions > len(table):
        counts["0:None"] = positions - len(table)
    return {"positions": positions, "tally": dict(counts)}


def small_games(count: int) -> Prepared:
    """Solve Cat and Mouse on many small graphs, one after another."""
    import zermelo
    from zermelo.games import CatAndMouse

    graphs = inputs.small_graphs(count)
    zermelo.solve(CatAndMouse(graphs[0]), method="retrograde")
    cache = Path(os.environ["ZERMELO_CACHE_DIR"])
    before = _files(cache)

    def tell(solutions: list[Any]) -> Answer:
        games = [told(solution) for solution in solutions]
        compiled = {"files": before, "files after": _files(cache)}
        return {"games": games, "extra": compiled}

    way = "retrograde"
    return lambda: [zermelo.solve(CatAndMouse(graph), method=way) for graph in graphs], tell


def small_games_by_textbook(count: int) -> Prepared:
    """Solve the same with dictionaries."""
    from benchmarks.baselines import cat_and_mouse as textbook

    graphs = inputs.small_graphs(count)

    def tell(tables: list[Any]) -> Answer:
        pairs = zip(tables, graphs, strict=True)
        return {"games": [_pursuit_told(table, len(graph)) for table, graph in pairs]}

    return lambda: [textbook.solve(graph) for graph in graphs], tell


def chase(nodes: int, degree: int, threads: int) -> Prepared:
    """Find who wins from every placement on a random graph, with the hole at node 0."""
    import numpy as np

    import zermelo

    def run() -> Any:
        return zermelo.pursuit(graph, safe=[0], forbidden=[0], threads=threads)

    def tell(chase: Any) -> Answer:
        won = caught = total = 0
        for turn in range(2):
            marks = chase._solved.marks(turn)  # noqa: SLF001  # winner() and remoteness() copy all
            for cat in range(nodes):  # a row of the C program's, not of everything at once
                column = (marks[:, cat] if turn == 0 else marks[cat]).astype(np.int64)
                winners = np.sign(column) * (1 if turn == 0 else -1)
                won += int((winners > 0).sum())
                caught += int((winners < 0).sum())
                at = (turn * nodes + cat) * nodes + np.arange(nodes, dtype=np.uint64)
                weights = at * np.uint64(2654435761) + np.uint64(1)
                total += int((column.view(np.uint64) * weights).sum(dtype=np.uint64))
        positions = 2 * nodes * (nodes - 1)
        counts = {"positions": positions, "evader": won, "pursuers": caught}
        return {**counts, "sum": str(total % 2**64)}

    graph = inputs.sparse_graph(50, 4)
    run()
    graph = inputs.sparse_graph(nodes, degree)
    return run, tell


def followed(nodes: int, degree: int, pursuers: int, what: str) -> Prepared:
    """Solve a chase, or verify it, in memory or read from a file; on one thread.

    Args:
        nodes: nodes of the graph.
        degree: neighbours of each.
        pursuers: how many there are, who move together.
        what: ``"solve"``, ``"verify"`` or ``"open"``.
    """
    import zermelo

    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "x.table"

    def solved(graph: Any) -> Any:
        return zermelo.pursuit(graph, pursuers=pursuers, safe=[0], threads=1)

    def opened() -> Any:
        with zermelo.open(path, threads=1) as chase:
            return chase.verify()

    def run() -> Any:
        if what == "solve":
            return solved(graph)
        return chase.verify() if what == "verify" else opened()

    def tell(found: Any) -> Answer:
        folder.cleanup()
        return {"positions": len(chase), "ok": bool(found)}

    graph = inputs.sparse_graph(20, 4)
    chase = solved(graph)
    chase.save(path)
    chase.verify()
    opened()
    graph = inputs.sparse_graph(nodes, degree)
    chase = solved(graph)
    chase.save(path, overwrite=True)
    return run, tell


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*.nbc"))
