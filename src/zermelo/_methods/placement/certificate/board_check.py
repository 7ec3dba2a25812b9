"""The check that the rules of a placement game are what its certificate assumes of a board.

A certificate that checks 64 positions at a time cannot run the rules on each. It uses a board:
stacks of cells, lines, and who wins when the board is full. That the rules are equivalent follows
from this: ``start``, ``moves``, ``play`` and ``outcome`` are those of ``PlacementGame``, which use
only which cells are filled, ``has_line_of``, ``line_winner`` and what else is compared here.
``has_line_of``, or the ``has_line`` that it calls, may be the author's. Then it is called with
every set of cells that a player can have if these are few, and otherwise with a sample, with every
line and with every line less one cell.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from zermelo._engine.core.array_types import BoolArray, Uint64Array
from zermelo._engine.expand.expander import Buffers, expanded_parts
from zermelo._methods.placement.rules_check import check_rules
from zermelo.errors import RulesError
from zermelo.game.placement import MarkingGame, PlacementGame, own_rule_clause
from zermelo.values.outcomes import LOSS, WIN

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Fields

#: The most cells of a board whose sets are all tested; and the sample of sets for larger boards.
_FEW_CELLS, _SAMPLE = 16, 1 << 14
#: Boards per batch of calls of the rules.
_BOARDS_PER_BATCH = 1 << 11
#: The owners of the marks of a board.
_OWN, _CROSSES, _EITHER = range(3)
_ONE = np.uint64(1)

Sets: TypeAlias = Uint64Array


def rules_match_board(compiled: CompiledRules, board: PlacementBoard, fields: Fields) -> bool:
    """Return whether the rules agree with a board.

    Args:
        compiled: the rules.
        board: the board.
        fields: the packed form of positions.
    """
    game = compiled.rules.game
    if not isinstance(game, PlacementGame) or own_rule_clause(game) or compiled.is_folded:
        return False
    bits = fields.bit.tolist()
    slots = [(slot.word, slot.shift, slot.bits) for slot in compiled.rules.layout.slots]
    lines = [
        {sum(1 << bits[n] for n in range(len(bits)) if line >> n & 1) for line in player_lines}
        for player_lines in board.lines
    ]
    return (
        slots == [fields.first, fields.second]
        and not compiled.start_words().any()
        and _stacks(game, board, bits)
        and lines == [set(masks) for masks in game.masks_by_player]
        and (board.marks, board.winners) == (_marks(game), _winners(game))
        and board.full == _full_board_winner(game, len(bits))
        and _follows_rules(compiled, board, bits)
        and _lines_agree(compiled, game, board, fields)
    )


def _follows_rules(compiled: CompiledRules, board: PlacementBoard, bits: list[int]) -> bool:
    """Return whether the rules in Python agree with a board, in a sample of games."""
    try:
        check_rules(compiled.rules, board, bits)
    except RulesError:  # running the rules position by position will show the error
        return False
    return True


def _stacks(game: PlacementGame, board: PlacementBoard, bits: list[int]) -> bool:
    """Return whether stacks are columns in a game with gravity, and single cells otherwise."""
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


def _winners(game: PlacementGame) -> tuple[int, int]:
    """Return the winners by a line of the second and of the first player; 1 is the first player."""
    return int(game.line_winner(1) == 0), int(game.line_winner(0) == 0)


def _full_board_winner(game: PlacementGame, cells: int) -> int:
    """Return the winner on a full board without a line: 1 for the first player, -1 for neither."""
    if not game.full_board:
        return -1
    first_to_move = cells % 2 == 0
    return int(first_to_move == (game.full_board > 0))


def _lines_agree(
    compiled: CompiledRules, game: PlacementGame, board: PlacementBoard, fields: Fields
) -> bool:
    """Return whether games end as the declared lines say, at all tested sets of marks."""
    game_class = type(game)
    if (game_class.has_line, game_class.has_line_of) == (
        PlacementGame.has_line,
        PlacementGame.has_line_of,
    ):
        return True
    bits = fields.bit.astype(np.uint64)
    lines = [np.array(masks, np.uint64) for masks in game.masks_by_player]
    sets, support = _boards(board, bits, np.concatenate(lines))
    if game.lines_differ:  # the owner of a set depends on the number of marks
        larger_support = support | _next_cell(board, bits, sets | support)
        sets, support = np.concatenate([sets, sets]), np.concatenate([support, larger_support])
    kind = compiled.kind
    expected = np.full(len(sets), kind.unknown)
    expected[sets | support == np.uint64(game.full_mask)] = kind.terminal(game.full_board)
    last_mover = 1 - (np.bitwise_count(sets | support) & 1)
    for player in range(2):
        has_line = (last_mover == player) & _has_line(sets, lines[player])
        expected[has_line] = kind.terminal(LOSS if game.line_winner(player) == player else WIN)
    packed = np.zeros((len(sets), fields.words), np.uint64)
    places = (fields.second, fields.first) if board.marks == _OWN else (fields.first, fields.second)
    for marks, (word, shift, _) in zip((sets, support), places, strict=True):
        packed[:, word] |= marks << np.uint64(shift)
    buffers = Buffers.for_rules(compiled, _BOARDS_PER_BATCH, len(bits) * _BOARDS_PER_BATCH)
    parts = expanded_parts(compiled, packed.reshape(-1), len(sets), buffers, _BOARDS_PER_BATCH)
    try:
        return all(np.array_equal(part.values, expected[part.begin : part.end]) for part in parts)
    except RulesError:  # the rules are run position by position then
        return False


def _boards(board: PlacementBoard, bits: Sets, lines: Sets) -> tuple[Sets, Sets]:
    """Return sets of marks of one kind, and the fewest others that support each."""
    sets = _sets(bits, lines)
    if board.marks == _OWN:
        sets = sets[np.bitwise_count(sets) <= (len(bits) + 1) // 2]
    support = np.zeros_like(sets)
    for stack in board.cells:
        upwards = [bits[cell] for cell in stack if cell >= 0]
        for low, high in reversed(list(pairwise(upwards))):
            support |= ((sets | support) >> high & _ONE) << low
    if board.marks == _CROSSES:
        sets |= support
    support &= ~sets
    if board.marks == _EITHER:  # such a game ends before it reaches the others
        is_live = ~_has_line(support, lines)
        sets, support = sets[is_live], support[is_live]
    return sets, support


def _next_cell(board: PlacementBoard, bits: Sets, filled: Sets) -> Sets:
    """Return for each set of filled cells one that may be filled next, 0 if all are filled."""
    cells = np.zeros_like(filled)
    for stack in board.cells:
        for cell in stack:
            cell_bit = _ONE << bits[cell] if cell >= 0 else np.uint64(0)
            cells = np.where((cells == 0) & (filled & cell_bit == 0), cell_bit, cells)
    return cells


def _has_line(sets: Sets, lines: Sets) -> BoolArray:
    """Return a mask of the sets of cells that include a line."""
    has_line = np.zeros(len(sets), np.bool_)
    for line in lines:
        has_line |= sets & line == line
    return has_line


def _sets(bits: Sets, lines: Sets) -> Sets:
    """Return all sets of cells if they are few, otherwise a sample, and sets close to a line."""
    cells = _ONE << bits
    if len(bits) <= _FEW_CELLS:
        all_sets = np.zeros(1, np.uint64)
        for cell in cells:
            all_sets = np.concatenate([all_sets, all_sets | cell])
        return all_sets
    random = np.random.default_rng(0)
    sample = np.zeros(_SAMPLE, np.uint64)
    share = random.random(_SAMPLE, np.float32)
    for cell in cells:
        sample |= np.where(random.random(_SAMPLE, np.float32) < share, cell, np.uint64(0))
    near_lines = (lines[:, None] & ~cells).ravel()
    return np.concatenate([sample, lines, near_lines])
