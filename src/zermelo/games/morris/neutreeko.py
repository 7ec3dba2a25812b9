"""Neutreeko."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._grids import Sides, SidesGame
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import LOSS, Outcome

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class Neutreeko(SidesGame):
    """Three pieces each slide on five by five squares as far as they can; three in a row win.

    A piece slides along a row, a column or a diagonal, until the edge or a piece stops it.
    """

    facts = (Fact(outcome="endless", source="Wikipedia, Neutreeko: a draw with best play"),)

    rows = 5
    columns = 5
    players = ("black", "white")

    @cached_property
    def threes(self) -> list[int]:
        """Each row of three squares, in all directions."""
        masks = []
        for row in range(5):
            for column in range(5):
                for down, right in WAYS:
                    cells = [(row + i * down, column + i * right) for i in range(3)]
                    if all(r in range(5) and c in range(5) for r, c in cells):
                        masks.append(sum(1 << 5 * r + c for r, c in cells))
        return masks

    def start(self) -> Sides:
        """Return the position at the start: black on b1, d1 and c4, white on b5, d5 and c2."""
        mine, theirs = ("b1", "d1", "c4"), ("b5", "d5", "c2")
        first, second = (
            sum(1 << self.cell_called(cell) for cell in side) for side in (mine, theirs)
        )
        return Sides(first, second, 0)

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if the other player has three in a row."""
        for three in self.threes:
            if p.theirs & three == three:
                return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[tuple[int, int]]:
        """Yield each slide: from a square, to a square."""
        pieces = p.mine | p.theirs
        for source in range(25):
            if p.mine >> source & 1:
                for ray in self.rays[source]:
                    target = source
                    for cell in ray:
                        if pieces >> cell & 1:
                            break
                        target = cell
                    if target != source:
                        yield source, target

    def play(self, p: Sides, move: tuple[int, int]) -> Sides:
        """Return the board after a slide, as the other player sees it."""
        source, target = move
        return Sides(p.theirs, p.mine & ~(1 << source) | 1 << target, 1 - p.player)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and reflections of the board, and the exchange of the players."""
        return Symmetry(grid(5, 5), masks=("mine", "theirs")), Symmetry(flip=("player",))

    def space(self) -> Sides:
        """Return the range of each field; each player has three pieces."""
        pieces: Any = Disjoint(25, (3, 3))
        player: Any = range(2)
        return Sides(pieces, pieces, player)
