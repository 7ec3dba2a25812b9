"""The text of the kernel that splits positions into components, for games with ``split``."""

from __future__ import annotations

from zermelo._compile.generate.packing import overflow, packing, values
from zermelo._engine.expand.expander import ENDLESS_MOVES, FIELD_OVERFLOW, FULL, OK
from zermelo.rules.hooks import MOST_MOVES
from zermelo.rules.layout import Layout

#: The name of the function that packs a component: what takes the place of ``yield``.
EMIT = "_z_part"

_PART = """

@_z_rule
def _z_part(data, position, children, _, room, at, part):
{child}
    if {overflow}:
        return {overflowed}
    if at < room:
{words}
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


def part_of(layout: Layout) -> str:
    """Return the text of the function that packs a component."""
    width = layout.words
    words = [f"        children[at * {width} + {n}] = {k}" for n, k in enumerate(packing(layout))]
    if layout.kind is None:
        child = ['    f0 = _z.whole(part, "returns|yield whole numbers")  #: split']
    else:
        shape = f'"returns|yield {layout.describe()}"'
        child = [f"    child = _z.shaped(part, {len(layout.fields)}, {shape})  #: split"]
        child += [f"    {line}" for line in values(layout, "child", "split")]
    return _PART.format(
        child="\n".join(child),
        overflow=overflow(layout),
        overflowed=-FIELD_OVERFLOW,
        words="\n".join(words),
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
