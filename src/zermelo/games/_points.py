"""Men on points that lines join: they are put one by one, and then step to free neighbours.

Three Men's Morris and its relatives use it, and games in which men only step. A point is a bit of
each player's set of points.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from zermelo.drawing.points import points_board
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.spaces import Disjoint
from zermelo.values.outcomes import LOSS, Outcome

#: The point that a man from the hand comes from.
HAND = -1
#: The nine points of a board of three rows, from the top left.
SQUARE = tuple((float(i % 3), float(i // 3)) for i in range(9))
SQUARE_NAMES = tuple(f"{'abc'[i % 3]}{3 - i // 3}" for i in range(9))
ORTHOGONAL = ((0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8), *((i, i + 3) for i in range(6)))
DIAGONAL = ((0, 4), (2, 4), (4, 6), (4, 8))
EDGES = ((1, 3), (1, 5), (3, 7), (5, 7))
ACROSS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
DOWN = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
SLANTED = ((0, 4, 8), (2, 4, 6))

#: A ring of eight points from the top, clockwise, and the centre.
WHEEL = (
    (1.5, 0.0), (2.6, 0.4), (3.0, 1.5), (2.6, 2.6), (1.5, 3.0), (0.4, 2.6), (0.0, 1.5), (0.4, 0.4),
    (1.5, 1.5),
)  # fmt: skip
WHEEL_LINES = tuple((i, (i + 1) % 8) for i in range(8)) + tuple((i, 8) for i in range(8))


class PointMen(NamedTuple):
    """The points of each player's men, one bit per point.

    Attributes:
        mine: the men of the player to move.
        theirs: the men of the other player.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    player: int


class PointGame(Game):
    """Men step along lines to free points; a player who cannot move has lost.

    Attributes:
        spots: the column and row of each point.
        labels: the name of each point.
        drawn: the lines in pictures, if these are not the lines along which men step.
        men: the number of each player's men; as long as fewer are on the board, one is put.
    """

    players = ("X", "O")
    spots: ClassVar[Sequence[tuple[float, float]]] = SQUARE
    labels: ClassVar[Sequence[str]] = SQUARE_NAMES
    drawn: ClassVar[Sequence[tuple[int, int]]] = ()
    men: Any = 3

    @property
    def lines(self) -> Sequence[tuple[int, int]]:
        """The pairs of points that a line joins."""
        raise NotImplementedError

    @property
    def points(self) -> int:
        """The number of points."""
        return len(self.spots)

    @property
    def near(self) -> list[int]:
        """For each point, the points that a step from there leads to, one bit each."""
        return neighbours(len(self.spots), self.lines)

    def start(self) -> PointMen:
        """Return the empty board."""
        return PointMen(0, 0, 0)

    def turn(self, p: PointMen) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each free point for a man from hand, or the steps once all men are put."""
        if p.mine.bit_count() < self.men:
            for target in range(self.points):
                if not (p.mine | p.theirs) >> target & 1:
                    yield HAND, target
        else:
            yield from self.steps(p)

    def steps(self, p: PointMen) -> Iterator[tuple[int, int]]:
        """Yield each step to a free point."""
        for source in range(self.points):
            if p.mine >> source & 1:
                free = self.near[source] & ~(p.mine | p.theirs)
                for target in range(self.points):
                    if free >> target & 1:
                        yield source, target

    def play(self, p: PointMen, move: tuple[int, int]) -> PointMen:
        """Return the board with the man put or moved, as the other player sees it."""
        source, target = move
        mine = p.mine | 1 << target
        if source != HAND:
            mine &= ~(1 << source)
        return PointMen(p.theirs, mine, 1 - p.player)

    def space(self) -> PointMen:
        """Return the range of each field; no two men share a point."""
        men: Any = Disjoint(self.points, (range(self.men + 1), range(self.men + 1)))
        player: Any = range(2)
        return PointMen(men, men, player)

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the point where a man is put, such as ``b2``, or both of a step, ``b2-c3``."""
        source, target = move
        return (
            self.labels[target]
            if source == HAND
            else f"{self.labels[source]}-{self.labels[target]}"
        )

    def marks(self, p: PointMen) -> str:
        """Return the mark of each point, ``X``, ``O`` or a dot."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return "".join(
            "X" if first >> i & 1 else "O" if second >> i & 1 else "." for i in range(self.points)
        )

    def show(self, p: PointMen) -> str:
        """Return the board as text, and the player to move."""
        rows = dict.fromkeys(y for _, y in sorted(self.spots, key=lambda spot: spot[1]))
        marks = self.marks(p)
        text = []
        for height in rows:
            row = {
                round(2 * x): mark
                for (x, y), mark in zip(self.spots, marks, strict=True)
                if y == height
            }
            text.append("".join(row.get(i, " ") for i in range(max(row) + 1)))
        return "\n".join([*text, f"{self.players[p.player]} to move"])

    def parse(self, text: str) -> PointMen:
        """Read a board as ``show`` writes it; the rows may be separated by slashes.

        The player to move may be left out: X if both players have equally many men, otherwise O.

        Raises:
            PositionError: there are too many or too few points, or unknown marks.
        """
        turn = re.search(r"([XO]) to move\s*$", text)
        marks = "".join((text[: turn.start()] if turn else text).replace("/", " ").split())
        if len(marks) != self.points or set(marks) - set("XO."):
            message = (
                f"{text!r} is not a board of {self.points} points; write X, O and . for each "
                "point, row by row, and X to move or O to move"
            )
            raise PositionError(message)
        order = sorted(range(self.points), key=lambda i: self.spots[i][::-1])
        first, second = (
            sum(1 << i for i, mark in zip(order, marks, strict=True) if mark == wanted)
            for wanted in "XO"
        )
        if max(first.bit_count(), second.bit_count()) > self.men:
            message = f"{text!r} has too many men; each player has {self.men}"
            raise PositionError(message)
        player = "XO".index(turn[1]) if turn else int(first.bit_count() > second.bit_count())
        return PointMen(second, first, 1) if player else PointMen(first, second, 0)

    def svg(self, p: PointMen) -> str:
        """Draw the board."""
        return points_board(
            self.spots,
            self.drawn or self.lines,
            self.marks(p),
            title=" / ".join(line.strip() for line in self.show(p).splitlines()),
            moves=self.labels,
            labels=self.labels,
        )


class RowGame(PointGame):
    """Men are put and then step; whoever has three in a row has won."""

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The points of each row that counts."""
        return (*ACROSS, *DOWN, *SLANTED)

    @property
    def masks(self) -> list[int]:
        """The set of points of each row."""
        return [sum(1 << i for i in row) for row in self.rows]

    def outcome(self, p: PointMen) -> Outcome | None:
        """Return LOSS if the other player has a row."""
        return LOSS if self.has_row(p.theirs) else None

    def has_row(self, men: int) -> bool:
        """Return whether a set of men contains a row."""
        for row in self.masks:
            if men & row == row:
                return True
        return False


def neighbours(points: int, lines: Sequence[tuple[int, int]]) -> list[int]:
    """Return, for each point, the set of points that lines join it to."""
    sets = [0] * points
    for a, b in lines:
        sets[a] |= 1 << b
        sets[b] |= 1 << a
    return sets
