"""Order and Chaos."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.game.placement import MarkingGame
from zermelo.games._checks import check_word
from zermelo.games._grids import SquareBoard
from zermelo.games._sources import COUNTED_IN_PYTHON
from zermelo.games.lines._grid import RowsOfSquares
from zermelo.values.outcomes import LOSS, WIN, Outcome


@dataclass(frozen=True)
class OrderAndChaos(SquareBoard, RowsOfSquares, MarkingGame):
    """Order wants a row of like marks, Chaos a full board without; both put crosses and rings.

    Attributes:
        size: the number of squares on each side of the board.
        length: the number of marks in a row that Order wants.
        first: the player who begins, ``order`` or ``chaos``.
    """

    size: int = 3
    length: int = 3
    first: str = "order"

    choice = True

    facts = (
        Fact(
            {},
            "win",
            5,
            positions=18753,
            win=9659,
            loss=9094,
            tie=0,
            longest_win=5,
            longest_loss=6,
            source="GamesmanClassic (b9dd232), moandc option 1, run by us",
        ),
        Fact(
            {"first": "chaos"},
            "loss",
            6,
            positions=18753,
            win=9862,
            loss=8891,
            tie=0,
            longest_win=5,
            longest_loss=6,
            source=COUNTED_IN_PYTHON,
        ),
    )

    @property
    def players(self) -> tuple[str, str]:  # type: ignore[override]  # may be a property
        """The player who begins, and the other one."""
        return ("Order", "Chaos") if self.first == "order" else ("Chaos", "Order")

    def lines(self) -> Iterable[tuple[int, ...]]:
        """Return each row of enough squares."""
        return self.straight(self.length)

    def line_winner(self, player: int) -> int:  # noqa: ARG002  # whoever makes it
        """Return Order, whoever makes a row."""
        return 0 if self.first == "order" else 1

    @property
    def full_board(self) -> Outcome:
        """The outcome of a full board without a row, for the next player: Chaos wins."""
        chaos = self.players.index("Chaos")
        return WIN if self.size**2 % 2 == chaos else LOSS

    def validate(self) -> None:
        """Raise ParameterError unless the board fits, and Order or Chaos begins."""
        check_word("first", self.first, ("order", "chaos"))
        super().validate()
