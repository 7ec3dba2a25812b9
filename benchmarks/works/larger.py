"""Games that are given less memory than they would like."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared


def solve(game: str, size: list[int], method: str, memory: int | None) -> Prepared:
    """Solve a game within so many bytes, or within what there is."""
    import zermelo
    from zermelo import games

    kind = getattr(games, game)
    small = kind(*([3] if game == "Quixo" else [4, 4]))
    # Little memory has other kernels, which are to be loaded as well before the clock starts.
    for least in (None, memory and 1_000_000):
        _tried(zermelo, small, method, least)

    def run() -> Any:
        return zermelo.solve(kind(*size), method=method, memory=memory, threads=1)

    return run, _told


def _tried(zermelo: Any, game: Any, method: str, memory: int | None) -> None:
    try:
        zermelo.solve(game, method=method, memory=memory, threads=1)
    except zermelo.BudgetError:
        return


def _told(solution: Any) -> Answer:
    value = solution.value
    return {"positions": len(solution), "value": [int(value.outcome), value.remoteness]}
