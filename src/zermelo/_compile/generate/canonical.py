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
        best0 = min(best0, {each})
{rest}
    return {result}


@_z.part(error_model="numpy", boundscheck=False, heap=False)
def _z_fixed({words}, images):
    count = uint64(images.size - 1) // uint64({entries})
{places}
    fixed = 0
    for g in range(uint64(0), count):
        if {same}:
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


class MadeHooks(Protocol):
    """The hooks as generated functions; see ``module.MadeRules``."""

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
    folded = [] if folding is None else folding.words
    words = "words" if folded else "packed[1]"
    return [*folded, f"        _z.written(children, at, {words})"]


def canonical_parts(rules: Rules, made: MadeHooks) -> Folding | None:
    """Return the parts of a module that canonicalise positions, or None without symmetries."""
    if not rules.foldable:
        return None
    return _by_hand(rules, made) if rules.group is None else _of_group(rules, rules.group, made)


def _of_group(rules: Rules, group: Group, made: MadeHooks) -> Folding:
    width = rules.layout.words
    names = ", ".join(f"k{n}" for n in range(width))
    child = ["    pass"]
    if not rules.alternate:
        turn = made.method("turn")
        child = [
            f"    if data.{IMAGES}.size > 0 and data.{IMAGES}[0] != 0:",
            f"        if {turn}(data, {BUILT}) == {turn}(data, position):  #: turn",
            f"            return {-TURN_KEPT}",
        ]
    return Folding(
        early=_fold(group),
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


def _fold(group: Group) -> str:
    """Return the functions that find the least image, and the number of equal images."""
    width = group.layout.words
    places, entries = [], 0
    for n, chunk in enumerate(group.chunks):
        bits = f"((k{chunk.word} >> uint64({chunk.shift})) & uint64({(1 << chunk.bits) - 1}))"
        places.append(
            f"    a{n} = uint64(1) + (uint64({entries}) + {bits} * uint64({width})) * count"
        )
        entries += width << chunk.bits

    def part(word: int, element: str) -> str:
        """Return the moved bits of a word of an image."""
        at = [element] if element else []
        at += [f"uint64({word}) * count"] if word else []
        terms = (f"images[{' + '.join([f'a{n}', *at])}]" for n in range(len(group.chunks)))
        return " | ".join(terms) or "uint64(0)"

    masks = [f"uint64({((1 << 64) - 1) ^ moved})" for moved in group.moved_bits]
    rest = []
    if width > 1:
        rest = [f"    best{n} = uint64(0xFFFFFFFFFFFFFFFF)" for n in range(1, width)]
        rest += ["    for g in range(uint64(0), count):", f"        if ({part(0, 'g')}) == best0:"]
        rest += [f"            w{n} = {part(n, 'g')}" for n in range(1, width)]
        less = " or ".join(
            "("
            + " and ".join([*(f"w{m} == best{m}" for m in range(1, n)), f"w{n} < best{n}"])
            + ")"
            for n in range(1, width)
        )
        rest += [f"            if {less}:"]
        rest += [f"                best{n} = w{n}" for n in range(1, width)]
    same = " and ".join(f"(({part(n, 'g')}) | (k{n} & {masks[n]})) == k{n}" for n in range(width))
    results = [f"best{n} | (k{n} & {masks[n]})" for n in range(width)]
    return _FOLD.format(
        words=", ".join(f"k{n}" for n in range(width)),
        entries=max(entries, 1),
        places="\n".join(places) or "    pass",
        first=part(0, ""),
        each=part(0, "g"),
        rest="\n".join(rest) or "    pass",
        result=results[0] if width == 1 else f"({', '.join(results)})",
        same=same,
    )


def _by_hand(rules: Rules, made: MadeHooks) -> Folding:
    width = rules.layout.words
    canonical = made.method("canonical")
    child = [f"    if data.{IMAGES}.size > 0:"]
    turn = "" if rules.alternate else made.method("turn")
    if turn:
        child.append(f"        mover = {turn}(data, {BUILT})  #: turn")
    again = packing_lines(f"{canonical}(data, {BUILT})", "canonical")
    child += [f"        {line}" for line in again]
    if turn:
        child += [
            f"        if {turn}(data, {BUILT}) != mover:  #: turn",
            f"            return {-TURN_FOLDED}",
        ]
    made_so = packing_lines(f"{canonical}(data, {POSITION})", "canonical")[:2]
    return Folding(
        early="",
        child=child,
        words=[],
        read=[f"k{n} = keys[i * {width} + {n}]" for n in range(width)],
        folded=[*made_so, *(f"k{n} = packed[1][{n}]" for n in range(width))],
        write=[f"out[i * {width} + {n}] = k{n}" for n in range(width)],
        fixed="1",
    )
