"""Toads and Frogs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._sources import CGSUITE, ENUMERATED
from zermelo.games.strips._strip import MOST_SQUARES, bits, check_strip, letters, read
from zermelo.symmetry import Symmetry

HELP = "Erickson, HELP_TOADS, jeffe.cs.illinois.edu"
HOPPING = "Thanatipanonda 2011, Further hopping with Toads and Frogs, arXiv:0804.0640"
#: The value of five toads and five frogs with two spaces between.
LONGEST = (
    "±{{2|*},{5/2||2|{0||||{0||v<2>|-1},{0||||0||Miny(1/32)|-2|||-1/2*}|||v<2>|-1/2||-1*}|||0}}"
)


class Strip(NamedTuple):
    """The squares of the animals, and the player to move.

    Attributes:
        toads: the squares of the toads, one bit each, the leftmost square first.
        frogs: the squares of the frogs, likewise.
        player: 0 if the toads are to move, and 1 if the frogs are.
    """

    toads: int
    frogs: int
    player: int


@dataclass(frozen=True)
class ToadsAndFrogs(Game):
    """Toads move right and frogs left, a step or a jump over one of the others.

    A move goes to an empty square. A player who cannot move loses.

    Attributes:
        strip: the squares at the start, ``T`` for a toad, ``F`` for a frog and ``.`` for neither.
    """

    strip: str = "TTT..FFF"

    players = ("toads", "frogs")

    facts = (
        *(
            Fact({"strip": strip}, value, plies, positions=positions, source=ENUMERATED)
            for strip, value, plies, positions in (
                ("T.F", "win", 3, 4),
                ("T..F", "loss", 4, 5),
                ("T...F", "win", 7, 8),
                ("TT..FF", "win", 11, 17),
                ("TTT..FFF", "win", 15, 48),
                ("TTTT...FFFF", "win", 21, 4833),
            )
        ),
        *(
            Fact({"strip": strip}, partizan=value, source=source)
            for strip, value, source in (
                ("T.F", "*", HELP),
                ("T.TF", "1/2", HELP),
                ("TTT..FF", "{0|1||*|1}", f"{HOPPING}, conjecture E1"),
                ("TTTTT..FFF", "{2|2||*|0}", f"{HOPPING}, conjecture E1"),
                ("TTTT...FF", "2*", f"{HOPPING}, conjecture E2"),
                ("TTTTT...FFF", "3/2", f"{HOPPING}, conjecture E3"),
                ("TTTTT..FFFFF", LONGEST, CGSUITE),
            )
        ),
    )

    def start(self) -> Strip:
        """Return the animals, the toads to move."""
        return Strip(bits(self.strip, "T"), bits(self.strip, "F"), 0)

    def turn(self, strip: Strip) -> int:
        """Return the player to move."""
        return strip.player

    def moves(self, strip: Strip) -> Iterator[int]:
        """Yield the square of each animal that can move; none has more than one move."""
        squares, player = len(self.strip), strip.player
        own_animals, their_animals = (
            (strip.toads, strip.frogs) if player == 0 else (strip.frogs, strip.toads)
        )
        step = 1 if player == 0 else -1
        for square in range(squares):
            if own_animals >> square & 1:
                target = square + step
                if 0 <= target < squares and their_animals >> target & 1:
                    target += step
                if 0 <= target < squares and not (own_animals | their_animals) >> target & 1:
                    yield square

    def play(self, strip: Strip, square: int) -> Strip:
        """Return the strip after a step or a jump."""
        toads, frogs, player = strip
        if player == 0:
            target = square + 1 + (frogs >> (square + 1) & 1)
            return Strip(toads & ~(1 << square) | 1 << target, frogs, 1)
        target = square - 1 - (toads >> (square - 1) & 1)
        return Strip(toads, frogs & ~(1 << square) | 1 << target, 0)

    def split(self, strip: Strip) -> Iterator[Strip]:
        """Yield each row of squares that moves can join, at the left or the right of the strip.

        What may come to a square is found first, as if every move could be made at once. Squares to
        the right of a row are filled with toads, and those to the left with frogs: they cannot
        move, and nothing can jump over them. A row goes to the left, and its mirror image, in which
        toads are frogs, to the right.
        """
        squares = len(self.strip)
        board = (1 << squares) - 1
        toads, frogs, empty = strip.toads, strip.frogs, board & ~(strip.toads | strip.frogs)
        before = (0, 0, 0)
        joins = 0  # squares from which something may come to the next one, or jump over it
        while before != (toads, frogs, empty):
            before = toads, frogs, empty
            steps, hops = toads & empty >> 1, toads & frogs >> 1 & empty >> 2
            back_steps, back_hops = frogs & empty << 1, frogs & toads << 1 & empty << 2
            toads |= steps << 1 | hops << 2
            frogs |= back_steps >> 1 | back_hops >> 2
            empty |= steps | hops | back_steps | back_hops
            joins |= steps | hops | hops << 1 | back_steps >> 1 | back_hops >> 1 | back_hops >> 2
        left = 0
        while left < squares:
            right = left
            while joins >> right & 1:
                right += 1
            if right > left:
                width = right + 1 - left
                row, shift = (1 << width) - 1, squares - width
                toads, frogs = strip.toads >> left & row, strip.frogs >> left & row
                image_toads, image_frogs = 0, 0
                for square in range(width):
                    image_toads = image_toads << 1 | frogs >> square & 1
                    image_frogs = image_frogs << 1 | toads >> square & 1
                if (toads, frogs) <= (image_toads, image_frogs):
                    yield Strip(toads | board & ~row, frogs, strip.player)
                else:
                    filled = (1 << shift) - 1
                    yield Strip(toads << shift, frogs << shift | filled, strip.player)
            left = right + 1

    def symmetries(self) -> Symmetry:
        """Return the mirror image, in which toads are frogs and it is the other player's turn."""
        mirror = (tuple(range(len(self.strip)))[::-1],)
        return Symmetry(
            mirror,
            masks=("toads", "frogs"),
            swap=(("toads", "frogs"),),
            flip=("player",),
            together=True,
        )

    def space(self) -> Any:
        """Return the range of each field."""
        masks: Any = range(1 << len(self.strip))
        return Strip(masks, masks, range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless there is a strip."""
        check_strip("strip", self.strip, "TF.")

    def show(self, strip: Strip) -> str:
        """Return the strip and the player to move, such as ``TT..FF, toads to move``."""
        return f"{self.squares(strip)}, {self.players[strip.player]} to move"

    def squares(self, strip: Strip) -> str:
        """Return the squares as text."""
        marks = ["."] * len(self.strip)
        for square in range(len(self.strip)):
            if strip.toads >> square & 1:
                marks[square] = "T"
            elif strip.frogs >> square & 1:
                marks[square] = "F"
        return "".join(marks)

    def svg(self, strip: Strip) -> str:
        """Draw the strip; click an animal to move it."""
        names, row, title = letters(len(self.strip)), self.squares(strip), self.show(strip)
        return drawing.grid([row], title=title, discs="TF", below=names, moves=[names])

    def name(self, square: int) -> str:
        """Return the letter of the square that the animal leaves."""
        return letters(MOST_SQUARES)[square]

    def parse(self, text: str) -> Strip:
        """Read a strip as ``show`` writes it; without a turn, the toads are to move."""
        squares, _, turn = text.partition(",")
        strip = read(squares, len(self.strip), "TF.")
        if sorted(strip) != sorted(self.strip):
            message = f"{text!r} has other toads and frogs than {self.strip}; write as many"
            raise PositionError(message)
        return Strip(bits(strip, "T"), bits(strip, "F"), int(turn.strip().startswith("frogs")))
