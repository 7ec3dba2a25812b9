"""Tic-tac-chec: chessmen that line up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.games.chess._men import FIGURES, LETTERS
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome

PAWN, KNIGHT, BISHOP, ROOK = range(4)
#: The letter of each man, and the most men of a player.
MEN, MOST_MEN = "PNBR", 4
_BACK = "'s pawn walks back"
#: The number of straight rays among the eight from a cell; they come first.
_STRAIGHTS = 4


class Chessmen(NamedTuple):
    """The cells of the men.

    Attributes:
        first: the cell of each man of the first player, or the number of cells if it is in hand.
        second: the cells of the second player's men.
        first_back: 1 if the first player's pawn walks back to its own side.
        second_back: 1 if the second player's does.
        player: the player to move, 0 or 1.
        begun: 1 once both players have placed all men but one, so that men may move.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    first_back: int
    second_back: int
    player: int
    begun: int


@dataclass(frozen=True)
class TicTacChec(GridGame):
    """Place a chessman or move one; whoever first has all his men in one line wins.

    A player first places all men but one. Then he may place a man in any empty cell, or move one
    as in chess. A man that is taken goes back into its owner's hand. A pawn takes one step, also
    from where it began, and turns back at the far side, as often as it comes there.

    Attributes:
        men: the men of each player, letters of P, N, B and R; all of them in a row win.
        rows: the number of rows.
        columns: the number of columns.
    """

    men: str = "NBR"
    rows: int = 3
    columns: int = 3

    players = ("white", "black")

    facts = (
        Fact(
            outcome="win",
            remoteness=9,
            positions=397336,
            win=285421,
            loss=98267,
            tie=0,
            endless=13648,
            longest_win=31,
            longest_loss=32,
            source=ENUMERATED,
        ),
        Fact(
            {"men": "PNR"},
            outcome="win",
            remoteness=9,
            positions=634054,
            win=440940,
            loss=172140,
            tie=0,
            endless=20974,
            longest_win=39,
            longest_loss=38,
            source=ENUMERATED,
        ),
    )

    def start(self) -> Chessmen:
        """Return the empty board."""
        hand = (self.cells,) * len(self.men)
        return Chessmen(hand, hand, 0, 0, 0, 0)

    def turn(self, p: Chessmen) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: Chessmen) -> Outcome | None:
        """Return LOSS if all men of the other player stand in a line."""
        other_men = p.first if p.player else p.second
        return LOSS if self.occupied(other_men) in self.lines else None

    def moves(self, p: Chessmen) -> Iterator[tuple[int, int, int]]:
        """Yield (man, from, to); a man in hand comes from the number of cells."""
        own_men, other_men = (p.second, p.first) if p.player else (p.first, p.second)
        mine, theirs = self.occupied(own_men), self.occupied(other_men)
        for man in range(len(self.men)):
            source = own_men[man]
            if source == self.cells:
                for target in range(self.cells):
                    if not (mine | theirs) >> target & 1:
                        yield man, source, target
            elif p.begun:
                for target in range(self.cells):
                    if not mine >> target & 1 and self.reaches(
                        p, man, source, target, mine | theirs
                    ):
                        yield man, source, target

    def reaches(self, p: Chessmen, man: int, here: int, there: int, occupied: int) -> bool:
        """Return whether a man can go from a cell to another without a man of his own side."""
        if self.kinds[man] == PAWN:
            is_returning = p.second_back if p.player else p.first_back
            down = there // self.columns - here // self.columns
            sideways = there % self.columns - here % self.columns
            if down != (1 if is_returning != p.player else -1):
                return False
            is_capture = occupied >> there & 1
            return sideways in (-1, 1) if is_capture else sideways == 0
        between = self.between[(self.kinds[man] * self.cells + here) * self.cells + there]
        return between >= 0 and between & occupied == 0

    def play(self, p: Chessmen, move: tuple[int, int, int]) -> Chessmen:
        """Return the board after a man is placed or moved."""
        man, _, target = move
        own_men, other_men = (p.second, p.first) if p.player else (p.first, p.second)
        own_back, other_back = (
            (p.second_back, p.first_back) if p.player else (p.first_back, p.second_back)
        )
        if self.kinds[man] == PAWN:
            own_back = self.turned(p.player, target, own_back)
        for victim in range(len(self.men)):
            if other_men[victim] == target:
                other_men = put(other_men, victim, self.cells)
                if self.kinds[victim] == PAWN:
                    other_back = 0
        own_men = put(own_men, man, target)
        placed = self.occupied(own_men).bit_count() + self.occupied(other_men).bit_count()
        has_begun = 1 if p.begun or placed == 2 * len(self.men) - 2 else 0
        if p.player:
            return Chessmen(other_men, own_men, other_back, own_back, 0, has_begun)
        return Chessmen(own_men, other_men, own_back, other_back, 1, has_begun)

    def turned(self, player: int, cell: int, back: int) -> int:
        """Return whether a pawn walks back from a cell, given whether it did so before."""
        top, bottom = cell < self.columns, cell >= self.cells - self.columns
        if top or bottom:
            return int(top != (player == 1))
        return back

    def occupied(self, men: tuple[int, ...]) -> int:
        """Return the cells of men that are not in hand, one bit per cell."""
        cells = 0
        for cell in men:
            if cell < self.cells:
                cells |= 1 << cell
        return cells

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kind of each man."""
        return tuple(map(MEN.index, self.men))

    @cached_property
    def lines(self) -> frozenset[int]:
        """The cells of each line with as many cells as a player has men."""
        size = len(self.men) - 1
        masks = []
        for cell in range(self.cells):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                ray = self.ray(cell, down, right)[:size]
                if len(ray) == size:
                    masks.append(sum(1 << there for there in (cell, *ray)))
        return frozenset(masks)

    @cached_property
    def between(self) -> tuple[int, ...]:
        """The cells that must be empty for a man to go from one cell to another, or -1.

        They are at ``(man * cells + from) * cells + to``.
        """
        cells = self.cells
        table = [-1] * (MOST_MEN * cells * cells)
        for source in range(cells):
            for ray_number, ray in enumerate(self.rays[source]):
                crossed = 0
                for target in ray:
                    man = ROOK if ray_number < _STRAIGHTS else BISHOP
                    table[(man * cells + source) * cells + target] = crossed
                    crossed |= 1 << target
            for target in range(cells):
                down = abs(source // self.columns - target // self.columns)
                if {down, abs(source % self.columns - target % self.columns)} == {1, 2}:
                    table[(KNIGHT * cells + source) * cells + target] = 0
        return tuple(table)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries of the board and the exchange of the players.

        With pawns, left and right may be exchanged, and the players with top and bottom.
        """
        swap = (("first", "second"), ("first_back", "second_back"))
        sides = ("first", "second")
        if "P" not in self.men:
            board = Symmetry(grid(self.columns, self.rows), squares=sides)
            return board, Symmetry(swap=swap, flip=("player",))
        upturned = grid(self.columns, self.rows, "rows")
        return (
            Symmetry(grid(self.columns, self.rows, "columns"), squares=sides),
            Symmetry(upturned, squares=sides, swap=swap, flip=("player",), together=True),
        )

    def space(self) -> Chessmen:
        """Return the range of each field."""
        men: Any = (range(self.cells + 1),) * len(self.men)
        returning: Any = range(2 if "P" in self.men else 1)
        two: Any = range(2)
        return Chessmen(men, men, returning, returning, two, two)

    def validate(self) -> None:
        """Raise ParameterError unless there are two to four different men on a small board."""
        check_number("rows", self.rows, 2, 6)
        check_number("columns", self.columns, 2, 6)
        men: Any = self.men
        is_valid = isinstance(men, str) and set(men) <= set(MEN) and len(set(men)) == len(men)
        if not is_valid or not 2 <= len(men) <= max(self.rows, self.columns):
            message = (
                f"men={men!r} are not two to four different men who fit into a line; give letters "
                "of 'PNBR', such as 'NBR'"
            )
            raise ParameterError(message)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the man and cell of a placement, ``Rb2``, or both cells of a move, ``a1b2``."""
        man, source, target = move
        return (self.men[man] if source == self.cells else self.cell_name(source)) + self.cell_name(
            target
        )

    def show(self, p: Chessmen) -> str:
        """Return the rows in letters, white's large, and whether that side places or moves."""
        letters = (self.men, self.men.lower())
        marks = self._marks(p, letters)
        backs = zip(self.players, (p.first, p.second), (p.first_back, p.second_back), strict=True)
        walking = [f"{name}{_BACK}" for name, men, back in backs if back and self._is_between(men)]
        turn = f"{self.players[p.player]} to {'move' if p.begun else 'place'}"
        rows = [
            " ".join(marks[at : at + self.columns]) for at in range(0, self.cells, self.columns)
        ]
        return "\n".join([*rows, ", ".join([turn, *walking])])

    def svg(self, p: Chessmen) -> str:
        """Draw the board, and below it the men that the player to move has in hand."""
        figures = tuple(
            "".join(side[LETTERS.index(letter)] for letter in self.men) for side in FIGURES
        )
        marks = self._marks(p, figures)
        rows = ["".join(marks[at : at + self.columns]) for at in range(0, self.cells, self.columns)]
        own_men = p.second if p.player else p.first
        hand = [man for man, cell in enumerate(own_men) if cell == self.cells]
        moves = self.cell_names()
        if hand:
            rows += [" ", "".join(figures[p.player][man] for man in hand)]
            moves += [[""], [self.men[man] for man in hand]]
        title = "tic-tac-chec: " + self.show(p).replace("\n", " / ")
        return drawing.grid(rows, title=title, moves=moves)

    def parse(self, text: str) -> Chessmen:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board.
        """
        *lines, last = [line.strip() for line in text.strip().replace("/", "\n").split("\n")]
        turn, *walking = (part.strip() for part in last.split(","))
        turns = {
            f"{name} to {what}": (player, has_begun)
            for player, name in enumerate(self.players)
            for has_begun, what in enumerate(("place", "move"))
        }
        if turn not in turns or {*walking} - {f"{name}{_BACK}" for name in self.players}:
            message = (
                f"{text!r} does not end as a position does; write 'white to place', or 'white to "
                f"move', and perhaps 'white{_BACK}' after a comma"
            )
            raise PositionError(message)
        player, has_begun = turns[turn]
        men_cells = self.read_cells("\n".join(lines), self.men + self.men.lower())
        if any(cells.bit_count() > 1 for cells in men_cells):
            message = f"{text!r} has a man twice; write each of {self.men!r} once a side at most"
            raise PositionError(message)
        cells = [
            cells_of_man.bit_length() - 1 if cells_of_man else self.cells
            for cells_of_man in men_cells
        ]
        first, second = tuple(cells[: len(self.men)]), tuple(cells[len(self.men) :])
        first_back, other_back = (
            self._back(side, men, f"{self.players[side]}{_BACK}" in walking)
            for side, men in enumerate((first, second))
        )
        return Chessmen(first, second, first_back, other_back, player, has_begun)

    def _back(self, side: int, men: tuple[int, ...], is_written: bool) -> int:  # noqa: FBT001  # as read
        """Return whether a side's pawn walks back, given whether the text says so."""
        if "P" not in self.men or men[self.men.index("P")] == self.cells:
            return 0
        return self.turned(side, men[self.men.index("P")], int(is_written))

    def _is_between(self, men: tuple[int, ...]) -> bool:
        """Return whether a player's pawn stands neither on the first nor on the last row."""
        return self.columns <= men[self.men.index("P")] < self.cells - self.columns

    def _marks(self, p: Chessmen, letters: tuple[str, ...]) -> list[str]:
        marks = ["."] * (self.cells + 1)
        for men, names in zip((p.first, p.second), letters, strict=True):
            for cell, name in zip(men, names, strict=True):
                marks[cell] = name
        return marks[: self.cells]
