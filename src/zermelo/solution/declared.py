"""Whether the rules of a placement game are what a board says, as its certificate takes them to be.

A certificate that looks at 64 positions at once cannot run the rules on each. It knows a board:
stacks of cells, lines, and who wins when the board is full. That the rules mean the same follows
from this: ``start``, ``moves``, ``play`` and ``outcome`` are those of ``PlacementGame``, which look
at nothing but which cells are filled, ``has_line`` and what else is compared here. ``has_line`` may
be the author's own. Then it is asked about every set of cells that a player can come to have where
these are few, and otherwise about a sample, with every line and all but one cell of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from zermelo.game.placement import MarkingGame, PlacementGame, own_rule

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Fields

#: Boards of this many cells have few sets of them; of larger boards, this many sets are looked at.
_FEW_CELLS, _SAMPLE = 16, 1 << 14
#: Whose the marks of a board are.
_OWN, _CROSSES, _EITHER = range(3)


def declares(compiled: CompiledRules, board: PlacementBoard, fields: Fields) -> bool:
    """Whether the rules are sure to be what a board says.

    Args:
        compiled: the rules.
        board: the board.
        fields: how positions of it are packed.
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
        and _lines_alike(game, bits)
    )


def _stacks(game: PlacementGame, board: PlacementBoard, bits: list[int]) -> bool:
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


def _lines_alike(game: PlacementGame, bits: list[int]) -> bool:
    """Whether ``has_line`` says of all sets it is asked about what the declared lines say."""
    if type(game).has_line is PlacementGame.has_line:
        return True
    lines = np.array(game.line_masks, np.uint64)
    most = len(bits) if isinstance(game, MarkingGame) else (len(bits) + 1) // 2
    sets = _sets(np.array(bits, np.uint64), lines)
    sets = sets[np.bitwise_count(sets) <= most]
    right = np.zeros(len(sets), np.bool_)
    for line in lines:
        right |= sets & line == line
    try:
        return [bool(game.has_line(stones)) for stones in sets.tolist()] == right.tolist()
    except Exception:  # noqa: BLE001  # whatever the author's rule raises: it is run one by one then
        return False


def _sets(bits: npt.NDArray[np.uint64], lines: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return sets of cells: all where they are few, else a sample and what is close to a line."""
    one = np.uint64(1)
    if len(bits) <= _FEW_CELLS:
        every = np.zeros(1, np.uint64)
        for bit in bits:
            every = np.concatenate([every, every | one << bit])
        return every
    random = np.random.default_rng(0)
    some = np.empty(_SAMPLE, np.uint64)
    # A few at a time, so that little memory is taken.
    for rows in np.array_split(np.arange(_SAMPLE), 16):
        order = random.random((len(rows), len(bits))).argsort(axis=1)
        drawn = order < random.integers(0, len(bits) + 1, (len(rows), 1))
        some[rows] = (drawn * (one << bits)).sum(axis=1, dtype=np.uint64)
    less_one = (lines[:, None] & ~(one << bits)).ravel()
    return np.unique(np.concatenate([some, lines, less_one]))
