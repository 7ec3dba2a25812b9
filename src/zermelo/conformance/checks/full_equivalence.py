"""What counts as one, by a solve: all positions, as far as time allows, and not a few of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.checks.symmetries import ImageCheck
from zermelo.conformance.report import ContractError, ProblemKind

if TYPE_CHECKING:
    from zermelo.conformance.hook_calls import CheckedHooks

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


@dataclass(frozen=True)
class EquivalenceResult:
    """What a look at all that a game declares has found.

    Attributes:
        wrong: a sentence on what is wrong, the position, and the one that counts as the same; None
            where nothing was found.
        images: how many images of positions by declared symmetries were compared with them.
        complete: whether these are all images of all positions.
    """

    wrong: tuple[str, Any, Any] | None = None
    images: int = 0
    complete: bool = False


def check_proved(asked: CheckedHooks, prove: Callable[[], EquivalenceResult]) -> EquivalenceResult:
    """See that a game can be solved, and that what counts as one is the same.

    Args:
        asked: the hooks.
        prove: looks at that, compiled.

    Raises:
        Fault: it is not.
        RulesError: ``solve`` refuses the game.
    """
    found = prove()
    if found.wrong is None:
        return found
    problem, position, image = found.wrong
    rules = asked.rules
    if rules.group is not None and image is not None:
        look, layout = ImageCheck(asked, rules.group), rules.layout  # it finds the words, in Python
        flat, there = layout.flatten(position), list(layout.flatten(image))
        element = next(each for each in rules.group.elements if each.of(flat) == there)
        look.look(asked.place(position), element)
    raise proved_wrong(problem, position, rules.game)


def proved_wrong(said: str, position: Any, game: Any) -> ContractError:
    """Return a problem for what a solve or a certificate says."""
    said = without_name(said, game).removeprefix(f"{type(game).__name__}: ")
    kind, remedy = next(
        (told for name, told in _NAMED.items() if name in said),
        (ProblemKind.CONTRACT, "correct the rules"),
    )
    if said.endswith(_TO_CHECK) or ";" not in said:
        said = f"{said.removesuffix(_TO_CHECK)}; {remedy}"
    return ContractError(kind, said, position)
