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
    hooks: CheckedHooks, visits: list[VisitedPosition], limits: WalkLimits, random: Random
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
    assert group is not None  # noqa: S101  # the hook exists
    image_check = ImageCheck(hooks, group)
    non_identity = group.elements[1:]
    # One image of each position comes first, in case time is short. Terminal positions are compared
    # first: that is fastest, and shows most mistakes.
    ordered_visits = sorted(visits, key=lambda visit: not visit.is_over)
    for round_number in range(min(len(non_identity), _IMAGES)):
        for n, visit in enumerate(ordered_visits):
            if limits.is_late:
                return
            are_all_tried = len(non_identity) <= _IMAGES
            image_check.compare_image(
                visit,
                non_identity[(n + round_number) % len(non_identity)]
                if are_all_tried
                else random.choice(non_identity),
            )


class ImageCheck:
    """A comparison of positions with their images."""

    def __init__(self, hooks: CheckedHooks, group: Group) -> None:
        """Store the hooks and the symmetries."""
        self.hooks = hooks
        self.group = group
        self.canonical_words: dict[Any, Any] = {}
        self.exchanges_players = {e: hooks.rules.turns_over(e) for e in group.elements}

    def compare_image(self, visit: VisitedPosition, element: Element) -> None:
        """Compare a position with one of its images.

        Raises:
            ContractError: they differ.
        """
        layout = self.group.layout
        position = visit.position
        image = layout.build(element.image_of(layout.flatten(position)))
        if image == position:
            return
        claim = f"symmetries() makes {position!r} and {image!r} one, but"
        try:
            self.hooks.shape.read(image, ("symmetries",), position)
        except ContractError as fault:
            message = f"{claim} {fault.statement}; widen space(), or {_REMEDY}"
            raise ContractError(ProblemKind.SYMMETRIES, message, position) from None
        try:
            image_visit = self.hooks.visit(image)
        except ContractError as fault:
            message = f"{claim} the rules fail at the second: {fault.statement}; {_REMEDY}"
            raise ContractError(ProblemKind.SYMMETRIES, message, position) from None
        difference = self._difference(visit, image_visit, element)
        if difference:
            raise ContractError(
                ProblemKind.SYMMETRIES, f"{claim} {difference}; {_REMEDY}", position
            )

    def _difference(
        self, visit: VisitedPosition, image_visit: VisitedPosition, element: Element
    ) -> str:
        """Return a phrase on the first difference, or ""."""
        rules = self.hooks.rules
        outcomes = self._ending(visit), self._ending(image_visit)
        if outcomes[0] != outcomes[1]:
            names = ["None" if end is None else end.name for end in outcomes]
            return f"the outcome of the first is {names[0]} and that of the second {names[1]}"
        if len(visit.moves) != len(image_visit.moves):
            counts = len(visit.moves), len(image_visit.moves)
            return f"the first has {counts[0]} moves and the second {counts[1]}"
        if visit.is_over and visit.score != image_visit.score:
            scores = visit.score, image_visit.score
            return f"the score of the first is {scores[0]} and that of the second {scores[1]}"
        if (visit.owner != image_visit.owner) != self.exchanges_players[element]:
            passes = (
                "stays the same"
                if self.exchanges_players[element]
                else "passes to the other player"
            )
            return f"there the turn {passes}, unlike at the start"
        for hook in ("level", "legal"):
            if (
                rules.has_hook(hook)
                and len({self.hooks.call(hook, p.position) for p in (visit, image_visit)}) > 1
            ):
                return f"{hook}() is not the same"
        if rules.has_hook("endless") and not visit.is_over and visit.endless != image_visit.endless:
            return "endless() is not the same"
        if self._moves(visit) != self._moves(image_visit):
            return "their moves lead to positions that it does not make one"
        return ""

    def _ending(self, visit: VisitedPosition) -> Outcome | None:
        """Return a terminal position's outcome, by the rules or for lack of moves; else None."""
        return self.hooks.rules.no_moves if visit.is_over and visit.ending is None else visit.ending

    def _moves(self, visit: VisitedPosition) -> list[Any]:
        """Return the children and gains, sorted, so that the order of moves does not matter."""
        return sorted(
            (self._canonical(child), self.hooks.player_to_move(child) == visit.owner, gain)
            for child, gain in zip(visit.children, visit.gains, strict=True)
        )

    def _canonical(self, position: Any) -> Any:
        if position not in self.canonical_words:
            self.canonical_words[position] = self.group.layout.pack(self.group.canonical(position))
        return self.canonical_words[position]
