"""Generated code for positions at which chance decides, for games with ``chance``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._compile.generate.canonical import store_lines
from zermelo._compile.generate.packing import packing_lines
from zermelo._engine.expand.expander import BAD_WEIGHT, ENDLESS_MOVES
from zermelo.game.chance import MOST_WEIGHT

if TYPE_CHECKING:
    from zermelo._compile.generate.canonical import Folding

#: The name of the function that packs a result of chance, called instead of ``yield``.
EMIT = "_z_face"

_FACE = """

@_z_rule
def _z_face(data, position, children, gains, capacity, index, face):
    weight = _z.whole(face[0], "yields|yield pairs of a weight and a position")  #: chance
{child}
{folded}
    if weight < 1:
        return {bad_weight}
    if index < capacity:
{words}
        gains[index] = weight
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

#: The lines of ``expand`` that ask ``chance``, and then ``moves`` if no chance decides.
_DECIDE = """
        next_index = {chance}(data, position, children, gains, capacity, index, position)  #: chance
        by_chance = next_index > index
        if next_index == index:
            next_index = {moves}
        if by_chance and next_index <= capacity:
            total = int64(0)
            for k in range(index, next_index):
                total += min(gains[k], int64({most_weight}) + 1)
            if total > {most_weight}:
                return i - begin, index, {too_heavy}"""


def face_of(folding: Folding | None) -> str:
    """Return the text of the function that packs a result of chance and writes its weight."""
    return _FACE.format(
        child="\n".join(f"    {line}" for line in packing_lines("face[1]", "chance")),
        folded="\n".join(folding.child) if folding is not None else "    pass",
        bad_weight=-BAD_WEIGHT,
        words="\n".join(store_lines(folding)),
        most=MOST_WEIGHT,
        endless=-ENDLESS_MOVES,
    )


def decide_lines(chance: str, moves: str) -> str:
    """Return the lines of ``expand`` that find the results of chance, or else the moves.

    Args:
        chance: the function that emits the results of chance.
        moves: the call that emits the moves.
    """
    return _DECIDE.format(
        chance=chance, moves=moves, most_weight=MOST_WEIGHT, too_heavy=BAD_WEIGHT
    ).removeprefix("\n")
