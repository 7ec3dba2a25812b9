"""Bridg-It, also called Gale."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import Any, ClassVar

from zermelo.drawing.links import links
from zermelo.errors import PositionError
from zermelo.game.contract import Game
from zermelo.game.facts import Fact
from zermelo.game.spaces import Disjoint
from zermelo.games._checks import check_number
from zermelo.games._grids import Sides
from zermelo.games._sources import ENUMERATED
from zermelo.symmetry import Symmetry
from zermelo.values.outcomes import LOSS, Outcome

MOST_SIZE = 5
_STEP = 26


@dataclass(frozen=True)
class BridgIt(Game):
    """Two players build bridges between their own dots, and whoever joins their own two sides wins.

    The dots of both players make two grids, one between the other. A move joins two neighbouring
    dots of one's own, up and down or sideways, and no bridge may cross another. The first player
    joins the top and the bottom, the second the left and the right side. One of them always does.

    Think of the dots as on a square lattice whose rows and columns are numbered from 0 to twice the
    size. The first player's dots are in the even rows and odd columns, the second player's in the
    odd rows and even columns. On each other spot inside, a bridge of either player can lie.

    Attributes:
        size: the number of dots on each side of a player.
    """

    title = "Bridg-It"

    size: int = 3

    players: ClassVar[tuple[str, str]] = ("blue", "orange")

    facts = (
        Fact({"size": 1}, "win", 1, positions=2, win=1, loss=1, source=ENUMERATED),
        Fact({"size": 2}, "win", 5, positions=88, win=51, loss=37, source=ENUMERATED),
        Fact(
            {"size": 3},
            "win",
            source="Oliver Gross's pairing of bridges: Gardner, Scientific American, July 1961",
        ),
        Fact(
            {"size": 5},
            "win",
            checked=False,
            note="the same pairing wins on every size",
            source="Oliver Gross's pairing of bridges: Gardner, Scientific American, July 1961",
        ),
    )

    def start(self) -> Sides:
        """Return the dots without bridges."""
        return Sides(0, 0, 0)

    def turn(self, p: Sides) -> int:
        """Return the player to move."""
        return p.player

    def outcome(self, p: Sides) -> Outcome | None:
        """Return LOSS if the other player has just joined their own sides."""
        if self.joined(p.theirs, 1 - p.player):
            return LOSS
        return None

    def moves(self, p: Sides) -> Iterator[int]:
        """Yield each spot without a bridge."""
        for spot in range(self.spots):
            if not (p.mine | p.theirs) >> spot & 1:
                yield spot

    def play(self, p: Sides, spot: int) -> Sides:
        """Return the bridges with one more, as the other player sees them."""
        return Sides(p.theirs, p.mine | 1 << spot, 1 - p.player)

    def joined(self, bridges: int, player: int) -> bool:
        """Return whether a player's bridges lead from one own side to the other."""
        reached = frontier = bridges & self.edges[player][0]
        while frontier:
            spot = (frontier & -frontier).bit_length() - 1
            reachable = self.beside[player][spot] & bridges & ~reached
            reached |= reachable
            frontier = frontier & frontier - 1 | reachable
        return reached & self.edges[player][1] != 0

    def level(self, p: Sides) -> int:
        """Return the number of bridges."""
        return (p.mine | p.theirs).bit_count()

    @property
    def spots(self) -> int:
        """The number of spots for bridges."""
        return self.size**2 + (self.size - 1) ** 2

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """The row and column of each spot on the lattice."""
        across = range(1, 2 * self.size)
        return [(row, column) for row in across for column in across if (row + column) % 2 == 0]

    def ends(self, spot: int, player: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the two dots, as rows and columns, that a player's bridge on a spot joins."""
        row, column = self.places[spot]
        # The first player's dots are in even rows: above and below a spot of an odd row.
        if (row + player) % 2:
            return (row - 1, column), (row + 1, column)
        return (row, column - 1), (row, column + 1)

    @cached_property
    def beside(self) -> list[list[int]]:
        """For each player and spot, the spots whose bridges share a dot with a bridge there."""
        spots = range(self.spots)
        return [
            [
                sum(1 << b for b in spots if set(self.ends(a, player)) & set(self.ends(b, player)))
                for a in spots
            ]
            for player in (0, 1)
        ]

    @cached_property
    def edges(self) -> list[list[int]]:
        """For each player, the spots with bridges at the one side, and at the other side."""
        return [
            [
                sum(
                    1 << spot
                    for spot in range(self.spots)
                    if any(dot[player] == side for dot in self.ends(spot, player))
                )
                for side in (0, 2 * self.size)
            ]
            for player in (0, 1)
        ]

    def symmetries(self) -> Symmetry:
        """Return the reflections of the lattice."""
        numbers = {place: spot for spot, place in enumerate(self.places)}
        last_line = 2 * self.size
        upside = tuple(numbers[last_line - row, column] for row, column in self.places)
        across = tuple(numbers[row, last_line - column] for row, column in self.places)
        return Symmetry((upside, across), masks=("mine", "theirs"))

    def space(self) -> Sides:
        """Return the range of each field; no spot has two bridges."""
        bridges: Any = Disjoint(self.spots)
        player: Any = range(2)
        return Sides(bridges, bridges, player)

    def validate(self) -> None:
        """Raise ParameterError unless the lattice fits."""
        check_number("size", self.size, 1, MOST_SIZE)

    def whose(self, p: Sides, spot: int) -> str:
        """Return ``first`` or ``second`` if that player has a bridge on a spot, else ``free``."""
        kinds = ("first", "second")
        if p.mine >> spot & 1:
            return kinds[p.player]
        return kinds[1 - p.player] if p.theirs >> spot & 1 else "free"

    def show(self, p: Sides) -> str:
        """Return the lattice: ``x`` and ``o`` for dots, ``-``, ``|`` and ``=``, ``H`` for bridges.

        The first player's bridges are ``-`` and ``|``, the second's ``=`` and ``H``.
        """
        wide = 2 * self.size + 1
        rows = [[" "] * wide for _ in range(wide)]
        for row in range(wide):
            for column in range(wide):
                if (row + column) % 2:
                    rows[row][column] = "ox"[column % 2]
        for spot, (row, column) in enumerate(self.places):
            marks = {"free": "..", "first": "-|", "second": "H="}[self.whose(p, spot)]
            rows[row][column] = marks[row % 2]
        lines = ["".join(row).rstrip() for row in rows]
        return "\n".join([*lines, f"{self.players[p.player]} to move"])

    def svg(self, p: Sides) -> str:
        """Draw the dots and the bridges."""
        wide = 2 * self.size + 1
        dots = [
            (_STEP * column, _STEP * row, "", ("second", "first")[column % 2])
            for row in range(wide)
            for column in range(wide)
            if (row + column) % 2
        ]
        segments = []
        for spot in range(self.spots):
            owner = self.whose(p, spot)
            player = 1 if owner == "second" else 0 if owner == "first" else p.player
            (a, b), (c, d) = self.ends(spot, player)
            segments.append(((_STEP * b, _STEP * a), (_STEP * d, _STEP * c), owner))
        names = [self.name(spot) for spot in range(self.spots)]
        title = f"bridg-it: {self.show(p).splitlines()[-1]}"
        return links(dots, segments, title=title, moves=names)

    def name(self, spot: int) -> str:
        """Return the name of a spot, its column and row, such as ``b2``; row 1 is above."""
        row, column = self.places[spot]
        return f"{ascii_lowercase[column - 1]}{row}"

    def parse(self, text: str) -> Sides:
        """Read a lattice as ``show`` writes it; rows may be separated by slashes."""
        player, rows = 0, [row.strip() for row in text.strip().replace("/", "\n").splitlines()]
        for number, name in enumerate(self.players):
            if rows and rows[-1] == f"{name} to move":
                player, rows = number, rows[:-1]
        # Every other row begins with a blank, between two of the second player's dots.
        rows = [row if at % 2 else f" {row}" for at, row in enumerate(rows)]
        first = second = 0
        empty = self.show(self.start()).splitlines()[:-1]
        fits = len(rows) == len(empty)
        for spot, (row, column) in enumerate(self.places):
            mark = rows[row][column : column + 1] if fits else ""
            first |= (mark == "-|"[row % 2]) << spot
            second |= (mark == "H="[row % 2]) << spot
        sides = Sides(second, first, 1) if player else Sides(first, second, 0)
        if not fits or rows != self.show(sides).splitlines()[:-1]:
            example = " / ".join(row.strip() for row in empty)
            message = (
                f"{text!r} is not a lattice of size {self.size}; write one such as {example!r}, "
                "with - and | for blue bridges, = and H for orange ones"
            )
            raise PositionError(message)
        return sides
