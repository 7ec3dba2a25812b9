"""The stone game as a question of who wins."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_piles, read_bracketed, stands
from zermelo.games._sources import LEETCODE
from zermelo.games.heaps.stone_game import TAKE_LEFT, TAKE_RIGHT
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome


class Lead(NamedTuple):
    """The piles that still stand, and the lead of the player to move.

    Attributes:
        left: the place of the first pile that stands.
        right: the place after the last one; equal to ``left`` when all are taken.
        lead: the number of stones that the player to move has taken, less the opponent's.
    """

    left: int
    right: int
    lead: int


@dataclass(frozen=True)
class StoneGameWinner(Game):
    """The stone game asked for its winner only: who ends with more stones, or is it a draw?

    With an even number of piles the first player never loses, and with an odd number of stones
    besides always wins: ``richer_colour`` says how. ``StoneGame`` has far fewer positions and
    says by how much.

    Attributes:
        piles: the number of stones in each pile, from left to right; a pile may also be 0 or below.
    """

    title = "Stone Game, Who Wins"

    piles: Sequence[int] = (5, 3, 4, 5)

    facts = (
        Fact({"piles": [5, 3, 4, 5]}, "win", source=LEETCODE.format(877)),
        Fact({"piles": [1, 5, 2]}, "loss", source=LEETCODE.format(486)),
    )

    def start(self) -> Lead:
        """Return the whole row, nobody ahead."""
        return Lead(0, len(self.piles), 0)

    def outcome(self, position: Lead) -> Outcome | None:
        """Return the outcome by the lead once all piles are taken."""
        if position.left < position.right:
            return None
        if position.lead == 0:
            return DRAW
        return WIN if position.lead > 0 else LOSS

    def moves(self, position: Lead) -> Iterator[int]:
        """Yield the ends that can be taken; a single pile has only one."""
        if position.left < position.right:
            yield TAKE_LEFT
        if position.left + 1 < position.right:
            yield TAKE_RIGHT

    def play(self, position: Lead, end: int) -> Lead:
        """Return the row without the pile at one end, as the other player sees it."""
        if end == TAKE_LEFT:
            lead = position.lead + self.piles[position.left]
            return Lead(position.left + 1, position.right, -lead)
        lead = position.lead + self.piles[position.right - 1]
        return Lead(position.left, position.right - 1, -lead)

    def level(self, position: Lead) -> int:
        """Return the number of piles that are taken."""
        return position.left + len(self.piles) - position.right

    def space(self) -> Lead:
        """Return the range of each field."""
        places: Any = range(len(self.piles) + 1)
        greatest_lead = sum(abs(int(pile)) for pile in self.piles)
        leads: Any = range(-greatest_lead, greatest_lead + 1)
        return Lead(places, places, leads)

    def validate(self) -> None:
        """Raise ParameterError unless the piles are whole numbers."""
        check_piles(self.piles)

    def show(self, position: Lead) -> str:
        """Return all piles, the standing ones in brackets, and the lead: ``5 [3 4] 5 lead -1``."""
        return f"{stands(self.piles, position.left, position.right)} lead {position.lead}"

    def svg(self, position: Lead) -> str:
        """Draw the piles as bars; those taken are faint."""
        live = range(position.left, position.right)
        moves = {position.right - 1: "right", position.left: "left"} if live else {}
        return drawing.bars(self.piles, live, title=self.show(position), moves=moves)

    def name(self, end: int) -> str:
        """Return ``left`` or ``right``."""
        return "left" if end == TAKE_LEFT else "right"

    def parse(self, text: str) -> Lead:
        """Read a position as ``show`` writes it; without a lead, it is 0."""
        piles, _, lead = text.partition("lead")
        try:
            return Lead(*read_bracketed(piles, self.piles), int(lead or "0"))
        except ValueError:
            message = f"{text!r} has a lead {lead.strip()!r}; write a whole number"
            raise PositionError(message) from None


def richer_colour(piles: Sequence[int]) -> int:
    """Return the colour whose piles the first player takes in order not to lose.

    Colour an even number of piles alternately 0 and 1, from the left. The two ends then differ in
    colour, and after the first player takes one of them, both ends are of the other colour; so
    whatever the second player takes, it is not of the first player's colour, and uncovers one
    that is. The first player can thus have all piles of either colour, and picks the richer.

    Args:
        piles: stones in each pile, an even number of piles.

    Returns:
        0 or 1: the places of the piles to take, modulo 2.

    >>> richer_colour([5, 3, 4, 5])
    0
    """
    return 0 if sum(piles[::2]) >= sum(piles[1::2]) else 1
