"""Explicit graphs: solving, certifying, and what plain Python makes of them."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from benchmarks import inputs
from benchmarks.works.common import Answer, Prepared


def solve(vertices: int, threads: int) -> Prepared:
    """Find outcome and remoteness of every vertex."""
    arrays = _ready(vertices, threads)
    import zermelo.graph

    def run() -> Any:
        solution = zermelo.graph.solve(*arrays, threads=threads)
        return solution, solution.arrays.outcome, solution.arrays.remoteness

    return run, lambda found: _told(found[0], len(arrays[1]))


def verify(vertices: int, threads: int) -> Prepared:
    """Check the certificate of every vertex."""
    arrays = _ready(vertices, threads)
    import zermelo.graph

    solution = zermelo.graph.solve(*arrays, threads=threads)
    told = _told(solution, len(arrays[1]))
    return solution.verify, lambda verdict: {**told, "ok": bool(verdict)}


def save(vertices: int) -> Prepared:
    """Save a solution with its graph; how large the file is belongs to the answer."""
    arrays = _ready(vertices, 1)
    import zermelo.graph

    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "x.table"
    zermelo.graph.solve([0, 1, 1], [1]).save(path)
    solution = zermelo.graph.solve(*arrays, threads=1)
    told = _told(solution, len(arrays[1]))

    def run() -> Any:
        return solution.save(path, overwrite=True)

    def tell(path: Path) -> Answer:
        answer = {**told, "bytes": path.stat().st_size}
        folder.cleanup()
        return answer

    return run, tell


def open(vertices: int) -> Prepared:  # noqa: A001  # as it is called
    """Open the table of a graph, and check the certificate of every vertex."""
    arrays = _ready(vertices, 1)
    import zermelo.graph

    folder = tempfile.TemporaryDirectory()
    path = zermelo.graph.solve([0, 1, 1], [1]).save(Path(folder.name) / "small.table")
    zermelo.open(path).verify()
    solution = zermelo.graph.solve(*arrays, threads=1)
    told = _told(solution, len(arrays[1]))
    path = solution.save(Path(folder.name) / "x.table")

    def run() -> Any:
        with zermelo.open(path, threads=1) as opened:
            return opened.verify()

    def tell(verdict: Any) -> Answer:
        folder.cleanup()
        return {**told, "ok": bool(verdict)}

    return run, tell


def plain(vertices: int) -> Prepared:
    """Solve with dictionaries, lists and a queue, as a textbook has it."""
    indptr, indices = inputs.random_arrays(vertices)
    places, targets = indptr.tolist(), indices.tolist()
    rows = {v: targets[places[v] : places[v + 1]] for v in range(vertices)}

    def run() -> dict[int, tuple[int, int]]:
        parents: dict[int, list[int]] = {v: [] for v in rows}
        for v, row in rows.items():
            for target in row:
                parents[target].append(v)
        left = {v: len(row) for v, row in rows.items()}
        values = {v: (-1, 0) for v, row in rows.items() if not row}
        queue = list(values)
        for v in queue:
            outcome, plies = values[v]
            for parent in parents[v]:
                if parent in values:
                    continue
                left[parent] -= 1
                if outcome < 0 or not left[parent]:
                    values[parent] = (-outcome, plies + 1)
                    queue.append(parent)
        return values

    def tell(values: dict[int, tuple[int, int]]) -> Answer:
        return {
            "edges": len(targets),
            "win": sum(outcome > 0 for outcome, _ in values.values()),
            "loss": sum(outcome < 0 for outcome, _ in values.values()),
            "plies": sum(plies for _, plies in values.values()),
        }

    return run, tell


def parity(vertices: int, priorities: int, least: int, most: int) -> Prepared:
    """Find the winner of every vertex of a random parity game, and the strategies."""
    import zermelo.graph

    _ready_for_parity(least, most)
    game = inputs.random_parity(vertices, priorities, least, most)

    def run() -> Any:
        return zermelo.graph.solve_parity(*game, threads=1)

    return run, lambda solution: _winners(solution, game)


def verify_parity(vertices: int, priorities: int, least: int, most: int) -> Prepared:
    """Check the winners and the strategies of a random parity game."""
    import zermelo.graph

    _ready_for_parity(least, most)
    game = inputs.random_parity(vertices, priorities, least, most)
    solution = zermelo.graph.solve_parity(*game, threads=1)
    return solution.verify, lambda verdict: {**_winners(solution, game), "ok": bool(verdict)}


def parity_file(path: str) -> Prepared:
    """Read a parity game from a file, and find the winner of every vertex."""
    from zermelo.graph import ParityGame, read_pgsolver

    warm = read_pgsolver(path)
    if not isinstance(warm, ParityGame):
        message = f"{path!r} is a game of reachability; give one that priorities decide"
        raise TypeError(message)
    warm.solve(threads=1)
    edges = warm.edges

    def run() -> Any:
        return read_pgsolver(path).solve(threads=1)

    return run, lambda solution: {"edges": edges, "won": int((solution.winner == 0).sum())}


def _ready_for_parity(least: int, most: int) -> None:
    """Compile and load everything."""
    import zermelo.graph

    zermelo.graph.solve_parity(*inputs.random_parity(1000, 10, least, most), threads=1).verify()


def _winners(solution: Any, game: Any) -> Answer:
    """Return the number of edges, and of the vertices that player 0 wins."""
    return {"edges": len(game[0][1]), "won": int((solution.winner == 0).sum())}


def _ready(vertices: int, threads: int) -> Any:
    """Return the graph, with everything compiled and loaded before."""
    import zermelo.graph

    for size in (1000, min(vertices, 200_000)):
        small = zermelo.graph.solve(*inputs.random_arrays(size), threads=threads)
        small.verify()
        _ = small.arrays.outcome
    return inputs.random_arrays(vertices)


def _told(solution: Any, edges: int) -> Answer:
    import numpy as np

    outcome, remoteness = solution.arrays.outcome, solution.arrays.remoteness
    return {
        "edges": edges,
        "win": int((outcome == 1).sum()),
        "loss": int((outcome == -1).sum()),
        "plies": int(remoteness.sum(where=remoteness > 0, dtype=np.int64)),
    }
