"""Northcott's game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED, WINNING_WAYS
from zermelo.games.strips._strip import MOST_SQUARES, letters

_SOURCE = f"{WINNING_WAYS}, Nim in disguise; lengths and counts: {ENUMERATED}"


class MenInRows(NamedTuple):
    """The column of each player's man on each row, and the player to move.

    Attributes:
        white: the columns of White's men, the top row first.
        black: the columns of Black's men.
        player: 0 if White is to move, and 1 if Black is.
    """

    white: tuple[int, ...]
    black: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class Northcott(Game):
    """Move a man along its row, not over the other one; a player who cannot move loses.

    MenInRows may move back, too, and yet nobody can play for a draw.

    Attributes:
        squares: the number of squares of each row.
        rows: for each row the column of White's man and of Black's; the leftmost column is 0.
    """

    title = "Northcott's Game"

    squares: int = 5
    rows: Sequence[Sequence[int]] = ((0, 4), (1, 4))

    players = ("White", "Black")

    facts = tuple(
        Fact(
            {"squares": squares, "rows": rows},
            value,
            plies,
            positions=wins + losses,
            win=wins,
            loss=losses,
            endless=0,
            source=_SOURCE,
        )
        for squares, rows, value, plies, wins, losses in (
            (4, [[0, 3], [0, 3]], "loss", 8, 44, 26),
            (5, [[0, 4], [1, 4]], "win", 9, 140, 58),
            (4, [[0, 3]], "win", 1, 3, 3),
        )
    )

    def start(self) -> MenInRows:
        """Return the men, White to move."""
        white = tuple(row[0] for row in self.rows)
        return MenInRows(white, tuple(row[1] for row in self.rows), 0)

    def turn(self, men: MenInRows) -> int:
        """Return the player to move."""
        return men.player

    def moves(self, men: MenInRows) -> Iterator[tuple[int, int]]:
        """Yield each row with each column that the player's man can move to."""
        own_columns, their_columns = (
            (men.white, men.black) if men.player == 0 else (men.black, men.white)
        )
        for row in range(len(own_columns)):
            own_column, their_column = own_columns[row], their_columns[row]
            for target in range(self.squares):
                if (
                    target != own_column
                    and (target < their_column) == (own_column < their_column)
                    and target != their_column
                ):
                    yield row, target

    def play(self, men: MenInRows, move: tuple[int, int]) -> MenInRows:
        """Return the men after a move."""
        row, target = move
        if men.player == 0:
            return MenInRows(put(men.white, row, target), men.black, 1)
        return MenInRows(men.white, put(men.black, row, target), 0)

    def space(self) -> Any:
        """Return the range of each field."""
        columns: Any = range(self.squares)
        return MenInRows(columns, columns, range(2))  # type: ignore[arg-type]  # ranges of them

    def validate(self) -> None:
        """Raise ParameterError unless the men of each row stand on two of its squares."""
        check_number("squares", self.squares, 2, MOST_SQUARES)
        rows: Any = self.rows
        columns = range(self.squares)
        good = isinstance(rows, tuple) and 1 <= len(rows) <= MOST_SQUARES
        for row in rows if good else ():
            good = good and isinstance(row, tuple) and len({*row}) == len(row) == 2
            good = good and all(column in columns for column in row)
        if not good:
            message = (
                f"rows must give two different columns below {self.squares} for each row, not "
                f"{rows!r}; write such as [[0, 4], [1, 4]]"
            )
            raise ParameterError(message)

    def show(self, men: MenInRows) -> str:
        """Return the rows, ``W`` and ``B`` for the men, and the player to move."""
        return "\n".join([*self.board(men), f"{self.players[men.player]} to move"])

    def board(self, men: MenInRows) -> list[str]:
        """Return the rows as text."""
        rows = []
        for white, black in zip(men.white, men.black, strict=True):
            row = ["."] * self.squares
            row[white], row[black] = "W", "B"
            rows.append("".join(row))
        return rows

    def svg(self, men: MenInRows) -> str:
        """Draw the board; a click on a square moves the man of that row there."""
        rows = range(len(self.rows))
        moves = [[self.name((row, column)) for column in range(self.squares)] for row in rows]
        column_labels = letters(self.squares)
        board, title = self.board(men), self.show(men)
        return drawing.grid(board, title=title, discs="WB", below=column_labels, moves=moves)

    def name(self, move: tuple[int, int]) -> str:
        """Return the name of the square that a man moves to; ``a1`` is at the top left."""
        row, column = move
        return f"{letters(MOST_SQUARES)[column]}{row + 1}"

    def parse(self, text: str) -> MenInRows:
        """Read rows as ``show`` writes them; without a turn, White is to move."""
        board, player = text.strip(), 0
        for number, name in enumerate(self.players):
            if board.endswith(f"{name} to move"):
                board, player = board.removesuffix(f"{name} to move"), number
        rows = board.replace("/", "\n").split()
        if len(rows) != len(self.rows) or any(
            sorted(row) != sorted("WB".ljust(self.squares, ".")) for row in rows
        ):
            message = (
                f"{text!r} is not {len(self.rows)} rows of {self.squares} squares with W and B on "
                f"each; write one such as {' / '.join(self.board(self.start()))!r}"
            )
            raise PositionError(message)
        white, black = (tuple(row.index(man) for row in rows) for man in "WB")
        return MenInRows(white, black, player)
