"""Chopsticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.drawing import FIRST, caption, clickable, document
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_word
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.values.outcomes import LOSS, Outcome

FINGERS = 5
TAP, SPLIT = 0, 1


class Hands(NamedTuple):
    """The number of fingers of each hand, the greater number first.

    Attributes:
        mine: the hands of the player to move.
        theirs: the hands of the other player.
    """

    mine: tuple[int, int]
    theirs: tuple[int, int]


@dataclass(frozen=True)
class Chopsticks(Game):
    """Tap a hand of the other player with one of yours; a player whose two hands are out loses.

    Each player has two hands, which begin with a finger each. A tap adds the fingers of the hand
    that taps to those of the hand tapped; a hand with five fingers or more is out.

    Attributes:
        splits: whether a player may redistribute the fingers instead of tapping: ``none``;
            ``inner``, so that both hands are in the game afterwards; ``any``.
        roll: whether fingers are counted modulo five, so that only exactly five put a hand out.
        pass_splits: whether a split may leave the hands as they are, or exchange them.
    """

    splits: str = "inner"
    roll: bool = False
    pass_splits: bool = False

    facts = (
        Fact(
            outcome="endless",
            positions=171,
            win=42,
            loss=18,
            tie=0,
            endless=111,
            longest_win=5,
            longest_loss=6,
            source=GAMESMAN,
        ),
        Fact(
            {"splits": "inner", "pass_splits": True},
            "endless",
            positions=186,
            win=91,
            loss=40,
            tie=0,
            endless=55,
            source=GAMESMAN,
        ),
        Fact(
            {"splits": "any", "pass_splits": True},
            "endless",
            positions=209,
            win=49,
            loss=18,
            tie=0,
            endless=142,
            source=GAMESMAN,
        ),
        Fact(
            {"splits": "none"},
            "loss",
            8,
            positions=92,
            win=57,
            loss=35,
            tie=0,
            endless=0,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Hands:
        """Return a finger on each hand."""
        return Hands((1, 1), (1, 1))

    def outcome(self, p: Hands) -> Outcome | None:
        """Return LOSS if both hands of the player to move are out."""
        return LOSS if p.mine[0] == 0 else None

    def moves(self, p: Hands) -> Iterator[tuple[int, int, int]]:
        """Yield taps, with the fingers of both hands, and splits, with the fingers afterwards."""
        for i, own_fingers in enumerate(p.mine):
            for j, other_fingers in enumerate(p.theirs):
                fresh = (i == 0 or own_fingers != p.mine[0]) and (
                    j == 0 or other_fingers != p.theirs[0]
                )
                if own_fingers and other_fingers and fresh:
                    yield TAP, own_fingers, other_fingers
        if self.splits != "none":
            total = p.mine[0] + p.mine[1]
            for smaller in range(0 if self.splits == "any" else 1, total // 2 + 1):
                greater = total - smaller
                if greater < FINGERS and (greater != p.mine[0] or self.pass_splits):
                    yield SPLIT, greater, smaller

    def play(self, p: Hands, move: tuple[int, int, int]) -> Hands:
        """Return the hands after the move, as the other player sees them."""
        kind, first_number, second_number = move
        if kind == SPLIT:
            return Hands(p.theirs, (first_number, second_number))
        spared = p.theirs[1] if p.theirs[0] == second_number else p.theirs[0]
        tapped = first_number + second_number
        if tapped >= FINGERS:
            tapped = tapped - FINGERS if self.roll else 0
        return Hands((max(tapped, spared), min(tapped, spared)), p.mine)

    def space(self) -> Hands:
        """Return the range of each hand."""
        hands: Any = [range(FINGERS), range(FINGERS)]
        return Hands(hands, hands)

    def validate(self) -> None:
        """Raise ParameterError for an unknown word."""
        check_word("splits", self.splits, ("none", "inner", "any"))

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int, int]) -> str:
        """Return a tap as ``2x1``, and a split as ``3+1``."""
        kind, first_number, second_number = move
        return f"{first_number}{'+' if kind == SPLIT else 'x'}{second_number}"

    def show(self, p: Hands) -> str:
        """Return the hands of the player to move, and the other player's."""
        return f"{p.mine[0]} {p.mine[1]} against {p.theirs[0]} {p.theirs[1]}"

    def svg(self, p: Hands) -> str:
        """Draw both players' hands, the mover's below, and the possible splits."""
        parts = []
        for hands, y, look in ((p.theirs, 30, ""), (p.mine, 90, f'style="fill:{FIRST}"')):
            for x, fingers in zip((40, 110), hands, strict=True):
                parts.append(f'<circle cx="{x}" cy="{y}" r="20" fill-opacity=".5" {look}/>')
                parts.append(caption(str(fingers), x, y, 18, faint=not fingers))
                parts.append(clickable(str(fingers), x - 20, y - 20, 40, 40))
        moves = [] if self.outcome(p) is not None else list(self.moves(p))
        for n, move in enumerate(move for move in moves if move[0] == SPLIT):
            parts.append(caption(self.name(move), 25 + 50 * n, 135, 14))
            parts.append(clickable(self.name(move), 50 * n, 120, 50, 30))
        return document(parts, (150, 150), title=self.show(p))

    def parse(self, text: str) -> Hands:
        """Read hands such as ``2 1 against 3 0``; the order of a player's hands does not matter.

        Raises:
            PositionError: it is not four numbers below five.
        """
        fingers = [int(number) for number in re.findall(r"\d+", text)]
        if len(fingers) != 4 or max(fingers) >= FINGERS:  # hands
            message = f"{text!r} is not four hands; write fingers from 0 to 4, as '2 1 against 3 0'"
            raise PositionError(message)
        a, b, c, d = fingers
        return Hands((max(a, b), min(a, b)), (max(c, d), min(c, d)))
