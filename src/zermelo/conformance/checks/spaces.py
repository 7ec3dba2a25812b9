"""``space`` with descriptors, and ``legal``: moves keep to what is declared."""

from __future__ import annotations

from typing import Any

from zermelo.conformance.asked import Asked
from zermelo.conformance.report import Fault, ProblemKind
from zermelo.conformance.shape import called
from zermelo.conformance.walk import Walk
from zermelo.game.spaces import Descriptor


def check_space(asked: Asked, walk: Walk) -> None:
    """See that positions are what the descriptors of ``space`` allow; ranges are seen to as read.

    Raises:
        Fault: one is not.
    """
    if not asked.rules.has("space"):
        return
    parts = [part for part in asked.rules.space_parts() if isinstance(part[0], Descriptor)]
    if not parts:
        return
    layout = asked.rules.layout

    def strange(position: Any) -> str:
        flat = layout.flatten(position)
        for values, numbers in parts:
            if isinstance(values, Descriptor) and not values.allows([flat[n] for n in numbers]):
                names = ", ".join(layout.slots[n].name for n in numbers)
                return f"{names} is not what the {type(values).__name__} in space() allows"
        return ""

    for start in walk.starts:
        if strange(start):
            message = f"{called('start')} gives {start!r}: {strange(start)}; correct one of them"
            raise Fault(ProblemKind.SPACE, message, start)
    for place, move, child in walk.moves():
        if strange(child):
            message = (
                f"{called('play', place.position, move)} gives {child!r}: {strange(child)}; "
                "correct one of them"
            )
            raise Fault(ProblemKind.SPACE, message, place.position)


def check_legal(asked: Asked, walk: Walk) -> None:
    """See that ``legal`` accepts the starts, and what moves from legal positions lead to.

    Raises:
        Fault: it does not.
    """
    if not asked.rules.has("legal"):
        return
    if not asked.rules.has("space"):
        message = "there is legal() but no space(); declare the space whose positions it accepts"
        raise Fault(ProblemKind.CLASH, message)
    known: dict[Any, bool] = {}

    def legal(position: Any) -> bool:
        if position not in known:
            answer = asked.ask("legal", position)
            if not isinstance(answer, int) and answer is not None:
                message = f"{called('legal', position)} returned {answer!r}; return True or False"
                raise Fault(ProblemKind.LEGAL, message, position)
            known[position] = bool(answer)
        return known[position]

    for start in walk.starts:
        if not legal(start):
            message = f"{called('legal', start)} is false, and the game begins there; correct it"
            raise Fault(ProblemKind.LEGAL, message, start)
    for place, move, child in walk.moves():
        if legal(place.position) and not legal(child):
            message = (
                f"{called('play', place.position, move)} gives {child!r}, which legal() refuses; "
                "let moves from legal positions lead to legal ones"
            )
            raise Fault(ProblemKind.LEGAL, message, place.position)
