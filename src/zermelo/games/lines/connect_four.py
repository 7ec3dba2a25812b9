"""Connect Four, of any size and length of line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zermelo.errors import ParameterError
from zermelo.game.facts import Fact
from zermelo.game.placement import PlacementGame
from zermelo.game.placement import Stones as Board
from zermelo.games._checks import check_number
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, WIN

__all__ = ["Board", "ConnectFour"]

MOST_BITS = 63

_TROMP = "Tromp, tromp.github.io/c4/c4.html"
_BOTH = f"{_TROMP}; Steininger, github.com/ChristopheSteininger/c4"


@dataclass(frozen=True)
class ConnectFour(PlacementGame):
    """Two players drop stones into the columns of a board, and four in a row win.

    A row may run across, up or on either diagonal. Play stops at the first; a board that is full
    without one is a draw.

    Attributes:
        width: the number of columns.
        height: the number of squares in a column.
        length: the number of stones in a row that win.
    """

    width: int = 5
    height: int = 4
    length: int = 4

    gravity = True
    #: Tables have each position and its mirror image, and both count; proofs store one.
    folded_tables = False

    facts = (
        Fact({"width": 4, "height": 3}, positions=12031, source=_TROMP),
        Fact({"width": 5, "height": 3}, positions=158911, source=_TROMP),
        Fact({"width": 6, "height": 3}, positions=2087325, source=_TROMP),
        Fact({"width": 7, "height": 3}, positions=27441956, source=_TROMP),
        Fact({"width": 4, "height": 4}, "tie", 16, positions=161029, source=_BOTH),
        Fact({"width": 5, "height": 4}, "tie", 20, positions=3945711, source=_BOTH),
        Fact({"width": 6, "height": 4}, positions=94910577, source=_TROMP),
        Fact(
            {"width": 4, "height": 7},
            "tie",
            28,
            positions=135385909,
            checked=False,
            note="more than the tests have time for",
            source=_BOTH,
        ),
        Fact(
            {"width": 7, "height": 6},
            "win",
            41,
            positions=4531985219092,
            checked=False,
            note="far too large to solve position by position",
            source=_BOTH,
        ),
    )

    def lines(self) -> Iterator[tuple[int, ...]]:
        """Return each row of enough squares."""
        return self.straight(self.length)

    def has_line(self, stones: int) -> bool:
        """Return whether enough of these stones are in a row, by shifts, which are fastest."""
        return self.has_row(stones)

    def has_row(self, stones: int) -> bool:
        """Return whether enough of these stones are in a row, in one of the four directions."""
        return (
            has_run(stones, self.stride, self.length)
            or has_run(stones, 1, self.length)
            or has_run(stones, self.stride - 1, self.length)
            or has_run(stones, self.stride + 1, self.length)
        )

    def symmetries(self) -> Symmetry:
        """Return the reflection of left and right; the bits above columns, never set, stay."""
        mirror = list(range(self.width * self.stride - 1))
        for bit in mirror[:]:
            column, row = divmod(bit, self.stride)
            if row < self.height:
                mirror[bit] = (self.width - 1 - column) * self.stride + row
        return Symmetry((tuple(mirror),), masks=("mine", "theirs"))

    # -- hints for zermelo.prove ----------------------------------------------------------------

    @property
    def feet(self) -> int:
        """The lowest square of each column."""
        return sum(1 << column * self.stride for column in range(self.width))

    def completing(self, stones: int) -> int:
        """Return the free squares that would complete a row of these stones.

        Some occupied squares are among them. A square with a stone above it is occupied, so that
        columns are looked at from below alone.
        """
        squares = self.full_mask
        for i in range(1, self.length):
            squares &= stones << i & self.full_mask
        for step in (self.stride - 1, self.stride, self.stride + 1):
            before = self.full_mask  # squares with ``gap`` stones before them
            shifted = stones
            for gap in range(self.length):
                after = -1
                for i in range(1, self.length - gap):
                    after &= stones >> i * step
                squares |= before & after
                shifted = shifted << step & self.full_mask
                before &= shifted
        return squares

    def promise(self, board: Board, column: int) -> int:
        """Return the priority of a move: by the threats it makes, then by how central it is."""
        stones = board.mine | board.theirs
        stone = stones + (1 << column * self.stride) & ~stones
        threats = self.completing(board.mine | stone) & ~stones & ~stone
        return self.width * threats.bit_count() - abs(2 * column - self.width + 1) // 2

    def bounds(self, board: Board) -> tuple[int, int]:
        """Return bounds of the outcome by a look two moves ahead: a row now, or a forced one."""
        playable = self.playable(board)
        if self.completing(board.mine) & playable:
            return WIN, WIN
        if not self.saving(board, playable):
            return LOSS, LOSS
        return LOSS, WIN

    def enough(self, board: Board) -> Iterator[int]:
        """Yield the moves that complete a row; if none does, those that do not lose at once."""
        playable = self.playable(board)
        squares = self.completing(board.mine) & playable
        if not squares:
            squares = self.saving(board, playable)
        for column in range(self.width):
            if squares >> column * self.stride & (1 << self.height) - 1:
                yield column

    def playable(self, board: Board) -> int:
        """Return the square of each column to which the next stone falls."""
        return (board.mine | board.theirs) + self.feet & self.full_mask

    def saving(self, board: Board, playable: int) -> int:
        """Return the playable squares after which the opponent cannot complete a row at once."""
        losing = self.completing(board.theirs)
        forced = losing & playable
        if forced:
            if forced & forced - 1:
                return 0  # both cannot be stopped
            playable = forced
        return playable & ~(losing >> 1)  # on top of the others the opponent completes one

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
    """Return whether some ``length`` stones lie ``step`` bits apart."""
    run = stones
    for _ in range(length - 1):
        run &= run >> step
    return run != 0
