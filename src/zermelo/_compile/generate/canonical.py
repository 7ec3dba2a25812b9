"""Generated code for canonical forms: one position for each class of equivalent ones.

Declared symmetries act on packed words, by tables of images that are passed as data: a change of
their number compiles nothing. The first words of all images are computed together, in a vectorised
loop; only images with the least first word are compared further. An author's own ``canonical`` is
called instead, if there is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from zermelo._compile.generate.packing import BUILT, POSITION, packing_lines
from zermelo._engine.expand.expander import TURN_FOLDED, TURN_KEPT
from zermelo.rules.hooks import Rules
from zermelo.rules.orbits import Group

#: The argument with the tables of images: first whether some symmetry exchanges the players,
#: then the image of every value of every chunk. Empty if symmetries are not used.
IMAGES = "z_images"

_FOLD = """
@_z.part(error_model="numpy", boundscheck=False, heap=False)
def _z_fold({words}, images):
    count = uint64(images.size - 1) // uint64({entries})
{places}
    best0 = {first}
    for g in range(uint64(1), count):
        best0 = min(best0, {image})
{comparison}
    return {result}


@_z.part(error_model="numpy", boundscheck=False, heap=False)
def _z_fixed({words}, images):
    count = uint64(images.size - 1) // uint64({entries})
{places}
    fixed = 0
    for g in range(uint64(0), count):
        if {is_equal}:
            fixed += 1
    return fixed
"""

_FOLDS = """

def fold(keys, count, out, fixed{arguments}):
    data = {data}
    for i in range(count):
{read}
        if {images}.size > 0:
{folded}
{write}
        if fixed.size > 0:
            fixed[i] = {fixed}
