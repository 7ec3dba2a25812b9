"""Pig, the jeopardy dice game."""

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
from zermelo.symmetry import Symmetry

HOLD, ROLL = 0, 1

_TEXT = re.compile(
    r"(\d+) *: *(\d+)(?:, turn total (\d+))?(?:\s*[\n/]\s*(\w+) (to throw|to choose))?"
)


class PigScores(NamedTuple):
    """The scores, and the points of the turn.

    Attributes:
        mine: the points of the player whose turn it is.
        theirs: the points of the other player.
        total: the points of the turn, which a 1 loses.
        thrown: 1 if the player is to choose whether to roll again, 0 if the die is to be thrown.
        player: the player whose turn it is, 0 or 1.
    """

    mine: int
    theirs: int
    total: int
    thrown: int
    player: int


@dataclass(frozen=True)
class Pig(Game):
    """Two players throw a die for points, as often as they dare; a 1 loses the points of the turn.

    A turn begins with a throw. A 1 ends the turn without points. Any other number is added to the
    total of the turn, and the player chooses: to roll again, or to hold, which adds the total to
    the player's score and ends the turn. A player whose score and total together reach the goal has
    won, since such a player would hold.

    Attributes:
        goal: the points that win.
        sides: the sides of the die.
    """

    goal: int = 10
    sides: int = 6

    facts = (
        Fact({"goal": 2}, probability="6/7", source=RECURSION),
        Fact({"goal": 10}, probability="0.70942432", source=RECURSION),
        Fact(
            {"goal": 100},
            probability="0.5306",
            source="Neller and Presser, Optimal Play of the Dice Game Pig, 2004",
        ),
        Fact(
            {"goal": 100},
            probability="0.5305927",
            source="value iteration by a program that shares no code with Zermelo",
        ),
    )

    def start(self) -> PigScores:
        """Return the scores of 0, before the first throw."""
        return PigScores(0, 0, 0, 0, 0)

    def turn(self, p: PigScores) -> int:
        """Return the player whose turn it is, to throw or to choose."""
        return p.player

    def winner(self, p: PigScores) -> int | None:
        """Return the player who has reached the goal."""
        if p.mine + p.total >= self.goal:
            return p.player
        return None

    def chance(self, p: PigScores) -> Iterator[tuple[int, PigScores]]:
        """Yield each throw: a 1 ends the turn, and another number is added to the total."""
        if not p.thrown:
            yield 1, PigScores(p.theirs, p.mine, 0, 0, 1 - p.player)
            for face in range(2, self.sides + 1):
                total = min(p.total + face, self.goal - p.mine)
                yield 1, PigScores(p.mine, p.theirs, total, 1, p.player)

    def moves(self, p: PigScores) -> Iterator[int]:
        """Yield the two choices after a throw."""
        if p.thrown:
            yield HOLD
            yield ROLL

    def play(self, p: PigScores, choice: int) -> PigScores:
        """Return the scores before the next throw, as the player who throws sees them."""
        if choice == ROLL:
            return PigScores(p.mine, p.theirs, p.total, 0, p.player)
        return PigScores(p.theirs, p.mine + p.total, 0, 0, 1 - p.player)

    def level(self, p: PigScores) -> int:
        """Return the sum of the scores, which nobody loses."""
        return p.mine + p.theirs

    def symmetries(self) -> Symmetry:
        """Return the exchange of the players."""
        return Symmetry(flip=("player",))

    def space(self) -> PigScores:
        """Return the range of each field."""
        points: Any = range(self.goal + 1)
        two: Any = range(2)
        return PigScores(points, points, points, two, two)

    def validate(self) -> None:
        """Raise ParameterError unless there is a goal, and a die with a side that is not 1."""
        check_number("goal", self.goal, 1, 1000)
        check_number("sides", self.sides, 2, MOST_SIDES)

    def show(self, p: PigScores) -> str:
        """Return the scores, the first player's first, the total and what is to be done."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        total = f", turn total {p.total}" if p.total else ""
        task = "to choose" if p.thrown else "to throw"
        return f"{first} : {second}{total}\n{self.players[p.player]} {task}"

    def svg(self, p: PigScores) -> str:
        """Draw the scores as bars."""
        scores = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        moves = [self.name(choice) for choice in self.moves(p)]
        return scoreboard(scores, self.goal, p.total, p.player, f"pig: {self.show(p)}", moves)

    def name(self, choice: int) -> str:
        """Return ``hold`` or ``roll``."""
        return "roll" if choice == ROLL else "hold"

    def parse(self, text: str) -> PigScores:
        """Read scores as ``show`` writes them; the parts may be separated by a slash.

        Raises:
            PositionError: the text is not such a position.
        """
        found = _TEXT.fullmatch(text.strip())
        if found is None or (found[4] or self.players[0]) not in self.players:
            message = f"{text!r} is not a position; write '3 : 5, turn total 4 / first to choose'"
            raise PositionError(message)
        first, second, total = int(found[1]), int(found[2]), int(found[3] or 0)
        player = self.players.index(found[4] or self.players[0])
        thrown = int(found[5] == "to choose")
        mine, theirs = (second, first) if player else (first, second)
        if mine + total > self.goal or theirs > self.goal or (thrown and not total):
            message = f"{text!r} has scores that do not occur with a goal of {self.goal}; change it"
            raise PositionError(message)
        return PigScores(mine, theirs, total, thrown, player)
