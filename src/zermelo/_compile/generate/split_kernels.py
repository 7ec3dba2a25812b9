"""Generated code of the kernels for games with ``split``: components, and any moves at all."""

from __future__ import annotations

from zermelo._compile.generate.packing import PARTED, packing_lines
from zermelo._engine.expand.expander import ENDLESS_MOVES, FULL, OK
from zermelo.rules.hooks import MOST_MOVES
from zermelo.rules.layout import Layout

#: The name of the function that packs a component, called instead of ``yield``.
EMIT = "_z_part"
#: The name of the function that is called for the first move of a position, and ends the loop.
HAS_MOVE = "_z_has_move"

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

_HAS_MOVE = """

@{decorator}
def _z_has_move(data, position, children, _, capacity, index, move):
    return int64(-1)
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


_HAS_MOVES = """

def has_moves(keys, count, out{arguments}):
    data = {data}
    zero = int64(0)
    for i in range(count):
        position = {position}
        out[i] = {hook}(data, position, keys, keys, zero, zero, position) < 0  #: moves
"""


def has_move_of(decorator: str) -> str:
    """Return the text of the function that ends a loop over moves at the first one."""
    return _HAS_MOVE.format(decorator=decorator)


def has_moves_of(hook: str, position: str, arguments: str, data: str) -> str:
    """Return the text of the kernel that writes which positions have moves.

    It stops at the first move, and plays none.
    """
    return _HAS_MOVES.format(arguments=arguments, data=data, position=position, hook=hook)


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
