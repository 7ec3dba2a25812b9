"""Col."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._sources import CGSUITE, ENUMERATED, WINNING_WAYS
from zermelo.games.blocking._colours import ColouringGame


@dataclass(frozen=True)
class Col(ColouringGame):
    """Two players colour cells, none beside a cell of their own; whoever cannot colour one loses.

    Cells are beside each other along rows and columns, not diagonally.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        setup: the board at the start and the player to move, as text, such as
            ``X...X, white to move``; by default an empty board.
    """

    rows: int = 3
    columns: int = 4
    setup: str = ""

    others_repel = False

    facts = (
        Fact({"rows": 1, "columns": 4}, "loss", 4, positions=25, source=ENUMERATED),
        Fact({"rows": 1, "columns": 7}, "loss", 6, positions=302, source=ENUMERATED),
        Fact({"rows": 1, "columns": 8}, "loss", 6, positions=699, source=ENUMERATED),
        Fact({"rows": 2, "columns": 2}, "loss", 2, positions=23, source=ENUMERATED),
        Fact({"rows": 2, "columns": 3}, "loss", 4, positions=105, source=ENUMERATED),
        Fact({"rows": 2, "columns": 4}, "loss", 6, positions=497, source=ENUMERATED),
        Fact({"rows": 3, "columns": 3}, "loss", 6, positions=1021, source=ENUMERATED),
        Fact({"rows": 3, "columns": 4}, "loss", 8, positions=10_319, source=ENUMERATED),
        Fact(
            {"rows": 2, "columns": 10, "setup": "O#O#X#O#O#/.........."},
            "win",
            partizan="7/8",
            source=CGSUITE,
        ),
        Fact({"rows": 1, "columns": 1}, "win", partizan="*", source=f"{WINNING_WAYS}; recalled"),
        Fact({"rows": 1, "columns": 3}, "loss", partizan="0", source=f"{WINNING_WAYS}; recalled"),
    )
