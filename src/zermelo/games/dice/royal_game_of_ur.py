"""The Royal Game of Ur."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from zermelo import drawing
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.games._checks import check_number, check_word
from zermelo.games.dice._dice import MEASURED, RECURSION
from zermelo.symmetry import Symmetry

MOST_PIECES = 7
RULES = ("finkel", "masters", "blitz")

#: The cells of the first player's path as (row, column); the second player's is upside down.
_ENTRY = [(2, 3), (2, 2), (2, 1), (2, 0), *((1, column) for column in range(7))]
_PATHS = {
    "finkel": [*_ENTRY, (1, 7), (2, 7), (2, 6)],
    "masters": [*_ENTRY, (0, 6), (0, 7), (1, 7), (2, 7), (2, 6)],
}
_PATHS["blitz"] = _PATHS["masters"]
_ROSETTES = ((0, 0), (2, 0), (1, 3), (0, 6), (2, 6))
_ROWS = ("....  ..", "........", "....  ..")
_TEXT = re.compile(
    r"(\w+): (\d) waiting, (\d) home\n(\w+): (\d) waiting, (\d) home\n"
    r"(\w+) to (?:throw|move by (\d))"
)


class UrPieces(NamedTuple):
    """The pieces on the board and those that are home, and the throw.

    Attributes:
        mine: the squares of the path with pieces of the player whose turn it is: bit 0 is the first
            square.
        theirs: the squares of the other player's path with that player's pieces.
        mine_home: the player's pieces that have gone all the way.
        theirs_home: the other player's pieces that have gone all the way.
        throw: the squares to go, 0 before the throw.
        player: the player whose turn it is, 0 or 1.
    """

    mine: int
    theirs: int
    mine_home: int
    theirs_home: int
    throw: int
    player: int


@dataclass(frozen=True)
class RoyalGameOfUr(Game):
    """Two players race pieces along paths that share squares, where they send each other back.

    A turn is a throw of binary dice and a move of one piece by as many squares as dice show a mark.
    A piece enters on the square of that number, and goes home by the exact number that leads one
    square past the path. It may not go to a square with a piece of its own side. On a square with
    an opponent's piece, it sends that piece back to the start. On a rosette, the player throws
    again. A player who can move must; otherwise the turn passes. The first player
    whose pieces are all home wins.

    Attributes:
        pieces: the pieces of each player.
        rules: ``"finkel"``: paths of 14 squares, of which squares 5 to 12 are shared; four dice, of
            which 0 passes the turn; a piece on the shared rosette cannot be taken. ``"masters"``:
            paths of 16 squares that turn into the opponent's corner after square 11, where pieces
            meet in opposite directions; three dice, 0 counts as 4; no piece is safe on a shared
            rosette. ``"blitz"``: the paths of masters without safe rosettes, four dice, of which 0
            passes the turn; a player who takes a piece throws again, too.
        keep_throws: False stores no position between a throw and the move, which takes a fifth of
            the memory, and half the time.
    """

    pieces: int = 2
    rules: str = "finkel"
    keep_throws: bool = True

    facts = (
        Fact({"rules": "finkel", "pieces": 1}, probability="0.53004984", source=RECURSION),
        Fact({"rules": "masters", "pieces": 1}, probability="0.52759826", source=RECURSION),
        Fact({"rules": "blitz", "pieces": 1}, probability="0.50923765", source=RECURSION),
        Fact({"rules": "finkel", "pieces": 2}, probability="0.51857291", source=RECURSION),
        Fact({"rules": "masters", "pieces": 2}, probability="0.51035492", source=RECURSION),
        Fact({"rules": "blitz", "pieces": 2}, probability="0.50502740", source=RECURSION),
        *(
            Fact(
                {"rules": "finkel", "pieces": pieces},
                probability=probability,
                checked=False,
                source=MEASURED,
            )
            for pieces, probability in (
                (3, "0.516201102"),
                (4, "0.516159234"),
                (5, "0.516026116"),
                (7, "0.515404733"),
            )
        ),
    )

    @cached_property
    def length(self) -> int:
        """The number of squares of a path."""
        return len(_PATHS[self.rules])

    @cached_property
    def rosettes(self) -> int:
        """The squares of a path that are rosettes, a bit for each square."""
        path = _PATHS[self.rules]
        return sum(1 << square for square, cell in enumerate(path) if cell in _ROSETTES)

    @cached_property
    def facing(self) -> tuple[int, ...]:
        """For each square of a path the square of the opponent's path on the same cell, or -1."""
        path = _PATHS[self.rules]
        other = [(2 - row, column) for row, column in path]
        return tuple(other.index(cell) if cell in other else -1 for cell in path)

    @cached_property
    def last_shared(self) -> int:
        """The last square of a path where the opponent can take a piece."""
        return max(square for square, facing in enumerate(self.facing) if facing >= 0)

    @cached_property
    def has_safe_rosettes(self) -> bool:
        """Whether a piece on a rosette cannot be taken."""
        return self.rules == "finkel"

    @cached_property
    def has_capture_throws(self) -> bool:
        """Whether a player who takes a piece throws again."""
        return self.rules == "blitz"

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The number of ways in which the dice show each number from 0 to 4."""
        return (0, 3, 3, 1, 1) if self.rules == "masters" else (1, 4, 6, 4, 1)

    def start(self) -> UrPieces:
        """Return the empty board, before the first throw."""
        return UrPieces(0, 0, 0, 0, 0, 0)

    def turn(self, p: UrPieces) -> int:
        """Return the player whose turn it is, to throw or to move."""
        return p.player

    def winner(self, p: UrPieces) -> int | None:
        """Return the player whose pieces are all home."""
        if p.theirs_home == self.pieces:
            return 1 - p.player
        return None

    def chance(self, p: UrPieces) -> Iterator[tuple[int, UrPieces]]:
        """Yield each throw; if it allows no move, the turn passes."""
        if p.throw == 0:
            for throw in range(5):
                weight = self.weights[throw]
                if weight:
                    if self.can_move(p, throw):
                        yield (
                            weight,
                            UrPieces(p.mine, p.theirs, p.mine_home, p.theirs_home, throw, p.player),
                        )
                    else:
                        yield (
                            weight,
                            UrPieces(p.theirs, p.mine, p.theirs_home, p.mine_home, 0, 1 - p.player),
                        )

    def kept(self, p: UrPieces) -> bool:
        """Return whether a position is stored: one before a throw always is."""
        return self.keep_throws or p.throw == 0

    def can_move(self, p: UrPieces, throw: int) -> bool:
        """Return whether a throw allows a move."""
        for source in range(-1, self.length):
            if throw and self.may_go(p, source, throw):
                return True
        return False

    def may_go(self, p: UrPieces, source: int, throw: int) -> bool:
        """Return whether a piece may go from a square, -1 for the start, by a throw."""
        if source < 0:
            if p.mine.bit_count() + p.mine_home == self.pieces:
                return False
        elif not p.mine >> source & 1:
            return False
        target = source + throw
        if target >= self.length:
            return target == self.length
        if p.mine >> target & 1:
            return False
        facing = self.facing[target]
        is_safe = self.has_safe_rosettes and self.rosettes >> target & 1
        return not (is_safe and facing >= 0 and p.theirs >> facing & 1)

    def moves(self, p: UrPieces) -> Iterator[int]:
        """Yield the square of each piece that may go: from 1, and 0 for a piece that enters."""
        if p.throw:
            for source in range(-1, self.length):
                if self.may_go(p, source, p.throw):
                    yield source + 1

    def play(self, p: UrPieces, square: int) -> UrPieces:
        """Return the pieces after a move, as the player whose turn it is then sees them."""
        target = square - 1 + p.throw
        mine, theirs, home = p.mine, p.theirs, p.mine_home
        if square:
            mine &= ~(1 << square - 1)
        throws_again = False
        if target == self.length:
            home += 1
        else:
            mine |= 1 << target
            throws_again = self.rosettes >> target & 1 == 1
            facing = self.facing[target]
            if facing >= 0 and theirs >> facing & 1:
                theirs &= ~(1 << facing)
                throws_again = throws_again or self.has_capture_throws
        if throws_again:
            return UrPieces(mine, theirs, home, p.theirs_home, 0, p.player)
        return UrPieces(theirs, mine, p.theirs_home, home, 0, 1 - p.player)

    def level(self, p: UrPieces) -> int:
        """Return a number that grows with the steps of pieces beyond the squares that are shared.

        Pieces there cannot be taken, so no player loses these steps.
        """
        mine = self.safe_steps(p.mine, p.mine_home)
        theirs = self.safe_steps(p.theirs, p.theirs_home)
        most = self.pieces * (self.length - self.last_shared)
        return (most + 1) * (mine + theirs) + max(mine, theirs)

    def safe_steps(self, squares: int, home: int) -> int:
        """Return the steps that a player's pieces have made beyond the shared squares."""
        steps = home * (self.length - self.last_shared)
        for square in range(self.last_shared + 1, self.length):
            if squares >> square & 1:
                steps += square - self.last_shared
        return steps

    def symmetries(self) -> Symmetry:
        """Return the exchange of the players."""
        return Symmetry(flip=("player",))

    def space(self) -> UrPieces:
        """Return the range of each field."""
        squares: Any = range(1 << self.length)
        home: Any = range(self.pieces + 1)
        throw: Any = range(5)
        player: Any = range(2)
        return UrPieces(squares, squares, home, home, throw, player)

    def validate(self) -> None:
        """Raise ParameterError unless there are pieces, and the rules are known."""
        check_number("pieces", self.pieces, 1, MOST_PIECES)
        check_word("rules", self.rules, RULES)

    def cell(self, square: int, player: int) -> tuple[int, int]:
        """Return the row and the column of a square of a player's path."""
        row, column = _PATHS[self.rules][square]
        return (2 - row if player else row), column

    def show(self, p: UrPieces) -> str:
        """Return the board, the pieces beside it, and what is to be done.

        ``X`` is a piece of the first player and ``O`` one of the second; ``*`` is a rosette.
        """
        first, second = (p.mine, p.mine_home), (p.theirs, p.theirs_home)
        if p.player:
            first, second = second, first
        lines = []
        for name, (squares, home) in zip(self.players, (first, second), strict=True):
            waiting = self.pieces - home - squares.bit_count()
            lines.append(f"{name}: {waiting} waiting, {home} home")
        task = f"to move by {p.throw}" if p.throw else "to throw"
        return "\n".join([*self.text_rows(p), *lines, f"{self.players[p.player]} {task}"])

    def text_rows(self, p: UrPieces) -> list[str]:
        """Return the rows of the board as text, the first player's side at the bottom."""
        rows = [list(row) for row in _ROWS]
        for row, column in _ROSETTES:
            rows[row][column] = "*"
        for squares, player in ((p.mine, p.player), (p.theirs, 1 - p.player)):
            for square in range(self.length):
                if squares >> square & 1:
                    row, column = self.cell(square, player)
                    rows[row][column] = "XO"[player]
        return ["".join(row) for row in rows]

    def svg(self, p: UrPieces) -> str:
        """Draw the board with the first player's side at the bottom."""
        moves = [[""] * 8 for _ in _ROWS]
        may_enter = False
        for square in self.moves(p) if p.theirs_home < self.pieces else ():
            if square:
                row, column = self.cell(square - 1, p.player)
                moves[row][column] = self.name(square)
            may_enter = may_enter or not square
        title = f"ur: {' / '.join(self.show(p).splitlines())}"
        aside = self.name(0) if may_enter else ""
        return drawing.grid(self.text_rows(p), title=title, discs="XO", moves=moves, aside=aside)

    def name(self, square: int) -> str:
        """Return ``square 5`` for the piece on the fifth square of the path, or ``enter``."""
        return f"square {square}" if square else "enter"

    def parse(self, text: str) -> UrPieces:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board.
        """
        lines = re.sub(r" */ *", "\n", text.strip("\n")).splitlines()
        rows = [line.ljust(8) for line in lines[:3]]
        match = _TEXT.fullmatch("\n".join(line.strip() for line in lines[3:]))
        shape = ["".join(" " if mark == " " else "." for mark in row) for row in rows]
        names = () if match is None else (match[1], match[4])
        if match is None or names != self.players or tuple(shape) != _ROWS:
            example = self.show(self.start()).replace("\n", " / ")
            message = f"{text!r} is not a board; write rows such as {example!r}"
            raise PositionError(message)
        sides = []
        for player, mark in enumerate("XO"):
            cells = [self.cell(square, player) for square in range(self.length)]
            marked = [(r, c) for r in range(3) for c in range(8) if rows[r][c] == mark]
            squares = sum(1 << n for n, cell in enumerate(cells) if cell in marked)
            waiting, home = int(match[3 * player + 2]), int(match[3 * player + 3])
            if len(marked) + waiting + home != self.pieces or not set(marked) <= set(cells):
                message = (
                    f"{text!r} does not have {self.pieces} pieces {mark} on their path; change them"
                )
                raise PositionError(message)
            sides.append((squares, home))
        if match[7] not in self.players or int(match[8] or 0) > 4:
            message = f"{text!r} has no valid turn; write 'first to throw' or 'first to move by 2'"
            raise PositionError(message)
        player = self.players.index(match[7])
        (mine, mine_home), (theirs, theirs_home) = sides[player], sides[1 - player]
        return UrPieces(mine, theirs, mine_home, theirs_home, int(match[8] or 0), player)
