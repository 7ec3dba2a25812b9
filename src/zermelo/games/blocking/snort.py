"""Snort."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._sources import CGSUITE, ENUMERATED, WINNING_WAYS
from zermelo.games.blocking._colours import ColouringGame


@dataclass(frozen=True)
class Snort(ColouringGame):
    """Two players colour cells, none beside one of the other's; whoever cannot colour one loses.

    Cells are beside each other along rows and columns, not diagonally.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        setup: the board at the start and the player to move, as text, such as
            ``X...X, white to move``; by default an empty board.
    """

    rows: int = 3
    columns: int = 5
    setup: str = ""

    others_repel = True

    facts = (
        Fact({"rows": 1, "columns": 5}, "win", 3, positions=29, source=ENUMERATED),
        Fact({"rows": 1, "columns": 7}, "win", 5, positions=147, source=ENUMERATED),
        Fact({"rows": 1, "columns": 8}, "win", 7, positions=335, source=ENUMERATED),
        Fact({"rows": 2, "columns": 2}, "loss", 2, positions=9, source=ENUMERATED),
        Fact({"rows": 2, "columns": 4}, "loss", 6, positions=179, source=ENUMERATED),
        Fact({"rows": 2, "columns": 5}, "win", 5, positions=841, source=ENUMERATED),
        Fact({"rows": 1, "columns": 1}, partizan="*", source=f"{WINNING_WAYS}; recalled"),
        Fact({"rows": 1, "columns": 2}, partizan="±1", source=f"{WINNING_WAYS}; recalled"),
        Fact({"rows": 1, "columns": 3}, partizan="±2", source=f"{WINNING_WAYS}; recalled"),
        Fact(
            {"rows": 2, "columns": 4, "setup": "..../#.##"},
            "win",
            partizan="±{3|2}",
            source=CGSUITE,
        ),
        Fact(
            {"rows": 1, "columns": 7, "setup": "X.....X"},
            "win",
            partizan="{4|0,±1}",
            source=CGSUITE,
        ),
    )
