"""Bagh Chal: tigers and goats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.games._alquerque import AlquerqueGame
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.hunts._text import read_side
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS

GOATS, TIGERS = 0, 1
SIDES = ("goats", "tigers")
#: The point that a goat from the hand comes from.
HAND = -1


class Herd(NamedTuple):
    """The animals' points, one bit per point from the top left, row by row, and the side to move.

    Attributes:
        goats: the points of the goats.
        tigers: the points of the tigers.
        hand: the number of goats that are not on the board yet.
        side: 0 if the goats are to move, 1 if the tigers are.
    """

    goats: int
    tigers: int
    hand: int
    side: int


@dataclass(frozen=True)
class BaghChal(AlquerqueGame):
    """Goats come to the board one by one to shut in the tigers, which take goats by jumping.

    In its turn the side of the goats puts one on a free point; once all have come, it moves one
    along a line to the next point. A tiger moves likewise, or jumps over a goat beside it to the
    free point beyond on the line, and takes it. The tigers win when they have taken enough goats;
    a side that cannot move has lost.

    Attributes:
        rows: the number of rows of points.
        columns: the number of columns of points.
        tigers: the points of the tigers at the start.
        goats: the number of goats.
        taken: the number of goats that the tigers must take to win.
    """

    rows: int = 3
    columns: int = 3
    tigers: str = "a1 c3"
    goats: int = 6
    taken: int = 2

    players = SIDES
    no_moves = LOSS
    facts = (
        Fact(
            outcome="win",
            remoteness=15,
            positions=16450,
            win=5330,
            loss=3988,
            tie=0,
            endless=7132,
            longest_win=15,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"goats": 5},
            outcome="endless",
            positions=14162,
            win=2246,
            loss=2122,
            tie=0,
            endless=9794,
            longest_win=13,
            longest_loss=12,
            source=ENUMERATED,
        ),
        Fact(
            {"tigers": "b2"},
            outcome="win",
            remoteness=13,
            positions=8509,
            win=2775,
            loss=2114,
            tie=0,
            endless=3620,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"columns": 5, "tigers": "a2 e2", "goats": 5},
            outcome="endless",
            positions=648517,
            win=97222,
            loss=61140,
            tie=0,
            endless=490155,
            longest_win=17,
            longest_loss=16,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5, "tigers": "a1 a5 e1 e5", "goats": 20, "taken": 5},
            "draw",
            checked=False,
            note="far too many positions",
            source="Lim and Nievergelt, Tigers and Goats is a draw, Games of No Chance 3",
        ),
    )

    def start(self) -> Herd:
        """Return the tigers on their points and no goat on the board."""
        return Herd(0, self.points(self.tigers), self.goats, GOATS)

    def points(self, names: str) -> int:
        """Return the points of a list of names, one bit each."""
        return sum(1 << self.cell_called(name) for name in names.split())

    def turn(self, p: Herd) -> int:
        """Return the player to move."""
        return p.side

    def winner(self, p: Herd) -> int | None:
        """Return TIGERS if they have taken enough goats."""
        left = p.goats.bit_count() + p.hand
        return TIGERS if left + self.taken <= self.goats else None

    def moves(self, p: Herd) -> Iterator[tuple[int, int]]:
        """Yield each move: the point it comes from, or -1, and the point it goes to."""
        free = self.board & ~(p.goats | p.tigers)
        if p.side == GOATS and p.hand:
            for target in range(self.cells):
                if free >> target & 1:
                    yield HAND, target
        elif p.side == GOATS:
            yield from self.steps(p.goats, free)
        else:
            yield from self.steps(p.tigers, free)
            yield from self.leaps(p.tigers, p.goats, free)

    def play(self, p: Herd, move: tuple[int, int]) -> Herd:
        """Return the position after a move."""
        source, target = move
        if p.side == GOATS:
            goats = p.goats | 1 << target
            if source == HAND:
                return Herd(goats, p.tigers, p.hand - 1, TIGERS)
            return Herd(goats & ~(1 << source), p.tigers, p.hand, TIGERS)
        goats = p.goats
        if not self.near[source] >> target & 1:
            goats &= ~(1 << (source + target) // 2)
        return Herd(goats, p.tigers & ~(1 << source) | 1 << target, p.hand, GOATS)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.columns, self.rows), masks=("goats", "tigers"))

    def space(self) -> Herd:
        """Return the range of each field."""
        points, hand, side = (range(n) for n in (1 << self.cells, self.goats + 1, 2))
        fields: Any = (points, points, hand, side)
        return Herd(*fields)

    def validate(self) -> None:
        """Raise ParameterError unless the tigers have points, and the goats room."""
        super().validate()
        if self.rows % 2 == 0 or self.columns % 2 == 0:
            message = (
                f"rows={self.rows!r} and columns={self.columns!r} give a board without a middle; "
                "give odd numbers"
            )
            raise ParameterError(message)
        names = str(self.tigers).split()
        if not names or len(set(names)) < len(names) or len(names) >= self.cells:
            message = f"tigers={self.tigers!r} are not points of their own; write them as 'a1 c3'"
            raise ParameterError(message)
        self.points(self.tigers)
        check_number("goats", self.goats, 1, self.cells - len(names))
        check_number("taken", self.taken, 1, self.goats)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the point of a new goat, such as ``b2``, or both points of a move, ``b2-b3``."""
        return "-".join(self.cell_name(point) for point in move if point != HAND)

    def words(self, p: Herd) -> str:
        """Return the number of goats to come, and the side to move, as text."""
        return f"{p.hand} to come, {SIDES[p.side]} to move"

    def show(self, p: Herd) -> str:
        """Return the board, ``G`` for goats and ``T`` for tigers, and the side to move."""
        rows = self.rows_of(("G", p.goats), ("T", p.tigers))
        return "\n".join([*(" ".join(row) for row in rows), self.words(p)])

    def svg(self, p: Herd) -> str:
        """Draw the board."""
        rows = self.rows_of(("G", p.goats), ("T", p.tigers))
        return self.board_picture(rows, "GT", " / ".join([*rows, self.words(p)]))

    def parse(self, text: str) -> Herd:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        The goats to come may be left out if there are none.

        Raises:
            PositionError: the text is not such a board with all tigers.
        """
        board, side = read_side(text, SIDES)
        hand = re.search(r"(\d+) to come$", board)
        goats, tigers = self.read_cells(board[: hand.start()] if hand else board, "GT")
        goats_in_hand = int(hand[1]) if hand else 0
        tiger_count = len(self.tigers.split())
        if tigers.bit_count() != tiger_count or goats.bit_count() + goats_in_hand > self.goats:
            message = (
                f"{text!r} has not {tiger_count} tigers and up to {self.goats} goats; place them"
            )
            raise PositionError(message)
        return Herd(goats, tigers, goats_in_hand, side)
