"""Kaooa."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Any, NamedTuple

from zermelo.drawing.points import points_board
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.games.hunts._text import read_side
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

CROWS, VULTURE = 0, 1
SIDES = ("crows", "vulture")
#: The points: the five tips of a star, clockwise from the top, and then the five inner points.
POINTS = 10
#: The point of a bird that is not on the board yet.
HAND = POINTS
#: The lines of the star, from tip to tip; point 5 is between the tips 0 and 1, and so on.
LINES = tuple((i, 5 + i, 5 + (i + 1) % 5, (i + 2) % 5) for i in range(5))
#: The jumps: a point, its neighbour, and the point beyond that.
STEPS = tuple(sorted({pair for a, b, c, d in LINES for pair in ((a, b), (b, c), (c, d))}))
JUMPS = tuple(jump for a, b, c, d in LINES for jump in ((a, b, c), (c, b, a), (b, c, d), (d, c, b)))
NAMES = ("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "hand")
#: The points as text: five rows of the star.
_DRAWN = ("    {0}", "{4} {9} . {5} {1}", "  {8}   {6}", "    {7}", "{3}       {2}")


class Birds(NamedTuple):
    """The birds' points, and the side to move.

    Attributes:
        crows: the points of the crows, one bit per point.
        vulture: the point of the vulture, 10 before it has come.
        hand: the number of crows that have not come yet.
        side: 0 if the crows are to move, 1 if the vulture is.
    """

    crows: int
    vulture: int
    hand: int
    side: int


@dataclass(frozen=True)
class Kaooa(Game):
    """Crows come one by one to a five-pointed star to trap a vulture, which takes them by jumping.

    In its turn the side of the crows puts one on an empty point; once all have come, it moves one
    along a line to the next point. The vulture comes to an empty point in its first turn, and then
    moves likewise, or jumps over a crow beside it to the empty point beyond on the line, and takes
    it. The crows win if the vulture cannot move; the vulture wins when few enough crows are left.

    Attributes:
        crows: the number of crows.
        left: the number of crows left at which the vulture wins, those to come included.
        forced: whether the vulture must take a crow if it can.
        move_early: whether crows may move before all have come.
    """

    crows: int = 7
    left: int = 3
    forced: bool = False
    move_early: bool = False

    players = SIDES
    no_moves = LOSS

    facts = (
        Fact(
            {"crows": 6, "left": 3},
            "draw",
            None,
            positions=21696,
            win=2195,
            loss=1420,
            endless=18081,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
        Fact(
            {"crows": 6, "left": 3, "forced": True},
            "draw",
            None,
            positions=19271,
            win=1665,
            loss=1235,
            endless=16371,
            longest_win=11,
            longest_loss=10,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Birds:
        """Return the empty star."""
        return Birds(0, HAND, self.crows, CROWS)

    def turn(self, p: Birds) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Birds) -> Outcome | None:
        """Return the winner if the vulture has taken enough crows."""
        if p.crows.bit_count() + p.hand == self.left:
            return WIN if p.side == VULTURE else LOSS
        return None

    def moves(self, p: Birds) -> Iterator[tuple[int, int]]:
        """Yield each move: the point it comes from, or 10 if new, and the point it goes to."""
        occupied = p.crows if p.vulture == HAND else p.crows | 1 << p.vulture
        if p.vulture == HAND if p.side == VULTURE else p.hand > 0:
            for target in range(POINTS):
                if not occupied >> target & 1:
                    yield HAND, target
        if p.side == CROWS:
            if p.hand == 0 or self.move_early:
                yield from self.steps(p.crows, occupied)
        elif p.vulture != HAND:
            jumps = False
            for source, leapt, target in JUMPS:
                if source == p.vulture and p.crows >> leapt & 1 and not occupied >> target & 1:
                    jumps = True
                    yield source, target
            if not (jumps and self.forced):
                yield from self.steps(1 << p.vulture, occupied)

    def steps(self, birds: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield each step of some birds to a neighbouring point that is not taken."""
        for a, b in STEPS:
            if birds >> a & 1 and not taken >> b & 1:
                yield a, b
            if birds >> b & 1 and not taken >> a & 1:
                yield b, a

    def play(self, p: Birds, move: tuple[int, int]) -> Birds:
        """Return the position after a move."""
        source, target = move
        if p.side == CROWS:
            if source == HAND:
                return Birds(p.crows | 1 << target, p.vulture, p.hand - 1, VULTURE)
            return Birds(p.crows & ~(1 << source) | 1 << target, p.vulture, p.hand, VULTURE)
        crows = p.crows
        for start, leapt, end in JUMPS:
            if start == source and end == target:
                crows &= ~(1 << leapt)
        return Birds(crows, target, p.hand, CROWS)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the star."""
        turn = tuple([(i + 1) % 5 for i in range(5)] + [5 + (i + 1) % 5 for i in range(5)])
        mirror = tuple([-i % 5 for i in range(5)] + [5 + (4 - i) for i in range(5)])
        return Symmetry((turn, mirror), masks=("crows",), squares=("vulture",))

    def space(self) -> Birds:
        """Return the range of each field."""
        crows: Any = range(1 << POINTS)
        vulture: Any = range(POINTS + 1)
        hand: Any = range(self.crows + 1)
        side: Any = range(2)
        return Birds(crows, vulture, hand, side)

    def validate(self) -> None:
        """Raise ParameterError unless the crows fit on the star, and the vulture can win."""
        check_number("crows", self.crows, 1, POINTS - 1)
        check_number("left", self.left, 0, POINTS - 1)
        if self.left >= self.crows:
            message = (
                f"left {self.left!r} would end the game with all {self.crows} crows there; give "
                f"at most {self.crows - 1}"
            )
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the point of a new bird, such as ``c``, or both points of a step, ``ch``."""
        source, target = move
        return NAMES[target] if source == HAND else NAMES[source] + NAMES[target]

    def show(self, p: Birds) -> str:
        """Return the star, ``C`` for crows and ``V`` for the vulture, and the side to move."""
        rows = [line.replace(".", " ").format(*self._marks(p, "VC")) for line in _DRAWN]
        return "\n".join([*rows, f"{p.hand} to come, {SIDES[p.side]} to move"])

    def svg(self, p: Birds) -> str:
        """Draw the star."""
        inner = sin(pi / 10) / cos(pi / 5)
        spots = [
            (2.3 + 2.3 * far * sin(angle), 2.3 - 2.3 * far * cos(angle))
            for far, first in ((1.0, 0.0), (inner, 0.5))
            for angle in [2 * pi * (first + i) / 5 for i in range(5)]
        ]
        crow_names = " ".join(NAMES[i] for i in range(POINTS) if p.crows >> i & 1) or "none"
        vulture = f"vulture {NAMES[p.vulture]}"
        title = f"crows {crow_names}, {p.hand} to come, {vulture}, {SIDES[p.side]} to move"
        marks = "".join(self._marks(p, "OX"))
        return points_board(
            spots, STEPS, marks, title=title, moves=NAMES[:POINTS], labels=NAMES[:POINTS]
        )

    def parse(self, text: str) -> Birds:
        """Read a star as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a star, or has too many birds.
        """
        board, side = read_side(text, SIDES)
        words = board.replace("/", " ").split()
        *marks, number, preposition, last_word = (
            words if len(words) == POINTS + 3 else ["?", "", "", ""]
        )
        if (
            set(marks) - set("CV.")
            or (preposition, last_word) != ("to", "come")
            or not number.isdecimal()
        ):
            message = (
                f"{text!r} is not a star of ten points; write C, V and . for each, row by row, and "
                f"then '{self.crows} to come, crows to move'"
            )
            raise PositionError(message)
        hand = int(number)
        if marks.count("C") + hand > self.crows or marks.count("V") > 1:
            message = f"{text!r} has too many birds; there are {self.crows} crows and one vulture"
            raise PositionError(message)
        order = [int(digit) for line in _DRAWN for digit in line if digit.isdecimal()]
        mark_at = dict(zip(order, marks, strict=True))
        crows = sum(1 << i for i in order if mark_at[i] == "C")
        vulture = next((i for i in order if mark_at[i] == "V"), HAND)
        return Birds(crows, vulture, hand, side)

    def _marks(self, p: Birds, letters: str) -> list[str]:
        """Return the mark of each point: the vulture's letter, the crows', or a dot."""
        return [
            letters[0] if i == p.vulture else letters[1] if p.crows >> i & 1 else "."
            for i in range(POINTS)
        ]
