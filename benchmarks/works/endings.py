"""Chess endings: all legal positions of given men."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared, load


def solve(men: str, threads: int) -> Prepared:
    """Find outcome and remoteness of every position."""
    import zermelo
    from zermelo.games import ChessEnding

    zermelo.solve(ChessEnding("KRK"), threads=threads)
    game = ChessEnding(men)
    load(game, "retrograde")

    def run() -> Any:
        return zermelo.solve(game, threads=threads)

    return run, _answer


def _answer(solution: Any) -> Answer:
    counts = solution.counts()
    longest = max(plies for _, plies in counts.by_remoteness if plies is not None)
    tally = {"positions": counts.positions, "win": counts.win, "loss": counts.loss}
    return {**tally, "longest": longest, "held": len(solution)}
