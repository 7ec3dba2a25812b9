"""A row of any length, on a board of any size."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.game.placement import Stones
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.games.lines._grid import RowsOfSquares
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

_UITERWIJK = "Uiterwijk and van den Herik 2000, The advantage of the initiative; recalled"


@dataclass(frozen=True)
class MNK(RowsOfSquares):
    """Two players mark the squares of a board, and a row of a given length wins.

    A row may run across, up or on either diagonal, and may be longer. A full board without one is a
    tie. In the misère game, whoever makes a row loses. In the weak game, only rows of the first
    player count, and the second wins if there is none.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        length: the number of marks in a row that win.
        line_loses: whether a row loses (misère) instead.
        weak: whether only the first player can make a row.
    """

    title = "Row on a Board"

    rows: int = 3
    columns: int = 4
    length: int = 3
    line_loses: bool = False
    weak: bool = False

    facts = (
        Fact(
            {"rows": 5, "columns": 5, "length": 4},
            "tie",
            checked=False,
            note="far too many positions; proved by search instead",
            source=_UITERWIJK,
        ),
        Fact(
            {"rows": 6, "columns": 6, "length": 4},
            "win",
            checked=False,
            note="far too many positions; proved by search instead",
            source=_UITERWIJK,
        ),
        Fact(
            {},
            "win",
            7,
            positions=111973,
            win=64738,
            loss=44175,
            tie=3060,
            longest_win=9,
            longest_loss=8,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 4},
            "win",
            5,
            positions=6036001,
            win=3199406,
            loss=2835273,
            tie=1322,
            longest_win=9,
            longest_loss=10,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 5},
            "win",
            7,
            positions=2286668,
            win=1261643,
            loss=1018153,
            tie=6872,
            longest_win=11,
            longest_loss=10,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 2, "columns": 6},
            "tie",
            12,
            positions=126109,
            win=54539,
            loss=28433,
            tie=43137,
            longest_win=5,
            longest_loss=4,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 5, "length": 4},
            "tie",
            15,
            positions=3414564,
            win=494604,
            loss=139077,
            tie=2780883,
            longest_win=5,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 4, "line_loses": True},
            "loss",
            15,
            positions=6036001,
            win=4552685,
            loss=1397704,
            tie=85612,
            longest_win=14,
            longest_loss=15,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 5, "line_loses": True},
            "loss",
            15,
            positions=2286668,
            win=1680910,
            loss=546714,
            tie=59044,
            longest_win=14,
            longest_loss=15,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"rows": 2, "columns": 6, "line_loses": True},
            "tie",
            12,
            positions=126109,
            win=42959,
            loss=10713,
            tie=72437,
            longest_win=10,
            longest_loss=9,
            source=COUNTED_IN_PYTHON,
        ),
    )

    def lines(self, player: int) -> Iterable[tuple[int, ...]]:
        """Return each row of enough squares, if rows of this player count."""
        return () if self.weak and player == 1 else self.straight(self.length)

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, board: Stones, cell: int) -> int:
        """Return the priority of a move: by its own rows, and the other's that it blocks."""
        mover = (board.mine | board.theirs).bit_count() & 1
        priority = 0
        for line in self.masks_by_player[mover]:
            if line >> cell & 1 and not line & board.theirs:
                priority += 1 << 2 * (line & board.mine).bit_count()
        for line in self.masks_by_player[1 - mover]:
            if line >> cell & 1 and not line & board.mine:
                priority += 1 << 2 * (line & board.theirs).bit_count()
        return priority

    def bounds(self, board: Stones) -> tuple[int, int]:
        """Return bounds of the outcome by rows that lack one mark, and rows that are still open."""
        if self.line_loses:
            return LOSS, WIN
        mover = (board.mine | board.theirs).bit_count() & 1
        if self.completing(board.mine, board.theirs, mover):
            return WIN, WIN
        forced = self.completing(board.theirs, board.mine, 1 - mover)
        if forced & forced - 1:
            return LOSS, LOSS  # both cannot be stopped
        if self.weak:
            return LOSS, WIN
        least = LOSS if self.is_open(board.mine, 1 - mover) else DRAW
        return least, WIN if self.is_open(board.theirs, mover) else DRAW

    def completing(self, stones: int, enemy_stones: int, player: int) -> int:
        """Return the cells that would complete a row of a player with these stones."""
        cells = 0
        for line in self.masks_by_player[player]:
            missing = line & ~stones
            if not missing & missing - 1 and not missing & enemy_stones:
                cells |= missing
        return cells

    def is_open(self, enemy_stones: int, player: int) -> bool:
        """Return whether a player has a row without any of these stones."""
        for line in self.masks_by_player[player]:
            if not line & enemy_stones:
                return True
        return False

    @property
    def full_board(self) -> Outcome:
        """The outcome of a full board without a row, for the player who would be next."""
        if not self.weak:
            return DRAW
        second_wins = not self.line_loses
        second_next = self.rows * self.columns % 2 == 1
        return WIN if second_wins == second_next else LOSS
