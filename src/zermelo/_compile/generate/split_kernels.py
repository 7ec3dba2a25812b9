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
def _z_part(data, position, children, _, room, at, part):
{child}
    if at < room:
        _z.written(children, at, packed[1])
    elif at - room > {most}:
        return {endless}
    return at + 1
"""

_SPLIT = """

def split(keys, begin, end, children, ends{arguments}):
    data = {data}
    room = children.size // {count}
    at = int64(0)
    for i in range(begin, end):
        position = {position}
        after = {hook}(data, position, children, children, room, at, position)  #: split
        if after < 0:
            return i - begin, at, -after
        if after == at:
            if at < room:
{itself}
            after = at + 1
        if after > room:
            return i - begin, at, {full}
        ends[i - begin] = after
        at = after
    return end - begin, at, {ok}
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
        f"                children[at * {width} + {n}] = keys[i * {width} + {n}]"
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
