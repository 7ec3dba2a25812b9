"""Hare and Hounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.drawing.points import points_board
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Subsets
from zermelo.games._checks import check_word, is_whole
from zermelo.games._sources import ENUMERATED
from zermelo.games.hunts._text import read_side
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN, Outcome

HOUNDS, HARE = 0, 1
SIDES = ("hounds", "hare")
LENGTHS = (3, 5, 7, 9)
#: The number of hounds, and of points in a column.
THREE = 3
_SOURCE = "github.com/edoannunziata/jardin at 4b599eb26eb2, misc/HareAndHounds.ipynb"


class HareHunt(NamedTuple):
    """The animals' points, and the side to move.

    Points are numbered column by column, from the top: 0 is the left end.

    Attributes:
        hounds: the points of the hounds, one bit per point.
        hare: the point of the hare.
        side: 0 if the hounds are to move, 1 if the hare is.
    """

    hounds: int
    hare: int
    side: int


@dataclass(frozen=True)
class HareAndHounds(Game):
    """Three hounds that cannot go back try to trap a hare, which tries to slip past them.

    The board is a strip of points, three in a column, with a point at each end. Each side in turn
    moves one animal along a line to an empty point; hounds never to a column on their left. The
    hounds win if the hare cannot move; the hare wins when no hound is in a column on its left.

    Attributes:
        columns: the number of columns of three points: 3, 5, 7 or 9.
        hounds: the points of the hounds at the start, such as ``"a2 b3 b1"``; by default at the
            left end.
        hare: the point of the hare at the start; by default the right end.
        first: the side that moves first, ``"hounds"`` or ``"hare"``.
    """

    columns: int = 3
    hounds: str = "a2 b3 b1"
    hare: str = ""
    first: str = "hounds"

    no_moves = LOSS

    facts = (
        Fact(
            {},
            "win",
            23,
            positions=2116,
            win=999,
            loss=574,
            endless=543,
            longest_win=27,
            longest_loss=28,
            source=ENUMERATED,
        ),
        Fact(
            {"columns": 5},
            "win",
            39,
            positions=15127,
            win=6707,
            loss=4436,
            endless=3984,
            longest_win=49,
            longest_loss=50,
            source=ENUMERATED,
        ),
        Fact({"hounds": "a2 b3 b1", "hare": "d3", "first": "hounds"}, "win", 23, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "b2", "first": "hounds"}, "win", 27, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "c2", "first": "hare"}, "loss", 28, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "d2", "first": "hare"}, "loss", 24, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "e2", "first": "hounds"}, "win", 23, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "e2", "first": "hare"}, "loss", 24, source=_SOURCE),
        Fact({"hounds": "a2 b3 b1", "hare": "d1", "first": "hounds"}, "win", 23, source=_SOURCE),
        Fact({"hounds": "b3 b1 c2", "hare": "c3", "first": "hare"}, "loss", 18, source=_SOURCE),
    )

    @property
    def players(self) -> tuple[str, str]:  # type: ignore[override]  # as a property may
        """The side that moves first, and the other side."""
        return ("hare", "hounds") if self.first == "hare" else SIDES

    @property
    def points(self) -> int:
        """The number of points."""
        return THREE * self.columns + 2

    @cached_property
    def near(self) -> list[list[int]]:
        """The points that lines join to each point."""
        neighbours: list[list[int]] = [[] for _ in range(self.points)]
        for a, b in self.lines:
            neighbours[a].append(b)
            neighbours[b].append(a)
        return [sorted(row) for row in neighbours]

    @cached_property
    def column(self) -> list[int]:
        """The column of each point, 0 at the left end."""
        return [(point + 2) // THREE for point in range(self.points)]

    def start(self) -> HareHunt:
        """Return the position that the parameters give."""
        hounds = sum(1 << self._point(name) for name in self.hounds.split())
        hare = self._point(self.hare) if self.hare else self.points - 1
        return HareHunt(hounds, hare, SIDES.index(self.first))

    def turn(self, p: HareHunt) -> int:
        """Return the number of the side to move."""
        return 1 - p.side if self.first == "hare" else p.side

    def outcome(self, p: HareHunt) -> Outcome | None:
        """Return the winner if the hare is past all hounds."""
        for point in range(self.points):
            if p.hounds >> point & 1 and self.column[point] < self.column[p.hare]:
                return None
        return WIN if p.side == HARE else LOSS

    def moves(self, p: HareHunt) -> Iterator[tuple[int, int]]:
        """Yield each step: from one place, to another."""
        occupied = p.hounds | 1 << p.hare
        for source in range(self.points):
            if p.side == HARE and source == p.hare:
                for target in self.near[source]:
                    if not occupied >> target & 1:
                        yield source, target
            elif p.side == HOUNDS and p.hounds >> source & 1:
                for target in self.near[source]:
                    if not occupied >> target & 1 and self.column[target] >= self.column[source]:
                        yield source, target

    def play(self, p: HareHunt, move: tuple[int, int]) -> HareHunt:
        """Return the position after a step."""
        source, target = move
        if p.side == HARE:
            return HareHunt(p.hounds, target, HOUNDS)
        return HareHunt(p.hounds & ~(1 << source) | 1 << target, p.hare, HARE)

    def level(self, p: HareHunt) -> int:
        """Return the number of columns that the hounds have advanced in all."""
        advance = 0
        for point in range(self.points):
            advance += (p.hounds >> point & 1) * self.column[point]
        return advance

    def symmetries(self) -> Symmetry:
        """Return the mirror image, top and bottom exchanged."""
        mirror = [self._at(column, 2 - row) for column, row in map(self._place, range(self.points))]
        return Symmetry((tuple(mirror),), masks=("hounds",), squares=("hare",))

    def space(self) -> HareHunt:
        """Return the range of each field; the number of hounds is fixed."""
        hounds: Any = Subsets(self.points, THREE)
        hare: Any = range(self.points)
        side: Any = range(2)
        return HareHunt(hounds, hare, side)

    def validate(self) -> None:
        """Raise ParameterError unless the animals stand on different points of the board."""
        if not is_whole(self.columns) or self.columns not in LENGTHS:
            message = f"columns must be 3, 5, 7 or 9, not {self.columns!r}; give one of them"
            raise ParameterError(message)
        check_word("first", self.first, SIDES)
        point_names = [self._name(point) for point in range(self.points)]
        for name, text in (("hounds", self.hounds), ("hare", self.hare or point_names[-1])):
            names = str(text).split()
            wrong = next((word for word in names if word not in point_names), None)
            if wrong is not None:
                message = f"{name}: {wrong!r} is not a point of the board; give some of "
                raise ParameterError(message + " ".join(point_names))
            count = THREE if name == "hounds" else 1
            if len(set(names)) != count or len(names) != count:
                message = f"{name} {text!r} must be {count} different points; write one such as "
                raise ParameterError(message + repr(" ".join(point_names[:count])))
        if self.hare in self.hounds.split():
            message = f"hare {self.hare!r} stands on a hound's point; move one of them"
            raise ParameterError(message)

    # -- the board, text and pictures --------------------------------------------------------------

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """The pairs of points that a line joins.

        From the middle point of every other column, lines also go diagonally.
        """
        pairs = set()
        for column in range(1, self.columns + 1):
            top, middle, bottom = (self._at(column, row) for row in range(THREE))
            pairs |= {(top, middle), (middle, bottom)}
            if column < self.columns:
                pairs |= {(point, point + THREE) for point in (top, middle, bottom)}
            if column % 2 == 0:
                pairs |= {(middle, other) for other in (top - 3, top + 3, bottom - 3, bottom + 3)}
        pairs |= {(0, point) for point in (1, 2, 3)}
        pairs |= {(self.points - 1, self.points - 1 - point) for point in (1, 2, 3)}
        return sorted({(min(pair), max(pair)) for pair in pairs})

    def name(self, move: tuple[int, int]) -> str:
        """Return both points of a step, such as ``a2b2``."""
        return "".join(map(self._name, move))

    def show(self, p: HareHunt) -> str:
        """Return the board, ``X`` for the hounds and ``O`` for the hare, and the side to move."""
        marks = self._marks(p)
        rows = [[" "] * (self.columns + 2) for _ in range(THREE)]
        for point, mark in enumerate(marks):
            column, row = self._place(point)
            rows[row][column] = mark
        text = [" ".join(row).rstrip() for row in rows]
        return "\n".join([*text, f"{SIDES[p.side]} to move"])

    def svg(self, p: HareHunt) -> str:
        """Draw the board."""
        spots = [self._place(point) for point in range(self.points)]
        names = [self._name(point) for point in range(self.points)]
        hound_names = ", ".join(names[i] for i in range(self.points) if p.hounds >> i & 1)
        title = f"hounds {hound_names}, hare {names[p.hare]}, {SIDES[p.side]} to move"
        return points_board(spots, self.lines, self._marks(p), title=title, moves=names)

    def parse(self, text: str) -> HareHunt:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board with a hare and three hounds.
        """
        board, side = read_side(text, SIDES)
        marks = "".join(board.replace("/", " ").split())
        if (
            len(marks) != self.points
            or (marks.count("O"), marks.count("X")) != (1, THREE)
            or set(marks) - set("XO.")
        ):
            message = (
                f"{text!r} is not a board of {self.points} points with three X and one O; write "
                "the three rows from the top, separated by /"
            )
            raise PositionError(message)
        order = sorted(range(self.points), key=lambda point: self._place(point)[::-1])
        hounds = sum(1 << i for i, mark in zip(order, marks, strict=True) if mark == "X")
        return HareHunt(hounds, order[marks.index("O")], side)

    def _marks(self, p: HareHunt) -> str:
        return "".join(
            "O" if point == p.hare else "X" if p.hounds >> point & 1 else "."
            for point in range(self.points)
        )

    def _place(self, point: int) -> tuple[int, int]:
        """Return the column and row of a point; the ends are in the middle row."""
        column = (point + 2) // THREE
        return column, 1 if column in (0, self.columns + 1) else (point - 1) % THREE

    def _at(self, column: int, row: int) -> int:
        if column == 0:
            return 0
        return self.points - 1 if column > self.columns else THREE * column - 2 + row

    def _name(self, point: int) -> str:
        column, row = self._place(point)
        return f"{'abcdefghijk'[column]}{3 - row}"

    def _point(self, name: str) -> int:
        return next(i for i in range(self.points) if self._name(i) == name)
