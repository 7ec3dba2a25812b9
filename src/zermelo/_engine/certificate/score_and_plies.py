"""The certificate of margins with plies, in score games with cycles.

No move raises the stage of a position. A move lowers it or ends the game, unless the value of
endless play decreases by as many points as the move makes. So along a cycle the sum of points made
and of the value of endless play is constant. A player above this sum has a best move that is
settled a ply sooner. For a player below it, all best moves are settled a ply sooner. So plies count
down until the margin is settled, and a player who follows the values gets their margin against any
opponent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo._engine.certificate.algebra import margin_one_ply_earlier
from zermelo._engine.certificate.kernels import BACKWARD, NOTHING, POINTS_KEPT, WRONG_VALUE
from zermelo._engine.certificate.lookups import TableData
from zermelo._engine.column.score_and_plies import (
    BITS,
    MOST_MARGIN,
    QUARTER,
    UNIT,
    plies_of,
)
from zermelo._engine.core.array_types import Int32Array, Int64Array, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo._engine.expand.expander import Buffers


def check_timed(expanded: Buffers, parents: TableData, children: TableData) -> tuple[int, int, int]:
    """Check the values of expanded positions, and that cycles make no points.

    Args:
        expanded: the result of expanding the positions.
        parents: the table's data about them.
        children: the table's data about their children.

    Returns:
        A fault, the index of the position that has it, and the right code.
    """
    fault, i, correct = _check_positions(
        expanded.ends,
        expanded.values,
        parents.values,
        parents.owners if len(expanded.owners) else expanded.owners,
        children.values,
        children.owners,
        expanded.gains,
        parents.potential,
        children.potential,
        parents.endless,
        children.endless,
    )
    return int(fault), int(i), int(correct)


@kernel
def _check_positions(
    ends: Int32Array,
    terminal: Int64Array,
    stored: Int64Array,
    owners: Uint8Array,
    child_stored: Int64Array,
    child_owners: Uint8Array,
    gains: Int64Array,
    stage: Int64Array,
    child_stage: Int64Array,
    endless: Int64Array,
    child_endless: Int64Array,
) -> tuple[Any, Any, Any]:
    """Return a fault, the index of the position that has it, and the right code."""
    edge = 0
    for i in range(stored.size):
        best = np.int64(terminal[i])
        endless_value = endless[i] if endless.size else np.int64(0)
        while edge < ends[i]:
            code = np.int64(child_stored[edge])
            keeps_turn = owners.size > 0 and owners[i] == child_owners[edge]
            gain = gains[edge]
            if child_stage[edge] > stage[i]:
                return BACKWARD, i, np.int64(0)
            # A move that ends the game is part of no cycle.
            ends_game = code & (UNIT - 1) != QUARTER and plies_of(code) == 0
            if child_stage[edge] == stage[i] and not ends_game:
                child_endless_value = np.int64(0)
                if endless.size:
                    child_endless_value = (
                        child_endless[edge] if keeps_turn else -child_endless[edge]
                    )
                if gain + child_endless_value != endless_value:
                    return POINTS_KEPT, i, np.int64(0)
            margin = gain + ((code >> BITS) if keeps_turn else -(code >> BITS))
            if abs(gain) > 2 * MOST_MARGIN or abs(margin) > MOST_MARGIN:
                return WRONG_VALUE, i, stored[i]
            best = max(best, margin_one_ply_earlier(code, keeps_turn, gain, endless_value))
            edge += 1
        if stored[i] != best:
            return WRONG_VALUE, i, best
    return NOTHING, 0, np.int64(0)
