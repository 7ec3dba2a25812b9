"""``parents``: the inverse of ``moves`` and ``play``."""

from __future__ import annotations

from random import Random
from typing import Any

from zermelo.conformance.asked import Asked
from zermelo.conformance.report import Fault, Kind
from zermelo.conformance.shape import called
from zermelo.conformance.walk import Limits, Walk

#: Positions whose parents are asked for.
_SAMPLE = 300


def check_parents(asked: Asked, walk: Walk, limits: Limits, random: Random) -> None:
    """See that ``parents`` gives all positions with a move to a position, and no others.

    Raises:
        Fault: it does not.
    """
    if not asked.rules.has("parents"):
        return
    before: dict[Any, dict[Any, Any]] = {start: {} for start in walk.starts}
    for place, move, child in walk.moves():
        before.setdefault(child, {}).setdefault(place.position, move)
    positions = list(before)
    if len(positions) > _SAMPLE:
        positions = random.sample(positions, _SAMPLE)
    for position in positions:
        if limits.late:
            return
        parents = _parents(asked, position)
        for parent, move in before[position].items():
            if parent not in parents:
                message = (
                    f"{called('play', parent, move)} gives {position!r}, but "
                    f"{called('parents', position)} lacks {parent!r}; yield every position that "
                    "has a move there"
                )
                raise Fault(Kind.PARENTS, message, position)
        for parent in parents:
            if parent not in before[position] and not _leads(asked, parent, position):
                message = (
                    f"{called('parents', position)} gives {parent!r}, from where no move leads "
                    "there; yield only positions that have one"
                )
                raise Fault(Kind.PARENTS, message, position)


def _parents(asked: Asked, position: Any) -> list[Any]:
    parents = asked.listed("parents", "position", position)
    return [asked.shape.read(parent, ("parents", position), position) for parent in parents]


def _leads(asked: Asked, parent: Any, position: Any) -> bool:
    try:
        return position in asked.place(parent).children or any(
            asked.child(parent, move) == position for move in asked.moves(parent)
        )
    except Fault:
        return False
