"""Quoridor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any, NamedTuple

from zermelo.drawing import CELL, MARGIN, clickable
from zermelo.errors import PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome

SLATTON = "G. Slatton, Solving Quoridor, grantslatton.com/solving-quoridor"

#: The fewest rows: with two, a player may be unable to move.
LEAST_ROWS = 3
MOST_WALLS = 10
#: Kinds of moves: a step of the pawn, and a wall between two rows or between two columns.
STEP, ACROSS, UPRIGHT = 0, 1, 2
KINDS = ("", "h", "v")
UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
#: Half the length of the part of a groove that is clicked for a wall, and its half width.
_REACH, _NEAR = 20, 6


class Course(NamedTuple):
    """The pawns and the walls.

    Squares are numbered from 0 at the top left, row by row, and so are crossings, where four
    squares meet. The middle of a wall is a crossing.

    Attributes:
        mine: the square of the player to move.
        theirs: the square of the other player.
        across: the crossings with a wall between two rows, one bit each.
        upright: the crossings with a wall between two columns.
        stock: the walls that the player to move can still build.
        their_stock: the walls that the other player can still build.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    across: int
    upright: int
    stock: int
    their_stock: int
    player: int


@dataclass(frozen=True)
class Quoridor(GridGame):
    """Two pawns run for the opposite side, and walls make the way longer; whoever arrives wins.

    In a turn a player steps to one of the squares beside the pawn, or builds a wall. A pawn jumps
    over the other one to the square behind it, or if a wall or the rim is in the way, to a square
    beside it. A wall is two squares long. Walls neither cross nor overlap, and each pawn must
    keep a way to its goal.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        walls: the number of walls that each player has.
    """

    rows: int = 3
    columns: int = 3
    walls: int = 2

    fewest_cells = 6
    players = ("X", "O")
    facts = (
        Fact(
            {"rows": 3, "columns": 3, "walls": 0},
            "loss",
            4,
            positions=96,
            win=48,
            loss=48,
            endless=0,
            longest_win=3,
            longest_loss=4,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 3, "columns": 3, "walls": 2},
            "loss",
            12,
            positions=6218,
            win=3110,
            loss=3108,
            endless=0,
            longest_win=13,
            longest_loss=12,
            source=f"{SLATTON} (the winner); {ENUMERATED}",
        ),
        Fact(
            {"rows": 3, "columns": 5, "walls": 2},
            "loss",
            12,
            positions=337_714,
            win=165_100,
            loss=172_614,
            endless=0,
            longest_win=23,
            longest_loss=24,
            source=f"{SLATTON} (the winner); {ENUMERATED}",
        ),
        Fact(
            {"rows": 3, "columns": 8, "walls": 3},
            "endless",
            checked=False,
            note="the only draw of the source's table",
            source=SLATTON,
        ),
        Fact(
            {"rows": 5, "columns": 5, "walls": 4},
            "loss",
            checked=False,
            note="with five walls, a win",
            source=SLATTON,
        ),
    )

    def start(self) -> Course:
        """Return the pawns opposite each other, in the middle or left of it, without walls."""
        top = (self.columns - 1) // 2
        bottom = (self.rows - 1) * self.columns + top
        return Course(bottom, top, 0, 0, self.walls, self.walls, 0)

    def turn(self, p: Course) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: Course) -> Outcome | None:
        """Return LOSS if the other player has reached the last row."""
        if 1 << p.theirs & self.goals[1 - p.player]:
            return LOSS
        return None

    def moves(self, p: Course) -> Iterator[tuple[int, int]]:
        """Yield each step to a square, and then each wall by its kind and its crossing."""
        below, beside = self.barred(p)
        targets = self.targets(p, below, beside)
        for square in range(self.rows * self.columns):
            if targets >> square & 1:
                yield STEP, square
        if p.stock:
            built = p.across | p.upright
            for crossing in range(self.crossings):
                if built >> crossing & 1:
                    continue
                if not p.across & self.neighbours[ACROSS][crossing]:
                    cut = below | self.cuts[ACROSS][crossing]
                    if self.has_ways(p, cut, beside):
                        yield ACROSS, crossing
                if not p.upright & self.neighbours[UPRIGHT][crossing]:
                    cut = beside | self.cuts[UPRIGHT][crossing]
                    if self.has_ways(p, below, cut):
                        yield UPRIGHT, crossing

    def play(self, p: Course, move: tuple[int, int]) -> Course:
        """Return the board after a step or with another wall, as the other player sees it."""
        kind, place = move
        mine, across, upright, stock = p.mine, p.across, p.upright, p.stock
        if kind == STEP:
            mine = place
        else:
            stock -= 1
            if kind == ACROSS:
                across |= 1 << place
            else:
                upright |= 1 << place
        return Course(p.theirs, mine, across, upright, p.their_stock, stock, 1 - p.player)

    def barred(self, p: Course) -> tuple[int, int]:
        """Return the squares with a wall or the rim below them, and those with it on the right."""
        below, beside = self.bottom, self.right
        for crossing in range(self.crossings):
            if p.across >> crossing & 1:
                below |= self.cuts[ACROSS][crossing]
            if p.upright >> crossing & 1:
                beside |= self.cuts[UPRIGHT][crossing]
        return below, beside

    def targets(self, p: Course, below: int, beside: int) -> int:
        """Return the squares that the pawn of the player to move can go to."""
        mine, theirs = 1 << p.mine, 1 << p.theirs
        targets = 0
        for way in (UP, RIGHT, DOWN, LEFT):
            target = self.stepped(mine, way, below, beside)
            if target == theirs:
                target = self.stepped(theirs, way, below, beside)
                if not target:
                    target = self.stepped(theirs, (way + 1) % 4, below, beside)
                    target |= self.stepped(theirs, (way + 3) % 4, below, beside)
            targets |= target
        return targets

    def stepped(self, cells: int, way: int, below: int, beside: int) -> int:
        """Return the squares that a step in one direction leads to from given ones."""
        if way == UP:
            return cells >> self.columns & ~below
        if way == DOWN:
            return (cells & ~below) << self.columns
        if way == LEFT:
            return cells >> 1 & ~beside
        return (cells & ~beside) << 1

    def has_ways(self, p: Course, below: int, beside: int) -> bool:
        """Return whether each pawn has a way to its goal, however long."""
        return self.has_way(p.mine, self.goals[p.player], below, beside) and self.has_way(
            p.theirs, self.goals[1 - p.player], below, beside
        )

    def has_way(self, square: int, goal: int, below: int, beside: int) -> bool:
        """Return whether a way joins a square to a goal."""
        reached = 1 << square
        while not reached & goal:
            grown = reached | reached >> self.columns & ~below | reached >> 1 & ~beside
            grown |= (reached & ~below) << self.columns | (reached & ~beside) << 1
            if grown == reached:
                return False
            reached = grown
        return True

    @cached_property
    def crossings(self) -> int:
        """The number of crossings."""
        return int((self.rows - 1) * (self.columns - 1))

    @cached_property
    def goals(self) -> list[int]:
        """The row that each player runs for."""
        return [self.top, self.bottom]

    @cached_property
    def corners(self) -> list[int]:
        """The square above and to the left of each crossing."""
        return [cell for cell in range(self.cells) if not (self.right | self.bottom) >> cell & 1]

    @cached_property
    def cuts(self) -> list[list[int]]:
        """For each kind of wall and each crossing, the two squares above it or to the left."""
        across = [0b11 << cell for cell in self.corners]
        return [[], across, [1 << cell | 1 << cell + self.columns for cell in self.corners]]

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """For each kind of wall and each crossing, the crossings where one would overlap it."""
        return [[], *([self.overlaps(cuts, cut) for cut in cuts] for cuts in self.cuts[1:])]

    def overlaps(self, cuts: list[int], cut: int) -> int:
        """Return the crossings whose walls share a square's side with a wall."""
        return sum(1 << crossing for crossing, other in enumerate(cuts) if cut & other)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection, and the exchange of the players with the board upside down."""
        return self.image("columns"), self.image("rows", flip=("player",))

    def image(self, kind: str, flip: tuple[str, ...] = ()) -> Symmetry:
        """Return a reflection of the walls and of the squares together."""
        (squares,) = grid(self.columns, self.rows, kind)
        return Symmetry(
            grid(self.columns - 1, self.rows - 1, kind),
            masks=("across", "upright"),
            relabel=(("mine", squares), ("theirs", squares)),
            flip=flip,
            together=True,
        )

    def space(self) -> Course:
        """Return the range of each field; no crossing has two walls."""
        square: Any = range(self.cells)
        counts = range(min(2 * self.walls, self.crossings) + 1)
        walls: Any = Disjoint(self.crossings, (counts, counts))
        stock: Any = range(self.walls + 1)
        player: Any = range(2)
        return Course(square, square, walls, walls, stock, stock, player)

    def validate(self) -> None:
        """Raise ParameterError unless the board has rows between the players, and grooves."""
        check_number("rows", self.rows, LEAST_ROWS)
        check_number("columns", self.columns, 2)
        super().validate()
        check_number("walls", self.walls, 0, MOST_WALLS)

    # -- text and pictures ----------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return the square of a step, or a wall by the square below it on the left, as ``a1h``.

        The letter is ``h`` for a wall between two rows, and ``v`` for one between two columns.
        """
        kind, place = move
        if kind == STEP:
            return self.cell_name(place)
        return self.cell_name(self.corners[place] + self.columns) + KINDS[kind]

    def wall_names(self, p: Course) -> list[str]:
        """Return the names of the walls on the board."""
        return [
            self.name((kind, crossing))
            for crossing in range(self.crossings)
            for kind, built in ((ACROSS, p.across), (UPRIGHT, p.upright))
            if built >> crossing & 1
        ]

    def sides(self, p: Course) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the cell of the pawn and the walls left, of the first player and the second."""
        own = p.mine, p.stock
        other = p.theirs, p.their_stock
        return (other, own) if p.player else (own, other)

    def marked(self, p: Course) -> list[str]:
        """Return each row as text, without the walls."""
        (first, _), (second, _) = self.sides(p)
        return self.rows_of(("X", 1 << first), ("O", 1 << second))

    def last_lines(self, p: Course) -> list[str]:
        """Return the walls left and the player to move."""
        (_, first), (_, second) = self.sides(p)
        return [f"walls left: X {first}, O {second}", f"{self.players[p.player]} to move"]

    def show(self, p: Course) -> str:
        """Return the rows, the walls by their names, the walls left, and the player to move."""
        rows = [" ".join(row) for row in self.marked(p)]
        walls = " ".join(["walls:", *(self.wall_names(p) or ["none"])])
        return "\n".join([*rows, walls, *self.last_lines(p)])

    def sketch(self, p: Course) -> str:
        """Return the board with its walls between the squares."""
        width = 4 * self.columns - 3
        lines = [[" "] * width for _ in range(2 * self.rows - 1)]
        for row, marks in enumerate(self.marked(p)):
            lines[2 * row][::4] = marks
        for crossing, cell in enumerate(self.corners):
            row, column = divmod(cell, self.columns)
            if p.across >> crossing & 1:
                lines[2 * row + 1][4 * column : 4 * column + 5] = "-----"
            if p.upright >> crossing & 1:
                for line in lines[2 * row : 2 * row + 3]:
                    line[4 * column + 2] = "|"
        edge = len(str(self.rows))
        ranks = [str(self.rows - n // 2) if n % 2 == 0 else "" for n in range(len(lines))]
        text = [f"{rank:>{edge}}  {''.join(line)}" for rank, line in zip(ranks, lines, strict=True)]
        text.append(" " * (edge + 2) + "   ".join(ascii_lowercase[: self.columns]))
        return "\n".join(line.rstrip() for line in [*text, *self.last_lines(p)])

    def svg(self, p: Course) -> str:
        """Draw the board."""
        (_, first), (_, second) = self.sides(p)
        below = [f"X {first}", *[""] * (self.columns - 2), f"O {second}"]
        parts, clicks = [], []
        for crossing, cell in enumerate(self.corners):
            row, column = divmod(cell, self.columns)
            x, y = MARGIN + CELL * (column + 1), MARGIN + CELL * (row + 1)
            if p.across >> crossing & 1:
                parts.append(f'<path d="M{x - CELL + 2} {y}h{2 * CELL - 4}" stroke-width="7"/>')
            if p.upright >> crossing & 1:
                parts.append(f'<path d="M{x} {y - CELL + 2}v{2 * CELL - 4}" stroke-width="7"/>')
            long, short = 2 * _REACH, 2 * _NEAR
            name = self.name((ACROSS, crossing))
            clicks.append(clickable(name, x - _REACH, y - _NEAR, long, short))
            name = self.name((UPRIGHT, crossing))
            clicks.append(clickable(name, x - _NEAR, y - _REACH, short, long))
        title = self.show(p).replace("\n", " / ")
        picture = self.picture(self.marked(p), discs="XO", below=below, title=title)
        return picture.replace("</svg>", "".join([*parts, *clicks, "</svg>"]))

    def parse(self, text: str) -> Course:
        """Read a board as ``show`` writes it; lines may be separated by slashes.

        Walls may be left out if there are none; the players then have all of theirs.
        """
        board, player = self.read_turn(text)
        board, _, left = board.partition("walls left:")
        board, _, names = board.partition("walls:")
        first, second = self.read_cells(board, "XO")
        if first.bit_count() != 1 or second.bit_count() != 1:
            message = f"{text!r} has not one X and one O; write both pawns once"
            raise PositionError(message)
        across, upright = self.read_walls(names)
        count = (across | upright).bit_count()
        numbers = re.fullmatch(r"\s*X +(\d+),? +O +(\d+)[\s,/]*", left)
        stocks = [int(number) for number in numbers.groups()] if numbers else [self.walls] * 2
        if max(stocks) > self.walls or sum(stocks) + count != 2 * self.walls:
            message = (
                f"{text!r} does not have {2 * self.walls} walls, {self.walls} of each player; "
                "write how many are left, such as 'walls left: X 1, O 0'"
            )
            raise PositionError(message)
        (mine, stock), (theirs, their_stock) = zip((first, second), stocks, strict=True)
        if player:
            (mine, stock), (theirs, their_stock) = (theirs, their_stock), (mine, stock)
        mine, theirs = mine.bit_length() - 1, theirs.bit_length() - 1
        return Course(mine, theirs, across, upright, stock, their_stock, player)

    def read_walls(self, text: str) -> tuple[int, int]:
        """Read the names of walls, and return their crossings by the kind of wall.

        Raises:
            PositionError: one is not the name of a wall, or two cross or overlap.
        """
        moves = {
            self.name((kind, crossing)): (kind, crossing)
            for crossing in range(self.crossings)
            for kind in (ACROSS, UPRIGHT)
        }
        built = [0, 0, 0]
        for name in text.replace("/", " ").split():
            if name == "none":
                continue
            if name not in moves:
                message = f"{name!r} is not a wall of this board; write one such as 'a1h' or 'a1v'"
                raise PositionError(message)
            kind, crossing = moves[name]
            taken = built[kind] & self.neighbours[kind][crossing]
            if taken or (built[ACROSS] | built[UPRIGHT]) >> crossing & 1:
                message = f"the wall {name!r} crosses or overlaps another one; leave one out"
                raise PositionError(message)
            built[kind] |= 1 << crossing
        return built[ACROSS], built[UPRIGHT]
