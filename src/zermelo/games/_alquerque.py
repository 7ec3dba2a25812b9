"""Boards of Alquerque: points in rows and columns, every other one with slanted lines too.

Men step along lines to the next point, and jump along them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from zermelo.drawing.points import points_board
from zermelo.games._grids import GridGame

#: The eight directions, as rows down and columns right; each pair is opposite.
WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1))
_SLANTED = 4


class AlquerqueGame(GridGame):
    """A game on points that lines join along rows, columns, and every other diagonal.

    A subclass is a frozen dataclass with the fields ``rows`` and ``columns``. The point in the top
    left corner has a slanted line.
    """

    @property
    def missing(self) -> frozenset[int]:
        """The points of the rows and columns that the board lacks."""
        return frozenset()

    @cached_property
    def ways(self) -> list[list[list[int]]]:
        """For each point and each direction, the points along its line, nearest first.

        The opposite of direction ``w`` is direction ``w ^ 1``.
        """
        return [[self._line(point, way) for way in range(len(WAYS))] for point in range(self.cells)]

    @cached_property
    def near(self) -> list[int]:
        """For each point, the points that a step from there leads to, one bit each."""
        return [sum(1 << line[0] for line in lines if line) for lines in self.ways]

    @cached_property
    def jumps(self) -> list[list[list[int]]]:
        """For each point, each neighbour that can be jumped, with the point beyond it."""
        return [[line[:2] for line in lines if len(line) > 1] for lines in self.ways]

    def steps(self, men: int, free: int) -> Iterator[tuple[int, int]]:
        """Yield each step of some men to a free point beside them: from where, to where."""
        for source in range(self.cells):
            if men >> source & 1:
                targets = self.near[source] & free
                for target in range(self.cells):
                    if targets >> target & 1:
                        yield source, target

    def leaps(self, men: int, prey: int, free: int) -> Iterator[tuple[int, int]]:
        """Yield each jump of some men over a neighbour that is prey: from where, to where."""
        for source in range(self.cells):
            if men >> source & 1:
                for leapt, target in self.jumps[source]:
                    if prey >> leapt & 1 and free >> target & 1:
                        yield source, target

    def _line(self, point: int, direction: int) -> list[int]:
        row, column = divmod(point, self.columns)
        if point in self.missing or (direction >= _SLANTED and (row + column) % 2):
            return []
        line = self.ray(point, *WAYS[direction])
        ends = (i for i, other in enumerate(line) if other in self.missing)
        return line[: next(ends, len(line))]

    def board_picture(self, rows: Sequence[str], discs: str, title: str, aside: str = "") -> str:
        """Draw the lines and the men on their points, which can be clicked.

        Args:
            rows: each row as text, with a space for a place without a point.
            discs: the marks of the first and the second player's men in ``rows``.
            title: the title of the picture.
            aside: the name of a move that needs no point.
        """
        points = [point for point in range(self.cells) if point not in self.missing]
        place = {point: i for i, point in enumerate(points)}
        lines = [
            (place[point], place[line[0]])
            for point in points
            for line in self.ways[point][1::2]
            if line
        ] + [
            (place[point], place[self.ways[point][6][0]]) for point in points if self.ways[point][6]
        ]
        marks = "".join(rows)
        names = [self.cell_name(point) for point in points]
        return points_board(
            [(point % self.columns + 0.0, point // self.columns + 0.0) for point in points],
            lines,
            "".join(marks[point] for point in points).translate(str.maketrans(discs, "XO")),
            title=title,
            moves=names,
            labels=names,
            aside=aside,
        )
