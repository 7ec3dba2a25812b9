"""The check of declared equivalences by a solve: at all positions, as far as time allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.conformance.checks.compiled import without_name
from zermelo.conformance.checks.symmetries import ImageCheck
from zermelo.conformance.report import ContractError, ProblemKind

if TYPE_CHECKING:
    from zermelo.conformance.hook_calls import CheckedHooks

#: The hooks that sentences of certificates name, the kinds of problems, and the advice.
_NAMED = {
    "symmetries() or canonical()": (ProblemKind.LEGAL, "let legal() accept both or neither"),
    "symmetries()": (ProblemKind.SYMMETRIES, "declare only what changes nothing"),
    "canonical()": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "canonical(": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "legal": (ProblemKind.LEGAL, "correct it"),
}
#: The advice in these sentences, which is pointless in the check itself.
_TO_CHECK = "; run zermelo check"


@dataclass(frozen=True)
class EquivalenceResult:
    """The result of checking all declarations of a game.

    Attributes:
        wrong: a sentence on a problem, the position, and its equivalent position; None without a
            problem.
        images: the number of images by declared symmetries that were compared.
        complete: whether these are all images of all positions.
    """

    wrong: tuple[str, Any, Any] | None = None
    images: int = 0
    complete: bool = False


def check_proved(hooks: CheckedHooks, prove: Callable[[], EquivalenceResult]) -> EquivalenceResult:
    """Check that a game can be solved, and that equivalent positions are equal.

    Args:
        hooks: the hooks.
        prove: runs the compiled check.

    Raises:
        ContractError: they are not.
        RulesError: ``solve`` refuses the game.
    """
    found = prove()
    if found.wrong is None:
        return found
    problem, position, image = found.wrong
    rules = hooks.rules
    if rules.group is not None and image is not None:
        look, layout = ImageCheck(hooks, rules.group), rules.layout  # words the message, in Python
        flat, there = layout.flatten(position), list(layout.flatten(image))
        element = next(each for each in rules.group.elements if each.image_of(flat) == there)
        look.compare_image(hooks.place(position), element)
    raise proved_wrong(problem, position, rules.game)


def proved_wrong(said: str, position: Any, game: Any) -> ContractError:
    """Return the problem for a sentence of a solve or a certificate."""
    said = without_name(said, game).removeprefix(f"{type(game).__name__}: ")
    kind, remedy = next(
        (told for name, told in _NAMED.items() if name in said),
        (ProblemKind.CONTRACT, "correct the rules"),
    )
    if said.endswith(_TO_CHECK) or ";" not in said:
        said = f"{said.removesuffix(_TO_CHECK)}; {remedy}"
    return ContractError(kind, said, position)
