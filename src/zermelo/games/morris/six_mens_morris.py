"""Six Men's Morris."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from zermelo.drawing.points import points_board
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

FEWEST, MOST = 3, 6
#: The source of a man from the hand, and the third item of a move that takes no man.
NOTHING = -1

#: The column and row of each point; a1 is (0, 0). Bit 0 is a5, and bits go on row by row.
POINTS = (
    *((0, 4), (2, 4), (4, 4), (1, 3), (2, 3), (3, 3), (0, 2), (1, 2)),
    *((3, 2), (4, 2), (1, 1), (2, 1), (3, 1), (0, 0), (2, 0), (4, 0)),
)
NAMES = tuple("abcde"[x] + str(y + 1) for x, y in POINTS)
BOARD = (1 << len(POINTS)) - 1
#: The eight sides of the two squares.
LINES = (
    *((0, 1, 2), (3, 4, 5), (10, 11, 12), (13, 14, 15)),
    *((0, 6, 13), (3, 7, 10), (5, 8, 12), (2, 9, 15)),
)
LINE_MASKS = tuple(sum(1 << point for point in line) for line in LINES)
#: The pairs of points between which men step: along the sides, and between their middles.
EDGES = (*(edge for line in LINES for edge in pairwise(line)), (1, 4), (6, 7), (8, 9), (11, 14))
#: The points that a step leads to from each point.
NEAR = tuple(sum(1 << a + b - point for a, b in EDGES if point in (a, b)) for point in range(16))
_PICTURE = (
    "{}-------{}-------{}",
    "|       |       |",
    "|   {}---{}---{}   |",
    "|   |       |   |",
    "{}---{}       {}---{}",
    "|   |       |   |",
    "|   {}---{}---{}   |",
    "|       |       |",
    "{}-------{}-------{}",
)


class MorrisHands(NamedTuple):
    """The points with men, one bit per point, and the men that are still to be put.

    Attributes:
        mine: the men of the player to move; bit 0 is a5, and bits go on row by row.
        theirs: those of the other player.
        hand: the men that both players together have still to put.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    hand: int
    player: int


