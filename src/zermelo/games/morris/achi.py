"""Achi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_word
from zermelo.games._points import DIAGONAL, ORTHOGONAL, RowGame
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, Outcome


@dataclass(frozen=True)
class Achi(RowGame):
    """Two players put four men each on nine points, then step along lines; three in a row win.

    Attributes:
        pieces: the number of each player's men.
        blocked: whether a player who cannot move ``loses``, or the game is a ``tie``.
    """

    pieces: int = 4
    blocked: str = "loses"

    facts = (
        Fact(
            outcome="win",
            remoteness=11,
            positions=5716,
            win=3527,
            loss=2189,
            tie=0,
            endless=0,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"pieces": 3},
            "win",
            9,
            positions=5390,
            win=2997,
            loss=1185,
            tie=0,
            endless=1208,
            longest_win=9,
            longest_loss=10,
            source=GAMESMAN,
            note="Three Men's Morris",
        ),
    )

    @property
    def men(self) -> int:
        """The number of each player's men."""
        return self.pieces

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins: rows, columns and two diagonals."""
        return (*ORTHOGONAL, *DIAGONAL)

    @property
    def no_moves(self) -> Outcome:  # type: ignore[override]  # it may be a property
        """The outcome of a player who has no move."""
        return DRAW if self.blocked == "tie" else LOSS

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(3, 3), masks=("mine", "theirs"))

    def validate(self) -> None:
        """Raise ParameterError for too many men, or for an unknown word."""
        check_number("pieces", self.pieces, 1, 4)
        check_word("blocked", self.blocked, ("loses", "tie"))
