"""Qubic: tic-tac-toe in a box."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from zermelo import drawing
from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.game.placement import MOST_BITS, PlacementGame
from zermelo.games._checks import check_number
from zermelo.games._sources import COUNTED_IN_PYTHON


@dataclass(frozen=True)
class Qubic(PlacementGame):
    """Two players mark the cells of a box of several layers, and a row of a given length wins.

    A row may run along an edge, or diagonally within a layer or through the box.

    Attributes:
        layers: the number of layers.
        rows: the number of rows of a layer.
        columns: the number of columns of a layer.
        length: the number of marks in a row that win.
        line_loses: whether a player who makes a row loses (misère) instead.
    """

    layers: int = 2
    rows: int = 2
    columns: int = 3
    length: int = 3
    line_loses: bool = False

    facts = (
        Fact(
            {},
            "tie",
            12,
            positions=133627,
            win=36234,
            loss=12240,
            tie=85153,
            longest_win=1,
            longest_loss=0,
            source=COUNTED_IN_PYTHON,
        ),
        Fact(
            {"columns": 2, "length": 2},
            "win",
            3,
            positions=233,
            win=57,
            loss=176,
            longest_win=3,
            longest_loss=2,
            source=COUNTED_IN_PYTHON,
        ),
    )

    @property
    def width(self) -> int:
        """The number of cells that are shown side by side: a row of every layer."""
        return self.layers * self.columns

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.rows

    def lines(self) -> Iterator[tuple[int, ...]]:
        """Yield each row of enough cells, in thirteen directions."""
        box = (self.layers, self.rows, self.columns)
        steps = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]
        for corner in product(*map(range, box)):
            for step in steps if self.length > 1 else steps[:1]:
                ends = (at + (self.length - 1) * by for at, by in zip(corner, step, strict=True))
                if all(0 <= end < size for end, size in zip(ends, box, strict=True)):
                    yield tuple(
                        self.cell(*(at + i * by for at, by in zip(corner, step, strict=True)))
                        for i in range(self.length)
                    )

    def cell(self, layer: int, row: int, column: int) -> int:
        """Return the bit of a cell."""
        bit: int = self.bit(layer * self.columns + column, row)
        return bit

    def svg(self, board: Any) -> str:
        """Draw the layers side by side."""
        rows = self._rows(*self._crosses_and_rings(board))
        moves = [
            [
                name
                for layer in range(self.layers)
                for name in (
                    *(self.name(self.cell(layer, row, column)) for column in range(self.columns)),
                    "",
                )
            ]
            for row in range(self.rows)
        ]
        return drawing.grid(rows, title=f"qubic: {' / '.join(rows)}", moves=moves)

    def _rows(self, crosses: int, rings: int) -> list[str]:
        return [
            " ".join(row[at : at + self.columns] for at in range(0, len(row), self.columns))
            for row in super()._rows(crosses, rings)
        ]

    def validate(self) -> None:
        """Raise ParameterError unless the box has cells, and fits into its bits."""
        for name in ("layers", "rows", "columns", "length"):
            check_number(name, getattr(self, name), 1, MOST_BITS)
        cells = self.layers * self.rows * self.columns
        if cells > MOST_BITS:
            message = (
                f"{self.layers!r} layers of {self.rows!r} rows of {self.columns!r} columns have "
                f"{cells} cells; keep to {MOST_BITS}"
            )
            raise ParameterError(message)
