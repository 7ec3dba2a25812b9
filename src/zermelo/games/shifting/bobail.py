"""Bobail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import GridGame
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, WIN, Outcome


class BobailMen(NamedTuple):
    """The cells of the men, one bit per cell from the top left, and of the bobail.

    Attributes:
        mine: the men of the player to move.
        theirs: the men of the other player.
        bobail: the cell of the bobail, one bit.
        player: the player to move, 0 or 1.
        opening: 1 before the very first move, otherwise 0.
    """

    mine: int
    theirs: int
    bobail: int
    player: int
    opening: int


@dataclass(frozen=True)
class Bobail(GridGame):
    """Both players move the bobail, and want it on their own side of the board.

    A turn has two parts: the bobail goes one step in any of eight directions, and then a man
    of the player's slides in one of them as far as it can. In the very first turn the bobail
    stays where it is. A player on whose home row the bobail stands has won, whoever brought it
    there; a player who cannot move the bobail has lost.

    Attributes:
        rows: the number of rows, which is odd.
        columns: the number of columns, which is odd.
    """

    rows: int = 3
    columns: int = 3

    players = ("X", "O")
    no_moves = LOSS
    facts = (
        Fact(
            outcome="loss",
            remoteness=4,
            positions=2079,
            win=1168,
            loss=911,
            tie=0,
            endless=0,
            longest_win=5,
            longest_loss=4,
            source=ENUMERATED,
        ),
        Fact(
            {"rows": 5, "columns": 5},
            "draw",
            checked=False,
            note="far too many positions",
            source="README of a public solver of Bobail by J. Daming",
        ),
    )

    @property
    def above(self) -> int:
        """The home row of the second player."""
        return (1 << self.columns) - 1

    @property
    def below(self) -> int:
        """The home row of the first player."""
        return self.above << (self.rows - 1) * self.columns

    def start(self) -> BobailMen:
        """Return the men on their home rows and the bobail in the middle."""
        return BobailMen(self.below, self.above, 1 << self.cells // 2, 0, 1)

    def turn(self, p: BobailMen) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: BobailMen) -> Outcome | None:
        """Return the winner if the bobail is on a home row."""
        if p.bobail & (self.above if p.player else self.below):
            return WIN
        return LOSS if p.bobail & (self.above | self.below) else None

    def slides(self, mine: int, taken: int) -> Iterator[tuple[int, int]]:
        """Yield each slide of a man as far as it can: from a cell, to a cell."""
        for source in range(self.cells):
            if mine >> source & 1:
                for ray in self.rays[source]:
                    last = source
                    for target in ray:
                        if taken >> target & 1:
                            break
                        last = target
                    if last != source:
                        yield source, last

    def moves(self, p: BobailMen) -> Iterator[tuple[int, ...]]:
        """Yield (to,) for the bobail that comes home, (to, from, to), or (from, to) at first."""
        men = p.mine | p.theirs
        if p.opening:
            yield from self.slides(p.mine, men | p.bobail)
        else:
            source = p.bobail.bit_length() - 1
            for ray in self.rays[source]:
                for step in ray[:1]:
                    if not men >> step & 1:
                        if (self.above | self.below) >> step & 1:
                            yield (step,)
                        else:
                            for man, target in self.slides(p.mine, men | 1 << step):
                                yield step, man, target

    def play(self, p: BobailMen, move: tuple[int, ...]) -> BobailMen:
        """Return the board after the move, as the other player sees it."""
        if len(move) == 1:
            (step,) = move
            return BobailMen(p.theirs, p.mine, 1 << step, 1 - p.player, 0)
        *steps, source, target = move
        mine, bobail = p.mine & ~(1 << source) | 1 << target, p.bobail
        for step in steps:
            bobail = 1 << step
        return BobailMen(p.theirs, mine, bobail, 1 - p.player, 0)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the reflection of left and right, and the one that exchanges the players."""
        masks = ("mine", "theirs", "bobail")
        columns, rows = (grid(self.columns, self.rows, kind) for kind in ("columns", "rows"))
        upturned = Symmetry(rows, masks=masks, flip=("player",), together=True)
        return Symmetry(columns, masks=masks), upturned

    def space(self) -> BobailMen:
        """Return the range of each field; the number of men is fixed."""
        men: Any = Disjoint(self.cells, (self.columns, self.columns, 1))
        two: Any = range(2)
        return BobailMen(men, men, men, two, two)

    def validate(self) -> None:
        """Raise ParameterError unless the board has a middle, and rows between the men."""
        super().validate()
        if self.rows < 3 or self.rows % 2 == 0 or self.columns % 2 == 0:
            message = (
                f"rows={self.rows!r} and columns={self.columns!r} give no cell in the middle "
                "between the men; give odd numbers, and 3 rows or more"
            )
            raise ParameterError(message)

    # -- text and pictures -------------------------------------------------------------------------

    def name(self, move: tuple[int, ...]) -> str:
        """Return the bobail's new cell and both cells of the man, such as ``b2:a1-a3``."""
        *steps, target = map(self.cell_name, move)
        if not steps:
            return target
        *bobail, source = steps
        return ":".join([*bobail, f"{source}-{target}"])

    def text_rows(self, p: BobailMen) -> list[str]:
        """Return each row as text."""
        first, second = (p.theirs, p.mine) if p.player else (p.mine, p.theirs)
        return self.rows_of(("X", first), ("O", second), ("b", p.bobail))

    def words(self, p: BobailMen) -> str:
        """Return the player to move, and a note if this is the first turn, as text."""
        return f"{'first turn, ' if p.opening else ''}{self.players[p.player]} to move"

    def show(self, p: BobailMen) -> str:
        """Return a line for each row, ``b`` for the bobail, and the player to move."""
        return "\n".join([*(" ".join(row) for row in self.text_rows(p)), self.words(p)])

    def svg(self, p: BobailMen) -> str:
        """Draw the board."""
        rows = self.text_rows(p)
        return self.picture(rows, discs="XO", title=" / ".join([*rows, self.words(p)]))

    def parse(self, text: str) -> BobailMen:
        """Read a board as ``show`` writes it; rows may be separated by slashes.

        Raises:
            PositionError: the text is not such a board with all men and the bobail.
        """
        board, player = self.read_turn(text)
        opening = board.endswith("first turn")
        first, second, bobail = self.read_cells(board.removesuffix("first turn"), "XOb")
        counts = (first.bit_count(), second.bit_count(), bobail.bit_count())
        if counts != (self.columns, self.columns, 1):
            message = f"{text!r} has not {self.columns} X, {self.columns} O and one b; place them"
            raise PositionError(message)
        mine, theirs = (second, first) if player else (first, second)
        return BobailMen(mine, theirs, bobail, player, int(opening))
