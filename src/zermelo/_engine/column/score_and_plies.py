"""Scores with plies in kernels; ``zermelo.values.score_and_plies`` defines the codes."""

from __future__ import annotations

from typing import Any

from zermelo._engine.core.jit import inlined
from zermelo.values.score_and_plies import BITS, MOST_MARGIN, MOST_PLIES, QUARTER, UNIT

__all__ = [
    "BITS",
    "MOST_MARGIN",
    "MOST_PLIES",
    "QUARTER",
    "UNIT",
    "code_of",
    "move_value",
    "plies_of",
]


@inlined
def plies_of(code: Any) -> Any:
    """Return the plies of a code, 0 for endless play, whose margin is settled."""
    low = code & (UNIT - 1)
    if low < QUARTER:
        return low
    return (2 * QUARTER if low <= 2 * QUARTER else 4 * QUARTER - 1) - low if low > QUARTER else 0


@inlined
def code_of(margin: Any, plies: Any, endless: Any) -> Any:
    """Return the code of a margin that is settled in ``plies``."""
    if margin < endless:
        return (margin << BITS) + plies
    return (margin << BITS) + (2 * QUARTER if margin == endless else 4 * QUARTER - 1) - plies


@inlined
def move_value(code: Any, same_mover: bool, gain: Any, endless: Any) -> Any:  # noqa: FBT001
    """Return the value of a move for its mover, from the code of the child."""
    margin = code >> BITS
    margin = gain + (margin if same_mover else -margin)
    if code & (UNIT - 1) == QUARTER and margin == endless:
        return (margin << BITS) + QUARTER
    return code_of(margin, plies_of(code) + 1, endless)


@inlined
def preserves_value(own: Any, code: Any, same_mover: bool, gain: Any) -> Any:  # noqa: FBT001
    """Whether a move to a child with ``code`` preserves the mover's value ``own``."""
    margin = gain + (code >> BITS if same_mover else -(code >> BITS))
    if margin != own >> BITS:
        return False
    low = own & (UNIT - 1)
    endless = code & (UNIT - 1) == QUARTER
    if low == QUARTER:
        return endless
    if endless and QUARTER < low <= 2 * QUARTER:
        return False
    return plies_of(code) + 1 == plies_of(own)
