"""The checks of ``space`` with descriptors, and of ``legal``: moves stay in the declared space."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.shape import call_text
from zermelo.conformance.walk import Walk, WalkLimits
from zermelo.game.spaces import Descriptor
from zermelo.rules.hooks import Rules

#: The most positions of a space that are checked.
_SLOTS = 2_000


def check_space(hooks: CheckedHooks, walk: Walk) -> None:
    """Check that positions satisfy the descriptors of ``space``; ranges are checked on reading.

    Raises:
        ContractError: one does not.
    """
    if not hooks.rules.has_hook("space"):
        return
    parts = [part for part in hooks.rules.space_parts() if isinstance(part[0], Descriptor)]
    if not parts:
        return
    layout = hooks.rules.layout

    def fault_of(position: Any) -> str:
        flat = layout.flatten(position)
        for values, numbers in parts:
            if isinstance(values, Descriptor) and not values.allows([flat[n] for n in numbers]):
                names = ", ".join(layout.slots[n].name for n in numbers)
                return f"{names} is not what the {type(values).__name__} in space() allows"
        return ""

    for start in walk.starts:
        if fault_of(start):
            message = (
                f"{call_text('start')} gives {start!r}: {fault_of(start)}; correct one of them"
            )
            raise ContractError(ProblemKind.SPACE, message, start)
    for visit, move, child in walk.moves():
        if fault_of(child):
            message = (
                f"{call_text('play', visit.position, move)} gives {child!r}: {fault_of(child)}; "
                "correct one of them"
            )
            raise ContractError(ProblemKind.SPACE, message, visit.position)


def check_legal(
    hooks: CheckedHooks, walk: Walk, limits: WalkLimits, random: Random
) -> list[VisitedPosition]:
    """Check that ``legal`` accepts the starts, and the children of legal positions.

    Returns:
        Legal positions that were checked in addition to those of the walk: ``solve`` solves all
        legal positions, reachable or not.

    Raises:
        ContractError: it does not, or it distinguishes equivalent positions.
    """
    if not hooks.rules.has_hook("legal"):
        return []
    if not hooks.rules.has_hook("space"):
        message = "there is legal() but no space(); declare the space whose positions it accepts"
        raise ContractError(ProblemKind.CLASH, message)
    legal = _Legal(hooks, random)
    for start in walk.starts:
        if not legal(start):
            message = f"{call_text('legal', start)} is false, and the game begins there; correct it"
            raise ContractError(ProblemKind.LEGAL, message, start)
    for visit in walk.visits.values():
        legal.check_moves(visit)
    further_visits = []
    for position in space_sample(hooks.rules, random, _SLOTS):
        if limits.is_late:
            break
        if position not in walk.visits and legal(position):
            further_visits.append(hooks.visit(position))
            legal.check_moves(further_visits[-1])
        legal.check_image(position)
    return further_visits


class _Legal:
    """Calls ``legal``, once for each position."""

    def __init__(self, hooks: CheckedHooks, random: Random) -> None:
        self.hooks = hooks
        self.random = random
        self.known: dict[Any, bool] = {}

    def __call__(self, position: Any) -> bool:
        """Return whether a position is legal."""
        if position not in self.known:
            answer = self.hooks.call("legal", position)
            if not isinstance(answer, int | np.bool_) and answer is not None:
                message = (
                    f"{call_text('legal', position)} returned {answer!r}; return True or False"
                )
                raise ContractError(ProblemKind.LEGAL, message, position)
            self.known[position] = bool(answer)
        return self.known[position]

    def check_moves(self, visit: VisitedPosition) -> None:
        """Check that moves from a position, if it is legal, lead to legal ones."""
        if not self(visit.position):
            return
        for move, child in zip(visit.moves, visit.children, strict=True):
            if not self(child):
                message = (
                    f"{call_text('play', visit.position, move)} gives {child!r}, which legal() "
                    "refuses; let moves from legal positions lead to legal ones"
                )
                raise ContractError(ProblemKind.LEGAL, message, visit.position)

    def check_image(self, position: Any) -> None:
        """Check that ``legal`` agrees for a position and an equivalent one."""
        image = self._image(position)
        if image is not None and self(image) != self(position):
            raise legal_mismatch(self.hooks.rules, position, image, accepted=self(position))

    def _image(self, position: Any) -> Any:
        """Return a position that the game declares equivalent, or None."""
        rules = self.hooks.rules
        if rules.has_hook("canonical"):
            call = "canonical", position
            return self.hooks.shape.read(self.hooks.call(*call), call, position)
        group = rules.group if rules.has_hook("symmetries") else None
        if group is None:
            return None
        element = self.random.choice(group.elements)
        image = group.layout.build(element.image_of(group.layout.flatten(position)))
        try:
            return self.hooks.shape.read(image, ("symmetries",), position)
        except ContractError:  # the check of symmetries reports it
            return None


def space_sample(rules: Rules, random: Random, most: int) -> list[Any]:
    """Return a random sample of a game's space, or all positions if there are few."""
    return [rules.layout.unpack(row) for row in packed_sample(rules, random, most)]


def packed_sample(rules: Rules, random: Random, most: int) -> npt.NDArray[np.uint64]:
    """Return a random sample of a game's space, packed, a row each."""
    from zermelo._methods.dense.ranking import ranking_of

    ranking = ranking_of(rules)
    slots = np.arange(min(ranking.slots, most))
    if ranking.slots > most:
        rng = np.random.default_rng(random.getrandbits(32))
        slots = np.unique(rng.integers(0, ranking.slots, most))
    return ranking.unranked(slots).reshape(len(slots), -1)


def legal_mismatch(rules: Rules, position: Any, image: Any, *, accepted: bool) -> ContractError:
    """Return the problem of two equivalent positions, only one of which is legal."""
    accepted_one = "first" if accepted else "second"
    if rules.has_hook("symmetries"):
        kind, claim = ProblemKind.SYMMETRIES, f"symmetries() makes {position!r} and {image!r} one"
    else:
        kind, claim = ProblemKind.CANONICAL, f"{call_text('canonical', position)} is {image!r}"
    message = (
        f"{claim}, but legal() accepts the {accepted_one} alone; let it accept both or neither"
    )
    return ContractError(kind, message, position)
