"""Quarto, on boards and with pieces of any number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, Outcome

#: The most attributes, and the most cells on a side.
MOST = 4
#: The letters of the attributes; a capital letter is tall, dark, square or hollow.
LETTERS = "tdsh"


class QuartoBoard(NamedTuple):
    """The pieces on the board, and the piece to be put there next.

    Attributes:
        board: for each cell, row by row, the number of its piece plus 1, or 0.
        hand: the number of the piece given to the player to move, plus 1; 0 before the first is
            given.
    """

    board: tuple[int, ...]
    hand: int


@dataclass(frozen=True)
class Quarto(Game):
    """Put the piece you were given, and give one; a full line that has something in common wins.

    Every piece is tall or short, dark or light, and so on, each in another way. A line is a row, a
    column or a long diagonal. The first move only gives a piece. If all pieces are put, or the
    board is full, it is a tie.

    Attributes:
        size: the number of cells on each side of the board.
        attributes: the number of attributes in which pieces differ; there are 2 to that power
            pieces.
    """

    size: int = 2
    attributes: int = 3

    facts = (
        Fact(
            outcome="loss",
            remoteness=4,
            positions=5129,
            win=488,
            loss=4641,
            longest_win=3,
            longest_loss=4,
            source=ENUMERATED,
        ),
        Fact(
            {"attributes": 2},
            outcome="loss",
            remoteness=4,
            positions=293,
            win=84,
            loss=209,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 3, "attributes": 2},
            outcome="tie",
            remoteness=5,
            positions=6017,
            tie=6017,
            source=ENUMERATED,
        ),
        Fact(
            {"size": 4, "attributes": 4},
            "draw",
            checked=False,
            note="too many positions to solve here",
            source="Goossens (Zenodo, 2023), as the list awesome-game-solving has it",
        ),
    )

    def start(self) -> QuartoBoard:
        """Return the empty board, with no piece given."""
        return QuartoBoard((0,) * self.size**2, 0)

    def outcome(self, table: QuartoBoard) -> Outcome | None:
        """Return LOSS if the last piece completed a line, DRAW if no piece is left to put."""
        for line in self.lines:
            common = differ = self.pieces - 1
            for cell in line:
                piece = table.board[cell]
                common &= piece - 1 if piece else 0
                differ &= ~(piece - 1) if piece else 0
            if common or differ:
                return LOSS
        count = sum(1 for piece in table.board if piece)
        if count == self.size**2 or count == self.pieces:
            return DRAW
        return None

    def moves(self, table: QuartoBoard) -> Iterator[tuple[int, int]]:
        """Yield (cell, piece to give) for each move; the cell is -1 if nothing is put."""
        hand_piece = table.hand
        last = self._last(table)
        for cell in range(len(table.board)):
            if hand_piece and table.board[cell] == 0:
                if last:
                    yield cell, 0
                for piece in range(1, self.pieces + 1):
                    if not last and piece != hand_piece and piece not in table.board:
                        yield cell, piece
        if not hand_piece:
            for piece in range(1, self.pieces + 1):
                yield -1, piece

    def play(self, table: QuartoBoard, move: tuple[int, int]) -> QuartoBoard:
        """Return the board with the piece put, and the next given."""
        cell, piece = move
        if cell < 0:
            return QuartoBoard(table.board, piece)
        return QuartoBoard(put(table.board, cell, table.hand), piece)

    def _last(self, table: QuartoBoard) -> bool:
        """Return whether no piece can be given after this move."""
        count = sum(1 for piece in table.board if piece) + 1
        return count == self.size**2 or count == self.pieces

    @property
    def pieces(self) -> int:
        """The number of pieces."""
        return 1 << self.attributes

    @cached_property
    def lines(self) -> list[tuple[int, ...]]:
        """The cells of each row, column and long diagonal."""
        n = self.size
        across = [tuple(range(row * n, row * n + n)) for row in range(n)]
        down = [tuple(range(column, n * n, n)) for column in range(n)]
        return [
            *across,
            *down,
            tuple(range(0, n * n, n + 1)),
            tuple(range(n - 1, n * n - 1, n - 1)),
        ]

    def level(self, table: QuartoBoard) -> int:
        """Return twice the number of pieces that are put, plus 1 if one is given."""
        return 2 * sum(1 for piece in table.board if piece) + (1 if table.hand else 0)

    def symmetries(self) -> Symmetry:
        """Return the rotations and reflections of the board."""
        return Symmetry(grid(self.size, self.size), rows=("board",))

    def space(self) -> QuartoBoard:
        """Return the range of each field."""
        piece: Any = range(self.pieces + 1)
        return QuartoBoard(piece, piece)

    def validate(self) -> None:
        """Raise ParameterError unless there are a few cells and pieces."""
        check_number("size", self.size, 2, MOST)
        check_number("attributes", self.attributes, 1, MOST)

    def show(self, table: QuartoBoard) -> str:
        """Return the rows, a piece as a letter for each attribute, and the piece in hand."""
        words = [self._word(piece) for piece in table.board]
        rows = [" ".join(words[at : at + self.size]) for at in range(0, len(words), self.size)]
        return "\n".join([*rows, f"in hand {self._word(table.hand)}"])

    def svg(self, table: QuartoBoard) -> str:
        """Draw the board with the number of each piece, and below it the piece in hand."""
        marks = "".join("." if piece == 0 else f"{piece - 1:x}" for piece in table.board)
        rows = [
            marks[first_cell : first_cell + self.size]
            for first_cell in range(0, len(marks), self.size)
        ]
        moves = [
            [self._cell(row * self.size + c) for c in range(self.size)] for row in range(self.size)
        ]
        left = [p for p in range(1, self.pieces + 1) if p != table.hand and p not in table.board]
        rows += [" " * self.size]
        moves += [[""] * self.size]
        if table.hand:
            rows += [f"{table.hand - 1:x}"]
            moves += [[""]]
        for first_cell in range(0, len(left), self.size):
            rows += [
                "".join(f"{piece - 1:x}" for piece in left[first_cell : first_cell + self.size])
            ]
            moves += [[self._word(piece) for piece in left[first_cell : first_cell + self.size]]]
        title = "quarto: " + self.show(table).replace("\n", " / ")
        return drawing.grid(rows, title=title, moves=moves)

    def name(self, move: tuple[int, int]) -> str:
        """Return the cell and the piece given, such as ``a1TdS``."""
        cell, piece = move
        return (self._cell(cell) if cell >= 0 else "") + (self._word(piece) if piece else "")

    def parse(self, text: str) -> QuartoBoard:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        lines = [line.strip() for line in text.strip().replace("/", "\n").split("\n")]
        words = {self._word(piece): piece for piece in range(self.pieces + 1)}
        hand = lines.pop().removeprefix("in hand").strip() if "in hand" in lines[-1] else "?"
        rows = [line.split() for line in lines]
        cells = [word for row in rows for word in row]
        right = [len(row) for row in rows] == [self.size] * self.size
        if not right or hand not in words or not set(cells) <= set(words):
            message = (
                f"{text!r} is not {self.size} rows of {self.size} pieces and 'in hand' with one; "
                f"write a piece as {self._word(self.pieces)!r}, a letter an attribute, capital or "
                f"not, and {self._word(0)!r} for none"
            )
            raise PositionError(message)
        return QuartoBoard(tuple(words[cell] for cell in cells), words[hand])

    def _word(self, piece: int) -> str:
        if piece == 0:
            return "." * self.attributes
        letters = LETTERS[: self.attributes]
        return "".join(
            letter.upper() if piece - 1 >> n & 1 else letter for n, letter in enumerate(letters)
        )

    def _cell(self, cell: int) -> str:
        row, column = divmod(cell, self.size)
        return f"{'abcd'[column]}{self.size - row}"
