"""Solves shared among workers."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.works.common import Answer, Prepared

#: What each process of an MPI job does.
_UNDER_MPI = """
import json, sys
import zermelo
from zermelo import games, limits

path, game, sharing, method = json.loads(sys.argv[1])
with limits.using(sharing=sharing):
    how = {"table": path, "threads": 1, "memory": "8GB", "method": method, "symmetry": False}
    value = zermelo.solve(getattr(games, game[0])(*game[1:]), cluster="mpi", **how).value
    print(json.dumps([int(value.outcome), value.remoteness]))
"""


def solve(game: list[Any], first: list[Any], workers: int, sharing: float, method: str) -> Prepared:
    """Solve a game of the zoo into a table by a number of workers, or by this process alone.

    Args:
        game: its class, and what this is given.
        first: a small one of the same class, which is solved before.
        workers: how many; 0 for none.
        sharing: see ``zermelo.limits``.
        method: the method.
    """
    import zermelo
    from zermelo import games, limits

    def into(said: list[Any], table: Path, **more: Any) -> Any:
        made = getattr(games, said[0])(*said[1:])
        return zermelo.solve(made, table=table, method=method, symmetry=False, **more)

    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    how: dict[str, Any] = {"threads": 1, "memory": "8GB"}
    if workers:
        how["cluster"] = f"local[{workers}]"
    seen: list[Any] = [()]
    saving: list[float] = []

    def watch(event: Any) -> None:
        if event.workers:
            seen[0] = event.workers
        if event.phase == "save" and not saving:
            saving.append(time.process_time())

    # What workers take to begin is no part of the work: it is that of what they do not share.
    before = _children()
    with limits.using(sharing=0.0):
        into(first, table=place / "first.table", **how)
    begun = _children() - before
    before = _children()

    def run() -> Any:
        with limits.using(sharing=sharing):
            return into(game, table=place / "game.table", progress=watch, **how)

    def told(solution: Any) -> Answer:
        extra = {
            "saving": time.process_time() - saving[0],
            "workers": max(_children() - before - begun, 0.0),
            "begun": begun,
            "exchanged": float(sum(each.exchanged for each in seen[0])),
            "units": float(sum(each.units for each in seen[0])),
        }
        value = [int(solution.value.outcome), solution.value.remoteness]
        folder.cleanup()
        return {"positions": len(solution), "value": value, "extra": extra}

    return run, told


def under_mpi(
    game: list[Any], first: list[Any], workers: int, sharing: float, method: str
) -> Prepared:
    """Do the same by the processes of an MPI job; see ``solve``."""
    folder = tempfile.TemporaryDirectory()

    def job(name: str, of: list[Any], least: float) -> Any:
        given = json.dumps([str(Path(folder.name) / name), of, least, method])
        found = _mpirun(workers, "-c", _UNDER_MPI, given)
        return json.loads(found.splitlines()[-1])

    before = _children()
    job("first.table", first, 0.0)
    begun = _children() - before
    before = _children()

    def run() -> Any:
        return job("game.table", game, sharing)

    def told(value: Any) -> Answer:
        import zermelo

        extra = {"workers": max(_children() - before - begun, 0.0)}
        with zermelo.open(Path(folder.name) / "game.table") as solution:
            positions = len(solution)
        folder.cleanup()
        return {"positions": positions, "value": value, "extra": extra}

    return run, told


def step(engine: str) -> Prepared:
    """Ask workers for nothing.

    Args:
        engine: which.
    """
    import zermelo

    folder = tempfile.TemporaryDirectory()

    def run() -> Any:
        return zermelo.check_cluster(engine, folder=folder.name, threads=1, memory="1GB")

    def told(report: Any) -> Answer:
        folder.cleanup()
        return {"workers": len(report.workers), "extra": {"step": report.workers[0].message}}

    return run, told


def step_under_mpi(workers: int) -> Prepared:
    """Ask the workers of an MPI job for nothing."""
    folder = tempfile.TemporaryDirectory()

    def run() -> Any:
        asked = ("-m", "zermelo", "cluster", "check", "mpi", "--folder", folder.name, "--json")
        return json.loads(_mpirun(workers, *asked))

    def told(report: Any) -> Answer:
        folder.cleanup()
        each = report["workers"]
        return {"workers": len(each), "extra": {"step": each[0]["message"]}}

    return run, told


def _mpirun(workers: int, *arguments: str) -> str:
    """Run Python in the processes of an MPI job; return what they print."""
    command = ["mpirun", "-n", str(workers + 1), "--oversubscribe"]
    command += ["--allow-run-as-root"] * (os.geteuid() == 0)
    done = subprocess.run(  # this very Python
        [*command, sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout


def _children() -> float:
    """Return the CPU seconds of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
