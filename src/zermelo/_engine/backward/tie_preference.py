"""Tie preference in kernels: whether ties are propagated, and which players prefer them.

Both are encoded in one number. If endless play is a draw, both players prefer a tie, and reach the
nearest one together. If it is a win for one player, the other prefers ties. A player who prefers
ties needs one move to a tie. The other player's position is a tie only if every move that does not
lose leads to one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from zermelo._engine.column.codes import ENDLESS_WIN, GLAD, WIDE, Scale
from zermelo._engine.core.array_types import IntArray, Uint8Array
from zermelo._engine.core.jit import kernel
from zermelo.values.outcomes import NOBODY

#: What is propagated: wins and losses; ties that both players prefer; ties that player
#: ``n - PREFERRED_BY`` alone prefers.
NO_TIES, LIKED, PREFERRED_BY = range(3)


def tie_preference(favours: int) -> int:
    """Return the tie preference if endless play is a win for player ``favours``, or for NOBODY."""
    return LIKED if favours == NOBODY else PREFERRED_BY + 1 - favours


def endless_codes(scale: Scale) -> tuple[int, int, int]:
    """Return the codes of an endless win and loss, and the offset of a preferred tie.

    The codes of 32 bits are those of a table. In fewer bits, 0 and the least number are free.
    """
    if scale is WIDE:
        return ENDLESS_WIN, -ENDLESS_WIN, scale.ties - GLAD
    return 0, -scale.last - 1, 0


def scale_meaning(scale: Scale, favours: int) -> npt.NDArray[np.int32] | None:
    """Return the table codes that the codes of a scale stand for, in the form of ``Scale.meaning``.

    Args:
        scale: the scale.
        favours: the player who wins by endless play, or NOBODY.
    """
    if favours == NOBODY or scale.meaning is None:
        return scale.meaning
    won, lost, less = endless_codes(scale)
    meaning = scale.meaning.copy()
    liked = np.arange(1, scale.ties + 1)
    meaning[liked - less] = liked + GLAD - scale.ties
    meaning[less - liked] = scale.ties - GLAD - liked
    meaning[won], meaning[lost] = ENDLESS_WIN, -ENDLESS_WIN
    return meaning


def apply_endless_wins(
    codes: IntArray, owners: Uint8Array, favours: int, scale: Scale = WIDE
) -> None:
    """Convert codes of a game with endless draws to one where endless play is a win.

    Args:
        codes: the codes, which are changed; those of undecided positions stay.
        owners: the player to move in each position.
        favours: the player who wins by endless play; for NOBODY, nothing changes.
        scale: the scale of the codes.
    """
    if favours != NOBODY:
        _favour(codes, owners, favours, scale.ties, *endless_codes(scale))


@kernel
def _favour(
    codes: IntArray, owners: Uint8Array, favours: int, ties: int, won: int, lost: int, less: int
) -> None:
    for i in range(codes.size):
        code = codes[i]
        favoured = owners[i] == favours
        if code == 0:
            codes[i] = won if favoured else lost
        elif 0 < code <= ties:
            codes[i] = less - code if favoured else code - less
