"""Generated code of the kernel that splits positions into components, for games with ``split``."""

from __future__ import annotations

from zermelo._compile.generate.packing import PARTED, packing_lines
from zermelo._engine.expand.expander import ENDLESS_MOVES, FULL, OK
from zermelo.rules.hooks import MOST_MOVES
from zermelo.rules.layout import Layout

#: The name of the function that packs a component, called instead of ``yield``.
EMIT = "_z_part"

_PART = """

@_z_rule
def _z_part(data, position, children, _, capacity, index, part):
{child}
    if index < capacity:
        _z.store_words(children, index, packed[1])
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

_SPLIT = """

def split(keys, begin, end, children, ends{arguments}):
    data = {data}
    capacity = children.size // {count}
    index = int64(0)
    for i in range(begin, end):
        position = {position}
        next_index = {hook}(data, position, children, children, capacity, index, position)  #: split
        if next_index < 0:
            return i - begin, index, -next_index
        if next_index == index:
            if index < capacity:
{itself}
            next_index = index + 1
        if next_index > capacity:
            return i - begin, index, {full}
        ends[i - begin] = next_index
        index = next_index
    return end - begin, index, {ok}
"""


def part_of() -> str:
    """Return the text of the function that packs a component."""
    return _PART.format(
        child="\n".join(f"    {line}" for line in packing_lines("part", "split", PARTED)),
        most=MOST_MOVES,
        endless=-ENDLESS_MOVES,
    )


def split_of(layout: Layout, hook: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel, which calls ``hook`` at each ``position``."""
    width = layout.words
    itself = [
        f"                children[index * {width} + {n}] = keys[i * {width} + {n}]"
        for n in range(width)
    ]
    return _SPLIT.format(
        arguments=arguments,
        data=data,
        count=width,
        position=position,
        hook=hook,
        itself="\n".join(itself),
        full=FULL,
        ok=OK,
    )
