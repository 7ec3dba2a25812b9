"""Fox and Hounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Subsets
from zermelo.games._checks import check_word, is_whole
from zermelo.games._sources import ENUMERATED, GAMESMAN
from zermelo.games.hunts._text import read_side
from zermelo.values.outcomes import LOSS, WIN, Outcome

HOUNDS, FOX = 0, 1
SIDES = ("hounds", "fox")
SIZES = (4, 6, 8, 10)


class FoxHunt(NamedTuple):
    """The animals' squares, and the side to move; dark squares count from 0 at the top.

    Attributes:
        hounds: the squares of the hounds, one bit per dark square.
        fox: the dark square of the fox.
        side: 0 if the hounds are to move, 1 if the fox is.
    """

    hounds: int
    fox: int
    side: int


@dataclass(frozen=True)
class FoxAndHounds(Game):
    """A fox on a draughts board tries to get past a row of hounds, which cannot go back.

    All move on the dark squares, one step at a slant to an empty square: a hound only down, the fox
    up too. Nobody is taken. The fox wins when it has escaped, or if no hound can move; the hounds
    win if the fox cannot move.

    Attributes:
        size: the number of rows and of columns: 4, 6, 8 or 10. There are half as many hounds.
        fox: the square on which the fox begins, such as e1, a dark one of the lowest row.
        first: the side that moves first, ``"fox"`` or ``"hounds"``.
        escape: when the fox has escaped: ``"row"`` if it is on the highest row, ``"past"`` as soon
            as no hound is above it.
    """

    size: int = 8
    fox: str = "e1"
    first: str = "fox"
    escape: str = "row"

    no_moves = LOSS

    facts = (
        Fact(
            {"size": 8, "fox": "g1", "first": "hounds", "escape": "past"},
            "win",
            43,
            positions=778771,
            win=399614,
            loss=379157,
            longest_win=43,
            longest_loss=42,
            source=GAMESMAN,
        ),
        Fact(
            {"size": 8, "fox": "a1", "first": "hounds", "escape": "past"},
            "win",
            43,
            positions=775793,
            win=397746,
            loss=378047,
            longest_win=43,
            longest_loss=42,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 8, "fox": "e1", "first": "fox", "escape": "row"},
            "loss",
            44,
            positions=895280,
            win=439003,
            loss=456277,
            longest_win=43,
            longest_loss=44,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 6, "fox": "a1", "first": "fox", "escape": "row"},
            "win",
            25,
            positions=10214,
            win=5001,
            loss=5213,
            longest_win=25,
            longest_loss=24,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 6, "fox": "e1", "first": "hounds", "escape": "row"},
            "win",
            21,
            positions=10115,
            win=5006,
            loss=5109,
            longest_win=21,
            longest_loss=20,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 4, "fox": "a1", "first": "fox", "escape": "row"},
            "loss",
            8,
            positions=110,
            win=52,
            loss=58,
            longest_win=7,
            longest_loss=8,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 4, "fox": "c1", "first": "hounds", "escape": "past"},
            "win",
            7,
            positions=90,
            win=47,
            loss=43,
            longest_win=7,
            longest_loss=6,
            source=ENUMERATED,
        ),
    )

    @property
    def players(self) -> tuple[str, str]:  # type: ignore[override]  # as a property may
        """The side that moves first, and the other side."""
        return ("fox", "hounds") if self.first == "fox" else SIDES

    @property
    def half(self) -> int:
        """The number of dark squares in a row, which is also the number of hounds."""
        return self.size // 2

    @cached_property
    def down(self) -> list[list[int]]:
        """For each dark square, the dark squares below it."""
        return [self._beside(square, 1) for square in range(self.size * self.half)]

    @cached_property
    def up(self) -> list[list[int]]:
        """For each dark square, the dark squares above it."""
        return [self._beside(square, -1) for square in range(self.size * self.half)]

    def start(self) -> FoxHunt:
        """Return the hounds on the highest row and the fox on its square of the lowest."""
        return FoxHunt((1 << self.half) - 1, self._square(self.fox), SIDES.index(self.first))

    def turn(self, p: FoxHunt) -> int:
        """Return the number of the side to move."""
        return 1 - p.side if self.first == "fox" else p.side

    def outcome(self, p: FoxHunt) -> Outcome | None:
        """Return the winner if the fox has escaped."""
        row = p.fox // self.half
        hounds_above = p.hounds & (1 << row * self.half) - 1
        if row == 0 or (self.escape == "past" and hounds_above == 0):
            return WIN if p.side == FOX else LOSS
        return None

    def moves(self, p: FoxHunt) -> Iterator[tuple[int, int]]:
        """Yield each step of the side to move: from a square, to a square."""
        occupied = p.hounds | 1 << p.fox
        if p.side == FOX:
            for target in self.up[p.fox]:
                if not occupied >> target & 1:
                    yield p.fox, target
        for source in range(self.size * self.half):
            if (p.side == FOX and source == p.fox) or (p.side == HOUNDS and p.hounds >> source & 1):
                for target in self.down[source]:
                    if not occupied >> target & 1:
                        yield source, target

    def play(self, p: FoxHunt, move: tuple[int, int]) -> FoxHunt:
        """Return the position after a step."""
        source, target = move
        if p.side == FOX:
            return FoxHunt(p.hounds, target, HOUNDS)
        return FoxHunt(p.hounds & ~(1 << source) | 1 << target, p.fox, FOX)

    def level(self, p: FoxHunt) -> int:
        """Return the number of rows that the hounds have come down in all."""
        rows = 0
        for row in range(1, self.size):
            rows += row * (p.hounds >> row * self.half & (1 << self.half) - 1).bit_count()
        return rows

    def space(self) -> FoxHunt:
        """Return the range of each field; the number of hounds is fixed."""
        squares = self.size * self.half
        hounds: Any = Subsets(squares, self.half)
        fox: Any = range(squares)
        side: Any = range(2)
        return FoxHunt(hounds, fox, side)

    def validate(self) -> None:
        """Raise ParameterError unless the size is valid and the fox has a dark square below."""
        if not is_whole(self.size) or self.size not in SIZES:
            message = f"size must be 4, 6, 8 or 10, not {self.size!r}; give one of them"
            raise ParameterError(message)
        check_word("first", self.first, ("fox", "hounds"))
        check_word("escape", self.escape, ("row", "past"))
        last = self.size * (self.half - 1) + self.half
        squares = [self._name(last - self.half + i) for i in range(self.half, 2 * self.half)]
        if self.fox not in squares:
            message = f"fox {self.fox!r} is not a dark square of the lowest row; give one of "
            raise ParameterError(message + ", ".join(squares))

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, int]) -> str:
        """Return both squares of a step, such as ``e1f2``."""
        return "".join(map(self._name, move))

    def show(self, p: FoxHunt) -> str:
        """Return the board, ``F`` for the fox and ``H`` for the hounds, and the side to move."""
        return "\n".join([*(" ".join(row) for row in self._rows(p)), f"{SIDES[p.side]} to move"])

    def svg(self, p: FoxHunt) -> str:
        """Draw the board."""
        rows = self._rows(p)
        letters = "abcdefghij"[: self.size]
        names = [[f"{letter}{self.size - row}" for letter in letters] for row in range(self.size)]
        title = f"{' / '.join(rows)}, {SIDES[p.side]} to move"
        return drawing.grid(rows, title=title, discs="FH", below=letters, moves=names)

    def parse(self, text: str) -> FoxHunt:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board with a fox and all hounds on dark squares.
        """
        board, side = read_side(text, SIDES)
        rows = ["".join(row.split()) for row in board.replace("/", "\n").splitlines()]
        rows = [row for row in rows if row]
        squares_by_mark: dict[str, list[int]] = {"F": [], "H": []}
        if [len(row) for row in rows] == [self.size] * self.size:
            for row, marks in enumerate(rows):
                for column, mark in enumerate(marks):
                    if (row + column) % 2 and mark in squares_by_mark:
                        squares_by_mark[mark].append(row * self.half + column // 2)
        marks = "".join(rows)
        if (
            (len(squares_by_mark["F"]), len(squares_by_mark["H"])) != (1, self.half)
            or (marks.count("F"), marks.count("H")) != (1, self.half)
            or set(marks) - set("FH.")
        ):
            message = (
                f"{text!r} is not a board of {self.size} rows with F and {self.half} H on dark "
                "squares and . elsewhere; separate rows by /"
            )
            raise PositionError(message)
        return FoxHunt(
            sum(1 << square for square in squares_by_mark["H"]), squares_by_mark["F"][0], side
        )

    def _rows(self, p: FoxHunt) -> list[str]:
        marks = [["."] * self.size for _ in range(self.size)]
        for square in range(self.size * self.half):
            row, column = self._place(square)
            if square == p.fox:
                marks[row][column] = "F"
            elif p.hounds >> square & 1:
                marks[row][column] = "H"
        return ["".join(row) for row in marks]

    def _place(self, square: int) -> tuple[int, int]:
        row, place = divmod(square, self.half)
        return row, 2 * place + 1 - row % 2

    def _beside(self, square: int, down: int) -> list[int]:
        row, column = self._place(square)
        return [
            (row + down) * self.half + there // 2
            for there in (column - 1, column + 1)
            if 0 <= there < self.size and 0 <= row + down < self.size
        ]

    def _name(self, square: int) -> str:
        row, column = self._place(square)
        return f"{'abcdefghij'[column]}{self.size - row}"

    def _square(self, name: str) -> int:
        return next(i for i in range(self.size * self.half) if self._name(i) == name)
