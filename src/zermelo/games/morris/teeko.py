"""Teeko."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides, SidesGame
from zermelo.values.outcomes import LOSS, Outcome

#: The number of each player's pieces.
PIECES = 4
SMALLEST, LARGEST = 4, 6
#: The cell that a dropped piece comes from: the first item of a move.
HAND = -1

_OWN = "own search in plain Python, which shares no code with Zermelo"
_STEELE = "Guy L. Steele Jr., teeko-summary.txt, October 1999"
_SIZE = "Solved by Zermelo too, in half a minute and 2.3 GB; too large for the tests."


@dataclass(frozen=True)
class Teeko(SidesGame):
    """Drop four pieces each, then move one a step; four in a row or in a square win.

    Attributes:
        rows: the number of rows; the real board has five.
        columns: the number of columns; the real board has five.
        goals: the shapes that win besides a line of four: ``standard`` for four cells that form a
            square, ``advanced`` also for the corners of a larger square.
        centre: whether the first piece may be dropped in the centre, if the board has one.
    """

    rows: int = 4
    columns: int = 4
    goals: str = "standard"
    centre: bool = True

    facts = (
        Fact(
            outcome="endless",
            positions=2_400_087,
            win=506_518,
            loss=85_166,
            tie=0,
            endless=1_808_403,
            longest_win=13,
            longest_loss=12,
            source=_OWN,
        ),
        Fact(
            {"goals": "advanced"},
            "endless",
            positions=2_395_137,
            win=683_034,
            loss=118_504,
            tie=0,
            endless=1_593_599,
            longest_win=17,
            longest_loss=16,
            source=_OWN,
        ),
        Fact({"rows": 5, "columns": 5}, "endless", checked=False, note=_SIZE, source=_STEELE),
        Fact(
            {"rows": 5, "columns": 5, "goals": "advanced"},
            "win",
            13,
            checked=False,
            note=f"{_SIZE} The source says who wins; the plies are our own.",
            source=_STEELE,
        ),
        Fact(
            {"rows": 5, "columns": 5, "goals": "advanced", "centre": False},
            "endless",
            checked=False,
            note=_SIZE,
            source=_STEELE,
        ),
    )
    players = ("black", "red")

    def start(self) -> Sides:
        """Return the empty board."""
        return Sides(0, 0, 0)

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if the other player's pieces form a goal."""
        if any(p.theirs == goal for goal in self.goal_masks):
            return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield each drop from the hand, or each step once all pieces are dropped."""
        free = self.board & ~(p.mine | p.theirs)
        if p.mine.bit_count() < PIECES:
            if not self.centre and not p.mine | p.theirs:
                free &= ~(1 << self.cells // 2)
            while free:
                yield HAND, (free & -free).bit_length() - 1
                free &= free - 1
        else:
            for source in range(self.cells):
                if p.mine >> source & 1:
                    targets = free & self.near[source]
                    while targets:
                        yield source, (targets & -targets).bit_length() - 1
                        targets &= targets - 1

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board with the piece dropped or moved, as the other player sees it."""
        source, target = move
        mine = p.mine | 1 << target
        if source != HAND:
            mine ^= 1 << source
        return Sides(p.theirs, mine, 1 - p.player)

    def level(self, p: Sides) -> int:
        """Return the number of pieces on the board."""
        return (p.mine | p.theirs).bit_count()

    def space(self) -> Sides:
        """Return the range of each field; each player has up to four pieces."""
        piece_counts = range(PIECES + 1)
        pieces: Any = Disjoint(self.cells, (piece_counts, piece_counts))
        player: Any = range(2)
        return Sides(pieces, pieces, player)

    def name(self, move: tuple[int, int]) -> str:
        """Return the cell of a drop, such as ``c2``, or both cells of a step, such as ``c2c3``."""
        source, target = move
        return self.cell_name(target) if source == HAND else super().name(move)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """The cells that a step leads to from each cell."""
        steps = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
        return tuple(
            sum(
                1 << (row + y) * self.columns + column + x
                for x, y in steps
                if 0 <= row + y < self.rows and 0 <= column + x < self.columns
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )

    @cached_property
    def goal_masks(self) -> tuple[int, ...]:
        """The sets of four cells that win: on the real board 44, or 58 in the advanced game."""
        sides = range(1, min(self.rows, self.columns) if self.goals == "advanced" else 2)
        shapes = [
            [(0, 0), (0, 1), (0, 2), (0, 3)],
            [(0, 0), (1, 0), (2, 0), (3, 0)],
            [(0, 0), (1, 1), (2, 2), (3, 3)],
            [(0, 3), (1, 2), (2, 1), (3, 0)],
            *([(0, 0), (0, side), (side, 0), (side, side)] for side in sides),
        ]
        return tuple(
            sum(1 << (row + down) * self.columns + column + right for down, right in shape)
            for shape in shapes
            for row in range(self.rows - max(down for down, _ in shape))
            for column in range(self.columns - max(right for _, right in shape))
        )

    def validate(self) -> None:
        """Raise ParameterError unless the board and the goals are valid."""
        check_number("rows", self.rows, SMALLEST, LARGEST)
        check_number("columns", self.columns, SMALLEST, LARGEST)
        if self.goals not in ("standard", "advanced"):
            message = f"goals {self.goals!r} are unknown; give standard or advanced"
            raise ParameterError(message)
