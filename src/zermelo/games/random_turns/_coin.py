"""Base class of games in which a coin is tossed before each move, and decides who makes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.games._checks import check_number
from zermelo.games._grids import SidesGame
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome

#: The text after the player who has just moved, if the coin is tossed next.
COIN = "tosses the coin"
#: The greatest weight of a side of the coin.
MOST_WEIGHT = 1000


class Toss(NamedTuple):
    """The cells of each player, one bit per cell: bit 0 is top left, row by row.

    Attributes:
        mine: the cells of the player to move, or of the player who tosses the coin.
        theirs: those of the other player.
        player: the player to move, 0 or 1, or the one who has just moved and tosses the coin.
        tossed: 1 if the coin has decided the turn; 0 if the coin is tossed next.
    """

    mine: int
    theirs: int
    player: int
    tossed: int


class RandomTurnGame(SidesGame):
    """A game of filling cells in which a coin decides who fills the next.

    A subclass is a frozen dataclass with the fields ``heads`` and ``tails``: the weights of the two
    sides of the coin. On heads the first player moves.
    """

    if TYPE_CHECKING:

        @property
        def heads(self) -> int:
            """The weight of the side of the coin on which the first player moves."""

        @property
        def tails(self) -> int:
            """The weight of the side of the coin on which the second player moves."""

        def board_symmetry(self) -> Symmetry:
            """Return the symmetries of the board."""

    def has_won(self, cells: int, player: int) -> bool:
        """Return whether a player who has filled these cells has won."""
        raise NotImplementedError

    def start(self) -> Any:
        """Return the empty board before the first toss."""
        return Toss(0, 0, 0, 0)

    def turn(self, p: Any) -> int:
        """Return the player to move, or who tosses the coin."""
        return int(p.player)

    def outcome(self, p: Toss) -> Outcome | None:
        """Return the result if a player has won, or if no cell is empty."""
        if self.has_won(p.mine, p.player):
            return WIN
        if self.has_won(p.theirs, 1 - p.player):
            return LOSS
        if p.mine | p.theirs == self.board:
            return DRAW
        return None

    def chance(self, p: Toss) -> Iterator[tuple[int, Toss]]:
        """Yield heads, after which the first player moves, and tails, if the coin is next."""
        if not p.tossed:
            first, second = p.mine, p.theirs
            if p.player == 1:
                first, second = p.theirs, p.mine
            yield self.heads, Toss(first, second, 0, 1)
            yield self.tails, Toss(second, first, 1, 1)

    def moves(self, p: Toss) -> Iterator[int]:
        """Yield each empty cell after a toss."""
        if p.tossed:
            empty = self.board & ~(p.mine | p.theirs)
            while empty:
                yield (empty & -empty).bit_length() - 1
                empty &= empty - 1

    def play(self, p: Toss, cell: int) -> Toss:
        """Return the board with the cell filled; the player who has moved tosses the coin."""
        return Toss(p.mine | 1 << cell, p.theirs, p.player, 0)

    def level(self, p: Toss) -> int:
        """Return the number of moves and tosses so far."""
        return 2 * (p.mine | p.theirs).bit_count() + p.tossed

    def pass_turn(self, p: Any) -> Any:
        """Return the same board with the other player to move."""
        return Toss(p.theirs, p.mine, 1 - p.player, p.tossed)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries of the board, and the exchange of the players."""
        return self.board_symmetry(), *self.exchange()

    def exchange(self) -> tuple[Symmetry, ...]:
        """Return the exchange of the players, if the coin is fair and their goals are equal."""
        return (Symmetry(flip=("player",)),) if self.heads == self.tails else ()

    def space(self) -> Any:
        """Return the range of each field; no cell has both players."""
        return Toss(*super().space(), range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless the board fits, and both sides of the coin have a weight."""
        super().validate()
        check_number("heads", self.heads, 1, MOST_WEIGHT)
        check_number("tails", self.tails, 1, MOST_WEIGHT)

    # -- text and pictures ---------------------------------------------------------------------

    def show(self, p: Any) -> str:
        """Return a line for each row, and whose turn it is or who tosses the coin."""
        return super().show(p).removesuffix(self.move_text(p)) + self.turn_text(p)

    def svg(self, p: Any) -> str:
        """Draw the board."""
        return super().svg(p).replace(self.move_text(p), self.turn_text(p))

    def turn_text(self, p: Toss) -> str:
        """Return whose turn it is, or who tosses the coin."""
        return self.move_text(p) if p.tossed else f"{self.players[p.player]} {COIN}"

    def move_text(self, p: Toss) -> str:
        """Return whose turn it is, such as ``black to move``."""
        return f"{self.players[p.player]} to move"

    def parse(self, text: str) -> Any:
        """Read a board as ``show`` writes it; without its last words the first player tosses."""
        text = text.strip()
        if text.endswith("to move"):
            return Toss(*super().parse(text), 1)
        if not text.endswith(COIN):
            text = f"{text}\n{self.players[0]} {COIN}"
        return Toss(*super().parse(text.removesuffix(COIN) + "to move"), 0)
