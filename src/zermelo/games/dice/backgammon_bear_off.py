"""The bear-off of backgammon."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_numbers
from zermelo.games.dice._dice import RECURSION
from zermelo.symmetry import Symmetry

MOST_MEN, MOST_POINTS, DIE = 15, 6, 6

_PEELLE = "Peelle, Backgammon Tools in J: Bearoff Expected Rolls, Vector 24"
_TEXT = re.compile(
    r"first ([\d ]+)[\n/]\s*second ([\d ]+)[\n/]\s*(\w+) (?:to throw|to move (\d) ?([ x]) ?(\d))"
)


class BearOffMen(NamedTuple):
    """The men of each player, and the dice that are still to be used.

    Attributes:
        mine: the men of the player whose turn it is, on the first point, the second, and so on.
        theirs: the other player's men.
        high: the number of a die, 0 before the throw. After doubles it is that of all dice.
        low: the smaller number of the other die, 0 if there is none, or after doubles.
        steps: the number of dice to be used, 0 before the throw.
        player: the player whose turn it is, 0 or 1.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    high: int
    low: int
    steps: int
    player: int


@dataclass(frozen=True)
class BackgammonBearOff(Game):
    """Two players bear men off their home boards in a race, as at the end of backgammon.

    A turn is a throw of two dice, and a step for each die, in either order; after doubles four
    steps. A step moves a man by the number of the die towards the first point, or takes it off if
    the number is that of its point. If the number is larger, it takes a man off the highest point
    that has men. Whoever has no men left has won. Single wins count, so there is no doubling cube
    and no gammon. Men of the two players never meet.

    Attributes:
        men: the men of each player at the start, on the highest point.
        points: the points of a home board.
        first: the points of the first player's men at the start, such as ``(6, 5)``, instead.
        second: the points of the second player's men at the start, instead.
    """

    title = "Backgammon bear-off"

    men: int = 2
    points: int = 6
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()

    facts = (
        Fact(
            {"points": 1, "first": (1,) * 8, "second": (1,) * 6},
            probability="0.301055",
            source=_PEELLE,
        ),
        Fact({"men": 9, "points": 1}, probability="0.72", source=_PEELLE),
        Fact(
            {"first": (5, 2), "second": (1,)},
            probability="19/36",
            note="only the first throw counts",
            source=RECURSION,
        ),
        Fact({"men": 1}, probability="13/16", source=RECURSION),
        Fact({"men": 2}, probability="0.75449435", source=RECURSION),
        Fact({"men": 3}, probability="0.7128081", source=RECURSION),
    )

    @cached_property
    def most_men(self) -> int:
        """The men of the player who has more of them at the start."""
        return max(len(self.men_points(0)), len(self.men_points(1)))

    def men_points(self, player: int) -> tuple[int, ...]:
        """Return the points of a player's men at the start."""
        given = self.second if player else self.first
        return given or (self.points,) * self.men

    def start(self) -> BearOffMen:
        """Return the men at the start, before the first throw."""
        mine, theirs = (
            tuple(self.men_points(player).count(point + 1) for point in range(self.points))
            for player in (0, 1)
        )
        return BearOffMen(mine, theirs, 0, 0, 0, 0)

    def turn(self, p: BearOffMen) -> int:
        """Return the player whose turn it is, to throw or to move."""
        return p.player

    def winner(self, p: BearOffMen) -> int | None:
        """Return the player who has borne off all men."""
        if sum(p.theirs) == 0:
            return 1 - p.player
        return None

    def chance(self, p: BearOffMen) -> Iterator[tuple[int, BearOffMen]]:
        """Yield each throw of two dice."""
        if not p.steps:
            for high in range(1, DIE + 1):
                for low in range(1, high):
                    yield 2, BearOffMen(p.mine, p.theirs, high, low, 2, p.player)
                yield 1, BearOffMen(p.mine, p.theirs, high, 0, 4, p.player)

    def moves(self, p: BearOffMen) -> Iterator[tuple[int, int]]:
        """Yield each step: the point of a man, and the die."""
        if p.steps:
            highest = self.points
            while p.mine[highest - 1] == 0:
                highest -= 1
            for die in (p.high, p.low):
                if die:
                    for point in range(1, highest + 1):
                        if p.mine[point - 1] and (point >= die or point == highest):
                            yield point, die

    def play(self, p: BearOffMen, step: tuple[int, int]) -> BearOffMen:
        """Return the men after a step, as the player sees them whose turn it is then."""
        point, die = step
        mine = put(p.mine, point - 1, p.mine[point - 1] - 1)
        if point > die:
            mine = put(mine, point - 1 - die, mine[point - 1 - die] + 1)
        if p.steps == 1 or sum(mine) == 0:
            return BearOffMen(p.theirs, mine, 0, 0, 0, 1 - p.player)
        die_left = p.low if p.low and die == p.high else p.high
        return BearOffMen(mine, p.theirs, die_left, 0, p.steps - 1, p.player)

    def level(self, p: BearOffMen) -> int:
        """Return a number that every throw and every step raises."""
        pips = sum([(i + 1) * men for i, men in enumerate(p.mine)])
        pips += sum([(i + 1) * men for i, men in enumerate(p.theirs)])
        return (1 if p.steps else 0) - 2 * pips

    def symmetries(self) -> Symmetry:
        """Return the exchange of the players."""
        return Symmetry(flip=("player",))

    def space(self) -> BearOffMen:
        """Return the range of each field."""
        men: Any = range(self.most_men + 1)
        die: Any = range(DIE + 1)
        steps: Any = range(5)
        player: Any = range(2)
        return BearOffMen(men, men, die, die, steps, player)

    def validate(self) -> None:
        """Raise ParameterError unless there are men on the points of a home board."""
        check_number("men", self.men, 1, MOST_MEN)
        check_number("points", self.points, 1, MOST_POINTS)
        for name in ("first", "second"):
            if getattr(self, name) != ():
                points = getattr(self, name)
                check_numbers(name, points, 1, self.points, most_numbers=MOST_MEN)

    def show(self, p: BearOffMen) -> str:
        """Return the men on each point, the first point first, and the dice to be used."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        rows = [
            f"{name} {' '.join(map(str, men))}"
            for name, men in zip(("first", "second"), (first, second), strict=True)
        ]
        return "\n".join([*rows, f"{self.players[p.player]} {self.task(p)}"])

    def task(self, p: BearOffMen) -> str:
        """Return what the player is to do: ``to throw``, ``to move 6 5`` or ``to move 3 x 4``."""
        if not p.steps:
            return "to throw"
        return f"to move {p.high} {p.low}" if p.low else f"to move {p.high} x {p.steps}"

    def svg(self, p: BearOffMen) -> str:
        """Draw the points of both players as rows of numbers, the highest point at the left."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        rows = [[str(n) if n else "." for n in men[::-1]] for men in (second, first)]
        dice = [str(die) for die in (p.high, p.low) if die]
        names = [f"{point} by " for point in range(self.points, 0, -1)]
        moves = [[""] * self.points, names] if p.player == 0 else [names, [""] * self.points]
        below = [str(point) for point in range(self.points, 0, -1)]
        if dice and sum(p.theirs):
            rows.append(dice + [" "] * (self.points - len(dice)))
            moves.append([*dice, *[""] * (self.points - len(dice))])
        title = f"bear-off: {' / '.join(self.show(p).splitlines())}"
        return drawing.grid(rows, title=title, moves=moves, below=below)

    def name(self, step: tuple[int, int]) -> str:
        """Return the point and the die, such as ``6 by 2``; either die may bear a man off."""
        return f"{step[0]} by {step[1]}"

    def parse(self, text: str) -> BearOffMen:
        """Read men as ``show`` writes them; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a position.
        """
        found = _TEXT.fullmatch(re.sub(r"\s*/\s*", "\n", text.strip()))
        if found is None or found[3] not in self.players:
            example = self.show(self.start()).replace("\n", " / ")
            message = f"{text!r} is not a position; write rows such as {example!r}"
            raise PositionError(message)
        first, second = (tuple(map(int, found[row].split())) for row in (1, 2))
        player = self.players.index(found[3])
        mine, theirs = (second, first) if player else (first, second)
        high, low, steps = 0, 0, 0
        if found[4]:
            high, number = int(found[4]), int(found[6])
            low, steps = (0, number) if found[5] == "x" else (number, 2)
        position = BearOffMen(mine, theirs, high, low, steps, player)
        is_board = all(
            len(men) == self.points and sum(men) <= self.most_men for men in (mine, theirs)
        )
        if not is_board or not sum(mine) or high > DIE or steps > 4 or (low and low >= high):
            message = f"{text!r} is not a position of this game; change men or dice"
            raise PositionError(message)
        return position
