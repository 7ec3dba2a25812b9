"""Nine Men's Morris, once all men are placed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any, NamedTuple

from zermelo.drawing.points import points_board
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, Outcome

FEWEST, MOST = 3, 9
#: The number of men with which a player may move to any free point.
FLYING = 3
#: The third item of a move that takes no man.
NOTHING = -1

#: The column and row of each point; a1 is (0, 0). Bit 0 is a7, and bits go on row by row.
POINTS = (
    *((0, 6), (3, 6), (6, 6), (1, 5), (3, 5), (5, 5), (2, 4), (3, 4), (4, 4)),
    *((0, 3), (1, 3), (2, 3), (4, 3), (5, 3), (6, 3)),
    *((2, 2), (3, 2), (4, 2), (1, 1), (3, 1), (5, 1), (0, 0), (3, 0), (6, 0)),
)
NAMES = tuple("abcdefg"[x] + str(y + 1) for x, y in POINTS)
BOARD = (1 << len(POINTS)) - 1

_BY_ROW, _BY_COLUMN = range(24), sorted(range(24), key=POINTS.__getitem__)
#: The sixteen lines of three points.
LINES = tuple(
    tuple(order[at : at + 3]) for order in (_BY_ROW, _BY_COLUMN) for at in range(0, 24, 3)
)
LINE_MASKS = tuple(sum(1 << point for point in line) for line in LINES)
#: The two lines through each point.
LINES_OF = tuple(tuple(mask for mask in LINE_MASKS if mask >> point & 1) for point in range(24))
#: The pairs of points on a line without another point between them.
EDGES = tuple(edge for line in LINES for edge in pairwise(line))
#: The points that a step leads to from each point.
NEAR = tuple(sum(1 << a + b - point for a, b in EDGES if point in (a, b)) for point in range(24))

#: The points of men at the start, as many of these as there are men.
_WHITE = ("a1", "d6", "g4", "c5", "e3", "b2", "f6", "d1", "c3")
_BLACK = ("g7", "d2", "a4", "e5", "c4", "b6", "f2", "d7", "g1")


_OWN = "own program in C, which shares no code with Zermelo: benchmarks/baselines/morris.c"


class MorrisMen(NamedTuple):
    """The points with men, one bit per point: bit 0 is a7, and bits go on row by row.

    Attributes:
        white: the points with a white man.
        black: the points with a black man.
        player: the player to move, 0 for white or 1 for black.
    """

    white: int
    black: int
    player: int


@dataclass(frozen=True)
class NineMensMorris(Game):
    """Move a man along a line, or anywhere with three men; a mill takes one of the others.

    The game after the men are placed. Positions are all placements of men.

    Attributes:
        white: the most white men there can be.
        black: the most black men there can be.
    """

    title = "Nine Men's Morris"

    white: int = 3
    black: int = 3

    facts = (
        Fact(
            positions=6_233_920,
            win=4_464_320,
            loss=1_761_376,
            tie=0,
            endless=8_224,
            longest_loss=26,
            source=_OWN,
        ),
        Fact(
            {"black": 4},
            positions=32_480_140,
            win=7_295_216,
            loss=3_829_036,
            tie=0,
            endless=21_355_888,
            longest_win=33,
            source=_OWN,
        ),
        Fact(
            {"black": 5},
            positions=122_121_076,
            win=16_667_016,
            loss=11_249_836,
            tie=0,
            endless=94_204_224,
            longest_win=33,
            checked=False,
            note="Solved by Zermelo too, in half a minute and 2.4 GB; too large for the tests.",
            source=_OWN,
        ),
    )
    players = ("white", "black")

    def start(self) -> MorrisMen:
        """Return a position with all men, none of them in a mill; white is to move."""
        return MorrisMen(_mask(_WHITE[: self.white]), _mask(_BLACK[: self.black]), 0)

    def turn(self, men: MorrisMen) -> int:
        """Return the player to move."""
        return men.player

    def outcome(self, men: MorrisMen) -> Outcome | None:
        """Return LOSS if the player to move has two men left."""
        mine = men.black if men.player else men.white
        if mine.bit_count() < FEWEST:
            return LOSS
        return None

    def moves(self, men: MorrisMen) -> Iterator[tuple[int, int, int]]:
        """Yield each move: two points, and the man that a mill takes or NOTHING."""
        mine, theirs = (men.black, men.white) if men.player else (men.white, men.black)
        free = BOARD & ~(mine | theirs)
        outside_mills = theirs & ~in_mills(theirs)
        flying = mine.bit_count() == FLYING
        for source in range(24):
            if mine >> source & 1:
                targets = free if flying else free & NEAR[source]
                while targets:
                    target = (targets & -targets).bit_length() - 1
                    targets &= targets - 1
                    if closes(mine ^ 1 << source | 1 << target, target):
                        prey = outside_mills or theirs
                        while prey:
                            yield source, target, (prey & -prey).bit_length() - 1
                            prey &= prey - 1
                    else:
                        yield source, target, NOTHING

    def play(self, men: MorrisMen, move: tuple[int, int, int]) -> MorrisMen:
        """Return the position after a move."""
        source, target, victim = move
        step = 1 << source | 1 << target
        prey = 0 if victim == NOTHING else 1 << victim
        if men.player:
            return MorrisMen(men.white ^ prey, men.black ^ step, 0)
        return MorrisMen(men.white ^ step, men.black ^ prey, 1)

    def legal(self, men: MorrisMen) -> bool:
        """Return whether both players have three men, or only the player to move has two."""
        mine, theirs = (men.black, men.white) if men.player else (men.white, men.black)
        return mine.bit_count() >= FEWEST - 1 and theirs.bit_count() >= FEWEST

    def level(self, men: MorrisMen) -> int:
        """Return the number of men that are off the board."""
        return 24 - (men.white | men.black).bit_count()

    def space(self) -> MorrisMen:
        """Return the range of each field, with the numbers of men that there can be."""
        sizes = range(FEWEST - 1, self.white + 1), range(FEWEST - 1, self.black + 1)
        men: Any = Disjoint(len(POINTS), sizes)
        player: Any = range(2)
        return MorrisMen(men, men, player)

    def symmetries(self) -> list[Symmetry]:
        """Return the board's symmetries, and the exchange of players with equal numbers of men.

        The inner and the outer ring may be exchanged, and the middle one too if all men fly.
        """
        turns = [tuple(_point(y, 6 - x) for x, y in POINTS), tuple(_point(y, x) for x, y in POINTS)]
        rings = [tuple(_ring(x, y, to) for x, y in POINTS) for to in permutations((1, 2, 3))]
        flown = self.white == self.black == FLYING
        rings = [ring for ring in rings if flown or ring[4] == 4]  # d6 is on the middle ring
        board = [Symmetry((*turns, *rings), masks=("white", "black"))]
        if self.white == self.black:
            board.append(Symmetry(swap=(("white", "black"),), flip=("player",)))
        return board

    def validate(self) -> None:
        """Raise ParameterError unless each player has three to nine men."""
        check_number("white", self.white, FEWEST, MOST)
        check_number("black", self.black, FEWEST, MOST)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return both points of a move, as ``a7d7``, and a man that a mill takes: ``a7d7g1``."""
        source, target, victim = move
        return NAMES[source] + NAMES[target] + ("" if victim == NOTHING else NAMES[victim])

    def show(self, men: MorrisMen) -> str:
        """Return the board with ``X`` for white's men and ``O`` for black's, and the turn."""
        rows = [list(row) for row in _PICTURE]
        for point, (x, y) in enumerate(POINTS):
            rows[12 - 2 * y][4 * x] = _mark(men, point)
        return "\n".join([*map("".join, rows), f"{self.players[men.player]} to move"])

    def parse(self, text: str) -> MorrisMen:
        """Read a board as ``show`` writes it, or only its points, row by row from a7 to g1.

        Raises:
            PositionError: there are not 24 points, or marks other than ``X``, ``O`` and ``.``.
        """
        board, player = text.strip(), 0
        for number, word in enumerate(self.players):
            if board.endswith(f"{word} to move"):
                board, player = board.removesuffix(f"{word} to move"), number
        marks = "".join(mark for mark in board if mark not in "-|/, \n")
        if len(marks) != len(POINTS) or set(marks) - set("XO."):
            message = (
                f"{text!r} does not have 24 points of X, O and . for an empty one; write them row "
                "by row from a7 to g1, and then 'white to move' or 'black to move'"
            )
            raise PositionError(message)
        white, black = (sum(1 << n for n, mark in enumerate(marks) if mark == m) for m in "XO")
        return MorrisMen(white, black, player)

    def svg(self, men: MorrisMen) -> str:
        """Draw the board."""
        marks = "".join(_mark(men, point) for point in range(24))
        return points_board(
            [(0.7 * x, 0.7 * (6 - y)) for x, y in POINTS],
            EDGES,
            marks,
            title=f"nine men's morris: {marks}, {self.players[men.player]} to move",
            moves=NAMES,
        )


