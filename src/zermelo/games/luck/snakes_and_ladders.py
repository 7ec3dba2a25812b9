"""Snakes and Ladders with a choice of dice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_numbers
from zermelo.values.outcomes import LOSS, Outcome

#: The largest numbers of squares and of sides of a die.
MOST_SQUARES, MOST_SIDES = 1000, 100
#: The squares in a row of a picture.
ACROSS = 8

ITERATED = "value iteration by a program that shares no code with Zermelo"


class Race(NamedTuple):
    """The squares of both men.

    Attributes:
        mine: the square of the player to move; 0 is before the first square.
        theirs: the square of the other player.
        die: the sides of the die that the other player rolls; 0 if the player to move chooses one.
    """

    mine: int
    theirs: int
    die: int


@dataclass(frozen=True)
class SnakesAndLadders(Game):
    """Choose one of the dice, roll it, and run; the first player on the last square wins.

    A man who lands at the foot of a ladder climbs to its top, and one who lands at the head of a
    snake slides down to its tail. A roll that goes beyond the last square does not move the man.

    Attributes:
        squares: the number of squares.
        dice: the number of sides of each die.
        ladders: the foot and the top of each ladder.
        snakes: the head and the tail of each snake.
    """

    squares: int = 24
    dice: Sequence[int] = (4, 6)
    ladders: Sequence[Sequence[int]] = ((3, 11), (9, 18))
    snakes: Sequence[Sequence[int]] = ((14, 4), (19, 8), (22, 20))

    facts = (
        Fact(
            {"squares": 10, "dice": [1, 2], "ladders": [], "snakes": []},
            probability="0.660503",
            source=ITERATED,
        ),
        Fact({}, probability="0.534916", source=ITERATED),
        Fact(
            {"squares": 16, "ladders": [[3, 9], [6, 12]], "snakes": [[11, 4], [14, 7]]},
            probability="0.536849",
            source=ITERATED,
        ),
    )

    def start(self) -> Race:
        """Return both men before the first square."""
        return Race(0, 0, 0)

    def outcome(self, p: Race) -> Outcome | None:
        """Return LOSS if the other player is on the last square."""
        return LOSS if p.theirs == self.squares else None

    def chance(self, p: Race) -> Iterator[tuple[int, Race]]:
        """Yield each roll of the other player, if that player has chosen a die."""
        for roll in range(1, p.die + 1):
            yield 1, Race(p.mine, self.advance(p.theirs, roll), 0)

    def moves(self, p: Race) -> Iterator[int]:
        """Yield each die, if none has been chosen."""
        if not p.die:
            for die in self.dice:
                yield die

    def play(self, p: Race, die: int) -> Race:
        """Return the position before the roll, as the other player sees it."""
        return Race(p.theirs, p.mine, die)

    def advance(self, square: int, roll: int) -> int:
        """Return the square where a man is after a roll."""
        if square + roll > self.squares:
            return square
        return self.landings[square + roll]

    @cached_property
    def landings(self) -> list[int]:
        """The square where a man comes to rest, for each square where he lands."""
        jumps = {int(jump[0]): int(jump[1]) for jump in (*self.ladders, *self.snakes)}
        return [jumps.get(square, square) for square in range(self.squares + 1)]

    def space(self) -> Any:
        """Return the range of each field."""
        squares = range(self.squares + 1)
        return Race(squares, squares, range(max(self.dice) + 1))  # type: ignore[arg-type]  # ranges of the fields

    def validate(self) -> None:
        """Raise ParameterError unless ladders lead up, snakes down, and no two of them meet."""
        check_number("squares", self.squares, 1, MOST_SQUARES)
        check_numbers("dice", self.dice, 1, MOST_SIDES)
        for name, jumps in (("ladders", self.ladders), ("snakes", self.snakes)):
            if not isinstance(jumps, tuple):
                message = f"{name} must be pairs of squares, not {jumps!r}; give some, or none: []"
                raise ParameterError(message)
            for place, jump in enumerate(jumps):
                check_numbers(
                    f"{name}[{place}]", jump, 1, self.squares, least_numbers=2, most_numbers=2
                )
                if (jump[0] < jump[1]) != (name == "ladders") or self.squares == jump[0]:
                    way = "up" if name == "ladders" else "down"
                    message = (
                        f"{name}[{place}] is {list(jump)!r}, which does not lead {way} from a "
                        "square before the last; give such a pair of squares"
                    )
                    raise ParameterError(message)
        starts = [jump[0] for jump in (*self.ladders, *self.snakes)]
        ends = {jump[1] for jump in (*self.ladders, *self.snakes)}
        shared = [s for s in starts if starts.count(s) > 1 or s in ends]
        if shared:
            message = (
                f"ladders and snakes meet on square {shared[0]}; let each begin on a square where "
                "no other begins or ends"
            )
            raise ParameterError(message)

    # -- text and pictures ----------------------------------------------------------------------

    def show(self, p: Race) -> str:
        """Return both squares, that of the player to move first, and what is next."""
        words = f"the other rolls {self.name(p.die)}" if p.die else "choose a die"
        return f"{p.mine} against {p.theirs}, {words}"

    def svg(self, p: Race) -> str:
        """Draw the board, X the man of the player to move, and the dice below, to click."""
        names = [self.name(die) for die in self.dice]
        wide = max(min(ACROSS, self.squares), len(names))
        words = [self.square_word(square, p) for square in range(1, self.squares + 1)]
        words += " " * (-len(words) % wide)
        rows = [words[at : at + wide] for at in range(0, len(words), wide)]
        # The path winds: every other row runs from right to left.
        rows = [row[::-1] if number % 2 else row for number, row in enumerate(rows)]
        dice = [*names, *" " * (wide - len(names))]
        moves = [[""] * wide for _ in rows]
        return drawing.grid([*rows[::-1], dice], title=self.show(p), moves=[*moves, names])

    def square_word(self, square: int, p: Race) -> str:
        """Return what a picture shows of a square: the men, or its number and where it leads."""
        men = "X" * (p.mine == square) + "O" * (p.theirs == square)
        target = self.landings[square]
        if men or target == square:
            return men or str(square)
        arrow = "\u2191" if target > square else "\u2193"
        return f"{square}{arrow}{target}"

    def name(self, die: int) -> str:
        """Return the die, such as ``d6``."""
        return f"d{die}"

    def parse(self, text: str) -> Race:
        """Read a position as ``show`` writes it; without the last words a die is to be chosen.

        Raises:
            PositionError: the text is not such a position.
        """
        words = re.fullmatch(
            r"\s*(\d+) against (\d+)(?:, (?:choose a die|the other rolls d(\d+)))?\s*", text
        )
        mine, theirs, die = (int(word or 0) for word in words.groups()) if words else (0, 0, -1)
        if max(mine, theirs) > self.squares or die not in (0, *self.dice):
            message = (
                f"{text!r} is not a position on {self.squares} squares; write one such as "
                f"{self.show(self.start())!r}"
            )
            raise PositionError(message)
        return Race(mine, theirs, die)
