"""Base classes of games of marks on the squares of a board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import ParameterError
from zermelo.game.placement import MOST_BITS, PlacementGame
from zermelo.games._checks import check_number


class RowsOfSquares(PlacementGame):
    """A placement game whose board has rows and columns, and whose lines have one length."""

    if TYPE_CHECKING:

        @property
        def rows(self) -> int:
            """The number of rows."""

        @property
        def columns(self) -> int:
            """The number of columns."""

        @property
        def length(self) -> int:
            """The number of cells in a line."""

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.columns

    @property
    def height(self) -> int:
        """The number of rows."""
        return self.rows

    def validate(self) -> None:
        """Raise ParameterError unless the board has squares, and fits into its bits."""
        for name in ("rows", "columns", "length"):
            check_number(name, getattr(self, name), 1, MOST_BITS)
        if self.rows * self.columns > MOST_BITS:
            message = (
                f"{self.rows!r} rows of {self.columns!r} columns have {self.rows * self.columns} "
                f"squares; keep to {MOST_BITS}"
            )
            raise ParameterError(message)
