"""The text of a module that writes down chosen moves: the third of a position, say, as numbers.

Expanding gives the positions that moves lead to, in the order of the moves, and not the moves. So
what is chosen there is known by its number, and this module runs ``moves`` again as far as that.
"""

from __future__ import annotations

from zermelo._compile.generate.module import MadeRules, Module, Parts, module_of
from zermelo._compile.generate.packing import POSITION
from zermelo.rules.hooks import Rules

#: ``_z_wanted`` is the number of the move that is wanted in each position, and ``_z_row`` which
#: position it is: the places of what else handles moves.
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
    """Write the module for a game's moves; its kernel is ``chosen``.

    Args:
        rules: the hooks.
        made: the rules' functions; those of the moves are included here.
    """
    parts = Parts(rules, made)
    moves = made.emitting("moves", "_z_emit")
    arguments, data = parts.data()  # complete, now that the moves are included
    kernel = _CHOSEN.format(arguments=arguments, data=data, position=POSITION, moves=moves)
    return module_of(rules, made, kernel)