"""


class HookSet(Protocol):
    """The hooks as generated functions; see ``module.AnyRuleSet``."""

    def method(self, hook: str) -> str:
        """Include a hook and return its generated name."""

    def record(self, kind: type) -> str:
        """Include a NamedTuple class and return its generated name."""


@dataclass
class Folding:
    """The parts of a generated module that canonicalise positions.

    Attributes:
        early: functions that precede all others.
        child: lines after a child is packed.
        words: lines that compute the words to write from the packed ones; empty if they are equal.
        read, folded, write, fixed: the parts of the kernel that canonicalises many positions.
    """

    early: str
    child: list[str]
    words: list[str]
    read: list[str]
    folded: list[str]
    write: list[str]
    fixed: str

    def kernel(self, arguments: str, data: str) -> str:
        """Return the kernel that canonicalises many positions."""
        return _FOLDS.format(
            arguments=arguments,
            data=data,
            images=IMAGES,
            read="\n".join(f"        {line}" for line in self.read),
            folded="\n".join(f"            {line}" for line in self.folded),
            write="\n".join(f"        {line}" for line in self.write),
            fixed=self.fixed,
        )


def store_lines(folding: Folding | None) -> list[str]:
    """Return the lines that write the words of a child."""
    conversion = [] if folding is None else folding.words
    words = "words" if conversion else "packed[1]"
    return [*conversion, f"        _z.store_words(children, index, {words})"]


def canonical_parts(rules: Rules, rule_set: HookSet) -> Folding | None:
    """Return the parts of a module that canonicalise positions, or None without symmetries."""
    if not rules.foldable:
        return None
    return (
        _parts_of_hook(rules, rule_set)
        if rules.group is None
        else _parts_of_group(rules, rules.group, rule_set)
    )


def marks_turns(rules: Rules) -> bool:
    """Return whether edge labels show the player to move, if symmetries exchange the players.

    Then the player to move is not stored. If moves make points, labels contain these instead,
    and the turn has to pass with each move.
    """
    has_labels = rules.has_chance and not rules.kind.adds_points
    return rules.group is not None and not rules.alternate and has_labels


def _parts_of_group(rules: Rules, group: Group, rule_set: HookSet) -> Folding:
    width = rules.layout.words
    names = ", ".join(f"k{n}" for n in range(width))
    child = ["    pass"]
    if marks_turns(rules):
        turn = rule_set.method("turn")
        child = [
            "    keeps_turn, passes_turn = False, False",
            f"    if data.{IMAGES}.size > 0 and data.{IMAGES}[0] != 0:",
            f"        keeps_turn = {turn}(data, {BUILT}) == {turn}(data, position)  #: turn",
            "        passes_turn = not keeps_turn",
        ]
    elif not rules.alternate:
        turn = rule_set.method("turn")
        child = [
            f"    if data.{IMAGES}.size > 0 and data.{IMAGES}[0] != 0:",
            f"        if {turn}(data, {BUILT}) == {turn}(data, position):  #: turn",
            f"            return {-TURN_KEPT}",
        ]
    return Folding(
        early=_fold_functions(group),
        child=child,
        words=[
            *(f"        k{n} = packed[1][{n}]" for n in range(width)),
            f"        if data.{IMAGES}.size > 0:",
            f"            {names} = _z_fold({names}, data.{IMAGES})",
            f"        words = ({names},)",
        ],
        read=[f"k{n} = keys[i * {width} + {n}]" for n in range(width)],
        folded=[f"{names} = _z_fold({names}, {IMAGES})"],
        write=[f"out[i * {width} + {n}] = k{n}" for n in range(width)],
        fixed=f"_z_fixed({names}, {IMAGES})",
    )


def _fold_functions(group: Group) -> str:
    """Return the functions that find the least image, and the number of equal images."""
    width = group.layout.words
    places, entries = [], 0
    for n, slot_number in enumerate(group.shifted_slots):
        slot = group.layout.slots[slot_number]
        number = f"(k{slot.word} >> uint64({slot.shift})) & uint64({(1 << slot.bits) - 1})"
        places += [f"    v{n} = {number}", f"    s{n} = uint64(1) + uint64({entries}) * count"]
        entries += 1 + width
    for n, chunk in enumerate(group.other_chunks):
        bits = f"((k{chunk.word} >> uint64({chunk.shift})) & uint64({(1 << chunk.bits) - 1}))"
        places.append(
            f"    a{n} = uint64(1) + (uint64({entries}) + {bits} * uint64({width})) * count"
        )
        entries += width << chunk.bits

    def part(word: int, element: str) -> str:
        """Return the expression for the bits of a word of an image that symmetries move."""
        offset = f" + {element}" if element else ""
        word_offset = f" + uint64({word}) * count" if word else ""
        shifted = (
            f"(v{n} << images[s{n}{offset}] & images[s{n} + uint64({1 + word}) * count{offset}])"
            for n in range(len(group.shifted_slots))
        )
        looked_up = (f"images[a{n}{word_offset}{offset}]" for n in range(len(group.other_chunks)))
        return " | ".join([*shifted, *looked_up]) or "uint64(0)"

    masks = [f"uint64({((1 << 64) - 1) ^ moved_mask})" for moved_mask in group.moved_bits]
    comparison = []
    if width > 1:
        comparison = [f"    best{n} = uint64(0xFFFFFFFFFFFFFFFF)" for n in range(1, width)]
        comparison += [
            "    for g in range(uint64(0), count):",
            f"        if ({part(0, 'g')}) == best0:",
        ]
        comparison += [f"            w{n} = {part(n, 'g')}" for n in range(1, width)]
        is_less = " or ".join(
            "("
            + " and ".join([*(f"w{m} == best{m}" for m in range(1, n)), f"w{n} < best{n}"])
            + ")"
            for n in range(1, width)
        )
        comparison += [f"            if {is_less}:"]
        comparison += [f"                best{n} = w{n}" for n in range(1, width)]
    is_equal = " and ".join(
        f"(({part(n, 'g')}) | (k{n} & {masks[n]})) == k{n}" for n in range(width)
    )
    results = [f"best{n} | (k{n} & {masks[n]})" for n in range(width)]
    return _FOLD.format(
        words=", ".join(f"k{n}" for n in range(width)),
        entries=max(entries, 1),
        places="\n".join(places) or "    pass",
        first=part(0, ""),
        image=part(0, "g"),
        comparison="\n".join(comparison) or "    pass",
        result=results[0] if width == 1 else f"({', '.join(results)})",
        is_equal=is_equal,
    )


def _parts_of_hook(rules: Rules, rule_set: HookSet) -> Folding:
    width = rules.layout.words
    canonical = rule_set.method("canonical")
    child = [f"    if data.{IMAGES}.size > 0:"]
    turn = "" if rules.alternate else rule_set.method("turn")
    if turn:
        child.append(f"        mover = {turn}(data, {BUILT})  #: turn")
    packing = packing_lines(f"{canonical}(data, {BUILT})", "canonical")
    child += [f"        {line}" for line in packing]
    if turn:
        child += [
            f"        if {turn}(data, {BUILT}) != mover:  #: turn",
            f"            return {-TURN_FOLDED}",
        ]
    recomputation = packing_lines(f"{canonical}(data, {POSITION})", "canonical")[:2]
    return Folding(
        early="",
        child=child,
        words=[],
        read=[f"k{n} = keys[i * {width} + {n}]" for n in range(width)],
        folded=[*recomputation, *(f"k{n} = packed[1][{n}]" for n in range(width))],
        write=[f"out[i * {width} + {n}] = k{n}" for n in range(width)],
        fixed="1",
    )
