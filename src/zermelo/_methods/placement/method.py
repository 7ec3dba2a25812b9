"""The method for placement games, bit-sliced: 64 positions to a machine word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo._methods.task import Method, Result, Task, foreign_values
from zermelo.game.placement import MarkingGame, PlacementGame, own_rule_clause
from zermelo.rules.layout import Slot
from zermelo.values.win_draw_loss import WIN_DRAW_LOSS

if TYPE_CHECKING:
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.index import Fields
    from zermelo.rules.hooks import Rules

#: The most patterns of a board; larger ones are left to methods that visit reachable positions
#: only.
MOST_PATTERNS = 1 << 37


class PlacementMethod(Method):
    """The method for games that declare their cells and lines and add no other rule."""

    clusters = True
    declared = True

    def unsuited(self, rules: Rules) -> str | None:
        """Return why a game does not suit: it needs an unchanged PlacementGame, not too large."""
        game = rules.game
        if not isinstance(game, PlacementGame):
            return "which is not a PlacementGame"
        values_clause = foreign_values(rules, [WIN_DRAW_LOSS.algebra])
        if values_clause is not None:
            return values_clause
        clause = own_rule_clause(game)
        if clause is not None:
            return clause
        patterns = board_patterns(game)
        if patterns > MOST_PATTERNS:
            return f"whose board has {patterns:,} patterns, and {MOST_PATTERNS:,} is the most"
        if 0 in game.line_masks:
            return "which has a line without a cell, and so is over before it starts"
        crosses_alone = isinstance(game, MarkingGame) and not game.choice
        marks = rules.layout.slots[: 1 if crosses_alone else 2]
        if any(slot.low or slot.bits < game.field_bits for slot in marks):
            return "whose space() does not have every set of cells"
        return None

    def run(self, task: Task) -> Result:
        """Find reachable patterns forward, and values backward.

        Raises:
            RulesError: in a sample of positions, the rules differ from the board.
        """
        from zermelo._engine.core.scratch import Scratch
        from zermelo._methods.placement import driver as placement
        from zermelo._methods.placement.rules_check import check_rules

        rules = task.compiled.rules
        game = rules.game
        assert isinstance(game, PlacementGame)  # noqa: S101  # for the type checker; the method suits
        board, bits = board_of(game)
        check_rules(rules, board, bits)
        # Workers need levels next to the table, on the shared disk, not on a disk of this machine.
        folder = task.checkpoint.directory if task.workers is not None else None
        with Scratch(folder, checkpoint=task.checkpoint) as scratch:
            table, clause = placement.run(
                board,
                fields_of(rules, bits),
                task.ledger,
                task.threads,
                task.report,
                scratch,
                remoteness=task.remoteness,
                workers=task.workers,
            )
        choice = (
            f"bit-sliced, 64 positions a word: {board.patterns:,} patterns in {board.tiers:,} "
            f"tiers, as the board is filled cell by cell{clause}"
        )
        return Result(table, choice)


def board_patterns(game: PlacementGame) -> int:
    """Return the number of ways to fill a board, for any player to move."""
    if game.gravity:
        return int(((1 << (game.height + 1)) - 1) ** game.width)
    return int(3 ** (game.width * game.height))


def board_of(game: PlacementGame) -> tuple[PlacementBoard, list[int]]:
    """Return the game in the form that the engine uses, and the bit of each cell.

    Cells are numbered row by row: cells filled late are high in a pattern, and moves shift whole
    blocks rather than bits within a word.
    """
    from zermelo._methods.placement.board import PlacementBoard
    from zermelo._methods.placement.tiers import EITHER, OWN, SHARED

    width, height = game.width, game.height
    bits = [game.bit(column, row) for row in range(height) for column in range(width)]
    number = {bit: cell for cell, bit in enumerate(bits)}
    if game.gravity:
        stacks = [tuple(row * width + column for row in range(height)) for column in range(width)]
    else:
        stacks = [(cell,) for cell in range(width * height)]
    first, second = (
        tuple(
            sum(1 << number[bit] for bit in range(mask.bit_length()) if mask >> bit & 1)
            for mask in dict.fromkeys(masks)
        )
        for masks in game.masks_by_player
    )
    marks = OWN
    if isinstance(game, MarkingGame):
        marks = EITHER if game.choice else SHARED
    mover_at_end = 1 - len(bits) % 2
    full = -1
    if game.full_board:
        full = mover_at_end if game.full_board > 0 else 1 - mover_at_end
    heights = tuple(map(len, stacks))
    winners = int(game.line_winner(1) == 0), int(game.line_winner(0) == 0)
    return PlacementBoard(heights, tuple(stacks), (first, second), marks, winners, full), bits


def fields_of(rules: Rules, bits: list[int]) -> Fields:
    """Return the locations of both players' marks in packed positions, and each cell's bit."""
    from zermelo._methods.placement.index import Fields

    first, second = rules.layout.slots

    def location(slot: Slot) -> tuple[int, int, int]:
        return slot.word, slot.shift, slot.bits

    return Fields(rules.layout.words, location(first), location(second), np.array(bits, np.int64))
