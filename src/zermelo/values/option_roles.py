"""The roles of moves in the canonical form of a partizan game, and their names in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue

if TYPE_CHECKING:
    from zermelo.values.results import Option


@dataclass(frozen=True, slots=True)
class OptionRole:
    """The role of a move's value in the canonical form of its position.

    A value that is no option of the canonical form is dominated, if another move leads to a greater
    one; or reversible, if some reply leads to at most the position's value; or it is less than an
    option of the canonical form that replaces a reversible one.

    Attributes:
        value: the value after the move, for the player who makes it.
        is_canonical: whether it is an option of the canonical form.
        better: the first of the moves to a greater value, best first; or None.
        reply: if it is reversible, the value after the reply that reverses it; otherwise None.
    """

    value: CombinatorialValue
    is_canonical: bool
    better: Option | None = None
    reply: CombinatorialValue | None = None

    @property
    def note(self) -> str:
        """A short phrase, such as ``canonical``, ``dominated by b3b2`` or ``reversible``."""
        if self.is_canonical:
            return "canonical"
        if self.better is not None:
            return f"dominated by {self.better.name}"
        return "reversible" if self.reply is not None else "dominated after a reversal"


def option_roles(value: CombinatorialValue, options: Sequence[Option]) -> list[OptionRole]:
    """Return the role of each move in the canonical form of its position.

    Args:
        value: the value of the position.
        options: its moves.
    """
    canonical = set(value.left)
    role_of: dict[CombinatorialValue, OptionRole] = {}
    for option in options:
        after = option.value
        if isinstance(after, CombinatorialValue) and after not in role_of:
            role_of[after] = _role(after, value, canonical, options)
    return [
        role_of[option.value] for option in options if isinstance(option.value, CombinatorialValue)
    ]


def _role(
    after: CombinatorialValue,
    value: CombinatorialValue,
    canonical: set[CombinatorialValue],
    options: Sequence[Option],
) -> OptionRole:
    """Return the role of one value after a move."""
    if after in canonical:
        return OptionRole(after, is_canonical=True)
    greater = [option for option in options if _is_greater(option, after)]
    # A canonical option is named if there is one, as it is not dominated itself.
    better = next((option for option in greater if option.value in canonical), None)
    better = better or next(iter(greater), None)
    reply = None
    if better is None:
        reply = next((game for game in after.right if game <= value), None)
    return OptionRole(after, is_canonical=False, better=better, reply=reply)


def _is_greater(option: Option, value: CombinatorialValue) -> bool:
    return isinstance(option.value, CombinatorialValue) and option.value > value
