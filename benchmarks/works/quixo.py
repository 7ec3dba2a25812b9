"""Quixo: solving it with and without its symmetries, and counting all positions."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared


def solve(size: int, method: str, *, symmetry: bool = True) -> Prepared:
    """Solve Quixo."""
    import zermelo
    from zermelo.games import Quixo

    zermelo.solve(Quixo(3), method=method, symmetry=symmetry, threads=1)
    game = Quixo(size)

    def run() -> Any:
        return zermelo.solve(game, method=method, symmetry=symmetry, threads=1)

    return run, _told


def count(size: int) -> Prepared:
    """Count all positions that can be reached, from a table of one of each class."""
    import zermelo
    from zermelo.games import Quixo

    zermelo.solve(Quixo(3), threads=1).counts()
    solution = zermelo.solve(Quixo(size), threads=1)
    return solution.counts, lambda counts: {"positions": counts.positions, "win": counts.win}


def _told(solution: Any) -> Answer:
    value = solution.value
    return {"positions": len(solution), "value": [int(value.outcome), value.remoteness]}
