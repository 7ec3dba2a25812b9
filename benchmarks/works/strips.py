"""Piles and checkers."""

from __future__ import annotations

from collections import Counter
from typing import Any

from benchmarks import inputs
from benchmarks.works.common import Answer, Prepared, told


def stone_game(count: int) -> Prepared:
    """Solve the stone game."""
    import zermelo
    from zermelo.games import StoneGame

    row = inputs.piles(count)
    zermelo.solve(StoneGame(row))

    def tell(solution: Any) -> Answer:
        scores = solution.counts().by_score
        total = sum(score * times for score, times in scores.items())
        return {"positions": len(solution), "score": solution.value.score, "sum": total}

    return lambda: zermelo.solve(StoneGame(row)), tell


def stone_game_by_lists(count: int) -> Prepared:
    """Solve it by dynamic programming on lists."""
    from benchmarks.baselines import stone_game as lists

    row = inputs.piles(count)

    def tell(margins: list[list[int]]) -> Answer:
        # Zermelo can reach the empty stretch at each place but the two outside the row.
        margins[0] = margins[0][: count or 1]
        return {
            "positions": sum(len(line) for line in margins),
            "score": margins[count][0],
            "sum": sum(sum(line) for line in margins),
        }

    return lambda: lists.solve(row), tell


def ellys_checkers(board: str) -> Prepared:
    """Solve Elly's checkers."""
    import zermelo
    from zermelo.games import EllysCheckers

    zermelo.solve(EllysCheckers(board))
    return lambda: zermelo.solve(EllysCheckers(board)), told


def ellys_checkers_by_memo(board: str) -> Prepared:
    """Solve it by a search that remembers."""
    from benchmarks.baselines import ellys_checkers as memo

    pieces = int(board.replace("o", "1").replace(".", "0"), 2)

    def tell(table: dict[int, int]) -> Answer:
        counts = Counter(f"{1 if plies % 2 else -1}:{plies}" for plies in table.values())
        return {"positions": len(table), "tally": dict(counts)}

    return lambda: memo.solve(pieces), tell
