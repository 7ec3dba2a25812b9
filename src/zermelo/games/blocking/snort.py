"""Snort."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._sources import ENUMERATED
from zermelo.games.blocking._colours import ColouringGame


@dataclass(frozen=True)
class Snort(ColouringGame):
    """Two players colour cells, none beside one of the other's; whoever cannot colour one loses.

    Cells are beside each other along rows and columns, not diagonally.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        setup: the board at the start and the player to move, as text, such as ``X...X, white to move``; by default
            an empty board.
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
    )
