"""What works share: how they say what they found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from typing import Any

from benchmarks import inputs

Answer = dict[str, Any]
#: What is measured, and what makes an answer of its result afterwards.
Prepared = tuple[Callable[[], Any], Callable[[Any], Answer]]


def load(game: Any, method: str) -> None:
    """Have a game's rules compiled and loaded by a solve that is soon refused for its memory."""
    import zermelo

    with suppress(zermelo.BudgetError):
        zermelo.solve(game, method=method, memory="300kB")


def game_of(name: str, size: list[int]) -> Any:
    """Return a game by its name and size; of the smallest no size has to be said."""
    from zermelo import games

    if name == "cat-and-mouse":
        (nodes,) = size or [10]
        ends, near = inputs.sparse_graph(nodes, 10)
        rows = [near[a:b].tolist() for a, b in pairwise(ends.tolist())]
        return games.CatAndMouse(rows)
    if name == "stone-game":
        return games.StoneGame(inputs.piles(*(size or [20])))
    if name == "quixo":
        return games.Quixo(*(size or [3]))
    return games.ConnectFour(*(size or [4, 3]))


def told(solution: Any) -> Answer:
    counts = solution.counts().by_remoteness
    tally = {f"{int(outcome)}:{plies}": times for (outcome, plies), times in counts.items()}
    return {"positions": len(solution), "tally": tally}