@dataclass(frozen=True)
class SixMensMorris(Game):
    """Put men, six in the real game, then step; a mill takes a man. Two men left have lost.

    A player who cannot move loses too.

    Attributes:
        men: the number of men that each player puts.
        protected: whether men in mills may be taken only if all are.
        flying: whether a player with three men left may move one anywhere.
    """

    title = "Six Men's Morris"

    men: int = 3
    protected: bool = True
    flying: bool = False

    players = ("white", "black")

    facts = (
        Fact(
            outcome="endless",
            positions=369_137,
            win=166_844,
            loss=59_712,
            endless=142_581,
            tie=0,
            longest_win=15,
            longest_loss=14,
            source=ENUMERATED,
        ),
        Fact(
            {"flying": True},
            "endless",
            positions=369_137,
            win=177_664,
            loss=12_440,
            endless=179_033,
            tie=0,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"men": 4},
            "endless",
            positions=4_111_151,
            win=2_338_718,
            loss=1_271_632,
            endless=500_801,
            tie=0,
            longest_win=39,
            longest_loss=40,
            source=ENUMERATED,
        ),
        Fact(
            {"men": 6},
            "endless",
            checked=False,
            note="solved by Zermelo as well, in some seconds",
            source=ENUMERATED,
        ),
    )

    def start(self) -> MorrisHands:
        """Return the empty board."""
        return MorrisHands(0, 0, 2 * self.men, 0)

    def turn(self, p: MorrisHands) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: MorrisHands) -> Outcome | None:
        """Return WIN or LOSS once a player has fewer than three men, and none are left to put."""
        if p.hand == 0:
            if p.mine.bit_count() < FEWEST:
                return LOSS
            if p.theirs.bit_count() < FEWEST:
                return WIN
        return None

    def moves(self, p: MorrisHands) -> Iterator[tuple[int, int, int]]:
        """Yield each move: a point or NOTHING to come from, a point, and a man taken or NOTHING."""
        free = BOARD & ~(p.mine | p.theirs)
        outside_mills = p.theirs & ~in_mills(p.theirs) if self.protected else p.theirs
        for source in range(-1, 16):
            targets, rest = 0, p.mine
            if source < 0:
                targets = free if p.hand else 0
            elif p.hand == 0 and p.mine >> source & 1:
                rest = p.mine ^ 1 << source
                flies = self.flying and p.mine.bit_count() == FEWEST
                targets = free if flies else free & NEAR[source]
            while targets:
                target = (targets & -targets).bit_length() - 1
                targets &= targets - 1
                prey = 0
                if in_mills(rest | 1 << target) >> target & 1:
                    prey = outside_mills or p.theirs
                if prey == 0:
                    yield source, target, NOTHING
                while prey:
                    yield source, target, (prey & -prey).bit_length() - 1
                    prey &= prey - 1

    def play(self, p: MorrisHands, move: tuple[int, int, int]) -> MorrisHands:
        """Return the position after a move, as the other player sees it."""
        source, target, victim = move
        mine, theirs, hand = p.mine | 1 << target, p.theirs, p.hand
        if source < 0:
            hand -= 1
        else:
            mine ^= 1 << source
        if victim >= 0:
            theirs ^= 1 << victim
        return MorrisHands(theirs, mine, hand, 1 - p.player)

    def level(self, p: MorrisHands) -> int:
        """Return the number of men that were put, and again of those that were taken."""
        return 2 * (2 * self.men - p.hand) - (p.mine | p.theirs).bit_count()

    def space(self) -> MorrisHands:
        """Return the range of each field; no two men share a point."""
        sizes = range(self.men + 1), range(self.men + 1)
        men: Any = Disjoint(len(POINTS), sizes)
        hand: Any = range(2 * self.men + 1)
        player: Any = range(2)
        return MorrisHands(men, men, hand, player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the board's symmetries, the exchange of the squares, and that of the players."""
        turns = [tuple(_point(y, 4 - x) for x, y in POINTS), tuple(_point(y, x) for x, y in POINTS)]
        squares = tuple(_point(_other(x, y, x), _other(x, y, y)) for x, y in POINTS)
        return (
            Symmetry((*turns, squares), masks=("mine", "theirs")),
            Symmetry(flip=("player",)),
        )

    def validate(self) -> None:
        """Raise ParameterError unless each player puts three to six men."""
        check_number("men", self.men, FEWEST, MOST)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the points of a move: ``a1``, or ``a1-b2``, and a man taken: ``a1-b2xc3``."""
        source, target, victim = move
        begin = "" if source < 0 else f"{NAMES[source]}-"
        return begin + NAMES[target] + ("" if victim < 0 else f"x{NAMES[victim]}")

    def marks(self, p: MorrisHands) -> str:
        """Return the mark of each point, ``X`` for white, ``O`` for black or a dot."""
        white, black = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return "".join(
            "X" if white >> i & 1 else "O" if black >> i & 1 else "." for i in range(len(POINTS))
        )

    def show(self, p: MorrisHands) -> str:
        """Return the board with ``X`` for white's men and ``O`` for black's, and the turn."""
        board = "\n".join(_PICTURE).format(*self.marks(p))
        return f"{board}\n{p.hand} to put, {self.players[p.player]} to move"

    def parse(self, text: str) -> MorrisHands:
        """Read a board as ``show`` writes it, or only its points, row by row from a5 to e1.

        Raises:
            PositionError: there are not 16 points, or marks other than ``X``, ``O`` and ``.``.
        """
        told = re.search(r"(\d+) to put, (white|black) to move\s*$", text)
        marks = "".join(mark for mark in text[: told.start() if told else 0] if mark in "XO.")
        if told is None or len(marks) != len(POINTS) or int(told[1]) > 2 * self.men:
            example = f"... ... .... ... ... {2 * self.men} to put, white to move"
            message = f"{text!r} is not a board of 16 points; write them such as {example!r}"
            raise PositionError(message)
        white, black = (sum(1 << n for n, mark in enumerate(marks) if mark == m) for m in "XO")
        player = self.players.index(told[2])
        men = (black, white) if player else (white, black)
        return MorrisHands(*men, int(told[1]), player)

    def svg(self, p: MorrisHands) -> str:
        """Draw the board."""
        return points_board(
            [(float(x), float(4 - y)) for x, y in POINTS],
            EDGES,
            self.marks(p),
            title=f"six men's morris: {self.marks(p)}, {p.hand} to put, "
            f"{self.players[p.player]} to move",
            moves=NAMES,
        )


def in_mills(men: int) -> int:
    """Return a player's men that stand in a mill."""
    milled = 0
    for line in LINE_MASKS:
        if men & line == line:
            milled |= line
    return milled


def _point(x: int, y: int) -> int:
    return POINTS.index((x, y))


def _other(x: int, y: int, part: int) -> int:
    """Return a part of the point that corresponds to another on the other square."""
    ring = max(abs(x - 2), abs(y - 2))
    return 2 + (part - 2) // ring * (3 - ring)
