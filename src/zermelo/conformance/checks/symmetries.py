"""The check of ``symmetries``: images of a position have equal ends, or the images of its moves."""

from __future__ import annotations

from random import Random
from typing import Any

from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.hook_calls import CheckedHooks, VisitedPosition
from zermelo.conformance.report import ContractError, ProblemKind
from zermelo.conformance.walk import WalkLimits
from zermelo.errors import RulesError
from zermelo.rules.actions import Element
from zermelo.rules.orbits import Group
from zermelo.values.outcomes import Outcome

#: The most images of one position that are checked.
_IMAGES = 8
_REMEDY = "declare only what changes nothing"


def check_symmetries(
    hooks: CheckedHooks, places: list[VisitedPosition], limits: WalkLimits, random: Random
) -> None:
    """Check that ``symmetries`` maps positions to equivalent positions.

    Raises:
        ContractError: the symmetries do not fit the positions, or an image differs from its
            position.
    """
    rules = hooks.rules
    if not rules.has_hook("symmetries"):
        return
    hooks.call("symmetries")
    try:
        group = rules.group
    except RulesError as error:
        raise ContractError(ProblemKind.SYMMETRIES, without_name(str(error), rules.game)) from None
    assert group is not None  # noqa: S101  # there is the hook
    looker = ImageCheck(hooks, group)
    others = group.elements[1:]
    # One image of each comes first, in case time is short; ends are cheapest and most telling.
    ordered = sorted(places, key=lambda place: not place.is_over)
    for turn in range(min(len(others), _IMAGES)):
        for n, place in enumerate(ordered):
            if limits.is_late:
                return
            few = len(others) <= _IMAGES
            looker.compare_image(
                place, others[(n + turn) % len(others)] if few else random.choice(others)
            )


class ImageCheck:
    """A comparison of positions with their images."""

    def __init__(self, hooks: CheckedHooks, group: Group) -> None:
        """Store the hooks and the symmetries."""
        self.hooks = hooks
        self.group = group
        self.known: dict[Any, Any] = {}
        self.turned = {e: hooks.rules.turns_over(e) for e in group.elements}

    def compare_image(self, place: VisitedPosition, element: Element) -> None:
        """Compare a position with one of its images.

        Raises:
            ContractError: they differ.
        """
        layout = self.group.layout
        position = place.position
        image = layout.build(element.image_of(layout.flatten(position)))
        if image == position:
            return
        said = f"symmetries() makes {position!r} and {image!r} one, but"
        try:
            self.hooks.shape.read(image, ("symmetries",), position)
        except ContractError as fault:
            message = f"{said} {fault.what}; widen space(), or {_REMEDY}"
            raise ContractError(ProblemKind.SYMMETRIES, message, position) from None
        try:
            there = self.hooks.place(image)
        except ContractError as fault:
            message = f"{said} the rules fail at the second: {fault.what}; {_REMEDY}"
            raise ContractError(ProblemKind.SYMMETRIES, message, position) from None
        unlike = self._difference(place, there, element)
        if unlike:
            raise ContractError(ProblemKind.SYMMETRIES, f"{said} {unlike}; {_REMEDY}", position)

    def _difference(self, here: VisitedPosition, there: VisitedPosition, element: Element) -> str:
        """Return a phrase on the first difference, or ""."""
        rules = self.hooks.rules
        ends = self._ending(here), self._ending(there)
        if ends[0] != ends[1]:
            names = ["None" if end is None else end.name for end in ends]
            return f"the outcome of the first is {names[0]} and that of the second {names[1]}"
        if len(here.moves) != len(there.moves):
            return f"the first has {len(here.moves)} moves and the second {len(there.moves)}"
        if here.is_over and here.score != there.score:
            return f"the score of the first is {here.score} and that of the second {there.score}"
        if (here.owner != there.owner) != self.turned[element]:
            passes = "stays the same" if self.turned[element] else "passes to the other player"
            return f"there the turn {passes}, unlike at the start"
        for hook in ("level", "legal"):
            if (
                rules.has_hook(hook)
                and len({self.hooks.call(hook, p.position) for p in (here, there)}) > 1
            ):
                return f"{hook}() is not the same"
        if rules.has_hook("endless") and not here.is_over and here.endless != there.endless:
            return "endless() is not the same"
        if self._moves(here) != self._moves(there):
            return "their moves lead to positions that it does not make one"
        return ""

    def _ending(self, place: VisitedPosition) -> Outcome | None:
        """Return the outcome of a terminal position, by the rules or by a lack of moves.

        Else None.
        """
        return self.hooks.rules.no_moves if place.is_over and place.ending is None else place.ending

    def _moves(self, place: VisitedPosition) -> list[Any]:
        """Return the children and gains, sorted, so that the order of moves does not matter."""
        return sorted(
            (self._canonical(child), self.hooks.player_to_move(child) == place.owner, gain)
            for child, gain in zip(place.children, place.gains, strict=True)
        )

    def _canonical(self, position: Any) -> Any:
        if position not in self.known:
            self.known[position] = self.group.layout.pack(self.group.canonical(position))
        return self.known[position]
