"""Generated code that writes chosen moves as numbers: the n-th move of each position.

An expansion returns children in the order of the moves, but not the moves. So a move is
identified by its number, and this module runs ``moves`` again up to that number.
"""

from __future__ import annotations

from zermelo._compile.generate.module import AnyRuleSet, KernelParts, Module, module_of
from zermelo._compile.generate.packing import POSITION
from zermelo.rules.hooks import Rules

#: ``move_numbers`` has the number of the move to write for each position, and ``row`` is the index
#: of the position; both replace arguments of other functions that handle moves.
_CHOSEN = """
@_z_rule
def _z_emit(data, position, out, move_numbers, row, index, move):
    if index == move_numbers[row]:
        _z.write_move(out, row * (out.size // move_numbers.size), move)
        return -1
    return index + 1


def chosen(keys, count, move_numbers, out{arguments}):
    data = {data}
    for i in range(count):
        if move_numbers[i] >= 0:
            position = {position}
            {moves}(data, position, out, move_numbers, i, int64(0), position)  #: moves
"""


def write_picking(rules: Rules, rule_set: AnyRuleSet) -> Module:
    """Return the module for a game's moves; its kernel is ``chosen``.

    Args:
        rules: the hooks.
        rule_set: the rules' functions; those of the moves are included here.
    """
    parts = KernelParts(rules, rule_set)
    moves = rule_set.emitting_hook("moves", "_z_emit")
    arguments, data = parts.data()  # complete, as the moves are included
    kernel = _CHOSEN.format(arguments=arguments, data=data, position=POSITION, moves=moves)
    return module_of(rules, rule_set, kernel)
