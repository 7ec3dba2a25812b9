"""Whether the rules of a placement game are what a board says, as its certificate takes them to be.

A certificate that looks at 64 positions at once cannot run the rules on each. It knows a board:
stacks of cells, lines, and who wins when the board is full. That the rules mean the same follows
from this: ``start``, ``moves``, ``play`` and ``outcome`` are those of ``PlacementGame``, which look
at nothing but which cells are filled, ``has_line`` and what else is compared here. ``has_line`` may
be the author's own. Then it is asked about all sets of cells that a player can come to have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game.placement import MarkingGame, PlacementGame, own_rule

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.placement.board import Board
    from zermelo._methods.placement.index import Fields

#: So many sets of cells take as long as looking at one position by running the rules.
_SETS = 1 << 8
#: Whose the marks of a board are.
_OWN, _CROSSES, _EITHER = range(3)


def declares(
    compiled: CompiledRules, board: Board, fields: Fields, positions: int, threads: int
) -> bool:
    """Whether the rules are sure to be what a board says.

    Args:
        compiled: the rules.
        board: the board.
        fields: how positions of it are packed.
        positions: how many there are: it is not worth asking about more sets than takes as long as
            running the rules for each.
        threads: threads to use.
    """
    game = compiled.rules.game
    if not isinstance(game, PlacementGame) or own_rule(game) or compiled.is_folded:
        return False
    bits = fields.bit.tolist()
    slots = [(slot.word, slot.shift, slot.bits) for slot in compiled.rules.layout.slots]
    lines = {sum(1 << bits[n] for n in range(len(bits)) if line >> n & 1) for line in board.lines}
    return (
        slots == [fields.first, fields.second]
        and not compiled.start_words().any()
        and _stacks(game, board, bits)
        and lines == set(game.line_masks)
        and (board.marks, board.line_loses) == (_marks(game), game.line_loses)
        and board.full == _full(game, len(bits))
        and _lines_alike(game, bits, positions, threads)
    )


def _stacks(game: PlacementGame, board: Board, bits: list[int]) -> bool:
    """Whether stacks are columns where stones fall, and cells where they do not."""
    stacks = [[bits[cell] for cell in cells if cell >= 0] for cells in board.cells]
    columns, rows = range(game.width), range(game.height)
    if game.gravity:
        declared = [[game.bit(column, row) for row in rows] for column in columns]
    else:
        declared = [[game.bit(column, row)] for column in columns for row in rows]
    return (
        sorted(stacks) == sorted(declared)
        and [len(stack) for stack in stacks] == list(board.heights)
        and len(set(bits)) == len(bits)
    )


def _marks(game: PlacementGame) -> int:
    if not isinstance(game, MarkingGame):
        return _OWN
    return _EITHER if game.choice else _CROSSES


def _full(game: PlacementGame, cells: int) -> int:
    """Return who wins on a full board without a line: 1 for who went first, -1 for nobody."""
    if not game.full_board:
        return -1
    first_to_move = cells % 2 == 0
    return int(first_to_move == (game.full_board > 0))


def _lines_alike(game: PlacementGame, bits: list[int], positions: int, threads: int) -> bool:
    if type(game).has_line is PlacementGame.has_line:
        return True
    if 1 << len(bits) > positions * _SETS:
        return False
    from zermelo._engine.circuit import UnknownFormError, first_unlike

    most = len(bits) if isinstance(game, MarkingGame) else (len(bits) + 1) // 2
    said: Any = game.has_line
    try:
        return first_unlike(said, game.line_masks, sorted(bits), most, threads) is None
    except UnknownFormError:
        return False
