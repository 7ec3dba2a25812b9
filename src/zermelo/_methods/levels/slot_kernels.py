"""Values in slots: a byte each, ordered as codes are, and deciding positions from them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.column import codes
from zermelo._engine.column.codes import LAST, TIES, UNKNOWN, one_ply_earlier
from zermelo._engine.core.jit import inlined, kernel
from zermelo._methods.levels.slots import VALUE
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

#: The greatest remoteness a byte tells.
MOST_REMOTE = 62
#: The least bytes of losses, and the greatest of ties and wins.
_LOSS, _TIE, _WIN = 1, 1 + 2 * (MOST_REMOTE + 1), 255


def _unfolded() -> npt.NDArray[np.int32]:
    """Return the codes of bytes, which are ordered as codes are; 0 where a byte has none."""
    found = np.zeros(256, np.int32)
    for remoteness in range(MOST_REMOTE + 1):
        found[_LOSS + remoteness] = codes.encode(-1, remoteness)
        found[_TIE - remoteness] = codes.encode(0, remoteness)
        found[_WIN - remoteness] = codes.encode(1, remoteness)
    return found


def _seen_from_below(*, same_mover: bool) -> npt.NDArray[np.uint8]:
    """Return what a move is worth, as a byte, to a position with such a byte."""
    seen = np.zeros(256, np.uint8)
    for byte in np.flatnonzero(UNFOLDED).tolist():
        code = WIN_DRAW_LOSS.of_move(int(UNFOLDED[byte]), same_mover=same_mover)
        here = np.flatnonzero(code == UNFOLDED)
        if len(here):
            seen[byte] = here[0]
    return seen


#: The codes of values kept in a byte, and what moves to positions with such values are worth: to
#: the other player, and to the same.
UNFOLDED = _unfolded()
ONE_BY_ONE: list[int] = UNFOLDED.tolist()
SEEN = np.stack([_seen_from_below(same_mover=same) for same in (False, True)])


@inlined
def _folded(code: Any) -> Any:
    """Return the byte of a terminal position's code, or of the worst there is for UNKNOWN."""
    byte = np.uint8(_LOSS)
    byte = np.uint8(_TIE) if code == TIES else byte
    return np.uint8(_WIN) if code == LAST else byte


@kernel
def settle_slots(
    places: Any,
    begin: int,
    done: int,
    ends: Any,
    terminal: Any,
    numbers: Any,
    values: Any,
    seen: Any,
    turns: Any,
    slots: Any,
    stored: Any,
) -> None:
    """Decide expanded positions from their children, all decided.

    Args:
        places: the slots of the positions expanded, from entry ``begin``.
        begin: see there.
        done: how many were expanded.
        ends: how many children there are up to and with each.
        terminal: codes of those that are terminal, UNKNOWN for the others.
        numbers: the slots of the children.
        values: the values that stand there.
        seen: ``SEEN``.
        turns: whose turn it is by slot, or empty where the players strictly alternate.
        slots: receives the values.
        stored: receives them where it is not empty.
    """
    alternate = turns.size == 0
    edge = 0
    if stored.size > 0:
        for i in range(done):
            place = places[begin + i]
            best = np.int64(terminal[i])
            if best == UNKNOWN:
                best = np.int64(-LAST)
            while edge < ends[i]:
                same = (not alternate) and turns[numbers[edge]] == turns[place]
                best = max(best, one_ply_earlier(np.int64(stored[numbers[edge]]), same))
                edge += 1
            stored[place] = best
        return
    for i in range(done):
        place = places[begin + i]
        worth = _folded(terminal[i])
        while edge < ends[i]:
            same = (not alternate) and turns[numbers[edge]] == turns[place]
            worth = max(worth, seen[np.intp(same), values[edge]])
            edge += 1
        slots[place] = (slots[place] & ~VALUE) | np.uint64(worth)
