"""Scores with plies in kernels; ``zermelo.values.score_and_plies`` defines the codes."""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.array_types import Integer
from zermelo._engine.core.jit import inlined
from zermelo.values.score_and_plies import BITS, MOST_MARGIN, MOST_PLIES, QUARTER, UNIT

__all__ = [
    "BITS",
    "MOST_MARGIN",
    "MOST_PLIES",
    "QUARTER",
    "UNIT",
    "code_of",
    "plies_of",
]


@inlined
def plies_of(code: Integer) -> Any:
    """Return the plies of a code, 0 for endless play, whose margin is settled."""
    low = code & (UNIT - 1)
    if low < QUARTER:
        return low
    return (2 * QUARTER if low <= 2 * QUARTER else 4 * QUARTER - 1) - low if low > QUARTER else 0


@inlined
def code_of(margin: Integer, plies: int, endless: Integer) -> int:
    """Return the code of a margin that is settled in ``plies``."""
    if margin < endless:
        return (margin << BITS) + plies
    return (margin << BITS) + (2 * QUARTER if margin == endless else 4 * QUARTER - 1) - plies
