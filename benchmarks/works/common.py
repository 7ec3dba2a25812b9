"""What works share: how they say what they found."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

Answer = dict[str, Any]
#: What is measured, and what makes an answer of its result afterwards.
Prepared = tuple[Callable[[], Any], Callable[[Any], Answer]]


def load(game: Any, method: str) -> None:
    """Have a game's rules compiled and loaded by a solve that is soon refused for its memory."""
    import zermelo

    with suppress(zermelo.BudgetError):
        zermelo.solve(game, method=method, memory="300kB")


def told(solution: Any) -> Answer:
    counts = solution.counts().by_remoteness
    tally = {f"{int(outcome)}:{plies}": times for (outcome, plies), times in counts.items()}
    return {"positions": len(solution), "tally": tally}
