"""Dots and Boxes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.drawing.dots import dots_board
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry, grid

#: The most lines that a board may have, one bit each.
MOST_LINES = 62

SETS = "own dynamic programme over all sets of lines, in C++"
KORF = "Barker and Korf, Solving Dots-and-Boxes, AAAI 2012"


class Strokes(NamedTuple):
    """The lines that are drawn; the owners of closed boxes do not matter from here on.

    Attributes:
        drawn: one bit per line, the horizontal ones first, row by row from the top.
        player: the player to move, 0 or 1.
    """

    drawn: int
    player: int


@dataclass(frozen=True)
class DotsAndBoxes(Game):
    """Two players join dots by lines, and whoever closes more boxes wins.

    A move draws a line between neighbouring dots. A player who thereby completes the four sides of
    a box, or of two, has won these boxes, and moves again. The game ends when all lines are drawn.

    Attributes:
        rows: the number of boxes in a column.
        columns: the number of boxes in a row.
    """

    rows: int = 2
    columns: int = 2

    facts = (
        Fact({"rows": 1, "columns": 1}, "loss", score=-1, source=SETS),
        Fact({"rows": 1, "columns": 2}, "tie", score=0, source=SETS),
        Fact({"rows": 1, "columns": 3}, "loss", score=-1, source=SETS),
        Fact({"rows": 1, "columns": 4}, "tie", score=0, source=SETS),
        Fact({"rows": 1, "columns": 5}, "loss", score=-1, source=SETS),
        Fact({"rows": 1, "columns": 6}, "tie", score=0, source=SETS),
        Fact({"rows": 2, "columns": 2}, "win", score=2, source=SETS),
        Fact({"rows": 2, "columns": 3}, "loss", score=-2, source=SETS),
        Fact({"rows": 2, "columns": 4}, "win", score=2, source=SETS),
        Fact({"rows": 3, "columns": 3}, "loss", score=-3, source=SETS),
        Fact(
            {"rows": 2, "columns": 5},
            "loss",
            score=-2,
            checked=False,
            note="134 million sets of lines",
            source=SETS,
        ),
        Fact(
            {"rows": 3, "columns": 4},
            "tie",
            score=0,
            checked=False,
            note="2 thousand million sets of lines",
            source=SETS,
        ),
        Fact(
            {"rows": 4, "columns": 5},
            "tie",
            score=0,
            checked=False,
            note="a tie; far too many sets of lines",
            source=KORF,
        ),
    )

    def start(self) -> Strokes:
        """Return the dots alone."""
        return Strokes(0, 0)

    def turn(self, p: Strokes) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Strokes) -> Iterator[int]:
        """Yield each line that is not drawn."""
        for line in range(self.lines):
            if not p.drawn >> line & 1:
                yield line

    def play(self, p: Strokes, line: int) -> Strokes:
        """Return the lines after a move; a player who closes a box moves again."""
        player = p.player if self.closed(p, line) else 1 - p.player
        return Strokes(p.drawn | 1 << line, player)

    def gain(self, p: Strokes, line: int) -> int:
        """Return the number of boxes that a move closes."""
        return self.closed(p, line)

    def closed(self, p: Strokes, line: int) -> int:
        """Return the number of boxes that a line closes."""
        drawn_lines = p.drawn | 1 << line
        boxes = 0
        for box in self.beside[line]:
            if drawn_lines & box == box:
                boxes += 1
        return boxes

    # -- hints for zermelo.prove ----------------------------------------------------------------

    def promise(self, p: Strokes, line: int) -> int:
        """Return the priority of a move: boxes first, then lines in the middle that give few away.

        Lines that are drawn in one order, from the middle outward, lead to the same sets of lines
        more often.
        """
        closed = self.closed(p, line)
        if closed:
            return 100 * closed
        drawn_lines, boxes_given, free = p.drawn | 1 << line, 0, 0
        for box in self.beside[line]:
            missing = box & ~drawn_lines
            free += missing.bit_count()
            if not missing & missing - 1:
                boxes_given = self.left(drawn_lines) - self.left(self.taken(drawn_lines)[0])
        return free - 10 * boxes_given - 16 * self.outward[line]

    def bounds(self, p: Strokes) -> tuple[int, int]:
        """Return bounds of the score by the boxes that can be closed in this turn.

        If some of them can be left to the other player, who has to move after that, then the better
        of doing so and of taking all gets at least as much as leaving them and tying the rest.
        """
        left = self.left(p.drawn)
        drawn_lines, lost = self.taken(p.drawn)
        boxes_left = self.left(drawn_lines)
        least = left - 2 * boxes_left
        if lost:
            least = max(least, left - boxes_left - lost + boxes_left % 2)
        return least, left

    def enough(self, p: Strokes) -> Iterator[int]:
        """Yield a line that takes a box, and one that leaves the last boxes; or else openings."""
        candidates = self.takings(p.drawn)
        if not candidates:
            candidates = self.openings(p.drawn)
        for line in range(self.lines):
            if candidates >> line & 1:
                yield line

    def takings(self, drawn_lines: int) -> int:
        """Return a line that takes a box, and one that leaves the last ones; 0 if none can.

        All boxes can be taken first, except those at the end of a string: two can be left to the
        other player by the line beyond them, or four of a string that is closed at both ends by the
        line in the middle. Whoever takes them has to move again, so leaving two is enough.
        """
        two, four, end = 0, 0, 0
        for box in self.boxes:
            line = box & ~drawn_lines
            if not line or line & line - 1:
                continue
            boxes, closed, second = self.string(drawn_lines, box)
            if not closed and boxes == 2 and not two:
                two = line | second
            elif closed and boxes == 4 and (not four or four & second):
                four, end = line | second, line
            else:
                return line
        return end if two and four else two | four

    def openings(self, drawn_lines: int) -> int:
        """Return the lines that suffice as moves if no box can be taken.

        Any line of a chain opens all of it. In a chain of two boxes it should be the one between
        them, after which none can be left. Of chains that end at the rim, a shorter one costs less
        and only changes whether some of it can be left; the same holds for rings.
        """
        openers = useless = short = long = ring = 0
        shortest = longer = least = self.lines
        for box in self.boxes:
            missing = box & ~drawn_lines
            other_lines = missing & missing - 1
            if not missing or missing & useless:
                continue
            if other_lines & other_lines - 1:  # no line opens it; those to the rim are alike
                rim = missing & self.rim
                useless |= rim & rim - 1
                continue
            boxes, ends, line, lines = self.chain(drawn_lines, box)
            useless |= lines
            if ends in (0, 1):
                openers |= line
            elif ends < 0 and boxes < least:
                ring, least = line, boxes
            elif ends > 1 and boxes <= 2 and boxes < shortest:
                short, shortest = line, boxes
            elif ends > 1 and 2 < boxes < longer:
                long, longer = line, boxes
        return ~(drawn_lines | useless) | openers | short | long | ring

    def string(self, drawn_lines: int, box: int) -> tuple[int, bool, int]:
        """Return the number of boxes that can be taken in a row from one on, at most five.

        Returns:
            The number; whether the last box can be taken first as well; and the second line.
        """
        line, second = box & ~drawn_lines, 0
        for boxes in range(1, 5):
            box = self.beyond(line, box)
            other_lines = box & ~drawn_lines & ~line
            if box and not other_lines:
                return boxes + 1, True, second
            if other_lines & other_lines - 1 or not box:
                return boxes, False, second
            line = other_lines
            if boxes == 1:
                second = line
        return 5, False, second

    def chain(self, drawn_lines: int, box: int) -> tuple[int, int, int, int]:
        """Return the chain that any line of a box with two open sides opens.

        Returns:
            The number of boxes; the number of ends without a box beyond, or -1 for a ring; a line
            between two of the boxes, if there are two; and all lines.
        """
        lines = box & ~drawn_lines
        first_line = lines & -lines
        between, boxes, ends = lines ^ first_line, 1, 0
        for line in (first_line, lines ^ first_line):
            current, step = box, line
            while True:
                current = self.beyond(step, current)
                if not current:
                    ends += 1
                    break
                if current == box:
                    return boxes, -1, line, lines
                other_lines = current & ~drawn_lines & ~step
                if other_lines & other_lines - 1:
                    break
                boxes += 1
                lines |= other_lines
                between, step = line, other_lines
        return boxes, ends, between, lines

    def beyond(self, line: int, box: int) -> int:
        """Return the box on the other side of a line, given as a bit; 0 if there is none."""
        for neighbour in self.beside[line.bit_length() - 1]:
            if neighbour != box:
                return neighbour
        return 0

    def left(self, drawn_lines: int) -> int:
        """Return the number of open boxes."""
        count = 0
        for box in self.boxes:
            if drawn_lines & box != box:
                count += 1
        return count

    def taken(self, drawn_lines: int) -> tuple[int, int]:
        """Return the lines after a turn that closes boxes until no other can be closed.

        Returns:
            The lines; and the points lost by leaving boxes so that the other player has to move, or
            0 if that is impossible.
        """
        rings, strings, end = False, False, 0
        for first_box in self.boxes:
            line, box, boxes = first_box & ~drawn_lines, first_box, 0
            while line and not line & line - 1:
                drawn_lines |= line
                boxes += 1
                box = self.beyond(line, box)
                line = box & ~drawn_lines
            if box and not line:
                rings = rings or boxes > 2  # and one more was closed by its last line
            elif boxes > 1 and (end or not strings):
                strings, end = True, box
        if strings and (not end or end & ~drawn_lines):
            return drawn_lines, 2
        return drawn_lines, 4 if rings else 0

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the dots, as they move the lines."""
        numbers = {ends: line for line, ends in enumerate(self.ends)}
        turned = [
            tuple(numbers[min(p[a], p[b]), max(p[a], p[b])] for a, b in self.ends)
            for p in grid(self.columns + 1, self.rows + 1)
        ]
        return Symmetry((*turned, *self.corner_swaps()), masks=("drawn",))

    def corner_swaps(self) -> Iterator[tuple[int, ...]]:
        """Yield the exchange of each corner's two lines, which are sides of one box alone."""
        if min(self.rows, self.columns) > 1:
            for box in (0, self.columns - 1, -self.columns, -1):
                sides = [
                    line
                    for line in range(self.lines)
                    if self.boxes[box] >> line & 1 and len(self.beside[line]) == 1
                ]
                swap = dict(zip(sides, reversed(sides), strict=True))
                yield tuple(swap.get(line, line) for line in range(self.lines))

    def space(self) -> Strokes:
        """Return the range of each field."""
        line_sets: Any = range(1 << self.lines)
        player: Any = range(2)
        return Strokes(line_sets, player)

    @cached_property
    def lines(self) -> int:
        """The number of lines."""
        return len(self.ends)

    @cached_property
    def ends(self) -> list[tuple[int, int]]:
        """The two dots that each line joins; dots are numbered row by row."""
        across, down = self.columns + 1, self.rows + 1
        dots = [row * across + column for row in range(down) for column in range(across)]
        level = [(dot, dot + 1) for dot in dots if dot % across < self.columns]
        return level + [(dot, dot + across) for dot in dots if dot // across < self.rows]

    @cached_property
    def outward(self) -> list[int]:
        """The distance of each line from the middle of the board, in half boxes."""
        wide = self.columns + 1
        return [
            abs(a % wide + b % wide - self.columns) + abs(a // wide + b // wide - self.rows)
            for a, b in self.ends
        ]

    @cached_property
    def boxes(self) -> list[int]:
        """The four sides of each box, row by row."""
        level, wide = self.columns * (self.rows + 1), self.columns
        return [
            1 << row * wide + column
            | 1 << (row + 1) * wide + column
            | 0b11 << level + row * (wide + 1) + column
            for row in range(self.rows)
            for column in range(wide)
        ]

    @cached_property
    def beside(self) -> list[list[int]]:
        """The sides of the boxes, one or two, that lie beside each line."""
        return [[box for box in self.boxes if box >> line & 1] for line in range(self.lines)]

    @cached_property
    def rim(self) -> int:
        """The lines that are a side of one box alone."""
        return sum(1 << line for line in range(self.lines) if len(self.beside[line]) == 1)

    def validate(self) -> None:
        """Raise ParameterError unless there are boxes, and not too many."""
        check_number("rows", self.rows, 1, MOST_LINES)
        check_number("columns", self.columns, 1, MOST_LINES)
        lines = self.rows * (self.columns + 1) + self.columns * (self.rows + 1)
        if lines > MOST_LINES:
            message = (
                f"{self.rows!r} rows of {self.columns!r} boxes have {lines} lines; keep to "
                f"{MOST_LINES}"
            )
            raise ParameterError(message)

    def show(self, p: Strokes) -> str:
        """Return the dots as ``+`` and the lines as ``--`` and ``|``, and the player to move."""
        level, text = self.columns * (self.rows + 1), []
        for row in range(self.rows + 1):
            first = row * self.columns
            has_line = [p.drawn >> first + column & 1 for column in range(self.columns)]
            text.append("+" + "".join("--+" if line else "  +" for line in has_line))
            if row < self.rows:
                first = level + row * (self.columns + 1)
                has_line = [p.drawn >> first + column & 1 for column in range(self.columns + 1)]
                text.append("  ".join("|" if line else " " for line in has_line).rstrip())
        return "\n".join([*text, f"{self.players[p.player]} to move"])

    def svg(self, p: Strokes) -> str:
        """Draw the dots and the lines."""
        is_drawn = [bool(p.drawn >> line & 1) for line in range(self.lines)]
        boxes = [p.drawn & box == box for box in self.boxes]
        names = [self.name(line) for line in range(self.lines)]
        shape = (self.rows, self.columns)
        return dots_board(shape, self.ends, is_drawn, boxes, title=self.show(p), moves=names)

    def name(self, line: int) -> str:
        """Return the two dots that a line joins, such as ``a1-b1``; row 1 is below."""
        return "-".join(self.dot(dot) for dot in self.ends[line])

    def dot(self, dot: int) -> str:
        """Return the name of a dot: its column and row."""
        row, column = divmod(dot, self.columns + 1)
        return f"{chr(ord('a') + column)}{self.rows + 1 - row}"

    def parse(self, text: str) -> Strokes:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        player, rows = 0, re.split(r"\n| ?/ ?", text.strip("\n"))
        for number, name in enumerate(self.players):
            if rows and rows[-1].strip() == f"{name} to move":
                player, rows = number, rows[:-1]
        drawn_lines, line = 0, 0
        wide = 3 * self.columns + 1
        fits = len(rows) == 2 * self.rows + 1 and all(len(row) <= wide for row in rows)
        rows = [row.ljust(wide) for row in rows]
        for parity, marks in ((0, ("--", "  ")), (1, ("|", " "))):
            for row in rows[parity::2]:
                for offset in range(1 - parity, wide, 3):
                    mark = row[offset : offset + len(marks[0])]
                    fits = fits and mark in marks
                    drawn_lines |= (mark == marks[0]) << line
                    line += 1
        if not fits or any(set(row[::3]) != {"+"} for row in rows[::2]):
            example = self.show(Strokes(0, 0)).replace("\n", " / ")
            message = (
                f"{text!r} is not a board of {self.rows} rows of {self.columns} boxes; write one "
                f"such as {example!r}, with -- and | for lines"
            )
            raise PositionError(message)
        return Strokes(drawn_lines, player)
