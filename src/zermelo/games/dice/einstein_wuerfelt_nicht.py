"""EinStein würfelt nicht!, a race of numbered stones that dice choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import ParameterError, PositionError
from zermelo.game.contract import Game, put
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number
from zermelo.games.dice._dice import RECURSION
from zermelo.symmetry import Symmetry, grid

SMALLEST, LARGEST, MOST_STONES = 3, 5, 6
_LETTERS = "ABCDEF"


class NumberedStones(NamedTuple):
    """The cells of the stones, and the die.

    Attributes:
        mine: the cell of each stone of the player whose turn it is, in the order of their numbers;
            the number of cells for a stone that has been taken. Cell 0 is at the top left, and
            cells are numbered row by row.
        theirs: the cells of the other player's stones.
        die: the number thrown, from 1; 0 before a throw, or if the player has one stone left.
        player: the player whose turn it is, 0 or 1.
    """

    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    die: int
    player: int


@dataclass(frozen=True)
class EinsteinWuerfeltNicht(Game):
    """Two players race numbered stones to the opposite corners, and a die says which stone moves.

    A turn is a throw and a move of the stone of that number. If that stone has been taken, the
    player moves the stone with the next higher or the next lower number that is left, as they like.
    The first player's stones go one cell right, down, or both; the second player's go left, up, or
    both. A stone takes whatever stone is on its target, also one of its own side. A player wins
    whose stone reaches the opposite corner, or who takes the last stone of the other side. A player
    with one stone does not throw, as the name of the game says.

    Attributes:
        size: the cells of a row and of a column.
        stones: the stones of each player, and the sides of the die.
        first: the first player's stones at the start, by their numbers, from the corner diagonal by
            diagonal, each diagonal from the top; empty for 1, 2, 3, ….
        second: those of the second player, as seen after half a turn of the board.
        keep_throws: False stores no position between a throw and the move, which takes less
            memory, and cannot be asked about such positions.
    """

    title = "EinStein würfelt nicht!"

    size: int = 3
    stones: int = 3
    first: tuple[int, ...] = ()
    second: tuple[int, ...] = ()
    keep_throws: bool = True

    facts = (
        Fact({"size": 3, "stones": 1}, probability="1", note="no die", source=RECURSION),
        Fact({"size": 4, "stones": 1}, probability="1", note="no die", source=RECURSION),
        Fact({"size": 5, "stones": 1}, probability="1", note="no die", source=RECURSION),
        Fact({"size": 3, "stones": 2}, probability="7/16", source=RECURSION),
        Fact({"size": 3, "stones": 3}, probability="170/243", source=RECURSION),
        Fact({"size": 4, "stones": 2}, probability="1169/2048", source=RECURSION),
        Fact(
            {"size": 4, "stones": 3},
            probability="0.55123488",
            checked=False,
            note="12 million positions",
            source=RECURSION,
        ),
        Fact({"size": 5, "stones": 2}, probability="17877/32768", source=RECURSION),
        Fact(
            {"size": 5, "stones": 3},
            probability="0.56776714264",
            checked=False,
            note="91 million positions without throws",
            source=RECURSION,
        ),
    )

    @cached_property
    def cells(self) -> int:
        """The number of cells, which also stands for a stone that has been taken."""
        return self.size * self.size

    @cached_property
    def corner_cells(self) -> tuple[int, ...]:
        """The cells near the first player's corner, diagonal by diagonal."""
        n = self.size
        return tuple(
            row * n + diagonal - row for diagonal in range(n - 1) for row in range(diagonal + 1)
        )

    def start(self) -> NumberedStones:
        """Return the stones in their corners, before the first throw."""
        order = range(1, self.stones + 1)
        first = [self.corner_cells[list(self.first or order).index(n)] for n in order]
        second = [self.corner_cells[list(self.second or order).index(n)] for n in order]
        return NumberedStones(tuple(first), tuple(self.cells - 1 - cell for cell in second), 0, 0)

    def turn(self, p: NumberedStones) -> int:
        """Return the player whose turn it is, to throw or to move."""
        return p.player

    def winner(self, p: NumberedStones) -> int | None:
        """Return the player whose stone is across, or whose opponent has no stones left."""
        target = 0 if p.player == 0 else self.cells - 1
        if target in p.theirs or self.count(p.mine) == 0:
            return 1 - p.player
        return None

    def count(self, stones: tuple[int, ...]) -> int:
        """Return the number of stones on the board."""
        return sum([1 for cell in stones if cell < self.cells])

    def chance(self, p: NumberedStones) -> Iterator[tuple[int, NumberedStones]]:
        """Yield each throw, unless the player has one stone left."""
        if p.die == 0 and self.count(p.mine) > 1:
            for die in range(1, self.stones + 1):
                yield 1, NumberedStones(p.mine, p.theirs, die, p.player)

    def kept(self, p: NumberedStones) -> bool:
        """Return whether a position is stored: one before a throw always is."""
        return self.keep_throws or p.die == 0

    def moves(self, p: NumberedStones) -> Iterator[tuple[int, int]]:
        """Yield each step of a stone that the die allows: from one cell, to another."""
        n, side = self.size, 1 - 2 * p.player
        for number in range(1, self.stones + 1):
            source = p.mine[number - 1]
            if source < self.cells and self.may_move(p, number):
                row, column = source // n + side, source % n + side
                if 0 <= column < n:
                    yield source, source + side
                if 0 <= row < n:
                    yield source, source + side * n
                if 0 <= column < n and 0 <= row < n:
                    yield source, source + side * (n + 1)

    def may_move(self, p: NumberedStones, number: int) -> bool:
        """Return whether no stone of the player has a number from the die's to this one."""
        if p.die == 0:
            return self.count(p.mine) == 1
        for other in range(min(p.die, number + 1), max(p.die, number - 1) + 1):
            if other != number and p.mine[other - 1] < self.cells:
                return False
        return True

    def play(self, p: NumberedStones, move: tuple[int, int]) -> NumberedStones:
        """Return the stones after a step, as the other player sees them."""
        source, target = move
        mine, theirs = p.mine, p.theirs
        for i in range(self.stones):
            if mine[i] == target:
                mine = put(mine, i, self.cells)
            elif mine[i] == source:
                mine = put(mine, i, target)
            if theirs[i] == target:
                theirs = put(theirs, i, self.cells)
        return NumberedStones(theirs, mine, 0, 1 - p.player)

    def level(self, p: NumberedStones) -> int:
        """Return a number that every throw and every step raises: what the stones have gone."""
        n, total = self.size, 0
        for cell in p.mine:
            gone = cell // n + cell % n
            if cell == self.cells:
                gone = 2 * n - 1
            elif p.player:
                gone = 2 * n - 2 - gone
            total += gone
        for cell in p.theirs:
            gone = cell // n + cell % n
            if cell == self.cells:
                gone = 2 * n - 1
            elif not p.player:
                gone = 2 * n - 2 - gone
            total += gone
        return 2 * total + (1 if p.die else 0)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the exchange of rows and columns, and that of the players after half a turn."""
        n, sides = self.size, ("mine", "theirs")
        columns = tuple(column * n + row for row in range(n) for column in range(n))
        half_turn = grid(n, n, "half-turn")
        return (
            Symmetry((columns,), squares=sides),
            Symmetry(half_turn, squares=sides, flip=("player",), together=True),
        )

    def space(self) -> NumberedStones:
        """Return the range of each field."""
        cell: Any = range(self.cells + 1)
        die: Any = range(self.stones + 1)
        player: Any = range(2)
        return NumberedStones(cell, cell, die, player)

    def validate(self) -> None:
        """Raise ParameterError unless the stones of each player fit into a corner."""
        check_number("size", self.size, SMALLEST, LARGEST)
        most = min(MOST_STONES, self.size * (self.size - 1) // 2)
        check_number("stones", self.stones, 1, most)
        for name in ("first", "second"):
            order = getattr(self, name)
            if order != () and sorted(order) != list(range(1, self.stones + 1)):
                message = f"{name} must have each number from 1 to {self.stones} once, not {order}"
                raise ParameterError(message)

    def show(self, p: NumberedStones) -> str:
        """Return the rows, digits for the first player's stones and letters for the second's."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        marks = ["."] * self.cells + [""]
        for i in range(self.stones):
            marks[first[i]] = str(i + 1)
            marks[second[i]] = _LETTERS[i]
        marks = marks[: self.cells]
        rows = [" ".join(marks[i : i + self.size]) for i in range(0, self.cells, self.size)]
        task = f"to move, {p.die} thrown" if p.die else "to move"
        if not p.die and self.count(p.mine) > 1:
            task = "to throw"
        return "\n".join([*rows, f"{self.players[p.player]} {task}"])

    def svg(self, p: NumberedStones) -> str:
        """Draw the board."""
        *rows, task = self.show(p).splitlines()
        names = [self.cell_name(cell) for cell in range(self.cells)]
        moves = [names[i : i + self.size] for i in range(0, self.cells, self.size)]
        title = " / ".join([*rows, task])
        return drawing.grid([row.split() for row in rows], title=title, moves=moves)

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell, its column and row; ``a1`` is at the bottom left."""
        row, column = divmod(cell, self.size)
        return "abcde"[column] + str(self.size - row)

    def name(self, move: tuple[int, int]) -> str:
        """Return the cells that a stone comes from and goes to, such as ``a3b2``."""
        return self.cell_name(move[0]) + self.cell_name(move[1])

    def parse(self, text: str) -> NumberedStones:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board.
        """
        lines = [line.strip() for line in text.strip().replace("/", "\n").splitlines()]
        found = re.fullmatch(r"(\w+) to (?:throw|move(?:, (\d) thrown)?)", lines[-1])
        marks = "".join(lines[:-1]).replace(" ", "")
        known = "123456"[: self.stones] + _LETTERS[: self.stones]
        is_board = len(marks) == self.cells and set(marks) <= {".", *known}
        if found is None or found[1] not in self.players or not is_board:
            example = self.show(self.start()).replace("\n", " / ")
            message = f"{text!r} is not a board; write rows such as {example!r}"
            raise PositionError(message)
        if any(marks.count(mark) > 1 for mark in known):
            message = f"{text!r} has a stone twice; write each stone once"
            raise PositionError(message)
        cells = [marks.index(mark) if mark in marks else self.cells for mark in known]
        first, second = tuple(cells[: self.stones]), tuple(cells[self.stones :])
        player, die = self.players.index(found[1]), int(found[2] or 0)
        mine, theirs = (second, first) if player else (first, second)
        if die > self.stones or (die and self.count(mine) < 2):
            message = f"{text!r} has a throw of {die}, which does not occur; change it"
            raise PositionError(message)
        return NumberedStones(mine, theirs, die, player)
