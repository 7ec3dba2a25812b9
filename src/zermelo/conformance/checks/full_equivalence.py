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
_REMEDIES = {
    "symmetries() or canonical()": (ProblemKind.LEGAL, "let legal() accept both or neither"),
    "symmetries()": (ProblemKind.SYMMETRIES, "declare only what changes nothing"),
    "canonical()": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "canonical(": (ProblemKind.CANONICAL, "let it change only what does not matter"),
    "legal": (ProblemKind.LEGAL, "correct it"),
}
#: The advice of these sentences to run the check, which is pointless in the check itself.
_CHECK_ADVICE = "; run zermelo check"


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


def check_full_equivalence(
    hooks: CheckedHooks, prove: Callable[[], EquivalenceResult]
) -> EquivalenceResult:
    """Check that a game can be solved, and that equivalent positions are equal.

    Args:
        hooks: the hooks.
        prove: runs the compiled check.

    Raises:
        ContractError: equivalent positions differ.
        RulesError: ``solve`` refuses the game.
    """
    result = prove()
    if result.wrong is None:
        return result
    problem, position, image = result.wrong
    rules = hooks.rules
    if rules.group is not None and image is not None:
        image_check, layout = (
            ImageCheck(hooks, rules.group),
            rules.layout,
        )  # which words the message
        flat, image_numbers = layout.flatten(position), list(layout.flatten(image))
        element = next(
            symmetry
            for symmetry in rules.group.elements
            if symmetry.image_of(flat) == image_numbers
        )
        image_check.compare_image(hooks.visit(position), element)
    raise solve_error(problem, position, rules.game)


def solve_error(sentence: str, position: Any, game: Any) -> ContractError:
    """Return the problem for a sentence of a solve or a certificate."""
    sentence = without_name(sentence, game).removeprefix(f"{type(game).__name__}: ")
    kind, remedy = next(
        (kind_and_remedy for name, kind_and_remedy in _REMEDIES.items() if name in sentence),
        (ProblemKind.CONTRACT, "correct the rules"),
    )
    if sentence.endswith(_CHECK_ADVICE) or ";" not in sentence:
        sentence = f"{sentence.removesuffix(_CHECK_ADVICE)}; {remedy}"
    return ContractError(kind, sentence, position)
