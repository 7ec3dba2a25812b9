"""Quixo, by whichever method."""

from __future__ import annotations

from benchmarks.works.common import Prepared, load, told


def solve(size: int, method: str, threads: int | None = None) -> Prepared:
    """Solve Quixo from its ordinary rules, one position of each class of equal ones."""
    import zermelo
    from zermelo.games import Quixo

    game = Quixo(size)
    zermelo.solve(Quixo(3), method=method, threads=threads)
    load(game, method)
    return lambda: zermelo.solve(game, method=method, threads=threads), told
