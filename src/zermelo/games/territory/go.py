"""Go on small boards, scored by area."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._grids import GridGame
from zermelo.symmetry import Symmetry, grid

MOST_POINTS = 30
PASS = -1
#: The value of ``ko`` if there is none.
NOWHERE = -1

DRANGE = "Drange 1998, mathpuzzle.com/go (area, superko); own search by thresholds (basic ko)"
THRESHOLDS = "own search by thresholds"


class Goban(NamedTuple):
    """The stones on the board, one bit per point: bit 0 is top left, row by row.

    Attributes:
        mine: the stones of the player to move.
        theirs: those of the other player.
        ko: the point on which the player to move may not retake a stone, or -1.
        passed: 1 if the other player has just passed, 2 if both have, else 0.
        player: the player to move, 0 or 1.
    """

    mine: int
    theirs: int
    ko: int
    passed: int
    player: int


@dataclass(frozen=True)
class Go(GridGame):
    """Two players put stones on the points of a small board to hold more of it than the other.

    A move puts a stone on an empty point, and takes groups of the opponent's without an empty
    point beside them off the board; or it is a pass. A stone whose own group would be without an
    empty point then may not be put. A single stone that took a single stone may not be retaken at
    once. After two passes in a row each player scores their own stones and the empty points
    that touch no others. Play that never ends is a draw.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        ko: ``basic``, the only rule: superko would forbid positions by the whole history.
    """

    rows: int = 3
    columns: int = 3
    ko: str = "basic"

    players = ("black", "white")

    facts = (
        Fact({"rows": 1, "columns": 2}, score=0, source=DRANGE),
        Fact({"rows": 1, "columns": 3}, score=3, source=DRANGE),
        Fact({"rows": 1, "columns": 4}, score=4, source=DRANGE),
        Fact({"rows": 1, "columns": 5}, score=0, source=DRANGE),
        Fact({"rows": 1, "columns": 6}, score=0, note="1 under superko", source=THRESHOLDS),
        Fact({"rows": 1, "columns": 7}, score=0, note="2 under superko", source=THRESHOLDS),
        Fact({"rows": 2, "columns": 2}, score=0, note="1 under superko", source=THRESHOLDS),
        Fact({"rows": 2, "columns": 3}, score=0, source=DRANGE),
        Fact({"rows": 2, "columns": 4}, score=8, source=DRANGE),
        Fact({"rows": 2, "columns": 5}, score=10, source=DRANGE),
        Fact({"rows": 3, "columns": 3}, score=9, source=DRANGE),
        Fact({"rows": 3, "columns": 4}, score=4, source=DRANGE),
    )

    def start(self) -> Goban:
        """Return the empty board, black to move."""
        return Goban(0, 0, NOWHERE, 0, 0)

    def turn(self, p: Goban) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Goban) -> Iterator[int]:
        """Yield a pass, and each point on which a stone may be put, until both have passed."""
        if p.passed < 2:
            yield PASS
            for point in range(self.rows * self.columns):
                if not (p.mine | p.theirs) >> point & 1 and point != p.ko:
                    captured_stones = self.taken(p, point)
                    if captured_stones or self.lives(p.mine | 1 << point, p.theirs, point):
                        yield point

    def play(self, p: Goban, point: int) -> Goban:
        """Return the board after a move, as the other player sees it."""
        if point == PASS:
            return Goban(p.theirs, p.mine, NOWHERE, p.passed + 1, 1 - p.player)
        captured_stones = self.taken(p, point)
        mine, theirs = p.mine | 1 << point, p.theirs & ~captured_stones
        ko = NOWHERE
        # A single stone took one, and can itself be taken only on that one's point.
        if (
            captured_stones.bit_count() == 1
            and self.around(1 << point) & ~theirs == captured_stones
        ):
            ko = captured_stones.bit_length() - 1
        return Goban(theirs, mine, ko, 0, 1 - p.player)

    def score(self, p: Goban) -> int:
        """Return the number of points by which the player to move is ahead."""
        return self.area(p.mine, p.theirs) - self.area(p.theirs, p.mine)

    def taken(self, p: Goban, point: int) -> int:
        """Return the stones that are taken by a stone on a point."""
        mine = p.mine | 1 << point
        captured_stones, left = 0, self.around(1 << point) & p.theirs
        while left:
            group = self.grown(left & -left, p.theirs)
            if not self.around(group) & ~(mine | p.theirs):
                captured_stones |= group
            left &= ~group
        return captured_stones

    def lives(self, mine: int, theirs: int, point: int) -> bool:
        """Return whether the group of the stone on a point has an empty point beside it."""
        group = self.grown(1 << point, mine)
        return self.around(group) & ~(mine | theirs) != 0

    def area(self, mine: int, theirs: int) -> int:
        """Return the number of points with these stones, or empty and reached by them alone."""
        empty = self.board & ~(mine | theirs)
        reached = self.grown(mine, mine | empty)
        return (reached & ~self.grown(theirs, theirs | empty)).bit_count()

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        cells = grid(self.columns, self.rows)
        board = Symmetry(cells, masks=("mine", "theirs"), squares=("ko",))
        return board, Symmetry(flip=("player",))

    def space(self) -> Goban:
        """Return the range of each field."""
        points = self.rows * self.columns
        stones: Any = range(1 << points)
        ranges: list[Any] = [range(NOWHERE, points), range(3), range(2)]
        return Goban(stones, stones, *ranges)

    def validate(self) -> None:
        """Raise ParameterError unless the board fits and the ko rule is the basic one."""
        check_number("rows", self.rows, 1, MOST_POINTS)
        check_number("columns", self.columns, 1, MOST_POINTS)
        if self.rows * self.columns > MOST_POINTS:
            message = (
                f"{self.rows!r} rows of {self.columns!r} points are more than the {MOST_POINTS} "
                "that fit; use a smaller board"
            )
            raise ParameterError(message)
        if self.ko != "basic":
            message = (
                f"ko={self.ko!r} is not known; use 'basic': under superko a position would have to "
                "hold all boards that were seen before, and there are far too many such positions"
            )
            raise ParameterError(message)

    def show(self, p: Goban) -> str:
        """Return a line for each row, ``X`` black, ``O`` white, ``*`` the ko, and the turn."""
        black, white = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        marks = "".join(
            "X" if black >> n & 1 else "O" if white >> n & 1 else "*" if n == p.ko else "."
            for n in range(self.rows * self.columns)
        )
        wide = self.columns
        rows = [" ".join(marks[at : at + wide]) for at in range(0, len(marks), wide)]
        pass_text = ("", " after a pass", " after two passes")[p.passed]
        return "\n".join([*rows, f"{self.players[p.player]} to move{pass_text}"])

    def svg(self, p: Goban) -> str:
        """Draw the board, and a word that passes when it is clicked."""
        *rows, mover = self.show(p).split("\n")
        rows = [row.replace(" ", "") for row in rows]
        wide = self.columns
        names = [[self.name(row * wide + c) for c in range(wide)] for row in range(self.rows)]
        title = f"go: {' / '.join(rows)}, {mover}"
        return drawing.grid(rows, discs="XO", title=title, moves=names, aside="pass")

    def name(self, point: int) -> str:
        """Return the name of a point, its column and row, such as ``c2``; row 1 is below."""
        if point == PASS:
            return "pass"
        row, column = divmod(point, self.columns)
        return f"{'abcdefghjklmnopqrstuvwxyzABCDEF'[column]}{self.rows - row}"

    def parse(self, text: str) -> Goban:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        board, pass_count, player = text.strip(), 0, 0
        for number, words in ((2, " after two passes"), (1, " after a pass")):
            if board.endswith(words):
                board, pass_count = board.removesuffix(words), number
        for number, name in enumerate(self.players):
            if board.endswith(f"{name} to move"):
                board, player = board.removesuffix(f"{name} to move"), number
        rows = ["".join(row.split()) for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        marks = "".join(rows)
        fits = [len(row) for row in rows] == [self.columns] * self.rows
        if not fits or set(marks) - set("XO.*") or marks.count("*") > 1:
            message = (
                f"{text!r} is not {self.rows} rows of {self.columns} points; write X for black, O "
                "for white, . and * for a ko, rows separated by /, and then 'black to move'"
            )
            raise PositionError(message)
        black, white = (sum(1 << n for n, mark in enumerate(marks) if mark == own) for own in "XO")
        mine, theirs = (white, black) if player else (black, white)
        return Goban(mine, theirs, marks.find("*"), pass_count, player)
