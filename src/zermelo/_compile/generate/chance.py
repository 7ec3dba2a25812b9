"""Generated code for positions at which chance decides, for games with ``chance``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from zermelo._compile.generate.canonical import IMAGES, marks_turns, store_lines
from zermelo._compile.generate.packing import BUILT, packing_lines
from zermelo._engine.expand.expander import BAD_WEIGHT, ENDLESS_MOVES
from zermelo.game.chance import MOST_WEIGHT
from zermelo.rules.hooks import MOST_MOVES, Rules
from zermelo.values.expectations import CONTINUES, OPPOSED, PASSED, WEIGHT

if TYPE_CHECKING:
    from zermelo._compile.generate.canonical import Folding

#: The names of the functions that pack a result of chance, and the position after a move in one
#: that is not kept; they are called instead of ``yield``.
EMIT, EMIT_PASSED = "_z_face", "_z_passed"

_FACE = """

@_z_rule
def _z_face(data, position, children, gains, capacity, index, face):
    weight = _z.whole(face[0], "yields|yield pairs of a weight and a position")  #: chance
{child}
{folded}
    if weight < 1:
        return {bad_weight}
{passed}
    if index < capacity:
{words}
        gains[index] = {label}
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

#: The lines that emit the moves in a result that is not kept.
_UNKEPT = """
    result = {built}
    if {is_open} and not _z.truth({kept}(data, result)):  #: kept
        next_index = {moves}(data, result, children, gains, capacity, index, result)  #: moves
        if next_index < 0:
            return next_index
        if next_index > index:
            is_opposed = {is_opposed}
            if index < capacity:
                gains[index] = weight | (gains[index] & {passed}) | ({opposed} if is_opposed else 0)
{exchanged}
            return next_index"""

#: The lines that change the flags of the moves in a result where the other player moves.
_EXCHANGED = """
            if is_opposed and data.{images}.size > 0 and data.{images}[0] != 0:
                for k in range(index, min(next_index, capacity)):
                    gains[k] ^= {passed}"""

_PASSED = """

@_z_rule
def _z_passed(data, position, children, gains, capacity, index, move):
{child}
{folded}
    if index < capacity:
{words}
        gains[index] = {flags}
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

#: The lines of ``expand`` that ask ``chance``, and then ``moves`` if no chance decides.
_DECIDE = """
        next_index = {chance}(data, position, children, gains, capacity, index, position)  #: chance
        by_chance = next_index > index
        if next_index == index:
            next_index = {moves}
        if by_chance and next_index <= capacity:
            total = int64(0)
            for k in range(index, next_index):
                if gains[k] & {continues} == 0:
                    total += min(gains[k] & {weight}, int64({most_weight}) + 1)
            if total > {most_weight}:
                return i - begin, index, {too_heavy}"""


class HookParts(Protocol):
    """The generated names of hooks; see ``module.KernelParts``."""

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""

    def item_loop(self, hook: str, emit: str) -> str:
        """Return the name of the function that calls ``emit`` for each item of a hook."""


def face_of(rules: Rules, parts: HookParts, folding: Folding | None) -> str:
    """Return the text of the function that packs a result of chance and writes its weight.

    Args:
        rules: the hooks.
        parts: gives the generated names of hooks, and of loops over their items.
        folding: the parts that canonicalise positions, or None.
    """
    return _FACE.format(
        child="\n".join(f"    {line}" for line in packing_lines("face[1]", "chance")),
        folded="\n".join(folding.child) if folding is not None else "    pass",
        bad_weight=-BAD_WEIGHT,
        passed=_unkept_lines(rules, parts) if rules.has_hook("kept") else "    pass",
        words="\n".join(store_lines(folding)),
        label=f"weight | ({PASSED} if passes_turn else 0)" if marks_turns(rules) else "weight",
        most=MOST_WEIGHT,
        endless=-ENDLESS_MOVES,
    )


def passed_of(rules: Rules, parts: HookParts, folding: Folding | None) -> str:
    """Return the text of the function that packs the position after a move in such a result.

    The arguments are those of ``face_of``.
    """
    if not rules.has_hook("kept"):
        return ""
    child = f"{parts.method('play')}(data, position, move)"
    return _PASSED.format(
        child="\n".join(f"    {line}" for line in packing_lines(child, "play")),
        folded="\n".join(folding.child) if folding is not None else "    pass",
        words="\n".join(store_lines(folding)),
        flags=f"{CONTINUES} | ({PASSED} if passes_turn else 0)"
        if marks_turns(rules)
        else CONTINUES | PASSED,
        most=MOST_MOVES,
        endless=-ENDLESS_MOVES,
    )


def _unkept_lines(rules: Rules, parts: HookParts) -> str:
    """Return the lines that emit the moves in a result that is not kept."""
    is_open = "True"
    hook = next((hook for hook in ("outcome", "winner") if rules.has_hook(hook)), None)
    if hook is not None:
        is_open = f"not _z.is_given({parts.method(hook)}(data, result))"
    is_opposed = "False"
    if not rules.alternate:
        turn = parts.method("turn")
        is_opposed = f"{turn}(data, result) != {turn}(data, position)  #: turn"
    exchanged = "            pass"
    if marks_turns(rules):
        exchanged = _EXCHANGED.format(images=IMAGES, passed=PASSED).removeprefix("\n")
    return _UNKEPT.format(
        built=BUILT,
        is_open=is_open,
        kept=parts.method("kept"),
        moves=parts.item_loop("moves", EMIT_PASSED),
        is_opposed=is_opposed,
        passed=PASSED,
        opposed=OPPOSED,
        exchanged=exchanged,
    ).removeprefix("\n")


def decide_lines(chance: str, moves: str) -> str:
    """Return the lines of ``expand`` that find the results of chance, or else the moves.

    Args:
        chance: the function that emits the results of chance.
        moves: the call that emits the moves.
    """
    return _DECIDE.format(
        chance=chance,
        moves=moves,
        continues=CONTINUES,
        weight=WEIGHT,
        most_weight=MOST_WEIGHT,
        too_heavy=BAD_WEIGHT,
    ).removeprefix("\n")
