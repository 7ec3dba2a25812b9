"""Files of graphs: reading PGSolver's games, and cop numbers of all graphs of a file."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.works.common import Answer, Prepared


def generator() -> str | None:
    """Return nauty's generator of graphs, where it is installed."""
    return shutil.which("geng") or shutil.which("nauty-geng")


def _game(vertices: int) -> tuple[Any, Path]:
    """Write a random game of reachability as PGSolver does; one vertex in a thousand is an end."""
    rng = Random(1)
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "game.gm"
    with path.open("w") as file:
        file.write(f"parity {vertices - 1};\n")
        for v in range(vertices):
            if v % 1000 == 0:
                file.write(f"{v} 2 0 {v};\n")
                continue
            to = ",".join(str(rng.randrange(vertices)) for _ in range(rng.randint(1, 6)))
            file.write(f"{v} 1 {rng.getrandbits(1)} {to};\n")
    return folder, path


def _told(size: int, owners: Any, targets: Any, ends: int) -> Answer:
    return {"bytes": size, "owners": int(sum(owners)), "targets": int(sum(targets)), "ends": ends}


def read(vertices: int) -> Prepared:
    """Read a game, and see that it is of reachability."""
    import io

    from zermelo.graph import NONE, read_pgsolver

    read_pgsolver(io.BytesIO(b"0 1 0 1; 1 1 1 0,2; 2 2 0 2;"))
    folder, path = _game(vertices)
    size = path.stat().st_size

    def tell(game: Any) -> Answer:
        folder.cleanup()
        ends = int((game.outcome != NONE).sum())
        return _told(size, game.owner.tolist(), game.indices.tolist(), ends)

    return lambda: read_pgsolver(path), tell


def read_plain(vertices: int) -> Prepared:
    """Read a game by splitting its lines."""
    folder, path = _game(vertices)
    size = path.stat().st_size

    def run() -> dict[int, tuple[int, int, list[int]]]:
        found = {}
        with path.open() as file:
            next(file)
            for line in file:
                number, priority, owner, to = line.rstrip().rstrip(";").split(" ")[:4]
                successors = [int(other) for other in to.split(",")]
                found[int(number)] = int(priority), int(owner), successors
        return found

    def tell(found: dict[int, tuple[int, int, list[int]]]) -> Answer:
        folder.cleanup()
        owners = (owner for _, owner, _ in found.values())
        targets = (other for _, _, to in found.values() for other in to)
        return _told(
            size, owners, targets, sum(not priority % 2 for priority, _, _ in found.values())
        )

    return run, tell


def _graphs(nodes: int) -> Any:
    """Return the module of the tests that makes graphs, and the connected ones with few nodes."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
    from support.oracles import graphs  # type: ignore[import-not-found]  # found by the path just given

    return graphs, [graph for graph in graphs.all_graphs(nodes) if graphs.connected(graph)]


def cops(path: str) -> Prepared:
    """Find cop numbers and capture times of all graphs of a file."""
    import numpy as np

    import zermelo

    zermelo.cop_numbers([b"Bw"])

    def tell(found: Any) -> Answer:
        both = 64 * found.cop_number.astype(np.int64) + found.capture_time
        weights = np.arange(len(found), dtype=np.uint64) * np.uint64(2654435761) + np.uint64(1)
        total = int((both.view(np.uint64) * weights).sum(dtype=np.uint64))
        counts = [int((found.cop_number == cops).sum()) for cops in (1, 2, 3, -1)]
        return {"graphs": len(found), "cops": counts, "sum": str(total)}

    return lambda: zermelo.cop_numbers(path, threads=1), tell


def cops_of_plain(nodes: int, sampled: int) -> Prepared:
    """Find those of all connected graphs with a few nodes, and tell some."""
    import zermelo

    module, graphs = _graphs(nodes)
    lines = [module.graph6(graph) for graph in graphs]
    zermelo.cop_numbers(lines[:1])

    def tell(found: Any) -> Answer:
        step = max(1, len(found) // sampled)
        pairs = zip(found.cop_number.tolist(), found.capture_time.tolist(), strict=True)
        return {"graphs": len(found), "sampled": [list(pair) for pair in pairs][::step]}

    return lambda: zermelo.cop_numbers(lines, threads=1), tell


def cops_plain(nodes: int, sampled: int) -> Prepared:
    """Find those of some of these graphs, position by position."""
    module, graphs = _graphs(nodes)
    some = graphs[:: max(1, len(graphs) // sampled)]

    def tell(found: list[Any]) -> Answer:
        return {"graphs": len(found), "sampled": [list(pair) for pair in found]}

    return lambda: [module.slow_cops(graph) for graph in some], tell


def cops_of_geng(nodes: int) -> Prepared:
    """Find those of a file that nauty's generator has written, on all cores."""
    import zermelo

    zermelo.cop_numbers([b"Bw"])
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "graphs.g6"
    subprocess.run([str(generator()), "-cq", str(nodes), path], check=True)

    def tell(found: Any) -> Answer:
        folder.cleanup()
        counts = {f"{n} {cops}": many for (n, cops), many in found.counts().items()}
        return {"graphs": len(found), "counts": counts}

    return lambda: zermelo.cop_numbers(path), tell
