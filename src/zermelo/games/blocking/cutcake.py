"""Cutcake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import CGSUITE

#: The most rows, and the most columns.
MOST = 8


class Pieces(NamedTuple):
    """The pieces of a cake, and the player to move.

    Attributes:
        counts: the number of pieces of each size, by rows and then by columns; single squares,
            which nobody can cut, are not counted.
        player: the player to move: 0 cuts upright, 1 across.
    """

    counts: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Cutcake(Game):
    """One player cuts pieces of a cake upright, the other across; whoever cannot cut one loses.

    A cut goes along a line between squares, from edge to edge of one piece.

    Attributes:
        rows: the number of rows of squares.
        columns: the number of columns of squares.
    """

    rows: int = 4
    columns: int = 5

    players = ("vertical", "horizontal")

    facts = (
        Fact({"rows": 8, "columns": 1}, "loss", source=CGSUITE),
        Fact({"rows": 8, "columns": 3}, "loss", source=CGSUITE),
        Fact({"rows": 4, "columns": 4}, "loss", source=CGSUITE),
    )

    def start(self) -> Pieces:
        """Return the whole cake."""
        counts = [0] * (self.rows * self.columns)
        counts[-1] = int(len(counts) > 1)
        return Pieces(tuple(counts), 0)

    def turn(self, p: Pieces) -> int:
        """Return the player to move."""
        return p.player

    def moves(self, p: Pieces) -> Iterator[tuple[int, int]]:
        """Yield the size of each piece that can be cut, and the squares on one side of the cut."""
        for size in range(self.rows * self.columns):
            if p.counts[size]:
                length = size // self.columns + 1 if p.player else size % self.columns + 1
                for part in range(1, length // 2 + 1):
                    yield size, part

    def play(self, p: Pieces, cut: tuple[int, int]) -> Pieces:
        """Return the pieces after a cut."""
        size, part = cut
        row, column = size // self.columns, size % self.columns
        step, length = (self.columns, row + 1) if p.player else (1, column + 1)
        counts = put(p.counts, size, p.counts[size] - 1)
        for other in (part, length - part):
            smaller = size - (length - other) * step
            if smaller:
                counts = put(counts, smaller, counts[smaller] + 1)
        return Pieces(counts, 1 - p.player)

    def split(self, p: Pieces) -> Iterator[Pieces]:
        """Yield each piece alone."""
        nothing = p.counts
        for size in range(self.rows * self.columns):
            nothing = put(nothing, size, 0)
        for size in range(self.rows * self.columns):
            for _ in range(p.counts[size]):
                yield Pieces(put(nothing, size, 1), p.player)

    def space(self) -> Any:
        """Return the range of each field: no more pieces than fit the cake side by side."""
        most = tuple(
            range((self.rows // row) * (self.columns // column) + 1 if row * column > 1 else 1)
            for row in range(1, self.rows + 1)
            for column in range(1, self.columns + 1)
        )
        return Pieces(most, range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless the cake has a size, and not too large a one."""
        check_number("rows", self.rows, 1, MOST)
        check_number("columns", self.columns, 1, MOST)

    # -- text and pictures ----------------------------------------------------------------------

    @cached_property
    def sizes(self) -> list[str]:
        """The name of each size, its rows and columns, such as ``2x3``."""
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        return [f"{row}x{column}" for row in rows for column in columns]

    def pieces(self, p: Pieces) -> list[int]:
        """Return the size of each piece, the largest numbers first."""
        return [size for size in range(len(p.counts) - 1, 0, -1) for _ in range(p.counts[size])]

    def show(self, p: Pieces) -> str:
        """Return the pieces, rows first, and the turn, such as ``2x3 1x3, vertical to move``."""
        pieces = " ".join(self.sizes[size] for size in self.pieces(p)) or "crumbs"
        return f"{pieces}, {self.players[p.player]} to move"

    def svg(self, p: Pieces) -> str:
        """Draw the pieces side by side; click a square to cut after it, or below it."""
        pieces = self.pieces(p)
        height = max((size // self.columns + 1 for size in pieces), default=1)
        rows, names = [""] * height, [[] for _ in range(height)]  # type: list[str], list[list[str]]
        for size in pieces:
            tall, broad = size // self.columns + 1, size % self.columns + 1
            length = tall if p.player else broad
            for row in range(height):
                gap = 1 if rows[row] else 0
                rows[row] += " " * gap + ("." if row < tall else " ") * broad
                names[row] += [""] * gap
                for column in range(broad):
                    place = row + 1 if p.player else column + 1
                    can_cut = row < tall and place < length
                    cut = min(place, length - place)
                    names[row].append(self.name((size, cut)) if can_cut else "")
        rows = [row or " " for row in rows]
        return drawing.grid(rows, title=self.show(p), moves=names)

    def name(self, cut: tuple[int, int]) -> str:
        """Return the piece and where it is cut, such as ``2x3/1``."""
        size, part = cut
        return f"{self.sizes[size]}/{part}"

    def parse(self, text: str) -> Pieces:
        """Read pieces as ``show`` writes them; without a turn, the first player is to move."""
        words, _, turn = text.partition(",")
        found = Counter(word for word in words.split() if word not in {"crumbs", "1x1"})
        wrong = sorted(found.keys() - set(self.sizes))
        player = int(turn.strip().startswith(self.players[1]))
        counts = tuple(found[name] for name in self.sizes)
        area = sum(
            count * (size // self.columns + 1) * (size % self.columns + 1)
            for size, count in enumerate(counts)
        )
        if wrong or area > self.rows * self.columns:
            message = (
                f"{text!r} has {wrong[0]!r}" if wrong else f"the pieces of {text!r} are too large"
            )
            message += f"; write pieces of {self.sizes[-1]} such as '{self.sizes[-1]}'"
            raise PositionError(message)
        return Pieces(counts, player)
