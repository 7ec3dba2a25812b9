"""The certificate's own copy of the algebra of values, which no solver uses."""

from __future__ import annotations

from typing import Any

from zermelo._engine.column.codes import ENDLESS_WIN, GLAD, TIES
from zermelo._engine.column.score_and_plies import BITS, QUARTER, UNIT, code_of, plies_of
from zermelo._engine.core.array_types import Integer
from zermelo._engine.core.jit import inlined


@inlined
def one_ply_earlier(code: Integer, same_mover: bool) -> Any:
    """Return the value of a move for its mover, from the code of the child."""
    if code > TIES or code < -TIES:
        if not same_mover:
            code = -code
        return code - 1 if code > 0 else code + 1
    if code > GLAD:
        return code - 1
    # A tie that one player prefers. All codes come nearer to 0, so that no cycle proves them.
    if not same_mover:
        code = -code
    return code - 1 if code > 0 else code + (code < 0)


@inlined
def one_ply_earlier_or_never(code: Integer, same_mover: bool) -> Any:
    """Return the value of a move, like ``one_ply_earlier``, if endless play is a win.

    An endless win stays one: no move brings the end nearer.
    """
    if abs(code) == ENDLESS_WIN:
        return code if same_mover else -code
    return one_ply_earlier(code, same_mover)


@inlined
def margin_one_ply_earlier(code: Integer, same_mover: bool, gain: int, endless: Integer) -> Any:
    """Return the value of a move for its mover, from the code of the child's margin and plies."""
    margin = code >> BITS
    margin = gain + (margin if same_mover else -margin)
    if code & (UNIT - 1) == QUARTER and margin == endless:
        return (margin << BITS) + QUARTER
    return code_of(margin, plies_of(code) + 1, endless)
