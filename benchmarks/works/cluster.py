"""Solves shared among workers."""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.works.common import Answer, Prepared


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

    def of(said: list[Any]) -> Any:
        return getattr(games, said[0])(*said[1:])

    folder = tempfile.TemporaryDirectory()
    place = Path(folder.name)
    how: dict[str, Any] = {"threads": 1, "memory": "8GB", "method": method, "symmetry": False}
    if workers:
        how["cluster"] = f"local[{workers}]"
    seen: list[Any] = [()]

    def watch(event: Any) -> None:
        if event.workers:
            seen[0] = event.workers

    # What workers take to begin is no part of the work: it is that of a game they do not share.
    before = _children()
    with limits.using(sharing=0.0):
        zermelo.solve(of(first), table=place / "first.table", **how)
    begun = _children() - before
    step = 0.0
    if workers:
        report = zermelo.check_cluster(how["cluster"], folder=place)
        step = report.workers[0].message if report is not None else 0.0
    before = _children()

    def run() -> Any:
        with limits.using(sharing=sharing):
            return zermelo.solve(of(game), table=place / "game.table", progress=watch, **how)

    def told(solution: Any) -> Answer:
        extra = {
            "workers": max(_children() - before - begun, 0.0),
            "exchanged": float(sum(each.exchanged for each in seen[0])),
            "step": step,
        }
        value = solution.value
        answer = {"positions": len(solution), "value": [int(value.outcome), value.remoteness]}
        folder.cleanup()
        return {**answer, "extra": extra}

    return run, told


def _children() -> float:
    """Return the CPU seconds of processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
