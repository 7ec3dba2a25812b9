"""Connect Four, of any size and length of line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import ParameterError
from zermelo.game.placement import PlacementGame
from zermelo.game.placement import Stones as Board
from zermelo.games._checks import check_number

__all__ = ["Board", "ConnectFour"]

MOST_BITS = 63


@dataclass(frozen=True)
class ConnectFour(PlacementGame):
    """Two players drop stones into the columns of a board, and four in a row win.

    A row may run across, up or on either diagonal. Play stops at the first; a board that is full
    without one is a draw.

    Attributes:
        width: the number of columns.
        height: the number of squares in a column.
        length: how many stones in a row win.
    """

    width: int = 7
    height: int = 6
    length: int = 4

    gravity = True

    def lines(self) -> Iterator[tuple[int, ...]]:
        """Return each row of enough squares."""
        return self.straight(self.length)

    def has_line(self, stones: int) -> bool:
        """Whether enough of these stones are in a row, which shifts find quickest."""
        return self.has_row(stones)

    def has_row(self, stones: int) -> bool:
        """Whether enough of these stones are in a row, in one of the four directions."""
        return (
            has_run(stones, self.stride, self.length)
            or has_run(stones, 1, self.length)
            or has_run(stones, self.stride - 1, self.length)
            or has_run(stones, self.stride + 1, self.length)
        )

    def validate(self) -> None:
        """Raise ParameterError unless the board fits 63 bits."""
        check_number("width", self.width, 1, MOST_BITS)
        check_number("height", self.height, 1, MOST_BITS)
        check_number("length", self.length, 1, MOST_BITS)
        if self.width * self.stride > MOST_BITS:
            message = (
                f"a board of width {self.width!r} and height {self.height!r} takes "
                f"{self.width * self.stride} bits; keep width * (height + 1) to {MOST_BITS}"
            )
            raise ParameterError(message)


def has_run(stones: int, step: int, length: int) -> bool:
    """Whether some ``length`` stones lie ``step`` bits apart."""
    run = stones
    for _ in range(length - 1):
        run &= run >> step
    return run != 0
