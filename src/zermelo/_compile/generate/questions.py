"""The text of kernels that ask one hook about many positions: ``level``, ``legal``, ``parents``.

What ``parents`` gives is where to look, and never believed: a position that it gives is expanded
again. So one that is outside the space, and one that no game reaches, does no harm.
"""

from __future__ import annotations

from zermelo._compile.generate.packing import overflow, packing, values
from zermelo.rules.hooks import MOST_MOVES, Rules
from zermelo.rules.layout import Layout

#: The function that is called for each parent.
EMIT = "_z_emit_parent"
#: What the kernel says instead of how many positions it handled where parents do not end.
ENDLESS = -1

_LEVELS = """

def levels(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = _z.whole({hook}(data, position), "returns|return a whole number")  #: level
"""

_LEGAL = """

def legal(keys, count, out{arguments}):
    data = {data}
    for i in range(count):
        position = {position}
        out[i] = 1 if _z.truth({hook}(data, position)) else 0  #: legal
"""

_EMIT = """

@_z_rule
def {name}(data, position, out, same, room, at, parent):
{read}
    if {overflow}:
        return at
    if at < room:
{write}
    elif at - room > {most}:
        return {endless}
    return at + 1
"""

_PARENTS = """

def parents(keys, end, begin, out{arguments}):
    data = {data}
    room = out.size // {count}
    at = int64(0)
    for i in range(begin, end):
        position = {position}
        after = {parents}(data, position, out, out, room, at, position)  #: parents
        if after < 0:
            return {endless}, i
        if after > room:
            return i - begin, at
        at = after
    return end - begin, at
"""


def emit(layout: Layout) -> str:
    """Return the text of the function that packs one parent."""
    if layout.kind is None:
        read = ['f0 = _z.whole(parent, "yields|yield whole numbers")  #: parents']
    else:
        what = f'"yields|yield {layout.describe()}"'
        read = [f"given = _z.shaped(parent, {len(layout.fields)}, {what})  #: parents"]
        read += values(layout, "given", "parents")
    width = layout.words
    words = [f"out[at * {width} + {n}] = {word}" for n, word in enumerate(packing(layout))]
    return _EMIT.format(
        name=EMIT,
        read="\n".join(f"    {line}" for line in read),
        overflow=overflow(layout),
        write="\n".join(f"        {word}" for word in words),
        most=MOST_MOVES,
        endless=ENDLESS,
    )


def parents_told(rules: Rules) -> bool:
    """Whether a game's ``parents`` is compiled: where the space is dense, and it may be asked."""
    return rules.has("parents") and rules.has("space")


def parents(layout: Layout, named: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel that gives parents.

    Args:
        layout: how positions are packed.
        named: the generated name of what calls ``EMIT`` for each parent.
        position: the expression for the position in ``keys`` at number ``i``.
        arguments: the data that are handed over, as arguments.
        data: the expression that gathers them.
    """
    return _PARENTS.format(
        arguments=arguments,
        data=data,
        count=layout.words,
        parents=named,
        position=position,
        endless=ENDLESS,
    )


def telling(hook: str, named: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel that writes what ``level`` or ``legal`` gives."""
    template = {"level": _LEVELS, "legal": _LEGAL}[hook]
    return template.format(arguments=arguments, data=data, position=position, hook=named)
