"""Generated code of the search by components; see ``_engine/search/component_search``."""

from __future__ import annotations

from zermelo._compile.generate.canonical import Folding, store_lines
from zermelo._compile.generate.module import KernelParts
from zermelo._compile.generate.packing import PACKING, PARTED, POSITION, packing_lines
from zermelo._compile.generate.split_kernels import EMIT
from zermelo._engine.expand.expander import ENDLESS_MOVES
from zermelo._engine.search.alpha_beta import (
    CROWDED,
    FAULT,
    FAULTY,
    OUTSIDE,
    SPARE,
    STEP,
    TOP,
    UNFOLD,
)
from zermelo._engine.search.component_search import UNBOUNDED
from zermelo.rules.hooks import MOST_MOVES, Rules

#: The functions that are called for each move: one stores its child, the other counts the moves.
_WHOLE, _COUNT = "_z_whole", "_z_count"

_EMIT = """

@_z_inline
def _z_whole(data, position, children, _, capacity, index, move):
{child}
    if index < capacity:
        _z.store_words(children, index, packed[1])
    elif index - capacity > {most}:
        return {endless}
    return index + 1


@_z_inline
def _z_count(data, position, children, _, capacity, index, move):
    return {endless} if index > {most} else index + 1


@_z_inline
def _z_part(data, position, children, _, capacity, index, part):
{part}
{folded}
    if index < capacity:
{words}
    elif index - capacity > {most}:
        return {endless}
    return index + 1
"""

_SIZE = """

@_z_inline
def _z_size(data, keys, i, low, high, mask, size, last):
    position = {position}
    count = {count}(data, position, keys, keys, int64(0), int64(0), position)  #: moves
    if count < 0:
        return -count
    size[i] = count
    mask[i] = 0
    last[i] = 0
    low[i] = 0
    high[i] = 0
    win_value = 1
{bounds}
    least, most = low[i], high[i]
    low[i] = 1 if least > 0 and count > 0 else 0
    high[i] = 0 if most < 0 or count == 0 else {unbounded}
    return 0
"""

_PART = """

def part(
    loop, state, frames, keys, low, high, mask, size, last, order, number, phi, delta, whole,
    splits, seen, proofs, table, path, quota{arguments}
):
    data = {data}
    capacity = int64(low.size)
    arrays = _s.pack_arrays(_c.advance_components, (
        state, frames, keys, low, high, mask, size, last, order, number, phi, delta, seen, proofs,
        table, path
    ))
    while True:
        i = _s.call_shared(_part_loop, loop, (arrays, 0, quota))
        if i < 0:
            return i
        position = {position}
        moves = {whole}(data, position, whole, whole, capacity, int64(0), position)  #: moves
        status = -moves if moves < 0 else 0
        index = int64(state[{top}])
        crowded = moves > capacity
        if not crowded:
            for child in range(moves):
                end = _c.load_split(
                    splits, whole, child, keys, low, high, mask, size, last, index, {words}
                )
                if end > index:
                    index = end
                    continue
                position = _z.position({packing}, whole, child)
                end = {split}(data, position, keys, keys, capacity, index, position)  #: split
                if end < 0:
                    status = -end
                    break
                if end == index:
                    if index < capacity:
                        numbers = _z.numbers({packing}, position)
                        _z.store_words(keys, index, _z.pack_numbers({packing}, numbers)[1])
                    end = index + 1
                if end > capacity:
                    crowded = True
                    break
                for component in range(index, end):
                    status = _z_size(data, keys, component, low, high, mask, size, last)
                    if keys[(component + 1) * {words} - 1] & uint64(state[{spare}]) != 0:
                        status = {outside}
                    if status != 0:
                        break
                if status != 0:
                    break
                last[end - 1] = 1
                _c.store_split(splits, whole, child, keys, low, high, size, index, end, {words})
                index = end
        if status != 0:
            state[{fault}] = status
            state[{step}] = {unfold}
            return {faulty}
        if crowded:
            state[{step}] = {unfold}
            return {crowds}
        state[{top}] = index
"""


def emit_functions(rules: Rules, parts: KernelParts, folding: Folding | None) -> str:
    """Return the functions that are called for each move, and for each component.

    They include the hooks that the kernel calls, so that ``parts`` then has the data that hooks
    read.

    Args:
        rules: the hooks.
        parts: receives the hooks.
        folding: the code that canonicalises positions, or None.
    """
    for hook, emit in (("moves", _WHOLE), ("moves", _COUNT), ("split", EMIT)):
        parts.item_loop(hook, emit)
    play_call = f"{parts.rule_set.method('play')}(data, position, move)"
    return _EMIT.format(
        child="\n".join(f"    {line}" for line in packing_lines(play_call, "play")),
        part="\n".join(f"    {line}" for line in packing_lines("part", "split", PARTED)),
        folded="\n".join(folding.child) if folding is not None else "    pass",
        words="\n".join(store_lines(folding)),
        most=MOST_MOVES,
        endless=-ENDLESS_MOVES,
    )


def kernel_of(
    rules: Rules, parts: KernelParts, bounds: list[str], arguments: str, data: str
) -> str:
    """Return the source of the kernel.

    Args:
        rules: the hooks.
        parts: the hooks, included by ``emit_functions``.
        bounds: the lines that narrow the bounds of a position, from -1 to 1.
        arguments: the data arguments of the kernel.
        data: the expression that combines them.
    """
    size = _SIZE.format(
        position=POSITION,
        count=parts.item_loop("moves", _COUNT),
        bounds="\n".join(bounds) or "    pass",
        unbounded=UNBOUNDED,
    )
    return size + _PART.format(
        arguments=arguments,
        data=data,
        words=rules.layout.words,
        packing=PACKING,
        position=POSITION,
        whole=parts.item_loop("moves", _WHOLE),
        split=parts.item_loop("split", EMIT),
        top=TOP,
        step=STEP,
        unfold=UNFOLD,
        fault=FAULT,
        faulty=FAULTY,
        crowds=CROWDED,
        spare=SPARE,
        outside=OUTSIDE,
    )
