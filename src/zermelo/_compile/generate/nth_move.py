"""Generated code that writes chosen moves as numbers: the n-th move of each position.

An expansion returns children in the order of the moves, but not the moves. So a choice is known by
its number, and this module runs ``moves`` again up to that number.
"""

from __future__ import annotations

from zermelo._compile.generate.module import MadeRules, Module, Parts, module_of
from zermelo._compile.generate.packing import POSITION
from zermelo.rules.hooks import Rules

#: ``wanted`` has the number of the move to write for each position, and ``row`` is the position's
#: index; both replace arguments of other functions that handle moves.
_CHOSEN = """
@_z_rule
def _z_emit(data, position, out, wanted, row, at, move):
    if at == wanted[row]:
        _z.write_move(out, row * (out.size // wanted.size), move)
        return -1
    return at + 1


def chosen(keys, count, wanted, out{arguments}):
    data = {data}
    for i in range(count):
        if wanted[i] >= 0:
            position = {position}
            {moves}(data, position, out, wanted, i, int64(0), position)  #: moves
"""


def write_picking(rules: Rules, made: MadeRules) -> Module:
    """Return the module for a game's moves; its kernel is ``chosen``.

    Args:
        rules: the hooks.
        made: the rules' functions; those of the moves are included here.
    """
    parts = Parts(rules, made)
    moves = made.emitting("moves", "_z_emit")
    arguments, data = parts.data()  # complete, as the moves are included
    kernel = _CHOSEN.format(arguments=arguments, data=data, position=POSITION, moves=moves)
    return module_of(rules, made, kernel)
