"""The three spot game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import PositionError
from zermelo.game.facts import Fact
from zermelo.games._grids import GridGame
from zermelo.games._sources import GAMESMAN
from zermelo.values.outcomes import LOSS, WIN, Outcome

#: The twelve places of a domino on three by three cells.
PLACES = (
    *(0b11 << 3 * row + column for row in range(3) for column in range(2)),
    *(0b1001 << 3 * row + column for row in range(2) for column in range(3)),
)
#: The three cells of the right column.
SPOTS = 0b100_100_100
GOAL, ENOUGH = 12, 6


class ThreeDominoes(NamedTuple):
    """The cells that the dominoes cover, one bit per cell from the top left, and the points.

    Attributes:
        mine: the domino of the player to move.
        theirs: the domino of the other player.
        neutral: the domino that both players move.
        points: the points of the player to move.
        others: the points of the other player.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    neutral: int
    points: int
    others: int
    player: int


@dataclass(frozen=True)
class ThreeSpot(GridGame):
    """Move your domino and then the neutral one; each spot that yours covers is a point.

    The board has three by three cells, and the spots are those of the right column. A domino goes
    to any other place on free cells; it may cover one of its cells again. The game is over as soon
    as a player has twelve points. That player wins if the other has six or more, and else loses.
    """

    rows = 3
    columns = 3
    players = ("X", "O")
    facts = (
        Fact(
            outcome="win",
            remoteness=24,
            positions=91691,
            win=58784,
            loss=29855,
            tie=0,
            endless=3052,
            longest_win=41,
            longest_loss=42,
            note="the players told apart; as the player to move sees them, 45,851",
            source=GAMESMAN,
        ),
    )

    def start(self) -> ThreeDominoes:
        """Return each domino on a spot: the mover's above, the neutral one in the middle."""
        return ThreeDominoes(0b110, 0b110 << 6, 0b110 << 3, 0, 0, 0)

    def turn(self, p: ThreeDominoes) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: ThreeDominoes) -> Outcome | None:
        """Return the winner as soon as a player has twelve points."""
        if p.others >= GOAL:
            return LOSS if p.points >= ENOUGH else WIN
        return None

    def moves(self, p: ThreeDominoes) -> Iterator[tuple[int, int]]:
        """Yield the new places of the own domino and then of the neutral one."""
        for domino in PLACES:
            if domino != p.mine and not domino & (p.theirs | p.neutral):
                for neutral in PLACES:
                    if neutral != p.neutral and not neutral & (domino | p.theirs):
                        yield domino, neutral

    def play(self, p: ThreeDominoes, move: tuple[int, int]) -> ThreeDominoes:
        """Return the board after the move, as the other player sees it."""
        domino, neutral = move
        points = p.points + (domino & SPOTS).bit_count()
        return ThreeDominoes(p.theirs, domino, neutral, p.others, points, 1 - p.player)

    def space(self) -> ThreeDominoes:
        """Return the range of each field."""
        cells: Any = range(1 << 9)
        points: Any = range(GOAL + 3)
        player: Any = range(2)
        return ThreeDominoes(cells, cells, cells, points, points, player)

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the cells of the own domino and of the neutral one, such as ``b3c3,a1a2``."""
        return ",".join(
            "".join(self.cell_name(cell) for cell in range(9) if place >> cell & 1)
            for place in move
        )

    def text_rows(self, p: ThreeDominoes) -> list[str]:
        """Return the rows: ``X`` and ``O`` for the players' dominoes, ``#`` for the neutral one."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", first), ("O", second), ("#", p.neutral))

    def score_text(self, p: ThreeDominoes) -> str:
        """Return the points of both players, such as ``X 6, O 3``."""
        first, second = (p.others, p.points) if p.player else (p.points, p.others)
        return f"X {first}, O {second}"

    def show(self, p: ThreeDominoes) -> str:
        """Return a line for each row, the points, and the player to move."""
        rows = [" ".join(row) for row in self.text_rows(p)]
        return "\n".join([*rows, self.score_text(p), f"{self.players[p.player]} to move"])

    def svg(self, p: ThreeDominoes) -> str:
        """Draw the board, with an arrow below the column of the spots."""
        rows = self.text_rows(p)
        rows_shown = [row.replace("#", "\u25a0") for row in rows]
        title = " / ".join([*rows, self.score_text(p), f"{self.players[p.player]} to move"])
        column_labels = ("", self.score_text(p), "\u2191")
        return self.picture(rows_shown, discs="XO", title=title, below=column_labels)

    def parse(self, text: str) -> ThreeDominoes:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: it is not such a board with three dominoes.
        """
        board, player = self.read_turn(text)
        score = re.search(r"X\s*(\d+)\s*,\s*O\s*(\d+)[\s/]*$", board)
        first, second, neutral = self.read_cells(board[: score.start()] if score else board, "XO#")
        if not {first, second, neutral} <= set(PLACES):
            message = f"{text!r} must have a domino of X, one of O and one of #"
            raise PositionError(message)
        points, other_points = (int(score[1]), int(score[2])) if score else (0, 0)
        if player:
            return ThreeDominoes(second, first, neutral, other_points, points, 1)
        return ThreeDominoes(first, second, neutral, points, other_points, 0)
