"""Breakthrough."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.games._sources import ENUMERATED
from zermelo.games.races._pawns import PawnGame
from zermelo.values.outcomes import LOSS, WIN


@dataclass(frozen=True)
class Breakthrough(PawnGame):
    """Men go ahead, straight or at a slant, and take at a slant; the first one across wins.

    A man goes to one of the three cells ahead if it is empty, and takes an enemy on one of the two
    at a slant. A player wins with a man on the last row, or by taking all enemies.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        ranks: the number of full rows of men that each player begins with.
    """

    rows: int = 6
    columns: int = 2
    ranks: int = 2

    slides = True

    facts = (
        Fact(
            {"rows": 4, "columns": 2, "ranks": 1},
            "loss",
            6,
            positions=251,
            win=107,
            loss=144,
            longest_win=5,
            longest_loss=6,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 3, "ranks": 1},
            "win",
            9,
            positions=10689,
            win=4048,
            loss=6641,
            longest_win=9,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 2, "ranks": 1},
            "win",
            7,
            positions=654,
            win=277,
            loss=377,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 3, "ranks": 1},
            "win",
            13,
            positions=51608,
            win=21390,
            loss=30218,
            longest_win=13,
            longest_loss=12,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 2, "ranks": 2},
            "loss",
            8,
            positions=646,
            win=256,
            loss=390,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 2, "ranks": 2},
            "loss",
            10,
            positions=11287,
            win=4928,
            loss=6359,
            longest_win=9,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 6, "columns": 2, "ranks": 2},
            "win",
            15,
            positions=71474,
            win=31365,
            loss=40109,
            longest_win=17,
            longest_loss=18,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 3, "ranks": 2},
            "loss",
            12,
            positions=55152,
            win=19807,
            loss=35345,
            longest_win=11,
            longest_loss=12,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 3, "ranks": 2},
            "loss",
            18,
            positions=2418400,
            win=945115,
            loss=1473285,
            longest_win=17,
            longest_loss=18,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 4, "ranks": 1},
            "win",
            11,
            positions=387693,
            win=133572,
            loss=254121,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 4, "ranks": 2},
            "loss",
            14,
            positions=3212224,
            win=1052264,
            loss=2159960,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5, "ranks": 2},
            "loss",
            26,
            checked=False,
            note="tens of billions of positions",
            source="littlegolem.net, forum topic 120/19 (2006): black wins in 26",
        ),
    )

    @property
    def depth(self) -> int:
        """The number of full rows of men that each side begins with."""
        return self.ranks

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Sides, move: tuple[int, int]) -> int:
        """Return the priority of a move: captures first, then by how far ahead it is."""
        row = move[1] // self.columns
        advance = row if p.player else self.rows - 1 - row
        return advance + (2 * self.rows if p.theirs >> move[1] & 1 else 0)

    def bounds(self, p: Sides) -> tuple[int, int]:
        """Return bounds of the outcome by men that are a step from the last row."""
        if self.columns == 1:
            return LOSS, WIN
        if p.mine & self.doors[p.player]:
            return WIN, WIN  # at a slant, nothing can stop it
        runners = p.theirs & self.doors[1 - p.player]
        if runners:
            mine = p.mine & self.homes[p.player]
            attacked = ((mine & ~self.left) >> 1 | (mine & ~self.right) << 1) & self.board
            attacked = (
                attacked << self.columns & self.board if p.player else attacked >> self.columns
            )
            if runners & runners - 1 or not runners & attacked:
                return LOSS, LOSS
        return LOSS, WIN

    @cached_property
    def doors(self) -> list[int]:
        """For each player, the row before the last one."""
        first, second = self.homes
        return [second << self.columns, first >> self.columns]

    def validate(self) -> None:
        """Raise ParameterError unless both sides have room on the board."""
        super().validate()
        check_number("ranks", self.ranks, 1)
        if 2 * self.ranks > self.rows:
            message = (
                f"ranks {self.ranks!r} of each side do not fit on {self.rows!r} rows; give at "
                f"most {self.rows // 2}"
            )
            raise ParameterError(message)
