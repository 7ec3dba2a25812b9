"""Pylos."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, Outcome

#: The place that a ball from the hand comes from.
HAND = -1


class Pyramid(NamedTuple):
    """The balls' places, one bit per place: the lowest floor first, each from the top left.

    Attributes:
        mine: the balls of the player to move.
        theirs: the balls of the other player.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


@dataclass(frozen=True)
class Pylos(Game):
    """Build a pyramid of balls; the ball on top wins, and a player with no ball left to put loses.

    In turn, a player puts a ball on the board, or on four balls that form a square, or lifts one
    of his own, on which nothing lies, to a higher floor. A square of four balls of one's own that
    the ball completes gives back one or two balls on which nothing lies. A player who has no ball
    left to put has lost.

    Attributes:
        size: the number of rows and of columns of the lowest floor. The players share the balls
            that a whole pyramid takes.
        back: the most balls that a square gives back: 1 or 2.
    """

    size: int = 3
    back: int = 2

    players = ("X", "O")
    facts = (
        Fact(
            outcome="win",
            remoteness=15,
            positions=137253,
            win=74450,
            loss=62803,
            tie=0,
            endless=0,
            longest_win=15,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"back": 1},
            outcome="win",
            remoteness=15,
            positions=93720,
            win=48369,
            loss=45351,
            tie=0,
            endless=0,
            longest_win=15,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 2},
            outcome="win",
            remoteness=5,
            positions=41,
            win=19,
            loss=22,
            tie=0,
            endless=0,
            longest_win=5,
            longest_loss=4,
            source=ENUMERATED,
        ),
    )

    @cached_property
    def spots(self) -> list[tuple[int, int, int]]:
        """The floor, the row and the column of each place."""
        sides = [range(self.size - floor) for floor in range(self.size)]
        return [(f, r, c) for f, side in enumerate(sides) for r in side for c in side]

    @property
    def places(self) -> int:
        """The number of places."""
        return len(self.spots)

    @property
    def each(self) -> int:
        """The number of each player's balls."""
        return (len(self.spots) + 1) // 2

    @cached_property
    def floor(self) -> list[int]:
        """The floor of each place."""
        return [floor for floor, _, _ in self.spots]

    @cached_property
    def under(self) -> list[int]:
        """The four places below each place, one bit each; none for the lowest floor."""
        squares = [
            [(f - 1, r + i, c + j) for i in (0, 1) for j in (0, 1)] if f else []
            for f, r, c in self.spots
        ]
        return [sum(1 << self.spots.index(spot) for spot in square) for square in squares]

    def start(self) -> Pyramid:
        """Return the empty board."""
        return Pyramid(0, 0, 0)

    def turn(self, p: Pyramid) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: Pyramid) -> Outcome | None:
        """Return LOSS if the other player's ball is on top, or the player to move has none left."""
        if p.theirs >> self.places - 1 & 1 or p.mine.bit_count() == self.each:
            return LOSS
        return None

    def loose(self, balls: int, all_balls: int) -> int:
        """Return the balls of a set on which nothing lies."""
        for place in range(self.places):
            if all_balls >> place & 1:
                balls &= ~self.under[place]
        return balls

    def completes(self, balls: int, there: int) -> bool:
        """Return whether a ball is in a square of four of these balls."""
        for square in self.under:
            if square >> there & 1 and square & ~balls == 0:
                return True
        return False

    def puts(self, p: Pyramid) -> Iterator[tuple[int, int]]:
        """Yield each move of a ball from the hand or from below: from a place, to a place."""
        balls = p.mine | p.theirs
        loose = self.loose(p.mine, balls)
        for target in range(self.places):
            if not balls >> target & 1 and self.under[target] & ~balls == 0:
                yield HAND, target
                for source in range(target):
                    lower = self.floor[source] < self.floor[target]
                    if lower and (loose & ~self.under[target]) >> source & 1:
                        yield source, target

    def moves(self, p: Pyramid) -> Iterator[tuple[int, ...]]:
        """Yield (from, to), and the balls taken back."""
        for source, target in self.puts(p):
            mine = p.mine | 1 << target
            if source != HAND:
                mine &= ~(1 << source)
            if not self.completes(mine, target):
                yield source, target
            else:
                first = self.loose(mine, mine | p.theirs)
                for first_back in range(self.places):
                    if first >> first_back & 1:
                        yield source, target, first_back
                        if self.back > 1:
                            left = mine & ~(1 << first_back)
                            second = self.loose(left, left | p.theirs)
                            for second_back in range(self.places):
                                # Either order is the same, unless the first lay on the second.
                                if second >> second_back & 1 and (
                                    second_back > first_back or not first >> second_back & 1
                                ):
                                    yield source, target, first_back, second_back

    def play(self, p: Pyramid, move: tuple[int, ...]) -> Pyramid:
        """Return the board after the move, as the other player sees it."""
        source, target, *balls_back = move
        mine = p.mine | 1 << target
        if source != HAND:
            mine &= ~(1 << source)
        for ball in balls_back:
            mine &= ~(1 << ball)
        return Pyramid(p.theirs, mine, 1 - p.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the pyramid, and the exchange of the players."""
        last = [self.size - 1 - floor for floor, _, _ in self.spots]
        spots = [*zip(self.spots, last, strict=True)]
        turned = tuple(self.spots.index((f, c, end - r)) for (f, r, c), end in spots)
        mirrored = tuple(self.spots.index((f, r, end - c)) for (f, r, c), end in spots)
        board = Symmetry((turned, mirrored), masks=("mine", "theirs"))
        return board, Symmetry(flip=("player",))

    def space(self) -> Pyramid:
        """Return the range of each field, with the numbers of balls that there may be."""
        balls: Any = Disjoint(self.places, (range(self.each + 1), range(self.each + 1)))
        player: Any = range(2)
        return Pyramid(balls, balls, player)

    def validate(self) -> None:
        """Raise ParameterError unless the pyramid has two to five floors."""
        check_number("size", self.size, 2, 5)
        check_number("back", self.back, 1, 2)

    # -- text and pictures -------------------------------------------------------------------------

    def place_name(self, place: int) -> str:
        """Return the name of a place, its column and row; each floor has letters of its own."""
        floor, row, column = self.spots[place]
        places_before = sum(self.size - lower for lower in range(floor))
        return f"{'abcdefghijklmno'[places_before + column]}{self.size - floor - row}"

    def name(self, move: tuple[int, ...]) -> str:
        """Return ``a1`` for a ball from the hand, ``a1-d1`` for a lift, ``xb2`` for one back."""
        source, target, *balls_back = move
        lifted = "" if source == HAND else f"{self.place_name(source)}-"
        return "x".join([lifted + self.place_name(target), *map(self.place_name, balls_back)])

    def text_rows(self, p: Pyramid) -> list[str]:
        """Return the floors beside each other, the lowest to the left, as rows of text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        rows = [""] * self.size
        for place, (floor, row, column) in enumerate(self.spots):
            mark = "X" if first >> place & 1 else "O" if second >> place & 1 else "."
            rows[row + floor] += (" " if floor and not column else "") + mark
        return rows

    def show(self, p: Pyramid) -> str:
        """Return the floors beside each other, the lowest to the left, and the player to move."""
        rows = (row.rstrip() for row in self.text_rows(p))
        return "\n".join([*rows, f"{self.players[p.player]} to move"])

    def svg(self, p: Pyramid) -> str:
        """Draw the floors beside each other."""
        names: dict[tuple[int, int], str] = {}
        for place, (floor, row, column) in enumerate(self.spots):
            columns_before = sum(self.size - lower + 1 for lower in range(floor))
            names[row + floor, columns_before + column] = self.place_name(place)
        rows = self.text_rows(p)
        moves = [[names.get((y, x), "") for x in range(len(row))] for y, row in enumerate(rows)]
        title = " / ".join([*(row.strip() for row in rows), f"{self.players[p.player]} to move"])
        return drawing.grid(rows, discs="XO", title=title, moves=moves)

    def parse(self, text: str) -> Pyramid:
        """Read the floors as ``show`` writes them; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board, or balls lie on nothing.
        """
        turn = re.search(r"([XO]) to move\s*$", text)
        board = text[: turn.start()] if turn else text
        lines = ["".join(line.split()) for line in board.replace("/", "\n").splitlines()]
        lines = [line for line in lines if line]
        player = "XO".index(turn[1]) if turn else 0
        widths = [sum(self.size - floor for floor in range(row + 1)) for row in range(self.size)]
        first = second = 0
        if [len(line) for line in lines] == widths and set("".join(lines)) <= {*"XO."}:
            for place, (floor, row, column) in enumerate(self.spots):
                columns_before = sum(self.size - lower for lower in range(floor))
                mark = lines[row + floor][columns_before + column]
                first |= (mark == "X") << place
                second |= (mark == "O") << place
            balls = first | second
            is_supported = all(
                under & ~balls == 0 for place, under in enumerate(self.under) if balls >> place & 1
            )
            if is_supported and max(first.bit_count(), second.bit_count()) <= self.each:
                sides = (second, first) if player else (first, second)
                return Pyramid(*sides, player)
        message = (
            f"{text!r} is not a pyramid of {self.size} floors; write {self.size} rows of "
            f"{', '.join(map(str, widths))} marks X, O or ., the floors beside each other"
        )
        raise PositionError(message)
