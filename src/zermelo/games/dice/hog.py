"""Hog, the dice game of a first course in programming."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.dice._dice import MOST_SIDES, RECURSION, scoreboard
from zermelo.values.outcomes import LOSS, Outcome

MOST_DICE = 10

_TEXT = re.compile(r"mine (\d+), theirs (\d+)(?:, (\d+) (?:die|dice) in the air after (\d+))?")


class HogScores(NamedTuple):
    """The scores, and the dice that the other player has still to throw.

    Attributes:
        mine: the points of the player to move next.
        theirs: the points of the other player, who throws if dice are in the air.
        dice: the number of dice in the air, 0 if the player is to choose a number.
        total: the sum of the dice that have fallen in this turn.
    """

    mine: int
    theirs: int
    dice: int
    total: int


@dataclass(frozen=True)
class Hog(Game):
    """Two players throw any number of dice at once for points; with a 1 they get one point only.

    In a turn a player chooses a number of dice and throws them all. If none shows a 1, the player
    scores their sum. Otherwise the rule *Pig out* holds: the player scores 1. Whoever reaches the
    goal has won. The other rules of Hog, which change every year, are left out, and so are throws
    of zero dice, for which one of those rules gives points.

    Attributes:
        goal: the points that win.
        sides: the sides of each die.
        dice: the most dice in a throw.
    """

    goal: int = 20
    sides: int = 6
    dice: int = 3

    facts = (
        Fact({"goal": 2, "dice": 1}, probability="31/36", source=RECURSION),
        Fact({"goal": 10, "dice": 3}, probability="0.67458059", source=RECURSION),
        Fact({"goal": 20, "dice": 5}, probability="0.60232073", source=RECURSION),
        Fact(
            {"goal": 100, "dice": 10},
            probability="0.53435952",
            note="2 million positions",
            source=RECURSION,
        ),
    )

    def start(self) -> HogScores:
        """Return the scores of 0."""
        return HogScores(0, 0, 0, 0)

    def outcome(self, p: HogScores) -> Outcome | None:
        """Return LOSS if the other player has reached the goal."""
        if p.theirs >= self.goal:
            return LOSS
        return None

    def moves(self, p: HogScores) -> Iterator[int]:
        """Yield each number of dice."""
        if not p.dice:
            yield from range(1, self.dice + 1)

    def play(self, p: HogScores, dice: int) -> HogScores:
        """Return the position with the dice in the air, as the other player sees it."""
        return HogScores(p.theirs, p.mine, dice, 0)

    def chance(self, p: HogScores) -> Iterator[tuple[int, HogScores]]:
        """Yield what each face of the next die leads to.

        The dice fall one by one, since ten of them have too many faces together. A 1 decides the
        turn, and no more points than the goal are counted.
        """
        if p.dice:
            yield 1, HogScores(p.mine, p.theirs + 1, 0, 0)
            for face in range(2, self.sides + 1):
                total = min(p.total + face, self.goal - p.theirs)
                if p.dice > 1:
                    yield 1, HogScores(p.mine, p.theirs, p.dice - 1, total)
                else:
                    yield 1, HogScores(p.mine, p.theirs + total, 0, 0)

    def level(self, p: HogScores) -> int:
        """Return the sum of the scores, which every turn raises."""
        return p.mine + p.theirs

    def space(self) -> HogScores:
        """Return the range of each field."""
        points: Any = range(self.goal + 1)
        dice: Any = range(self.dice + 1)
        total: Any = range(min(self.goal, self.dice * self.sides) + 1)
        return HogScores(points, points, dice, total)

    def validate(self) -> None:
        """Raise ParameterError unless there are a goal and dice."""
        check_number("goal", self.goal, 1, 1000)
        check_number("sides", self.sides, 2, MOST_SIDES)
        check_number("dice", self.dice, 1, MOST_DICE)

    def show(self, p: HogScores) -> str:
        """Return the scores as the player to move sees them, and the dice in the air."""
        scores = f"mine {p.mine}, theirs {p.theirs}"
        if not p.dice:
            return scores
        return f"{scores}, {p.dice} {'dice' if p.dice > 1 else 'die'} in the air after {p.total}"

    def svg(self, p: HogScores) -> str:
        """Draw the scores as bars, that of the player to move above."""
        moves = [self.name(dice) for dice in self.moves(p)] if p.theirs < self.goal else []
        return scoreboard((p.mine, p.theirs), self.goal, p.total, 1, f"hog: {self.show(p)}", moves)

    def name(self, dice: int) -> str:
        """Return the number of dice."""
        return f"{dice} {'dice' if dice > 1 else 'die'}"

    def parse(self, text: str) -> HogScores:
        """Read scores as ``show`` writes them.

        Raises:
            PositionError: the text is not such a position.
        """
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            message = f"{text!r} is not a position; write 'mine 8, theirs 5'"
            raise PositionError(message)
        mine, theirs, dice, total = (int(number or 0) for number in found.groups())
        if mine >= self.goal or theirs + total > self.goal or dice > self.dice:
            message = f"{text!r} has numbers that do not occur in this game; change them"
            raise PositionError(message)
        return HogScores(mine, theirs, dice, total)
