"""Gobblet Gobblers: tic-tac-toe with pieces that cover smaller ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_word
from zermelo.games.lines.tic_tac_toe import FULL, has_line
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import NOBODY

#: The cell that a piece from the reserve comes from.
RESERVE = 9

#: What happens to a player who lifts a piece and so brings a row of the other player to light.
REVEALS = ("cover", "loses", "tie", "wins")


class Stacks(NamedTuple):
    """The cells with a piece of each size, the smallest size first, one bit per cell.

    Attributes:
        first: the cells of the first player's pieces.
        second: the cells of the second player's pieces.
        player: the player to move, 0 or 1.
    """

    first: tuple[int, ...]
    second: tuple[int, ...]
    player: int


@dataclass(frozen=True)
class GobbletGobblers(Game):
    """Put a piece or move one, onto smaller ones too; three of one's own in sight in a row win.

    A piece that covers another may be moved away again, which may bring a row of the other player
    to light. There are several rules for that. By all of them the other player wins if the row is
    still in sight after the move and the mover has none.

    Attributes:
        sizes: the number of sizes of pieces.
        each: the number of each player's pieces of each size.
        reveal: what a player must do whose lifted piece brings a row of the other player to
            light: ``cover`` the row again with that piece, or lose, even with a row of one's own;
            it also ``loses`` at once. Or only the board after the move counts, and if both
            players have a row, it is a ``tie``, or the mover ``wins``.
    """

    sizes: int = 3
    each: int = 1
    reveal: str = "cover"

    players = ("X", "O")

    facts = (
        Fact(
            {"each": 2},
            "win",
            13,
            checked=False,
            note="370,974,636 positions that are not over, up to symmetries of the board",
            source="B. Liou, notes on a corrected tablebase, in gobblet-gobblers on GitHub",
        ),
        Fact(
            {"each": 2, "reveal": "loses"},
            "win",
            13,
            checked=False,
            source="M. Kasahara, README of gobb_analyzer, 2022",
        ),
    )

    def start(self) -> Stacks:
        """Return the empty board."""
        no_pieces = (0,) * self.sizes
        return Stacks(no_pieces, no_pieces, 0)

    def turn(self, stacks: Stacks) -> int:
        """Return the player to move."""
        return stacks.player

    def winner(self, stacks: Stacks) -> int | None:
        """Return the player with a row in sight; if both have one, ``reveal`` says who wins."""
        first, second = self.seen(stacks)
        mine, theirs = (second, first) if stacks.player else (first, second)
        if has_line(mine):
            if self.reveal == "tie" and has_line(theirs):
                return NOBODY
            if self.reveal == "wins" and has_line(theirs):
                return 1 - stacks.player
            return stacks.player
        if has_line(theirs):
            return 1 - stacks.player
        return None

    def moves(self, stacks: Stacks) -> Iterator[tuple[int, int, int]]:
        """Yield (size, from, to): a piece from the reserve comes from 9.

        A piece that must not be lifted goes back to the reserve, as (size, from, from).
        """
        own_pieces = stacks.second if stacks.player else stacks.first
        covered = 0
        for size in reversed(range(self.sizes)):
            # No piece of this size fits onto one as large, and none can leave from below one.
            covered_after = covered | stacks.first[size] | stacks.second[size]
            free = own_pieces[size] & ~covered
            if self.reveal == "loses" and covered_after != FULL:
                for source in range(9):
                    if free >> source & 1 and self.lifting_loses(stacks, size, source):
                        free ^= 1 << source
                        yield size, source, source
            for target in range(9):
                if not covered_after >> target & 1:
                    if own_pieces[size].bit_count() < self.each:
                        yield size, RESERVE, target
                    for source in range(9):
                        if free >> source & 1:
                            yield size, source, target
            covered = covered_after

    def play(self, stacks: Stacks, move: tuple[int, int, int]) -> Stacks:
        """Return the board after a piece is put, moved or lifted."""
        size, source, target = move
        own_pieces = stacks.second if stacks.player else stacks.first
        pieces = own_pieces[size] | 1 << target
        if source != RESERVE:
            pieces &= ~(1 << source)
        if stacks.player == 0:
            return Stacks(put(own_pieces, size, pieces), stacks.second, 1)
        return Stacks(stacks.first, put(own_pieces, size, pieces), 0)

    def lifting_loses(self, stacks: Stacks, size: int, source: int) -> bool:
        """Return whether a row of the other player comes to light below a piece to be moved."""
        for smaller in reversed(range(size)):
            if (stacks.first[smaller] | stacks.second[smaller]) >> source & 1:
                first, second = self.seen(stacks)
                if stacks.player:
                    return has_line(first | stacks.first[smaller] & 1 << source)
                return has_line(second | stacks.second[smaller] & 1 << source)
        return False

    def seen(self, stacks: Stacks) -> tuple[int, int]:
        """Return the cells on which each player's piece is the largest."""
        first = second = 0
        for size in range(self.sizes):
            first = first & ~stacks.second[size] | stacks.first[size]
            second = second & ~stacks.first[size] | stacks.second[size]
        return first, second

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        board = Symmetry(grid(3, 3), masks=("first", "second"))
        return board, Symmetry(swap=(("first", "second"),), flip=("player",))

    def space(self) -> Stacks:
        """Return the range of each field."""
        cells: Any = range(1 << 9)
        player: Any = range(2)
        return Stacks(cells, cells, player)

    def validate(self) -> None:
        """Raise ParameterError unless there are a few pieces."""
        check_number("sizes", self.sizes, 1, 3)
        check_number("each", self.each, 1, 4)
        check_word("reveal", self.reveal, REVEALS)

    def show(self, stacks: Stacks) -> str:
        """Return the rows, each cell's pieces from the smallest on, and the player to move."""
        cells = [self._stack(stacks, cell) or "." for cell in range(9)]
        rows = [" ".join(cells[at : at + 3]) for at in (0, 3, 6)]
        return "\n".join([*rows, f"{self.players[stacks.player]} to move"])

    def svg(self, stacks: Stacks) -> str:
        """Draw the pieces in sight, with the sizes of all pieces on each cell beside it."""
        rows = []
        for first_cell in (0, 3, 6):
            tops = [
                self._stack(stacks, cell)[:-1][-1:] or "."
                for cell in range(first_cell, first_cell + 3)
            ]
            sizes = [
                self._stack(stacks, cell)[-1:] or "." for cell in range(first_cell, first_cell + 3)
            ]
            rows.append("".join(tops) + " " + "".join(sizes))
        own_pieces = stacks.second if stacks.player else stacks.first
        left = [size for size in range(self.sizes) if own_pieces[size].bit_count() < self.each]
        names = ["abc"[cell % 3] + "321"[cell // 3] for cell in range(9)]
        moves = [[*names[first_cell : first_cell + 3], "", "", "", ""] for first_cell in (0, 3, 6)]
        if left:
            rows += [" ", "".join(str(size + 1) for size in left)]
            moves += [[""], [str(size + 1) for size in left]]
        title = "gobblet gobblers: " + self.show(stacks).replace("\n", " / ")
        return drawing.grid(rows, title=title, moves=moves)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return the size and cell of a new piece, ``2b2``, or both cells of a move, ``a1b2``.

        A piece that loses when it is lifted is ``lift a1``.
        """
        size, source, target = move
        places = ["abc"[cell % 3] + "321"[cell // 3] for cell in (source % 9, target)]
        if source == target:
            return f"lift {places[0]}"
        return f"{size + 1}{places[1]}" if source == RESERVE else "".join(places)

    def parse(self, text: str) -> Stacks:
        """Read a board as ``show`` writes it; rows may be separated by slashes."""
        lines = [line.strip() for line in text.strip().replace("/", "\n").split("\n")]
        turns = [f"{player} to move" for player in self.players]
        player = turns.index(lines.pop()) if lines[-1] in turns else 0
        cells = [word for line in lines for word in line.split()]
        first, second = [0] * self.sizes, [0] * self.sizes
        right = [len(line.split()) for line in lines] == [3] * 3
        for cell, word in enumerate(cells):
            for offset in range(0, 0 if word == "." else len(word), 2):
                mark, size = word[offset], word[offset + 1 :][:1]
                if mark not in "XO" or size not in [str(n + 1) for n in range(self.sizes)]:
                    right = False
                    continue
                (first if mark == "X" else second)[int(size) - 1] |= 1 << cell
        stacks = Stacks(tuple(first), tuple(second), player)
        if not right or self.show(stacks).split("\n")[:3] != [
            " ".join(line.split()) for line in lines
        ]:
            message = (
                f"{text!r} is not three rows of three cells such as X1O2, the pieces on a cell "
                "from the smallest on, or . for an empty one; separate rows by /"
            )
            raise PositionError(message)
        return stacks

    def _stack(self, stacks: Stacks, cell: int) -> str:
        marks = ""
        for size in range(self.sizes):
            for mark, pieces in zip("XO", stacks[:2], strict=True):
                marks += f"{mark}{size + 1}" if pieces[size] >> cell & 1 else ""
        return marks
