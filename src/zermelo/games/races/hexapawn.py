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
            wins=55,
            losses=80,
            longest_win=5,
            longest_loss=6,
            source=f"M. Gardner, Scientific American (March 1962); {GAMESMAN}",
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "win",
            5,
            positions=1128,
            wins=394,
            losses=734,
            longest_win=5,
            longest_loss=4,
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 3, "columns": 5},
            "win",
            7,
            positions=8698,
            wins=2679,
            losses=6019,
            longest_win=7,
            longest_loss=6,
            source=GAMESMAN,
        ),
        Fact(
            {"rows": 4, "columns": 4},
            "win",
            11,
            positions=20286,
            wins=8336,
            losses=11950,
            longest_win=11,
            longest_loss=10,
            source=f"Wikipedia, Hexapawn: octopawn is won for white; {ENUMERATED}",
        ),
        Fact(
            {"rows": 5, "columns": 3},
            "win",
            11,
            positions=3708,
            wins=1662,
            losses=2046,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 4},
            "loss",
            16,
            positions=118133,
            wins=51631,
            losses=66502,
            longest_win=15,
            longest_loss=16,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 4, "columns": 5},
            "loss",
            14,
            positions=359894,
            wins=139794,
            losses=220100,
            longest_win=13,
            longest_loss=14,
            source=ENUMERATED,
        ),
    )
