"""Hexapawn."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.games.races._pawns import PawnGame


@dataclass(frozen=True)
class Hexapawn(PawnGame):
    """Pawns step straight ahead and take at a slant; across the board, or a blocked enemy, wins.

    Each player begins with a row of pawns. A pawn steps ahead to an empty cell, or takes an enemy
    one cell ahead at a slant. A player wins with a pawn on the last row, by taking all enemies,
    or if the other player cannot move.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
    """

    rows: int = 3
    columns: int = 3

    facts = (
        Fact(
            {"rows": 3, "columns": 3},
            "loss",
            6,
            positions=135,
            win=55,
            loss=80,
            longest_win=5,
            longest_loss=6,
            source=f"M. Gardner, Scientific American (March 1962); {GAMESMAN}",
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            5,
            positions=1128,
            win=394,
            loss=734,
            longest_win=5,
            longest_loss=4,
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 3, "columns": 5},
            "win",
            7,
            positions=8698,
            win=2679,
            loss=6019,
            longest_win=7,
            longest_loss=6,
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 4, "columns": 4},
            "win",
            11,
            positions=20286,
            win=8336,
            loss=11950,
            longest_win=11,
            longest_loss=10,
            source=f"Wikipedia, Hexapawn: octopawn is won for white; {ENUMERATED}",
        ),
        Fact(
            {"rows": 5, "columns": 3},
            "win",
            11,
            positions=3708,
            win=1662,
            loss=2046,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 4},
            "loss",
            16,
            positions=118133,
            win=51631,
            loss=66502,
            longest_win=15,
            longest_loss=16,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 5},
            "loss",
            14,
            positions=359894,
            win=139794,
            loss=220100,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
    )
