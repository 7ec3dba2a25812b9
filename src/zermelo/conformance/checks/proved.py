"""What counts as one, by a solve and its certificate: all positions, and not a sample of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.checks.images import ImageCheck
from zermelo.conformance.report import Fault, ProblemKind

if TYPE_CHECKING:
    from zermelo.conformance.asked import Asked

#: What certificates name in their sentences, the kind of problem that is, and what to do.
_NAMED = {
    "symmetries() or canonical()": (ProblemKind.LEGAL, "let legal() accept both or neither"),
    "symmetries()": (ProblemKind.SYMMETRIES, "declare only what changes nothing"),
    "canonical()": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "canonical(": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "legal": (ProblemKind.LEGAL, "correct it"),
}
#: What they tell people to do who have not.
_TO_CHECK = "; run zermelo check"


def check_proved(asked: Asked, prove: Callable[[], Any]) -> None:
    """See that a game can be solved and that its certificate holds.

    Args:
        asked: the hooks.
        prove: returns what verifying a solution found; None where that would take too long.

    Raises:
        Fault: it does not.
        RulesError: ``solve`` refuses the game.
    """
    found = prove()
    if found is None or found:
        return
    rules, position = asked.rules, found.position
    if rules.group is not None and position is not None:
        look = ImageCheck(asked, rules.group)  # which finds the words for it, in Python
        for element in rules.group.elements[1:]:
            look.look(asked.place(position), element)
    raise proved_wrong(found.problem, position, rules.game)


def proved_wrong(said: str, position: Any, game: Any) -> Fault:
    """Return a problem for what a solve or a certificate says."""
    said = without_name(said, game).removeprefix(f"{type(game).__name__}: ")
    kind, remedy = next(
        (told for name, told in _NAMED.items() if name in said),
        (ProblemKind.CONTRACT, "correct the rules"),
    )
    if said.endswith(_TO_CHECK) or ";" not in said:
        said = f"{said.removesuffix(_TO_CHECK)}; {remedy}"
    return Fault(kind, said, position)
