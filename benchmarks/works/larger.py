"""Games that are given less memory than they would like."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared, load


def solve(
    game: str, size: list[int], method: str, memory: int | None, first: list[int], least: int | None
) -> Prepared:
    """Solve a game within so many bytes, or within what there is.

    Args:
        game: its name in ``zermelo.games``.
        size: its size.
        method: how.
        memory: the bytes, or None.
        first: the size of a game to solve before the clock starts: little memory has kernels of
            its own, and which are needed depends on the size as well.
        least: the bytes to solve that within.
    """
    import zermelo
    from zermelo import games

    kind = getattr(games, game)
    zermelo.solve(kind(*first), method=method, memory=least, threads=1)
    if method == "levels":  # others would not be refused
        load(kind(*size), method)

    def run() -> Any:
        return zermelo.solve(kind(*size), method=method, memory=memory, threads=1)

    return run, _told


def _told(solution: Any) -> Answer:
    value = solution.value
    return {"positions": len(solution), "value": [int(value.outcome), value.remoteness]}