def in_mills(men: int) -> int:
    """Return a player's men that stand in a mill."""
    milled = 0
    for line in LINE_MASKS:
        if men & line == line:
            milled |= line
    return milled


def closes(men: int, there: int) -> bool:
    """Return whether a move to a point has closed a mill."""
    first, second = LINES_OF[there]
    return men & first == first or men & second == second


def _mark(men: MorrisMen, point: int) -> str:
    return "X" if men.white >> point & 1 else "O" if men.black >> point & 1 else "."


def _mask(names: tuple[str, ...]) -> int:
    return sum(1 << NAMES.index(name) for name in names)


def _point(x: int, y: int) -> int:
    return POINTS.index((x, y))


def _ring(x: int, y: int, rings: tuple[int, ...]) -> int:
    """Return the corresponding point on the ring that a point's ring is exchanged with."""
    ring = max(abs(x - 3), abs(y - 3))
    return _point(3 + (x - 3) // ring * rings[ring - 1], 3 + (y - 3) // ring * rings[ring - 1])


def _drawn() -> list[str]:
    """Return the lines between the points, as text."""
    rows = [[" "] * 25 for _ in range(13)]
    for a, b in EDGES:
        (x, y), (u, v) = POINTS[a], POINTS[b]
        for offset in range(4 * x + 1, 4 * u):
            rows[12 - 2 * y][offset] = "-"
        for offset in range(2 * min(y, v) + 1, 2 * max(y, v)) if x == u else ():
            rows[12 - offset][4 * x] = "|"
    return ["".join(row) for row in rows]


_PICTURE = _drawn()
