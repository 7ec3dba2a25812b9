"""The labels of expanded positions of a game with chance: weights, points, and turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Int64Array, Uint8Array
from zermelo.errors import ParameterError
from zermelo.values.expectations import CHANCE, CONTINUES, KEEPS, PASSED, WEIGHT

if TYPE_CHECKING:
    from zermelo._engine.expand.expander import ExpandedPart
    from zermelo.values.kind import Kind


class Labels(NamedTuple):
    """What the labels of moves and of results of chance say.

    Attributes:
        by_chance: whether each is a result of chance.
        numbers: the points of each move, or the weight of each result.
        keeps: 1 for each after which the value is for the same player.
    """

    by_chance: BoolArray
    numbers: Int64Array
    keeps: Uint8Array


def read_labels(
    kind: Kind, part: ExpandedPart, child_owners: Any, *, each_result: bool = True
) -> Labels:
    """Return what the labels of an expanded part say.

    Args:
        kind: the kind of the values.
        part: the part.
        child_owners: the player to move after each, if turns are stored; else ignored.
        each_result: whether the results of chance are needed one by one.

    Raises:
        ParameterError: results of chance are not kept, so that labels are those of moves in them.
    """
    by_chance = np.repeat(part.values == CHANCE, part.degrees)
    labels = part.gains
    if each_result and not kind.adds_points and (labels & CONTINUES).any():
        message = (
            "results of chance are not kept, so that none of them has a value; let kept() "
            "return True, and solve the game again"
        )
        raise ParameterError(message)
    points = labels if kind.adds_points else np.int64(0)
    numbers = np.where(by_chance, labels & WEIGHT, points)
    if len(part.owners):
        keeps = np.repeat(part.owners, part.degrees) == child_owners
    else:
        keeps_by_move = (labels & KEEPS != 0) & (not kind.adds_points)
        keeps = np.where(by_chance, labels & PASSED == 0, keeps_by_move)
    return Labels(by_chance, numbers.astype(np.int64), keeps.astype(np.uint8))
